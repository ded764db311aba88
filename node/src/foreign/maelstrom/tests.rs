//! Tests of conversations with Maelstrom programs. The programs are shell scripts that print the lines that a test
//! needs.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use interlock_algorithm::{Operation, RequestId};
use interlock_machine::test_support::initialization;
use interlock_machine::wire::{ForeignProgram, Initialization, Protocol};

use super::*;
use crate::foreign::message::Kind;

const PATIENCE: Duration = Duration::from_secs(20);

/// Creates the program of node 1 of 3 in its first incarnation, ready for requests. Returns the program with a
/// channel that gets a message for each line of the program.
fn begun(script: &str) -> (Maelstrom, Receiver<()>) {
    begun_in_life(1, 1, None, script)
}

/// Creates a program as [`begun`] does, but in the given incarnation. If `service` is given, the client of the node
/// uses this service. `first` is the number of the client's first message.
fn begun_in_life(incarnation: u32, first: u64, service: Option<Service>, script: &str) -> (Maelstrom, Receiver<()>) {
    let ready = json!({ "src": "n1", "dest": "c1", "body": { "type": "init_ok", "in_reply_to": first } });
    let command = ["sh", "-c", &format!("read init; echo '{ready}'; {script}")].map(ToOwned::to_owned).to_vec();
    let path = std::env::var("PATH").expect("a path");
    let protocol = Protocol::Maelstrom;
    let program = ForeignProgram { command, folder: ".".into(), path, protocol, ..ForeignProgram::default() };
    let mut initialization =
        Initialization { node: NodeId(1), nodes: 3, incarnation, program: Some(program), ..initialization("own", 1) };
    initialization.client_loop =
        serde_json::from_value(json!({ "idle": "0", "hold": "0", "service": service })).expect("a client loop");
    let mut maelstrom = Maelstrom::of(&initialization, Vec::new());
    let (sender, woken) = channel();
    maelstrom.wake_with(Arc::new(move || _ = sender.send(())));
    let effects = maelstrom.ask(&Asked::Start {}).effects;
    assert_eq!((maelstrom.failure(), effects), (None, vec![listens()]));
    (maelstrom, woken)
}

/// Waits for the next line of the program. Returns the effects of this line.
fn heard(maelstrom: &mut Maelstrom, woken: &Receiver<()>) -> Vec<Effect> {
    while !maelstrom.has_spoken() {
        woken.recv_timeout(PATIENCE).expect("it speaks");
    }
    let mut effects =
        maelstrom.ask(&Asked::Timer { timer: crate::foreign::inline::Inline::beginning_of(OUTPUT) }).effects;
    if maelstrom.failure().is_none() {
        assert_eq!(effects.pop(), Some(listens()), "it listens on");
    }
    effects
}

fn acquire() -> Asked {
    Asked::Command(Command::Acquire { lock: LOCK, request: RequestId(1) })
}

/// The program sends its input back in a message to another node. It does not write its input to standard error,
/// because the node may read standard error later than standard output.
#[test]
fn its_client_asks_in_its_own_words_and_enters_when_it_is_told() {
    let lock = r#"read lock; echo '{"src":"n1","dest":"n2","body":{"type":"told","told":'"$lock"'}}'
        echo '{"src":"n1","dest":"c1","body":{"type":"lock_ok","in_reply_to":2}}'; cat"#;
    let (mut maelstrom, woken) = begun(lock);
    let requested = Effect::Outcome(Outcome::requested(LOCK, RequestId(1)));
    assert_eq!(maelstrom.ask(&acquire()).effects, [requested]);
    let mut effects = heard(&mut maelstrom, &woken);
    if effects.len() == 1 {
        effects.extend(heard(&mut maelstrom, &woken));
    }
    let asked = json!({ "src": "c1", "dest": "n1", "body": { "type": "lock", "msg_id": 2 } });
    let body = json!({ "src": "n1", "dest": "n2", "body": { "type": "told", "told": asked } });
    let told = Effect::Send { to: vec![NodeId(2)], kind: "told".into(), body };
    let entered = Effect::Outcome(Outcome::Entered { lock: LOCK, request: RequestId(1), fence: None });
    assert_eq!(effects, [told, entered]);
}

#[test]
fn what_is_for_another_node_or_its_client_travels_whole() {
    let said = r#"{"body":{"type":"lock_ok","in_reply_to":7},"dest":"c2","src":"n1"}"#;
    let (mut maelstrom, woken) = begun(&format!("echo '{said}'; cat >&2"));
    let body: Value = serde_json::from_str(said).expect("JSON");
    assert_eq!(heard(&mut maelstrom, &woken), [Effect::Send { to: vec![NodeId(2)], kind: "lock_ok".into(), body }]);
}

