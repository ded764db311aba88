//! Processes and the messages in transit between them, without clients and monitors. The test performs every action
//! itself.

use std::collections::{BTreeSet, VecDeque};

use interlock_algorithm::{Algorithm, Command, Effect, Effects, Input, LockId, NodeId, Outcome, RequestId};
use interlock_machine::recipients::recipients;

/// The requested lock.
pub const LOCK: LockId = LockId(0);

/// All processes of a run.
pub struct Bare<'a, A: Algorithm> {
    setting: &'a A::Setting,
    /// The processes, in the order of nodes.
    pub processes: Vec<A>,
    /// The messages in transit with sender and recipient, in the order in which they were sent.
    pub under_way: VecDeque<(NodeId, NodeId, A::Message)>,
    timers: VecDeque<(NodeId, A::Timer)>,
    /// The waiting processes.
    pub waiting: BTreeSet<NodeId>,
    /// The processes in the critical section.
    pub inside: BTreeSet<NodeId>,
    /// The processes that have entered, in order.
    pub entered: Vec<NodeId>,
}

impl<'a, A: Algorithm> Bare<'a, A> {
    /// Starts this many processes.
    pub fn begin(setting: &'a A::Setting, nodes: u32) -> Self {
        let mut all = Self {
            setting,
            processes: NodeId::all(nodes).map(|me| A::new(setting, me)).collect(),
            under_way: VecDeque::new(),
            timers: VecDeque::new(),
            waiting: BTreeSet::new(),
            inside: BTreeSet::new(),
            entered: Vec::new(),
        };
        NodeId::all(nodes).for_each(|me| all.take(me, Input::Start));
        all
    }

    fn take(&mut self, me: NodeId, input: Input<A>) {
        let mut effects = Effects::default();
        self.processes[me.index()].step(self.setting, me, input, &mut effects);
        let nodes = u32::try_from(self.processes.len()).expect("a few");
        for effect in effects.drain() {
            match effect {
                Effect::Send { to, message } => {
                    let others = recipients::<A>(self.setting, me, nodes, to);
                    self.under_way.extend(others.map(|to| (me, to, message.clone())));
                }
                Effect::Outcome(Outcome::Entered { .. }) => {
                    self.waiting.remove(&me);
                    self.inside.insert(me);
                    self.entered.push(me);
                }
                Effect::SetTimer { timer, .. } => {
                    self.timers.retain(|set| *set != (me, timer));
                    self.timers.push_back((me, timer));
                }
                Effect::CancelTimer(timer) => self.timers.retain(|set| *set != (me, timer)),
                _ => {}
            }
        }
    }

    /// A process requests the lock.
    pub fn acquire(&mut self, me: NodeId, request: RequestId) {
        self.waiting.insert(me);
        self.take(me, Input::Command(Command::Acquire { lock: LOCK, request }));
    }

    /// A process leaves the critical section.
    pub fn release(&mut self, me: NodeId, request: RequestId) {
        self.inside.remove(&me);
        self.take(me, Input::Command(Command::Release { lock: LOCK, request }));
    }

    /// Delivers the message at this index of `under_way`. Returns its sender and recipient.
    pub fn deliver(&mut self, place: usize) -> Option<(NodeId, NodeId)> {
        let (from, to, message) = self.under_way.remove(place)?;
        self.take(to, Input::Message { from, message });
        Some((from, to))
    }

    /// Expires the timer that was set first. Returns whether there was a pending timer.
    pub fn time_out(&mut self) -> bool {
        let Some((me, timer)) = self.timers.pop_front() else { return false };
        self.take(me, Input::Timer(timer));
        true
    }
}
