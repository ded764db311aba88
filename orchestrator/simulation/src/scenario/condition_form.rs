//! The syntax of conditions: their short forms, and suggestions for frequent mistakes.

use serde_json::{Map, Value, json};

use interlock_model::field_error::{FieldError, token};
use interlock_model::flow::{flow, flow_text, several};
use interlock_observation::monitor;
use interlock_observation::state::Status;

/// The conditions that are written as a word alone.
pub(super) const BARE: [&str; 4] = ["stuck", "slow", "idle", "converged"];
/// The conditions that may be written as a word alone. The word alone stands for any node, any lock, any monitor and
/// so on.
pub const ANY: [&str; 6] = ["entered", "exited", "elected", "decided", "violation", "event"];

/// All conditions, each with its form.
pub(super) const FORMS: [(&str, &str); 16] = [
    ("entered", "entered: { node: 1 }"),
    ("exited", "exited: { node: 1 }"),
    ("stuck", "stuck"),
    ("slow", "slow"),
    ("verdict", "verdict: slow"),
    ("violation", "violation: mutual-exclusion"),
    ("idle", "idle"),
    ("elected", "elected: { leader: 2 }"),
    ("decided", "decided: { value: left }"),
    ("event", "event: { kind: delivered, message_kind: REPLY }"),
    ("entries", "entries: 50"),
    ("operations", "operations: 50"),
    ("converged", "converged"),
    ("every_node", "every_node: entered"),
    ("any", "any: [stuck, violation]"),
    ("all", "all: [{ entered: { node: 1 } }, { entered: { node: 2 } }]"),
];
/// The fields that an expectation or a step has beside its condition. These fields are not allowed inside the
/// condition.
const BESIDE: [&str; 2] = ["within", "after"];

/// Returns whether a word alone is the short form of a verdict. Words in [`BARE`] are conditions, even if a verdict
/// has the same name.
fn is_verdict(word: &str) -> bool {
    !BARE.contains(&word) && Status::named(word).is_some()
}

fn is_bare(word: &str) -> bool {
    BARE.contains(&word) || ANY.contains(&word) || is_verdict(word)
}

/// Returns the names of all conditions: first those that may be a word alone, then those that need a value.
fn names() -> Vec<String> {
    let verdicts = Status::ALL.map(Status::name).into_iter().filter(|word| !BARE.contains(word));
    let alone = BARE.into_iter().chain(ANY).chain(verdicts);
    let objects = FORMS.iter().map(|(word, _)| *word).filter(|word| !is_bare(word));
    alone.chain(objects).map(ToOwned::to_owned).collect()
}

/// Returns the condition with all short forms expanded.
pub(super) fn plain(value: Value) -> Value {
    let map = match value {
        Value::String(word) if ANY.contains(&&*word) => return json!({ word: {} }),
        Value::String(word) if is_verdict(&word) => return json!({ "verdict": word }),
        Value::Object(map) if map.len() == 1 => map,
        other => return other,
    };
    let Some((word, inner)) = map.into_iter().next() else { return Value::Null };
    let says_nothing = inner.is_null() || inner.as_object().is_some_and(Map::is_empty);
    match inner {
        _ if says_nothing && BARE.contains(&&*word) => Value::String(word),
        _ if says_nothing && ANY.contains(&&*word) => json!({ word: {} }),
        Value::String(name) if word == "violation" => json!({ word: { "monitor": name } }),
        Value::Array(items) if word == "any" || word == "all" => {
            json!({ word: items.into_iter().map(plain).collect::<Vec<_>>() })
        }
        inner => json!({ word: inner }),
    }
}

