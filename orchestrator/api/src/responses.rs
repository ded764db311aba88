//! Additions to the OpenAPI document about operations, answers and path parameters, derived from the types and
//! comments of the program.

use serde_json::{Map, Value, json};

const PROBLEM: &str = "#/components/schemas/Problem";
/// Statuses of problems that the answer to any request can have. These problems result from the access checks and
/// from reading the query, both of which precede the operation.
const ALWAYS: [&str; 8] = ["400", "401", "403", "413", "415", "421", "429", "500"];

/// Adds to each operation the error answers (problems, RFC 9457) that result from its method, path and body. Gives all
/// problems their media type and headers. Also adds summaries of operations, and descriptions of answers and of path
/// parameters.
pub fn describe(document: &mut Value) {
    let schemas = document["components"]["schemas"].clone();
    for (path, item) in document["paths"].as_object_mut().into_iter().flatten() {
        for (method, operation) in item.as_object_mut().into_iter().flatten() {
            summarise(operation);
            for parameter in operation.get_mut("parameters").and_then(Value::as_array_mut).into_iter().flatten() {
                describe_parameter(parameter);
            }
            let problems = problems(method, path, !operation["requestBody"].is_null());
            let Some(responses) = operation.get_mut("responses").and_then(Value::as_object_mut) else { continue };
            for status in problems {
                responses.entry(status).or_insert_with(|| problem(status));
            }
            for (status, response) in responses {
                describe_response(status, response, &schemas);
            }
        }
    }
}

/// Makes the first sentence of an operation's comment the summary of the operation. If the comment has more
/// sentences, the whole comment becomes the description.
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
        "run" => "The run: its id, its name if no other run has that name, or `latest`.",
        "node" => "The node, from 0.",
        "from" => "Node at which the link begins.",
        "to" => "Node at which the link ends.",
        "message" => "The message: sender, receiver and its number on that link, such as `0.1.12`.",
        "partition" => "The number of the partition.",
        "rule" => "The number of the rule.",
        "resource" => "The resource: `account`, or a file such as `file-1`.",
        _ => "The name.",
    };
    parameter["description"] = meaning.into();
    if parameter["name"] == "run" {
        parameter["schema"] = json!({ "type": "string" });
    }
}

/// Returns the statuses of problems that result from the path of an operation and from its body. Other problems
/// are documented at the operation itself.
fn problems(method: &str, path: &str, has_body: bool) -> Vec<&'static str> {
    let of_a_run = path.contains("{run}");
    // The answer is a conflict if the path names a node by a role and no node has this role. A change also
    // conflicts with a run that has ended or follows a schedule.
    let conflicts = path.contains("{node}") || path.contains("{from}") || (of_a_run && method != "get");
    let further =
        [(path.contains('{'), &["404"][..]), (has_body, &["408", "422"]), (conflicts, &["409"]), (of_a_run, &["507"])];
    let further = further.into_iter().filter(|(applies, _)| *applies).flat_map(|(_, statuses)| statuses);
    ALWAYS.iter().chain(further).copied().collect()
}

fn problem(status: &str) -> Value {
    let meaning = problem_of(status);
    let mut problem = json!({
        "description": meaning, "content": { "application/problem+json": { "schema": { "$ref": PROBLEM } } },
    });
    if let Some((name, told)) = header_of(status) {
        problem["headers"] = header(name, told);
    }
    problem
}

fn header(name: &str, told: &str) -> Value {
    let header = json!({ "description": told, "required": true, "schema": { "type": "string" } });
    Map::from_iter([(name.to_owned(), header)]).into()
}

/// Returns the name and the description of the header that each answer with `status` has; none if there is no such
/// header.
fn header_of(status: &str) -> Option<(&'static str, &'static str)> {
    match status {
        "201" => Some(("Location", "Address of the new resource.")),
        "401" => Some(("WWW-Authenticate", "How to send the token.")),
        "426" => Some(("Upgrade", "Protocol to use.")),
        _ => None,
    }
}

fn describe_response(status: &str, response: &mut Value, schemas: &Value) {
    let schema = &response["content"]["application/json"]["schema"];
    if schema["$ref"] == PROBLEM {
        *response = problem(status);
        return;
    }
    let name = schema["$ref"].as_str().and_then(|reference| reference.rsplit('/').next());
    let meaning = name.and_then(|name| schemas[name]["description"].as_str());
    if response["description"].as_str().is_none_or(str::is_empty) {
        response["description"] = meaning
            .unwrap_or(if status == "204" { "Done, without content." } else { "The requested document." })
            .into();
    }
    if let Some((name, told)) = header_of(status) {
        response["headers"] = header(name, told);
    }
}

fn problem_of(status: &str) -> &'static str {
    match status {
        "400" => "The query or the body is malformed.",
        "401" => "The playground has a token, and the request does not contain it.",
        "403" => "The request comes from a page of another origin.",
        "404" => "The resource does not exist.",
        "408" => "The request is too slow, or a condition was not met in time.",
        "409" => "The operation is not possible now.",
        "412" => "The resource has changed since.",
        "413" => "The request is too large.",
        "415" => "The media type is not supported.",
        "421" => "The request is for another host.",
        "422" => "The document is invalid; `errors` gives the place and the cause of each error, and the correct form.",
        "426" => "The operation requires a WebSocket.",
        "429" => "A limit is reached.",
        "500" => "Internal error of the playground.",
        "503" => "Processes are not available, or the answer is not ready yet.",
        "507" => "The journal is not available.",
        _ => "A problem.",
    }
}
