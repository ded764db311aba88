//! Tests of the SQL queries in `docs/how-to/ask-a-journal.md`. The tests execute the queries on the journals of
//! real runs, and compare the answers with the events.

use std::process::Command;

use serde_json::{Value, json};

use crate::support::{Playground, Run, program};

const DOCUMENT: &str = include_str!("../../docs/how-to/ask-a-journal.md");

/// Returns the SQL query for a question of the document.
fn query(question: &str) -> &'static str {
    let (_, after) = DOCUMENT.split_once(question).unwrap_or_else(|| panic!("the document asks: {question}"));
    let (_, sql) = after.split_once("```sql\n").expect("a query follows");
    sql.split_once("```").expect("the query ends").0
}

/// Returns the rows of a query's answer, each as an object.
fn answer(run: &Run<'_>, question: &str) -> Vec<Value> {
    let path = run.playground.directory.join(format!("{}.sqlite", run.id));
    let mut command = Command::new(program());
    command.args(["journal", "sql", "--format", "json"]).arg(path).arg(query(question));
    let output = command.output().expect("it runs");
    assert!(output.status.success(), "{question}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn sum(rows: &[Value], column: &str) -> u64 {
    rows.iter().map(|row| row[column].as_u64().expect("a count")).sum()
}

fn near(found: &Value, expected: f64) -> bool {
    (found.as_f64().expect("a number") - expected).abs() < 0.002
}

/// Returns how long a node waited for each of its entries, in ms, computed from the events of the API.
async fn waits_ms(run: &Run<'_>, node: usize) -> Vec<f64> {
    let of = async |kind: &str| {
        let events = run.events(kind).await.into_iter();
        let times = events.filter(|event| event["node"] == node).filter_map(|event| event["at_us"].as_f64());
        times.collect::<Vec<_>>()
    };
    of("entered").await.iter().zip(of("requested").await).map(|(entered, asked)| (entered - asked) / 1000.0).collect()
}

/// The counts and measurements of the queries agree with the metrics of the API.
#[tokio::test(flavor = "multi_thread")]
async fn queries_of_costs_answer_what_the_metrics_say() {
    let playground = Playground::open();
    let run = playground
        .run(json!({
            "algorithm": "ricart-agrawala", "nodes": 3, "network": { "delay": "uniform:0..3", "duplicate": 0.3, "fifo": true },
            "workload": { "idle": "exp:2", "hold": "exp:1", "entries": 7 },
        }))
        .await;
    run.wait(json!("idle")).await;
    run.post("/stop", json!({})).await;
    let (metrics, last) = (run.metrics().await, run.state().await["seq"].as_u64().expect("a number"));

    assert_eq!(sum(&answer(&run, "What happened, and how often?"), "events"), last);

    let entries = answer(&run, "Who entered how often");
    assert_eq!(entries.iter().map(|row| row["entries"].as_u64()).collect::<Vec<_>>(), [Some(7); 3]);
    for (node, row) in entries.iter().enumerate() {
        let waits = waits_ms(&run, node).await;
        let (sum, longest) = (waits.iter().sum::<f64>(), waits.iter().copied().fold(0.0, f64::max));
        assert!(near(&row["mean_ms"], sum / 7.0) && near(&row["longest_ms"], longest), "{row}: {waits:?}");
    }

    let free = answer(&run, "For how long was a lock free");
    assert_eq!((free.len(), &free[0]["lock"], &free[0]["times"]), (1, &json!(0), &json!(20)), "{free:?}");
    assert!(free[0]["longest_ms"].as_f64() >= metrics["synchronisation_delay"]["max"].as_f64(), "{free:?} {metrics}");

    let kinds = answer(&run, "How many messages of each kind");
    let names: Vec<&Value> = kinds.iter().map(|row| &row["message_kind"]).collect();
    assert_eq!(names, ["REPLY", "REQUEST"]);
    for row in &kinds {
        let counted = metrics["messages_by_kind"][row["message_kind"].as_str().expect("a kind")].as_f64();
        assert_eq!(
            (row["messages"].as_f64(), row["for_each_entry"].as_f64()),
            (counted, counted.map(|all| all / 21.0))
        );
    }

    let way = answer(&run, "How long was each kind of message on its way?");
    assert_eq!(metrics["messages"], sum(&way, "messages"), "{way:?}");
    assert!(way.iter().all(|row| row["mean_ms"].as_f64().is_some_and(|mean| mean > 0.0)), "{way:?}");

    let deeds = answer(&run, "What did the network do to messages");
    let copied = deeds.iter().find(|row| row["kind"] == "duplicated").expect("copies");
    assert_eq!(copied["why"], "chance");
    assert_eq!(copied["messages"], run.events("duplicated").await.len());

    assert_eq!(answer(&run, "Who still waits").len(), 0, "who has entered does not wait");
    assert_eq!(answer(&run, "Which rules were broken").len(), 0);
    assert_eq!(answer(&run, "Which messages were overtaken").len(), 0, "links keep their order");
}

/// An acknowledgement that overtakes a request leads to a violation of mutual exclusion. Each query must report
/// its part: the overtaken message, the violation, the lost message, and the events before the violation.
#[tokio::test(flavor = "multi_thread")]
async fn queries_of_what_went_wrong_answer_what_was_done() {
    let playground = Playground::open();
    let network = json!({ "hold": true });
    let run = playground.run(json!({ "algorithm": "lamport", "nodes": 2, "network": network })).await;
    run.acquire(0, json!({})).await;
    run.acquire(1, json!({})).await;
    run.deliver("REQUEST 1→0").await;
    run.wait_since(&json!(0), json!({ "event": { "kind": "held", "message": "0.1.2" } })).await;
    let waiting = answer(&run, "Who still waits");
    assert!(!waiting.is_empty(), "nobody has left yet");
    run.deliver("ACK 0→1").await;
    run.wait(json!("violation")).await;
    run.deliver("REQUEST 0→1").await;
    run.wait_since(&json!(0), json!({ "event": { "kind": "delivered", "message": "0.1.1" } })).await;
    run.post("/network/messages/1.0.2/drop", json!({})).await;
    run.post("/stop", json!({})).await;

    let overtaken = answer(&run, "Which messages were overtaken");
    let pairs: Vec<_> = overtaken.iter().map(|row| (&row["message"], &row["by"])).collect();
    assert_eq!(pairs, [(&json!("0.1.1"), &json!("0.1.2"))]);

    let broken = answer(&run, "Which rules were broken");
    let violations = run.get("/violations").await;
    let first = &violations["items"][0];
    let of_first = broken.iter().filter(|row| row["seq"] == first["seq"]);
    let events: Vec<&Value> = of_first.clone().map(|row| &row["event"]).collect();
    assert_eq!(json!(events), first["events"], "{broken:?}");
    assert!(of_first.into_iter().all(|row| row["code"] == first["code"] && row["kind"] == "entered"), "{broken:?}");

    let lost = answer(&run, "What did the network do to messages");
    assert!(lost.contains(&json!({ "kind": "dropped", "why": "hand", "messages": 1 })), "{lost:?}");

    let before = answer(&run, "Which commands, messages and timers did the last process");
    assert_eq!((&before[0]["kind"], &before[0]["message"]), (&json!("delivered"), &json!("0.1.2")), "{before:?}");
    assert!(before[0]["because"].is_string(), "{before:?}");
    assert_eq!(answer(&run, "Who still waits").len(), 0);
}

/// The document contains ten queries, and no other SQL.
#[test]
fn there_are_ten_queries() {
    assert_eq!(DOCUMENT.matches("```sql\n").count(), 10);
}
