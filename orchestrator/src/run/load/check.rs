//! Checks of each line of an import: it must be an event, must have the next sequence number, and may name only
//! nodes of the run.

use interlock_algorithm::NodeId;
use interlock_machine::message_id::MessageId;
use interlock_machine::wording::complaint;
use serde_json::{Map, Value};

use super::document;
use crate::run::past::MOST_LOADED_NODES;
use interlock_model::event::{Event, Json, What};
use interlock_model::field_error::{FieldError, token, unknown_node};
use interlock_model::specification::{LARGEST_SEED, Specification, VERSION, name_fault};
use interlock_model::strict;

/// Maximum of nodes² × locks for a loaded run. This limits the memory of the monitors: for each process, they
/// store one number for each lock and each node that may have held the lock.
const MOST_KNOWN: u64 = 40_000_000;
/// Maximum time of an event, in microseconds. All JSON readers represent integers up to this value exactly.
const LATEST_US: u64 = LARGEST_SEED;
const LARGEST_U32: u64 = 0xFFFF_FFFF;
/// The numeric fields that all events or all steps have, with their maximum values.
const NUMBERS: [(&str, u64); 5] =
    [("seq", u64::MAX), ("at_us", LATEST_US), ("node", LARGEST_U32), ("incarnation", LARGEST_U32), ("step", u64::MAX)];

/// Progress of the check.
#[derive(Debug, Default)]
pub(super) struct Check {
    last: u64,
    nodes: u32,
}

impl Check {
    /// Returns the event in the next line.
    pub(super) fn take(&mut self, line: &[u8]) -> Result<Event, FieldError> {
        let event = Event::from_json(line).map_err(|error| blame(line, &error))?;
        let due = self.last + 1;
        if event.seq != due {
            let detail = format!("event {} is in the place of event {due}", event.seq);
            return Err(FieldError { allowed: vec![due.to_string()], ..FieldError::new("/seq", detail) });
        }
        if event.at_us > LATEST_US {
            return Err(outside("at_us", &event.at_us.into(), LATEST_US));
        }
        if (due == 1) != document(&event).is_some() {
            let detail = "the first event, and no other, must be `created`";
            let allowed = if due == 1 { vec!["created".to_owned()] } else { Vec::new() };
            return Err(FieldError { allowed, ..FieldError::new("/kind", detail) });
        }
        let unknown = ends(&event).filter(|_| due > 1).find_map(|(place, node)| unknown_node(place, node, self.nodes));
        if let Some(error) = unknown {
            return Err(error);
        }
        self.last = due;
        Ok(event)
    }

    /// Returns the specification in the first event: parsed, and in its original JSON.
    pub(super) fn specification(&mut self, created: &Event) -> Result<(Specification, Json), FieldError> {
        let Some(document) = document(created) else { return Err(nothing()) };
        let within = |error: FieldError| error.below("/specification");
        let repeated = strict::repeated_field(document.as_str().as_bytes());
        let specification: Specification =
            repeated.map_or_else(|| Specification::read(&document.value()), Err).map_err(within)?;
        let Specification { version, nodes, .. } = specification;
        let refuse = |pointer: &str, detail: String, right: u32| {
            Err(within(FieldError { allowed: vec![right.to_string()], ..FieldError::new(pointer, detail) }))
        };
        if version != VERSION {
            let detail = format!("version {version} is unknown; this program reads {VERSION}");
            return refuse("/version", detail, VERSION);
        }
        if !(1..=MOST_LOADED_NODES).contains(&nodes) {
            let detail = format!("{nodes} nodes are outside 1 … {MOST_LOADED_NODES}");
            return refuse("/nodes", detail, nodes.clamp(1, MOST_LOADED_NODES));
        }
        if let Some(fault) = name_fault(&specification.name) {
            return Err(within(FieldError::new("/name", fault)));
        }
        if let Some(error) = specification.oversize() {
            return Err(within(error));
        }
        let locks = specification.locks;
        if u64::from(nodes) * u64::from(nodes) * u64::from(locks) > MOST_KNOWN {
            let detail =
                format!("cannot judge {nodes} nodes with {locks} locks: nodes² × locks must be at most {MOST_KNOWN}");
            return Err(within(FieldError::new("/nodes", detail)));
        }
        self.nodes = nodes;
        Ok((specification, document.clone()))
    }
}

