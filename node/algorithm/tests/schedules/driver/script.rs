//! Runs whose test itself selects each action.

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
use super::random::Possible;
use super::run::{Run, label};
use super::watch::Watch;

/// A run in which the test selects each action.
pub type Script<A> = Run<'static, A>;

/// The sent messages, outcomes and reasons of one action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken<A: Algorithm> {
    /// The sent messages and their recipients, in order.
    pub sent: Vec<(NodeId, A::Message)>,
    /// The reported outcomes, in order.
    pub outcomes: Vec<Outcome>,
    /// The reasons that the algorithm gave, in order.
    pub reasons: Vec<A::Reason>,
}

impl<A: Algorithm> Taken<A> {
    fn of(events: &[Event]) -> Self {
        let mut taken = Self { sent: Vec::new(), outcomes: Vec::new(), reasons: Vec::new() };
        for Event { what, .. } in events {
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
                What::Outcome { outcome, .. } => taken.outcomes.push(outcome.clone()),
                What::Refused { detail, .. } => panic!("{detail}"),
                _ => {}
            }
        }
        taken
    }
}

impl<A: Algorithm> Script<A> {
    /// Begins a run in which all faults are allowed. All nodes have executed their first step, and their first
    /// messages are in transit.
    #[track_caller]
    pub fn begin(variant: &str, nodes: u32) -> Self {
        let many = u32::MAX;
        let down_at_once = nodes as usize;
        let all = Faults { fifo: false, losses: many, copies: many, tells: many, crashes: many, down_at_once, ..FIFO };
        // A script lives until its test ends, so its scene may leak.
        let scene: &'static Scene<A> = Box::leak(Box::new(Scene::new(variant, nodes, all, nobody())));
        Run::new(scene, &scene.specification, Box::leak(Box::new(Watch::new(&scene.specification, true))))
    }
}

