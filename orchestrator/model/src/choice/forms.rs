//! How each choice is written, shown where a document writes it otherwise.

use serde_json::Value;

use super::Choice;
use crate::field_error::FieldError;
use crate::network::{LinkOverride, LinkPatch};

/// Each choice as scripts and scenarios write it.
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

/// The change of all links.
const DEFAULT_FORM: &str = "network: { default: { delay: 30ms } }";
/// The choices that are about one node.
const ONE_NODE: [&str; 7] = ["acquire", "release", "elect", "crash", "restart", "pause", "resume"];
/// The timers of the client.
const CLIENT_TIMERS: [&str; 5] = ["idle", "hold", "queued", "next", "again"];
/// What a rule says beside what it matches.
const OF_A_RULE: [&str; 6] = ["match", "action", "skip", "count", "probability", "for"];

/// What is wrong with a choice that is written in a form that there is not, but that can be recognised: the place below the
/// choice, and what to write.
#[must_use]
pub fn mistaken(verb: &str, value: &Value) -> Option<(&'static str, String)> {
    match verb {
        "network" => network(value).map(|detail| ("", detail)),
        "partition" if value.is_string() || value.is_array() => {
            let groups = match value {
                Value::Array(nodes) if nodes.iter().all(Value::is_number) => {
                    flow(&nodes.iter().map(|node| Value::Array(vec![node.clone()])).collect())
                }
                Value::Array(_) => flow(value),
                _ => quoted(value),
            };
            Some(("", format!("`partition` takes an object; write `partition: {{ groups: {groups} }}`")))
        }
        "propose" if value.get("value").is_some_and(|value| value.is_number() || value.is_boolean()) => {
            let given = &value["value"];
            Some(("/value", format!("{given} is not a text; write `value: \"{given}\"`")))
        }
        "fire" => fire(value).map(|detail| ("/timer", detail)),
        "rule" => rule(value).map(|detail| ("", detail)),
        "acquire" if value.get("locks").is_some() => {
            let form = renamed(value, "lock", None);
            Some(("/locks", format!("`acquire` asks for one lock; write `acquire_together: {}`", flow(&form))))
        }
        "release" if value.get("locks").is_some() => {
            Some(("/locks", "`release` leaves the section of one lock; write a step for each, with `lock`".to_owned()))
        }
        "acquire_together" if value.get("lock").is_some() => {
            let form = renamed(value, "lock", Some("locks"));
            Some(("/lock", format!("the locks stand in a list; write `acquire_together: {}`", flow(&form))))
        }
        _ if ONE_NODE.contains(&verb) => {
            let (place, nodes) = match value {
                Value::Array(nodes) => ("", nodes),
                Value::Object(map) => ("/node", map.get("node")?.as_array()?),
                _ => return None,
            };
            if nodes.is_empty() {
                return None;
            }
            let each: Vec<String> = nodes.iter().map(|node| format!("`{verb}: {}`", flow(node))).collect();
            Some((place, format!("`{verb}` is about one node; write a step for each: {}", each.join(", "))))
        }
        _ => None,
    }
}

/// A change of the network says whether it is of one link or of all.
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
    T::deserialize(value).is_ok()
}

/// A timer says whether it is one of the client or of the algorithm.
fn fire(value: &Value) -> Option<String> {
    let name = value.get("timer")?.as_str()?;
    let forms = |first: &str, other: &str, of: &str| {
        format!("a timer says whose it is; write `timer: {{ {first} }}`, or `timer: {{ {other} }}` for one of the {of}")
    };
    Some(if CLIENT_TIMERS.contains(&name) {
        forms(&format!("client: {name}"), &format!("algorithm: {}", flow_text(name)), "algorithm")
    } else {
        forms(&format!("algorithm: {}", flow_text(name)), "client: idle", "client")
    })
}

/// What a rule matches stands below `match`.
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
    Some(format!("what a rule matches stands in `match`; write `rule: {}`", flow(&whole.into())))
}

/// An object without a field, or with it under another name and in a list.
fn renamed(value: &Value, field: &str, name: Option<&str>) -> Value {
    let mut map = value.as_object().cloned().unwrap_or_default();
    if let (Some(taken), Some(name)) = (map.remove(field), name) {
        map.insert(name.to_owned(), Value::Array(vec![taken]));
    }
    map.into()
}

/// A value as YAML writes it on one line.
fn flow(value: &Value) -> String {
    match value {
        Value::Object(map) => {
            let fields: Vec<String> = map.iter().map(|(key, value)| format!("{key}: {}", flow(value))).collect();
            format!("{{ {} }}", fields.join(", "))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(flow).collect::<Vec<_>>().join(", ")),
        Value::String(text) => flow_text(text),
        other => other.to_string(),
    }
}

/// A text, in quotes where it would be read as something else without them.
fn flow_text(text: &str) -> String {
    let is_plain = |sign: char| sign.is_alphanumeric() || "_-.%/".contains(sign);
    let is_text = text.parse::<f64>().is_err() && !["true", "false", "null"].contains(&text);
    if text.starts_with(char::is_alphanumeric) && text.chars().all(is_plain) && is_text {
        text.to_owned()
    } else {
        quoted(&text.into())
    }
}

fn quoted(text: &Value) -> String {
    text.to_string()
}

impl FieldError {
    /// The same with the form of a choice, unless it says already what was meant.
    #[must_use]
    pub fn with_form_of(mut self, verb: &str) -> Self {
        let form = FORMS.iter().find(|(name, _)| *name == verb);
        // `network` has a second form, which changes all links.
        let form = form.map(|(_, form)| if self.pointer.contains("/network/default") { DEFAULT_FORM } else { *form });
        if let Some(form) = form.filter(|_| !self.detail.contains("did you mean")) {
            self.detail = format!("{}; write `{form}`", self.detail);
        }
        self
    }

    /// The same with the right form, if it is about a choice of a script or a schedule in this document.
    #[must_use]
    pub fn with_forms_in(self, document: &Value) -> Self {
        self.with_form_at(document, |parent| parent.ends_with("/do"))
    }

    /// The same with the right form, if it is about a choice in this document whose place is `right`.
    fn with_form_at(self, document: &Value, right: impl Fn(&str) -> bool) -> Self {
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
        match mistaken(&verb, &value) {
            Some((below, detail)) => Self::new(format!("{place}{below}"), detail),
            None => self.with_form_of(&verb),
        }
    }
}

/// Reads a choice; the error shows the right form.
///
/// # Errors
/// What is wrong with it, with a pointer below it.
pub fn read(value: &Value) -> Result<Choice, FieldError> {
    serde_path_to_error::deserialize(value)
        .map_err(|error| FieldError::reading(&error).with_form_at(value, str::is_empty))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::scenario::Written;

    #[test]
    fn each_form_is_one_that_can_be_read() {
        for (verb, form) in FORMS {
            let written = Written::read(form).unwrap_or_else(|error| panic!("{form}: {error:?}"));
            assert!(written.value.get(verb).is_some(), "{form}");
            read(&written.value).unwrap_or_else(|error| panic!("{form}: {error:?}"));
        }
    }

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
                "write `acquire_together: { locks: [0, 1], node: 1 }`",
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
            let error = read(&choice).expect_err("a mistake");
            assert_eq!(error.pointer, pointer, "{error:?}");
            assert!(error.detail.contains(part), "{choice}: {error:?}");
        }
        let meant = read(&json!({ "crash": { "noed": 1 } })).expect_err("a mistake").detail;
        assert!(meant.contains("did you mean `node`?") && !meant.contains("write"), "{meant}");
    }
}
