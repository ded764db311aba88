//! The states of a run in the Informal Trace Format (Apalache ADR 015). Viewers for Apalache and Quint display this
//! format.

use std::io;

use interlock_machine::message_id::MessageId;
use serde_json::{Number, Value, json};

use super::moment::moments;
use super::words;
use crate::monitor;
use crate::state::{Lock, Message, MessageStatus, State};
use interlock_model::event::{Event, Json, What};
use interlock_model::specification::Specification;

/// The largest number that every JSON reader represents exactly. The format has a special notation for larger numbers.
const LARGEST: u64 = (1 << 53) - 1;
/// Name of the variable that contains the action which led to the state.
const ACTION: &str = "action";
/// Names of the variables in each state.
const VARIABLES: [&str; 7] = [ACTION, "processes", "views", "under_way", "holders", "waiting", "violated"];

/// Writes one state for each moment: the action, and then the state after it, which includes all views and the
/// messages in transit.
///
/// Suppose that the events after the event `again` can be repeated forever. If the last state equals the state
/// before these events, the output also contains the index at which the loop starts. If a clock has advanced, or a
/// message in transit has a new id, the two states differ. The output then contains no loop.
pub(super) fn write(
    events: &[Event],
    specification: &Specification,
    again: Option<u64>,
    out: &mut impl io::Write,
) -> io::Result<()> {
    let Specification { algorithm, variant, nodes, .. } = specification;
    let description = format!("{algorithm}/{variant}, {nodes} nodes");
    let meta = json!({
        "format": "ITF",
        "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html",
        "description": description,
    });
    writeln!(out, "{{\"#meta\":{meta},\"vars\":{},\"states\":[", json!(VARIABLES))?;
    let mut seen = Seen { state: State::new(specification), violated: Vec::new() };
    let (mut action, mut index) = ("the run starts".to_owned(), 0);
    let mut first_again: Option<(usize, Value)> = None;
    for moment in moments(events) {
        // A moment without a sentence gets no state of its own: its events belong to the previous action.
        if let Some(next) = words::of_moment(&moment) {
            let before = seen.document(index, &action);
            writeln!(out, "{before},")?;
            (action, index) = (next, index + 1);
            if moment.events.first().is_some_and(|event| again.is_some_and(|again| event.seq > again)) {
                first_again.get_or_insert((index, before));
            }
        }
        moment.events.iter().for_each(|event| seen.take(event));
    }
    let last = seen.document(index, &action);
    write!(out, "{last}]")?;
    if let Some((start, _)) = first_again.filter(|(_, before)| look_the_same(before, &last)) {
        write!(out, ",\"loop\":{start}")?;
    }
    writeln!(out, "}}")
}

/// Returns whether two states are equal in everything except the action that led to them.
fn look_the_same(one: &Value, other: &Value) -> bool {
    VARIABLES.into_iter().filter(|name| *name != ACTION).all(|name| one[name] == other[name])
}

/// The state of a run so far.
struct Seen {
    state: State,
    violated: Vec<String>,
}

impl Seen {
    fn take(&mut self, event: &Event) {
        self.state.apply(event);
        if let What::Violated { violation } = &event.what {
            self.violated.push(monitor::sentence(violation));
        }
    }

    /// Returns the state as a JSON object with a value for each variable.
    fn document(&self, index: usize, action: &str) -> Value {
        let nodes = self.state.nodes();
        let view = |view: Option<&Json>| view.map_or_else(|| json!({}), |view| itf(view.value()));
        json!({
            "#meta": { "index": index },
            ACTION: action,
            "processes": nodes.iter().map(|node| node.process.name()).collect::<Vec<_>>(),
            "views": nodes.iter().map(|node| view(node.view.as_ref())).collect::<Vec<_>>(),
            "under_way": self.state.network().iter().map(under_way).collect::<Vec<_>>(),
            "holders": self.by_lock(|lock| lock.holders.iter().map(|node| node.0).collect()),
            "waiting": self.by_lock(|lock| lock.waiting.iter().map(|waiting| waiting.node.0).collect()),
            "violated": self.violated,
        })
    }

    fn by_lock(&self, who: impl Fn(&Lock) -> Vec<u32>) -> Value {
        json!({ "#map": self.state.locks().iter().map(|(id, lock)| json!([id.0, who(lock)])).collect::<Vec<_>>() })
    }
}

fn under_way((id, message): (MessageId, &Message)) -> Value {
    json!({
        "name": id.to_string(),
        "from": id.from.0,
        "to": id.to.0,
        "kind": &*message.kind,
        "body": itf(message.body.value()),
        "held": message.status == MessageStatus::Held,
    })
}

/// Converts a JSON value to the format. The format has only integers, has no `null`, and reserves names that begin
/// with `#`.
fn itf(value: Value) -> Value {
    match value {
        Value::Null => json!({ "#unserializable": "null" }),
        Value::Number(number) => of_number(&number),
        Value::Array(items) => items.into_iter().map(itf).collect(),
        Value::Object(fields) if fields.keys().any(|name| name.starts_with('#')) => {
            json!({ "#map": fields.into_iter().map(|(name, value)| json!([name, itf(value)])).collect::<Vec<_>>() })
        }
        Value::Object(fields) => Value::Object(fields.into_iter().map(|(name, value)| (name, itf(value))).collect()),
        other => other,
    }
}

fn of_number(number: &Number) -> Value {
    match (number.as_i64(), number.is_f64()) {
        (Some(small), _) if small.unsigned_abs() <= LARGEST => json!(small),
        (_, false) => json!({ "#bigint": number.to_string() }),
        (_, true) => json!({ "#unserializable": number.to_string() }),
    }
}
