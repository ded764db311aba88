//! Tests of the OpenAPI document, and of answers that need no run.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{Server, contract, fields};
use crate::ranges;
use interlock_model::event::What;
use interlock_simulation::simulation::{Simulation, Watch};

const OPERATIONS: [&str; 49] = [
    "delete /api/v1/runs/{run}",
    "delete /api/v1/runs/{run}/network/links/{from}/{to}",
    "delete /api/v1/runs/{run}/network/partitions/{partition}",
    "delete /api/v1/runs/{run}/network/rules/{rule}",
    "get /api/v1/algorithms",
    "get /api/v1/algorithms/{name}",
    "get /api/v1/runs",
    "get /api/v1/runs/{run}",
    "get /api/v1/runs/{run}/choices",
    "get /api/v1/runs/{run}/events",
    "get /api/v1/runs/{run}/metrics",
    "get /api/v1/runs/{run}/network",
    "get /api/v1/runs/{run}/network/default",
    "get /api/v1/runs/{run}/network/messages",
    "get /api/v1/runs/{run}/network/partitions",
    "get /api/v1/runs/{run}/network/rules",
    "get /api/v1/runs/{run}/nodes",
    "get /api/v1/runs/{run}/nodes/{node}",
    "get /api/v1/runs/{run}/replay",
    "get /api/v1/runs/{run}/schedule",
    "get /api/v1/runs/{run}/state",
    "get /api/v1/runs/{run}/stream",
    "get /api/v1/runs/{run}/trace",
    "get /api/v1/runs/{run}/violations",
    "get /healthz",
    "get /metrics",
    "patch /api/v1/runs/{run}/network/default",
    "post /api/v1/runs",
    "post /api/v1/runs/import",
    "post /api/v1/runs/{run}/heal",
    "post /api/v1/runs/{run}/network/messages/release",
    "post /api/v1/runs/{run}/network/messages/{message}/deliver",
    "post /api/v1/runs/{run}/network/messages/{message}/drop",
    "post /api/v1/runs/{run}/network/messages/{message}/duplicate",
    "post /api/v1/runs/{run}/network/partitions",
    "post /api/v1/runs/{run}/network/rules",
    "post /api/v1/runs/{run}/nodes/{node}/acquire",
    "post /api/v1/runs/{run}/nodes/{node}/corrupt",
    "post /api/v1/runs/{run}/nodes/{node}/crash",
    "post /api/v1/runs/{run}/nodes/{node}/fire",
    "post /api/v1/runs/{run}/nodes/{node}/pause",
    "post /api/v1/runs/{run}/nodes/{node}/release",
    "post /api/v1/runs/{run}/nodes/{node}/restart",
    "post /api/v1/runs/{run}/nodes/{node}/resume",
    "post /api/v1/runs/{run}/nodes/{node}/suspect",
    "post /api/v1/runs/{run}/nodes/{node}/trust",
    "post /api/v1/runs/{run}/replay/step",
    "post /api/v1/runs/{run}/stop",
    "post /api/v1/runs/{run}/wait",
];

async fn document() -> Value {
    let server = Server::start().await;
    let document = server.get("/openapi.json").await;
    assert_eq!((document.status.as_u16(), document.header("content-type")), (200, "application/json"));
    assert_eq!(document.text, server.get("/api/v1/openapi.json").await.text);
    document.json()
}

fn operations(document: &Value) -> impl Iterator<Item = (String, &Value)> {
    document["paths"].as_object().into_iter().flatten().flat_map(|(path, item)| {
        let methods = item.as_object().into_iter().flatten();
        methods
            .filter(|(_, operation)| operation["responses"].is_object())
            .map(move |(method, operation)| (format!("{method} {path}"), operation))
    })
}

/// Collects all references of a document.
fn references(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(map) => {
            found.extend(map.get("$ref").and_then(Value::as_str).map(str::to_owned));
            map.values().for_each(|value| references(value, found));
        }
        Value::Array(items) => items.iter().for_each(|value| references(value, found)),
        _ => {}
    }
}

