//! Correct written forms of all actions, shown in the error about an action that is written in another form.

use serde_json::{Value, json};

use super::Choice;
use crate::field_error::{FieldError, token};
use crate::flow::{flow, flow_text, several};
use crate::network::{LinkOverride, LinkPatch};
use crate::strict;

/// An example of each action, as in scripts and scenarios.
pub const FORMS: [(&str, &str); 24] = [
    ("acquire", "acquire: { node: 2, lock: 1, hold: 5ms }"),
    ("acquire_together", "acquire_together: { node: 2, locks: [0, 1] }"),
    ("release", "release: { node: 2, lock: 1 }"),
    ("elect", "elect: { node: 2 }"),
    ("propose", "propose: { node: 0, value: left }"),
    ("tell", "tell: { from: 0, to: 1 }"),
    ("corrupt", "corrupt: { node: 1, choice: 7 }"),
    ("suspect", "suspect: { node: 1, whom: 2 }"),
    ("trust", "trust: { node: 1, whom: 2 }"),
    ("put", "put: { resource: account, value: 1005 }"),
    ("crash", "crash: { node: 2 }"),
    ("restart", "restart: { node: 2, state: none }"),
    ("pause", "pause: { node: 1 }"),
    ("resume", "resume: { node: 1 }"),
    ("fire", "fire: { node: 0, timer: { client: idle } }"),
    ("deliver", "deliver: 0.1.12"),
    ("lose", "lose: 0.1.12"),
    ("hold", "hold: 0.1.12"),
    ("duplicate", "duplicate: 0.1.12"),
    ("network", "network: { link: { from: 0, to: 1, delay: 30ms } }"),
    ("partition", "partition: { groups: \"0,1|2\" }"),
    ("rule", "rule: { match: { message_kind: REPLY }, action: drop }"),
    ("heal", "heal: {}"),
    ("note", "note: a word for the record"),
];

/// An example of a change to the settings of all links.
const DEFAULT_FORM: &str = "network: { default: { delay: 30ms } }";
/// Actions on one node. The value of such an action may be just the number of the node, instead of an object.
const ONE_NODE: [&str; 7] = ["acquire", "release", "elect", "crash", "restart", "pause", "resume"];
/// Timers of the client.
const CLIENT_TIMERS: [&str; 5] = ["idle", "hold", "queued", "next", "again"];
/// Fields that name one node.
const NODES: [&str; 4] = ["node", "whom", "from", "to"];
/// Fields of a rule.
const OF_A_RULE: [&str; 6] = ["match", "action", "skip", "count", "probability", "for"];

/// If an action is written in a wrong form that this function recognises, returns the error: the pointer within the
/// action, and the correct form. `takes_together` says whether the algorithm grants several locks at once. It is
/// none if this is unknown.
#[must_use]
pub fn mistaken(verb: &str, value: &Value, takes_together: Option<bool>) -> Option<(String, String)> {
    if let Some(found) = several_nodes(verb, value) {
        return Some(found);
    }
    let (place, detail) = match verb {
        "network" => ("", network(value)?),
        "partition" => partition(value)?,
        "propose" if value.get("value").is_some_and(|value| value.is_number() || value.is_boolean()) => {
            let given = &value["value"];
            ("/value", format!("{given} is not a text; write `value: \"{given}\"`"))
        }
        "fire" => ("/timer", fire(value)?),
        "rule" => ("", rule(value)?),
        "acquire" if value.get("locks").is_some() => ("/locks", several_locks(value, takes_together)),
        "acquire_together" if takes_together == Some(false) => ("", one_after_the_other(value)),
        "release" if value.get("locks").is_some() => {
            let each = each_lock("release", value);
            ("/locks", format!("`release` is about one lock; write a step for each: {each}"))
        }
        "acquire_together" if value.get("lock").is_some() => {
            let form = renamed(value, "lock", Some("locks"));
            ("/lock", format!("locks need a list; write `acquire_together: {}`", flow(&form)))
        }
        _ => return None,
    };
    Some((place.to_owned(), detail))
}

