//! Streams of events for tests. A test builds a stream manually, or an algorithm produces it under a random schedule.

use std::collections::BTreeMap;

use interlock_algorithm::mutual_exclusion::ricart_agrawala::RicartAgrawala;
use interlock_algorithm::{Algorithm, LockId, NodeId, Operation, Outcome, RequestId, Response};
use interlock_machine::message_id::MessageId;
use interlock_machine::wire::{ClientTimer, CommandItem, Order, TimerName};
use serde_json::{Value, json};
use uuid::Uuid;

use super::State;
use crate::metrics::Metrics;
use crate::monitor::Monitors;
use interlock_model::event::{
    CrashCause, DropReason, Event, Hand, Json, MessageKind, RestartState, StepId, TimerLabel, Violation, What,
};
use interlock_model::specification::{Draft, Specification};
use interlock_simulation::schedule::random;
use interlock_world::{Observer, World, WorldOf};

/// The lock that all methods of [`TestStream`] use.
pub const LOCK: LockId = LockId(0);
/// The timer after which a client releases the lock.
pub const HOLD: TimerLabel = TimerName::Client(ClientTimer::Hold);
/// The timer after which a client makes its next request.
pub const IDLE: TimerLabel = TimerName::Client(ClientTimer::Idle);
/// Time for which a message is in transit, in microseconds.
pub const DELAY_US: u64 = 1_000;

/// Returns the specification of a run of Ricart–Agrawala with `nodes` nodes.
pub fn specification(nodes: u32) -> Specification {
    let draft = Draft { algorithm: "ricart-agrawala".to_owned(), nodes: Some(nodes), ..Draft::default() };
    draft.complete().expect("a specification")
}

/// A stream of events under construction. [`TestStream::at`] sets the time of the following events. Nodes are given as
/// plain numbers.
#[derive(Debug)]
pub struct TestStream {
    pub specification: Specification,
    pub events: Vec<Event>,
    now_us: u64,
    steps: Vec<StepId>,
    requests: Vec<u64>,
    numbers: BTreeMap<(u32, u32), u64>,
}

impl TestStream {
    /// Returns a stream in which all nodes have started.
    pub fn new(nodes: u32) -> Self {
        let mut stream = Self::unstarted(nodes);
        (0..nodes).for_each(|node| stream.start(node));
        stream
    }

    /// Returns a stream in which no node has started.
    pub fn unstarted(nodes: u32) -> Self {
        let steps = NodeId::all(nodes).map(|node| StepId { node, incarnation: 1, step: 0 }).collect();
        Self {
            specification: specification(nodes),
            events: Vec::new(),
            now_us: 0,
            steps,
            requests: NodeId::all(nodes).map(|_| 0).collect(),
            numbers: BTreeMap::new(),
        }
    }

    /// Sets the time of all following events.
    pub fn at(&mut self, now_us: u64) -> &mut Self {
        self.now_us = now_us;
        self
    }

    /// Appends an event and returns its `seq`.
    pub fn push(&mut self, what: What) -> u64 {
        let seq = self.events.len() as u64 + 1;
        self.events.push(Event { seq, at_us: self.now_us, what });
        seq
    }

    /// Appends the event that reports this outcome, and returns its `seq`.
    pub fn outcome(&mut self, at: StepId, outcome: Outcome) -> u64 {
        self.push(What::Outcome { at, outcome })
    }

    fn step(&mut self, node: u32) -> StepId {
        self.steps[node as usize].step += 1;
        self.steps[node as usize]
    }

    fn now(&self, node: u32) -> StepId {
        self.steps[node as usize]
    }

    pub fn start(&mut self, node: u32) {
        let StepId { node, incarnation, .. } = self.now(node);
        self.push(What::Started { node, incarnation, pid: Some(1_000 + node.0) });
    }

    pub fn crash(&mut self, node: u32) -> u64 {
        let StepId { node, incarnation, .. } = self.now(node);
        self.push(What::crashed(node, incarnation, CrashCause::Ordered))
    }

    /// The client of a node invokes an operation of a service.
    pub fn invoke(&mut self, node: u32, operation: Operation) {
        self.requests[node as usize] += 1;
        let (at, request) = (self.step(node), RequestId(self.requests[node as usize]));
        self.outcome(at, Outcome::Invoked { request, operation });
    }

    /// The client of a node receives the response to its latest operation.
    pub fn told(&mut self, node: u32, response: Response) {
        let (at, request) = (self.step(node), RequestId(self.requests[node as usize]));
        self.outcome(at, Outcome::Returned { request, response });
    }

    pub fn restart(&mut self, node: u32, state: RestartState) {
        let at = &mut self.steps[node as usize];
        (at.incarnation, at.step) = (at.incarnation + 1, 0);
        let StepId { node, incarnation, .. } = *at;
        self.push(What::Restarted { node, incarnation, state });
    }

