//! Tests of chaos with a few seeds. `interlock fuzz --chaos` runs thousands of seeds.

use std::collections::BTreeSet;

use interlock_observation::monitor::{leaders, tokens};
use interlock_simulation::matrix::Clock;
use interlock_simulation::scenario::Scenario;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::chaos::{candidates, play, scenario};
use super::{Candidate, Drawn, Verdict, saved, try_seeds};

fn candidate(name: &str) -> Candidate {
    let is_it = |candidate: &Candidate| format!("{}/{}", candidate.entry.name, candidate.variant.name) == name;
    candidates().find(is_it).expect("a variant")
}

#[test]
fn who_claims_to_survive_faults_does() {
    for candidate in candidates().filter(|candidate| candidate.variant.broken.is_none()) {
        let tried = try_seeds(candidate, Drawn::Chaos, 1, 3, &|| ());
        assert_eq!(tried.verdict, Verdict::KeptEveryRule, "{tried:?}");
        let enters = candidate.entry.commands.contains(&"acquire");
        assert!(tried.messages > 0 && (tried.entries > 0) == enters, "{tried:?}");
    }
}

/// The scenarios for live processes must be valid and contain the same faults as the scenarios for virtual time.
/// If they are simulated, their expectations must be met.
#[test]
fn the_same_faults_are_survived_by_the_clock_of_the_machine() {
    let faults = |scenario: &Value| {
        let steps = scenario["steps"].as_array().cloned().unwrap_or_default();
        let is_fault = |step: &Value| step.get("sleep").is_none() && step.get("wait").is_none();
        steps.into_iter().filter(is_fault).collect::<Vec<_>>()
    };
    for candidate in candidates().filter(|candidate| candidate.variant.broken.is_none()) {
        for seed in 1..=2 {
            let [virtually, wall] =
                [Clock::Virtual, Clock::Wall].map(|clock| scenario(candidate, seed, clock).expect("a scenario"));
            assert_eq!(faults(&virtually), faults(&wall));
            let text = wall.to_string();
            assert!(Scenario::read(wall.clone()).is_ok_and(|scenario| scenario.specification(None, true).is_ok()));
            assert_eq!(play(wall).expect("it can be played").2, None, "{text}");
        }
    }
}

/// Every kind of fault that the variant survives must be drawn in some run, and some runs must have several
/// faults.
#[test]
fn chaos_is_of_many_kinds() {
    let candidate = candidate("ricart-agrawala/remove-dead");
    let mut seen = BTreeSet::new();
    let mut most = 0;
    for seed in 1..=100 {
        let scenario = scenario(candidate, seed, Clock::Virtual).expect("a scenario");
        let steps = scenario["steps"].as_array().expect("steps");
        let faults = steps.iter().filter_map(Value::as_object).flat_map(|step| step.keys());
        let faults: Vec<_> = faults.filter(|verb| !["sleep", "mark", "wait"].contains(&verb.as_str())).collect();
        most = most.max(faults.len());
        seen.extend(faults.into_iter().cloned());
    }
    assert!(["crash", "restart", "pause", "network", "partition"].iter().all(|verb| seen.contains(*verb)), "{seen:?}");
    assert!(!seen.contains("suspect"), "it does not claim to survive a wrong suspicion: {seen:?}");
    assert!(most > 5, "{most}");
}

