//! The schemas of types in the form of JSON Schema. They come from the types' schemas for the OpenAPI document.

use interlock_model::event::value_of;
use serde_json::{Map, Value, json};
use utoipa::openapi::OpenApi;

/// The location of the schemas in an OpenAPI document.
const COMPONENTS: &str = "#/components/schemas/";
/// The location in a JSON Schema of the schemas that other schemas refer to.
const DEFS: &str = "#/$defs/";

/// Schemas that refer to each other, by name.
#[derive(Debug, Default)]
pub struct Definitions(Map<String, Value>);

impl Definitions {
    /// Returns the schemas of a document, each with `prefix` before its name. No object schema allows additional
    /// fields, because the readers reject unknown fields.
    pub fn of(document: &OpenApi, prefix: &str) -> Self {
        let mut document = value_of(document);
        let Value::Object(schemas) = document["components"]["schemas"].take() else { return Self::default() };
        let named = schemas.into_iter().map(|(name, schema)| (format!("{prefix}{name}"), schema));
        let mut all = Self(named.collect());
        all.change(&mut |schema| {
            if let Some(Value::String(reference)) = schema.get_mut("$ref") {
                *reference = reference.replacen(COMPONENTS, &format!("{DEFS}{prefix}"), 1);
            }
        });
        let before = Self(all.0.clone());
        all.change(&mut |schema| before.join(schema));
        all.change(&mut |schema| {
            if schema.get("type").is_some_and(|kind| kind == "object") {
                schema.entry("additionalProperties").or_insert_with(|| false.into());
            }
        });
        all
    }

    /// Applies a function to each schema. Schemas inside other schemas are processed first.
    pub fn change(&mut self, change: &mut dyn FnMut(&mut Map<String, Value>)) {
        self.0.values_mut().for_each(|schema| change_each(schema, change));
    }

    /// Adds all schemas of `others`.
    pub fn extend(&mut self, Self(others): Self) {
        self.0.extend(others);
    }

    /// Adds the schema `schema` under the name `name`.
    pub fn insert(&mut self, name: &str, schema: Value) {
        self.0.insert(name.to_owned(), schema);
    }

    /// Removes and returns the schema with a name, or null if there is none.
    pub fn take(&mut self, name: &str) -> Value {
        self.0.remove(name).unwrap_or_default()
    }

    /// Returns the properties of an object schema, or of the object schema that a reference refers to. Returns none
    /// for any other schema.
    pub fn properties<'a>(&'a mut self, schema: &'a mut Value) -> Option<&'a mut Map<String, Value>> {
        let object = match name(schema).map(str::to_owned) {
            Some(name) => self.0.get_mut(&name)?,
            None => schema,
        };
        object.get_mut("properties")?.as_object_mut()
    }

    /// Returns the schemas to which the schema `root` refers, directly or indirectly.
    pub fn reached_from(mut self, root: &Value) -> Map<String, Value> {
        let (mut reached, mut open) = (Map::new(), references(root));
        while let Some(name) = open.pop() {
            let Some(schema) = self.0.remove(&name) else { continue };
            open.extend(references(&schema));
            reached.insert(name, schema);
        }
        reached
    }

    /// Merges the schemas that an object schema combines into one object schema. Without this, each of the combined
    /// schemas would reject the fields of all other schemas as additional fields.
    fn join(&self, schema: &mut Map<String, Value>) {
        let Some(Value::Array(parts)) = schema.remove("allOf") else { return };
        let (mut properties, mut required) = (Map::new(), Vec::new());
        for part in &parts {
            let part = name(part).and_then(|name| self.0.get(name)).unwrap_or(part);
            properties.extend(part["properties"].as_object().cloned().unwrap_or_default());
            required.extend(part["required"].as_array().cloned().unwrap_or_default());
        }
        schema.extend([
            ("type".to_owned(), "object".into()),
            ("properties".to_owned(), properties.into()),
            ("required".to_owned(), required.into()),
        ]);
    }
}

/// Returns a schema that consists of a reference to the schema with this name.
pub fn reference(name: &str) -> Value {
    json!({ "$ref": format!("{DEFS}{name}") })
}

/// Returns the name of the schema to which `schema` refers, or none if `schema` is not a reference.
fn name(schema: &Value) -> Option<&str> {
    schema["$ref"].as_str()?.strip_prefix(DEFS)
}

fn references(schema: &Value) -> Vec<String> {
    let inner: Vec<&Value> = match schema {
        Value::Object(map) => map.values().collect(),
        Value::Array(items) => items.iter().collect(),
        _ => Vec::new(),
    };
    name(schema).map(str::to_owned).into_iter().chain(inner.into_iter().flat_map(references)).collect()
}

fn change_each(schema: &mut Value, change: &mut dyn FnMut(&mut Map<String, Value>)) {
    match schema {
        Value::Object(map) => {
            map.values_mut().for_each(|inner| change_each(inner, change));
            change(map);
        }
        Value::Array(items) => items.iter_mut().for_each(|inner| change_each(inner, change)),
        _ => {}
    }
}
