//! Transforms the schemas of the OpenAPI document into a form from which client generators produce usable types.
//!
//! In JSON, an event is a flat object, and each kind of event has its own fields. The derived schemas are nested
//! instead: an event contains its content, which contains a step. This module replaces the derived schemas with one
//! flat object for each kind of event. It also gives each alternative of other types a name.

use interlock_model::event::{OutcomeEvent, What, value_of};
use serde_json::{Map, Value, json};
use utoipa::PartialSchema;

const SCHEMAS: &str = "#/components/schemas/";

/// Makes `Event` a choice of `EnteredEvent`, `SentEvent`, …, which the field `kind` distinguishes.
pub fn flatten_events(document: &mut Value) {
    let Some(schemas) = document["components"]["schemas"].as_object_mut() else { return };
    let (Some(event), Some(what)) = (schemas.remove("Event"), schemas.remove("What")) else { return };
    let outcomes = value_of(&OutcomeEvent::schema());
    let mut contents = Map::new();
    for content in [&what, &outcomes].into_iter().filter_map(|content| content["oneOf"].as_array()).flatten() {
        let mut whole = Object { description: content["description"].clone(), ..Object::default() };
        whole.gather(content, schemas);
        whole.gather(&event, schemas);
        contents.extend(whole.kind().map(|kind| (kind, whole.schema())));
    }
    let (mut references, mut mapping) = (Vec::new(), Map::new());
    for &kind in What::KINDS {
        let Some(schema) = contents.remove(kind) else { continue };
        let name = format!("{}Event", capitalised(kind));
        let reference = format!("{SCHEMAS}{name}");
        references.push(json!({ "$ref": reference }));
        mapping.insert(kind.to_owned(), reference.into());
        schemas.insert(name, schema);
    }
    let discriminator = json!({ "propertyName": "kind", "mapping": mapping });
    let description = event["description"].clone();
    let event = json!({ "oneOf": references, "discriminator": discriminator, "description": description });
    schemas.insert("Event".to_owned(), event);
}

/// Merges each schema that consists of several schemas into one object, and forbids unknown fields in this object.
pub fn flatten_objects(document: &mut Value) {
    let Some(schemas) = document["components"]["schemas"].as_object_mut() else { return };
    let known = schemas.clone();
    for schema in schemas.values_mut().filter(|schema| schema["allOf"].is_array()) {
        let mut whole = Object { description: schema["description"].clone(), ..Object::default() };
        whole.gather(schema, &known);
        *schema = whole.schema();
        schema["additionalProperties"] = false.into();
    }
}

/// Gives each alternative of a type its own name. For example, the alternative `{"acquire": {…}}` of `Choice` gets
/// the name `AcquireChoice`, and its content the name `AcquireChoiceFields`.
pub fn name_alternatives(document: &mut Value) {
    let Some(schemas) = document["components"]["schemas"].as_object_mut() else { return };
    let mut named = Map::new();
    let taken: Vec<String> = schemas.keys().cloned().collect();
    for (name, schema) in schemas.iter_mut() {
        for alternative in schema.get_mut("oneOf").and_then(Value::as_array_mut).into_iter().flatten() {
            let Some(fields) = alternative.get_mut("properties").and_then(Value::as_object_mut) else { continue };
            let mut fields = fields.iter_mut();
            let (Some((word, inner)), None) = (fields.next(), fields.next()) else { continue };
            let mut own = format!("{}{name}", capitalised(word));
            if taken.contains(&own) {
                own.push_str("Alternative");
            }
            if inner["type"] == "object" {
                if inner["properties"].is_object() {
                    inner["additionalProperties"] = false.into();
                }
                let inner_name = format!("{own}Fields");
                let reference = json!({ "$ref": format!("{SCHEMAS}{inner_name}") });
                named.insert(inner_name, std::mem::replace(inner, reference));
            }
            alternative["additionalProperties"] = false.into();
            let reference = json!({ "$ref": format!("{SCHEMAS}{own}") });
            named.insert(own, std::mem::replace(alternative, reference));
        }
    }
    schemas.append(&mut named);
}

/// An object schema, merged from several schemas.
#[derive(Default)]
struct Object {
    description: Value,
    properties: Map<String, Value>,
    required: Vec<Value>,
}

impl Object {
    /// Adds the fields of a schema, and the fields of all schemas that it contains or references.
    fn gather(&mut self, part: &Value, schemas: &Map<String, Value>) {
        let named = part["$ref"].as_str().and_then(|reference| schemas.get(reference.strip_prefix(SCHEMAS)?));
        if let Some(named) = named {
            self.gather(named, schemas);
        }
        for part in part["allOf"].as_array().into_iter().flatten() {
            self.gather(part, schemas);
        }
        let fields = part["properties"].as_object().cloned().unwrap_or_default();
        self.properties.extend(fields);
        let required = part["required"].as_array().cloned().unwrap_or_default();
        self.required.extend(required);
    }

    fn kind(&self) -> Option<String> {
        self.properties["kind"]["enum"][0].as_str().map(str::to_owned)
    }

    fn schema(self) -> Value {
        json!({
            "type": "object", "description": self.description, "required": self.required, "properties": self.properties,
        })
    }
}

fn capitalised(kind: &str) -> String {
    let mut letters = kind.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}
