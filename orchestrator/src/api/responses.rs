//! What the OpenAPI document says of operations, answers and the parts of paths, where types and comments say it already.

use serde_json::{Value, json};

const PROBLEM: &str = "#/components/schemas/Problem";

/// Gives each answer a description, problems their media type, and each part of a path its meaning.
pub fn describe(document: &mut Value) {
    let schemas = document["components"]["schemas"].clone();
    let paths = document["paths"].as_object_mut().into_iter().flatten();
    for operation in paths.flat_map(|(_, item)| item.as_object_mut().into_iter().flatten()).map(|(_, value)| value) {
        summarise(operation);
        for parameter in operation.get_mut("parameters").and_then(Value::as_array_mut).into_iter().flatten() {
            describe_parameter(parameter);
        }
        let Some(responses) = operation.get_mut("responses").and_then(Value::as_object_mut) else { continue };
        responses.insert("default".to_owned(), problem("Any other problem."));
        for (status, response) in responses {
            describe_response(status, response, &schemas);
        }
    }
}

/// The first sentence of what an operation does is its summary; where there are more, all are its description.
fn summarise(operation: &mut Value) {
    let told = operation["summary"].as_str().unwrap_or_default().replace('\n', " ");
    if let Some((first, _)) = told.split_once(". ") {
        operation["summary"] = format!("{first}.").into();
        operation["description"] = told.into();
    }
}

fn describe_parameter(parameter: &mut Value) {
    if parameter["in"] != "path" {
        return;
    }
    let meaning = match parameter["name"].as_str().unwrap_or_default() {
        "run" => "The run: its id, its name if no other run has it, or `latest`.",
        "node" => "The node, from 0.",
        "from" => "The node where the link begins.",
        "to" => "The node where the link ends.",
        "message" => "The message: from, to and its number on that link, as in `0.1.12`.",
        "partition" => "The number of the partition.",
        "rule" => "The number of the rule.",
        "resource" => "The resource: `account`, or a file such as `file-1`.",
        _ => "Its name.",
    };
    parameter["description"] = meaning.into();
    if parameter["name"] == "run" {
        parameter["schema"] = json!({ "type": "string" });
    }
}

fn problem(description: &str) -> Value {
    json!({ "description": description, "content": { "application/problem+json": { "schema": { "$ref": PROBLEM } } } })
}

fn describe_response(status: &str, response: &mut Value, schemas: &Value) {
    let schema = &response["content"]["application/json"]["schema"];
    if schema["$ref"] == PROBLEM {
        *response = problem(problem_of(status));
        return;
    }
    if response["description"].as_str().is_some_and(|description| !description.is_empty()) {
        return;
    }
    let name = schema["$ref"].as_str().and_then(|reference| reference.rsplit('/').next());
    let meaning = name.and_then(|name| schemas[name]["description"].as_str());
    response["description"] =
        meaning.unwrap_or(if status == "204" { "It is gone." } else { "What was asked for." }).into();
}

fn problem_of(status: &str) -> &'static str {
    match status {
        "404" => "There is no such thing.",
        "408" => "It does not come to its end.",
        "409" => "That cannot be done now.",
        "412" => "It is not as it was any more.",
        "413" => "It is too large.",
        "415" => "This is not what is read here.",
        "422" => "The document is not one that can be used; `errors` says where, why, and what would be right.",
        "426" => "It is read in another way.",
        "429" => "There are as many as there may be.",
        _ => "A problem.",
    }
}