#[test]
fn an_answer_from_the_life_before_is_none() {
    let late = r#"read lock; echo '{"src":"n1","dest":"c1","body":{"type":"lock_ok","in_reply_to":2}}'; cat >&2"#;
    let (mut maelstrom, woken) = begun_in_life(2, (1 << 32) + 1, None, late);
    maelstrom.ask(&acquire());
    assert_eq!(heard(&mut maelstrom, &woken), [], "its client does not enter");
    assert_eq!(maelstrom.open, Some(Open { message: (1 << 32) + 2, errand: Errand::Lock(RequestId(1)) }));
}

const READ: Operation = Operation::Read { key: 4 };

/// Sends an operation of a service to the program of a node, as a client does.
fn call(maelstrom: &mut Maelstrom, operation: Operation) {
    let request = RequestId(1);
    let effects = maelstrom.ask(&Asked::Command(Command::Invoke { request, operation: operation.clone() })).effects;
    let waits = Effect::SetTimer { timer: ANSWER.into(), after_ms: ANSWER_MS };
    assert_eq!(effects, [Effect::Outcome(Outcome::Invoked { request, operation }), waits]);
}

/// Returns the effect of an answer that contains `response`: the outcome at the client.
fn returned(response: Response) -> Effect {
    Effect::Outcome(Outcome::Returned { request: RequestId(1), response })
}

#[test]
fn what_a_service_answers_is_told_to_its_client() {
    for (body, response) in [
        (r#""type":"read_ok","value":3"#, Response::Value(Some(3))),
        (r#""type":"error","code":20"#, Response::Value(None)),
        (r#""type":"error","code":11"#, Response::Refused { code: 11 }),
    ] {
        let answer = format!(r#"{{"src":"n1","dest":"c1","body":{{{body},"in_reply_to":2}}}}"#);
        let (mut maelstrom, woken) = begun(&format!("read asked; echo '{answer}'; cat >&2"));
        call(&mut maelstrom, READ);
        let is_answered = Effect::CancelTimer { timer: ANSWER.into() };
        assert_eq!(heard(&mut maelstrom, &woken), [is_answered, returned(response)]);
    }
}

#[test]
fn a_client_of_a_service_does_not_wait_for_ever_and_a_late_answer_is_none() {
    let late = r#"read asked; read other; echo '{"src":"n1","dest":"c1","body":{"type":"read_ok","value":3,"in_reply_to":2}}'; cat >&2"#;
    let (mut maelstrom, woken) = begun(late);
    call(&mut maelstrom, READ);
    let run_out = || Asked::Timer { timer: crate::foreign::inline::Inline::beginning_of(ANSWER) };
    assert_eq!(maelstrom.ask(&run_out()).effects, [returned(Response::Unknown {})]);
    assert_eq!(maelstrom.ask(&run_out()).effects, [], "nothing is open");
    call(&mut maelstrom, READ);
    assert_eq!(heard(&mut maelstrom, &woken), []);
    assert!(maelstrom.open.is_some(), "the later question is not answered");
}

#[test]
fn who_broadcasts_is_told_first_how_nodes_are_laid_out() {
    let ready = r#"read told; case "$told" in *'"topology":{"n0":["n2","n1"],"n1":["n0"],"n2":["n0"]}'*) \
        echo '{"src":"n1","dest":"c1","body":{"type":"topology_ok","in_reply_to":2}}';; esac; cat >&2"#;
    let (maelstrom, _woken) = begun_in_life(1, 1, Some(Service::Broadcast), ready);
    assert_eq!(maelstrom.last_message, 2);
}

#[test]
fn much_that_is_said_takes_effect_in_several_steps() {
    let long = format!(r#"{{"src":"n1","dest":"n2","body":{{"type":"a","text":"{}"}}}}"#, "x".repeat(10_000));
    let (mut maelstrom, woken) = begun(&format!("for i in 1 2 3 4 5 6 7 8 9 10; do echo '{long}'; done; cat >&2"));
    let mut steps = Vec::new();
    while steps.iter().sum::<usize>() < 10 {
        steps.push(heard(&mut maelstrom, &woken).len());
    }
    assert!(steps.iter().all(|lines| *lines <= 7), "{steps:?}");
}

#[test]
fn its_end_is_noticed_though_nobody_asks() {
    let (mut maelstrom, woken) = begun("exit 3");
    assert_eq!(heard(&mut maelstrom, &woken), []);
    assert!(maelstrom.failure().is_some_and(|why| why.ends_with("ended with exit code 3 before its node did")));
    assert!(!maelstrom.has_spoken() || maelstrom.ask(&acquire()).effects.is_empty());
}

#[test]
fn one_that_does_not_listen_is_told_no_more() {
    let (mut maelstrom, _woken) = begun("sleep 100");
    let body = json!({ "src": "n0", "dest": "n1", "body": { "type": "hello", "text": "x".repeat(100) } });
    let message = Asked::Message { from: NodeId(0), kind: Kind::named("hello").expect("a kind"), body };
    let told = (0..100_000).find(|_| {
        maelstrom.ask(&message);
        maelstrom.failure().is_some()
    });
    assert!(told.is_some_and(|told| told > 4_000), "{told:?}");
    assert!(maelstrom.failure().is_some_and(|why| why.contains("does not read its standard input")));
}
