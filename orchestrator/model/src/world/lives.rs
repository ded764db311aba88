//! The lives of the processes: crashed, restarted, paused, resumed; and what waits for a paused one.

use interlock_algorithm::{Algorithm, NodeId};
use interlock_machine::node::NodeInput;

use super::World;
use super::emit::Cause;
use super::process::{Status, Withheld};
use crate::event::{CrashCause, DropReason, RestartState, What};
use crate::impossible::{Deed, Impossible};

impl<A: Algorithm> World<'_, A> {
    /// Refuses what cannot be done to a process in its condition.
    pub(super) fn require(&self, node: NodeId, deed: Deed) -> Result<(), Impossible> {
        deed.to(node, self.processes[node.index()].status.into())
    }

    pub(super) fn crash(&mut self, node: NodeId) -> Result<(), Impossible> {
        self.die(node, CrashCause::Ordered)
    }

    /// A process is gone, for this reason.
    pub(super) fn die(&mut self, node: NodeId, cause: CrashCause) -> Result<(), Impossible> {
        self.require(node, Deed::Crash)?;
        let process = &mut self.processes[node.index()];
        self.engaged -= usize::from(process.engaged > 0);
        let incarnation = process.node.incarnation();
        let lost = process.lose_withheld();
        process.crash();
        self.emit(What::Crashed { node, incarnation, cause });
        for message in lost {
            self.emit_dropped(&message, DropReason::Crashed);
        }
        Ok(())
    }

    pub(super) fn restart(&mut self, node: NodeId, state: RestartState) -> Result<(), Impossible> {
        let kept = self.begin_another_life(node, state)?;
        let incarnation = self.processes[node.index()].node.incarnation();
        self.emit(What::Started { node, incarnation, pid: None });
        let cause = Cause::Restart { stored: kept.is_some() };
        self.perform(node, NodeInput::Restart(kept), cause);
        Ok(())
    }

    /// A dead process begins another life, and tells so; it is returned what it has kept.
    pub(super) fn begin_another_life(
        &mut self,
        node: NodeId,
        state: RestartState,
    ) -> Result<Option<A::Stored>, Impossible> {
        self.require(node, Deed::Restart)?;
        let process = &mut self.processes[node.index()];
        let kept = process.stored.take().filter(|_| state == RestartState::Stored);
        process.begin_another_life(self.setting, node, kept.clone());
        let incarnation = process.node.incarnation();
        self.emit(What::Restarted { node, incarnation, state });
        Ok(kept)
    }

    pub(super) fn pause(&mut self, node: NodeId) -> Result<(), Impossible> {
        self.require(node, Deed::Pause)?;
        let process = &mut self.processes[node.index()];
        process.status = Status::Paused;
        process.paused_us = self.now;
        let incarnation = process.node.incarnation();
        self.emit(What::Paused { node, incarnation });
        Ok(())
    }

    pub(super) fn resume(&mut self, node: NodeId) -> Result<(), Impossible> {
        self.require(node, Deed::Resume)?;
        let process = &mut self.processes[node.index()];
        process.status = Status::Running;
        let incarnation = process.node.incarnation();
        let withheld = std::mem::take(&mut process.withheld);
        self.emit(What::Resumed { node, incarnation });
        for input in withheld {
            match input {
                Withheld::Message(carried) => self.take(node, carried),
                Withheld::Timer(setting) => {
                    if let Some(name) = self.processes[node.index()].node.timers_mut().expire(setting) {
                        self.perform(node, NodeInput::Timer(name), Cause::Timer(name));
                    }
                }
                Withheld::Fired(name) => self.run_out_by_order(node, name),
                Withheld::Order(item) => self.obey(node, item),
            }
        }
        Ok(())
    }
}
