//! Lamport 1978.

use std::fmt;

use serde_json::json;

use super::super::live::Move::{self, Acquire, Deliver, Release};
use super::super::live::Playground;
use super::{Claim, CouldNotRun, Finding, How, Outcome, Run, Showing};

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "LAM-1",
        says: "3(N−1) messages per entry (REQUEST, ACK, RELEASE); N+1 if a multicast counts as one",
        showings: &[Showing::live(messages), Showing::not_yet(How::Simulation)],
    },
    Claim {
        id: "LAM-2",
        says: "client delay 2T, synchronisation delay T",
        showings: &[Showing::not_yet(How::Simulation)],
    },
    Claim {
        id: "LAM-3",
        says: "with FIFO channels ME1–ME3 and ORDER hold",
        showings: &[Showing::not_yet(How::Exploration), Showing::not_yet(How::Simulation)],
    },
    Claim {
        id: "LAM-4",
        says: "without FIFO, ME1 fails with any later message and with explicit acknowledgements; with the \
               postponed ACK it holds if RELEASE names its request",
        showings: &[Showing::not_yet(How::Exploration), Showing::live(without_fifo).beside(Run::Live(in_order))],
    },
    Claim {
        id: "LAM-5",
        says: "one lost message blocks, or with any later message breaks ME1; over the reliable channel all go \
               on at 20 % loss",
        showings: &[Showing::not_yet(How::Live), Showing::not_yet(How::Simulation), Showing::not_yet(How::Exploration)],
    },
    Claim {
        id: "LAM-6",
        says: "without acknowledgements it blocks or breaks ME1",
        showings: &[Showing::not_yet(How::Exploration)],
    },
    Claim {
        id: "LAM-7",
        says: "the ACK may be postponed until after leaving: same number of messages",
        showings: &[Showing::not_yet(How::Simulation)],
    },
];

/// Everybody enters 20 times.
fn messages(playground: &Playground) -> Outcome {
    let run = playground.drained("lamport", 5, 20)?;
    let kinds = ["REQUEST", "ACK", "RELEASE"].map(|kind| run.messages_by_kind.get(kind).copied().unwrap_or_default());
    Ok(Finding {
        expected: "3(N−1) = 12 messages per entry for N = 5, as many of each kind".into(),
        measured: format!("{} messages ({kinds:?}) for {} entries", run.messages, run.entries),
        holds: run.entries == 100 && kinds == [400; 3] && run.messages == 1_200,
    })
}

/// 1's REQUEST reaches 0, whose own is older and who now has a later message from everybody: 0 enters. Its ACK overtakes
/// its REQUEST, and tells 1 that 0 has nothing older.
const LATER_MESSAGE: [Move; 4] = [Acquire(0), Acquire(1), Deliver("REQUEST", 1, 0), Deliver("ACK", 0, 1)];
/// The same; 0 has still to be acknowledged, by 1 that is inside.
const EXPLICIT: [Move; 6] = [
    Acquire(0),
    Acquire(1),
    Deliver("REQUEST", 1, 0),
    Deliver("ACK", 0, 1),
    Deliver("REQUEST", 0, 1),
    Deliver("ACK", 1, 0),
];
/// 0's RELEASE is overtaken by its next REQUEST, and takes that out of 1's queue.
const POSTPONED: [Move; 11] = [
    Acquire(0),
    Deliver("REQUEST", 0, 1),
    Deliver("ACK", 1, 0),
    Release(0),
    Acquire(0),
    Deliver("REQUEST", 0, 1),
    Acquire(1),
    Deliver("RELEASE", 0, 1),
    Deliver("REQUEST", 1, 0),
    Deliver("ACK", 0, 1),
    Deliver("ACK", 1, 0),
];

/// The shortest schedules.
fn without_fifo(playground: &Playground) -> Outcome {
    let broken = [
        two("any-later-message", "sender", &LATER_MESSAGE, playground)?,
        two("explicit-ack", "sender", &EXPLICIT, playground)?,
        two("postponed-ack", "sender", &POSTPONED, playground)?,
    ];
    let named = two("postponed-ack", "request", &POSTPONED, playground)?;
    Ok(Finding {
        expected:
            "both inside with any later message in 4 steps, with explicit ACK in 6, with postponed ACK in 11; not \
                   if RELEASE names its request"
                .into(),
        measured: format!("{}, {named}", broken.each_ref().map(Two::to_string).join(", ")),
        holds: broken.iter().all(Two::break_the_rule) && !named.break_the_rule(),
    })
}

/// The same schedules in the order of sending.
fn in_order(playground: &Playground) -> Outcome {
    let (mut later, mut explicit, mut postponed) = (LATER_MESSAGE.to_vec(), EXPLICIT, POSTPONED);
    later.insert(3, Deliver("REQUEST", 0, 1));
    explicit.swap(3, 4);
    postponed.swap(5, 7);
    let kept = [
        two("any-later-message", "sender", &later, playground)?,
        two("explicit-ack", "sender", &explicit, playground)?,
        two("postponed-ack", "sender", &postponed, playground)?,
    ];
    Ok(Finding {
        expected: "in the order of sending, never".into(),
        measured: kept.each_ref().map(Two::to_string).join(", "),
        holds: kept.iter().any(Two::break_the_rule),
    })
}

/// What came of a schedule of two processes.
struct Two {
    inside: Vec<u32>,
    violations: u64,
}

impl Two {
    /// Both are inside, and a monitor says so.
    fn break_the_rule(&self) -> bool {
        self.inside.len() == 2 && self.violations == 1
    }
}

impl fmt::Display for Two {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:?} inside", self.inside)
    }
}

fn two(variant: &str, release: &str, schedule: &[Move], playground: &Playground) -> Result<Two, CouldNotRun> {
    let stage = playground.stage(json!({
        "algorithm": "lamport", "variant": variant, "parameters": { "release": release }, "nodes": 2,
        "network": { "hold": true },
    }))?;
    stage.play(schedule)?;
    Ok(Two { inside: stage.inside(), violations: stage.violations() })
}