#[tokio::test]
async fn how_a_token_is_shown_is_told_and_that_there_may_be_none() {
    let document = Server::start().await.get("/openapi.json").await.json();
    assert_eq!(document["components"]["securitySchemes"]["token"]["scheme"], "bearer");
    assert_eq!(document["security"], json!([{}, { "token": [] }]));
}

#[tokio::test]
async fn it_is_of_version_3_1_and_lists_every_route() {
    let document = document().await;
    assert!(document["openapi"].as_str().is_some_and(|version| version.starts_with("3.1")), "{}", document["openapi"]);
    let listed: BTreeSet<String> = operations(&document).map(|(name, _)| name).collect();
    let missing: Vec<_> = OPERATIONS.iter().filter(|name| !listed.contains(**name)).collect();
    assert!(missing.is_empty(), "{missing:?} of {listed:#?}");
}

#[tokio::test]
async fn its_references_lead_somewhere_and_its_operations_have_names_of_their_own() {
    let document = document().await;
    let mut found = BTreeSet::new();
    references(&document, &mut found);
    assert!(found.len() > 20, "{found:?}");
    for reference in found {
        let pointer = reference.strip_prefix('#').expect("references stay inside");
        assert!(document.pointer(pointer).is_some(), "{reference}");
    }
    let mut names = BTreeSet::new();
    for (operation, value) in operations(&document) {
        let name = value["operationId"].as_str().expect("an id");
        assert!(names.insert(name.to_owned()), "{operation}: `{name}` is taken");
    }
}

#[tokio::test]
async fn a_summary_is_one_sentence_and_what_is_longer_is_the_description() {
    let document = document().await;
    for (operation, value) in operations(&document) {
        let summary = value["summary"].as_str().unwrap_or_else(|| panic!("{operation} says what it does"));
        assert!(summary.ends_with('.') && !summary.contains(". "), "{operation}: {summary}");
    }
    let create = &document["paths"]["/api/v1/runs"]["post"];
    assert_eq!(create["summary"], "Creates a run.");
    assert!(
        create["description"].as_str().is_some_and(|all| all.starts_with("Creates a run. The answer is sent when"))
    );
}

/// Collects all descriptions and summaries, each with its JSON pointer.
fn descriptions(value: &Value, place: &str, found: &mut Vec<(String, String)>) {
    match value {
        Value::Object(map) => {
            for (name, value) in map {
                if let (Some(text), "description" | "summary") = (value.as_str(), name.as_str()) {
                    found.push((format!("{place}/{name}"), text.to_owned()));
                }
                descriptions(value, &format!("{place}/{name}"), found);
            }
        }
        Value::Array(items) => items.iter().for_each(|value| descriptions(value, place, found)),
        _ => {}
    }
}

#[tokio::test]
async fn descriptions_are_for_people_who_have_not_the_source() {
    let mut found = Vec::new();
    descriptions(&document().await, "", &mut found);
    assert!(found.len() > 300, "{}", found.len());
    for (place, text) in found {
        let leaks = ["](", "[`", "::", "Option<", "Vec<", " u32", " f64", " struct ", " enum "];
        assert!(!leaks.iter().any(|leak| text.contains(leak)), "{place}: {text}");
    }
}

#[tokio::test]
async fn every_answer_is_described_and_every_problem_has_its_media_type() {
    let document = document().await;
    let mut count = 0;
    for (name, operation) in operations(&document) {
        assert!(operation["parameters"].is_array() || operation.get("parameters").is_none(), "{name}");
        let responses = operation["responses"].as_object().expect("responses");
        for (status, response) in responses {
            let description = response["description"].as_str().unwrap_or_default();
            assert!(description.len() > 5, "{name} {status}: {response}");
            let problem = &response["content"]["application/problem+json"]["schema"]["$ref"];
            let is_problem = *problem == "#/components/schemas/Problem";
            let is_refused: u16 = status.parse().expect("each status has a number of its own");
            assert_eq!(is_problem, is_refused >= 400, "{name} {status}: {response}");
            assert_ne!(
                response["content"]["application/json"]["schema"]["$ref"], "#/components/schemas/Problem",
                "{name}"
            );
            count += 1;
        }
        for status in ["400", "401", "403", "413", "415", "421", "500"] {
            assert!(responses.contains_key(status), "{name}: {status}");
        }
        assert_eq!(responses.contains_key("404"), name.contains('{'), "{name}");
        assert!(operation["requestBody"].is_null() || responses.contains_key("422"), "{name}");
    }
    assert!(count > 500, "{count}");
}

