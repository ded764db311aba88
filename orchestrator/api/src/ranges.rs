//! Ranges of numbers and words in the OpenAPI document, taken from the constants of the program. Ranges that
//! depend on the run, such as the range of node numbers, are not part of the document.

use std::collections::BTreeSet;

use interlock_algorithm::catalogue::ENTRIES;
use interlock_exploration::Property;
use interlock_machine::application::TELL;
use interlock_machine::channel::CHANNEL_ACK;
use interlock_machine::wire::LONGEST_KIND;
use interlock_model::event::What;
use interlock_model::specification::{LARGEST_SEED, LONGEST_NAME, LONGEST_SCRIPT, MOST_LOCKS, MOST_NODES, VERSION};
use interlock_observation::state::Status;
use interlock_simulation::claim::sources;
use interlock_simulation::matrix::CHANNELS;
use interlock_simulation::scenario::ANY;
use serde_json::{Value, json};

use super::nodes::{LONGEST_VALUE, LONGEST_WAIT_MS};

/// Pattern of a time: a number, with or without a unit.
const TIME: &str = r"[0-9]+(\.[0-9]+)?(us|µs|ms|s|m)?";
/// Maximum hold time, pause or delay, in ms: one hour.
const LONGEST_MS: u64 = 3_600_000;

/// Pattern of a list of numbers.
const LIST: &str = " *[0-9]+ *(, *[0-9]+ *)*";
/// Pattern of the text that names the locks which a client acquires.
const LOCKS: &str = "^ *(first|one|all|neighbours|some:[0-9]+|directory(:[0-9]+%)?|[0-9]+ *(, *[0-9]+ *)*) *$";

/// Verdicts that the schema of conditions already contains as words, so this module must not add them a second
/// time.
const BARE_VERDICTS: [&str; 2] = ["slow", "stuck"];

/// Adds the ranges to the OpenAPI document.
pub fn state(document: &mut Value) {
    for (schema, field, range) in fields() {
        if let Some(field) = document.pointer_mut(&format!("/components/schemas/{schema}/properties/{field}")) {
            merge(field, range);
        }
    }
    if let Some(until) = document.pointer_mut("/components/schemas/Until/oneOf").and_then(Value::as_array_mut) {
        let verdicts = Status::ALL.iter().map(|status| status.name()).filter(|name| !BARE_VERDICTS.contains(name));
        let words: Vec<&str> = ANY.into_iter().chain(verdicts).collect();
        until.push(json!({ "type": "string", "enum": words }));
    }
    for (schema, forms) in forms() {
        if let Some(schema) = document.pointer_mut(&format!("/components/schemas/{schema}/oneOf")) {
            *schema = forms;
        }
    }
    let operations = document["paths"].as_object_mut().into_iter().flatten();
    let operations = operations.flat_map(|(path, item)| {
        item.as_object_mut().into_iter().flatten().map(move |(_, operation)| (path.as_str(), operation))
    });
    for (path, operation) in operations {
        for parameter in operation.get_mut("parameters").and_then(Value::as_array_mut).into_iter().flatten() {
            let range = of_parameter(path, parameter["name"].as_str().unwrap_or_default());
            if parameter["in"] == "query" {
                merge(&mut parameter["schema"], range);
            }
        }
    }
    bound(document);
}

fn merge(schema: &mut Value, range: Value) {
    if let (Some(schema), Value::Object(range)) = (schema.as_object_mut(), range) {
        if range.contains_key("oneOf") {
            schema.remove("type");
            schema.remove("$ref");
        }
        schema.extend(range);
    }
}

fn whole(least: u64, most: u64) -> Value {
    json!({ "minimum": least, "maximum": most })
}

/// Returns the schema of a waiting time: a whole number of ms, or a time as text. If `may_be_null`, null is valid
/// as well.
fn wait(may_be_null: bool) -> Value {
    let number = json!({ "type": "integer", "minimum": 0, "maximum": LONGEST_WAIT_MS });
    let text = json!({ "type": "string", "pattern": format!("^{TIME}$") });
    let null = may_be_null.then(|| json!({ "type": "null" }));
    let forms: Vec<Value> = [number, text].into_iter().chain(null).collect();
    json!({ "oneOf": forms })
}

/// Returns the schema of a value that is one of `words`, or null.
fn word(words: &[&str]) -> Value {
    let words: Vec<Value> = words.iter().map(|&word| word.into()).chain([Value::Null]).collect();
    json!({ "enum": words })
}

/// Returns the schema of the kinds of messages that an algorithm of the catalogue, the application or a channel
/// can send.
pub(super) fn kinds() -> Value {
    let kinds = ENTRIES.iter().flat_map(|entry| entry.message_kinds).copied();
    let kinds: BTreeSet<&str> = kinds.chain([TELL, CHANNEL_ACK]).collect();
    json!({ "type": "string", "enum": kinds })
}

