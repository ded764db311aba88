//! The incarnations of a node from the run's point of view: start, pause, resumption, crash, restart and end.

use interlock_algorithm::{NodeId, RequestId};
use interlock_machine::wire::{ForeignProgram, Initialization, InputItem};
use uuid::Uuid;

use super::core::Core;
use super::end::NodeEnd;
use super::error::RunError;
use crate::supervisor::Process;
use interlock_model::event::{DropReason, Ending, RestartState, What};
use interlock_model::impossible::{Deed, Impossible};
use interlock_model::process_status::ProcessStatus;
use interlock_model::specification::Declaration;

/// Number of inputs that a node's incarnation had received at some moment. A caller can wait until the node has
/// handled all of them.
#[derive(Clone, Copy, Debug)]
pub struct Handed {
    node: NodeId,
    incarnation: u32,
    inputs: u64,
}

impl Core {
    /// Begins the first incarnation of a node. With `restart`, begins another incarnation of a crashed node.
    ///
    /// # Errors
    /// If the node to restart has not crashed, or if the run is over.
    pub fn begin_incarnation(
        &mut self,
        node: NodeId,
        restart: Option<RestartState>,
        hub: &str,
    ) -> Result<Initialization, RunError> {
        if self.is_ended() {
            return Err(RunError::Ended);
        }
        let first_input = match restart {
            None => InputItem::Start {},
            Some(state) => {
                self.require(node, Deed::Restart)?;
                let stored = (state == RestartState::Stored)
                    .then(|| self.log.state().node(node).and_then(|node| node.stored.clone()));
                InputItem::Restart { stored: stored.flatten() }
            }
        };
        let secret = format!("{}{}", Uuid::new_v4().simple(), Uuid::new_v4().simple());
        let incarnation = self.nodes[node].reborn(secret.clone(), first_input);
        if let Some(state) = restart {
            self.emit_now(What::Restarted { node, incarnation, state });
            self.settle();
        }
        let specification = self.specification();
        let is_service = specification.service(node).is_some();
        Ok(Initialization {
            hub: format!("{hub}/runs/{}/nodes/{}", self.id(), node.0),
            secret,
            parent: 0,
            node,
            incarnation,
            nodes: if is_service { specification.nodes } else { specification.clients() },
            algorithm: specification.algorithm.clone(),
            variant: Some(specification.variant.clone()),
            parameters: specification.parameters.clone(),
            seed: specification.seed,
            epoch_ns: self.time.clock().epoch_ns(),
            client_loop: specification.client_loop(node),
            timers: self.timers_run(),
            next_request: self.log.state().node(node).map_or(RequestId(1), |node| node.next_request),
            entries: self.log.state().node(node).map_or(0, |node| node.rounds),
            locks: specification.locks,
            channel: specification.channel_setting(),
            detector: specification.detector_setting(),
            program: self.program(node, restart),
            declared_kinds: specification.own.as_ref().and_then(|declared| declared.message_kinds.clone()),
            declares_leases: specification.own.as_ref().is_some_and(Declaration::leases_locks),
            confinement: None,
        })
    }

    /// Returns the user's program that runs as a node; none for a built-in algorithm. If the node restarts with
    /// its stored state, the folder of the program keeps its content.
    fn program(&self, node: NodeId, restart: Option<RestartState>) -> Option<ForeignProgram> {
        let mut program = self.nodes.program(node)?.clone();
        if let Some(folder) = &mut program.own_folder {
            folder.keeps = restart == Some(RestartState::Stored);
        }
        self.links.ports.equip(&mut program, node, self.specification());
        Some(program)
    }

    /// Records that the process of a node is running. The node counts as started when its hello has also arrived.
    /// Returns false if the incarnation or the run has ended meanwhile, so that the process is not needed.
    pub fn spawned(&mut self, node: NodeId, incarnation: u32, process: Process) -> bool {
        let Some(end) = self.living_this_life(node, incarnation) else { return false };
        end.spawned(process);
        self.started_if_complete(node);
        true
    }

    /// Records that a node has sent its hello. Returns false if the incarnation is over or has already sent its
    /// hello.
    pub fn hello(&mut self, node: NodeId, incarnation: u32) -> bool {
        let is_new = self.living_this_life(node, incarnation).is_some_and(NodeEnd::greeted);
        if is_new {
            self.started_if_complete(node);
        }
        is_new
    }

    fn living_this_life(&mut self, node: NodeId, incarnation: u32) -> Option<&mut NodeEnd> {
        if self.is_ended() { None } else { self.nodes.in_incarnation(node, incarnation) }
    }

