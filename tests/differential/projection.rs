//! Comparison of a live run with a simulated run: all events must be equal and in the same order. The comparison
//! excludes times, and violations that depend only on the clock. The nodes may begin in any order. After the
//! network is healed, it delivers messages without manual actions. From then on, only the order of events at each
//! node and of each message is compared.

use std::collections::BTreeMap;

use serde_json::Value;

/// Fields that differ between two runs of the same document: times, ids of the operating system, and numbers of
/// events. The numbers differ because the nodes begin in any order.
const OF_ONE_RUN: [&str; 6] = ["seq", "at_us", "due_us", "since_us", "pid", "events"];

/// Returns a description of the first difference; none if the runs are equal.
pub fn difference(expected: &[Value], found: &[Value]) -> Option<String> {
    let flows = expected.iter().any(is_free);
    let same = |expected: Vec<Value>, found: Vec<Value>, of: &str| {
        let place = (0..expected.len().max(found.len())).find(|&place| expected.get(place) != found.get(place))?;
        let at = |events: &[Value]| events.get(place).map_or("nothing".to_owned(), ToString::to_string);
        Some(format!("{of}, event {place}:\n  simulated {}\n  live      {}", at(&expected), at(&found)))
    };
    let (expected, found) = (comparable(expected, found), comparable(found, expected));
    if !flows {
        return same(in_order_of_beginning(expected), in_order_of_beginning(found), "in all");
    }
    let (expected, found) = (by_part(expected), by_part(found));
    let parts: std::collections::BTreeSet<_> = expected.keys().chain(found.keys()).cloned().collect();
    parts.into_iter().find_map(|part| {
        let of = |events: &BTreeMap<String, Vec<Value>>| events.get(&part).cloned().unwrap_or_default();
        same(of(&expected), of(&found), &part)
    })
}

/// Returns whether the network delivers messages without manual actions after this event.
fn is_free(event: &Value) -> bool {
    event["kind"] == "configured"
        && event["change"]["subject"] == "default"
        && event["change"]["value"]["hold"] == false
}

/// Returns `events` without the fields that have no counterpart in `others`, the events of the run with which they
/// are compared.
fn comparable(events: &[Value], others: &[Value]) -> Vec<Value> {
    let seen: std::collections::BTreeSet<String> =
        others.iter().filter(|event| event.get("view").is_some()).map(step).collect();
    let mut comparable: Vec<Value> =
        events.iter().filter(|event| event["violation"]["monitor"] != "real-time").cloned().collect();
    for event in &mut comparable {
        // If a live node reports several steps together, only the last of them has the view of the node.
        let has_no_counterpart = !seen.contains(&step(event));
        if has_no_counterpart && let Some(fields) = event.as_object_mut() {
            fields.remove("view");
        }
        forget_when(event);
        // Waiting processes are listed in the order of their requests. If the network delivers messages without
        // manual actions, several processes may request at the same time, so this order may differ.
        if let Some(waiting) = event.pointer_mut("/violation/arguments/waiting").and_then(Value::as_array_mut) {
            waiting.sort_by_key(ToString::to_string);
        }
    }
    comparable
}

fn forget_when(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|field, _| !OF_ONE_RUN.contains(&field.as_str()));
            fields.values_mut().for_each(forget_when);
        }
        Value::Array(items) => items.iter_mut().for_each(forget_when),
        _ => {}
    }
}

fn step(event: &Value) -> String {
    format!("{}.{}.{} {}", event["node"], event["incarnation"], event["step"], event["kind"])
}

/// Sorts the events of the nodes' first steps by the number of the node, because the nodes begin in any order.
fn in_order_of_beginning(events: Vec<Value>) -> Vec<Value> {
    let mut beginnings: BTreeMap<(u8, u64), Vec<Value>> = BTreeMap::new();
    let mut events = events.into_iter().peekable();
    let mut all: Vec<Value> = events.next().into_iter().collect();
    let mut node = (0, 0);
    while let Some(event) = events.next_if(|event| begins(event) || (node.0 == 1 && fares(event))) {
        if begins(&event) {
            node = (u8::from(event["kind"] != "started"), event["node"].as_u64().unwrap_or(0));
        }
        beginnings.entry(node).or_default().push(event);
    }
    all.extend(beginnings.into_values().flatten());
    all.extend(events);
    all
}

/// Returns whether an event belongs to the first step of a node.
fn begins(event: &Value) -> bool {
    event["incarnation"] == 1 && (event["kind"] == "started" || event["step"] == 1)
}

/// Returns whether an event reports the immediate fate of a message that was just sent. Manual actions on messages
/// are excluded.
fn fares(event: &Value) -> bool {
    let by_itself = event["why"] != "hand" && event["by"] != "hand";
    by_itself && ["held", "dropped", "duplicated"].iter().any(|kind| event["kind"] == *kind)
}

/// Groups the events: one group for each node, one group for each message, and one group for all other events of
/// the run.
fn by_part(events: Vec<Value>) -> BTreeMap<String, Vec<Value>> {
    let mut parts: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for event in events {
        let part = match (&event["node"], &event["message"]) {
            (Value::Number(node), _) => format!("at P{node}"),
            (_, Value::String(message)) => format!("message {message}"),
            _ => "of the run".to_owned(),
        };
        parts.entry(part).or_default().push(event);
    }
    parts
}
