//! Reasons why a run cannot execute an action now. Live and simulated runs share the conditions and the wording.

use interlock_algorithm::NodeId;
use interlock_machine::message_id::MessageId;
use interlock_machine::wording::numbered;

use crate::process_status::ProcessStatus;

/// Maximum number of commands that may wait for one node.
pub const MOST_WAITING_ORDERS: usize = 100;

/// The reason why an action cannot be applied to a run now.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Impossible {
    /// The run has no node with this number.
    #[error("there is no node {0}: the run has {nodes}", nodes = numbered("node", *.1))]
    UnknownNode(NodeId, u32),
    /// The network has no message with this name.
    #[error("message {0} is neither held nor in transit")]
    UnknownMessage(MessageId),
    /// The message is a part of a TCP connection, which shows each part once.
    #[error("message {0} is a part of a TCP connection and cannot be duplicated; TCP discards copies")]
    Stream(MessageId),
    /// The process is a service, which executes no commands.
    #[error("{0} is a service: it requests no locks and takes no commands; send the command to a node")]
    Service(NodeId),
    /// The message is already held.
    #[error("message {0} is held already")]
    HeldAlready(MessageId),
    /// The run would exceed its maximum number of steps before it reached the given time.
    #[error(
        "cannot reach that time: the run would need more than {0} steps, the maximum for a run that follows a schedule"
    )]
    TooLong(u64),
    /// The run executed this many steps without progress, so it cannot reach the given time.
    #[error("cannot reach that time: {0} steps were executed without progress")]
    Endless(u64),
    /// The message is not due yet.
    #[error("message {message} is due at {due_us} µs, and it is {now_us} µs; write `forward` to deliver it earlier")]
    NotDue {
        /// Name of the message.
        message: MessageId,
        /// Time at which the message is due, in microseconds since the start of the run.
        due_us: u64,
        /// Current time, in microseconds since the start of the run.
        now_us: u64,
    },
    /// The message is held.
    #[error("message {0} is held; write `forward` to deliver it")]
    Held(MessageId),
    /// The action is a part of a larger action, which this schedule executes as a whole.
    #[error("this action is allowed only in a schedule in parts, which also lists the start of each process")]
    NotInParts,
    /// The action is executed as a whole, but this schedule executes the parts of such actions one by one.
    #[error(
        "a schedule in parts starts each process itself and must list every action: time does not pass by itself, and \
         `heal` is not allowed"
    )]
    InParts,
    /// The run has no such partition, rule, link setting or timer.
    #[error("there is no {0}")]
    Unknown(String),
    /// The node is not in the state that the action needs.
    #[error("{node} is {process}: {needed}")]
    WrongCondition {
        /// Number of the node.
        node: NodeId,
        /// Status of the node's process.
        process: &'static str,
        /// Status that the action needs.
        needed: &'static str,
    },
    /// The maximum number of commands is already waiting for this node.
    #[error("{0} has too many pending commands; the maximum is {MOST_WAITING_ORDERS}")]
    TooMany(NodeId),
    /// The timer was already fired on request.
    #[error("cannot fire this timer of {0}: it has already been fired, and {0} has not yet handled it")]
    FiredAlready(NodeId),
}

impl Impossible {
    /// Returns the error for a node whose timers fire by themselves and cannot be fired manually.
    #[must_use]
    pub const fn timers_run(node: NodeId) -> Self {
        let needed = "its timers run by themselves; only a run with \"timers\": false can fire them";
        Self::WrongCondition { node, process: "running", needed }
    }

    /// Returns the error for a process that has not executed its first step.
    #[must_use]
    pub const fn not_begun(node: NodeId) -> Self {
        Self::WrongCondition { node, process: "starting", needed: "it must start before it can take anything else" }
    }

    /// Returns the error for a process that cannot execute a first step: it has already executed one, or it does
    /// not exist.
    #[must_use]
    pub const fn begins_not(node: NodeId, process: &'static str) -> Self {
        Self::WrongCondition { node, process, needed: "only a process that exists and has not started can start" }
    }

    /// Returns the error for a process that was paused before the time of the action.
    #[must_use]
    pub const fn stands_still(node: NodeId) -> Self {
        Self::WrongCondition { node, process: "paused", needed: "it takes nothing later before it is resumed" }
    }

    /// Returns the error for a node that has no pending timer of the given name.
    #[must_use]
    pub fn no_timer(node: NodeId) -> Self {
        Self::Unknown(format!("such pending timer at {node}"))
    }

    /// Returns the error for a link whose own settings cannot be removed because it has none.
    #[must_use]
    pub fn no_setting(from: NodeId, to: NodeId) -> Self {
        Self::Unknown(format!("setting of its own for the link from {from} to {to}"))
    }
}

/// Returns the text of the `noted` event for an action of a script that could not be executed.
#[must_use]
pub fn noted(error: &impl std::fmt::Display) -> String {
    format!("cannot execute an action of the script: {error}")
}

/// An action on a process that is possible only if the process has a certain status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    /// Sends a command to the client of the process, or makes a timer of the process fire.
    Order,
    /// Kills the process.
    Crash,
    /// Starts a new process for a crashed node.
    Restart,
    /// Pauses the process.
    Pause,
    /// Resumes the process.
    Resume,
}

impl Deed {
    /// Checks that the action is possible for a process of node `node` with status `process`.
    ///
    /// # Errors
    /// If the action is impossible, the error names the status of the process and the status that the action needs.
    pub fn to(self, node: NodeId, process: ProcessStatus) -> Result<(), Impossible> {
        use ProcessStatus::{Crashed, Paused, Running, Starting, Stopped};
        let (possible, needed) = match self {
            Self::Order => (!matches!(process, Crashed | Stopped), "restart it first"),
            Self::Crash => (matches!(process, Starting | Running | Paused), "it has crashed already"),
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
            (Deed::Crash, &[Starting, Running, Paused], "P1 is crashed: it has crashed already"),
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
