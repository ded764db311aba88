//! The order of requests, compared between algorithms.

use interlock_exploration::Property;

use super::super::explored::{Scene, Scenes, differ};
use super::{Claim, Experiment, Showing};

pub(super) const CLAIMS: &[Claim] =
    &[Claim { id: "ORD-3", showings: &[Showing::explored(inverted).beside(Experiment::Schedules(kept))] }];

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