    fn started_if_complete(&mut self, node: NodeId) {
        if self.driver.follows_parts() {
            return;
        }
        if self.driver.follows() && self.nodes[node].incarnation() == 1 {
            return self.started_in_order();
        }
        if self.started(node) {
            if self.nodes[node].incarnation() > 1 {
                self.nodes[node].inputs.give_first();
                self.tell_of_return(node);
            }
            self.settle();
        }
    }

    /// Emits the start events of nodes in the order of their numbers, and stops at the first node that has not
    /// started.
    fn started_in_order(&mut self) {
        while let Some(node) = self.not_up()
            && self.started(node)
        {}
        self.settle();
    }

    /// If the process of a node is running and its hello has arrived, emits the start event of the node and returns
    /// true.
    pub(super) fn started(&mut self, node: NodeId) -> bool {
        let Some(end) = self.nodes.get(node) else { return false };
        let Some(process) = end.process().filter(|_| end.has_greeted()) else { return false };
        let (incarnation, pid) = (end.incarnation(), Some(process.pid()));
        self.emit_now(What::Started { node, incarnation, pid });
        true
    }

    /// Whether the process of a node is running and its hello has arrived.
    pub(super) fn has_come(&self, node: NodeId) -> bool {
        self.nodes.get(node).is_some_and(|end| end.process().is_some() && end.has_greeted())
    }

    /// Begins the run: queues the first inputs of all nodes. All nodes must have started.
    pub fn begin(&mut self) {
        for node in NodeId::all(self.specification().nodes) {
            self.begin_node(node);
        }
        self.begin_scenario();
        self.settle();
    }

    /// Queues the first input of `node`. All nodes must have started.
    pub(super) fn begin_node(&mut self, node: NodeId) {
        if !self.is_ended() {
            self.nodes[node].inputs.give_first();
        }
    }

    /// Returns the first node whose process is not running or whose hello has not arrived; none if all nodes have
    /// started.
    #[must_use]
    pub fn not_up(&self) -> Option<NodeId> {
        let has_come = |node: &NodeId| self.driver.follows_parts() && self.has_come(*node);
        let mut nodes = NodeId::all(self.specification().nodes);
        nodes.find(|node| self.log.status(*node) == ProcessStatus::Starting && !has_come(node))
    }

    /// Returns a crashed node, and how its process ended, as the operating system describes it. Returns none if no
    /// node has crashed.
    #[must_use]
    pub fn dead(&self) -> Option<(NodeId, String)> {
        let node =
            NodeId::all(self.specification().nodes).find(|node| self.log.status(*node) == ProcessStatus::Crashed)?;
        Some((node, self.nodes[node].last_words().to_owned()))
    }

    /// Whether the incarnation `incarnation` of a node is over.
    #[must_use]
    pub fn is_over(&self, node: NodeId, incarnation: u32) -> bool {
        let other_life = self.nodes.get(node).is_none_or(|end| end.incarnation() != incarnation);
        other_life || self.is_ended() || self.log.status(node) == ProcessStatus::Crashed
    }

    /// Whether the incarnation `incarnation` of a node is over, or the process is ending but its end has not been
    /// reported yet.
    #[must_use]
    pub fn is_ending(&self, node: NodeId, incarnation: u32) -> bool {
        let process = self.nodes.get(node).and_then(NodeEnd::process);
        self.is_over(node, incarnation) || process.is_some_and(Process::is_ending)
    }

    /// Whether the incarnation `incarnation` of a node has started and has not crashed.
    #[must_use]
    pub fn is_up(&self, node: NodeId, incarnation: u32) -> bool {
        let this_life = self.nodes.get(node).is_some_and(|end| end.incarnation() == incarnation);
        this_life && matches!(self.log.status(node), ProcessStatus::Running | ProcessStatus::Paused)
    }

    /// Returns a mark that the node reaches when it has handled all inputs so far.
    #[must_use]
    pub fn handed_so_far(&self, node: NodeId) -> Handed {
        let end = self.nodes.get(node);
        let (incarnation, inputs) = end.map_or((0, 0), |end| (end.incarnation(), end.inputs.count()));
        Handed { node, incarnation, inputs }
    }

    /// Whether a node has handled all inputs up to a mark. Also true if the node cannot handle them now, because it
    /// is not running, it has restarted, or the run is over.
    #[must_use]
    pub fn has_taken(&self, Handed { node, incarnation, inputs }: Handed) -> bool {
        let taken = |end: &NodeEnd| end.incarnation() != incarnation || end.inputs.has_finished(inputs);
        let goes_on = |end: &NodeEnd| end.is_late() || self.log.status(node) == ProcessStatus::Running;
        self.nodes.get(node).is_none_or(|end| taken(end) || !goes_on(end)) || self.is_ended()
    }

