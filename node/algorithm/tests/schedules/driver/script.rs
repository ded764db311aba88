//! A schedule written down by hand.

use interlock_algorithm::{Algorithm, Command, LockId, Message, NodeId, Outcome, Value, View};
use interlock_machine::application::TELL;
use interlock_machine::message_id::MessageId;
use interlock_machine::wire::{ClientTimer, TimerName};
use interlock_model::choice::{Choice, MessageName};
use interlock_model::event::{Event, Json, RestartState, What};
use serde_json::{from_str, json};

use super::Scene;
use super::clients::nobody;
use super::faults::{FIFO, Faults};
use super::play::Possible;
use super::run::{Run, label};
use super::watch::{Watch, outcome};

/// A run that moves as it is told.
pub type Script<A> = Run<'static, A>;

/// What a step did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken<A: Algorithm> {
    /// What was sent and to whom, in order.
    pub sent: Vec<(NodeId, A::Message)>,
    /// What was told, in order.
    pub outcomes: Vec<Outcome>,
    /// Why.
    pub reasons: Vec<A::Reason>,
}

impl<A: Algorithm> Taken<A> {
    fn of(events: &[Event]) -> Self {
        let mut taken = Self { sent: Vec::new(), outcomes: Vec::new(), reasons: Vec::new() };
        for Event { what, .. } in events {
            taken.outcomes.extend(outcome(what));
            match what {
                What::Sent { to, message_kind, body, .. } if **message_kind != *TELL => {
                    let message = json!({ "kind": **message_kind, "body": body.value() });
                    taken.sent.push((*to, from_str(&message.to_string()).expect("a message")));
                }
                What::Initialized { because, .. }
                | What::Commanded { because, .. }
                | What::Fired { because, .. }
                | What::Delivered { because, .. } => {
                    let reason = |reason: &Json| from_str::<A::Reason>(reason.as_str()).expect("a reason");
                    taken.reasons.extend(because.iter().map(reason));
                }
                What::Refused { detail, .. } => panic!("{detail}"),
                _ => {}
            }
        }
        taken
    }
}

impl<A: Algorithm> Script<A> {
    /// All have begun; what was sent is on the way. Everything may go wrong.
    #[track_caller]
    pub fn begin(variant: &str, nodes: u32) -> Self {
        let many = u32::MAX;
        let down_at_once = nodes as usize;
        let all = Faults { fifo: false, losses: many, copies: many, tells: many, crashes: many, down_at_once, ..FIFO };
        // A script moves while its test lasts.
        let scene: &'static Scene<A> = Box::leak(Box::new(Scene::new(variant, nodes, all, nobody())));
        Run::new(scene, &scene.specification, Box::leak(Box::new(Watch::new(nodes, true))))
    }
}

