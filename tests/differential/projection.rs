//! What must be the same of two runs. Without times, and without what the clock alone judges, all of it in its order; but the nodes begin in any order, and once
//! the network is healed messages flow by themselves, so then the order is that at each node and of each message.

use std::collections::BTreeMap;

use serde_json::Value;

/// Fields that say when something happened, and by which process of the operating system. Events are numbered as they
/// come, which where the nodes begin is in any order.
const OF_ONE_RUN: [&str; 6] = ["seq", "at_us", "due_us", "since_us", "pid", "events"];

/// The first difference, if there is one.
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

/// Whether from here on messages flow by themselves.
fn is_free(event: &Value) -> bool {
    event["kind"] == "configured"
        && event["change"]["subject"] == "default"
        && event["change"]["value"]["hold"] == false
}

/// The events of one run without what belongs to that run alone.
fn comparable(events: &[Value], others: &[Value]) -> Vec<Value> {
    let seen: std::collections::BTreeSet<String> =
        others.iter().filter(|event| event.get("view").is_some()).map(step).collect();
    let mut comparable: Vec<Value> =
        events.iter().filter(|event| event["violation"]["monitor"] != "real-time").cloned().collect();
    for event in &mut comparable {
        // Of several steps that are reported together only the last one says what the node looks like.
        let has_no_counterpart = !seen.contains(&step(event));
        if has_no_counterpart && let Some(fields) = event.as_object_mut() {
            fields.remove("view");
        }
        forget_when(event);
        // Those who wait are listed as they asked, and once messages flow several may ask at a time.
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

/// The nodes begin in any order: theirs is made that of their numbers.
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

/// Whether an event belongs to the first step of a node.
fn begins(event: &Value) -> bool {
    event["incarnation"] == 1 && (event["kind"] == "started" || event["step"] == 1)
}

/// Whether it says how a message fares that was just sent, and not what was done to one by hand.
fn fares(event: &Value) -> bool {
    let by_itself = event["why"] != "hand" && event["by"] != "hand";
    by_itself && ["held", "dropped", "duplicated"].iter().any(|kind| event["kind"] == *kind)
}

/// What happened at each node, to each message, and to the run.
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
