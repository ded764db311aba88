//! Tests of invalid bodies: each error has a pointer to the invalid value.

use axum::body::Body;
use axum::http::{Method, Request, header};
use serde_json::{Value, json};

use super::{HOST, Server, request};
use interlock_model::field_error::FieldError;
use interlock_model::specification::Draft;
use interlock_model::strict;

/// An object must not be given as a list of its values. A whole number may be written with a fraction of zero.
#[tokio::test]
async fn a_document_is_read_as_its_schema_says() {
    let server = Server::start().await;
    for (network, is_read) in [(json!({ "delay": 5 }), true), (json!([5]), false), (json!([]), false)] {
        let body = json!({ "algorithm": "lamport", "nodes": 2.0, "network": network }).to_string();
        let answer = server.send(request(Method::POST, "/api/v1/runs", Some(body))).await;
        let (status, kind) = if is_read { (503, "no-process") } else { (422, "invalid-run") };
        let problem = answer.problem(status, kind);
        assert_eq!(problem["errors"][0]["detail"] == "a list is not an object", !is_read, "{problem}");
    }
    refused(&server, r#"{"algorithm":"lamport","nodes":2.5}"#, 422, "invalid-run").await;
    let twice = refused(&server, r#"{"algorithm":"lamport","nodes":2,"nodes":2}"#, 422, "invalid-run").await;
    assert!(twice["detail"].as_str().is_some_and(|said| said.contains("duplicate field `nodes`")), "{twice}");
}

/// Returns the problem with which `POST /runs` answers a body.
async fn refused(server: &Server, body: &str, status: u16, kind: &str) -> Value {
    server.send(request(Method::POST, "/api/v1/runs", Some(body.to_owned()))).await.problem(status, kind)
}

#[tokio::test]
async fn what_is_no_json_is_malformed() {
    let server = Server::start().await;
    let deep = format!("{{\"parameters\":{}", "[".repeat(100_000));
    for body in ["{", "nonsense", "{\"algorithm\":5,}", "{} {}", "{\"algorithm\":5} x", "\u{feff}{}", &deep] {
        refused(&server, body, 400, "malformed").await;
    }
    // The syntax is valid, but the document is nested too deeply.
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let body = format!("{{\"algorithm\":\"lamport\",\"parameters\":{{\"tree\":{deep}}}}}");
    refused(&server, &body, 400, "malformed").await;
}

#[tokio::test]
async fn the_place_of_what_is_wrong_is_told() {
    let server = Server::start().await;
    let link = |link: Value| json!({"algorithm": "lamport", "links": [{"from": 0, "to": 1}, link]});
    let table = [
        (json!({}), "/algorithm", "missing field `algorithm`"),
        (json!([]), "", "expected an object"),
        (json!("lamport"), "", "expected an object"),
        (json!({"algorithm": 5}), "/algorithm", "`5` is not a text"),
        (json!({"algorithm": "lamport", "nodes": -1}), "/nodes", "`-1` is not a whole number in 0 … 4294967295"),
        (
            json!({"algorithm": "lamport", "network": {"delay": "slow"}}),
            "/network/delay",
            "`slow` is not a distribution",
        ),
        (
            json!({"algorithm": "lamport", "network": {"delays": {"ACK": "slow"}}}),
            "/network/delays/ACK",
            "`slow` is not a distribution",
        ),
        (json!({"algorithm": "lamport", "command": "sh"}), "/command", "unknown field `command`"),
        (json!({"algorithm": "lamport", "workload": {"x": 1}}), "/workload/x", "unknown field `x`"),
        (link(json!({"from": 0, "to": 2, "los": 0.1})), "/links/1/los", "unknown field `los`"),
        (
            link(json!({"from": 0, "to": 2, "loss": "much"})),
            "/links/1/loss",
            "`much` is not a probability; write a number in 0 … 1, or `10%`",
        ),
        (link(json!({"from": 0})), "/links/1/to", "missing field `to`"),
        (
            json!({"algorithm": "lamport", "script": [{"at": 0, "do": {"crash": [0, 1]}}]}),
            "/script/0/do/crash",
            "`crash` is about one node; write a step for each: `crash: 0`, `crash: 1`",
        ),
        (
            json!({"algorithm": "lamport", "script": [{"at": 0, "do": {"network": {"from": 0, "to": 1}}}]}),
            "/script/0/do/network",
            "the change of one link belongs in `link`; write `network: { link: { from: 0, to: 1 } }`",
        ),
        (
            json!({"algorithm": "lamport", "script": [{"at": 0, "do": {"suspect": {"node": 1}}}]}),
            "/script/0/do/suspect/whom",
            "missing field `whom`; write `suspect: { node: 1, whom: 2 }`",
        ),
    ];
    for (body, pointer, detail) in table {
        let problem = refused(&server, &body.to_string(), 422, "invalid-run").await;
        let error = &problem["errors"][0];
        assert_eq!(error["pointer"], pointer, "{problem}");
        assert!(error["detail"].as_str().is_some_and(|said| said.starts_with(detail)), "{problem}");
        assert!(!problem.to_string().contains(" at line "), "{problem}");
    }
}

#[tokio::test]
async fn what_would_be_right_is_listed() {
    let server = Server::start().await;
    let unknown = refused(&server, r#"{"algorithm":"ricart"}"#, 422, "invalid-run").await;
    let expected = json!([{
        "pointer": "/algorithm",
        "detail": "there is no algorithm `ricart`; did you mean `ricart-agrawala`?",
        "allowed": interlock_algorithm::catalogue::ENTRIES.iter().map(|entry| entry.name).collect::<Vec<_>>(),
    }]);
    assert_eq!(unknown["errors"], expected);
    assert_eq!(unknown["title"], "cannot start the run");
    let body = json!({"algorithm": "lamport", "links": [{"from": 0, "to": 1, "delays": {"A/CK": "const:5"}}]});
    let kind = refused(&server, &body.to_string(), 422, "invalid-run").await;
    let expected = json!([{
        "pointer": "/links/0/delays/A~1CK",
        "detail": "the algorithm does not send `A/CK`; did you mean `ACK`?",
        "allowed": ["REQUEST", "ACK", "RELEASE", "JOIN", "WELCOME", "TELL"],
    }]);
    assert_eq!(kind["errors"], expected);
    let channel = refused(&server, r#"{"algorithm":"lamport","channel":"pipe"}"#, 422, "invalid-run").await;
    assert_eq!(channel["errors"][0]["pointer"], "/channel");
    assert_eq!(channel["errors"][0]["allowed"], json!(["raw", "fifo", "reliable"]));
    let field = refused(&server, r#"{"algorithm":"lamport","network":{"lag":1}}"#, 422, "invalid-run").await;
    assert_eq!(field["errors"][0]["allowed"], json!(["delay", "delays", "fifo", "loss", "duplicate", "hold", "tcp"]));
}

/// Some variants are possible only in a simulation. The same document is valid as a simulation but not as a live
/// run, so the error must explain this.
#[tokio::test]
async fn what_only_a_simulation_can_run_is_refused() {
    let server = Server::start().await;
    let body = json!({"algorithm": "dijkstra-ring", "variant": "composite"});
    let problem = refused(&server, &body.to_string(), 422, "invalid-run").await;
    assert_eq!(problem["errors"][0]["pointer"], "/variant");
    let detail = problem["errors"][0]["detail"].as_str().expect("a detail");
    assert!(detail.contains("which no network can do; only a simulation can run it"), "{detail}");
    assert_eq!(problem["errors"][0]["allowed"], json!(["message-passing", "no-heir"]));
    let draft: Draft = serde_json::from_value(body).expect("a draft");
    assert_eq!(draft.complete_simulated().expect("a specification").variant, "composite");
}

#[tokio::test]
async fn all_that_makes_no_sense_is_told_at_once() {
    let server = Server::start().await;
    let body = json!({
        "version": 2, "algorithm": "lamport", "nodes": 1_001, "seed": 1_u64 << 53,
        "network": {"loss": 1.5}, "links": [{"from": 0, "to": 0}], "slow_after_ms": 0,
    });
    let problem = refused(&server, &body.to_string(), 422, "invalid-run").await;
    let pointers: Vec<_> =
        problem["errors"].as_array().expect("errors").iter().map(|error| &error["pointer"]).collect();
    for pointer in ["/version", "/nodes", "/seed", "/network/loss", "/links/0", "/slow_after_ms"] {
        assert!(pointers.iter().any(|found| *found == pointer), "{pointer}: {problem}");
    }
    assert_eq!(server.get("/api/v1/runs").await.json()["items"], json!([]));
}

#[tokio::test]
async fn a_field_given_twice_is_refused() {
    let server = Server::start().await;
    let problem = refused(&server, r#"{"algorithm":"lamport","algorithm":"lamport"}"#, 422, "invalid-run").await;
    assert_eq!(problem["detail"], "/algorithm: duplicate field `algorithm`");
}

#[tokio::test]
async fn numbers_have_bounds() {
    let server = Server::start().await;
    let run = server.failed_run().await;
    let table = [
        ("nodes/0/acquire", json!({"wait_ms": 60_001}), "/wait_ms", "60001 ms are outside 0 … 60000"),
        ("nodes/0/acquire", json!({"hold": 3_600_001}), "/hold", "3600001 ms are outside 0 … 3600000"),
        ("nodes/0/acquire", json!({"hold": -1}), "/hold", "-1 ms are outside 0"),
        ("nodes/0/acquire", json!({"lock": "a"}), "/lock", "\"a\" is not a whole number in 0 … 4294967295"),
        ("nodes/0/pause", json!({"for_ms": 3_600_001}), "/for_ms", "3600001 ms are outside 0 … 3600000"),
        ("nodes/0/restart", json!({"state": "some"}), "/state", "`some` is not one of the possible values"),
        ("nodes/0/restart", json!({"state": 5}), "/state", "`5` is not a word"),
        ("nodes/0/restart", json!({"state": ["stored"]}), "/state", "a list is not a word"),
        ("nodes/0/crash", json!({"signal": 9}), "/signal", "unknown field `signal`"),
        ("nodes/0/fire", json!({}), "/timer", "missing field `timer`"),
        ("wait", json!({"until": "idle", "timeout_ms": 60_001}), "/timeout_ms", "60001 ms are outside 0 … 60000"),
        ("wait", json!({"until": "rain"}), "/until", "`rain` is not one of the possible values"),
        ("wait", json!({"until": {"entered": {"nod": 1}}}), "/until/entered/nod", "unknown field `nod`"),
        ("wait", json!({"until": {"entered": {"node": 9}}}), "/until/entered/node", "there is no node 9"),
        ("stop", json!({"now": true}), "/now", "unknown field `now`"),
    ];
    for (path, body, pointer, detail) in table {
        let answer = server.post(&format!("/api/v1/runs/{run}/{path}"), &body).await;
        let problem = answer.problem(422, "invalid-document");
        assert_eq!(problem["errors"][0]["pointer"], pointer, "{problem}");
        assert!(problem["errors"][0]["detail"].as_str().is_some_and(|said| said.starts_with(detail)), "{problem}");
    }
}

#[tokio::test]
async fn a_wrong_form_is_refused_with_the_right_one() {
    let server = Server::start().await;
    let run = server.failed_run().await;
    let table = [
        ("nodes/0/fire", json!({"timer": "idle"}), "/timer", r#"write `{"timer":{"client":"idle"}}`"#),
        ("nodes/0/acquire", json!({"locks": 5}), "/locks", r#"write `{"lock":1,"hold":"5ms"}`"#),
        ("nodes/0/acquire", json!({"locks": "0,x"}), "/locks", "`x` is not a number; write `2,0,1`"),
        ("nodes/0/propose", json!({"value": 42}), "/value", r#"write `{"value":"left"}`"#),
        ("nodes/0/suspect", json!({"whom": [1, 2]}), "/whom", r#"write `{"whom":2}`"#),
        ("network/partitions", json!({"groups": [0, 1]}), "/groups/0", r#"write `{"groups":"0,1|2"}`"#),
        ("network/rules", json!({"match": [0, 1], "action": "drop"}), "/match", "a list is not an object; write `{"),
        ("wait", json!([]), "", r#"write `{"until":{"entered":{"node":2}},"timeout_ms":1000}`"#),
        ("wait", json!({"until": {"any": "stuck"}}), "/until/any", "write `any: [stuck]`"),
    ];
    for (path, body, pointer, part) in table {
        let answer = server.post(&format!("/api/v1/runs/{run}/{path}"), &body).await;
        let problem = answer.problem(422, "invalid-document");
        assert_eq!(problem["errors"][0]["pointer"], pointer, "{path} {body}: {problem}");
        assert!(problem["errors"][0]["detail"].as_str().is_some_and(|said| said.contains(part)), "{path}: {problem}");
    }
}

#[tokio::test]
async fn unknown_fields_of_the_network_are_refused() {
    let server = Server::start().await;
    let run = server.failed_run().await;
    let table = [
        (Method::PATCH, "default", json!({"lag": 1}), "/lag"),
        (Method::PUT, "links/0/1", json!({"from": 0, "loss": 0.5}), "/from"),
        (Method::POST, "partitions", json!({"groups": [[0], [1]], "name": "x"}), "/name"),
        (Method::POST, "rules", json!({"match": {"form": 1}, "action": "drop"}), "/match/form"),
        (Method::POST, "rules", json!({"action": "explode"}), "/action"),
    ];
    for (method, path, body, pointer) in table {
        let path = format!("/api/v1/runs/{run}/network/{path}");
        let problem =
            server.send(request(method, &path, Some(body.to_string()))).await.problem(422, "invalid-document");
        assert_eq!(problem["errors"][0]["pointer"], pointer, "{problem}");
    }
}

#[tokio::test]
async fn events_may_be_larger_than_documents_but_not_without_bounds() {
    let server = Server::start().await;
    let sent = async |path: &str, kind: &str, length: u64| {
        let request = Request::post(path)
            .header(header::HOST, HOST)
            .header(header::CONTENT_TYPE, kind)
            .header(header::CONTENT_LENGTH, length)
            .body(Body::from("{}"));
        server.send(request.expect("a request")).await
    };
    let (events, most) = ("application/x-ndjson", 1 << 30);
    sent("/api/v1/runs/import", events, most).await.problem(422, "invalid-events");
    let problem = sent("/api/v1/runs/import", events, most + 1).await.problem(413, "too-large");
    assert_eq!(problem["detail"], "the body is larger than 1024 MiB");
    sent("/api/v1/runs", "application/json", (1 << 20) + 1).await.problem(413, "too-large");
    sent("/api/v1/runs", events, 2).await.problem(415, "unsupported-media-type");
    sent("/api/v1/runs/import", "application/json", 2).await.problem(415, "unsupported-media-type");
    assert_eq!(server.files_of_runs(), 0);
}

/// Returns a document that has every possible field.
fn full() -> Value {
    let link = json!({"delay": "const:5", "delays": {"REQUEST": "const:5"}, "fifo": true, "loss": 0.5, "duplicate": 0.5,
        "hold": false, "tcp": {}});
    let one = |patch: &Value| {
        let mut one = patch.clone();
        one["from"] = json!(0);
        one["to"] = json!(1);
        one
    };
    json!({
        "version": 1, "name": "full", "algorithm": "lamport", "variant": "explicit-ack", "parameters": {"release": "request"},
        "nodes": 3, "locks": 1, "seed": 1, "channel": "raw", "network": link, "links": [one(&link)],
        "workload": {
            "idle": "exp:5", "hold": "const:5", "entries": 5, "locks": "first", "between": "0", "again": "uniform:5..25",
            "tell": 0.5, "account": {"balance": 1, "deposit": 1, "fencing": false}, "nodes": [0, 1], "loop": "closed",
            "overrides": [{"node": 0, "idle": "0", "hold": "0", "entries": 1, "locks": "first"}],
        },
        "script": [
            {"at": 1, "do": {"acquire": {"node": 0, "lock": 0, "hold": 5}}}, {"at": 2, "do": {"release": {"node": 0}}},
            {"at": 3, "do": {"tell": {"from": 0, "to": 1, "hold": 5}}}, {"at": 4, "do": {"crash": {"node": 0}}},
            {"at": 5, "do": {"restart": {"node": 0, "state": "stored"}}}, {"at": 6, "do": {"pause": {"node": 0}}},
            {"at": 7, "do": {"resume": {"node": 0}}}, {"at": 8, "do": {"network": {"link": one(&link)}}},
            {"at": 9, "do": {"partition": {"groups": [[0], [1]], "direction": "both"}}},
            {"at": 10, "do": {"rule": {"match": {"from": 0, "to": 1, "message_kind": "ACK"}, "action": "drop", "skip": 1,
                "count": 1}}},
            {"at": 11, "do": {"heal": {}}}, {"at": 12, "do": {"hold": "0.1.1"}}, {"at": 13, "do": {"note": "so far"}},
        ],
        "timers": true, "slow_after_ms": 5,
    })
}

/// Collects the JSON pointers of all values in a document.
fn places(value: &Value, place: &str, found: &mut Vec<String>) {
    found.push(place.to_owned());
    match value {
        Value::Object(map) => map.iter().for_each(|(name, value)| places(value, &format!("{place}/{name}"), found)),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(at, value)| places(value, &format!("{place}/{at}"), found));
        }
        _ => {}
    }
}

/// Puts an invalid value at each position of a document. The error must be understandable without knowledge of the
/// source code.
#[test]
fn no_refusal_names_a_type_of_the_program() {
    let mut all = Vec::new();
    places(&full(), "", &mut all);
    assert!(all.len() > 100, "{all:?}");
    let wrong = [
        json!(5),
        json!(-1),
        json!(1.5),
        json!(1e30),
        json!("x"),
        json!(true),
        json!(null),
        json!([]),
        json!({}),
        json!(["x"]),
        json!({"x": 1}),
    ];
    let types = [
        ", expected",
        "invalid",
        "struct",
        "enum",
        "unknown variant",
        "untagged",
        "sequence",
        " map",
        "u8",
        "u32",
        "u64",
        "i64",
        "f64",
        "usize",
        "string",
        "boolean",
        "unit",
        "Option",
        "Draft",
        "identifier",
    ];
    let mut refused = 0;
    for place in all.iter().filter(|place| !place.is_empty()) {
        for value in &wrong {
            let mut document = full();
            *document.pointer_mut(place).expect("a place") = value.clone();
            let read = strict::deserialize::<Draft>(&document);
            let completed = read.map_err(|error| vec![error]).map(Draft::complete);
            let (Err(errors) | Ok(Err(errors))) = completed else { continue };
            for FieldError { pointer, detail, .. } in errors {
                // The error repeats the invalid value, which may look like the name of a type. The value is
                // therefore removed before the comparison.
                let said = detail.replace("`x`", "");
                assert!(!types.iter().any(|name| said.contains(name)), "{place} = {value}: {pointer}: {detail}");
                refused += 1;
            }
        }
    }
    assert!(refused > 500, "{refused}");
}

#[tokio::test]
async fn times_and_probabilities_are_understood_as_people_write_them() {
    let body = json!({
        "algorithm": "lamport", "network": {"delay": "const:500ms", "loss": "10%", "delays": {"ACK": 5}},
        "links": [{"from": 0, "to": 1, "duplicate": "50%", "delay": "uniform:1s..1m"}],
        "workload": {"idle": "exp:2s", "hold": 50, "tell": "5%"}, "slow_after_ms": "3s",
        "script": [{"at": "1.5s", "do": {"acquire": {"node": 0, "hold": "2s"}}}],
    });
    let draft: Draft = serde_json::from_value(body).expect("a draft");
    let shown = serde_json::to_value(draft.complete().expect("a specification")).expect("JSON");
    assert_eq!(shown["network"]["delay"], "const:500");
    assert_eq!(shown["network"]["loss"], 0.1);
    assert_eq!(shown["network"]["delays"]["ACK"], "const:5");
    assert_eq!(
        (&shown["links"][0]["duplicate"], &shown["links"][0]["delay"]),
        (&json!(0.5), &json!("uniform:1000..60000"))
    );
    let workload = &shown["workload"];
    assert_eq!(
        (&workload["idle"], &workload["hold"], &workload["tell"]),
        (&json!("exp:2000"), &json!("const:50"), &json!(0.05))
    );
    assert_eq!((&shown["slow_after_ms"], &shown["script"][0]["at"]), (&json!(3_000), &json!(1_500.0)));
    assert_eq!(shown["script"][0]["do"]["acquire"]["hold"], 2_000.0);
    let server = Server::start().await;
    let run = server.failed_run().await;
    let wait = server.post(&format!("/api/v1/runs/{run}/wait"), &json!({"until": "idle", "timeout_ms": "61s"})).await;
    assert_eq!(wait.problem(422, "invalid-document")["detail"], "/timeout_ms: 61000 ms are outside 0 … 60000");
}

#[tokio::test]
async fn what_was_probably_meant_is_said() {
    let server = Server::start().await;
    let table = [
        (json!({"algorithm": "centralized"}), "did you mean `centralised`?"),
        (json!({"algorithm": "lamport", "variant": "explicit"}), "did you mean `explicit-ack`?"),
        (json!({"algorithm": "raymond", "parameters": {"tre": "star"}}), "did you mean `tree`?"),
        (json!({"algorithm": "raymond", "parameters": {"tree": "starr"}}), "did you mean `star`?"),
        (json!({"algorithm": "raymond", "parameters": {"holder": "P1"}}), "did you mean `1`?"),
        (json!({"algorithm": "lamport", "workload": {"idel": "0"}}), "did you mean `idle`?"),
        (json!({"algorithm": "lamport", "network": {"delays": {"ACKS": "0"}}}), "did you mean `ACK`?"),
        (
            json!({"algorithm": "lamport", "script": [{"at": 0, "do": {"aquire": {"node": 0}}}]}),
            "did you mean `acquire`?",
        ),
        (
            json!({"algorithm": "lamport", "script": [{"at": 0, "do": {"acquire": {"node": "P1"}}}]}),
            "did you mean `1`?",
        ),
    ];
    for (body, meant) in table {
        let problem = refused(&server, &body.to_string(), 422, "invalid-run").await;
        let detail = problem["errors"][0]["detail"].as_str().unwrap_or_default();
        assert!(detail.contains(meant), "{body}: {problem}");
    }
}