/// Returns the schema of an object with the field `delays`, whose keys must be kinds of messages from [`kinds`].
fn delays_by_kind() -> Value {
    json!({ "properties": { "delays": { "propertyNames": kinds() } } })
}

/// Returns the schema of the settings of one link. The keys of `delays` must be kinds of messages from [`kinds`].
fn of_links() -> Value {
    let mut link = reference("LinkOverride");
    merge(&mut link, delays_by_kind());
    link
}

/// Returns the range of a run's name. A name must have a character that is not white space, since a blank name
/// counts as empty.
fn name_of_a_run() -> Value {
    json!({ "pattern": r"[^\s\u0085]", "maxLength": LONGEST_NAME })
}

/// Returns the schema of delays by kind of message, for runs whose program chooses the names of its kinds.
fn of_any_kind() -> Value {
    json!({ "propertyNames": { "type": "string", "minLength": 1, "maxLength": LONGEST_KIND } })
}

fn reference(schema: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{schema}") })
}

/// Returns the ranges of fields: name of the schema, name of the field, range.
pub(super) fn fields() -> impl Iterator<Item = (String, &'static str, Value)> {
    let named = named().into_iter().map(|(schema, field, range)| (schema.to_owned(), field, range));
    named.chain(conditions())
}

fn named() -> Vec<(&'static str, &'static str, Value)> {
    let algorithms: Vec<&str> = ENTRIES.iter().map(|entry| entry.name).collect();
    let message = json!({ "pattern": r"^[0-9]+(\.[0-9]+){2,3}$" });
    let mut fields = vec![
        ("Draft", "version", whole(VERSION.into(), VERSION.into())),
        ("Draft", "algorithm", json!({ "enum": algorithms })),
        ("Draft", "name", name_of_a_run()),
        ("NewName", "name", name_of_a_run()),
        ("Draft", "nodes", whole(1, MOST_NODES.into())),
        ("Draft", "locks", whole(1, MOST_LOCKS.into())),
        ("Draft", "seed", whole(0, LARGEST_SEED)),
        ("Draft", "script", json!({ "maxItems": LONGEST_SCRIPT })),
        ("Draft", "network", delays_by_kind()),
        ("Draft", "links", json!({ "items": of_links() })),
        // A program can declare the kinds of messages of its run, so any kind is valid here.
        ("LinkPatch", "delays", of_any_kind()),
        ("LinkOverride", "delays", of_any_kind()),
        ("LinkSetting", "delays", of_any_kind()),
        ("WorkloadDraft", "loop", word(&["closed", "open"])),
        ("ExplorationDraft", "timers", json!({ "pattern": "^(patient|always|any-time:[0-9]+)$" })),
        ("ExplorationDraft", "memory_limit", json!({ "pattern": "^[1-9][0-9]* *(KiB|MiB|GiB)$" })),
        ("ExplorationDraft", "threads", whole(1, 2)),
        ("ScheduleDraft", "version", whole(VERSION.into(), VERSION.into())),
        ("EventPattern", "kind", word(What::KINDS)),
        ("EventPattern", "message", message),
        ("RuleDraft", "count", json!({ "minimum": 1 })),
        ("RuleDraft", "action", json!({ "pattern": format!("^(drop|hold|duplicate|delay:{TIME})$") })),
        ("Acquire", "wait_ms", wait(false)),
        ("Wait", "timeout_ms", wait(true)),
        ("Propose", "value", json!({ "minLength": 1, "maxLength": LONGEST_VALUE })),
    ];
    let small = ["again", "room", "contents", "lose", "duplicate", "tell", "crash", "pause", "corrupt"];
    fields.extend(small.map(|field| ("ExplorationDraft", field, whole(0, u8::MAX.into()))));
    fields
}

/// Returns the forms of the conditions that need no fields: their fields or null. The value of `violation` may also be
/// the name of a monitor.
fn conditions() -> impl Iterator<Item = (String, &'static str, Value)> {
    ANY.into_iter().map(|word| {
        let schema = format!("{}{}Until", word[..1].to_uppercase(), &word[1..]);
        let fields = if word == "event" { "EventPattern".to_owned() } else { format!("{schema}Fields") };
        let mut forms = vec![reference(&fields), json!({ "type": "null" })];
        if word == "violation" {
            forms.push(json!({ "type": "string" }));
        }
        (schema, word, json!({ "oneOf": forms }))
    })
}