impl<A: Algorithm> Run<'_, A> {
    /// Executes the action `choice`, and returns the sent messages, outcomes and reasons.
    #[track_caller]
    pub fn take(&mut self, choice: &Choice) -> Taken<A> {
        self.happen(choice);
        Taken::of(&self.seen().latest)
    }

    /// Makes the client of `node` request lock 0.
    #[track_caller]
    pub fn acquire(&mut self, node: u32) -> Taken<A> {
        self.acquire_lock(node, 0)
    }

    /// Makes the client of `node` request `lock`.
    #[track_caller]
    pub fn acquire_lock(&mut self, node: u32, lock: u32) -> Taken<A> {
        self.take(&Choice::Acquire { node: NodeId(node), lock: LockId(lock), hold: None })
    }

    /// Makes the client of `node` request `locks` at the same time.
    #[track_caller]
    pub fn acquire_together(&mut self, node: u32, locks: &[u32]) -> Taken<A> {
        let locks = locks.iter().copied().map(LockId).collect();
        self.take(&Choice::AcquireTogether { node: NodeId(node), locks, hold: None })
    }

    /// Makes the client of `node` release lock 0.
    #[track_caller]
    pub fn release(&mut self, node: u32) -> Taken<A> {
        self.release_lock(node, 0)
    }

    /// Makes the client of `node` release `lock`.
    #[track_caller]
    pub fn release_lock(&mut self, node: u32, lock: u32) -> Taken<A> {
        self.take(&Choice::Release { node: NodeId(node), lock: LockId(lock) })
    }

    /// Makes the client of `node` repeat its request after an abort.
    #[track_caller]
    pub fn ask_again(&mut self, node: u32) -> Taken<A> {
        self.take(&Choice::Fire { node: NodeId(node), timer: TimerName::Client(ClientTimer::Again) })
    }

    /// Makes the client of `node` call an election.
    #[track_caller]
    pub fn elect(&mut self, node: u32) -> Taken<A> {
        self.take(&Choice::Elect { node: NodeId(node) })
    }

    /// Makes the client of `node` propose a value.
    #[track_caller]
    pub fn propose(&mut self, node: u32, value: &str) -> Taken<A> {
        self.take(&Choice::Propose { node: NodeId(node), instance: 0, value: value.to_owned() })
    }

    /// Returns the reason why `node` refuses a command; none if `node` accepts the command.
    pub fn objection(&self, node: u32, command: &Command) -> Option<String> {
        let node = NodeId(node);
        self.participant(node).objection(&self.scene.setting, node, command)
    }

    /// Returns the name of the first message of kind `kind` on the link from `from` to `to`.
    #[track_caller]
    fn message(&self, kind: &str, from: u32, to: u32) -> MessageName {
        let link = self.link(from, to);
        let found = link.iter().find(|(_, message)| message.kind() == kind);
        MessageName(found.unwrap_or_else(|| panic!("no {kind} from {from} to {to} is on the way: {link:?}")).0)
    }

    /// Delivers the first message of kind `kind` on the link from `from` to `to`.
    #[track_caller]
    pub fn deliver(&mut self, kind: &str, from: u32, to: u32) -> Taken<A> {
        self.take(&Choice::Deliver(self.message(kind, from, to)))
    }

    /// Loses the first message of kind `kind` on the link from `from` to `to`.
    #[track_caller]
    pub fn lose(&mut self, kind: &str, from: u32, to: u32) {
        self.happen(&Choice::Lose(self.message(kind, from, to)));
    }

    /// Duplicates the first message of kind `kind` on the link from `from` to `to`.
    #[track_caller]
    pub fn copy(&mut self, kind: &str, from: u32, to: u32) {
        self.happen(&Choice::Duplicate(self.message(kind, from, to)));
    }

    /// Puts a forged message on the link from `from` to `to`, as if `from` had sent it, and delivers the message at
    /// once.
    #[track_caller]
    pub fn forge(&mut self, from: u32, to: u32, message: A::Message) -> Taken<A> {
        self.push(NodeId(from), NodeId(to), message);
        let newest = self.link(from, to).iter().map(|(name, _)| *name).max_by_key(|name| name.number);
        self.take(&Choice::Deliver(MessageName(newest.expect("a message that was just forged"))))
    }

    /// Sends a message of the application from node `from` to node `to`, and delivers the message at once.
    #[track_caller]
    pub fn tell(&mut self, from: u32, to: u32) {
        let (from, to) = (NodeId(from), NodeId(to));
        self.happen(&Choice::Tell { from, to, hold: None, asks: false });
        let told = |event: &Event| if let What::Sent { message, .. } = event.what { Some(message) } else { None };
        let told: Option<MessageId> = self.seen().latest.iter().find_map(told);
        self.happen(&Choice::Deliver(MessageName(told.expect("what was just told"))));
    }

    /// Delivers all messages, including those that nodes send in reaction, until none is in transit. No timer
    /// expires.
    pub fn deliver_all(&mut self) {
        self.deliver_all_but(|_, _| false);
    }

    /// Delivers messages, including those that nodes send in reaction, until only excluded messages are in transit.
    /// A message is excluded if `waits` returns true for its sender and recipient.
    pub fn deliver_all_but(&mut self, waits: impl Fn(u32, u32) -> bool) {
        let open = |choice: &Choice| matches!(choice, Choice::Deliver(name) if !waits(name.0.from.0, name.0.to.0));
        while let Some(choice) = self.arrivals().into_iter().find(open) {
            self.happen(&choice);
        }
    }

    /// Makes a timer of a node expire.
    #[track_caller]
    pub fn run_out(&mut self, node: u32, timer: A::Timer) -> Taken<A> {
        self.take(&Choice::Fire { node: NodeId(node), timer: label(&timer) })
    }

    /// Makes the timer that is due first expire. Returns its node and the timer; none if no timer is pending.
    pub fn run_out_first(&mut self) -> Option<(u32, A::Timer)> {
        let (_, node, timer) = self.pending().into_iter().next()?;
        self.run_out(node.0, timer);
        Some((node.0, timer))
    }

    pub fn crash(&mut self, node: u32) {
        self.happen(&Choice::Crash { node: NodeId(node) });
    }

    pub fn restart(&mut self, node: u32, state: RestartState) -> Taken<A> {
        self.take(&Choice::Restart { node: NodeId(node), state })
    }

    /// Makes a node enter and leave while no other process wants to enter. Delivers all messages after the request,
    /// and again after the release. Returns the number of sent messages.
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

    /// Returns the locks that the client of a node holds.
    pub fn held(&self, node: u32) -> Vec<u32> {
        self.node(NodeId(node)).client().inside().map(|lock| lock.0).collect()
    }

    /// Returns how many messages of kind `kind` have been sent so far.
    pub fn sent(&self, kind: &str) -> u32 {
        self.seen().sent.get(kind).copied().unwrap_or(0)
    }

    /// Returns how many messages have been sent so far.
    pub fn sent_in_all(&self) -> u32 {
        self.seen().sent.values().sum()
    }

    /// Returns the state of a node's algorithm. Panics if the node does not take part in the algorithm.
    #[track_caller]
    pub fn state(&self, node: u32) -> &A {
        self.state_of(NodeId(node)).unwrap_or_else(|| panic!("node {node} takes no part"))
    }

    /// Returns the state of a node in the form that users see.
    pub fn view(&self, node: u32) -> View {
        self.participant(NodeId(node)).view(&self.scene.setting, NodeId(node))
    }

    /// Returns the logical time of the pending request of `node`.
    #[track_caller]
    pub fn time(&self, node: u32) -> u64 {
        self.view(node).request.expect("a request").clock
    }

    /// Returns a variable of a node in the form that users see.
    #[track_caller]
    pub fn variable(&self, node: u32, name: &str) -> Value {
        self.view(node).variables.remove(name).unwrap_or_else(|| panic!("no variable {name}"))
    }
}
