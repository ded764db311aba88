//! Edits that make a scenario smaller.

use std::ops::Range;

use serde_json::{Map, Value};

use super::USUAL_NODES;
use crate::scenario::span;
use interlock_model::field_error::token;

/// Fields that an edit may remove.
const OPTIONAL: [&str; 10] = [
    "/nemesis",
    "/links",
    "/workload",
    "/network",
    "/parameters",
    "/slow_after_ms",
    "/stop",
    "/steps",
    "/about",
    "/source",
];
/// Objects from which an edit may remove single fields.
const OPEN: [&str; 5] = ["/workload", "/network", "/parameters", "/nemesis", "/stop"];
/// Fields of steps whose value is a number that an edit may lower.
const IN_STEPS: [&str; 2] = ["entries", "repeat"];

/// An edit that makes a scenario smaller. Its strings are JSON pointers into the scenario.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// Removes items of a list.
    Cut {
        /// The list.
        list: String,
        /// The indices of the items.
        items: Range<usize>,
    },
    /// Removes a field.
    LeaveOut(String),
    /// Sets a field.
    Set(String, Value),
}

/// A whole number that can be lowered.
#[derive(Clone, Debug, PartialEq)]
pub struct Number {
    /// The JSON pointer of the number.
    place: String,
    /// The present value.
    pub value: u64,
    /// The smallest valid value.
    pub least: u64,
    /// Whether the number is a duration, in ms.
    is_time: bool,
}

impl Edit {
    /// Returns the edited scenario, or none if the edit changes nothing.
    pub fn of(&self, scenario: &Value) -> Option<Value> {
        let mut changed = scenario.clone();
        match self {
            Self::Cut { list, items } => {
                changed.pointer_mut(list)?.as_array_mut()?.drain(items.clone());
            }
            Self::LeaveOut(place) => {
                let (map, key) = field(&mut changed, place)?;
                map.remove(key)?;
            }
            Self::Set(place, value) => {
                let (map, key) = field(&mut changed, place)?;
                map.insert(key.to_owned(), value.clone());
            }
        }
        (changed != *scenario).then_some(changed)
    }

    /// Returns the pointer to the item at `place` after the edit. Returns none if the edit changes or removes the
    /// item itself.
    pub fn moves(&self, place: &str) -> Option<String> {
        let below = |outer: &str| place.strip_prefix(outer).filter(|rest| rest.is_empty() || rest.starts_with('/'));
        match self {
            Self::LeaveOut(field) | Self::Set(field, _) => below(field).is_none().then(|| place.to_owned()),
            Self::Cut { list, items } => {
                let Some(rest) = below(list).filter(|rest| !rest.is_empty()) else { return Some(place.to_owned()) };
                let (number, inner) = rest[1..].split_once('/').map_or((&rest[1..], None), |(a, b)| (a, Some(b)));
                let number: usize = number.parse().ok().filter(|number| !items.contains(number))?;
                let number = if number < items.start { number } else { number - items.len() };
                Some(format!("{list}/{number}{}", inner.map(|inner| format!("/{inner}")).unwrap_or_default()))
            }
        }
    }
}

impl Number {
    /// Returns the edit that sets this number.
    pub fn set_to(&self, value: u64) -> Edit {
        let value = if self.is_time { format!("{value}ms").into() } else { value.into() };
        Edit::Set(self.place.clone(), value)
    }
}

/// Returns the object that contains the field at `place`, and the name of the field. No edited field has a `/` in its
/// name.
fn field<'a, 'b>(scenario: &'a mut Value, place: &'b str) -> Option<(&'a mut Map<String, Value>, &'b str)> {
    let (outer, key) = place.rsplit_once('/')?;
    Some((scenario.pointer_mut(outer)?.as_object_mut()?, key))
}

/// Returns pointers to all lists from which items can be removed. Outer lists come before the lists inside them.
pub fn lists(scenario: &Value) -> Vec<String> {
    let mut all = vec!["/steps".to_owned()];
    lists_of_steps(&scenario["steps"], "/steps", &mut all);
    all.extend(["/expect", "/links", "/nemesis/kinds", "/workload/overrides"].map(ToOwned::to_owned));
    all.retain(|list| scenario.pointer(list).is_some_and(Value::is_array));
    all
}

