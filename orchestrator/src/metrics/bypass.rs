//! How often others enter between the moment a request has been received everywhere and its entry.

use interlock_algorithm::{LockId, NodeId};
use interlock_node::message_id::MessageId;
use rustc_hash::FxHashSet;

use crate::event::{Event, StepId, What};

/// Counts for each waiting node how often it is passed over.
#[derive(Clone, Debug)]
pub(super) struct Bypass {
    /// The step under way and the messages sent in it so far: an algorithm may send before it says that it wants.
    step: Option<StepId>,
    sent: Vec<Receipt>,
    waiting: Vec<Option<Wait>>,
    max: u64,
}

/// A message, whichever copy of it arrives.
type Receipt = (NodeId, u64);

/// A node that wants.
#[derive(Clone, Debug)]
struct Wait {
    lock: LockId,
    step: StepId,
    /// The messages of the requesting step that have not arrived.
    awaited: FxHashSet<Receipt>,
    passed: u64,
}

const fn receipt(message: &MessageId) -> Receipt {
    (message.to, message.number)
}

impl Bypass {
    pub(super) fn new(nodes: usize) -> Self {
        Self { step: None, sent: Vec::new(), waiting: vec![None; nodes], max: 0 }
    }

    /// The largest count, requests included that still wait.
    pub(super) const fn max(&self) -> u64 {
        self.max
    }

    pub(super) fn observe(&mut self, event: &Event) {
        match &event.what {
            What::Sent { at, message, .. } => self.sent(*at, message),
            What::Requested { at, lock, .. } => self.requested(*at, *lock),
            What::Delivered { message, .. } => self.delivered(message),
            What::Entered { at, lock, .. } => self.entered(at.node, *lock),
            What::Crashed { node, .. } => self.settle(*node),
            _ => {}
        }
    }

    fn sent(&mut self, at: StepId, message: &MessageId) {
        self.begin(at);
        self.sent.push(receipt(message));
        if let Some(Some(wait)) = self.waiting.get_mut(at.node.index())
            && wait.step == at
        {
            wait.awaited.insert(receipt(message));
        }
    }

    fn requested(&mut self, at: StepId, lock: LockId) {
        self.begin(at);
        if let Some(waiting) = self.waiting.get_mut(at.node.index()) {
            *waiting = Some(Wait { lock, step: at, awaited: self.sent.iter().copied().collect(), passed: 0 });
        }
    }

    fn begin(&mut self, step: StepId) {
        if self.step != Some(step) {
            self.step = Some(step);
            self.sent.clear();
        }
    }

    fn delivered(&mut self, message: &MessageId) {
        if let Some(Some(wait)) = self.waiting.get_mut(message.from.index()) {
            wait.awaited.remove(&receipt(message));
        }
    }

    fn entered(&mut self, node: NodeId, lock: LockId) {
        self.settle(node);
        for wait in self.waiting.iter_mut().flatten().filter(|wait| wait.lock == lock && wait.awaited.is_empty()) {
            wait.passed += 1;
            self.max = self.max.max(wait.passed);
        }
    }

    fn settle(&mut self, node: NodeId) {
        if let Some(waiting) = self.waiting.get_mut(node.index()) {
            *waiting = None;
        }
    }
}