impl<A: Algorithm> Run<'_, A> {
    /// Lets this happen, and says what followed.
    #[track_caller]
    pub fn take(&mut self, choice: &Choice) -> Taken<A> {
        self.happen(choice);
        Taken::of(&self.seen().latest)
    }

    /// The client of this node asks for the lock.
    #[track_caller]
    pub fn acquire(&mut self, node: u32) -> Taken<A> {
        self.acquire_lock(node, 0)
    }

    /// The client of this node asks for this lock.
    #[track_caller]
    pub fn acquire_lock(&mut self, node: u32, lock: u32) -> Taken<A> {
        self.take(&Choice::Acquire { node: NodeId(node), lock: LockId(lock), hold: None })
    }

    /// The client of this node asks for these locks at the same time.
    #[track_caller]
    pub fn acquire_together(&mut self, node: u32, locks: &[u32]) -> Taken<A> {
        let locks = locks.iter().copied().map(LockId).collect();
        self.take(&Choice::AcquireTogether { node: NodeId(node), locks, hold: None })
    }

    /// The client of this node leaves.
    #[track_caller]
    pub fn release(&mut self, node: u32) -> Taken<A> {
        self.release_lock(node, 0)
    }

    /// The client of this node leaves the section of this lock.
    #[track_caller]
    pub fn release_lock(&mut self, node: u32, lock: u32) -> Taken<A> {
        self.take(&Choice::Release { node: NodeId(node), lock: LockId(lock) })
    }

    /// The client of this node, whose request was aborted, asks again.
    #[track_caller]
    pub fn ask_again(&mut self, node: u32) -> Taken<A> {
        self.take(&Choice::Fire { node: NodeId(node), timer: TimerName::Client(ClientTimer::Again) })
    }

    /// The client of this node calls an election.
    #[track_caller]
    pub fn elect(&mut self, node: u32) -> Taken<A> {
        self.take(&Choice::Elect { node: NodeId(node) })
    }

    /// The client of this node proposes a value.
    #[track_caller]
    pub fn propose(&mut self, node: u32, value: &str) -> Taken<A> {
        self.take(&Choice::Propose { node: NodeId(node), instance: 0, value: value.to_owned() })
    }

    /// Why not, if a node objects to a command.
    pub fn objection(&self, node: u32, command: &Command) -> Option<String> {
        let node = NodeId(node);
        self.participant(node).objection(&self.scene.setting, node, command)
    }

    /// The first message of this kind on this link, though others may have been sent before.
    #[track_caller]
    fn message(&self, kind: &str, from: u32, to: u32) -> MessageName {
        let link = self.link(from, to);
        let found = link.iter().find(|(_, message)| message.kind() == kind);
        MessageName(found.unwrap_or_else(|| panic!("no {kind} from {from} to {to} is on the way: {link:?}")).0)
    }

    /// The first message of this kind on this link arrives.
    #[track_caller]
    pub fn deliver(&mut self, kind: &str, from: u32, to: u32) -> Taken<A> {
        self.take(&Choice::Deliver(self.message(kind, from, to)))
    }

    /// The first message of this kind on this link is lost.
    #[track_caller]
    pub fn lose(&mut self, kind: &str, from: u32, to: u32) {
        self.happen(&Choice::Lose(self.message(kind, from, to)));
    }

    /// The first message of this kind on this link is doubled.
    #[track_caller]
    pub fn copy(&mut self, kind: &str, from: u32, to: u32) {
        self.happen(&Choice::Duplicate(self.message(kind, from, to)));
    }

    /// A message that its sender has not sent arrives.
    #[track_caller]
    pub fn forge(&mut self, from: u32, to: u32, message: A::Message) -> Taken<A> {
        self.push(NodeId(from), NodeId(to), message);
        let newest = self.link(from, to).iter().map(|(name, _)| *name).max_by_key(|name| name.number);
        self.take(&Choice::Deliver(MessageName(newest.expect("a message that was just forged"))))
    }

    /// The application of one node tells that of another something, which arrives at once.
    #[track_caller]
    pub fn tell(&mut self, from: u32, to: u32) {
        let (from, to) = (NodeId(from), NodeId(to));
        self.happen(&Choice::Tell { from, to, hold: None, asks: false });
        let told = |event: &Event| if let What::Sent { message, .. } = event.what { Some(message) } else { None };
        let told: Option<MessageId> = self.seen().latest.iter().find_map(told);
        self.happen(&Choice::Deliver(MessageName(told.expect("what was just told"))));
    }

    /// Everything arrives, also what follows from it, link by link, but no timer runs out.
    pub fn deliver_all(&mut self) {
        self.deliver_all_but(|_, _| false);
    }

    /// Everything arrives, also what follows from it, but what `waits`, by sender and recipient.
    pub fn deliver_all_but(&mut self, waits: impl Fn(u32, u32) -> bool) {
        let open = |choice: &Choice| matches!(choice, Choice::Deliver(name) if !waits(name.0.from.0, name.0.to.0));
        while let Some(choice) = self.arrivals().into_iter().find(open) {
            self.happen(&choice);
        }
    }

    /// A timer of a node runs out.
    #[track_caller]
    pub fn run_out(&mut self, node: u32, timer: A::Timer) -> Taken<A> {
        self.take(&Choice::Fire { node: NodeId(node), timer: label(&timer) })
    }

    /// The timer that would run out first does; says whose, if there is one.
    pub fn run_out_first(&mut self) -> Option<(u32, A::Timer)> {
        let (_, node, timer) = self.pending().into_iter().next()?;
        self.run_out(node.0, timer);
        Some((node.0, timer))
    }

    /// A node crashes.
    pub fn crash(&mut self, node: u32) {
        self.happen(&Choice::Crash { node: NodeId(node) });
    }

    /// A node comes back.
    pub fn restart(&mut self, node: u32, state: RestartState) -> Taken<A> {
        self.take(&Choice::Restart { node: NodeId(node), state })
    }

    /// This node asks, everything arrives, it leaves, everything arrives: an entry at light load. Says what it cost.
    #[track_caller]
    pub fn enter_alone(&mut self, node: u32) -> u32 {
        let before = self.sent_in_all();
        self.acquire(node);
        self.deliver_all();
        assert_eq!(self.inside(), [node]);
        self.release(node);
        self.deliver_all();
        self.sent_in_all() - before
    }

    /// The locks in whose section the client of a node is.
    pub fn held(&self, node: u32) -> Vec<u32> {
        self.node(NodeId(node)).client().inside().map(|lock| lock.0).collect()
    }

    /// How many messages of this kind were sent so far.
    pub fn sent(&self, kind: &str) -> u32 {
        self.seen().sent.get(kind).copied().unwrap_or(0)
    }

    /// How many messages were sent so far.
    pub fn sent_in_all(&self) -> u32 {
        self.seen().sent.values().sum()
    }

    /// The state of a node that takes part.
    #[track_caller]
    pub fn state(&self, node: u32) -> &A {
        self.state_of(NodeId(node)).unwrap_or_else(|| panic!("node {node} takes no part"))
    }

    /// What people see of a node.
    pub fn view(&self, node: u32) -> View {
        self.participant(NodeId(node)).view(&self.scene.setting, NodeId(node))
    }

    /// The time of the request of this node.
    #[track_caller]
    pub fn time(&self, node: u32) -> u64 {
        self.view(node).request.expect("a request").clock
    }

    /// A variable of a node, as people see it.
    #[track_caller]
    pub fn variable(&self, node: u32, name: &str) -> Value {
        self.view(node).variables.remove(name).unwrap_or_else(|| panic!("no variable {name}"))
    }
}