    /// Returns the processes whose end has not been reported yet.
    #[must_use]
    pub fn processes(&self) -> Vec<Process> {
        self.nodes.ends().iter().filter_map(|end| end.process().cloned()).collect()
    }

    /// Records that the crash of a process has been ordered. Returns the process and the incarnation of the node.
    ///
    /// # Errors
    /// If the node has already crashed, or has no process yet.
    pub fn order_crash(&mut self, node: NodeId) -> Result<(Process, u32), RunError> {
        self.require(node, Deed::Crash)?;
        let end = &mut self.nodes[node];
        let needed = "its process does not exist yet; try again";
        let process = end.order_crash().ok_or(Impossible::WrongCondition { node, process: "starting", needed })?;
        Ok((process, end.incarnation()))
    }

    /// Returns the process of a node, if its status permits the action `deed`, for example pausing or resuming.
    ///
    /// # Errors
    /// If the status does not permit the action.
    pub fn process_for(&self, node: NodeId, deed: Deed) -> Result<Process, RunError> {
        self.require(node, deed)?;
        self.nodes[node].process().cloned().ok_or(RunError::Died(node))
    }

    /// Records a pause that the operating system has confirmed.
    ///
    /// # Errors
    /// If the process has ended, or another client has already paused it.
    pub fn paused(&mut self, node: NodeId, pid: u32) -> Result<u64, RunError> {
        if self.process_for(node, Deed::Pause)?.pid() != pid {
            return Err(RunError::Died(node));
        }
        let incarnation = self.nodes[node].incarnation();
        let releasing = self.may_have_released(node);
        let seq = self.emit_now(What::Paused { node, incarnation, releasing });
        self.nodes[node].paused(seq);
        self.settle();
        Ok(seq)
    }

    /// Records that the process of a node will be resumed immediately afterwards.
    pub fn resumed(&mut self, node: NodeId) -> u64 {
        let incarnation = self.nodes[node].incarnation();
        let seq = self.emit_now(What::Resumed { node, incarnation });
        self.nodes[node].inputs.wake();
        self.deliver_pieces_to(node);
        self.settle();
        seq
    }

    /// Records that another program on this machine has stopped or continued the process of a node. Does nothing
    /// if the events already report this.
    pub fn turned_by_somebody(&mut self, node: NodeId, pid: u32, stands: bool) {
        if self.is_ended()
            || self.nodes[node].process().is_none_or(|process| process.pid() != pid)
            || self.driver.follows()
        {
            return;
        }
        match (stands, self.log.status(node)) {
            (true, ProcessStatus::Running) => {
                self.note(format!("another program has stopped the process of {node} (SIGSTOP)"));
                // This cannot fail, since the process exists and is running.
                let _ = self.paused(node, pid);
            }
            (false, ProcessStatus::Paused) => {
                self.note(format!("another program has continued the process of {node} (SIGCONT)"));
                self.resumed(node);
            }
            _ => {}
        }
    }

    /// Whether a program has been ordered to release a lock at a service, and has not answered.
    fn may_have_released(&self, node: NodeId) -> bool {
        self.specification().has_services() && self.nodes[node].inputs.is_releasing()
    }

    /// Records the end of a process that the operating system has reported.
    pub fn exited(&mut self, node: NodeId, incarnation: u32, how: &str) {
        let Some(end) = self.living_this_life(node, incarnation) else { return };
        let cause = end.exited(how);
        let releasing = self.may_have_released(node);
        let now_us = self.time.now_us();
        self.emit(now_us, What::Crashed { node, incarnation, cause, releasing });
        self.lose_inputs(node, now_us);
        self.lose_pieces_at(node, now_us);
        self.tell_of_death(node);
        self.settle();
    }

    /// Ends the run: drops all messages in the network and emits the last event. Returns false if the run was
    /// already over.
    pub fn end(&mut self, why: Ending) -> bool {
        if self.is_ended() {
            return false;
        }
        if let Ok(following) = self.driver.following() {
            following.end();
        }
        let now_us = self.time.now_us();
        for lost in self.network.clear() {
            self.emit(now_us, What::dropped(lost.id, lost.content.kind, DropReason::Ended));
        }
        for node in NodeId::all(self.specification().nodes) {
            for (message, kind) in self.nodes[node].inputs.forget() {
                self.emit(now_us, What::dropped(message, kind, DropReason::Ended));
            }
        }
        self.streams.clear();
        self.emit(now_us, What::Ended { why });
        self.settle();
        self.waiters.dismiss();
        true
    }
}