/// Returns the error for an action that names several nodes although it acts on one node. The error suggests one
/// step for each node.
fn several_nodes(verb: &str, value: &Value) -> Option<(String, String)> {
    let (place, nodes) = match several(value).filter(|_| ONE_NODE.contains(&verb)) {
        Some(nodes) => (String::new(), nodes),
        None => list_of_nodes(value)?,
    };
    let each = nodes.into_iter().map(|node| match value.pointer(&place).filter(|_| !place.is_empty()) {
        None => node,
        // The object has no other field, so the suggested step can name the node without an object.
        Some(_)
            if place == "/node" && value.as_object().is_some_and(|map| map.len() == 1) && ONE_NODE.contains(&verb) =>
        {
            node
        }
        Some(_) => {
            let mut whole = value.clone();
            if let Some(named) = whole.pointer_mut(&place) {
                *named = node;
            }
            whole
        }
    });
    let each: Vec<String> = each.map(|value| format!("`{verb}: {}`", flow(&value))).collect();
    Some((place, format!("`{verb}` is about one node; write a step for each: {}", each.join(", "))))
}

/// Returns the first field of an action that must name one node but has a list of nodes, or the text form of a
/// list.
fn list_of_nodes(value: &Value) -> Option<(String, Vec<Value>)> {
    value.as_object()?.iter().find_map(|(key, inner)| match several(inner) {
        Some(nodes) if NODES.contains(&key.as_str()) => Some((token(key), nodes)),
        _ => list_of_nodes(inner).map(|(place, nodes)| (format!("{}{place}", token(key)), nodes)),
    })
}

/// Returns the error for a request for one lock that names several locks.
fn several_locks(value: &Value, takes_together: Option<bool>) -> String {
    let together = format!("`acquire_together: {}`", flow(&renamed(value, "lock", None)));
    match takes_together {
        Some(true) => format!("`acquire` is about one lock; write {together}"),
        Some(false) => one_after_the_other(value),
        None => format!(
            "`acquire` is about one lock; write a step for each: {}, or {together} if the algorithm grants several at \
             once",
            each_lock("acquire", value)
        ),
    }
}

fn one_after_the_other(value: &Value) -> String {
    format!("its algorithm grants one lock after the other; write a step for each: {}", each_lock("acquire", value))
}

/// Returns the text of one action for each of the locks.
fn each_lock(verb: &str, value: &Value) -> String {
    let locks = &value["locks"];
    let locks = several(locks).unwrap_or_else(|| vec![locks.clone()]);
    let each = locks.into_iter().map(|lock| {
        let mut whole = renamed(value, "locks", None);
        whole["lock"] = lock;
        format!("`{verb}: {}`", flow(&whole))
    });
    each.collect::<Vec<_>>().join(", ")
}

/// Returns the error for a partition that is not an object with `groups`, or whose groups are one list of nodes.
fn partition(value: &Value) -> Option<(&'static str, String)> {
    let lists = |nodes: &[Value]| nodes.iter().map(|node| json!([node])).collect::<Value>();
    let is_flat = |groups: &[Value]| !groups.is_empty() && groups.iter().all(Value::is_number);
    let groups = match value {
        Value::Array(nodes) if is_flat(nodes) => lists(nodes),
        Value::Array(_) | Value::String(_) => value.clone(),
        Value::Object(map) => {
            let nodes = map.get("groups")?.as_array().filter(|groups| is_flat(groups))?;
            return Some(("/groups", format!("each group must be a list; write `groups: {}`", flow(&lists(nodes)))));
        }
        _ => return None,
    };
    Some(("", format!("`partition` needs an object; write `partition: {{ groups: {} }}`", flow(&groups))))
}

