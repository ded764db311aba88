//! Tests of `interlock explore` in the way that people and scripts call it: the real program, its output and its
//! exit codes.

use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

fn interlock(words: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_interlock")).args(words.split_whitespace()).output().expect("it runs")
}

fn said(words: &str, code: i32) -> String {
    let output = interlock(words);
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{words}: {out}{err}");
    format!("{out}{err}")
}

#[test]
fn what_holds_is_said_with_all_that_was_assumed() {
    let told = said("explore ricart-agrawala --nodes 2 --requests 2", 0);
    for words in [
        "ricart-agrawala/lamport-clock, 2 nodes: each client requests 2 times, messages can overtake, timers fire when \
         no message is",
        "holds in this configuration: all schedules were tried (418 states, 585 transitions, 16 deep)",
        "  no more processes are in the critical section of a lock than it has units",
    ] {
        assert!(told.contains(words), "{told}");
    }
}

#[test]
fn the_order_of_requests_is_looked_for_where_it_is_promised_or_asked_for() {
    let sentence = "no request is granted while one waits that happened before it";
    assert!(said("explore ricart-agrawala --nodes 2", 0).contains(sentence));
    assert!(!said("explore ricart-agrawala/sequence-numbers --nodes 2 --tell 1", 0).contains(sentence));
    let told = said("explore ricart-agrawala/sequence-numbers --nodes 2 --tell 1 --property order", 1);
    assert!(told.contains("violated: order (") && told.contains("at most 1 messages of the application"), "{told}");
}

#[test]
fn a_counterexample_is_told_kept_and_played_again() {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("schedule");
    let told = said(&format!("explore lamport --nodes 3 --fifo false --save {}", file.display()), 1);
    for words in [
        "violated: mutual-exclusion (",
        "the shortest schedule has 7 actions,",
        "   5  P2 requests lock 0 and sends REQUEST to P0 and P1 (2.0.1, 2.1.1)",
        "        because: not heard from all (missing 2, ours 1@P2)",
        "        before: clock 0, ",
        "        after:  clock 1, request 1@P2, ",
    ] {
        assert!(told.contains(words), "{told}");
    }
    assert!(said(&format!("replay {}", file.display()), 1).contains("at the same time"));
}

/// The other processes are notified of a crash, after any delay. The bakery algorithm must then make progress
/// without the crashed process, and a faulty variant of Maekawa's algorithm must violate mutual exclusion. The
/// detector `heartbeat` must be rejected, because heartbeats depend on time.
#[test]
fn who_is_told_of_deaths_goes_on_and_who_makes_the_wrong_thing_of_it_is_shown() {
    let dying = "explore bakery --nodes 2 --crash 1 --restart none --fifo true";
    let told = said(&format!("{dying} --detector perfect"), 0);
    assert!(
        told.contains("holds in this configuration") && told.contains("notified of each crash and restart"),
        "{told}"
    );
    assert!(said(dying, 1).contains("violated: nobody-stuck"));
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("schedule");
    let forgetful = "explore maekawa/forgetful-succession --crash 1 --detector perfect --save";
    let told = said(&format!("{forgetful} {}", file.display()), 1);
    assert!(told.contains("violated: mutual-exclusion (") && told.contains("suspects P0"), "{told}");
    assert!(said(&format!("replay {}", file.display()), 1).contains("at the same time"));
    let refused = said(&format!("{dying} --detector heartbeat"), 2);
    assert!(refused.contains("heartbeats depend on time") && refused.contains("`perfect`"), "{refused}");
}

