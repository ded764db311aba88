//! The order of requests, compared between algorithms.

use interlock_exploration::Property;

use super::super::explored::{Scene, Scenes, differ, hold};
use super::{Claim, Experiment, How, Showing, order_measured as measured};

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "ORD-1",
        showings: &[
            Showing::explored(by_timestamp).beside(Experiment::Schedules(by_timestamp_without_clocks)),
            Showing::explored(not_by_timestamp).beside(Experiment::Schedules(not_by_timestamp_with_all_replies)),
            Showing::of(How::Simulation, measured::by_timestamp)
                .beside(Experiment::Alone(measured::by_timestamp_without_clocks)),
        ],
    },
    Claim {
        id: "ORD-2",
        showings: &[
            Showing::of(How::Simulation, measured::in_real_time)
                .beside(Experiment::Alone(measured::in_real_time_without_delays)),
            Showing::of(How::Simulation, measured::shifted).beside(Experiment::Alone(measured::not_shifted)),
        ],
    },
    Claim { id: "ORD-3", showings: &[Showing::explored(inverted).beside(Experiment::Schedules(kept))] },
    Claim {
        id: "ORD-4",
        showings: &[
            Showing::of(How::Simulation, measured::between).beside(Experiment::Alone(measured::between_with_idle_time))
        ],
    },
];

/// All schedules of the variants that never grant a larger timestamp while a smaller one waits.
fn by_timestamp() -> Scenes {
    let lamport = ["any-later-message", "explicit-ack", "postponed-ack"].map(|of| format!("lamport/{of}"));
    let ricart_agrawala = ["lamport-clock", "sequence-numbers"].map(|of| format!("ricart-agrawala/{of}"));
    let scene = |named: &String| Scene::new(named.clone(), 3, &[1]).of_timestamps();
    let twice = |named: &String| Scene::new(named.clone(), 2, &[2]).of_timestamps();
    let named = || lamport.iter().chain(&ricart_agrawala);
    hold(&named().map(scene).chain(named().map(twice)).collect::<Vec<_>>())
}

/// Negative control: a process ignores the numbers that it receives, or waits for no acknowledgement.
fn by_timestamp_without_clocks() -> Scenes {
    hold(&["ricart-agrawala/no-clock-update", "lamport/no-ack"].map(|named| Scene::new(named, 2, &[2]).of_timestamps()))
}

/// All schedules in which a larger timestamp is granted while a smaller one waits: votes, or permissions that are still
/// valid, decide.
fn not_by_timestamp() -> Scenes {
    let overtaken =
        |named, nodes, requests| (Scene::new(named, nodes, requests).of_timestamps(), Some(Property::TimestampOrder));
    differ(&[overtaken("maekawa/corrected", 3, &[1]), overtaken("carvalho-roucairol/original", 2, &[2])])
}

/// Negative control: expects inversions if each request needs new replies of all processes.
fn not_by_timestamp_with_all_replies() -> Scenes {
    differ(&[(Scene::new("ricart-agrawala/lamport-clock", 2, &[2]).of_timestamps(), Some(Property::TimestampOrder))])
}

/// All schedules in which a process can tell another one of its request. The other one then requests too, and is
/// granted first. The arrival of its request, its place in the ring, or the votes of its arbiters decide.
fn inverted() -> Scenes {
    differ(&[
        told("centralised/arrival-order", 3, &[0, 1, 1]),
        told("le-lann/original", 3, &[1]),
        told("maekawa/corrected", 3, &[1]),
    ])
}

/// Negative control: expects inversions where every message carries the clock, and requests are granted in its order.
fn kept() -> Scenes {
    differ(&[told("ricart-agrawala/lamport-clock", 2, &[1]), told("lamport/any-later-message", 2, &[1])])
}

fn told(named: &'static str, nodes: u32, requests: &'static [u8]) -> (Scene, Option<Property>) {
    (Scene::new(named, nodes, requests).of_order().telling(), Some(Property::Order))
}
