//! Commands that people and scripts send to a node.

use interlock_algorithm::NodeId;
use interlock_machine::wire::Order;
use tokio::sync::oneshot;

use super::core::Core;
use super::error::RunError;
use super::taken::Taken;
use super::timer_names::same_timer;
use interlock_model::event::TimerLabel;
use interlock_model::impossible::{Deed, Impossible};
use interlock_model::process_status::ProcessStatus;

impl Core {
    /// Queues a command for a node. The returned receiver gets the result when the node has handled the command.
    ///
    /// # Errors
    /// If the node does not exist, is a service, has crashed, or has too many pending commands.
    pub fn order(&mut self, node: NodeId, order: Order) -> Result<oneshot::Receiver<Result<Taken, String>>, RunError> {
        self.require(node, Deed::Order)?;
        if self.specification().service(node).is_some() {
            return Err(Impossible::Service(node).into());
        }
        Ok(self.nodes[node].inputs.order(order).ok_or(Impossible::TooMany(node))?)
    }

    /// Makes a timer of a node expire. This is possible only in a run whose timers do not expire automatically.
    ///
    /// # Errors
    /// If the node does not exist or has crashed, if `timer` is not pending, or if the timers of the run expire
    /// automatically.
    pub fn fire(&mut self, node: NodeId, timer: &TimerLabel) -> Result<(), RunError> {
        self.require(node, Deed::Order)?;
        if self.specification().timers {
            return Err(Impossible::timers_run(node).into());
        }
        let mut pending = self.log.state().node(node).into_iter().flat_map(|node| &node.timers);
        let pending = pending.find(|pending| same_timer(&pending.timer, timer)).map(|pending| pending.timer.clone());
        let timer = pending.ok_or_else(|| Impossible::no_timer(node))?;
        if self.nodes[node].inputs.fire(timer) { Ok(()) } else { Err(Impossible::FiredAlready(node).into()) }
    }

    /// Returns the pending timers of a node, in the order in which they were set.
    #[must_use]
    pub fn timers(&self, node: NodeId) -> Vec<TimerLabel> {
        let pending = self.log.state().node(node).map_or(&[][..], |node| &node.timers);
        pending.iter().map(|pending| pending.timer.clone()).collect()
    }

    /// Returns an error if the process of a node has a status in which the action `deed` is impossible.
    pub(super) fn require(&self, node: NodeId, deed: Deed) -> Result<(), RunError> {
        Ok(deed.to(node, self.process(node)?)?)
    }

    /// Returns the status of a node's process.
    ///
    /// # Errors
    /// If the run has no such node, or is over.
    pub fn process(&self, node: NodeId) -> Result<ProcessStatus, RunError> {
        if node.0 >= self.specification().nodes {
            return Err(Impossible::UnknownNode(node, self.specification().nodes).into());
        }
        if self.is_ended() {
            return Err(RunError::Ended);
        }
        Ok(self.log.status(node))
    }
}