#[test]
fn a_counterexample_is_written_in_the_forms_of_other_tools() {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("schedule");
    said(&format!("explore lamport/no-ack --nodes 2 --save {}", file.display()), 1);
    let replay = |form: &str, code| said(&format!("replay {} --simulate --as {form}", file.display()), code);
    assert!(replay("story", 1).contains("   2  P1 requests lock 0, enters the section of lock 0 and sends REQUEST"));
    assert!(replay("shiviz", 1).contains("\nP1 {\"P1\":2}\nP1 is told to request lock 0\n"));
    let states: Value = serde_json::from_str(&replay("itf", 1)).expect("JSON");
    assert_eq!(states["states"][2]["holders"], serde_json::json!({ "#map": [[0, [0, 1]]] }), "{states}");
    assert!(replay("svg", 1).starts_with("<svg xmlns="));
    assert!(replay("events", 1).lines().all(|line| serde_json::from_str::<Value>(line).is_ok()));
    let refused = replay("shivis", 2);
    assert!(refused.contains("did you mean `shiviz`?") && refused.contains("possible: story, events"), "{refused}");
}

#[test]
fn a_recorded_run_is_shrunk_to_what_breaks_the_rule() {
    let folder = TempDir::new().expect("a folder");
    let [long, short, right] = ["long", "short", "right"].map(|name| folder.path().join(name).display().to_string());
    let run = "--nodes 3 --idle exp:10 --hold const:3 --latency uniform:1..20 --entries 60 --seed 1";
    said(&format!("simulate --algorithm lamport --variant no-ack {run} --record {long}"), 1);
    let told = said(&format!("replay {long} --shrink --save {short} --as story"), 1);
    assert!(told.contains("actions became 2, which violate mutual-exclusion; "), "{told}");
    assert!(said(&format!("replay {short} --as story"), 1).contains("at the same time"));
    said(&format!("simulate --algorithm lamport {run} --record {right}"), 0);
    let told = said(&format!("replay {right} --shrink"), 2);
    assert!(told.contains("cannot shrink the schedule: it violates no property"), "{told}");
}

#[test]
fn json_has_the_verdict_the_figures_and_the_schedule() {
    let output = interlock("explore lamport/no-ack --nodes 2 --format json");
    let document: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let choices = document["schedule"]["choices"].as_array().expect("choices");
    assert_eq!(
        (&document["verdict"], &document["property"], choices.len()),
        (&"violated".into(), &"mutual-exclusion".into(), 2)
    );
    assert!(document["story"].as_array().is_some_and(|story| story.len() == 2), "{document}");
}

#[test]
fn what_was_cut_off_is_unfinished_and_says_why() {
    let told = said("explore ricart-agrawala --nodes 4 --states 5000", 4);
    assert!(told.contains("unfinished: there are more than 5000 states ("), "{told}");
    let told = said("explore ricart-agrawala --nodes 4 --memory-limit 1MiB", 4);
    assert!(told.contains("unfinished: the states take more than 1 MiB ("), "{told}");
}

/// A depth-first search may find a schedule that is not the shortest, so its output must not call the schedule the
/// shortest. A search with two threads must have the same result as a search with one thread.
#[test]
fn schedules_are_gone_through_in_the_manner_that_is_asked_for() {
    let wrong = "explore ricart-agrawala/no-timestamps --nodes 3 --requests 2 --property mutual-exclusion";
    let shortest = said(wrong, 1);
    assert!(shortest.contains("the shortest schedule has "), "{shortest}");
    assert_eq!(said(&format!("{wrong} --threads 2"), 1), shortest);
    let longer = said(&format!("{wrong} --search depth-first"), 1);
    assert!(longer.contains("\na schedule has ") && !longer.contains("shortest"), "{longer}");
    let right = "explore ricart-agrawala --nodes 3";
    let holds = said(right, 0);
    assert_eq!(said(&format!("{right} --threads 2"), 0), holds);
    assert!(said(&format!("{right} --search depth-first"), 0).contains("all schedules were tried"));
}