/// Returns the error of an import without any event.
pub(super) fn nothing() -> FieldError {
    FieldError::new("", "there is no event; the first one must be `created`, with the specification")
}

/// Returns the nodes that an event names, each with a JSON pointer to the field that names it.
fn ends(event: &Event) -> impl Iterator<Item = (&'static str, NodeId)> {
    let message = |id: &MessageId| [("/message", id.from), ("/message", id.to)].map(Some);
    let mut ends = [None; 6];
    ends[0] = event.node().map(|node| ("/node", node));
    match &event.what {
        What::Sent { message: id, to, .. } => {
            ends[1] = Some(("/to", *to));
            ends[2..4].copy_from_slice(&message(id));
        }
        What::Delivered { message: id, from, .. } | What::Taken { message: id, from, .. } => {
            ends[1] = Some(("/from", *from));
            ends[2..4].copy_from_slice(&message(id));
        }
        What::Duplicated { message: id, from, to, copy, .. } => {
            ends[..2].copy_from_slice(&[Some(("/from", *from)), Some(("/to", *to))]);
            ends[2..4].copy_from_slice(&message(id));
            ends[4..].copy_from_slice(&[copy.from, copy.to].map(|end| Some(("/copy", end))));
        }
        What::Held { message: id, from, to, .. }
        | What::Forwarded { message: id, from, to, .. }
        | What::Dropped { message: id, from, to, .. } => {
            ends[..2].copy_from_slice(&[Some(("/from", *from)), Some(("/to", *to))]);
            ends[2..4].copy_from_slice(&message(id));
        }
        What::Refused { message: Some(id), .. } => ends[1..3].copy_from_slice(&message(id)),
        _ => {}
    }
    ends.into_iter().flatten()
}

/// Returns the error of a line that is not an event. Serde does not report which field is invalid, because the
/// kind of an event determines how its fields are parsed.
fn blame(line: &[u8], error: &serde_json::Error) -> FieldError {
    let fields = match serde_json::from_slice::<Value>(line) {
        Err(error) => return FieldError::new("", format!("the line is not JSON: {}", FieldError::said(&error).detail)),
        Ok(Value::Object(fields)) => fields,
        Ok(_) => return FieldError::new("", "expected an object: one event a line"),
    };
    let number = NUMBERS.iter().find_map(|(name, most)| wrong_number(&fields, name, *most));
    number.or_else(|| unknown_kind(&fields)).unwrap_or_else(|| {
        let mut found = FieldError::said(error);
        if found.pointer.is_empty() {
            found.pointer = culprit(&fields).map(|name| token(&name)).unwrap_or_default();
        }
        found
    })
}

fn wrong_number(fields: &Map<String, Value>, name: &str, most: u64) -> Option<FieldError> {
    let value = fields.get(name)?;
    let possible = value.as_u64().is_some_and(|number| number <= most);
    (!possible).then(|| outside(name, value, most))
}

fn outside(name: &str, value: &Value, most: u64) -> FieldError {
    FieldError::new(token(name), format!("{value} is not a whole number in 0 … {most}"))
}

fn unknown_kind(fields: &Map<String, Value>) -> Option<FieldError> {
    let kind = fields.get("kind")?;
    if kind.as_str().is_some_and(|kind| What::KINDS.contains(&kind)) {
        return None;
    }
    let allowed = What::KINDS.iter().map(|&kind| kind.to_owned()).collect();
    let error = FieldError { allowed, ..FieldError::new("/kind", format!("there is no event {kind}")) };
    Some(error.meant_by(kind.as_str().unwrap_or_default()))
}

/// Returns the name of the invalid field, if it can be found: the first field whose removal changes the error.
fn culprit(fields: &Map<String, Value>) -> Option<String> {
    let said = |fields: &Map<String, Value>| {
        let error = Event::from_json(Value::Object(fields.clone()).to_string().as_bytes()).err()?;
        Some(complaint(&error).to_string())
    };
    let whole = said(fields);
    let innocent = ["seq", "at_us", "kind", "node", "incarnation", "step"];
    fields.keys().filter(|name| !innocent.contains(&name.as_str())).find_map(|name| {
        let mut rest = fields.clone();
        rest.remove(name);
        (said(&rest) != whole).then(|| name.clone())
    })
}