/// Returns the error for a change to the network that has neither `default` nor `link`, or that has both.
fn network(value: &Value) -> Option<String> {
    let map = value.as_object()?;
    match (map.get("default"), map.get("link")) {
        (Some(all), Some(link)) => Some(format!(
            "`default` and `link` are two changes; write two steps: `network: {{ default: {} }}`, \
             `network: {{ link: {} }}`",
            flow(all),
            flow(link)
        )),
        (None, None) if map.contains_key("from") || map.contains_key("to") || is::<LinkOverride>(value) => {
            Some(format!("the change of one link belongs in `link`; write `network: {{ link: {} }}`", flow(value)))
        }
        (None, None) if !map.is_empty() && is::<LinkPatch>(value) => Some(format!(
            "the change of all links belongs in `default`; write `network: {{ default: {} }}`",
            flow(value)
        )),
        _ => None,
    }
}

fn is<T: serde::de::DeserializeOwned>(value: &Value) -> bool {
    strict::deserialize::<T>(value).is_ok()
}

/// Returns the error for a timer that does not say whether it belongs to the client or to the algorithm.
fn fire(value: &Value) -> Option<String> {
    let name = value.get("timer")?.as_str()?;
    let forms = |first: &str, other: &str, of: &str| {
        format!(
            "a timer belongs to the client or to the algorithm; write `timer: {{ {first} }}`, or `timer: {{ \
                 {other} }}` for one of the {of}"
        )
    };
    Some(if CLIENT_TIMERS.contains(&name) {
        forms(&format!("client: {name}"), &format!("algorithm: {}", flow_text(name)), "algorithm")
    } else {
        forms(&format!("algorithm: {}", flow_text(name)), "client: idle", "client")
    })
}

/// Returns the error for a rule whose conditions are written beside `match` instead of in it.
fn rule(value: &Value) -> Option<String> {
    let map = value.as_object()?;
    let matched = ["message_kind", "from", "to"];
    if map.contains_key("match") || !matched.iter().any(|key| map.contains_key(*key)) {
        return None;
    }
    let (beside, inside): (serde_json::Map<_, _>, serde_json::Map<_, _>) =
        map.clone().into_iter().partition(|(key, _)| OF_A_RULE.contains(&&**key));
    let mut whole = serde_json::Map::from_iter([("match".to_owned(), inside.into())]);
    whole.extend(beside);
    Some(format!("the fields that a rule matches belong in `match`; write `rule: {}`", flow(&whole.into())))
}

/// Returns a copy of the object `value` without `field`. If `name` is given, the copy has a field `name`, which
/// contains the removed field's value in a list.
fn renamed(value: &Value, field: &str, name: Option<&str>) -> Value {
    let mut map = value.as_object().cloned().unwrap_or_default();
    if let (Some(taken), Some(name)) = (map.remove(field), name) {
        map.insert(name.to_owned(), Value::Array(vec![taken]));
    }
    map.into()
}

impl FieldError {
    /// Adds the correct form of an action to the error, unless the error already has a suggestion.
    #[must_use]
    pub fn with_form_of(mut self, verb: &str) -> Self {
        let form = FORMS.iter().find(|(name, _)| *name == verb);
        // An action `network` has two forms. This form changes all links.
        let form = form.map(|(_, form)| if self.pointer.contains("/network/default") { DEFAULT_FORM } else { *form });
        if let Some(form) = form.filter(|_| !["did you mean", "write `"].iter().any(|part| self.detail.contains(part)))
        {
            self.detail = format!("{}; write `{form}`", self.detail);
        }
        self
    }

    /// If the error is about an action of a script or a schedule in this document, adds the correct form of the
    /// action.
    #[must_use]
    pub fn with_forms_in(self, document: &Value) -> Self {
        self.with_form_at(document, None, |parent| parent.ends_with("/do"))
    }

    /// If the error is about an action of this document, adds the correct form of the action. `right` returns
    /// whether the object at a given pointer can be an action.
    fn with_form_at(self, document: &Value, takes_together: Option<bool>, right: impl Fn(&str) -> bool) -> Self {
        let ends = self.pointer.char_indices().filter(|(_, sign)| *sign == '/').map(|(place, _)| place);
        let ends: Vec<usize> = ends.skip(1).chain([self.pointer.len()]).collect();
        let choice = ends.into_iter().find_map(|end| {
            let (parent, verb) = self.pointer[..end].rsplit_once('/')?;
            let map = document.pointer(parent)?.as_object()?;
            let is_one = right(parent) && map.len() == 1 && FORMS.iter().any(|(name, _)| *name == verb);
            is_one
                .then(|| (self.pointer[..end].to_owned(), verb.to_owned(), map.get(verb).cloned().unwrap_or_default()))
        });
        let Some((place, verb, value)) = choice else { return self };
        match mistaken(&verb, &value, takes_together) {
            Some((below, detail)) => Self::new(format!("{place}{below}"), detail),
            None => self.with_form_of(&verb),
        }
    }
}