/// Returns an error if the condition has an invalid form that is a frequent mistake. The error suggests the correct
/// form.
pub(super) fn mistaken(value: &Value) -> Option<FieldError> {
    let map = match value {
        Value::Object(map) => map,
        Value::String(word) if is_bare(word) => return None,
        Value::String(word) => return Some(unknown_word(word, "")),
        Value::Array(_) => {
            let detail = "a list is not a condition; write `{ any: […] }` if one suffices, or `{ all: […] }` if each \
                          is necessary";
            return Some(FieldError::new("", detail));
        }
        Value::Number(number) => {
            return Some(FieldError::new(
                "",
                format!("`{number}` is not a condition; write `{{ entries: {number} }}`"),
            ));
        }
        Value::Null | Value::Bool(_) => {
            let detail = format!("`{value}` is not a condition; write a word such as `stuck`, or `{{ entries: 50 }}`");
            return Some(FieldError::new("", detail));
        }
    };
    if let Some(key) = map.keys().find(|key| BESIDE.contains(&key.as_str())) {
        let mut rest = map.clone();
        rest.remove(key);
        let detail =
            format!("`{key}` belongs beside the condition `{}`, not in it; write it one level up", flow(&rest.into()));
        return Some(FieldError::new(token(key), detail));
    }
    if map.len() != 1 {
        return Some(FieldError::new("", not_one(map)));
    }
    let (word, inner) = map.iter().next()?;
    if !names().iter().any(|name| name == word) {
        return Some(unknown_word(word, &token(word)));
    }
    if is_verdict(word) || word == "violation" && inner.is_array() {
        return Some(FieldError::new(token(word), of_words(word, inner)));
    }
    if let (Value::Array(items), "any" | "all") = (inner, word.as_str()) {
        let mut each = items.iter().enumerate();
        return each.find_map(|(place, item)| Some(mistaken(item)?.below(&format!("/{word}/{place}"))));
    }
    of_inner(word, inner).map(|(place, detail)| FieldError::new(format!("/{word}{place}"), detail))
}

/// Adds the correct form of the condition to the error, unless the error already suggests a correction.
pub(super) fn with_form(error: FieldError) -> FieldError {
    let words: Vec<&str> = error.pointer.split('/').collect();
    let about = words.iter().rev().find_map(|word| FORMS.iter().find(|(name, _)| name == word));
    match about {
        Some((_, form)) if !["did you mean", "write `"].iter().any(|part| error.detail.contains(part)) => {
            FieldError { detail: format!("{}; write `{form}`", error.detail), ..error }
        }
        _ => error,
    }
}

fn unknown_word(word: &str, place: &str) -> FieldError {
    if let Some((_, form)) = FORMS.iter().find(|(name, _)| *name == word) {
        return FieldError::new(place, format!("`{word}` needs a value; write `{{ {form} }}`"));
    }
    let detail = format!("`{word}` is not one of the possible values");
    FieldError { allowed: names(), ..FieldError::new(place, detail) }.meant_by(word)
}

fn not_one(map: &Map<String, Value>) -> String {
    if map.is_empty() {
        return "expected a condition; write a word such as `stuck`, or `{ entries: 50 }`".to_owned();
    }
    let each: Vec<String> = map.iter().map(|(word, inner)| flow(&json!({ word: inner }))).collect();
    let each = each.join(", ");
    format!(
        "expected one condition; write `{{ any: [{each}] }}` if one suffices, or `{{ all: [{each}] }}` if each is \
         necessary"
    )
}

/// Returns the error message for a word that has a value but must not have one, or that has several names instead of
/// one.
fn of_words(word: &str, inner: &Value) -> String {
    match several(inner).filter(|_| word == "violation") {
        Some(names) => several_conditions(names.into_iter().map(|name| json!({ word: name }))),
        None if word == "violation" => {
            format!("{} is not a monitor; write `violation: {}`", flow(inner), monitor::NAMES[0])
        }
        None => format!("`{word}` has no value; write the word alone: `{word}`"),
    }
}

/// Returns the error in the value of a known condition: a location relative to the value, and the message with the
/// correct form.
fn of_inner(word: &str, inner: &Value) -> Option<(&'static str, String)> {
    let is_nothing = inner.is_null() || inner.as_object().is_some_and(Map::is_empty);
    match word {
        _ if BARE.contains(&word) => {
            (!is_nothing).then(|| ("", format!("`{word}` has no value; write the word alone: `{word}`")))
        }
        "entered" | "exited" => of_field(word, "node", inner),
        "elected" => of_field(word, "leader", inner),
        "decided" => of_value(inner),
        "event" => of_field(word, "kind", inner),
        "any" | "all" => {
            let listed = several(inner).unwrap_or_else(|| vec![inner.clone()]);
            Some(("", format!("`{word}` needs a list; write `{word}: {}`", flow(&listed.into()))))
        }
        "entries" | "operations" if !inner.is_u64() => {
            let meant = inner.as_str().and_then(|text| text.trim().parse::<u64>().ok()).unwrap_or(50);
            Some(("", format!("{} is not a number; write `{word}: {meant}`", shown(inner))))
        }
        _ => None,
    }
}

