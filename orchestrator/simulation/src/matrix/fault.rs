//! The faults of the columns. A fault is a list of scenario steps between the first entries and the final entries.

use serde::Serialize;
use serde_json::{Value, json};

use super::clock::Clock;
use super::contender::Contender;
use super::delay::{CALM, SLOW};
use interlock_model::span::Span;

/// A fault. If a fault can be undone, the scenario undoes it before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
#[schema(as = MatrixFault)]
pub enum Fault {
    /// Nothing happens.
    Nothing,
    /// For a while, three of ten messages are lost.
    Loss,
    /// For a while, every message is duplicated, and the copy arrives late.
    Duplication,
    /// For a while, messages overtake each other.
    Reordering,
    /// A waiting process crashes.
    CrashOfWaiter,
    /// The process in the critical section crashes.
    CrashOfHolder,
    /// A process on which the others depend crashes: the coordinator, the token holder, an arbiter, or the first of
    /// a ring.
    CrashOfSpecial,
    /// The process in the critical section is paused for longer than any time-out, and then resumes.
    Pause,
    /// A process crashes and restarts with its stored state.
    RestartWithState,
    /// A process crashes and restarts without its state.
    RestartWithoutState,
    /// For a while, no message from one process arrives.
    OneWayPartition,
    /// For a while, two processes are partitioned from the others.
    Partition,
    /// For a while, a waiting process suspects the live process in the critical section.
    WrongSuspicion,
    /// The variables of two processes are overwritten with arbitrary values.
    Corruption,
}

/// All faults, in column order.
pub const FAULTS: [Fault; 14] = [
    Fault::Nothing,
    Fault::Loss,
    Fault::Duplication,
    Fault::Reordering,
    Fault::CrashOfWaiter,
    Fault::CrashOfHolder,
    Fault::CrashOfSpecial,
    Fault::Pause,
    Fault::RestartWithState,
    Fault::RestartWithoutState,
    Fault::OneWayPartition,
    Fault::Partition,
    Fault::WrongSuspicion,
    Fault::Corruption,
];

/// Time without further faults after a fault, in ms. During this time, the live processes react to the fault.
const SETTLE_MS: u64 = 500;

impl Fault {
    /// Returns the duration of the fault in a cell, in ms; only for faults that end. `silence` is the longest
    /// time-out of a failure detector, and a pause lasts longer than `silence`.
    pub(super) fn lasts_ms(self, clock: Clock, silence: Span) -> u64 {
        let suspicion = silence.0 / 1_000 + SETTLE_MS;
        match (self, clock) {
            // A longer pause would not change the result, but the other processes would make thousands of entries
            // during it.
            (Self::Pause, Clock::Virtual) => suspicion.max(1_000),
            (Self::Pause, Clock::Wall) => suspicion.max(3_000),
            // With live processes, the holder may leave and enter again before the suspicion reaches the waiting
            // process.
            (Self::WrongSuspicion, Clock::Wall) => 3_000,
            (Self::OneWayPartition | Self::Partition, _) => 1_000,
            _ => 400,
        }
    }

