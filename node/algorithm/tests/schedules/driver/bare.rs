//! Processes of one algorithm and the messages in transit between them, without clients and monitors. The test
//! itself requests, releases, delivers messages and makes timers expire.

use std::collections::{BTreeSet, VecDeque};

use interlock_algorithm::{Algorithm, Command, Effect, Effects, Input, LockId, NodeId, Outcome, RequestId};
use interlock_machine::recipients::recipients;

/// The lock that all requests name.
pub const LOCK: LockId = LockId(0);

/// The processes of a run, with their messages and timers.
pub struct Bare<'a, A: Algorithm> {
    setting: &'a A::Setting,
    /// The processes. The index of a process is the number of its node.
    pub processes: Vec<A>,
    /// The messages in transit, in the order of sending. Each has its sender and its recipient.
    pub under_way: VecDeque<(NodeId, NodeId, A::Message)>,
    timers: VecDeque<(NodeId, A::Timer)>,
    /// The processes that wait for the lock.
    pub waiting: BTreeSet<NodeId>,
    /// The processes in the critical section.
    pub inside: BTreeSet<NodeId>,
    /// The processes that have entered, in order.
    pub entered: Vec<NodeId>,
}

impl<'a, A: Algorithm> Bare<'a, A> {
    /// Starts `nodes` processes.
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

    /// Makes process `me` request [`LOCK`] with the request number `request`.
    pub fn acquire(&mut self, me: NodeId, request: RequestId) {
        self.waiting.insert(me);
        self.take(me, Input::Command(Command::Acquire { lock: LOCK, request }));
    }

    /// Makes process `me` leave the critical section that it entered with `request`.
    pub fn release(&mut self, me: NodeId, request: RequestId) {
        self.inside.remove(&me);
        self.take(me, Input::Command(Command::Release { lock: LOCK, request }));
    }

    /// Delivers the message at index `place` of `under_way`. Returns the sender and the recipient of the message.
    pub fn deliver(&mut self, place: usize) -> Option<(NodeId, NodeId)> {
        let (from, to, message) = self.under_way.remove(place)?;
        self.take(to, Input::Message { from, message });
        Some((from, to))
    }

    /// Makes the timer that was set first expire. Returns false if no timer is pending.
    pub fn time_out(&mut self) -> bool {
        let Some((me, timer)) = self.timers.pop_front() else { return false };
        self.take(me, Input::Timer(timer));
        true
    }
}
