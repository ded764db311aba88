//! The lives of the processes: crashed, restarted, paused, resumed; and what waits for a paused one.

use interlock_algorithm::{Algorithm, Input, NodeId, Participant, RequestId};

use super::engine::Engine;
use super::observer::Observer;
use super::process::{Process, Status, Withheld};
use super::telling::Cause;
use crate::event::{CrashCause, DropReason, RestartState, What};
use crate::impossible::{Deed, Impossible};

impl<A: Algorithm, O: Observer> Engine<'_, A, O> {
    /// Refuses what cannot be done to a process in its condition.
    pub(super) fn require(&self, node: NodeId, deed: Deed) -> Result<(), Impossible> {
        deed.to(node, self.processes[node.index()].status.into())
    }

    pub(super) fn crash(&mut self, node: NodeId) -> Result<(), Impossible> {
        self.require(node, Deed::Crash)?;
        let process = &mut self.processes[node.index()];
        self.engaged -= usize::from(process.engaged > 0);
        self.client_timers -= process.client_timers();
        let incarnation = process.incarnation;
        let lost = process.lose_withheld();
        process.crash();
        self.tell_event(What::Crashed { node, incarnation, cause: CrashCause::Ordered });
        for message in lost {
            self.tell_dropped(message, DropReason::Crashed);
        }
        Ok(())
    }

    pub(super) fn restart(&mut self, node: NodeId, stored: bool) -> Result<(), Impossible> {
        self.require(node, Deed::Restart)?;
        let old = &mut self.processes[node.index()];
        let kept = if stored { old.stored.take() } else { None };
        let mut process = Process::new(self.setting, node, &self.simulation.specification, self.premises);
        process.client = process.client.reborn(RequestId(old.asked + 1), old.client.rounds());
        (process.asked, process.latest) = (old.asked, old.latest);
        process.incarnation = old.incarnation + 1;
        process.stored.clone_from(&kept);
        let incarnation = process.incarnation;
        process.state = Participant::new(self.setting, node, incarnation);
        self.processes[node.index()] = process;
        let state = if stored { RestartState::Stored } else { RestartState::None };
        self.tell_event(What::Restarted { node, incarnation, state });
        self.tell_event(What::Started { node, incarnation, pid: None });
        self.processes[node.index()].client.begin(&mut self.client_effects);
        let cause = Cause::Restart { stored: kept.is_some() };
        self.perform(node, Some(Input::Restart(kept)), cause);
        Ok(())
    }

    pub(super) fn pause(&mut self, node: NodeId) -> Result<(), Impossible> {
        self.require(node, Deed::Pause)?;
        let process = &mut self.processes[node.index()];
        process.status = Status::Paused;
        let incarnation = process.incarnation;
        self.tell_event(What::Paused { node, incarnation });
        Ok(())
    }

    pub(super) fn resume(&mut self, node: NodeId) -> Result<(), Impossible> {
        self.require(node, Deed::Resume)?;
        let process = &mut self.processes[node.index()];
        process.status = Status::Running;
        let incarnation = process.incarnation;
        let withheld = std::mem::take(&mut process.withheld);
        self.tell_event(What::Resumed { node, incarnation });
        for input in withheld {
            match input {
                Withheld::Message(carried) => self.take(node, carried),
                Withheld::Timer(name) => self.fire(node, name),
                Withheld::Fired(name) => self.run_out_by_order(node, name),
                Withheld::Order(item) => self.obey(node, item),
            }
        }
        Ok(())
    }
}