/// Every test compares its answers with the OpenAPI document. This test verifies that the comparison detects
/// undocumented answers.
#[tokio::test]
async fn an_answer_that_is_not_documented_is_noticed() {
    let document = document().await;
    let (json, problem) = ("application/json", "application/problem+json");
    for (method, path, status, kind, is_documented) in [
        ("GET", "/api/v1/runs?limit=1", 200, json, true),
        ("HEAD", "/api/v1/runs", 200, json, true),
        ("GET", "/api/v1/runs", 200, "text/plain; charset=utf-8", false),
        ("GET", "/metrics", 200, "text/plain; version=0.0.4; charset=utf-8", true),
        ("GET", "/api/v1/runs", 400, problem, true),
        ("GET", "/api/v1/runs", 400, json, false),
        ("GET", "/api/v1/runs", 404, problem, false),
        ("GET", "/api/v1/runs/latest", 404, problem, true),
        ("DELETE", "/api/v1/runs/latest", 204, "", true),
        ("DELETE", "/api/v1/runs/latest", 204, json, false),
        ("POST", "/api/v1/runs/import", 429, problem, true),
        ("GET", "/api/v1/runs/import", 200, json, false),
        ("PUT", "/api/v1/runs", 405, problem, true),
        ("PUT", "/api/v1/runs", 200, json, false),
        ("GET", "/styles/page.css", 200, "text/css", true),
    ] {
        let found = contract::undocumented(&document, method, path, status, kind);
        assert_eq!(found.is_none(), is_documented, "{method} {path} {status} {kind}: {found:?}");
    }
}

#[tokio::test]
async fn what_is_made_leads_to_what_can_be_done_with_it() {
    let document = document().await;
    let operations: Vec<_> = operations(&document).map(|(_, operation)| operation).collect();
    let links = document["components"]["links"].as_object().expect("links");
    assert!(links.len() > 40, "{links:?}");
    for (name, link) in links {
        let found = operations.iter().find(|operation| operation["operationId"] == link["operationId"]);
        let parts = found.and_then(|operation| operation["parameters"].as_array()).expect("parts of a path");
        for part in link["parameters"].as_object().expect("parameters").keys() {
            assert!(parts.iter().any(|known| known["name"] == *part && known["in"] == "path"), "{name}: {part}");
        }
    }
    let made = &document["paths"]["/api/v1/runs"]["post"]["responses"]["201"]["links"];
    assert_eq!(made["find_run"]["$ref"], "#/components/links/find_run_of_run");
    // A link can use a path parameter of the request only if the path of the request has this parameter.
    assert_eq!(links["delete_rule_of_run"]["parameters"], json!({ "run": "$response.body#/id" }));
    assert_eq!(links["delete_rule_of_rule"]["parameters"]["run"], "$request.path.run");
}

#[tokio::test]
async fn what_stands_in_a_document_has_the_ranges_that_the_program_goes_by() {
    let document = document().await;
    let missing = ranges::fields().filter(|(schema, field, range)| {
        let found = &document["components"]["schemas"][schema]["properties"][field];
        !range
            .as_object()
            .expect("a range")
            .iter()
            .all(|(word, value)| found[word] == *value || word == "oneOf" && found[word].is_array())
    });
    assert_eq!(missing.collect::<Vec<_>>(), vec![]);
    let schemas = &document["components"]["schemas"];
    assert_eq!(schemas["LiveRun"]["properties"]["nodes"]["maximum"], 1_000);
    assert_eq!(schemas["PartitionDraft"]["properties"]["lost"]["$ref"], "#/components/schemas/Lost");
    assert_eq!(
        schemas["Lost"]["enum"].as_array().map(Vec::len).or(schemas["Lost"]["oneOf"].as_array().map(Vec::len)),
        Some(2)
    );
    assert_eq!(schemas["ClientTimerAlternative"]["properties"]["client"]["$ref"], "#/components/schemas/ClientTimer");
    assert_eq!(schemas["AcquireChoice"]["additionalProperties"], false);
    assert_eq!(schemas["EnteredUntil"]["properties"]["entered"]["oneOf"][1], json!({ "type": "null" }));
    let limit = &document["paths"]["/api/v1/runs"]["get"]["parameters"][0]["schema"];
    assert_eq!((&limit["minimum"], &limit["maximum"]), (&json!(1), &json!(1000)));
}

