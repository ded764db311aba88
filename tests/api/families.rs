//! Tests of elections, agreement, several locks, messages of the application and scripts, through the API.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{PATIENCE_MS, Playground, Run};

async fn leaders(run: &Run<'_>) -> Vec<Value> {
    let state = run.state().await;
    state["nodes"].as_array().expect("nodes").iter().map(|node| node["leader"]["leader"].clone()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn when_the_highest_is_dead_the_next_is_elected_by_order() {
    let playground = Playground::open();
    // A process that answers too late would be suspected. The time-outs are therefore long enough for a busy
    // machine.
    let parameters = json!({ "initiators": "none", "answer": "3s", "coordinator": "12s" });
    let run = playground.run(json!({ "algorithm": "bully", "nodes": 5, "parameters": parameters })).await;
    run.post("/nodes/4/crash", json!({})).await;
    let answer = run.post("/nodes/2/elect", json!({})).await;
    assert_eq!(answer["taken"], true, "{answer}");
    run.wait(json!({ "elected": { "leader": 3 } })).await;
    assert_eq!(leaders(&run).await, [json!(3), json!(3), json!(3), json!(3), Value::Null]);
    let metrics = run.metrics().await;
    assert!(metrics["elections"].as_u64().is_some_and(|called| called > 0), "{metrics}");
    assert_eq!((&metrics["violations"], &metrics["entries"]), (&json!(0), &json!(0)), "{metrics}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_call_is_answered_with_the_election_under_way() {
    let playground = Playground::open();
    let hold = json!({ "algorithm": "bully", "nodes": 3, "parameters": { "initiators": "none", "answer": 60_000 },
                       "network": { "hold": true } });
    let run = playground.run(hold).await;
    run.post("/nodes/0/elect", json!({})).await;
    let problem = run.refused(Method::POST, "/nodes/0/elect", Some(json!({})), 409).await;
    let detail = problem["detail"].as_str().unwrap_or_default();
    assert!(detail.contains("in progress") && detail.contains('1'), "{problem}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_an_algorithm_has_not_cannot_be_ordered_or_asked_for() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "bully", "nodes": 3 })).await;
    let problem = run.refused(Method::POST, "/nodes/0/acquire", Some(json!({})), 409).await;
    let detail = problem["detail"].as_str().unwrap_or_default();
    assert!(detail.contains("do not have the command `acquire`, only elect"), "{problem}");
    let cases = [
        (json!({ "algorithm": "bully", "workload": {} }), "/workload", "no locks"),
        (json!({ "algorithm": "bully", "locks": 2 }), "/locks", "no locks"),
        (json!({ "algorithm": "lamport", "locks": 0 }), "/locks", "outside 1"),
        (
            json!({ "algorithm": "lamport", "locks": 2, "workload": { "locks": "some:3" } }),
            "/workload/locks",
            "3 locks",
        ),
        (json!({ "algorithm": "lamport", "workload": { "locks": "left" } }), "/workload/locks", "write `first`"),
        (json!({ "algorithm": "lamport", "workload": { "tell": 2.0 } }), "/workload/tell", "not a probability"),
        (json!({ "algorithm": "paxos", "nodes": 3, "parameters": { "quorum": 4 } }), "/parameters/quorum", "4"),
        (
            json!({ "algorithm": "lamport", "script": [{ "at": 1, "do": { "elect": { "node": 0 } } }] }),
            "/script/0/do/elect",
            "does not have the command `elect`",
        ),
        (
            json!({ "algorithm": "lamport", "script": [{ "at": 1, "do": { "corrupt": { "node": 0, "choice": 1 } } }] }),
            "/script/0/do/corrupt",
            "`lamport` does not stabilise",
        ),
        (
            json!({ "algorithm": "bully", "nodes": 3, "script": [{ "at": 1, "do": { "crash": { "node": 3 } } }] }),
            "/script/0/do/crash/node",
            "no node 3",
        ),
        (
            json!({ "algorithm": "paxos", "script": [{ "at": 1, "do": { "propose": { "node": 0, "value": "" } } }] }),
            "/script/0/do/propose/value",
            "needs a value",
        ),
        (json!({ "algorithm": "lamport", "script": [{ "at": -1, "do": { "heal": {} } }] }), "/script", "outside 0"),
    ];
    for (document, pointer, detail) in cases {
        let problem = playground.refused(Method::POST, "/runs", Some(document.clone()), 422).await;
        let found = problem["errors"].as_array().expect("errors").iter().any(|error| {
            error["pointer"].as_str().is_some_and(|found| found.starts_with(pointer))
                && error["detail"].as_str().is_some_and(|found| found.contains(detail))
        });
        assert!(found, "{document} should be refused at {pointer:?} with {detail:?}: {problem}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_state_of_a_process_is_overwritten_where_it_stabilises() {
    let playground = Playground::open();
    let ring = json!({ "algorithm": "dijkstra-ring", "nodes": 3, "parameters": { "k": 4, "period": "1m" } });
    let run = playground.run(ring).await;
    let answer = run.post("/nodes/1/corrupt", json!({ "choice": 14 })).await;
    assert_eq!(answer["taken"], true, "{answer}");
    let told = run.get(&format!("/events?since={}", answer["seq"].as_u64().expect("a number") - 5)).await;
    assert!(told.to_string().contains(r#""code":"corrupted","copy":3,"flag":2"#), "{told}");
    let problem = run.refused(Method::POST, "/nodes/1/corrupt", Some(json!({ "choice": 16 })), 409).await;
    assert!(problem.to_string().contains("there is no state 16; there are 16, numbered from 0"), "{problem}");
    run.refused(Method::POST, "/nodes/1/corrupt", Some(json!({ "choice": -1 })), 422).await;
    let run = playground.run(json!({ "algorithm": "lamport", "nodes": 3 })).await;
    let problem = run.refused(Method::POST, "/nodes/1/corrupt", Some(json!({ "choice": 1 })), 409).await;
    assert!(problem.to_string().contains("`lamport` does not stabilise"), "{problem}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_value_is_proposed_and_chosen_and_nothing_is_no_value() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "paxos", "nodes": 3, "parameters": { "proposers": "none" } })).await;
    for body in [json!({ "value": "" }), json!({ "value": "v".repeat(201) })] {
        let problem = run.refused(Method::POST, "/nodes/1/propose", Some(body), 422).await;
        assert!(problem.to_string().contains("outside 1 … 200"), "{problem}");
    }
    run.refused(Method::POST, "/nodes/1/propose", Some(json!({})), 422).await;
    run.post("/nodes/1/propose", json!({ "value": "blue" })).await;
    run.wait(json!({ "decided": {} })).await;
    let state = run.state().await;
    assert_eq!(state["agreement"][0]["proposed"], json!(["blue"]));
    let learnt = state["agreement"][0]["decided"].as_object().expect("who has learnt it");
    assert!(learnt.values().all(|value| value == "blue"), "{state}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_can_have_several_locks_and_each_is_for_one() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 3, "locks": 2 })).await;
    for (node, lock) in [(0, 0), (0, 1)] {
        let answer = run.acquire(node, json!({ "lock": lock, "wait_ms": PATIENCE_MS })).await;
        assert_eq!(answer["entered"], true, "{answer}");
    }
    run.acquire(1, json!({ "lock": 1 })).await;
    let state = run.state().await;
    assert_eq!((&state["locks"][0]["holders"], &state["locks"][1]["holders"]), (&json!([0]), &json!([0])));
    assert_eq!((&state["nodes"][0]["holds"], &state["nodes"][1]["wants"]), (&json!([0, 1]), &json!([1])));
    let problem = run.refused(Method::POST, "/nodes/2/acquire", Some(json!({ "lock": 2 })), 409).await;
    assert!(problem.to_string().contains("the run has locks 0 … 1"), "{problem}");
    run.post("/nodes/0/release", json!({ "lock": 1 })).await;
    run.wait(json!({ "entered": { "node": 1 } })).await;
    assert_eq!(run.verdict().await, "ok");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_of_the_application_carries_the_clock_and_may_make_another_ask() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "lamport", "nodes": 3 })).await;
    run.enter(0).await;
    run.post("/nodes/0/tell", json!({ "to": 1, "asks": true, "hold": 1 })).await;
    run.wait_since(&json!(0), json!({ "event": { "kind": "requested", "node": 1 } })).await;
    let told = run.events("sent").await.into_iter().find(|event| event["message_kind"] == "TELL").expect("a TELL");
    assert!(told["body"]["clock"].as_u64().is_some_and(|clock| clock > 0), "{told}");
    run.release(0).await;
    run.wait_since(&json!(0), json!({ "event": { "kind": "exited", "node": 1 } })).await;
    run.refused(Method::POST, "/nodes/0/tell", Some(json!({ "to": 0 })), 409).await;
    assert_eq!(run.metrics().await["messages_by_kind"].get("TELL"), None, "it is no cost of the algorithm");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_script_is_played_and_what_cannot_be_done_is_noted() {
    let playground = Playground::open();
    let script = json!([
        { "at": 40, "do": { "restart": { "node": 2 } } },
        { "at": 0, "do": { "acquire": { "node": 1, "hold": 5 } } },
        { "at": 20, "do": { "crash": { "node": 2 } } },
        { "at": 21, "do": { "crash": { "node": 2 } } },
    ]);
    let run = playground.run(json!({ "algorithm": "centralised", "nodes": 3, "script": script })).await;
    run.wait_since(&json!(0), json!({ "event": { "kind": "restarted", "node": 2 } })).await;
    // The script determines only the order of its actions. The time at which P1 enters depends on the machine, so
    // the test waits for the entry.
    run.wait_since(&json!(0), json!({ "event": { "kind": "entered", "node": 1 } })).await;
    let kinds: Vec<Value> = run.events("crashed,noted,restarted").await;
    let kinds: Vec<&str> = kinds.iter().filter_map(|event| event["kind"].as_str()).collect();
    assert_eq!(kinds, ["crashed", "noted", "restarted"]);
    let noted = &run.events("noted").await[0];
    assert!(noted["detail"].as_str().is_some_and(|detail| detail.contains("P2 is crashed")), "{noted}");
}

#[tokio::test(flavor = "multi_thread")]
async fn examples_are_bodies_of_runs() {
    let playground = Playground::open();
    let examples = playground.get("/examples").await;
    let names: Vec<&str> =
        examples["items"].as_array().expect("items").iter().filter_map(|example| example["name"].as_str()).collect();
    assert!(names.contains(&"philosophers") && names.contains(&"cash-machines"), "{names:?}");
    let example = playground.get("/examples/cash-machines-unprotected").await;
    let run = playground.run(example["specification"].clone()).await;
    run.wait_since(&json!(0), json!("violation")).await;
    run.wait(json!("idle")).await;
    assert_eq!(
        run.state().await["account"],
        json!({ "balance": 11_000, "expected": 21_000, "deposits": 2, "refused": 0 })
    );
    let problem = playground.refused(Method::GET, "/examples/cash-machine", None, 404).await;
    assert!(
        problem["detail"].as_str().is_some_and(|detail| detail.contains("did you mean `cash-machines`?")),
        "{problem}"
    );
}

/// In the lecture's example, P5 requests two units of R1, one of R2 and one of R3 at once. If a request exceeds
/// the claim of its process, the error must name the maximum number of units for this process.
#[tokio::test(flavor = "multi_thread")]
async fn a_banker_is_asked_for_several_units_at_once() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "banker", "nodes": 5 })).await;
    let answer = run.post("/nodes/4/acquire", json!({ "locks": [0, 0, 1, 2], "wait_ms": 60_000 })).await;
    assert_eq!(answer["entered"], true, "{answer}");
    let metrics = run.metrics().await;
    assert_eq!((&metrics["messages_by_kind"]["REQUEST"], &metrics["entries"]), (&json!(1), &json!(4)), "{metrics}");
    let problem = run.refused(Method::POST, "/nodes/3/acquire", Some(json!({ "locks": [2, 3, 3] })), 409).await;
    let detail = problem["detail"].as_str().unwrap_or_default();
    assert!(detail.contains("may have at most 1 units of resource 3") && detail.contains("asks for 2"), "{problem}");
    let both = json!({ "lock": 0, "locks": [1] });
    let problem = run.refused(Method::POST, "/nodes/3/acquire", Some(both), 422).await;
    assert_eq!(problem["errors"][0]["pointer"], "/locks", "{problem}");
}

/// If a process requests several locks at once, it waits for the holder of each of these locks. By default, a
/// process requests one lock after the other.
#[tokio::test(flavor = "multi_thread")]
async fn with_edge_chasing_a_node_can_wait_for_several() {
    let playground = Playground::open();
    let at_once = json!({ "algorithm": "edge-chasing", "nodes": 3, "parameters": { "requests": "at-once" } });
    let run = playground.run(at_once).await;
    for node in [1, 2] {
        run.post(&format!("/nodes/{node}/acquire"), json!({ "lock": node, "wait_ms": 60_000 })).await;
    }
    run.post("/nodes/0/acquire", json!({ "locks": [1, 2] })).await;
    let state = run.state().await;
    let waiting: Vec<&Value> = state["locks"].as_array().expect("locks").iter().map(|lock| &lock["waiting"]).collect();
    assert!(waiting[1..].iter().all(|of| of.as_array().is_some_and(|of| of.len() == 1)), "{state}");
    let run = playground.run(json!({ "algorithm": "edge-chasing", "nodes": 3 })).await;
    let problem = run.refused(Method::POST, "/nodes/0/acquire", Some(json!({ "locks": [1, 2] })), 409).await;
    assert!(problem["detail"].as_str().unwrap_or_default().contains("one lock after the other"), "{problem}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_script_asks_for_several_at_once() {
    let playground = Playground::open();
    let script = json!([{ "at": 1, "do": { "acquire_together": { "node": 4, "locks": [0, 0, 1, 2], "hold": 1 } } }]);
    let run = playground.run(json!({ "algorithm": "banker", "nodes": 5, "script": script })).await;
    run.wait_since(&json!(0), json!({ "event": { "kind": "exited", "node": 4 } })).await;
    let metrics = run.metrics().await;
    assert_eq!((&metrics["entries"], &metrics["violations"]), (&json!(4), &json!(0)), "{metrics}");
}

/// A time-out that is shorter than the delays causes a warning. The answer to the creation of the run contains the
/// warning, and so do the first event and the verdict. If the delays become too long only later, the verdict
/// contains the warning from then on.
#[tokio::test(flavor = "multi_thread")]
async fn a_time_out_that_delays_exceed_is_warned_of() {
    let playground = Playground::open();
    let bully = |delay: &str| {
        json!({ "algorithm": "bully", "nodes": 3, "network": { "delay": delay },
                "parameters": { "initiators": "none", "answer": "50ms", "coordinator": "1m" } })
    };
    let made = playground.post("/runs", bully("const:500")).await;
    let warning = &made["warnings"][0];
    assert_eq!(
        (&warning["code"], &warning["parameter"], &warning["risk"]),
        (&json!("delay-beyond-time-out"), &json!("answer"), &json!("safety")),
        "{made}"
    );
    let times = ["value_ms", "needed_ms", "longest_delay_ms"].map(|name| warning[name].as_f64());
    assert_eq!(times, [50.0, 1_000.0, 500.0].map(Some));
    let run = Run { playground: &playground, id: made["id"].as_str().expect("an id").to_owned() };
    assert_eq!(run.get("").await["warnings"], made["warnings"]);
    assert_eq!(run.events("created").await[0]["warnings"], made["warnings"]);
    assert_eq!(run.state().await["verdict"]["warnings"], made["warnings"]);

    let timely = playground.run(bully("const:24")).await;
    assert_eq!(
        (timely.get("").await["warnings"].clone(), timely.state().await["verdict"]["warnings"].clone()),
        Default::default()
    );
    let slower = json!({ "delay": "const:25" });
    let (status, _) = playground.request(Method::PATCH, &timely.path("/network/default"), Some(slower)).await;
    assert!(status.is_success(), "{status}");
    assert_eq!(timely.state().await["verdict"]["warnings"][0]["parameter"], "answer");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_answer_has_all_parameters_with_the_values_in_force() {
    let playground = Playground::open();
    let run =
        playground.run(json!({ "algorithm": "replicated-lock", "nodes": 3, "parameters": { "lease": "2s" } })).await;
    let parameters = &run.get("").await["specification"]["parameters"];
    assert_eq!(parameters, &json!({ "leader": 0, "lease": 2_000, "retry": 500 }));
    let bully = playground.run(json!({ "algorithm": "bully", "nodes": 3 })).await;
    let parameters = &bully.get("").await["specification"]["parameters"];
    assert_eq!(parameters, &json!({ "initiators": 0, "answer": 50, "coordinator": 150 }));
    let half = json!({ "algorithm": "bully", "nodes": 3, "parameters": { "initiators": "none", "answer": 0.5 } });
    assert_eq!(playground.run(half).await.get("").await["specification"]["parameters"]["answer"], 0.5);
    for (given, wrong) in [(json!("soon"), "not a length of time"), (json!(3_600_001), "outside 0.001 … 3600000")] {
        let document = json!({ "algorithm": "bully", "parameters": { "answer": given } });
        let problem = playground.refused(Method::POST, "/runs", Some(document), 422).await;
        let error = &problem["errors"][0];
        assert_eq!(error["pointer"], "/parameters/answer");
        assert!(error["detail"].as_str().is_some_and(|detail| detail.contains(wrong)), "{problem}");
    }
}
