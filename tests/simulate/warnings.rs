//! Tests of time-outs that are shorter than the delays of messages. The command must print a warning before the
//! run, and the result must contain the warning.

use serde_json::{Value, json};

use super::{simulate, text};

/// Arguments of a run in which P2 is live, but answers only after a second.
const BULLY: &str = "--algorithm bully --nodes 3 --latency const:500 --set initiators=0 --set coordinator=60s";

/// Runs a simulation, and returns its JSON. Accepts any exit code.
fn figures(words: &str) -> Value {
    let output = simulate(&format!("{words} --format json"));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn parameters_warned_of(words: &str) -> Value {
    let warnings = figures(words)["warnings"].clone();
    warnings.as_array().expect("warnings").iter().map(|warning| warning["parameter"].clone()).collect()
}

#[test]
fn a_time_out_that_delays_exceed_is_warned_of_and_one_that_they_do_not_is_not() {
    for (answer, expected) in [("50ms", json!(["answer"])), ("1s", json!(["answer"])), ("1001", json!([]))] {
        assert_eq!(parameters_warned_of(&format!("{BULLY} --set answer={answer}")), expected, "{answer}");
    }
    let short = format!("{BULLY} --set answer=50");
    let (run, document) = (simulate(&short), figures(&short));
    let said = String::from_utf8_lossy(&run.stderr).into_owned();
    let sentence = document["warnings"][0]["sentence"].as_str().expect("a sentence");
    assert!(sentence.starts_with("`answer` is 50 ms and should be longer than 1000 ms"), "{sentence}");
    assert_eq!(said, format!("interlock: warning: bully, 3 nodes: {sentence}\n"));
    assert!(text(&run).contains("delays beyond `answer`"), "{}", text(&run));
    let fitting = simulate(&format!("{BULLY} --set answer=1001"));
    assert_eq!((fitting.stderr.len(), text(&fitting).contains("beyond")), (0, false));
}

/// A delay that a rule of the script adds also counts, although the specification of the network does not contain
/// it.
#[test]
fn delays_by_rules_count() {
    let words = "--algorithm bully --nodes 3 --latency const:1 --set answer=50 --set coordinator=60s";
    assert_eq!(parameters_warned_of(words), json!([]));
    assert_eq!(parameters_warned_of(&format!("{words} --rule delay:30,kind=OK")), json!(["answer"]));
    let by_itself = figures("--algorithm bully --nodes 3 --latency const:1 --rule delay:30,kind=OK");
    assert_eq!((&by_itself["warnings"], &by_itself["parameters"]["answer"]), (&json!([]), &json!(124)));
}

/// A replicated lock with a lease of 400 ms once livelocked, because no client got an answer within half the
/// lease. The default lease must be longer.
#[test]
fn a_replicated_lock_whose_messages_take_long_has_leases_that_are_long_enough() {
    let words = "--algorithm replicated-lock --nodes 3 --latency const:135 --entries 30 --until 600s";
    let run = figures(words);
    assert_eq!((&run["parameters"]["lease"], &run["warnings"]), (&json!(2_160), &json!([])));
    assert_eq!((&run["entries_in_all"], &run["cut"]), (&json!(30), &Value::Null), "{run}");
    let before = figures(&format!("{words} --set lease=400"));
    assert_eq!(before["entries_in_all"], 0, "{before}");
    assert_eq!(before["warnings"][0]["risk"], "progress");
}

/// If messages take half a second, the default time-outs of the bully algorithm must be long enough, so that no
/// live process is suspected.
#[test]
fn a_bully_whose_messages_take_long_waits_long_enough() {
    let words = "--algorithm bully --nodes 8 --latency const:500 --set initiators=all";
    assert_eq!(figures(words)["violations"], 0);
    let short = figures(&format!("{words} --set answer=50 --set coordinator=150"));
    assert!(short["violations"].as_u64().is_some_and(|violations| violations > 0), "{short}");
    assert_eq!(short["warnings"].as_array().map(Vec::len), Some(2));
}
