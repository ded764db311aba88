//! Checks in each step that an algorithm keeps its contract with the driver.

use interlock_algorithm::clock::Clock;
use interlock_algorithm::{
    Algorithm, Command, Configuration, Data, Discipline, Effect, Effects, Entry, Input, LockId, Message, NodeId,
    Outcome, ParameterValue, Refusal, RequestId, View,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, from_str, to_string};

/// Wrapper of an algorithm. A step panics if the algorithm breaks one of these rules:
/// - Messages, timers, reasons and states do not change when they are written as JSON and read again.
/// - If a process leaves the critical section in a step, it reports the exit before it sends any message.
/// - A process reports only requests of its own client. For each request it reports `requested`, `entered` and
///   `exited`, in this order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(bound = "A: Algorithm")]
pub struct Contract<A> {
    pub algorithm: A,
    /// The request numbers of the client's latest acquisition: the first number, and the count of successive
    /// numbers.
    asked: (u64, usize),
    /// The requests that the process has reported and not ended yet. The flag is true if the request was granted.
    open: Vec<(LockId, RequestId, bool)>,
}

impl<A: Algorithm> Contract<A> {
    /// Wraps an algorithm whose client has not requested anything yet.
    pub fn of(algorithm: A) -> Self {
        Self { algorithm, asked: (0, 0), open: Vec::new() }
    }

    fn tell(&mut self, me: NodeId, outcome: &Outcome) {
        let (first, count) = self.asked;
        let open =
            |wanted| move |&(lock, request, inside): &(LockId, RequestId, bool)| (lock, request, inside) == wanted;
        let mut take = |wanted| self.open.iter().position(open(wanted)).map(|place| self.open.swap_remove(place));
        let told_in_order = match *outcome {
            Outcome::Requested { lock, request, .. } => {
                self.open.push((lock, request, false));
                (first..first + count as u64).contains(&request.0)
            }
            Outcome::Entered { lock, request, .. } => {
                let wanted = take((lock, request, false));
                self.open.push((lock, request, true));
                wanted.is_some()
            }
            Outcome::Exited { lock, request } => take((lock, request, true)).is_some(),
            Outcome::Aborted { request, .. } => {
                self.open.retain(|(_, other, _)| *other != request);
                true
            }
            _ => true,
        };
        assert!(told_in_order, "{me}: {outcome:?} out of order, or of another request: {self:?}");
    }

    /// Checks an effect of the algorithm, and converts it to an effect of the wrapper.
    fn pass_on(&mut self, me: NodeId, effect: Effect<A>) -> Effect<Self> {
        match effect {
            Effect::Send { to, message } => {
                is_message(&well_formed(&message), message.kind(), &A::ENTRY);
                Effect::Send { to, message }
            }
            Effect::SetTimer { timer, delay } => {
                well_formed(&timer);
                Effect::SetTimer { timer, delay }
            }
            Effect::CancelTimer(timer) => Effect::CancelTimer(timer),
            Effect::Store(stored) => {
                well_formed(&stored);
                Effect::Store(stored)
            }
            Effect::Outcome(outcome) => {
                self.tell(me, &outcome);
                Effect::Outcome(outcome)
            }
            Effect::Because(reason) => {
                let json = well_formed(&reason);
                assert!(matches!(&json["code"], Value::String(_)), "{json}");
                Effect::Because(reason)
            }
        }
    }
}

/// Checks that a value does not change when it is written as JSON and read again, even if the fields of an object
/// are in another order. Returns the JSON.
fn well_formed<T: Data>(data: &T) -> Value {
    let json = to_string(data).expect("data as JSON");
    assert_eq!(&from_str::<T>(&json).expect("data from JSON"), data, "{json}");
    let (value, sorted) = sorted(&json);
    assert_eq!(&from_str::<T>(&sorted).expect("data from JSON"), data, "{sorted}");
    value
}

/// Returns the value of a JSON text, and a text of the same value with the fields of each object sorted by name.
fn sorted(json: &str) -> (Value, String) {
    let value: Value = from_str(json).expect("JSON");
    let sorted = value.to_string();
    (value, sorted)
}

