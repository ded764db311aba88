//! The JSON Schema of a scenario, for editors that check and complete scenarios.
//!
//! Like the OpenAPI document, the schema is derived from the types that read a scenario. It also uses the names that
//! the readers of a scenario accept. A schema cannot express some rules, such as that a node exists in the run or
//! that a step sets a mark. Only the readers check these rules.

mod definitions;

use interlock_algorithm::catalogue;
use serde_json::{Map, Value, json};
use utoipa::OpenApi;

use self::definitions::{Definitions, reference};
use super::bound::Bound;
use super::condition::Until;
use super::condition_form::{ANY, BARE};
use super::expectation::WORDS;
use super::nemesis::Nemesis;
use super::role::{OTHERS, PLACES, Role};
use super::step::{CHOICES, LONGEST_MARK, MOST_REPEATS, ONE_NODE, UNDOABLE};
use interlock_model::choice::Choice;
use interlock_model::event::What;
use interlock_model::span::Span;
use interlock_model::specification::{Declaration, Draft, NodeGroup, Service};
use interlock_observation::monitor;
use interlock_observation::state::Status;

/// The types that are read directly from the document.
#[derive(OpenApi)]
#[openapi(components(schemas(Declaration, Draft, NodeGroup, Service, Until, Nemesis, Span)))]
struct Plain;

/// The types that are read from the document after its roles have been replaced by node numbers.
#[derive(OpenApi)]
#[openapi(components(schemas(Choice)))]
struct WithRoles;

/// The prefix for the names of the schemas of [`WithRoles`].
const WITH_ROLES: &str = "Step";

