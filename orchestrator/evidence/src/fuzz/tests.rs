//! Tests of random runs with a few seeds. `interlock fuzz` runs thousands of seeds.

use std::collections::BTreeSet;

use interlock_algorithm::catalogue::sentences;
use interlock_algorithm::{Entry, Risk, Sentence, Variant};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::*;

fn candidate(name: &str) -> Candidate {
    let is_it = |candidate: &Candidate| format!("{}/{}", candidate.entry.name, candidate.variant.name) == name;
    candidates().find(is_it).expect("a variant")
}

fn found(candidate: Candidate, document: &Value) -> Option<Finding> {
    let simulation = simulation(document).expect("a simulation");
    let report = simulation.run().expect("a report");
    judge(candidate, &simulation, &report)
}

#[test]
fn right_variants_keep_the_rules_and_wrong_ones_are_caught() {
    for candidate in candidates() {
        let wrong = candidate.variant.broken.is_some();
        let tried = try_seeds(candidate, Drawn::Run, 1, if wrong { 10_000 } else { 6 }, &|| ());
        assert!(tried.is_as_expected(), "{tried:?}");
    }
}

/// Each reason that an algorithm gives in these runs must have a sentence for users.
#[test]
fn every_reason_that_is_given_has_a_sentence() {
    let mut given = BTreeSet::new();
    for candidate in candidates() {
        let algorithm = candidate.entry.name;
        let sentences: BTreeSet<String> = sentences(algorithm).iter().map(Sentence::code).collect();
        for seed in [1, 2] {
            let simulation = simulation(&document(candidate, seed)).expect("a simulation");
            let simulation = Simulation { watch: Watch::Events, most_steps: 500, ..simulation };
            let events = simulation.run().expect("a report").events;
            let reasons =
                events.iter().flat_map(|event| json!(event)["because"].as_array().cloned().unwrap_or_default());
            for code in reasons.map(|reason| reason["code"].as_str().expect("a code").to_owned()) {
                assert!(sentences.contains(&code), "{algorithm}: {code} is none of {sentences:?}");
                given.insert((algorithm, code));
            }
        }
    }
    let algorithms: BTreeSet<&str> = given.iter().map(|(algorithm, _)| *algorithm).collect();
    assert_eq!(algorithms.len(), ENTRIES.len(), "each gives some: {algorithms:?}");
}

/// In the tested runs, other processes enter hundreds of times while one message is in transit for a long time. The
/// monitors must not report the wait for this message as starvation.
#[test]
fn a_slow_message_is_no_starvation() {
    for (algorithm, nodes, seed, holder, idle) in
        [("raymond", 4, 297, "1", "0"), ("naimi-trehel", 9, 1_056, "8", "exp:5")]
    {
        let mut document = json!({
            "algorithm": algorithm, "nodes": nodes, "seed": seed, "parameters": { "holder": holder },
            "network": { "delay": "pareto:1,1.5" }, "workload": { "idle": idle, "hold": "0" },
        });
        if algorithm == "raymond" {
            document["parameters"]["tree"] = json!("line");
        }
        let simulation = Simulation { entries: Some(3_000), ..simulation(&document).expect("a simulation") };
        let report = simulation.run().expect("a report");
        assert_eq!((report.violations.len(), report.entries), (0, 3_000), "{algorithm}");
    }
}

/// A process that requests several resources at once may be in several cycles. A probe may return to this process
/// along a longer cycle than the cycle that the monitor examines. The monitor must not report such a deadlock as a
/// phantom.
#[test]
fn one_circle_of_several_is_no_phantom() {
    let document = json!({
        "algorithm": "edge-chasing", "nodes": 7, "locks": 6, "seed": 79, "parameters": { "requests": "at-once" },
        "network": { "delay": "exp:5" },
        "links": [{ "from": 4, "to": 5, "delay": "pareto:1,1.5" }, { "from": 1, "to": 0, "delay": "exp:5" }],
        "workload": { "again": "uniform:5..25", "between": "uniform:0..10", "entries": 3, "hold": "const:1",
                      "idle": "exp:5", "locks": "all" },
    });
    assert_eq!(found(candidate("edge-chasing/original"), &document), None);
    let mut wrong = document;
    wrong["variant"] = json!("forwards-unblocked");
    let found = found(candidate("edge-chasing/forwards-unblocked"), &wrong);
    assert_eq!(found.map(|finding| finding.code), Some("phantom-deadlock".into()));
}