#[test]
fn a_ring_from_any_beginning_is_told_with_all_that_was_assumed() {
    let ring = "explore dijkstra-ring/composite --nodes 3 --requests 0 --beginning arbitrary";
    let told = said(&format!("{ring} --daemon distributed"), 0);
    for words in [
        "processes begin in arbitrary states, no client requests, messages of a link keep their order, any number of \
         enabled processes move at once (distributed",
        "  every schedule reaches exactly one privilege",
        "28 configurations with exactly one privilege, 36 with more; at most 3 steps until there is exactly one",
    ] {
        assert!(told.contains(words), "{told}");
    }
    let told = said(
        "explore dijkstra-ring --nodes 2 --requests 0 --beginning arbitrary --room 1 --contents 1 --timers always",
        0,
    );
    for words in ["with up to 1 messages of any kind on each link", "a link holds 1 messages, timers fire at any time"]
    {
        assert!(told.contains(words), "{told}");
    }
}

/// An example of the lectures in which several processes move at the same time. No schedule can express such a
/// run, so the output must be a table, and no schedule may be saved.
#[test]
fn what_no_schedule_can_say_is_a_table_and_is_not_kept() {
    let words =
        "explore dijkstra-ring/composite --nodes 4 --requests 0 --set k=2 --beginning 0,1,0,1 --daemon synchronous";
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("schedule");
    let told = said(&format!("{words} --save {}", file.display()), 3);
    for words in [
        "violated: convergence (",
        "  0  copy 1 0 1 0  flag 0 1 0 1  privileged P1 P2 P3  3 privileges",
        "  7  copy 1 1 0 1  flag 1 0 1 1  privileged P0 P1 P2  3 privileges  (P0, P1, P3 move at once)",
        "the last row equals row 0, so the run repeats forever",
        "no schedule can express this run, so nothing was saved",
    ] {
        assert!(told.contains(words), "{told}");
    }
    assert!(!file.exists(), "a schedule that is something else");
    let output = interlock(&format!("{words} --format json"));
    assert_eq!(output.status.code(), Some(1));
    let document: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let table = &document["table"];
    assert_eq!(
        (&document["verdict"], &document["schedule"], &table["again"]),
        (&"violated".into(), &Value::Null, &0.into())
    );
    assert_eq!(table["rows"].as_array().map(Vec::len), Some(9));
    let environment = &document["environment"];
    assert_eq!((&environment["daemon"], &environment["beginning"]["states"][3]), (&"synchronous".into(), &1.into()));
}

#[test]
fn nonsense_is_refused_with_what_would_be_right() {
    for (words, right) in [
        ("explore ricard-agrawala", "did you mean `ricart-agrawala`?"),
        ("explore lamport/no-akc", "did you mean `no-ack`?"),
        ("explore lamport --set release=all", "possible: sender, request"),
        ("explore lamport --timers soon", "neither `patient` nor `always` nor `any-time:N`"),
        ("explore lamport --beginning arbitrary", "has no arbitrary states"),
        ("explore lamport --beginning anywhere", "neither `usual` nor `arbitrary` nor a list of state numbers"),
        ("explore dijkstra-ring --beginning 0,1", "2 states for 3 nodes"),
        (
            "explore dijkstra-ring --contents 1",
            "contents: links begin with messages only with the beginning `arbitrary`",
        ),
        (
            "explore dijkstra-ring --beginning arbitrary --room 1 --contents 2",
            "contents: a link holds 1 messages (`room`), not 2",
        ),
        ("explore dijkstra-ring --daemon distributed", "composite atomicity"),
        ("explore lamport --property convergence", "does not report privileges"),
        ("explore lamport --memory-limit 4", "write 512MiB or 4GiB"),
        ("explore lamport --threads 3", "3 threads are too many; the maximum is 2"),
        ("explore lamport --threads 2 --search depth-first", "remove `threads`"),
        ("explore lamport --search deep-first", "depth-first"),
        ("explore lamport --nodes 17", "1..=16"),
        ("explore prevention --locks 3 --take one", "write `all`, `neighbours` or `0,3,1`"),
        ("explore prevention --locks 3 --take 0,3", "needs 4 locks, but the run has 3"),
    ] {
        let told = said(words, 2);
        assert!(told.contains(right), "{words}: {told}");
    }
}
