//! Tests of actions on processes (crash, pause, resume, restart) and of commands to nodes in every state.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{PATIENCE_MS, Playground, Run, children, is_alive, pids};

async fn three(playground: &Playground) -> Run<'_> {
    playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 3 })).await
}

fn node(state: &Value, node: usize) -> &Value {
    &state["nodes"][node]
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crash_kills_the_process_and_the_others_are_stuck_for_want_of_it() {
    let playground = Playground::open();
    let run = three(&playground).await;
    let before = pids(&run.state().await);
    run.post("/nodes/2/crash", json!({})).await;
    assert!(!is_alive(before[2]), "the process is gone when the answer comes");
    run.acquire(0, json!({})).await;
    run.wait(json!("stuck")).await;
    let state = run.state().await;
    assert_eq!((&node(&state, 2)["process"], &node(&state, 2)["pid"]), (&json!("crashed"), &Value::Null));
    assert!(state["verdict"]["because"]["sentence"].as_str().is_some_and(|text| text.contains("P2")), "{state}");
    run.refused(Method::POST, "/nodes/2/crash", Some(json!({})), 409).await;
    run.refused(Method::POST, "/nodes/2/acquire", Some(json!({})), 409).await;
}

/// The processes of a run have a lower priority. Otherwise, processes at full speed would leave no processor time
/// for the page.
#[tokio::test(flavor = "multi_thread")]
async fn processes_of_a_run_give_way_to_others() {
    let niceness = |pid: u32| {
        let pid = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw);
        rustix::process::getpriority_process(pid).expect("a priority")
    };
    let playground = Playground::open();
    let run = three(&playground).await;
    for node in 0..3 {
        run.wait_since(&json!(0), json!({ "event": { "kind": "initialized", "node": node } })).await;
    }
    let others = niceness(playground.pid());
    let of_the_run: Vec<_> = pids(&run.state().await).into_iter().map(niceness).collect();
    assert!(of_the_run.len() == 3 && of_the_run.iter().all(|own| *own > others), "{of_the_run:?}, others {others}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_process_killed_from_outside_is_noticed() {
    let playground = Playground::open();
    let run = three(&playground).await;
    let since = run.state().await["seq"].clone();
    let pid = i32::try_from(pids(&run.state().await)[1]).ok().and_then(rustix::process::Pid::from_raw);
    rustix::process::kill_process(pid.expect("a process"), rustix::process::Signal::KILL).expect("killed");
    run.wait_since(&since, json!({ "event": { "kind": "crashed", "node": 1 } })).await;
    assert_eq!(run.events("crashed").await[0]["cause"], json!({ "unexpected": "signal 9" }));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_process_stopped_from_outside_is_paused_and_goes_on_by_either_hand() {
    let playground = Playground::open();
    let run = three(&playground).await;
    let pid = i32::try_from(pids(&run.state().await)[1]).ok().and_then(rustix::process::Pid::from_raw);
    let signal = |signal| rustix::process::kill_process(pid.expect("a process"), signal).expect("signalled");
    let happened = async |since: &Value, kind: &str| {
        run.wait_since(since, json!({ "event": { "kind": kind, "node": 1 } })).await;
        run.state().await["seq"].clone()
    };
    let since = run.state().await["seq"].clone();
    signal(rustix::process::Signal::STOP);
    let since = happened(&since, "paused").await;
    assert_eq!(node(&run.state().await, 1)["process"], "paused");
    run.refused(Method::POST, "/nodes/1/pause", Some(json!({})), 409).await;
    signal(rustix::process::Signal::CONT);
    let since = happened(&since, "resumed").await;
    signal(rustix::process::Signal::STOP);
    happened(&since, "paused").await;
    run.post("/nodes/1/resume", json!({})).await;
    run.post("/nodes/1/pause", json!({})).await;
    let since = run.state().await["seq"].clone();
    signal(rustix::process::Signal::CONT);
    happened(&since, "resumed").await;
    assert_eq!(run.events("paused,resumed").await.len(), 6, "what is ordered is told once");
    let notes: Vec<Value> = run.events("noted").await.into_iter().map(|event| event["detail"].clone()).collect();
    assert_eq!(notes.len(), 4, "{notes:?}");
    assert!(notes[0].as_str().is_some_and(|note| note.contains("another program has stopped the process of P1")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_paused_node_holds_everybody_up_until_it_goes_on() {
    let playground = Playground::open();
    let run = three(&playground).await;
    run.post("/nodes/2/pause", json!({})).await;
    run.refused(Method::POST, "/nodes/2/pause", Some(json!({})), 409).await;
    run.acquire(0, json!({})).await;
    run.wait_since(&json!(0), json!({ "event": { "kind": "delivered", "node": 0, "from": 1 } })).await;
    let state = run.state().await;
    assert_eq!(
        (&node(&state, 2)["process"], &state["verdict"]["status"]),
        (&json!("paused"), &json!("waiting-for-you"))
    );
    run.post("/nodes/2/resume", json!({})).await;
    run.wait(json!({ "entered": { "node": 0 } })).await;
    run.refused(Method::POST, "/nodes/2/resume", Some(json!({})), 409).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pause_with_an_end_ends_by_itself() {
    let playground = Playground::open();
    let run = three(&playground).await;
    run.post("/nodes/1/pause", json!({ "for_ms": 50 })).await;
    run.enter(0).await;
    assert_eq!(run.events("paused,resumed").await.len(), 2);
}

/// If a process waits for a paused process, the verdict depends on the pause. A pause with a time limit needs no
/// manual action; a pause without a time limit needs one.
#[tokio::test(flavor = "multi_thread")]
async fn a_pause_with_an_end_waits_for_nobody_and_one_after_it_does() {
    let playground = Playground::open();
    let run = three(&playground).await;
    run.post("/nodes/2/pause", json!({ "for_ms": "60m" })).await;
    run.acquire(0, json!({})).await;
    run.wait_since(&json!(0), json!({ "event": { "kind": "delivered", "node": 0, "from": 1 } })).await;
    assert_ne!(run.verdict().await, "waiting-for-you");
    run.post("/nodes/2/resume", json!({})).await;
    run.wait(json!({ "entered": { "node": 0 } })).await;
    run.release(0).await;
    let since = run.state().await["seq"].clone();
    run.post("/nodes/2/pause", json!({})).await;
    run.acquire(0, json!({})).await;
    run.wait_since(&since, json!({ "event": { "kind": "delivered", "node": 0, "from": 1 } })).await;
    assert_eq!(run.verdict().await, "waiting-for-you");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_to_a_paused_node_is_taken_when_it_goes_on() {
    let playground = Playground::open();
    let run = three(&playground).await;
    run.post("/nodes/0/pause", json!({})).await;
    let answer = run.acquire(0, json!({})).await;
    assert_eq!((&answer["request"], &answer["entered"]), (&Value::Null, &json!(false)), "{answer}");
    run.post("/nodes/0/resume", json!({})).await;
    run.wait(json!({ "entered": { "node": 0 } })).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restarted_node_takes_part_again_in_a_new_life() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "centralised", "nodes": 3 })).await;
    run.enter(2).await;
    run.release(2).await;
    run.post("/nodes/2/crash", json!({})).await;
    run.refused(Method::POST, "/nodes/1/restart", Some(json!({ "state": "stored" })), 409).await;
    for (life, state) in [(2, "stored"), (3, "none")] {
        run.post("/nodes/2/restart", json!({ "state": state })).await;
        let now = run.state().await;
        assert_eq!((&node(&now, 2)["process"], &node(&now, 2)["incarnation"]), (&json!("running"), &json!(life)));
        run.enter(0).await;
        run.release(0).await;
        run.enter(2).await;
        run.release(2).await;
        run.post("/nodes/2/crash", json!({})).await;
    }
    let requests: Vec<_> = run.events("requested").await.iter().filter(|event| event["node"] == 2).cloned().collect();
    let numbers: Vec<_> = requests.iter().map(|event| event["request"].as_u64()).collect();
    assert_eq!(numbers, [Some(1), Some(2), Some(3)], "requests are numbered over all lives");
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_that_make_no_sense_are_refused_and_change_nothing() {
    let playground = Playground::open();
    let run = three(&playground).await;
    run.refused(Method::POST, "/nodes/0/release", Some(json!({})), 409).await;
    run.enter(0).await;
    let problem = run.refused(Method::POST, "/nodes/0/acquire", Some(json!({})), 409).await;
    assert!(problem["detail"].as_str().is_some_and(|text| text.contains("P0")), "{problem}");
    run.refused(Method::POST, "/nodes/7/acquire", Some(json!({})), 404).await;
    run.refused(Method::POST, "/nodes/1/acquire", Some(json!({ "lock": 5 })), 409).await;
    run.release(0).await;
    run.enter(1).await;
    assert_eq!(run.events("requested").await.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_acquisition_with_a_hold_time_ends_by_itself() {
    let playground = Playground::open();
    let run = three(&playground).await;
    let answer = run.acquire(0, json!({ "hold": 30, "wait_ms": PATIENCE_MS })).await;
    assert_eq!((&answer["entered"], &answer["request"]), (&json!(true), &json!(1)), "{answer}");
    run.wait(json!({ "exited": { "node": 0 } })).await;
    let events = run.events("entered,exited").await;
    let held = events[1]["at_us"].as_u64().expect("a time") - events[0]["at_us"].as_u64().expect("a time");
    assert!(held >= 30_000, "held for {held} µs");
}

#[tokio::test(flavor = "multi_thread")]
async fn with_its_own_timers_off_a_node_is_driven_from_outside() {
    let playground = Playground::open();
    let run = playground
        .run(json!({
            "algorithm": "ricart-agrawala", "nodes": 2, "timers": false,
            "workload": { "idle": "const:1", "hold": "const:1", "entries": 1, "nodes": [0] },
        }))
        .await;
    run.wait_since(&json!(0), json!({ "event": { "kind": "armed", "node": 0 } })).await;
    run.post("/nodes/0/fire", json!({ "timer": { "client": "idle" } })).await;
    run.wait(json!({ "entered": { "node": 0 } })).await;
    assert_eq!(run.verdict().await, "ok");
    run.refused(Method::POST, "/nodes/0/fire", Some(json!({ "timer": { "client": "idle" } })), 404).await;
    run.post("/nodes/0/fire", json!({ "timer": { "client": "hold" } })).await;
    run.wait(json!("idle")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_end_of_an_earlier_pause_does_not_end_a_later_one() {
    let playground = Playground::open();
    let run = three(&playground).await;
    run.post("/nodes/1/pause", json!({ "for_ms": 100 })).await;
    run.post("/nodes/1/resume", json!({})).await;
    let paused = run.post("/nodes/1/pause", json!({})).await["seq"].clone();
    let until = json!({ "event": { "kind": "resumed" } });
    let wait = json!({ "until": until, "since": paused, "timeout_ms": 400 });
    let problem = run.refused(Method::POST, "/wait", Some(wait), 408).await;
    assert_eq!(problem["type"], "/problems/not-in-time", "nobody has resumed it");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_stopped_while_it_is_created_leaves_no_process() {
    let playground = Playground::open();
    let document = json!({ "algorithm": "ricart-agrawala", "nodes": 150 });
    let stop = async {
        loop {
            let runs = playground.get("/runs").await;
            if let Some(id) = runs["items"][0]["id"].as_str() {
                return playground.post(&format!("/runs/{id}/stop"), json!({})).await;
            }
            tokio::task::yield_now().await;
        }
    };
    let ((status, answer), _) = tokio::join!(playground.request(Method::POST, "/runs", Some(document)), stop);
    assert!(status == 201 || status == 409, "created before it was stopped, or told that it has ended: {answer}");
    assert_eq!(children(playground.pid()), Vec::<u32>::new(), "the answer comes when no process is left");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_told_of_a_run_or_of_a_new_life_finds_that_it_has_begun() {
    let playground = Playground::open();
    let fire = json!({ "timer": { "client": "idle" } });
    for _ in 0..20 {
        let specification = json!({ "algorithm": "ricart-agrawala", "nodes": 3, "timers": false, "workload": {} });
        let run = playground.run(specification).await;
        for node in 0..3 {
            run.post(&format!("/nodes/{node}/fire"), fire.clone()).await;
        }
        run.post("/nodes/1/crash", json!({})).await;
        run.post("/nodes/1/restart", json!({})).await;
        run.post("/nodes/1/fire", fire.clone()).await;
        run.post("/stop", json!({})).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn healing_means_the_same_by_hand_and_in_a_script() {
    let playground = Playground::open();
    let mut events = Vec::new();
    for script in [json!([]), json!([{ "at": 0, "do": { "pause": { "node": 1 } } }, { "at": 0, "do": { "heal": {} } }])]
    {
        let by_hand = script == json!([]);
        let network = json!({ "loss": 1.0, "hold": true });
        let links = json!([{ "from": 0, "to": 1, "loss": 1.0 }]);
        let run = json!({ "algorithm": "lamport", "nodes": 2, "network": network, "links": links, "script": script });
        let run = playground.run(run).await;
        if by_hand {
            run.post("/nodes/1/pause", json!({})).await;
            run.post("/heal", json!({})).await;
        }
        run.wait_since(&json!(0), json!({ "event": { "kind": "resumed", "node": 1 } })).await;
        let done = run.events("configured,paused,resumed").await;
        events.push(done.iter().map(|event| (event["kind"].clone(), event["change"].clone())).collect::<Vec<_>>());
        run.enter(0).await;
    }
    assert_eq!(events[0], events[1]);
    assert_eq!(events[0].len(), 4, "{events:?}");
}
