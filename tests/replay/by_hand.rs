//! Tests of runs that follow a schedule, over the API. A user can pause such a run at a position, continue it, or make
//! it leave its schedule. The API can also reject the run.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Playground, is_alive, pids};

/// Returns a schedule in which two processes request, and both requests are in transit. The request of P0 is then
/// lost, P0 enters, and P1 waits.
fn two_ask() -> Value {
    json!({
        "specification": { "algorithm": "ricart-agrawala", "nodes": 2, "seed": 1, "network": { "delay": "const:3" } },
        "choices": [
            { "do": { "acquire": { "node": 0 } } }, { "do": { "deliver": "0.1.1" } }, { "do": { "deliver": "1.0.1" } },
            { "do": { "acquire": { "node": 1 } } }, { "do": { "after": 50 } }, { "do": { "release": { "node": 0 } } },
        ],
    })
}

async fn kinds(run: &crate::support::Run<'_>) -> Vec<String> {
    run.events("").await.iter().map(|event| event["kind"].as_str().expect("a kind").to_owned()).collect()
}

#[tokio::test]
async fn a_run_stands_where_it_is_put_and_goes_on_by_steps() {
    let playground = Playground::open();
    let run = playground.run(json!({ "replay": two_ask(), "until": 1 })).await;
    let replay = run.get("/replay").await;
    assert_eq!(
        replay,
        json!({ "position": 1, "of": 6, "next": { "deliver": "0.1.1" }, "difference": null, "forked": false })
    );
    assert!(!kinds(&run).await.contains(&"delivered".to_owned()), "nothing happens by itself");
    let replay = run.post("/replay/step", json!({})).await;
    assert_eq!((&replay["position"], &replay["next"]), (&json!(2), &json!({ "deliver": "1.0.1" })));
    let replay = run.post("/replay/step", json!({ "count": 1 })).await;
    assert_eq!(replay["position"], 3);
    let entered = &run.events("entered").await[0];
    assert_eq!((&entered["node"], &entered["at_us"]), (&json!(0), &json!(6_000)), "in the time of the schedule");
    let replay = run.post("/replay/step", json!({ "to": 6 })).await;
    assert_eq!((&replay["position"], &replay["next"]), (&json!(6), &Value::Null));
    let replay = run.post("/replay/step", json!({ "count": 10 })).await;
    assert_eq!(replay["position"], 6, "there is no more");
    assert_eq!(run.events("exited").await[0]["at_us"], 56_000);
}

#[tokio::test]
async fn what_cannot_be_is_refused_with_its_reason() {
    let playground = Playground::open();
    let post = |body: Value, status| playground.refused(Method::POST, "/runs", Some(body), status);
    let mut wrong = two_ask();
    wrong["choices"][1] = json!({ "do": { "deliver": "1.0.1" } });
    let problem = post(json!({ "replay": wrong }), 422).await;
    assert_eq!(problem["errors"][0]["pointer"], "/replay/choices/1/do", "{problem}");
    let possible = problem["errors"][0]["allowed"].to_string();
    assert!(possible.contains("0.1.1") && problem["detail"].to_string().contains("neither held nor"), "{problem}");
    let mut unknown = two_ask();
    unknown["choices"][0] = json!({ "do": { "acquire": { "node": 9 } } });
    let problem = post(json!({ "replay": unknown }), 422).await;
    assert_eq!(problem["errors"][0]["pointer"], "/replay/choices/0/do/acquire/node", "{problem}");
    let composite = json!({ "algorithm": "dijkstra-ring", "variant": "composite", "nodes": 3 });
    let problem = post(json!({ "replay": { "specification": composite, "choices": [] } }), 422).await;
    assert_eq!(problem["errors"][0]["pointer"], "/replay/specification/variant", "{problem}");
    let problem = post(json!({ "replay": two_ask(), "until": 7 }), 422).await;
    assert!(problem["detail"].to_string().contains("cannot continue the schedule to action 7"), "{problem}");
    post(json!({ "replay": two_ask(), "untill": 7 }), 422).await;
    assert_eq!(playground.get("/runs").await["items"], json!([]), "no process was started for any of them");

    let run = playground.run(json!({ "replay": two_ask(), "until": 3 })).await;
    for body in [json!({ "to": 2 }), json!({ "to": 7 }), json!({ "to": 4, "count": 1 }), json!({ "fork": false })] {
        run.refused(Method::POST, "/replay/step", Some(body), 422).await;
    }
    for (method, path, body) in [
        (Method::POST, "/nodes/1/acquire", json!({})),
        (Method::POST, "/nodes/1/crash", json!({})),
        (Method::POST, "/heal", json!({})),
        (Method::PATCH, "/network/default", json!({ "loss": 0.5 })),
        (Method::POST, "/network/messages/release", json!({})),
    ] {
        let problem = run.refused(method, path, Some(body), 409).await;
        assert!(problem["detail"].to_string().contains("follows a schedule"), "{problem}");
    }
    let replay = run.post("/replay/step", json!({ "to": 6 })).await;
    assert_eq!(replay["difference"], Value::Null, "nothing of that has happened");
    run.post("/stop", json!({})).await;
    run.refused(Method::POST, "/replay/step", Some(json!({})), 409).await;
    assert_eq!(run.get("/replay").await["difference"], Value::Null, "an early end is no difference");

    let other = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 2 })).await;
    other.refused(Method::GET, "/replay", None, 404).await;
    other.refused(Method::POST, "/replay/step", Some(json!({})), 404).await;
}