/// Reads an action. `takes_together` says whether the algorithm grants several locks at once. It is none if this is
/// unknown.
///
/// # Errors
/// The error of the action, with the correct form and with a pointer within the action.
pub fn read(value: &Value, takes_together: Option<bool>) -> Result<Choice, FieldError> {
    strict::read(value).map_err(|error| error.with_form_at(value, takes_together, str::is_empty))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_form_that_there_is_not_shows_the_one_that_there_is() {
        for (choice, pointer, part) in [
            (
                json!({ "network": { "from": 0, "to": 1, "delay": "30ms" } }),
                "/network",
                "write `network: { link: { delay: 30ms, from: 0, to: 1 } }`",
            ),
            (json!({ "network": { "loss": "10%" } }), "/network", "write `network: { default: { loss: 10% } }`"),
            (
                json!({ "network": { "default": { "loss": 0.1 }, "link": { "from": 0, "to": 1 } } }),
                "/network",
                "write two steps: `network: { default: { loss: 0.1 } }`, `network: { link: { from: 0, to: 1 } }`",
            ),
            (json!({ "partition": "0,1|2" }), "/partition", "write `partition: { groups: \"0,1|2\" }`"),
            (json!({ "partition": [[0], [1, 2]] }), "/partition", "write `partition: { groups: [[0], [1, 2]] }`"),
            (json!({ "crash": [0, 1] }), "/crash", "write a step for each: `crash: 0`, `crash: 1`"),
            (json!({ "pause": { "node": [0, 1] } }), "/pause/node", "write a step for each: `pause: 0`, `pause: 1`"),
            (json!({ "propose": { "node": 0, "value": 42 } }), "/propose/value", "write `value: \"42\"`"),
            (json!({ "propose": { "node": 0, "value": true } }), "/propose/value", "write `value: \"true\"`"),
            (json!({ "fire": { "node": 0, "timer": "ttl" } }), "/fire/timer", "write `timer: { algorithm: ttl }`"),
            (json!({ "fire": { "node": 0, "timer": "idle" } }), "/fire/timer", "write `timer: { client: idle }`"),
            (
                json!({ "acquire": { "node": 1, "locks": [0, 1] } }),
                "/acquire/locks",
                "or `acquire_together: { locks: [0, 1], node: 1 }` if the algorithm grants several at once",
            ),
            (
                json!({ "acquire_together": { "node": 1, "lock": 2 } }),
                "/acquire_together/lock",
                "write `acquire_together: { locks: [2], node: 1 }`",
            ),
            (
                json!({ "rule": { "message_kind": "REPLY", "action": "drop" } }),
                "/rule",
                "write `rule: { action: drop, match: { message_kind: REPLY } }`",
            ),
            (json!({ "suspect": 1 }), "/suspect", "write `suspect: { node: 1, whom: 2 }`"),
            (json!({ "tell": { "from": 1 } }), "/tell/to", "write `tell: { from: 0, to: 1 }`"),
            (json!({ "deliver": { "from": 1 } }), "/deliver", "write `deliver: 0.1.12`"),
        ] {
            let error = read(&choice, None).expect_err("a mistake");
            assert_eq!(error.pointer, pointer, "{error:?}");
            assert!(error.detail.contains(part), "{choice}: {error:?}");
        }
        let meant = read(&json!({ "crash": { "noed": 1 } }), None).expect_err("a mistake").detail;
        assert!(meant.contains("did you mean `node`?") && !meant.contains("write"), "{meant}");
    }
}