fn lists_of_steps(steps: &Value, place: &str, all: &mut Vec<String>) {
    for (number, step) in steps.as_array().into_iter().flatten().enumerate() {
        let inner = format!("{place}/{number}/steps");
        if step["steps"].is_array() {
            all.push(inner.clone());
            lists_of_steps(&step["steps"], &inner, all);
        }
    }
}

/// Returns pointers to all removable fields.
pub fn optional(scenario: &Value) -> Vec<String> {
    let whole = OPTIONAL.iter().map(ToString::to_string);
    let inner = OPEN.iter().flat_map(|outer| {
        let fields = scenario.pointer(outer).and_then(Value::as_object).into_iter().flat_map(Map::keys);
        fields.map(move |name| format!("{outer}{}", token(name)))
    });
    whole.chain(inner).filter(|place| scenario.pointer(place).is_some()).collect()
}

/// Returns the numbers that can be lowered.
pub fn numbers(scenario: &Value) -> Vec<Number> {
    let whole = |place: &str, value: Option<u64>| {
        Some(Number { place: place.to_owned(), value: value?, least: 1, is_time: false })
    };
    let found = |place: &str| scenario.pointer(place).and_then(Value::as_u64);
    let nodes = found("/nodes").or_else(|| scenario.get("nodes").is_none().then_some(USUAL_NODES));
    let mut all: Vec<Number> = whole("/nodes", nodes).into_iter().collect();
    all.extend(
        ["/locks", "/nemesis/budget", "/workload/entries"].iter().filter_map(|place| whole(place, found(place))),
    );
    if let Some(Ok(after)) = scenario.pointer("/stop/after").map(|after| span(after.clone(), "")) {
        let value = after.0.div_ceil(1_000);
        all.push(Number { place: "/stop/after".to_owned(), value, least: 1, is_time: true });
    }
    numbers_of_steps(&scenario["steps"], "/steps", &mut all);
    all
}

fn numbers_of_steps(part: &Value, place: &str, all: &mut Vec<Number>) {
    let inner: Vec<(String, &Value)> = match part {
        Value::Array(items) => items.iter().enumerate().map(|(number, item)| (number.to_string(), item)).collect(),
        Value::Object(fields) => fields.iter().map(|(name, field)| (name.clone(), field)).collect(),
        _ => return,
    };
    for (name, value) in inner {
        let place = format!("{place}{}", token(&name));
        match value.as_u64() {
            Some(value) if IN_STEPS.contains(&&*name) => {
                all.push(Number { place, value, least: 1, is_time: false });
            }
            _ => numbers_of_steps(value, &place, all),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn items_after_removed_ones_move_up() {
        let cut = |list: &str, start, end| Edit::Cut { list: list.to_owned(), items: start..end };
        for (edit, place, moved) in [
            (cut("/steps", 1, 3), "/steps/0", Some("/steps/0")),
            (cut("/steps", 1, 3), "/steps/1", None),
            (cut("/steps", 1, 3), "/steps/2/steps/0", None),
            (cut("/steps", 1, 3), "/steps/3", Some("/steps/1")),
            (cut("/steps", 1, 3), "/steps/3/steps/2", Some("/steps/1/steps/2")),
            (cut("/steps/3/steps", 0, 1), "/steps/3/steps/2", Some("/steps/3/steps/1")),
            (cut("/steps/3/steps", 0, 1), "/steps/3", Some("/steps/3")),
            (cut("/expect", 0, 1), "", Some("")),
            (cut("/expect", 0, 1), "/expect/1", Some("/expect/0")),
            (Edit::LeaveOut("/steps".to_owned()), "/steps/1", None),
            (Edit::LeaveOut("/stop".to_owned()), "/steps/1", Some("/steps/1")),
            (Edit::Set("/steps/1/wait/entries".to_owned(), json!(1)), "/steps/1", Some("/steps/1")),
            (Edit::Set("/steps/1/repeat".to_owned(), json!(1)), "/steps/10", Some("/steps/10")),
        ] {
            assert_eq!(edit.moves(place).as_deref(), moved, "{edit:?} {place}");
        }
    }
}
