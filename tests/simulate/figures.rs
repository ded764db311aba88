//! Tests of the quantities that a simulation measures.

use serde_json::{Value, json};

use super::{figures, simulate};

/// Returns the names of all fields, each with the kind of its value.
fn shape(value: &Value) -> Value {
    match value {
        Value::Object(map) => map.iter().map(|(name, value)| (name.clone(), shape(value))).collect(),
        Value::Array(list) => list.iter().take(1).map(shape).collect(),
        Value::Null => json!("null"),
        Value::Bool(_) => json!("truth"),
        Value::Number(number) if number.is_f64() => json!("number"),
        Value::Number(_) => json!("count"),
        Value::String(_) => json!("text"),
    }
}

#[test]
fn the_shape_of_a_run_is_the_one_that_scripts_know() {
    let mut run = shape(&figures("--algorithm ricart-agrawala --nodes 3 --idle exp:9 --entries 100"));
    // New figures may be added. Existing figures must not be removed or renamed.
    let delay = json!({ "count": "count", "mean": "number", "p50": "number", "p99": "number", "max": "number" });
    let known = json!({
        "algorithm": "text", "variant": "text", "parameters": {}, "nodes": "count", "seed": "count",
        "multicast": "truth",
        "network": { "delay": "text", "fifo": "truth", "loss": "number", "duplicate": "number", "hold": "truth" },
        "workload": { "idle": "text", "hold": "text", "entries": "null", "nodes": "text" },
        "T": "number", "unit": "text", "warm_up": "count", "cool_down": "count", "cut": "null",
        "entries": "count", "entries_in_all": "count", "messages": "count", "transmissions": "count", "set_up_messages": "count",
        "messages_per_entry": "number", "messages_by_kind": { "REQUEST": "count", "REPLY": "count" },
        "client_delay": delay, "synchronisation_delay": delay, "response_time": delay,
        "throughput": "number", "fairness": "number", "bypass_max": "count", "handled_per_node": ["count"],
        "ended_at": "number", "steps": "count",
        "watched_by_monitors": "truth", "violations": "count", "stuck": "count", "found": [],
    });
    let fields = run.as_object_mut().expect("an object");
    fields.retain(|name, _| known.get(name).is_some());
    assert_eq!(run, known);
}

#[test]
fn figures_that_are_exact_in_theory_are_exact_after_the_warm_up() {
    let run = figures("--algorithm ricart-agrawala --nodes 6 --hold const:4 --latency const:2");
    assert_eq!((&run["messages_per_entry"], &run["synchronisation_delay"]["mean"]), (&json!(10.0), &json!(1.0)));
    assert_eq!((&run["warm_up"], &run["cool_down"], &run["entries"]), (&json!(100), &json!(6), &json!(894)));
    assert_eq!((&run["unit"], &run["T"]), (&json!("T"), &json!(2.0)));
    // Each entry takes 3 T: a critical section of 2 T, and a delay of T until the next entry.
    assert_eq!(run["throughput"].as_f64().map(|per_t| (per_t * 3.0 * 100.0).round()), Some(100.0));
}

#[test]
fn where_the_end_is_measured_figures_are_not_those_of_a_steady_state() {
    let run = figures("--algorithm ricart-agrawala --nodes 6 --entries 20 --warm-up 16");
    assert_eq!((&run["warm_up"], &run["cool_down"], &run["entries"]), (&json!(16), &json!(0), &json!(4)));
    assert!(run["messages_per_entry"].as_f64().is_some_and(|cost| cost < 10.0), "{run}");
}

/// A client that acquires its three locks makes three entries. A tenth of all entries is excluded as warm-up, and
/// three entries of each node are excluded as cool-down.
#[test]
fn what_is_left_out_of_rounds_of_several_locks_is_counted_in_entries() {
    let run = figures("--algorithm ricart-agrawala --nodes 5 --locks 3 --take all --entries 200");
    assert_eq!((&run["entries_in_all"], &run["warm_up"]), (&json!(600), &json!(60)));
    assert_eq!((&run["cool_down"], &run["entries"]), (&json!(15), &json!(525)));
    let all = figures("--algorithm ricart-agrawala --nodes 5 --locks 3 --take all --entries 200 --warm-up 300");
    assert_eq!((&all["warm_up"], &all["entries"]), (&json!(300), &json!(285)), "more than there are rounds");
}

#[test]
fn what_is_sent_once_to_begin_with_is_no_cost_of_an_entry() {
    let run = figures("--algorithm raymond --nodes 200 --entries 200");
    assert_eq!((&run["warm_up"], &run["set_up_messages"]), (&json!(0), &json!(199)));
    // Each of 200 nodes enters once. The privilege goes once through the whole tree, and remains at the last node.
    let (messages, per_entry) = (run["messages"].as_f64(), run["messages_per_entry"].as_f64());
    assert_eq!(messages.map(|all| (all - 199.0) / 200.0), per_entry);
    assert!(per_entry.is_some_and(|cost| (3.9..=4.0).contains(&cost)), "{per_entry:?}");
}

