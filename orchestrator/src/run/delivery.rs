//! Delivery from the network to the nodes: due messages are posted in batches, and each node receives one batch at
//! a time.

use interlock_algorithm::NodeId;
use interlock_machine::wire::InputBatch;

use super::core::Core;
use interlock_model::event::{DropReason, What};
use interlock_model::impossible::Deed;
use interlock_model::network::{Arrival, InFlight, Payload};
use interlock_model::process_status::ProcessStatus;

/// Maximum number of inputs in one batch.
const MOST_IN_A_BATCH: usize = 1_000;

/// Next step of the task that posts the inputs of a node.
#[derive(Debug, PartialEq, Eq)]
pub enum Handing {
    /// Post this batch.
    Batch(Vec<u8>),
    /// Wait until there is an input to post.
    Nothing,
    /// End the task, since the node's incarnation is over.
    Over,
}

impl Core {
    /// Delivers all due messages. Does nothing if the run follows a schedule, which has its own actions for
    /// deliveries.
    pub fn deliver_due(&mut self) {
        if self.driver.follows() {
            return;
        }
        let now_us = self.time.now_us();
        while self.happen(now_us).is_some() {}
        self.end_streams_due(now_us);
    }

    /// Delivers a message whose delay is over. If a partition cuts the link of the message, drops or holds the
    /// message instead. Returns the receiver.
    pub(super) fn arrive(&mut self, arrival: Arrival<Payload>) -> NodeId {
        match arrival {
            Arrival::HandOver(in_flight) => {
                let node = in_flight.id.to;
                self.hand_over(in_flight);
                node
            }
            Arrival::Cut(lost) => {
                self.emit_now(What::dropped(lost.id, lost.content.kind, DropReason::Partition));
                lost.id.to
            }
            Arrival::Stopped(held) => {
                self.emit_now(What::held(held.id, held.content.kind));
                held.id.to
            }
        }
    }

    /// Returns the next time at which a message is due or a waiting request must be checked. The time is in
    /// microseconds since the start of the run, by the machine's clock. Returns none if there is no such time, or if
    /// the run follows a schedule, which determines the times itself.
    pub fn next_due_us(&mut self) -> Option<u64> {
        if self.driver.follows() {
            return None;
        }
        let due = self.next_due().map(|(due_us, _)| due_us);
        let others = [self.waiters.next_look(self.log.state()), self.streams.next_ending_us()];
        let next = due.into_iter().chain(others.into_iter().flatten()).min();
        next.map(|at_us| self.time.by_clock_us(at_us))
    }

    /// Puts a message into the queue of its receiver, if the receiver is live. Otherwise drops the message.
    pub(super) fn hand_over(&mut self, in_flight: InFlight<Payload>) {
        self.hand_over_at(self.time.now_us(), in_flight);
    }

    /// Puts a message into the queue of its receiver, if the receiver is live. Otherwise drops the message. `at_us`
    /// is the time of the event that reports the drop.
    pub(super) fn hand_over_at(&mut self, at_us: u64, in_flight: InFlight<Payload>) {
        if self.streams.has(in_flight.id) {
            return self.piece_arrived(at_us, in_flight);
        }
        let to = in_flight.id.to;
        let why = match self.require(to, Deed::Order) {
            Ok(()) if !self.nodes[to].inputs.is_full() => return self.nodes[to].inputs.deliver(in_flight),
            Ok(()) => DropReason::Full,
            Err(_) => DropReason::Crashed,
        };
        self.emit(at_us, What::dropped(in_flight.id, in_flight.content.kind, why));
    }

    /// Returns the next batch for a node, if the node is still in the incarnation `incarnation`.
    pub fn next_batch(&mut self, node: NodeId, incarnation: u32) -> Handing {
        let is_paused = self.log.status(node) == ProcessStatus::Paused;
        let Some(end) = self.nodes.in_incarnation(node, incarnation).filter(|end| end.has_greeted()) else {
            return Handing::Over;
        };
        if self.log.ended().is_some() {
            return Handing::Over;
        }
        let (most, exhausted) = match self.driver.following() {
            // A run that follows a schedule executes one step at a time, with a view after each step, because the
            // model does the same.
            Ok(_) if is_paused && !end.is_late() => return Handing::Nothing,
            Ok(following) => (1, following.is_exhausted()),
            Err(_) => (MOST_IN_A_BATCH, false),
        };
        let Some((batch, items)) = end.inputs.next_batch(most) else { return Handing::Nothing };
        // The conversion cannot fail: a batch consists of ids, numbers, and JSON that was parsed before.
        serde_json::to_vec(&InputBatch { incarnation, batch, exhausted, items }).map_or(Handing::Over, Handing::Batch)
    }

    /// Handles an invalid answer of a node to a batch. The messages of the batch are lost, and the run continues.
    pub fn batch_unanswered(&mut self, node: NodeId, incarnation: u32, detail: &str) {
        if self.is_over(node, incarnation) {
            return;
        }
        let lost = self.nodes[node].inputs.lose_posted();
        self.misbehaved(node, detail);
        for (message, kind) in lost {
            self.emit_now(What::dropped(message, kind, DropReason::Unanswered));
        }
        self.settle();
    }

    /// Drops all inputs of a crashed node: inputs in its queue, and inputs that were posted to it but that it has
    /// not reported.
    pub(super) fn lose_inputs(&mut self, node: NodeId, at_us: u64) {
        let lost = self.nodes[node].inputs.forget();
        for (message, kind) in lost {
            self.emit(at_us, What::dropped(message, kind, DropReason::Crashed));
        }
    }
}