/// A leader is paused, and its timers expire. When it resumes, another process has become the leader. The old leader
/// must stop managing leases, so that the run ends.
#[test]
fn a_leader_that_was_deposed_while_it_was_paused_comes_to_rest() {
    let pause = json!([
        { "at": 68.622, "do": { "pause": { "node": 3 } } }, { "at": 190.445, "do": { "resume": { "node": 3 } } },
    ]);
    let ended_at = |script: Value| {
        let simulation = simulation(&json!({
            "algorithm": "replicated-lock", "nodes": 6, "seed": 1_716, "network": { "delay": "const:1" },
            "parameters": { "leader": 3, "lease": 88, "retry": 22 },
            "workload": { "idle": "exp:5", "hold": "exp:5", "entries": 6 }, "script": script,
        }));
        let simulation = Simulation { most_steps: 100_000, ..simulation.expect("a simulation") };
        let report = simulation.run().expect("a report");
        assert_eq!(judge(candidate("replicated-lock/leased"), &simulation, &report), None);
        report.ended_at
    };
    assert!(ended_at(json!([])) < ended_at(pause), "the pause is felt");
}

/// P1 crashes, P0 is elected alone and crashes, and P1 restarts with an older term. Fencing tokens must nevertheless
/// increase. The seed 5002051 of `interlock fuzz` once violated this.
#[test]
fn fencing_tokens_grow_over_a_total_failure() {
    for variant in ["bully", "acknowledged-ring"] {
        let document = json!({
            "algorithm": "centralised-failover", "variant": variant, "nodes": 2, "seed": 1,
            "network": { "delay": "uniform:0..2" }, "parameters": { "answer": 6, "patience": 17, "coordinator": 1 },
            "workload": { "idle": "const:3", "hold": "exp:5", "entries": 20 },
            "script": [
                { "at": 109, "do": { "crash": { "node": 1 } } }, { "at": 175, "do": { "crash": { "node": 0 } } },
                { "at": 253, "do": { "restart": { "node": 1, "state": "stored" } } },
                { "at": 471, "do": { "restart": { "node": 0, "state": "stored" } } },
            ],
        });
        assert_eq!(found(candidate(&format!("centralised-failover/{variant}")), &document), None, "{variant}");
    }
}

/// If a drawn run contains a restart without state, at least one process must never crash. Otherwise, it is
/// possible that no process knows the latest term.
#[test]
fn those_who_may_forget_the_latest_term_are_not_all_down() {
    let mut forgetful = 0;
    for seed in 1..=400 {
        let run = document(candidate("centralised-failover/bully"), seed);
        let script = run["script"].as_array().expect("a script");
        let crashed: BTreeSet<u64> = script.iter().filter_map(|step| step["do"]["crash"]["node"].as_u64()).collect();
        if script.iter().any(|step| step["do"]["restart"]["state"] == "none") {
            assert!((crashed.len() as u64) < run["nodes"].as_u64().expect("a number"), "{seed}");
            forgetful += 1;
        }
    }
    assert!(forgetful > 50, "{forgetful}");
}

#[test]
fn what_is_found_does_not_depend_on_who_finds_it() {
    let wrong = candidate("carvalho-roucairol/both-hold");
    let tried = try_seeds(wrong, Drawn::Run, 1, 100, &|| ());
    assert_eq!(tried.verdict, Verdict::Caught);
    assert_eq!(try_seeds(wrong, Drawn::Run, 1, 100, &|| ()), tried);
}

#[test]
fn a_wrong_variant_that_too_few_seeds_do_not_catch_is_not_caught_yet() {
    let wrong = candidate("carvalho-roucairol/both-hold");
    let first = try_seeds(wrong, Drawn::Run, 1, 100, &|| ()).caught_by.expect("it is caught");
    let before = (first > 1).then(|| try_seeds(wrong, Drawn::Run, 1, first - 1, &|| ()));
    assert!(before.is_none_or(|tried| tried.verdict == Verdict::NotCaughtYet));
    // This is a correct variant, marked as faulty, so it cannot be caught.
    let right = candidate("ricart-agrawala/lamport-clock");
    let variant = Box::leak(Box::new(Variant { broken: Some("nothing"), ..*right.variant }));
    let tried = try_seeds(Candidate { variant, ..right }, Drawn::Run, 1, 20, &|| ());
    assert_eq!((tried.verdict, tried.seeds, tried.caught_by), (Verdict::NotCaughtYet, 20, None));
    assert!(!tried.is_as_expected());
}

#[test]
fn a_right_variant_that_breaks_a_rule_is_no_success() {
    let wrong = candidate("carvalho-roucairol/both-hold");
    let variant = Box::leak(Box::new(Variant { broken: None, ..*wrong.variant }));
    let tried = try_seeds(Candidate { variant, ..wrong }, Drawn::Run, 1, 100, &|| ());
    assert_eq!((tried.verdict, tried.code.as_deref()), (Verdict::BrokeARule, Some("concurrent-sections")));
}