#[tokio::test]
async fn what_has_several_forms_is_no_object() {
    let schemas = document().await["components"]["schemas"].clone();
    let forms = |schema: &str| schemas[schema]["oneOf"].as_array().map_or(0, Vec::len);
    for (schema, at_least) in
        [("Until", 8), ("Choice", 13), ("ClientNodes", 2), ("Time", 2), ("Times", 2), ("Timer", 2)]
    {
        assert!(forms(schema) >= at_least, "{schema}: {}", schemas[schema]);
    }
    assert_eq!(schemas["Wait"]["properties"]["until"]["$ref"], "#/components/schemas/Until");
    assert_eq!(schemas["AcquireChoice"]["required"], json!(["acquire"]));
    assert_eq!(schemas["AcquireChoiceFields"]["required"], json!(["node"]));
    let nodes = schemas["WorkloadDraft"]["properties"]["nodes"].to_string();
    assert!(nodes.contains("ClientNodes"), "{nodes}");
}

/// The schema of each kind of event must contain all fields that events of this kind have in runs. A field that
/// such an event can lack must not be required.
#[tokio::test]
async fn every_kind_of_event_is_described_as_it_is() {
    let schemas = document().await["components"]["schemas"].clone();
    let mapping = &schemas["Event"]["discriminator"]["mapping"];
    assert_eq!(mapping.as_object().map(serde_json::Map::len), Some(What::KINDS.len()));
    let mut seen = BTreeSet::new();
    for example in interlock_simulation::example::LIBRARY.all().expect("examples") {
        let specification = example.draft().expect("a draft").complete_simulated().expect("a specification");
        let simulation = Simulation { watch: Watch::Events, most_steps: 500, ..Simulation::new(specification, 20) };
        for event in simulation.run().expect("a report").events {
            let event = serde_json::to_value(event).expect("JSON");
            let kind = event["kind"].as_str().expect("a kind");
            let name = mapping[kind].as_str().and_then(|reference| reference.rsplit('/').next()).expect("a schema");
            let schema = &schemas[name];
            for field in event.as_object().expect("an object").keys() {
                assert!(schema["properties"][field].is_object(), "{name} has no {field}: {event}");
            }
            for field in schema["required"].as_array().expect("required fields") {
                assert!(event.get(field.as_str().expect("a name")).is_some(), "{name} needs {field}: {event}");
            }
            seen.insert(kind.to_owned());
        }
    }
    assert!(seen.len() > 20, "{seen:?}");
}

#[tokio::test]
async fn what_it_names_as_parameters_of_a_path_is_in_the_path() {
    for (name, operation) in operations(&document().await) {
        let parameters = operation["parameters"].as_array().map_or(&[][..], Vec::as_slice);
        let in_path = parameters.iter().filter(|parameter| parameter["in"] == "path").count();
        assert_eq!(in_path, name.matches('{').count(), "{name}");
    }
}

#[tokio::test]
async fn delays_by_kind_are_a_table_of_texts_that_may_be_absent() {
    let server = Server::start().await;
    let schemas = &server.get("/openapi.json").await.json()["components"]["schemas"];
    // A request may write a distribution in any form; an answer always contains its text form.
    let (text, time) = (json!({ "type": "string" }), json!({ "$ref": "#/components/schemas/Times" }));
    for (schema, kind, of) in [("LinkSetting", json!("object"), text), ("LinkPatch", json!(["object", "null"]), time)] {
        let delays = &schemas[schema]["properties"]["delays"];
        assert_eq!((&delays["type"], &delays["additionalProperties"]), (&kind, &of), "{delays}");
        assert_ne!(
            schemas[schema]["required"].as_array().map(|required| required.contains(&json!("delays"))),
            Some(true)
        );
    }
}

