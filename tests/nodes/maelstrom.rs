//! Tests of programs that are written for Maelstrom. Such programs must run unchanged as nodes, and the monitors
//! judge them like all other nodes.

use std::fs;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::{broken_at, folder, interlock, output, played, written};
use crate::support::concurrently::concurrently;

/// Plays a run of the Maelstrom lock in this folder. In its program, `from` is replaced with `to`. The program must
/// contain `from` exactly once.
fn played_with(from: &str, to: &str, more: &Value) -> Value {
    let right = fs::read_to_string(folder().join("maelstrom_lock.py")).expect("the node");
    assert_eq!(right.matches(from).count(), 1, "what is changed stands there once: {from}");
    played_program(&written(&right.replace(from, to)), more)
}

fn played_program(program: &TempDir, more: &Value) -> Value {
    let mut scenario = json!({
        "algorithm": "own",
        "nodes": [{ "command": ["python3", "node.py"], "protocol": "maelstrom", "count": 3 }],
        // A Maelstrom program may send at any time. A run that waits until no message can follow would therefore
        // never end.
        "stop": null,
        "workload": { "idle": 0, "hold": 0 },
    });
    for (key, value) in more.as_object().expect("keys") {
        scenario[key] = value.clone();
    }
    played(program.path(), &scenario)
}

fn reasons(findings: &Value) -> String {
    findings.to_string()
}

#[test]
fn a_lock_that_is_written_for_maelstrom_excludes() {
    let file = folder().join("maelstrom.yaml");
    let (code, told) = output(&mut interlock(&["run", file.to_str().expect("a path")]));
    assert_eq!(code, Some(0), "{told}");
    assert!(told.starts_with("met "), "{told}");
}

#[test]
fn a_lock_that_is_given_to_everybody_is_caught() {
    let more = json!({ "workload": { "idle": 0, "hold": "20ms" } });
    let findings = played_with("if wanted and wanted < (body[\"clock\"], src):", "if False:", &more);
    assert_eq!(findings["outcome"], "not-met", "{findings}");
    assert!(broken_at(0, &reasons(&findings)), "{findings}");
}

/// A program may send at any time. Here, a thread of the program grants a request after a while.
#[test]
fn a_program_speaks_when_it_likes() {
    let later = "threading.Timer(0.02, answer, [client, \"lock_ok\"]).start()";
    let program = fs::read_to_string(folder().join("maelstrom_lock.py")).expect("the node");
    let program =
        program.replace("answer(client, \"lock_ok\")", later).replace("import sys", "import sys\nimport threading");
    assert_eq!(program.matches(later).count(), 2);
    assert_eq!(played_program(&written(&program), &json!({}))["outcome"], "met");
}

/// A node may forward the request of its client unchanged. Then another node answers the client.
#[test]
fn a_node_answers_the_client_of_another() {
    let central = r#"
import json, sys
waiting, inside = [], None
def say(message): print(json.dumps(message), flush=True)
def answer(message, kind):
    say({"src": me, "dest": message["src"], "body": {"type": kind, "in_reply_to": message["body"]["msg_id"]}})
for line in sys.stdin:
    message = json.loads(line)
    kind = message["body"]["type"]
    if kind == "init":
        me = message["body"]["node_id"]
        answer(message, "init_ok")
    elif me != "n0":
        say({**message, "dest": "n0"})
    elif kind == "lock":
        waiting.append(message)
    elif kind == "unlock":
        inside = None
        answer(message, "unlock_ok")
    if inside is None and waiting:
        inside = waiting.pop(0)
        answer(inside, "lock_ok")
"#;
    assert_eq!(played_program(&written(central), &json!({}))["outcome"], "met");
    let greedy = central.replace("if inside is None and waiting", "if waiting");
    let more = json!({ "workload": { "idle": 0, "hold": "20ms" } });
    let findings = played_program(&written(&greedy), &more);
    assert!(broken_at(0, &reasons(&findings)), "{findings}");
}

/// If a scenario declares the kinds of messages, a program must not send messages of other kinds.
#[test]
fn a_kind_that_is_not_declared_is_told() {
    let declared = |kinds: [&str; 2]| json!({ "own": { "message_kinds": kinds } });
    let right = played_with("import sys", "import sys", &declared(["request", "reply"]));
    assert_eq!(right["outcome"], "met", "{right}");
    let wrong = played_with("import sys", "import sys", &declared(["request", "answer"]));
    assert_eq!(wrong["outcome"], "not-met", "{wrong}");
    assert!(
        reasons(&wrong).contains("sends a `reply`, which `own` does not have; possible: request, answer"),
        "{wrong}"
    );
}