    pub fn pause(&mut self, node: u32) {
        let StepId { node, incarnation, .. } = self.now(node);
        self.push(What::paused(node, incarnation));
    }

    pub fn resume(&mut self, node: u32) {
        let StepId { node, incarnation, .. } = self.now(node);
        self.push(What::Resumed { node, incarnation });
    }

    fn command(&mut self, node: u32, order: Order) {
        let at = self.step(node);
        let view = Json::of(&json!({ "clock": at.step })).ok();
        let command = CommandItem { id: self.events.len() as u64, order };
        self.push(What::Commanded { at, command, because: Vec::new(), view });
    }

    /// In a new step, `node` is ordered to acquire the lock and requests it.
    pub fn request(&mut self, node: u32) -> u64 {
        self.command(node, Order::Acquire { lock: LOCK, hold_us: None });
        self.ask(node)
    }

    /// In a new step, `node` is ordered to acquire the lock and requests it with a timestamp.
    pub fn request_stamped(&mut self, node: u32, timestamp: u64) -> u64 {
        self.command(node, Order::Acquire { lock: LOCK, hold_us: None });
        self.requests[node as usize] += 1;
        let (at, request) = (self.now(node), self.request_id(node));
        self.outcome(at, Outcome::Requested { lock: LOCK, request, timestamp: Some(timestamp) })
    }

    /// In its current step, `node` requests the lock.
    pub fn ask(&mut self, node: u32) -> u64 {
        self.requests[node as usize] += 1;
        self.requested(node)
    }

    fn requested(&mut self, node: u32) -> u64 {
        let (at, request) = (self.now(node), self.request_id(node));
        self.outcome(at, Outcome::requested(LOCK, request))
    }

    fn request_id(&self, node: u32) -> RequestId {
        RequestId(self.requests[node as usize])
    }

    /// In its current step, `node` enters.
    pub fn enter(&mut self, node: u32) -> u64 {
        let (at, request) = (self.now(node), self.request_id(node));
        self.outcome(at, Outcome::Entered { lock: LOCK, request, fence: None })
    }

    /// In its current step, `node` enters with this fencing token.
    pub fn enter_fenced(&mut self, node: u32, fence: u64) -> u64 {
        let (at, request) = (self.now(node), self.request_id(node));
        self.outcome(at, Outcome::Entered { lock: LOCK, request, fence: Some(fence) })
    }

    /// In a new step, `node` is ordered to release the lock and leaves.
    pub fn exit(&mut self, node: u32) -> u64 {
        self.command(node, Order::Release { lock: LOCK });
        self.exited(node)
    }

    fn exited(&mut self, node: u32) -> u64 {
        let (at, request) = (self.now(node), self.request_id(node));
        self.outcome(at, Outcome::Exited { lock: LOCK, request })
    }

    /// In its current step, `from` sends a message that is due after [`DELAY_US`].
    pub fn send(&mut self, from: u32, to: u32, kind: &str) -> MessageId {
        let due_us = self.now_us + DELAY_US;
        self.sent(from, to, kind, Some(due_us))
    }

    /// In its current step, `from` sends a message with the fields `fields` that is due after [`DELAY_US`].
    pub fn send_saying(&mut self, from: u32, to: u32, kind: &str, fields: &Value) -> MessageId {
        let due_us = self.now_us + DELAY_US;
        self.sent_saying(from, to, kind, Some(due_us), fields)
    }

    /// In its current step, `from` sends a message. If `due_us` is `None`, the network does not deliver the message by
    /// itself.
    pub fn sent(&mut self, from: u32, to: u32, kind: &str, due_us: Option<u64>) -> MessageId {
        let number = self.numbers.get(&(from, to)).copied().unwrap_or_default() + 1;
        self.sent_saying(from, to, kind, due_us, &json!({ "clock": number, "process": from }))
    }

    fn sent_saying(&mut self, from: u32, to: u32, kind: &str, due_us: Option<u64>, fields: &Value) -> MessageId {
        let number = self.numbers.entry((from, to)).or_default();
        *number += 1;
        let message = MessageId { from: NodeId(from), to: NodeId(to), number: *number, copy: 0 };
        let body = Json::of(fields).expect("JSON");
        let at = self.now(from);
        self.push(What::Sent {
            at,
            message,
            to: NodeId(to),
            message_kind: MessageKind::named(kind),
            body,
            due_us,
            rule: None,
        });
        message
    }

    /// In its current step, `from` sends a message to each of the other nodes.
    pub fn multicast(&mut self, from: u32, kind: &str) -> Vec<MessageId> {
        let others = (0..self.specification.nodes).filter(|&to| to != from);
        others.map(|to| self.send(from, to, kind)).collect()
    }

    /// In a new step, the receiver receives the message.
    pub fn deliver(&mut self, message: MessageId) -> u64 {
        self.deliver_kind(message, "ANY")
    }