#[tokio::test]
async fn algorithms_have_their_shape() {
    let server = Server::start().await;
    let all = server.get("/api/v1/algorithms").await.json();
    assert_eq!(fields(&all), ["items"]);
    let one = server.get("/api/v1/algorithms/ricart-agrawala").await.json();
    assert!(all["items"].as_array().is_some_and(|items| items.contains(&one)));
    let expected = [
        "assumes",
        "background_kinds",
        "commands",
        "conduct",
        "family",
        "keeps_order",
        "locks",
        "message_kinds",
        "messages_per_entry",
        "name",
        "parameters",
        "repair_kinds",
        "sentences",
        "source",
        "structure",
        "summary",
        "title",
        "token_kinds",
        "variants",
    ];
    assert_eq!(fields(&one), expected);
    let assumes = ["failure_detector", "fifo", "no_crash", "no_duplication", "no_loss", "stable_storage", "time_outs"];
    assert_eq!(fields(&one["assumes"]), assumes);
    assert_eq!(fields(&one["variants"][0]), ["assumes", "name", "summary"]);
    assert_eq!(fields(&one["source"]), ["authors", "title", "year"]);
    assert_eq!(one["message_kinds"], json!(["REQUEST", "REPLY", "JOIN", "WELCOME"]));
    assert_eq!(one["repair_kinds"], json!(["JOIN", "WELCOME"]));
}

#[tokio::test]
async fn the_catalogue_is_shown_as_it_is() {
    let server = Server::start().await;
    let shown = server.get("/api/v1/algorithms").await.json();
    let catalogue = serde_json::to_value(crate::catalogue::Algorithm::all()).expect("JSON");
    assert_eq!(shown["items"], catalogue);
}

#[tokio::test]
async fn health_is_told() {
    let server = Server::start().await;
    let health = server.get("/healthz").await.json();
    assert_eq!(health, json!({"status": "ok", "version": env!("CARGO_PKG_VERSION")}));
}

#[tokio::test]
async fn the_body_of_a_scenario_has_the_form_of_its_schema_without_programs() {
    let document = document().await;
    for path in ["/api/v1/scenarios", "/api/v1/simulations"] {
        let body = &document["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"];
        assert_eq!(body["$ref"], "#/components/schemas/WrittenScenario", "{path}");
    }
    let schemas = &document["components"]["schemas"];
    let written = &schemas["WrittenScenario"];
    assert_eq!((&written["required"], &written["additionalProperties"]), (&json!(["algorithm"]), &json!(false)));
    assert_eq!(written["properties"]["steps"]["anyOf"][0]["items"]["$ref"], "#/components/schemas/WrittenScenarioStep");
    assert_eq!(written["properties"].get("own"), None);
    assert_eq!(schemas["WrittenScenarioNodeGroup"]["properties"].get("command"), None);
}

#[tokio::test]
async fn delays_are_of_kinds_that_there_are_and_a_page_of_runs_follows_a_run() {
    let document = document().await;
    let schemas = &document["components"]["schemas"];
    let of_draft = [
        &schemas["Draft"]["properties"]["network"]["properties"]["delays"]["propertyNames"],
        &schemas["Draft"]["properties"]["links"]["items"]["properties"]["delays"]["propertyNames"],
        &schemas["WrittenScenarioLinkPatch"]["properties"]["delays"]["propertyNames"],
        &schemas["WrittenScenarioLinkOverride"]["properties"]["delays"]["propertyNames"],
    ];
    for names in of_draft {
        let kinds = names["enum"].as_array().expect("kinds");
        assert!(["REQUEST", "TOKEN", "TELL"].iter().all(|kind| kinds.contains(&json!(kind))), "{names}");
        assert!(!kinds.contains(&json!("GOSSIP")), "{names}");
    }
    let of_a_run = &schemas["LinkPatch"]["properties"]["delays"]["propertyNames"];
    assert_eq!(*of_a_run, json!({ "type": "string", "minLength": 1, "maxLength": 64 }));
    let parameters = document["paths"]["/api/v1/runs"]["get"]["parameters"].as_array().expect("parameters");
    let after = parameters.iter().find(|parameter| parameter["name"] == "after").expect("a parameter");
    assert_eq!(after["schema"]["format"], "uuid");
}