#[test]
fn what_is_no_mistake_is_none() {
    for (from, to) in [
        // The network may duplicate messages, so a node may also answer twice without a fault.
        (
            "        answer(message, \"unlock_ok\")",
            "        answer(message, \"unlock_ok\"); answer(message, \"unlock_ok\")",
        ),
        // The node answers that the lock is not available. Its client then repeats the request.
        (
            "        clock += 1",
            "        clock += 1\n        if clock % 5 == 4:\n            send(src, \"error\", in_reply_to=body[\"msg_id\"], code=11); continue",
        ),
        // This message does not answer a request of the client, so the client must ignore it.
        ("        answer(message, \"unlock_ok\")", "        answer(message, \"unlock_ok\"); send(src, \"hello\")"),
        // A node may send messages to itself.
        ("        answer(message, \"init_ok\")", "        answer(message, \"init_ok\"); send(me, \"hello\", to=0)"),
    ] {
        let findings = played_with(from, to, &json!({}));
        assert_eq!(findings["outcome"], "met", "{to}: {findings}");
    }
}

#[test]
fn a_program_that_speaks_but_does_not_answer_is_told_from_one_that_is_silent() {
    const READY: &str = "answer(message, \"init_ok\")";
    let cases = [
        ("send(me, \"hello\", to=0)", "did not answer `init` within 10 s; its last line is"),
        ("pass", "said nothing within 10 s to `init`"),
    ];
    concurrently(cases.len(), &cases, |(to, expected)| {
        let findings = played_with(READY, to, &json!({ "stop": { "after": "60s" } }));
        assert!(reasons(&findings).contains(expected), "{to}: {findings}");
    });
}

#[test]
fn each_mistake_of_such_a_program_is_told_by_its_name() {
    const UNLOCKED: &str = "        answer(message, \"unlock_ok\")";
    for (from, to, expected) in [
        ("        answer(message, \"init_ok\")", "        sys.exit(4)", "ended with exit code 4 before its node did"),
        ("answer(message, \"init_ok\")", "answer(message, \"init_done\")", "instead of `init_ok`"),
        ("answer(message, \"unlock_ok\")", "answer(message, \"unlocked\")", "instead of `unlock_ok`"),
        (UNLOCKED, "        print('Traceback', flush=True)", "writes a line that is not JSON: `Traceback`"),
        (UNLOCKED, "        send(\"lin-kv\", \"read\")", "`lin-kv` is neither a node (n0) nor a client (c0)"),
        (UNLOCKED, "        send(\"n7\", \"hello\")", "but the only addresses are nodes n0 to n2 and clients c0 to c2"),
        (UNLOCKED, "        print('{\"src\":\"n0\",\"dest\":\"n1\"}', flush=True)", "which has no `body`"),
        (UNLOCKED, "        print('{\"src\":\"n0\",\"dest\":\"n1\",\"body\":{}}', flush=True)", "which has no `type`"),
        (UNLOCKED, "        print('[1]', flush=True)", "which is a list and not an object"),
        (UNLOCKED, "        send(5, \"hello\")", "whose `dest` is the number 5 and not a text"),
        (UNLOCKED, "        send(src, 5)", "whose `type` is the number 5 and not a text"),
        (UNLOCKED, "        send(src, \"unlock_ok\")", "which has no `in_reply_to`"),
        (UNLOCKED, "        send(src, \"unlock_ok\", in_reply_to=str(body[\"msg_id\"]))", "is the text"),
        (UNLOCKED, "        send(src, \"unlock_ok\", in_reply_to=999)", "but its client has sent nothing after"),
        (UNLOCKED, "        raise ValueError(\"so\")", "last lines on its standard error: "),
        (
            "        clock += 1",
            "        send(src, \"error\", in_reply_to=body[\"msg_id\"], code=10); continue",
            "answered `lock` with",
        ),
    ] {
        let findings = played_with(from, to, &json!({}));
        assert_eq!(findings["outcome"], "not-met", "{to}: {findings}");
        assert!(reasons(&findings).contains(&expected.replace('"', "\\\"")), "{to}: {findings}");
    }
}