#[test]
fn without_latency_times_are_in_units_of_time() {
    let run = figures("--algorithm centralised --nodes 3 --latency 0 --hold const:5 --entries 60");
    assert_eq!((&run["unit"], &run["response_time"]["max"]), (&json!("unit of time"), &json!(15.0)));
}

#[test]
fn a_multicast_counts_as_one_message_if_asked() {
    let run = |multicast: &str| {
        let words = format!("--algorithm ricart-agrawala --nodes 7 --entries 300 {multicast}");
        figures(&words)["messages_per_entry"].as_f64()
    };
    assert_eq!((run(""), run("--multicast")), (Some(12.0), Some(7.0)));
}

#[test]
fn the_confidence_interval_holds_the_mean_that_is_known() {
    let run = figures("--algorithm centralised --nodes 5 --idle exp:10000 --entries 300 --repeat 20");
    let interval = &run["confidence_95"]["messages_per_entry"];
    let (low, high) = (interval[0].as_f64().expect("low"), interval[1].as_f64().expect("high"));
    // An entry of another node costs 3 messages, and an entry of the coordinator costs none: 3(N-1)/N on average.
    assert!(low < 2.4 && 2.4 < high && high - low < 0.2, "{low} … {high}");
    assert_eq!((run["repeat"].as_u64(), run["runs"].as_array().map(Vec::len)), (Some(20), Some(20)));
    let seeds: Vec<_> = run["runs"].as_array().into_iter().flatten().map(|run| run["seed"].as_u64()).collect();
    assert_eq!(seeds, (1..=20).map(Some).collect::<Vec<_>>());
}

#[test]
fn what_is_not_as_it_should_be_is_the_exit_code() {
    for (words, code) in [
        ("--algorithm carvalho-roucairol --variant both-hold", 1),
        ("--algorithm maekawa --variant version-1 --nodes 7", 1),
        ("--algorithm ricart-agrawala --loss 0.01", 1),
        ("--algorithm ricart-agrawala --crash 1@50", 1),
        ("--algorithm ricart-agrawala --partition 0,1/2,3@20 --heal @30", 1),
        ("--algorithm ricart-agrawala --rule drop,kind=REPLY,from=0,skip=3,count=1", 1),
        (r#"--algorithm ricart-agrawala --rule {"match":{"message_kind":"REPLY"},"action":"drop"}@9"#, 1),
        ("--algorithm ricart-agrawala --until 20", 4),
        ("--algorithm le-lann --latency 0 --idle const:5 --entries 20 --patience 2000", 4),
        ("--algorithm le-lann --latency 1 --idle const:5 --entries 20 --patience 2000", 0),
        ("--algorithm ricart-agrawala --pause 1@20 --resume 1@60", 0),
        ("--algorithm ricart-agrawala --rule delay:50,kind=REPLY --link 0-1:delay=exp:5", 0),
    ] {
        let output = simulate(words);
        assert_eq!(output.status.code(), Some(code), "{words}: {}", super::text(&output));
    }
}

#[test]
fn of_a_repetition_it_is_said_which_seeds_went_wrong() {
    let output = simulate("--algorithm ricart-agrawala --loss 0.001 --entries 50 --repeat 30 --format json");
    let run: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let (stuck, found) = (run["stuck"].as_u64(), run["found"].as_array().map_or(&[][..], Vec::as_slice));
    assert!(stuck.is_some_and(|stuck| (1..30).contains(&stuck)), "{stuck:?}");
    let seed = found[0]["seed"].as_u64().expect("a seed");
    let again = simulate(&format!("--algorithm ricart-agrawala --loss 0.001 --entries 50 --seed {seed}"));
    assert_eq!((output.status.code(), again.status.code()), (Some(1), Some(1)));
}

#[test]
fn clients_can_differ() {
    let run = figures("--algorithm centralised --nodes 4 --clients 0,2,3 --client 3:idle=const:1000 --entries 90");
    let handled: Vec<_> = run["handled_per_node"].as_array().into_iter().flatten().map(Value::as_u64).collect();
    assert_eq!(handled[1], Some(0), "{handled:?}");
    assert!(handled[2] > handled[3], "{handled:?}");
}

#[test]
fn a_specification_can_come_from_a_file_and_be_overridden() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    let document = json!({
        "algorithm": "raymond", "nodes": 9, "seed": 3, "parameters": { "tree": "star" },
        "network": { "delay": "const:2" }, "workload": { "idle": "0", "hold": "const:1", "entries": 4 },
    });
    std::fs::write(file.path(), document.to_string()).expect("written");
    let run = figures(&format!("--specification {} --seed 8", file.path().display()));
    assert_eq!(
        (&run["nodes"], &run["seed"], &run["parameters"]["tree"], &run["T"], &run["entries"]),
        (&json!(9), &json!(8), &json!("star"), &json!(2.0), &json!(36))
    );
}
