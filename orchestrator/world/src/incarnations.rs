//! Crash, restart, pause and resumption of processes, and the inputs that wait for a paused process.

use interlock_algorithm::{NodeId, RequestId};

use super::World;
use super::process::{Input, Status, Withheld};
use interlock_model::event::{CrashCause, DropReason, RestartState, What};
use interlock_model::impossible::{Deed, Impossible};

impl World<'_> {
    /// Returns an error if the status of the process of `node` does not allow the action `deed`.
    pub(super) fn require(&self, node: NodeId, deed: Deed) -> Result<(), Impossible> {
        deed.to(node, self.kernel.processes[node.index()].status.into())
    }

    pub(super) fn crash(&mut self, node: NodeId) -> Result<(), Impossible> {
        self.die(node, CrashCause::Ordered)
    }

    /// Crashes a process for the given cause.
    pub(super) fn die(&mut self, node: NodeId, cause: CrashCause) -> Result<(), Impossible> {
        self.require(node, Deed::Crash)?;
        let incarnation = self.incarnation(node);
        let process = &mut self.kernel.processes[node.index()];
        self.kernel.engaged -= usize::from(process.engaged > 0);
        let lost = process.lose_withheld();
        process.crash();
        self.nodes.forget_timers(node);
        self.kernel.emit(What::crashed(node, incarnation, cause));
        for message in lost {
            self.kernel.emit_dropped(&message, DropReason::Crashed);
        }
        Ok(())
    }

    pub(super) fn restart(&mut self, node: NodeId, state: RestartState) -> Result<(), Impossible> {
        self.begin_incarnation(node, state)?;
        let incarnation = self.incarnation(node);
        self.kernel.emit(What::Started { node, incarnation, pid: None });
        self.perform(node, Input::Restart);
        Ok(())
    }

    /// Begins another incarnation of a crashed process, and emits the event of the restart.
    pub(super) fn begin_incarnation(&mut self, node: NodeId, state: RestartState) -> Result<(), Impossible> {
        self.require(node, Deed::Restart)?;
        let process = &mut self.kernel.processes[node.index()];
        process.begin_incarnation();
        self.nodes.begin_incarnation(node, state, RequestId(process.asked + 1));
        let incarnation = self.incarnation(node);
        self.kernel.emit(What::Restarted { node, incarnation, state });
        Ok(())
    }

    pub(super) fn pause(&mut self, node: NodeId) -> Result<(), Impossible> {
        self.require(node, Deed::Pause)?;
        let process = &mut self.kernel.processes[node.index()];
        process.status = Status::Paused;
        process.paused_us = self.kernel.now;
        let incarnation = self.incarnation(node);
        self.kernel.emit(What::paused(node, incarnation));
        Ok(())
    }

    pub(super) fn resume(&mut self, node: NodeId) -> Result<(), Impossible> {
        self.require(node, Deed::Resume)?;
        let process = &mut self.kernel.processes[node.index()];
        process.status = Status::Running;
        let withheld = std::mem::take(&mut process.withheld);
        let incarnation = self.incarnation(node);
        self.kernel.emit(What::Resumed { node, incarnation });
        for input in withheld {
            match input {
                Withheld::Input(input) => self.perform(node, input),
                Withheld::Fired(label) => self.run_out_by_order(node, label),
            }
        }
        Ok(())
    }
}