#[test]
fn a_run_that_is_refused_could_not_run() {
    let right = candidate("raymond/original");
    let entry = Box::leak(Box::new(Entry { name: "raymund", ..*right.entry }));
    let tried = try_seeds(Candidate { entry, ..right }, Drawn::Run, 5, 20, &|| ());
    assert_eq!((tried.verdict, tried.caught_by, tried.seeds), (Verdict::CouldNotRun, Some(5), 1));
    assert_eq!(tried.because.as_deref(), Some("/algorithm: there is no algorithm `raymund`; did you mean `raymond`?"));
}

#[test]
fn who_is_left_over_is_missed() {
    let raymond = candidate("raymond/original");
    let run = |script: Value| {
        json!({
            "algorithm": "raymond", "nodes": 3, "seed": 1, "network": { "delay": "const:1" },
            "workload": { "idle": "0", "hold": "const:1", "entries": 2 }, "script": script,
        })
    };
    let said = |script: Value| found(raymond, &run(script)).map(|finding| finding.because);
    assert_eq!(said(json!([])), None);
    let pause = json!({ "at": 3, "do": { "pause": { "node": 1 } } });
    assert_eq!(said(json!([pause, { "at": 50, "do": { "heal": {} } }])), None);
    assert!(said(json!([pause])).is_some_and(|said| said.contains("at the end")), "it is never resumed");
}

/// Returns the documents of a variant that are drawn from 300 seeds.
fn documents(name: &str) -> Vec<Value> {
    (0..300).map(|seed| document(candidate(name), seed)).collect()
}

/// Returns how many different values these documents have at a JSON pointer.
fn different(documents: &[Value], pointer: &str) -> usize {
    documents.iter().map(|document| document.pointer(pointer).map(Value::to_string)).collect::<BTreeSet<_>>().len()
}

/// Returns the kinds of actions in the scripts of these documents.
fn done(documents: &[Value]) -> BTreeSet<String> {
    let steps = documents.iter().filter_map(|document| document["script"].as_array()).flatten();
    let verb = |step: &Value| {
        let (verb, what) = step["do"].as_object()?.iter().next()?;
        Some(match verb.as_str() {
            "rule" => format!("rule {}", what["action"].as_str()?.split(':').next()?),
            "partition" => format!("partition {}", what["lost"].as_str()?),
            _ => verb.clone(),
        })
    };
    steps.filter_map(verb).collect()
}

#[test]
fn runs_differ_in_what_may_differ() {
    let runs = documents("raymond/original");
    assert_eq!(different(&runs, "/nodes"), 11, "from 2 to 12");
    assert_eq!(different(&runs, "/locks"), 3);
    assert!(different(&runs, "/network/delay") >= 5);
    assert!(different(&runs, "/parameters/tree") >= 5);
    assert!(different(&runs, "/workload/tell") == 2);
    assert!(runs.iter().any(|run| run["links"].as_array().is_some_and(|links| links.len() > 1)));
    assert!(different(&documents("maekawa/corrected"), "/parameters/coterie") > 100);
    assert!(different(&documents("sanders/given"), "/parameters/inform") > 100);
    assert!(different(&documents("dijkstra-ring/message-passing"), "/parameters/k") > 10);
    assert!(different(&documents("paxos/single-decree"), "/parameters/quorum") >= 4);
    assert!(different(&documents("replicated-lock/leased"), "/parameters/lease") > 10);
    assert!(different(&documents("bully/original"), "/parameters/answer") > 10);
}

#[test]
fn only_what_the_algorithm_can_do_with_is_done_to_it() {
    let verbs = |name| done(&documents(name));
    let set = |verbs: &[&str]| verbs.iter().map(ToString::to_string).collect::<BTreeSet<_>>();
    let anywhere = ["heal", "network", "pause", "resume", "rule delay", "partition hold"];
    let with = |more: &[&str]| set(&[&anywhere[..], more].concat());
    assert_eq!(verbs("raymond/original"), with(&["rule hold"]));
    assert_eq!(verbs("centralised/arrival-order"), with(&["rule hold", "rule duplicate"]));
    assert_eq!(verbs("lamport/any-later-message"), with(&["rule duplicate"]), "what is held is overtaken");
    assert_eq!(verbs("dijkstra-ring/message-passing"), with(&["rule duplicate", "rule drop", "partition drop"]));
    assert_eq!(verbs("chang-roberts/original"), with(&["rule hold", "rule duplicate", "elect"]));
    assert_eq!(
        verbs("bully/original"),
        set(&["crash", "restart", "elect", "heal", "rule duplicate"]),
        "no time passes"
    );
    assert_eq!(verbs("centralised-failover/bully"), set(&["crash", "restart"]));
    let all = ["rule hold", "rule duplicate", "rule drop", "partition drop", "crash", "restart"];
    assert_eq!(verbs("replicated-lock/leased"), with(&all));
    assert_eq!(verbs("paxos/single-decree"), with(&[&all[..], &["propose"]].concat()));
    for run in documents("raymond/original") {
        assert_eq!(run["network"]["loss"], 0.0, "Raymond's algorithm assumes that nothing is lost");
    }
}

