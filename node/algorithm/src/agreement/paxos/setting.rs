//! The settings of a run of Paxos.

use crate::agreement::roles;
use crate::prelude::*;

/// The values that are fixed for a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The nodes that promise and accept.
    pub acceptors: Vec<NodeId>,
    /// The nodes that are notified of acceptances.
    pub learners: Vec<NodeId>,
    /// The nodes that propose a value at the start.
    pub proposers: Vec<NodeId>,
    /// Number of acceptors that form a quorum.
    pub quorum: usize,
    /// The time that a proposer waits before it tries a higher ballot.
    pub retry: Ticks,
    /// Whether a proposer adds a random time to `retry`.
    pub back_off: BackOff,
    /// The fault of the variant.
    pub flaw: Flaw,
}

choices! {
    /// How a proposer waits before it tries a higher ballot.
    pub enum BackOff {
        Random = "random":
            "one to three times `retry`, at random, so that two proposers do not disturb each other indefinitely",
        None = "none": "always `retry`"; broken: "proposers that wait equally long can disturb each other indefinitely",
    }
}

choices! {
    /// The faults that variants may have, kept for teaching.
    pub enum Flaw {
        None = "single-decree": "as in the paper: a single value is chosen, once",
        AdoptsNothing = "adopts-nothing": "a proposer proposes its own value, whatever its promises report as accepted";
            broken: "a value is chosen although another one was already chosen",
        AcceptedWithoutNumber = "accepted-without-number":
            "acceptors report the value that they accepted without the number of its proposal";
            broken: "acceptances of different proposals are counted together, and learners learn different values",
        PromiseForgotten = "promise-forgotten": "promises and acceptances are not in stable storage";
            broken: "an acceptor that restarts breaks its promise, and a second value is chosen",
    }
}

/// Default time that a proposer waits.
const RETRY: Ticks = 50_000;

/// The time-out `retry`, within which PREPARE, PROMISE, ACCEPT and ACCEPTED must all arrive. Otherwise the proposer
/// starts again with a higher number before its value can be chosen.
pub(super) const CHOSEN: TimeOut = TimeOut::of("retry", 4, Risk::Progress);

pub(super) const PARAMETERS: &[Parameter] = &[
    Parameter::new(
        "acceptors",
        "the nodes that promise and accept",
        "all",
        Range::Nodes { or_none: false, needs_all: false },
    ),
    // A proposer that is not a learner never receives the outcome. Once a quorum has promised, such a proposer does
    // not try again.
    Parameter::new(
        "learners",
        "the nodes that are notified of accepted values",
        "all",
        Range::Nodes { or_none: false, needs_all: true },
    ),
    Parameter::new(
        "proposers",
        "the nodes that propose at the start, node 3 the value `v3`; if not given, those of nodes 0 and 1 that exist",
        "0,1",
        Range::Nodes { or_none: true, needs_all: false },
    ),
    Parameter::new(
        "quorum",
        "the number of acceptors that suffice; with less than a majority, two values can be chosen",
        "majority",
        Range::Or(Word { name: "majority", meaning: "" }, &Range::Quorum { of: "acceptors" }),
    ),
    Parameter::time(
        "retry",
        "how long a proposer waits before it tries a higher number, in ms; a proposer that is not a learner waits for \
        promises only",
        "50",
        Pace::TimeOut,
    ),
    Parameter::choice::<BackOff>("back-off", "how it waits: one to three times `retry`, at random, or always `retry`"),
];

/// Returns the effective values of the parameters whose default depends on the run, and of the parameters that are
/// times.
pub(super) fn in_force(setting: &Setting) -> Vec<(&'static str, ParameterValue)> {
    let proposers = roles::written(&setting.proposers);
    [("proposers", ParameterValue::read(&proposers)), ("retry", ParameterValue::time(setting.retry))].into()
}

pub(super) fn configure(configuration: &Configuration<'_>) -> Result<Setting, Refusal> {
    let acceptors = roles::some(configuration, "acceptors")?;
    Ok(Setting {
        quorum: roles::quorum(configuration, acceptors.len())?,
        learners: roles::some(configuration, "learners")?,
        proposers: roles::listed(configuration, "proposers")?
            .unwrap_or_else(|| NodeId::all(configuration.nodes.min(2)).collect()),
        retry: configuration.time("retry", RETRY)?,
        back_off: configuration.choice("back-off")?,
        flaw: configuration.variant()?,
        acceptors,
    })
}