/// Returns the schemas of types that a document may write in more than one form.
fn forms() -> Vec<(&'static str, Value)> {
    let number = json!({ "type": "number", "minimum": 0, "maximum": LONGEST_MS });
    let text = |pattern: String| json!({ "type": "string", "pattern": pattern });
    let several =
        format!("(const|exp):{TIME}|uniform:{TIME}\\.\\.{TIME}|normal:{TIME},{TIME}|pareto:{TIME},[0-9]+(\\.[0-9]+)?");
    let percent = r"^(0(\.[0-9]+)?|1(\.0+)?|([0-9]{1,2}(\.[0-9]+)?|100)%)$";
    let probability = json!({ "type": "number", "minimum": 0, "maximum": 1 });
    let number_of = json!({ "type": "integer", "format": "int32", "minimum": 0 });
    let numbers = json!({ "type": "array", "items": number_of });
    let small = json!({ "type": "integer", "minimum": 0, "maximum": u8::MAX });
    let whole_number = json!({ "type": "integer", "minimum": 0 });
    let names = format!(" *({}) *", Property::EVERY.map(Property::name).join("|"));
    let groups = json!({ "type": "array", "items": reference("NumberList"), "minItems": 2 });
    let property = reference("Property");
    let heartbeat = json!({ "$ref": "#/components/schemas/HeartbeatDetectorName" });
    vec![
        ("Time", json!([number, text(format!("^{TIME}$"))])),
        ("Times", json!([text(format!("^({TIME}|{several})$")), number])),
        ("Likelihood", json!([probability, text(percent.to_owned())])),
        ("Bytes", json!([whole_number, text("^[0-9]+ *(B|kB|MB|GB|KiB|MiB|GiB)?$".to_owned())])),
        ("ClientNodes", json!([text(format!("^(all|{LIST})$")), numbers])),
        ("NumberList", json!([numbers, text(format!("^{LIST}$"))])),
        ("Groups", json!([groups, text(format!("^{LIST}(\\|{LIST})+$"))])),
        (
            "RequestCounts",
            json!([small, { "type": "array", "items": small, "minItems": 1 }, text(format!("^(unlimited|{LIST})$"))]),
        ),
        (
            "FirstStates",
            json!([text(format!("^(usual|arbitrary|{LIST})$")), { "type": "array", "items": whole_number }]),
        ),
        ("Properties", json!([{ "type": "array", "items": property }, text(format!("^{names}(,{names})*$"))])),
        ("LocksTaken", json!([text(LOCKS.to_owned()), { "type": "array", "items": number_of, "minItems": 1 }])),
        ("DetectorName", json!([{ "type": "string", "enum": ["none", "perfect", "heartbeat"] }, heartbeat])),
    ]
}

fn of_parameter(path: &str, name: &str) -> Value {
    match name {
        "limit" if path.ends_with("/events") || path.ends_with("/choices") => whole(1, 10_000),
        "limit" => whole(1, 1_000),
        "after" if path.ends_with("/runs") => json!({ "format": "uuid" }),
        "until" if path.ends_with("/trace") => json!({ "minimum": 1 }),
        "wait_ms" => json!({ "oneOf": [{ "type": "integer", "minimum": 0, "maximum": LONGEST_WAIT_MS }] }),
        "channel" => json!({ "enum": CHANNELS }),
        "source" => json!({ "enum": sources().iter().map(|source| &source.name).collect::<Vec<_>>() }),
        "kind" => {
            let kinds = What::KINDS.join("|");
            json!({ "pattern": format!("^({kinds})(,({kinds}))*$") })
        }
        _ => json!({}),
    }
}

/// Adds the range of its integer type to each whole number that has no range. The format alone, such as `int32`,
/// is not enough, because validators need not enforce formats.
fn bound(value: &mut Value) {
    match value {
        Value::Object(map) => {
            let is_whole = map.get("type").is_some_and(|kind| {
                kind == "integer" || kind.as_array().is_some_and(|kinds| kinds.contains(&json!("integer")))
            });
            if is_whole {
                let is_unsigned = map.contains_key("minimum");
                let is_short = map.get("format") == Some(&json!("int32"));
                let (format, least, most) = match (is_unsigned, is_short) {
                    (true, true) => ("uint32", json!(0), json!(u32::MAX)),
                    (true, false) => ("uint64", json!(0), json!(u64::MAX)),
                    (false, true) => ("int32", json!(i32::MIN), json!(i32::MAX)),
                    (false, false) => ("int64", json!(i64::MIN), json!(i64::MAX)),
                };
                map.insert("format".to_owned(), format.into());
                map.entry("minimum").or_insert(least);
                map.entry("maximum").or_insert(most);
            }
            map.values_mut().for_each(bound);
        }
        Value::Array(items) => items.iter_mut().for_each(bound),
        _ => {}
    }
}