/// Returns the error for a condition whose value is not an object but the value of one of its fields. Also returns an
/// error for a list where a single value is required.
fn of_field(word: &str, field: &'static str, inner: &Value) -> Option<(&'static str, String)> {
    let (place, value) = match inner {
        Value::Object(map) => (
            if field == "node" {
                "/node"
            } else if field == "leader" {
                "/leader"
            } else {
                "/kind"
            },
            map.get(field)?,
        ),
        other => ("", other),
    };
    if let Some(items) = several(value) {
        let one = |item: Value| {
            let mut whole = inner.as_object().cloned().unwrap_or_default();
            whole.insert(field.to_owned(), item);
            json!({ word: whole })
        };
        return Some((place, several_conditions(items.into_iter().map(one))));
    }
    if !place.is_empty() || value.is_null() {
        return None;
    }
    let form = match value {
        Value::String(text) if field != "kind" => match text.trim().parse::<u32>() {
            Ok(number) => number.to_string(),
            Err(_) => {
                return Some(("", format!("`{text}` is not the number of a node; write `{word}: {{ {field}: 1 }}`")));
            }
        },
        Value::String(text) => flow_text(text),
        Value::Number(number) => number.to_string(),
        _ => return Some(("", format!("{} is not an object; write `{}`", shown(value), form_of(word)))),
    };
    Some(("", format!("`{word}` needs an object; write `{word}: {{ {field}: {form} }}`")))
}

/// Returns the error for a condition `decided` whose value is not an object. Also returns an error for a field
/// `value` that is not a text.
fn of_value(inner: &Value) -> Option<(&'static str, String)> {
    let text = |value: &Value| flow_text(&value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned));
    match inner {
        Value::Object(map) => {
            let value = map.get("value").filter(|value| value.is_number() || value.is_boolean())?;
            Some(("/value", format!("{value} is not a text; write `value: {}`", text(value))))
        }
        Value::Null => None,
        Value::Array(_) => Some(("", format!("a list is not an object; write `{}`", form_of("decided")))),
        value => Some(("", format!("`decided` needs an object; write `decided: {{ value: {} }}`", text(value)))),
    }
}

fn several_conditions(each: impl Iterator<Item = Value>) -> String {
    let listed = flow(&each.collect());
    format!(
        "expected one value in a condition; write `{{ any: {listed} }}` if one suffices, or `{{ all: {listed} }}` if \
         each is necessary"
    )
}

fn form_of(word: &str) -> &'static str {
    FORMS.iter().find(|(name, _)| *name == word).map_or("", |(_, form)| form)
}