    /// In a new step, the receiver receives the message, which is of this kind.
    pub fn deliver_kind(&mut self, message: MessageId, kind: &str) -> u64 {
        let at = self.step(message.to.0);
        let (from, message_kind) = (message.from, MessageKind::named(kind));
        self.push(What::Delivered { at, message, from, message_kind, because: Vec::new(), view: None })
    }

    /// In the receiver's current step, its channel passes the message on to the algorithm.
    pub fn take(&mut self, message: MessageId, kind: &str) -> u64 {
        let at = self.now(message.to.0);
        self.push(What::Taken { at, message, from: message.from, message_kind: MessageKind::named(kind) })
    }

    /// In the sender's current step, its channel retransmits the message. Returns the id of the copy.
    pub fn send_again(&mut self, message: MessageId, kind: &str) -> MessageId {
        let copy = MessageId { copy: message.copy + 1, ..message };
        let (at, due_us) = (self.now(message.from.0), Some(self.now_us + DELAY_US));
        let (to, message_kind, body) = (message.to, MessageKind::named(kind), Json::NULL);
        self.push(What::Sent { at, message: copy, to, message_kind, body, due_us, rule: None });
        copy
    }

    pub fn duplicate(&mut self, message: MessageId) -> MessageId {
        let copy = MessageId { copy: message.copy + 1, ..message };
        let due_us = Some(self.now_us + DELAY_US);
        self.push(What::duplicated(message, "ANY".into(), copy, Hand::Chance, due_us));
        copy
    }

    pub fn hold(&mut self, message: MessageId) {
        self.push(What::held(message, "ANY".into()));
    }

    pub fn lose(&mut self, message: MessageId) {
        self.push(What::dropped(message, "ANY".into(), DropReason::Loss));
    }

    pub fn arm(&mut self, node: u32, timer: TimerLabel, delay_us: u64) {
        let at = self.now(node);
        self.push(What::Armed { at, timer, delay_us });
    }

    pub fn fire(&mut self, node: u32, timer: TimerLabel) {
        let at = self.step(node);
        self.push(What::Fired { at, timer, because: Vec::new(), view: None });
    }

    /// The node makes a step after which it has this view.
    pub fn show(&mut self, node: u32, view: &Value) {
        let at = self.step(node);
        let view = Some(Json::of(view).expect("JSON"));
        self.push(What::Fired { at, timer: IDLE, because: Vec::new(), view });
    }

    /// Returns the state after all events so far.
    pub fn state(&self) -> State {
        let mut state = State::new(&self.specification);
        self.events.iter().for_each(|event| state.apply(event));
        state
    }

    /// Returns the violations that the monitors find in all events so far. Violations that monitors find only in a run
    /// at rest are missing, since this method does not let the monitors settle.
    pub fn violations(&self) -> Vec<Violation> {
        let (mut monitors, mut found) = (Monitors::new(&self.specification), Vec::new());
        self.events.iter().for_each(|event| monitors.observe(event, &mut found));
        found
    }

    /// Returns the metrics after all events so far.
    pub fn metrics(&self) -> Metrics {
        let (mut state, mut metrics) = (State::new(&self.specification), Metrics::new(&self.specification));
        for event in &self.events {
            state.apply(event);
            metrics.observe(event, state.locks());
        }
        metrics
    }
}

/// Returns the state document of a stream at `now_us`, as JSON.
pub fn document(stream: &TestStream, now_us: u64) -> Value {
    serde_json::to_value(stream.state().document(Uuid::nil(), now_us, 0)).expect("JSON")
}

/// Returns an event that reports a violation found by this monitor.
pub fn violated(monitor: &str) -> What {
    let violation =
        Violation { monitor: monitor.into(), code: "code".into(), arguments: json!({ "first": 1 }), events: vec![1] };
    What::Violated { violation }
}

/// Returns a stream in which P0 is in the section, P1 waits, and P1's request is in transit to P0.
pub fn contended() -> TestStream {
    let mut stream = TestStream::new(2);
    stream.at(10).request(0);
    stream.enter(0);
    stream.at(20).request(1);
    stream.send(1, 0, "REQUEST");
    stream
}

/// Runs Ricart and Agrawala's algorithm. Each of `choices` selects one of the events that are possible next.
pub fn play(nodes: u32, choices: impl IntoIterator<Item = u32>) -> TestStream {
    let mut stream = TestStream::unstarted(nodes);
    let specification = stream.specification.clone();
    let setting = RicartAgrawala::configure(&specification.configuration()).expect("a configuration that can be");
    let world: &mut World<'_> = &mut WorldOf::<RicartAgrawala>::new(&specification, &setting, None, Some(&mut stream));
    world.begin();
    for choice in choices {
        world.reach(world.now() + 10);
        let enabled = world.enabled();
        random::one_of(world, enabled, choice.into()).expect("what is enabled can happen");
    }
    stream
}

impl Observer for TestStream {
    fn records(&self) -> bool {
        true
    }

    fn observe(&mut self, at_us: u64, what: What) {
        self.at(at_us).push(what);
    }
}