/// Chaos must also cover elections, deadlock handling and agreement.
#[test]
fn chaos_is_of_all_families() {
    let families: BTreeSet<_> = candidates().map(|candidate| candidate.entry.family).collect();
    assert_eq!(families.into_iter().collect::<Vec<_>>(), ["agreement", "deadlock", "election", "mutual-exclusion"]);
    let verbs = |name: &str| -> BTreeSet<String> {
        let scenarios = (1..=60).filter_map(|seed| scenario(candidate(name), seed, Clock::Virtual));
        let steps = scenarios.flat_map(|scenario| scenario["steps"].as_array().cloned().unwrap_or_default());
        steps
            .filter_map(|step| step.as_object().cloned())
            .flat_map(|step| step.into_iter().map(|(verb, _)| verb))
            .collect()
    };
    let has = |verbs: &BTreeSet<String>, wanted: &[&str]| wanted.iter().all(|verb| verbs.contains(*verb));
    let (crashes, others) = (["elect", "crash", "restart"], ["elect", "pause", "partition", "network"]);
    assert!(has(&verbs("bully/original"), &crashes) && !has(&verbs("bully/original"), &["pause"]));
    assert!(has(&verbs("chang-roberts/original"), &others) && !has(&verbs("chang-roberts/original"), &["crash"]));
    assert!(has(&verbs("paxos/single-decree"), &["propose", "crash", "restart", "network", "pause"]));
    assert!(has(&verbs("wait-die/original"), &["pause"]));
}

/// Each fault must end before the next fault begins. Otherwise, a step could fail, for example because it pauses a
/// process that is already paused.
#[test]
fn a_fault_ends_before_the_next_one_begins() {
    let paxos = candidate("paxos/single-decree");
    for first in [1, 6_000_201] {
        let tried = try_seeds(paxos, Drawn::Chaos, first, 100, &|| ());
        assert_eq!(tried.verdict, Verdict::KeptEveryRule, "{tried:?}");
    }
}

/// Chaos must find a flaw that the bully algorithm had before its repair: a crashed process becomes coordinator
/// because its announcement arrives late.
#[test]
fn a_dead_coordinator_is_found_by_chaos() {
    let tried = try_seeds(candidate("bully/dead-announcer"), Drawn::Chaos, 1, 200, &|| ());
    assert_eq!(tried.code.as_deref(), Some(leaders::DEAD_COORDINATOR), "{tried:?}");
    let repaired = try_seeds(candidate("bully/original"), Drawn::Chaos, 1, tried.seeds, &|| ());
    assert_eq!(repaired.verdict, Verdict::KeptEveryRule, "{repaired:?}");
}

#[test]
fn a_flaw_is_found_kept_and_made_small() {
    let wrong = candidate("ricart-agrawala/asks-at-once");
    let tried = try_seeds(wrong, Drawn::Chaos, 1, 2_000, &|| ());
    let seed = tried.caught_by.expect("it is caught");
    let directory = TempDir::new().expect("a folder");
    saved::save_chaos(directory.path(), wrong, seed, Clock::Virtual).expect("it is saved");
    let read = |ending: &str| -> Value {
        let path = directory.path().join(format!("ricart-agrawala-asks-at-once-{seed}.{ending}.json"));
        serde_json::from_str(&std::fs::read_to_string(path).expect("a file")).expect("JSON")
    };
    let (whole, mut shrunk) = (read("scenario"), read("shrunk"));
    let steps = |scenario: &Value| scenario["steps"].as_array().map(Vec::len);
    assert!(steps(&shrunk) < steps(&whole), "{shrunk}");
    for scenario in [&whole, &shrunk] {
        let (.., finding) = play(scenario.clone()).expect("it can be played");
        assert_eq!(finding.map(|finding| finding.code), tried.code, "{scenario}");
    }
    // The correct variant must survive the same faults.
    shrunk["variant"] = json!("remove-dead");
    assert_eq!(play(shrunk).expect("it can be played").2, None);
}

/// A second token must be reported when it is sent, before a second process can enter because of this token.
#[test]
fn there_is_one_token_or_it_is_found() {
    let wrong = candidate("raymond/hasty-recovery");
    let tried = try_seeds(wrong, Drawn::Chaos, 1, 100, &|| ());
    assert_eq!(tried.code.as_deref(), Some(tokens::SECOND_TOKEN), "{tried:?}");
    let because = tried.because.expect("a reason");
    assert!(because.contains(r#"{"never":{"violation":"tokens"}}"#), "{because}");
    for without_one in ["lamport/remove-dead", "maekawa/succession"] {
        let scenario = scenario(candidate(without_one), 1, Clock::Virtual).expect("a scenario");
        assert!(!scenario["expect"].to_string().contains("tokens"), "{scenario}");
    }
}
