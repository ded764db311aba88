//! What cannot be done to a run now, and why: the same conditions and the same words for live and simulated runs.

use interlock_algorithm::NodeId;
use interlock_machine::message_id::MessageId;
use interlock_machine::wording::numbered;

use crate::process_status::ProcessStatus;

/// The most orders that may wait for one node.
pub const MOST_WAITING_ORDERS: usize = 100;

/// Why something cannot be done to a run now.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Impossible {
    /// The run has no such node.
    #[error("there is no node {0}: the run has {nodes}", nodes = numbered("node", *.1))]
    UnknownNode(NodeId, u32),
    /// The network has no such message.
    #[error("message {0} is neither held nor on its way")]
    UnknownMessage(MessageId),
    /// The message is held, and need not be again.
    #[error("message {0} is held already")]
    HeldAlready(MessageId),
    /// More happens until then than there may be.
    #[error("time does not get that far: a run that follows a schedule takes at most {0} steps")]
    TooLong(u64),
    /// Time does not get that far.
    #[error("time does not get that far: {0} steps were taken without progress")]
    Endless(u64),
    /// The time of the message has not come.
    #[error("message {message} is due at {due_us} µs, and it is {now_us} µs: `forward` sets it free before")]
    NotDue {
        /// Which.
        message: MessageId,
        /// When it is due, in microseconds since the run began.
        due_us: u64,
        /// What time it is.
        now_us: u64,
    },
    /// The message is held.
    #[error("message {0} is held: `forward` sets it free")]
    Held(MessageId),
    /// It is a part of what the choices of this schedule let happen at once.
    #[error("only a schedule that says when each process starts lets this happen by itself")]
    NotInParts,
    /// It lets happen at once what the choices of this schedule let happen in parts.
    #[error(
        "a schedule that says when each process starts says of everything when it happens: no time goes on by itself, and nothing is healed at once"
    )]
    InParts,
    /// There is no such partition, rule, link setting or timer.
    #[error("there is no {0}")]
    Unknown(String),
    /// The node is not in the condition that this needs.
    #[error("{node} is {process}: {needed}")]
    WrongCondition {
        /// Which.
        node: NodeId,
        /// What its process is doing.
        process: &'static str,
        /// What is needed instead.
        needed: &'static str,
    },
    /// Too many orders wait for this node.
    #[error("{0} has {MOST_WAITING_ORDERS} commands waiting already")]
    TooMany(NodeId),
    /// The timer will run out anyhow.
    #[error("{0} refused: the timer has been told to run out already")]
    FiredAlready(NodeId),
}

impl Impossible {
    /// The timers of the node are not for others to fire.
    #[must_use]
    pub const fn timers_run(node: NodeId) -> Self {
        let needed = "its timers run by themselves: only a run with \"timers\": false has them fired by hand";
        Self::WrongCondition { node, process: "running", needed }
    }

    /// The process has not taken its first step.
    #[must_use]
    pub const fn not_begun(node: NodeId) -> Self {
        Self::WrongCondition { node, process: "starting", needed: "it has to begin before it takes anything else" }
    }

    /// The process has taken its first step, or is not there to take it.
    #[must_use]
    pub const fn begins_not(node: NodeId, process: &'static str) -> Self {
        Self::WrongCondition { node, process, needed: "only a process that is there and has not begun begins" }
    }

    /// The process stands still since an earlier time.
    #[must_use]
    pub const fn stands_still(node: NodeId) -> Self {
        Self::WrongCondition { node, process: "paused", needed: "it takes nothing later than that before it goes on" }
    }

    /// No timer of this name is pending at a node.
    #[must_use]
    pub fn no_timer(node: NodeId) -> Self {
        Self::Unknown(format!("such timer pending at {node}"))
    }

    /// The link has no setting of its own that could be removed.
    #[must_use]
    pub fn no_setting(from: NodeId, to: NodeId) -> Self {
        Self::Unknown(format!("setting of its own for the link from {from} to {to}"))
    }
}

/// What is noted among the events when something could not be done that a script asked for.
#[must_use]
pub fn noted(error: &impl std::fmt::Display) -> String {
    format!("what the script says could not be done: {error}")
}

/// Something that is done to a process, which must be in the right condition for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    /// Its client is given an order, or one of its timers runs out by order.
    Order,
    /// It is killed.
    Crash,
    /// It is started anew.
    Restart,
    /// It is stopped in its tracks.
    Pause,
    /// It goes on.
    Resume,
}

impl Deed {
    /// Whether this can be done to a process in this condition.
    ///
    /// # Errors
    /// Names the condition, and the one that is needed.
    pub fn to(self, node: NodeId, process: ProcessStatus) -> Result<(), Impossible> {
        use ProcessStatus::{Crashed, Paused, Running, Starting, Stopped};
        let (possible, needed) = match self {
            Self::Order => (!matches!(process, Crashed | Stopped), "restart it first"),
            Self::Crash => (matches!(process, Starting | Running | Paused), "it is dead already"),
            Self::Restart => (process == Crashed, "only a crashed node can be restarted"),
            Self::Pause => (process == Running, "only a running node can be paused"),
            Self::Resume => (process == Paused, "only a paused node can be resumed"),
        };
        if possible { Ok(()) } else { Err(Impossible::WrongCondition { node, process: process.name(), needed }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_deed_needs_its_condition_and_says_which() {
        use ProcessStatus::{Crashed, Paused, Running, Starting};
        let table = [
            (Deed::Order, [Starting, Running, Paused].as_slice(), "P1 is crashed: restart it first"),
            (Deed::Crash, &[Starting, Running, Paused], "P1 is crashed: it is dead already"),
            (Deed::Restart, &[Crashed], "P1 is running: only a crashed node can be restarted"),
            (Deed::Pause, &[Running], "P1 is paused: only a running node can be paused"),
            (Deed::Resume, &[Paused], "P1 is running: only a paused node can be resumed"),
        ];
        for (deed, possible, refusal) in table {
            let tried = [Starting, Running, Paused, Crashed].map(|process| (process, deed.to(NodeId(1), process)));
            for (process, found) in &tried {
                assert_eq!(found.is_ok(), possible.contains(process), "{deed:?} {process:?}");
            }
            let refusals: Vec<_> = tried.into_iter().filter_map(|(_, found)| found.err()).collect();
            assert!(refusals.iter().any(|found| found.to_string() == refusal), "{deed:?}: {refusals:?}");
        }
    }
}