/// Returns the text that describes a value in an error message.
fn shown(value: &Value) -> String {
    match value {
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        other => format!("`{}`", flow(other)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Until;
    use super::*;

    #[test]
    fn a_wrong_form_is_refused_with_the_right_one() {
        for (value, pointer, part) in [
            (json!(5), "", "write `{ entries: 5 }`"),
            (json!(null), "", "write a word such as `stuck`"),
            (json!(true), "", "write a word such as `stuck`"),
            (json!({}), "", "expected a condition; write"),
            (json!(["stuck"]), "", "write `{ any: […] }`"),
            (json!("waiting_for_you"), "", "did you mean `waiting-for-you`?"),
            (json!("entries"), "", "write `{ entries: 50 }`"),
            (json!({ "enterd": {} }), "/enterd", "did you mean `entered`?"),
            (json!({ "waiting-for-you": {} }), "/waiting-for-you", "write the word alone: `waiting-for-you`"),
            (json!({ "stuck": { "node": 1 } }), "/stuck", "write the word alone: `stuck`"),
            (json!({ "idle": true }), "/idle", "write the word alone: `idle`"),
            (json!({ "entered": 1 }), "/entered", "write `entered: { node: 1 }`"),
            (json!({ "entered": "1" }), "/entered", "write `entered: { node: 1 }`"),
            (json!({ "entered": "holder" }), "/entered", "write `entered: { node: 1 }`"),
            (json!({ "entered": true }), "/entered", "write `entered: { node: 1 }`"),
            (
                json!({ "entered": [0, 1] }),
                "/entered",
                "write `{ any: [{ entered: { node: 0 } }, { entered: { node: 1 } }] }` if one suffices, or `{ all: ",
            ),
            (
                json!({ "exited": { "node": "0,1", "lock": 2 } }),
                "/exited/node",
                "write `{ any: [{ exited: { lock: 2, node: 0 } }, { exited: { lock: 2, node: 1 } }] }`",
            ),
            (json!({ "exited": { "nod": 1 } }), "/exited/nod", "did you mean `node`?"),
            (json!({ "exited": { "lock": "a" } }), "/exited/lock", "write `exited: { node: 1 }`"),
            (json!({ "elected": "2" }), "/elected", "write `elected: { leader: 2 }`"),
            (json!({ "elected": [1, 2] }), "/elected", "{ any: [{ elected: { leader: 1 } }, "),
            (json!({ "decided": 5 }), "/decided", "write `decided: { value: \"5\" }`"),
            (json!({ "decided": "left" }), "/decided", "write `decided: { value: left }`"),
            (json!({ "decided": { "value": 5 } }), "/decided/value", "write `value: \"5\"`"),
            (json!({ "event": "crashed" }), "/event", "write `event: { kind: crashed }`"),
            (json!({ "event": ["crashed", "restarted"] }), "/event", "{ any: [{ event: { kind: crashed } }, "),
            (
                json!({ "violation": ["mutual-exclusion", "stuck"] }),
                "/violation",
                "{ any: [{ violation: mutual-exclusion }, ",
            ),
            (json!({ "entries": "50" }), "/entries", "write `entries: 50`"),
            (json!({ "entries": [1] }), "/entries", "write `entries: 50`"),
            (json!({ "every_node": 5 }), "/every_node", "write `every_node: entered`"),
            (json!({ "any": "stuck" }), "/any", "write `any: [stuck]`"),
            (json!({ "all": { "entries": 5 } }), "/all", "write `all: [{ entries: 5 }]`"),
            (json!({ "any": ["stuck", { "entered": 1 }] }), "/any/1/entered", "write `entered: { node: 1 }`"),
            (json!({ "any": [{ "all": ["stuk"] }] }), "/any/0/all/0", "did you mean `stuck`?"),
            (json!({ "entries": 5, "stuck": null }), "", "write `{ any: [{ entries: 5 }, { stuck: null }] }`"),
            (json!({ "entries": 5, "within": "5s" }), "/within", "belongs beside the condition `{ entries: 5 }`"),
        ] {
            let error = Until::read(value.clone()).expect_err("a mistake");
            assert_eq!(error.pointer, pointer, "{value}: {error:?}");
            assert!(error.detail.contains(part), "{value}: {error:?}");
        }
    }

    #[test]
    fn every_form_can_be_read_and_every_name_is_possible() {
        for (word, form) in FORMS {
            let text = if word == form { form.to_owned() } else { format!("{{ {form} }}") };
            let written = crate::scenario::Written::read(&text).expect("YAML").value;
            Until::read(written).unwrap_or_else(|error| panic!("{form}: {error:?}"));
        }
        let allowed = Until::read(json!("quux")).expect_err("a mistake").allowed;
        for status in Status::ALL {
            assert!(allowed.iter().any(|name| name == status.name()), "{allowed:?}");
        }
        for right in [json!("waiting-for-you"), json!({ "stuck": {} }), json!({ "violation": "progress" })] {
            assert_eq!(mistaken(&right), None, "{right}");
        }
    }
}