/// Checks that a message has the kind `kind` and a body with fields, and that the catalogue lists the kind.
fn is_message(json: &Value, kind: &str, entry: &Entry) {
    assert_eq!(json["kind"], kind);
    assert!(json["body"].is_object(), "{json}");
    assert!(entry.message_kinds.contains(&kind), "{json}");
}

/// Checks the effects of a step: if the process leaves the critical section, it must report the exit before it
/// sends any message.
fn leaves_before_it_sends<A: Algorithm>(me: NodeId, effects: &[Effect<A>]) {
    let mut after = effects.iter().skip_while(|effect| !matches!(effect, Effect::Send { .. }));
    let leaves = after.any(|effect| matches!(effect, Effect::Outcome(Outcome::Exited { .. })));
    assert!(!leaves, "{me} sends before it says that it has left: {effects:?}");
}

impl<A: Algorithm> Algorithm for Contract<A> {
    type Setting = A::Setting;
    type Message = A::Message;
    type Timer = A::Timer;
    type Stored = A::Stored;
    type Reason = A::Reason;

    const ENTRY: Entry = A::ENTRY;

    fn configure(configuration: &Configuration<'_>) -> Result<Self::Setting, Refusal> {
        A::configure(configuration)
    }

    fn in_force(setting: &Self::Setting) -> Vec<(&'static str, ParameterValue)> {
        A::in_force(setting)
    }

    fn new(setting: &Self::Setting, me: NodeId) -> Self {
        Self::of(A::new(setting, me))
    }

    fn begin_incarnation(setting: &Self::Setting, me: NodeId, incarnation: u32) -> Option<Self> {
        A::begin_incarnation(setting, me, incarnation).map(Self::of)
    }

    fn step(&mut self, setting: &Self::Setting, me: NodeId, input: Input<Self>, out: &mut Effects<Self>) {
        let input = match input {
            Input::Start => Input::Start,
            Input::Restart(stored) => Input::Restart(stored),
            Input::Command(command) => {
                self.asked = match &command {
                    Command::Acquire { request, .. } => (request.0, 1),
                    Command::AcquireTogether { locks, request } => (request.0, locks.len()),
                    _ => self.asked,
                };
                Input::Command(command)
            }
            Input::Message { from, message } => Input::Message { from, message },
            Input::Timer(timer) => Input::Timer(timer),
            Input::Suspected(node) => Input::Suspected(node),
            Input::Trusted(node) => Input::Trusted(node),
        };
        let mut effects = Effects::default();
        self.algorithm.step(setting, me, input, &mut effects);
        well_formed(&self.algorithm);
        let _ = self.algorithm.view(setting, me);
        leaves_before_it_sends(me, effects.as_slice());
        for effect in effects.drain() {
            out.push(self.pass_on(me, effect));
        }
    }

    fn view(&self, setting: &Self::Setting, me: NodeId) -> View {
        self.algorithm.view(setting, me)
    }

    fn objection(&self, setting: &Self::Setting, me: NodeId, command: &Command) -> Option<String> {
        self.algorithm.objection(setting, me, command)
    }

    fn capacity(setting: &Self::Setting, lock: LockId) -> u32 {
        A::capacity(setting, lock)
    }

    fn may_have_several(setting: &Self::Setting, lock: LockId) -> bool {
        A::may_have_several(setting, lock)
    }

    fn default_locks(configuration: &Configuration<'_>) -> u32 {
        A::default_locks(configuration)
    }

    fn discipline(setting: &Self::Setting) -> Discipline {
        A::discipline(setting)
    }

    fn members(setting: &Self::Setting, me: NodeId, set: u32) -> &[NodeId] {
        A::members(setting, me, set)
    }

    fn clock(&mut self, setting: &Self::Setting) -> Option<&mut Clock> {
        self.algorithm.clock(setting)
    }

    fn stamp(&mut self, setting: &Self::Setting) -> Option<u64> {
        self.algorithm.stamp(setting)
    }

    fn witness(&mut self, setting: &Self::Setting, stamp: u64) {
        self.algorithm.witness(setting, stamp);
    }

    fn is_instantaneous(setting: &Self::Setting) -> bool {
        A::is_instantaneous(setting)
    }

    fn arbitrary(setting: &Self::Setting, me: NodeId, choice: u64) -> Option<Self> {
        A::arbitrary(setting, me, choice).map(Self::of)
    }
}