/// Returns the JSON Schema of a scenario, in the dialect 2020-12.
#[must_use]
pub fn schema() -> Value {
    let mut all = Definitions::of(&Plain::openapi(), "");
    let mut done = Definitions::of(&WithRoles::openapi(), WITH_ROLES);
    done.change(&mut allow_roles);
    all.extend(done);
    let condition = condition(&mut all);
    all.insert("Node", node());
    all.insert("Faults", faults());
    let step = step(&mut all);
    all.insert("Step", step);
    all.insert("Expectation", expectation(&condition));
    all.insert("Until", condition);
    let mut scenario = all.take("Draft");
    describe_run(&mut scenario);
    let own = [
        ("steps", "Steps, executed one after the other.", vec![list_of("Step")]),
        ("expect", "Expectations about the run.", vec![list_of("Expectation"), reference("Expectation")]),
        (
            "stop",
            "End of the run. If absent, the run ends when all expectations are decided, or after ten seconds, or \
                  later if its steps and expectations need more time.",
            stop(),
        ),
        ("nemesis", "Random faults in addition to the steps.", vec![reference("Nemesis")]),
        (
            "own",
            "Declaration of the algorithm of programs that implement one of their own.",
            vec![reference("Declaration")],
        ),
        ("services", "Servers that the programs use.", vec![list_of("Service")]),
        ("about", "Description of the scenario, for people.", vec![words_for_people()]),
        ("source", "Source of the scenario, for people.", vec![words_for_people()]),
        ("lesson", "Lesson about the run, from mark to mark.", vec![json!({ "type": "object" })]),
    ];
    for (name, description, mut forms) in own {
        forms.push(json!({ "type": "null" }));
        scenario["properties"][name] = json!({ "description": description, "anyOf": forms });
    }
    let definitions = all.reached_from(&scenario);
    scenario["$defs"] = definitions.into();
    scenario["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
    scenario["title"] = "A scenario of Interlock".into();
    scenario
}

/// Adds the list of algorithms to the schema of a run. Removes the script, because a scenario has steps instead.
fn describe_run(scenario: &mut Value) {
    let description = "A run, the steps that act on it, and the expectations about it.";
    scenario["description"] = description.into();
    let names: Vec<&str> = catalogue::ENTRIES.iter().chain([&catalogue::OWN]).map(|entry| entry.name).collect();
    scenario["properties"]["algorithm"]["enum"] = names.into();
    let nodes = &mut scenario["properties"]["nodes"];
    *nodes = json!({ "anyOf": [nodes.take(), list_of("NodeGroup")] });
    if let Some(properties) = scenario["properties"].as_object_mut() {
        properties.remove("script");
    }
}

/// Returns the schema of fault kinds: a non-empty list, or a text.
fn faults() -> Value {
    let list = json!({ "type": "array", "items": reference("Fault"), "minItems": 1 });
    json!({ "anyOf": [list, { "type": "string" }] })
}

fn words_for_people() -> Value {
    json!({ "type": "string" })
}

fn list_of(name: &str) -> Value {
    json!({ "type": "array", "items": reference(name) })
}

/// Changes a schema so that it accepts a role instead of each node number, and a text instead of a list of groups.
fn allow_roles(schema: &mut Map<String, Value>) {
    let Some(Value::Object(properties)) = schema.get_mut("properties") else { return };
    for (name, property) in properties {
        let description = property["description"].clone();
        if PLACES.contains(&&**name) {
            let forms = [Some(reference("Node")), is_optional(property).then(|| json!({ "type": "null" }))];
            *property = json!({ "description": description, "anyOf": forms.into_iter().flatten().collect::<Vec<_>>() });
        } else if name == "groups" {
            let member = json!({ "anyOf": [reference("Node"), { "const": OTHERS }] });
            let group = json!({ "anyOf": [{ "type": "array", "items": member }, group_in_a_word()] });
            let lists = json!({ "type": "array", "items": group });
            *property = json!({ "description": description, "anyOf": [groups_in_a_word(), lists] });
        }
    }
}

fn is_optional(property: &Value) -> bool {
    property["type"].as_array().is_some_and(|types| types.contains(&"null".into()))
}

/// Returns a regular expression for a node in a text: a number or a role.
fn node_in_a_word() -> String {
    format!(r"\s*({}|(node)?\s*[0-9]+)\s*", Role::NAMES.join("|"))
}

/// Returns the schema of a node, by number or role.
fn node() -> Value {
    json!({
        "description": "A node, by its number or by its present role.",
        "anyOf": [
            { "type": "integer", "minimum": 0 },
            { "enum": Role::NAMES },
            { "type": "string", "pattern": format!("^{}$", node_in_a_word()) },
        ],
    })
}

/// Returns the schema of a text that contains groups, such as `0,1|2,3` or `holder|others`.
fn groups_in_a_word() -> Value {
    separated_by("[,|]")
}

/// Returns the schema of a text that contains one group, such as `0,1` or `holder`.
fn group_in_a_word() -> Value {
    separated_by(",")
}

fn separated_by(separator: &str) -> Value {
    let member = format!(r"({}|\s*{OTHERS}\s*)", node_in_a_word());
    json!({ "type": "string", "pattern": format!("^{member}({separator}{member})*$") })
}

/// Returns the schema of a step: one of the verbs, and the fields that a step may have beside its verb.
fn step(all: &mut Definitions) -> Value {
    let choice = all.take(&format!("{WITH_ROLES}Choice"));
    let mut verbs = Map::new();
    for alternative in choice["oneOf"].as_array().into_iter().flatten() {
        let Some((verb, inner)) = alternative["properties"].as_object().and_then(|fields| fields.iter().next()) else {
            continue;
        };
        if CHOICES.contains(&&**verb) {
            let forms = forms_of(verb, inner.clone(), all);
            verbs.insert(verb.clone(), json!({ "description": alternative["description"], "anyOf": forms }));
        }
    }
    for (verb, description, form) in [
        ("wait", "Waits until this condition is met.", reference("Until")),
        ("sleep", "Waits for this time.", reference("Span")),
        ("mark", "Names this moment.", json!({ "type": "string", "minLength": 1, "maxLength": LONGEST_MARK })),
        (
            "repeat",
            "Number of times that the steps beside it are executed.",
            json!({ "type": "integer", "minimum": 1, "maximum": MOST_REPEATS }),
        ),
    ] {
        verbs.insert(verb.to_owned(), json!({ "description": description, "anyOf": [form] }));
    }
    let one_of = one_of(verbs.keys());
    verbs.insert("at".to_owned(), described("Time of the step since the start of the run.", "Span"));
    verbs.insert("within".to_owned(), described("Maximum time to wait.", "Span"));
    verbs.insert("steps".to_owned(), list_of("Step"));
    json!({
        "description": "One action or wait.", "type": "object", "properties": verbs,
        "additionalProperties": false, "oneOf": one_of,
        "dependentRequired": { "within": ["wait"], "steps": ["repeat"], "repeat": ["steps"] },
        "dependentSchemas": { "repeat": { "properties": { "at": false } } },
    })
}

/// Returns the schemas of all forms in which the value of this verb can be written.
fn forms_of(verb: &str, mut inner: Value, all: &mut Definitions) -> Vec<Value> {
    if UNDOABLE.contains(&verb)
        && let Some(properties) = all.properties(&mut inner)
    {
        properties.insert("for".to_owned(), described("Time after which the action is undone.", "Span"));
    }
    let short = match verb {
        "heal" => Some(json!({ "enum": ["all", null] })),
        _ if ONE_NODE.contains(&verb) => Some(reference("Node")),
        _ => None,
    };
    short.into_iter().chain([inner]).collect()
}

fn described(description: &str, name: &str) -> Value {
    json!({ "description": description, "anyOf": [reference(name)] })
}

/// Returns one schema for each field in `names`. Each schema requires its field.
fn one_of<'a>(names: impl Iterator<Item = &'a String>) -> Vec<Value> {
    names.map(|name| json!({ "required": [name] })).collect()
}

