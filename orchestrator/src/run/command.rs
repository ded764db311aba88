//! Commands: what people and scripts ask of a node.

use interlock_algorithm::{NodeId, RequestId};
use interlock_node::wire::{CommandItem, Order};
use tokio::sync::oneshot;

use super::core::Core;
use super::end::Waiting;
use super::error::RunError;
use crate::event::TimerLabel;
use crate::state::ProcessStatus;

/// The most commands that may wait for one node.
const MOST_COMMANDS: usize = 100;

/// What became of a command.
#[derive(Debug, Default)]
pub struct Taken {
    /// The seq of the latest event that followed from it.
    pub seq: u64,
    /// The request that it was about.
    pub request: Option<RequestId>,
    /// Whether the node entered at once.
    pub entered: bool,
    /// Why the node refused it.
    pub refused: Option<String>,
    /// Tells the seq of the entry, if the node has not entered yet.
    pub entry: Option<oneshot::Receiver<u64>>,
}

impl Core {
    /// Gives a node a command; what becomes of it is told once the node has taken it.
    ///
    /// # Errors
    /// When the node is unknown or dead, or too many commands wait for it.
    pub fn order(&mut self, node: NodeId, order: Order) -> Result<oneshot::Receiver<Taken>, RunError> {
        self.living(node, "restart it first")?;
        let id = self.next_command;
        let end = &mut self.nodes[node.index()];
        if end.commands.len() >= MOST_COMMANDS {
            return Err(RunError::TooMany(node, MOST_COMMANDS));
        }
        let (sender, receiver) = oneshot::channel();
        end.commands.insert(id, sender);
        end.put(Waiting::Command(CommandItem { id, order }));
        self.next_command += 1;
        Ok(receiver)
    }

    /// Lets a timer of a node run out, in a run whose nodes' own timers are switched off.
    ///
    /// # Errors
    /// When the node is unknown or dead, or has no such timer pending, or its timers run by themselves.
    pub fn fire(&mut self, node: NodeId, timer: TimerLabel) -> Result<(), RunError> {
        self.living(node, "restart it first")?;
        if self.specification.timers {
            let needed = "its timers run by themselves: only a run with \"timers\": false has them fired by hand";
            return Err(RunError::WrongCondition { node, process: "running", needed });
        }
        let pending =
            self.state.node(node).is_some_and(|node| node.timers.iter().any(|pending| pending.timer == timer));
        if !pending {
            return Err(RunError::Unknown(format!("such timer pending at {node}")));
        }
        if self.nodes[node.index()].fired.contains(&timer) {
            return Err(RunError::Refused(node, "the timer has been told to run out already".to_owned()));
        }
        self.nodes[node.index()].put(Waiting::Timer(timer));
        Ok(())
    }

    /// The timers of a node that are pending, in the order in which they were set.
    #[must_use]
    pub fn timers(&self, node: NodeId) -> Vec<TimerLabel> {
        let pending = self.state.node(node).map_or(&[][..], |node| &node.timers);
        pending.iter().map(|pending| pending.timer.clone()).collect()
    }

    /// Refuses what is asked of a node that is not alive.
    pub(super) fn living(&self, node: NodeId, needed: &'static str) -> Result<(), RunError> {
        match self.process(node)? {
            ProcessStatus::Starting | ProcessStatus::Running | ProcessStatus::Paused => Ok(()),
            process => Err(RunError::WrongCondition { node, process: name(process), needed }),
        }
    }

    /// What the process of a node is doing.
    ///
    /// # Errors
    /// When there is no such node, or the run is over.
    pub fn process(&self, node: NodeId) -> Result<ProcessStatus, RunError> {
        if node.0 >= self.specification.nodes {
            return Err(RunError::UnknownNode(node, self.specification.nodes));
        }
        if self.ended.is_some() {
            return Err(RunError::Ended);
        }
        Ok(self.status(node))
    }

    /// What the stream of events says of a process; one that it does not know has not started.
    pub(super) fn status(&self, node: NodeId) -> ProcessStatus {
        self.state.node(node).map_or(ProcessStatus::Starting, |node| node.process)
    }
}

/// The condition of a process, as people read it.
pub(super) const fn name(process: ProcessStatus) -> &'static str {
    match process {
        ProcessStatus::Starting => "starting",
        ProcessStatus::Running => "running",
        ProcessStatus::Paused => "paused",
        ProcessStatus::Crashed => "crashed",
        ProcessStatus::Stopped => "stopped",
    }
}
