//! The settings of a run of Paxos.

use crate::agreement::roles;
use crate::needs::{Risk, TimeOut};
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
    /// Number of acceptors that are enough.
    pub quorum: usize,
    /// The time that a proposer waits before it tries a higher ballot.
    pub retry: Ticks,
    /// Whether the proposer adds a random time.
    pub back_off: BackOff,
    /// The fault of the variant.
    pub flaw: Flaw,
}

choices! {
    /// How a proposer waits if it has received no outcome.
    pub enum BackOff {
        Random = "random":
            "between once and three times `retry`, at random: so two proposers do not disturb each other for ever",
        None = "none": "always `retry`"; broken: "proposers that wait equally long can disturb each other for ever",
    }
}

choices! {
    /// The faults that variants may have, kept for teaching.
    pub enum Flaw {
        None = "single-decree": "as in the paper: one value is chosen, once",
        AdoptsNothing = "adopts-nothing":
            "a proposer asks for its own value, whatever its promises say was accepted before";
            broken: "a value is chosen although another one was",
        AcceptedWithoutNumber = "accepted-without-number":
            "acceptors tell the value that they accepted without the number of the proposal";
            broken: "acceptances of different proposals are counted together, and learners learn different values",
        PromiseForgotten = "promise-forgotten": "promises and acceptances are not in stable storage";
            broken: "an acceptor that comes back breaks its promise, and a second value is chosen",
    }
}

/// Default time that a proposer waits.
const RETRY: Ticks = 50_000;

/// PREPARE, PROMISE, ACCEPT and ACCEPTED must arrive within this time. After it, the proposer has tried a higher
/// number.
pub(super) const CHOSEN: TimeOut = TimeOut::of("retry", 4, Risk::Progress);

pub(super) const PARAMETERS: &[Parameter] = &[
    Parameter::new("acceptors", "who promises and accepts", "all", Range::Nodes { or_none: false, needs_all: false }),
    // A proposer that is not a learner never receives the outcome. Once it has its promises, it does not try again.
    Parameter::new(
        "learners",
        "who is told what was accepted",
        "all",
        Range::Nodes { or_none: false, needs_all: true },
    ),
    Parameter::new(
        "proposers",
        "who proposes at the start, node 3 the value `v3`; whoever there is of 0 and 1 if not given",
        "0,1",
        Range::Nodes { or_none: true, needs_all: false },
    ),
    Parameter::new(
        "quorum",
        "how many acceptors are enough; less than a majority chooses two values",
        "majority",
        Range::Or(Word { name: "majority", meaning: "" }, &Range::Quorum { of: "acceptors" }),
    ),
    Parameter::time(
        "retry",
        "how long a proposer waits before it tries a higher number, in ms; \
 one that is no learner waits for promises only",
        "50",
        Pace::TimeOut,
    ),
    Parameter::choice::<BackOff>("back-off", "how it waits: once to three times as long, at random, or always as long"),
];

/// Returns the effective values of two kinds of parameters: those whose default depends on the run, and times.
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
        retry: configuration.time_parameter("retry", Times::ANY.all())?.unwrap_or(RETRY),
        back_off: configuration.choice("back-off")?,
        flaw: configuration.variant()?,
        acceptors,
    })
}
