//! Tests of the schema of the node protocol. The schema must accept the protocol's documents and the messages of
//! nodes. It must reject documents that the protocol rejects.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use jsonschema::Validator;
use serde_json::{Value, json};

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).expect("a file of the repository")
}

fn validator() -> Validator {
    let schema = serde_json::from_str(&read("docs/node.schema.json")).expect("JSON");
    jsonschema::draft202012::meta::validate(&schema).expect("a schema");
    jsonschema::draft202012::new(&schema).expect("a schema")
}

/// Returns those lines of `text` that are JSON documents, parsed.
fn documents(text: &str) -> Vec<Value> {
    text.lines().filter(|line| line.starts_with('{')).map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// Sends the lines `asked` to the Python node, and returns the answers of the node.
fn answers(asked: &[Value]) -> Vec<Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/nodes");
    let mut program = Command::new("python3")
        .arg("ricart_agrawala.py")
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("Python");
    let mut input = program.stdin.take().expect("its input");
    for line in asked {
        writeln!(input, "{line}").expect("written");
    }
    drop(input);
    let output = program.wait_with_output().expect("it ends");
    documents(&String::from_utf8(output.stdout).expect("UTF-8"))
}

#[test]
fn what_is_printed_and_what_is_said_keeps_to_the_schema() {
    let validator = validator();
    let printed = read("docs/reference/node-protocol.md");
    let (_, printed) = printed.split_once("```json").expect("the lines of the protocol");
    let printed = documents(printed);
    assert_eq!(printed.len(), 7, "the greeting, a step, a message of one of several locks, and services");
    let message = json!({ "message": { "from": 1, "kind": "REPLY", "body": { "clock": 2 } } });
    let asked = [
        printed[0].clone(),
        json!({ "step": 1, "input": { "start": {} } }),
        json!({ "step": 2, "input": { "acquire": { "lock": 0, "request": 1 } } }),
        json!({ "step": 3, "input": message }),
    ];
    let answered = answers(&asked);
    assert_eq!(answered.len(), asked.len(), "{answered:?}");
    for document in printed.iter().chain(&asked).chain(&answered) {
        let errors: Vec<String> = validator.iter_errors(document).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{document}: {errors:?}");
    }
}

#[test]
fn what_the_protocol_refuses_breaks_the_schema() {
    let validator = validator();
    let effect = |effect: Value| json!({ "step": 1, "effects": [effect] });
    for document in [
        json!({}),
        json!({ "hello": { "protocol": 2 } }),
        json!({ "init": { "protocol": 1, "node": 0, "nodes": 1, "locks": 1, "algorithm": "own", "variant": null,
            "parameters": {}, "seed": 1, "incarnation": 1, "services": { "redis": "127.0.0.1:40001" } } }),
        json!({ "effects": [] }),
        json!({ "step": 1, "efects": [] }),
        effect(json!({ "sned": {} })),
        effect(json!({ "send": { "to": 1, "kind": "REPLY" } })),
        effect(json!({ "send": { "to": [1] } })),
        effect(json!({ "send": { "to": [-1], "kind": "REPLY" } })),
        effect(json!({ "send": { "to": [1], "kind": "REPLY", "bdy": 1 } })),
        effect(json!({ "set_timer": { "timer": "", "after_ms": 1 } })),
        effect(json!({ "set_timer": { "timer": "t", "after_ms": 3_600_001 } })),
        effect(json!({ "entered": { "lock": 0 } })),
        effect(json!({ "send": { "to": [1], "kind": "REPLY", "lock": -1 } })),
        effect(json!({ "blocked": { "lock": 0, "request": 1, "on": 2 } })),
        effect(json!({ "aborted": { "request": 1, "cause": "tired" } })),
        effect(json!({ "aborted": { "cause": "died" } })),
        effect(json!({ "expired": { "lock": 0, "holder": "P1", "request": 1 } })),
        effect(json!({ "reported": { "cycle": [0, -1], "victim": 0 } })),
        effect(json!({ "requested": {}, "entered": {} })),
    ] {
        assert!(!validator.is_valid(&document), "{document}");
    }
}