    /// Returns the name of the fault in documents and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Loss => "loss",
            Self::Duplication => "duplication",
            Self::Reordering => "reordering",
            Self::CrashOfWaiter => "crash-of-waiter",
            Self::CrashOfHolder => "crash-of-holder",
            Self::CrashOfSpecial => "crash-of-special",
            Self::Pause => "pause",
            Self::RestartWithState => "restart-with-state",
            Self::RestartWithoutState => "restart-without-state",
            Self::OneWayPartition => "one-way-partition",
            Self::Partition => "partition",
            Self::WrongSuspicion => "wrong-suspicion",
            Self::Corruption => "corruption",
        }
    }

    /// Returns the description of the fault.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Nothing => "nothing happens",
            Self::Loss => "messages are lost",
            Self::Duplication => "messages arrive twice",
            Self::Reordering => "messages overtake each other",
            Self::CrashOfWaiter => "a waiting process crashes",
            Self::CrashOfHolder => "the process in the critical section crashes",
            Self::CrashOfSpecial => "a process on which the others depend crashes",
            Self::Pause => "the process in the critical section is paused for a long time",
            Self::RestartWithState => "a process crashes and restarts with its stored state",
            Self::RestartWithoutState => "a process crashes and restarts without stored state",
            Self::OneWayPartition => "for a while, messages of one process reach no other",
            Self::Partition => "for a while, two processes are cut off",
            Self::WrongSuspicion => "the process in the critical section is suspected",
            Self::Corruption => "variables are overwritten",
        }
    }

    /// Returns whether the fault can be injected into this contender.
    #[must_use]
    pub fn applies_to(self, contender: &Contender) -> bool {
        self != Self::Corruption || contender.stabilises()
    }

    /// Returns the steps of the fault. `victim` is the affected process, if the fault needs a process number.
    /// `lasts_ms` is the duration, if the fault ends. The last step waits until the fault is over.
    #[must_use]
    pub fn steps(self, contender: &Contender, victim: u32, lasts_ms: u64) -> Vec<Value> {
        let (lasts, settled) = (format!("{lasts_ms}ms"), format!("{}ms", lasts_ms + SETTLE_MS));
        let during = |setting: Value, usual: Value| {
            vec![
                json!({ "network": { "default": setting } }),
                json!({ "sleep": lasts }),
                json!({ "network": { "default": usual } }),
                json!({ "sleep": "100ms" }),
            ]
        };
        let settle = || json!({ "sleep": format!("{SETTLE_MS}ms") });
        let back = |state: &str| {
            let restart = json!({ "restart": { "node": victim, "state": state } });
            vec![json!({ "crash": victim }), json!({ "sleep": lasts }), restart, settle()]
        };
        let dies = |whom: Value| vec![json!({ "crash": whom }), settle()];
        match self {
            Self::Nothing => Vec::new(),
            Self::Loss => during(json!({ "loss": "30%" }), json!({ "loss": 0 })),
            // The copies must be late: only a late copy of an answer can be mistaken for the answer to a later
            // request.
            Self::Duplication => {
                during(json!({ "duplicate": "100%", "delay": SLOW }), json!({ "duplicate": 0, "delay": CALM }))
            }
            Self::Reordering => during(
                json!({ "fifo": false, "delay": SLOW }),
                json!({ "fifo": contender.assumes.fifo, "delay": CALM }),
            ),
            Self::CrashOfWaiter => dies(json!("waiting")),
            Self::CrashOfHolder => dies(json!("holder")),
            Self::CrashOfSpecial => dies(contender.special()),
            Self::Pause => vec![json!({ "pause": { "node": "holder", "for": lasts } }), json!({ "sleep": settled })],
            Self::RestartWithState => back("stored"),
            Self::RestartWithoutState => back("none"),
            Self::OneWayPartition => vec![
                json!({ "partition": { "groups": format!("{victim}|others"), "direction": "forward", "for": lasts } }),
                json!({ "sleep": settled }),
            ],
            Self::Partition => {
                vec![json!({ "partition": { "groups": two(victim), "for": lasts } }), json!({ "sleep": settled })]
            }
            Self::WrongSuspicion => vec![
                json!({ "suspect": { "node": "waiting", "whom": "holder", "for": lasts } }),
                json!({ "sleep": settled }),
            ],
            Self::Corruption => vec![
                json!({ "corrupt": { "node": victim, "choice": 13 } }),
                json!({ "corrupt": { "node": 3, "choice": 38 } }),
                json!({ "sleep": "2s" }),
            ],
        }
    }
}

/// Returns the two groups of a partition. One group is process 0 and the victim, or process 0 alone if it is the
/// victim. All other processes are in the other group.
fn two(victim: u32) -> String {
    if victim == 0 { "0|others".to_owned() } else { format!("0,{victim}|others") }
}
