//! Commands: what people and scripts ask of a node.

use interlock_algorithm::NodeId;
use interlock_machine::wire::{CommandItem, Order};
use tokio::sync::oneshot;

use super::core::Core;
use super::end::Waiting;
use super::error::RunError;
use super::taken::Taken;
use super::timer_names::same_timer;
use interlock_model::event::TimerLabel;
use interlock_model::impossible::{Deed, Impossible, MOST_WAITING_ORDERS};
use interlock_model::process_status::ProcessStatus;

impl Core {
    /// Gives a node a command; what becomes of it is told once the node has taken it.
    ///
    /// # Errors
    /// When the node is unknown or dead, or too many commands wait for it.
    pub fn order(&mut self, node: NodeId, order: Order) -> Result<oneshot::Receiver<Taken>, RunError> {
        self.require(node, Deed::Order)?;
        let end = &mut self.nodes[node.index()];
        let id = end.next_command;
        if end.commands.len() >= MOST_WAITING_ORDERS {
            return Err(Impossible::TooMany(node).into());
        }
        let (sender, receiver) = oneshot::channel();
        end.commands.insert(id, sender);
        end.put(Waiting::Command(CommandItem { id, order }));
        end.next_command += 1;
        Ok(receiver)
    }

    /// Lets a timer of a node run out, in a run whose nodes' own timers are switched off.
    ///
    /// # Errors
    /// When the node is unknown or dead, or has no such timer pending, or its timers run by themselves.
    pub fn fire(&mut self, node: NodeId, timer: &TimerLabel) -> Result<(), RunError> {
        self.require(node, Deed::Order)?;
        if self.specification.timers {
            return Err(Impossible::timers_run(node).into());
        }
        let mut pending = self.observation.state().node(node).into_iter().flat_map(|node| &node.timers);
        let pending = pending.find(|pending| same_timer(&pending.timer, timer)).map(|pending| pending.timer.clone());
        let timer = pending.ok_or_else(|| Impossible::no_timer(node))?;
        if self.nodes[node.index()].fired.contains(&timer) {
            return Err(Impossible::FiredAlready(node).into());
        }
        self.nodes[node.index()].put(Waiting::Timer(timer));
        Ok(())
    }

    /// The timers of a node that are pending, in the order in which they were set.
    #[must_use]
    pub fn timers(&self, node: NodeId) -> Vec<TimerLabel> {
        let pending = self.observation.state().node(node).map_or(&[][..], |node| &node.timers);
        pending.iter().map(|pending| pending.timer.clone()).collect()
    }

    /// Refuses what cannot be done to a process in its condition.
    pub(super) fn require(&self, node: NodeId, deed: Deed) -> Result<(), RunError> {
        Ok(deed.to(node, self.process(node)?)?)
    }

    /// What the process of a node is doing.
    ///
    /// # Errors
    /// When there is no such node, or the run is over.
    pub fn process(&self, node: NodeId) -> Result<ProcessStatus, RunError> {
        if node.0 >= self.specification.nodes {
            return Err(Impossible::UnknownNode(node, self.specification.nodes).into());
        }
        if self.ended.is_some() {
            return Err(RunError::Ended);
        }
        Ok(self.status(node))
    }

    /// What the stream of events says of a process; one that it does not know has not started.
    pub(super) fn status(&self, node: NodeId) -> ProcessStatus {
        self.observation.state().node(node).map_or(ProcessStatus::Starting, |node| node.process)
    }
}