#[tokio::test]
async fn a_process_that_dies_although_no_choice_says_so_is_a_difference() {
    let playground = Playground::open();
    let run = playground.run(json!({ "replay": two_ask(), "until": 2 })).await;
    let state = run.state().await;
    let pid = pids(&state)[1];
    let process = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw).expect("a process id");
    rustix::process::kill_process(process, rustix::process::Signal::KILL).expect("it is killed");
    run.wait_since(&state["seq"], json!({ "event": { "kind": "crashed" } })).await;
    assert!(!is_alive(pid));
    let replay = run.get("/replay").await;
    assert_eq!((&replay["position"], &replay["difference"]["expected"]), (&json!(2), &Value::Null), "{replay}");
    assert_eq!(replay["difference"]["seen"]["kind"], "crashed");
    let problem = run.refused(Method::POST, "/replay/step", Some(json!({})), 409).await;
    assert!(problem["detail"].to_string().contains("that no action causes"), "{problem}");
}

#[tokio::test]
async fn a_run_that_leaves_its_schedule_lives_on_from_there() {
    let playground = Playground::open();
    let mut schedule = two_ask();
    schedule["specification"]["workload"] = json!({ "idle": "const:10", "hold": "const:5", "entries": 3 });
    // The run leaves the schedule before the last action. This action must not prevent the run from becoming idle.
    let choices = json!([{ "after": 12 }, { "hold": "0.1.1" }, { "note": "the last action" }]);
    schedule["choices"] = choices.as_array().expect("a list").iter().map(|choice| json!({ "do": choice })).collect();
    let run = playground.run(json!({ "replay": schedule, "until": 2 })).await;
    assert_eq!(run.metrics().await["entries"], 0, "nobody enters while nothing happens");
    let replay = run.post("/replay/step", json!({ "fork": true })).await;
    assert_eq!((&replay["position"], &replay["forked"]), (&json!(2), &json!(true)));
    run.post("/network/messages/0.1.1/deliver", json!({})).await;
    run.wait(json!("idle")).await;
    let metrics = run.metrics().await;
    assert_eq!((&metrics["entries"], &metrics["violations"]), (&json!(6), &json!(0)), "{metrics}");
    let events = run.events("").await;
    assert!(events.iter().all(|event| event["kind"] != "misbehaved"), "{events:?}");
    let times: Vec<u64> = events.iter().map(|event| event["at_us"].as_u64().expect("a time")).collect();
    let held = events.iter().position(|event| event["kind"] == "held").expect("it was held");
    assert!(times[held] == 12_000 && times[held..].iter().all(|at_us| *at_us >= 12_000), "{times:?}");
    assert!(events[held..].iter().any(|event| event["kind"] == "forwarded"), "{events:?}");
    run.refused(Method::POST, "/replay/step", Some(json!({ "fork": true })), 409).await;
    run.refused(Method::POST, "/replay/step", Some(json!({})), 409).await;
}

/// In the recording, a message was released manually and has reached its process, but the process has not handled
/// it. If the run leaves the schedule at this point, the process must then handle the message.
#[tokio::test]
async fn what_had_reached_a_process_is_taken_once_a_run_has_left_its_schedule() {
    let playground = Playground::open();
    let network = json!({ "hold": true });
    let recorded = playground.run(json!({ "algorithm": "centralised", "nodes": 2, "network": network })).await;
    recorded.acquire(1, json!({})).await;
    recorded.deliver("REQUEST 1→0").await;
    let forwarded = recorded.events("forwarded").await[0]["seq"].clone();
    let schedule = recorded.get(&format!("/schedule?until={forwarded}")).await;
    let choices = schedule["choices"].as_array().map(Vec::len);
    let run = playground.run(json!({ "replay": schedule, "until": choices })).await;
    assert_eq!(run.events("delivered").await, [json!(null); 0], "it has not been taken by then");
    run.post("/replay/step", json!({ "fork": true })).await;
    run.wait_since(&json!(0), json!({ "event": { "kind": "delivered", "message": "1.0.1" } })).await;
}

/// After the run has left its schedule, the timers of a restarted process must expire like the timers of all other
/// processes.
#[tokio::test]
async fn timers_of_every_life_run_out_once_a_run_has_left_its_schedule() {
    let playground = Playground::open();
    let specification = json!({
        "algorithm": "bully", "nodes": 3, "seed": 1, "network": { "delay": "const:1" },
        "parameters": { "initiators": "none", "answer": 1_000, "coordinator": 3_000 },
    });
    let choices = json!([{ "do": { "crash": { "node": 2 } } }, { "do": { "elect": { "node": 0 } } }]);
    let run =
        playground.run(json!({ "replay": { "specification": specification, "choices": choices }, "until": 2 })).await;
    run.post("/replay/step", json!({ "fork": true })).await;
    // P1 waits for an answer of a higher process and gets no answer, because P2 has crashed. After its time-out,
    // P1 therefore becomes the coordinator and notifies P0.
    let elected = || json!({ "event": { "kind": "elected", "node": 0 } });
    run.wait(elected()).await;
    let before = run.state().await["seq"].clone();
    run.post("/nodes/2/restart", json!({})).await;
    // A restarted process first asks which process is the coordinator.
    run.wait_since(&before, json!({ "event": { "kind": "elected", "node": 2 } })).await;
    run.post("/nodes/2/elect", json!({})).await;
    run.wait_since(&before, elected()).await;
    let leaders: Vec<Value> = run
        .events("elected")
        .await
        .iter()
        .filter(|event| event["node"] == 0)
        .map(|event| event["leader"].clone())
        .collect();
    assert_eq!((leaders.first(), leaders.last()), (Some(&json!(1)), Some(&json!(2))), "{leaders:?}");
    assert!(run.events("misbehaved").await.is_empty());
}