/// If a variant relies on stable storage, all drawn restarts must keep the stored state. A process that has lost
/// its earlier promises would violate agreement.
#[test]
fn those_who_rely_on_what_they_have_stored_come_back_with_it() {
    let relies = |candidate: &Candidate| candidate.assumes().stable_storage;
    let mut returns = 0;
    for candidate in candidates().filter(relies) {
        for seed in 1..=100 {
            let run = document(candidate, seed);
            let states = run["script"].as_array().into_iter().flatten().map(|step| &step["do"]["restart"]["state"]);
            for state in states.filter(|state| !state.is_null()) {
                assert_eq!(state, "stored", "{candidate:?} {seed}");
                returns += 1;
            }
        }
    }
    assert!(returns > 300, "{returns}");
}

/// Live runs must accept each drawn document. The only exceptions are algorithms that need guarantees which no
/// real network provides.
#[test]
fn what_is_drawn_is_a_run_that_anybody_can_play() {
    for candidate in candidates().filter(|candidate| candidate.variant.name != "composite") {
        for seed in 1..=20 {
            let draft: Draft = serde_json::from_value(document(candidate, seed)).expect("a draft");
            draft.complete().unwrap_or_else(|errors| panic!("{candidate:?} {seed}: {errors:?}"));
        }
    }
}

#[test]
fn what_is_saved_is_played_again_with_the_same_finding() {
    for name in
        ["raymond/misdirected", "maekawa/version-2", "carvalho-roucairol/both-hold", "wait-die/ages-not-compared-again"]
    {
        let candidate = candidate(name);
        let tried = try_seeds(candidate, Drawn::Run, 1, 4_000, &|| ());
        let seed = tried.caught_by.expect("it is caught");
        let directory = TempDir::new().expect("a folder");
        saved::save(directory.path(), candidate, seed).expect("it is saved");
        let file = |ending: &str| {
            let path = directory.path().join(format!("{}-{seed}.{ending}", name.replace('/', "-")));
            std::fs::read_to_string(path).expect("a file")
        };
        let body: Value = serde_json::from_str(&file("json")).expect("JSON");
        assert_eq!(body["name"], format!("fuzz: {name}, seed {seed}"));
        let again = found(candidate, &body).map(|finding| finding.because);
        assert_eq!(again, tried.because, "{name}");
        let code = tried.code.expect("a code");
        let events = file("ndjson");
        assert!(events.lines().any(|event| event.contains("violated") && event.contains(&code)), "{name}: no {code}");
        let simulation = simulation(&body).expect("a simulation");
        let played = Simulation { watch: Watch::Events, ..simulation }.run().expect("a report").events;
        let lines: Vec<String> = played.iter().map(|event| serde_json::to_string(event).expect("JSON")).collect();
        assert!(events.lines().eq(lines.iter()), "{name}: the same events");
        // The correct variant must survive the same run.
        let mut right = body;
        right["variant"] = json!(candidate.entry.variants[0].name);
        assert_eq!(found(candidate, &right), None, "{name}");
    }
}

/// If events are not kept, messages are only counted. Even then, the monitors must find the same violations as if
/// events are kept.
#[test]
fn what_is_found_does_not_depend_on_whether_events_are_kept() {
    for candidate in candidates() {
        for seed in 1..=8 {
            let simulation = simulation(&document(candidate, seed)).expect("a simulation");
            let simulation = Simulation { most_steps: 3_000, ..simulation };
            let report = simulation.run().expect("a report");
            let kept = Simulation { watch: Watch::Events, ..simulation }.run().expect("a report");
            assert_eq!(
                report.violations, kept.violations,
                "{}/{} {seed}",
                candidate.entry.name, candidate.variant.name
            );
        }
    }
}

/// No drawn delay may exceed a time-out on which safety depends. A violation after such a delay would not be a
/// fault of the algorithm.
#[test]
fn no_delay_is_drawn_beyond_a_time_out_that_keeps_others_out() {
    let warnings = |name: &str, change: fn(&mut Value)| {
        let of = |seed| {
            let mut document = document(candidate(name), seed);
            change(&mut document);
            simulation(&document).expect("a simulation").specification.warnings()
        };
        (0..300).flat_map(of).filter(|warning| warning.risk == Risk::Safety).count()
    };
    for name in ["bully/original", "acknowledged-ring/original", "centralised-failover/bully"] {
        assert_eq!(warnings(name, |_| ()), 0, "{name}");
        let slower = |document: &mut Value| document["network"]["delay"] = json!("const:500");
        let said = warnings(name, slower);
        assert!((100..300).contains(&said), "{name}: {said}, where a time-out is drawn");
    }
}
