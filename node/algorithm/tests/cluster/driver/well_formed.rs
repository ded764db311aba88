//! What crosses the wire or is stored says the same in every form.

use interlock_algorithm::{Algorithm, Data, Effect, Message, NodeId, Outcome};
use serde_json::{Value, from_str, from_value, to_string, to_value};

/// It is the same after a way through JSON.
pub fn data<T: Data>(data: &T) {
    let json = to_string(data).expect("data as JSON");
    assert_eq!(&from_str::<T>(&json).expect("data from JSON"), data, "{json}");
    assert_eq!(&from_value::<T>(to_value(data).expect("data as a value")).expect("data from a value"), data, "{json}");
}

/// A message says its kind in the same way everywhere.
pub fn message<A: Algorithm>(message: &A::Message) {
    data(message);
    let json = to_value(message).expect("a message as JSON");
    assert_eq!(json["kind"], message.kind());
    assert!(json["body"].is_object(), "{json}");
    assert!(A::ENTRY.message_kinds.contains(&message.kind()), "{json}");
}

/// A reason has a code.
pub fn reason<T: Data>(reason: &T) {
    data(reason);
    let json = to_value(reason).expect("a reason as JSON");
    assert!(matches!(&json["code"], Value::String(_)), "{json}");
}

/// Who leaves says so before sending because of it.
pub fn order<A: Algorithm>(node: NodeId, effects: &[Effect<A>]) {
    let mut after = effects.iter().skip_while(|effect| !matches!(effect, Effect::Send { .. }));
    let leaves = after.any(|effect| matches!(effect, Effect::Outcome(Outcome::Exited { .. })));
    assert!(!leaves, "{node} sends before it says that it has left: {effects:?}");
}