/// Returns the schema of a condition, including its short forms.
fn condition(all: &mut Definitions) -> Value {
    let derived = all.take("Until");
    let mut conditions = Map::new();
    for alternative in derived["oneOf"].as_array().into_iter().flatten() {
        let described = |forms: Value| json!({ "description": alternative["description"], "anyOf": forms });
        if let Some(word) = alternative["enum"][0].as_str() {
            conditions.insert(word.to_owned(), described(json!([{ "enum": [null, {}] }])));
            continue;
        }
        let Some((word, inner)) = alternative["properties"].as_object().and_then(|fields| fields.iter().next()) else {
            continue;
        };
        let mut inner = inner.clone();
        let short = match word.as_str() {
            "violation" => json!([{ "enum": *monitor::NAMES }, { "type": "null" }]),
            _ if ANY.contains(&&**word) => json!([{ "type": "null" }]),
            _ => json!([]),
        };
        name_what_there_is(word, &mut inner, all);
        let forms = short.as_array().into_iter().flatten().cloned().chain([inner]).collect();
        conditions.insert(word.clone(), described(forms));
    }
    json!({
        "description": derived["description"],
        "anyOf": [{ "enum": words() }, {
            "type": "object", "properties": conditions, "additionalProperties": false,
            "minProperties": 1, "maxProperties": 1,
        }],
    })
}

/// Returns the conditions that may be written as a word alone.
fn words() -> Vec<&'static str> {
    let verdicts = Status::ALL.map(Status::name).into_iter().filter(|word| !BARE.contains(word));
    BARE.into_iter().chain(ANY).chain(verdicts).collect()
}

/// Adds the known names and the valid ranges of numbers to the schema of a condition.
fn name_what_there_is(word: &str, inner: &mut Value, all: &mut Definitions) {
    match word {
        "entries" | "operations" => inner["minimum"] = 1.into(),
        "any" | "all" => inner["minItems"] = 1.into(),
        _ => {}
    }
    let Some(properties) = all.properties(inner) else { return };
    let names = match word {
        "violation" => ("monitor", monitor::NAMES.clone()),
        "event" => ("kind", What::KINDS.to_vec()),
        _ => return,
    };
    if let Some(property) = properties.get_mut(names.0) {
        let words: Vec<Value> = names.1.into_iter().map(Value::from).chain([Value::Null]).collect();
        property["enum"] = words.into();
    }
}

/// Returns the schema of an expectation: a condition that must be met, a condition that must not be met, or a metric.
fn expectation(condition: &Value) -> Value {
    let mut words = condition["anyOf"][1]["properties"].as_object().cloned().unwrap_or_default();
    for word in WORDS {
        let schema = match word {
            "never" => described("Condition that is never met.", "Until"),
            "eventually" => described("Condition that is met at some time.", "Until"),
            _ => json!({
                "description": "Bound of a metric at the end of the run: response_time.p99 < 200ms",
                "type": "string", "pattern": Bound::PATTERN,
            }),
        };
        words.insert(word.to_owned(), schema);
    }
    let one_of = one_of(words.keys());
    words.insert(
        "after".to_owned(),
        json!({ "description": "Mark from which on the expectation applies.", "type": "string" }),
    );
    words.insert("within".to_owned(), described("Time for which the expectation applies.", "Span"));
    json!({
        "description": "An expectation about the run.", "type": "object", "properties": words,
        "additionalProperties": false, "oneOf": one_of,
        // A metric is measured over the whole run, so `after` and `within` are not allowed.
        "dependentSchemas": { "metric": { "properties": { "after": false, "within": false } } },
    })
}

/// Returns the schemas of all forms in which the end of a run can be written.
fn stop() -> Vec<Value> {
    let after = described("Latest end of the run.", "Span");
    let when = described(
        "Condition that ends the run. With `decided`, the run ends once all steps are executed and all expected \
         conditions are met.",
        "Until",
    );
    let properties = json!({ "after": after, "when": when });
    vec![
        json!({ "enum": words() }),
        json!({ "type": "object", "properties": properties, "additionalProperties": false }),
    ]
}
