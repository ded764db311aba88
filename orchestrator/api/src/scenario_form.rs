//! Schema of a scenario in the OpenAPI document: the JSON Schema of scenario files, without the fields that are
//! permitted only in files.

use interlock_algorithm::catalogue::OWN;
use interlock_simulation::scenario;
use serde_json::Value;

use super::ranges;

/// Prefix of references to definitions in a JSON Schema.
const DEFS: &str = "#/$defs/";
/// Name of the schema of a request that plays a scenario. The names of its component schemas begin with this name.
const WRITTEN: &str = "WrittenScenario";

/// Adds the schema of a scenario to the OpenAPI document.
pub fn describe(document: &mut Value) {
    let Some(schemas) = document["components"]["schemas"].as_object_mut() else { return };
    let mut whole = scenario::schema();
    remove_programs(&mut whole);
    refer_to_components(&mut whole);
    let Some(fields) = whole.as_object_mut() else { return };
    fields.remove("$schema");
    fields.remove("title");
    let mut parts = fields.remove("$defs").unwrap_or_default();
    for (name, part) in parts.as_object_mut().into_iter().flatten() {
        if name.ends_with("LinkPatch") || name.ends_with("LinkOverride") {
            part["properties"]["delays"]["propertyNames"] = ranges::kinds();
        }
    }
    schemas.insert(WRITTEN.to_owned(), whole);
    for (name, part) in parts.as_object().into_iter().flatten() {
        schemas.insert(format!("{WRITTEN}{name}"), part.clone());
    }
}

/// Removes the commands and declarations of programs, which are permitted only in files.
fn remove_programs(scenario: &mut Value) {
    if let Some(properties) = scenario["properties"].as_object_mut() {
        properties.remove("own");
    }
    if let Some(algorithms) = scenario["properties"]["algorithm"]["enum"].as_array_mut() {
        algorithms.retain(|name| name != OWN.name);
    }
    if let Some(parts) = scenario["$defs"].as_object_mut() {
        parts.remove("Declaration");
        if let Some(properties) = parts.get_mut("NodeGroup").and_then(|group| group["properties"].as_object_mut()) {
            properties.remove("command");
            properties.remove("protocol");
        }
    }
}

fn refer_to_components(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            for (name, value) in fields {
                match value {
                    Value::String(reference) if name == "$ref" => {
                        *reference = reference.replacen(DEFS, &format!("#/components/schemas/{WRITTEN}"), 1);
                    }
                    _ => refer_to_components(value),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(refer_to_components),
        _ => {}
    }
}
