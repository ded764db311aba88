//! Monitors on whole runs in virtual time: silent where the algorithm is right, and heard where it is not.

use interlock_algorithm::catalogue::ENTRIES;
use serde_json::{Value, json};

use super::order::{self, Order};
use super::{progress, sentence, tokens};
use crate::event::Violation;
use crate::simulation::{Action, Report, Scripted, Simulation, Span, Watch};
use crate::specification::Draft;

/// Everybody wants the section again soon; messages overtake each other unless the algorithm forbids it.
fn contended(algorithm: &str, variant: &str, nodes: u32, seed: u64) -> Simulation {
    let draft: Draft = serde_json::from_value(json!({
        "algorithm": algorithm, "variant": variant, "nodes": nodes, "seed": seed,
        "network": { "delay": "exp:3" }, "workload": { "idle": "exp:4", "hold": "uniform:0..2" },
    }))
    .expect("a draft");
    Simulation::new(draft.complete_simulated().expect("a specification"), 150)
}

fn run(simulation: &Simulation) -> Report {
    simulation.run().expect("a run")
}

fn of<'a>(report: &'a Report, monitor: &str) -> Vec<&'a Violation> {
    report.violations.iter().map(|(_, violation)| violation).filter(|found| *found.monitor == *monitor).collect()
}

fn codes(report: &Report, monitor: &str) -> Vec<String> {
    of(report, monitor).iter().map(|violation| violation.code.to_string()).collect()
}

/// A rule that acts on one message of this kind.
fn with_rule(simulation: Simulation, kind: &str, action: &str) -> Simulation {
    let rule = json!({ "match": { "message_kind": kind }, "action": action, "skip": 5, "count": 1 });
    let action = Action::Rule(serde_json::from_value(rule).expect("a rule"));
    Simulation { script: vec![Scripted { at: Span(0), action }], ..simulation }
}

#[test]
fn right_algorithms_break_no_rule_and_starve_nobody() {
    for entry in ENTRIES.iter().filter(|entry| entry.family == "mutual-exclusion") {
        for variant in entry.variants.iter().filter(|variant| variant.broken.is_none()) {
            for seed in 0..8 {
                let report = run(&contended(entry.name, variant.name, 6, seed));
                assert_eq!(report.violations, [], "{} {} {seed}", entry.name, variant.name);
                assert_eq!(report.entries, 150, "{} {} {seed}", entry.name, variant.name);
            }
        }
    }
}

#[test]
fn a_token_that_is_copied_or_dropped_is_missed() {
    for entry in ENTRIES.iter().filter(|entry| !entry.token_kinds.is_empty()) {
        for (action, code) in [("duplicate", tokens::COPIED_TOKEN), ("drop", tokens::LOST_TOKEN)] {
            let variant = entry.variants.first().map_or("", |variant| variant.name);
            for kind in entry.token_kinds {
                let report = run(&with_rule(contended(entry.name, variant, 5, 1), kind, action));
                assert_eq!(codes(&report, tokens::NAME).first().map(|found| &**found), Some(code), "{}", entry.name);
            }
        }
    }
}

#[test]
fn who_has_asked_where_it_counts_is_passed_over_by_each_of_the_others_once() {
    let all = ENTRIES.iter().flat_map(|entry| entry.variants.iter().map(|variant| (entry.name, variant.name)));
    let first_come = |(algorithm, variant): &(&str, &str)| match *algorithm {
        "bakery" => *variant != "no-choosing",
        "centralised" => *variant == "arrival-order",
        "ricart-agrawala" => ["lamport-clock", "sequence-numbers", "modulo"].contains(variant),
        "lamport" => !["no-ack", "no-ack-waiting"].contains(variant),
        _ => false,
    };
    for (algorithm, variant) in all.filter(first_come) {
        let runs = (0..20).map(|seed| run(&contended(algorithm, variant, 6, seed)));
        let (mut arrived, mut asked) = (0, 0);
        for metrics in runs.filter_map(|report| report.metrics) {
            arrived = metrics.bypass_max.max(arrived);
            asked = metrics.bypass_from_request_max.max(asked);
        }
        assert_eq!(arrived, 5, "{algorithm} {variant}");
        assert!(asked > arrived, "{algorithm} {variant}: requests are on their way for a while");
    }
}

#[test]
fn order_is_kept_by_those_who_promise_it() {
    for entry in ENTRIES.iter().filter(|entry| entry.family == "mutual-exclusion") {
        for variant in entry.keeps_order {
            for seed in 0..40 {
                let report = run(&contended(entry.name, variant, 4, seed));
                let inversions = report.metrics.as_ref().and_then(|metrics| metrics.order_inversions);
                assert_eq!(
                    (inversions, of(&report, order::NAME)),
                    (Some(0), vec![]),
                    "{} {variant} {seed}",
                    entry.name
                );
            }
        }
    }
}

#[test]
fn a_promise_of_order_that_is_not_kept_is_noticed() {
    let simulations = (0..40).map(|seed| contended("ricart-agrawala", "sequence-numbers", 4, seed));
    let (mut counted, mut noticed) = (0, 0);
    for simulation in simulations {
        let simulation = Simulation { watch: Watch::Events, ..simulation };
        let report = run(&simulation);
        assert_eq!(of(&report, order::NAME), Vec::<&Violation>::new(), "it promises nothing");
        counted += report.metrics.and_then(|metrics| metrics.order_inversions).expect("few nodes");
        let mut relabelled = simulation.specification;
        relabelled.variant = "lamport-clock".to_owned();
        let (mut monitor, mut found) = (Order::new(&relabelled), Vec::new());
        report.events.iter().for_each(|event| monitor.observe(event, &mut found));
        noticed += found.len() as u64;
    }
    assert!(counted > 0);
    assert_eq!(noticed, counted);
}

/// A few who ask again at once, all the time.
fn greedy(variant: &str) -> Report {
    let mut simulation = contended("suzuki-kasami", variant, 4, 3);
    let workload = json!({ "idle": "0", "hold": "const:5", "nodes": "all" });
    let draft: Draft = serde_json::from_value(json!({
        "algorithm": "suzuki-kasami", "variant": variant, "nodes": 4, "seed": 3,
        "network": { "delay": "const:1" }, "workload": workload,
    }))
    .expect("a draft");
    simulation.specification = draft.complete_simulated().expect("a specification");
    run(&Simulation { entries: Some(1_000), ..simulation })
}

#[test]
fn a_stack_in_place_of_a_queue_starves() {
    let starved = greedy("lifo-queue");
    let found = of(&starved, progress::NAME);
    let told = found.first().expect("somebody starves");
    assert_eq!(&*told.code, progress::STARVATION);
    // One entry passed before counting began, when whatever was under way had arrived.
    assert_eq!(told.arguments["passed"], json!(progress::PATIENCE * 4 + 2));
    assert!(sentence(told).contains("starves: others entered lock 0 202 times"), "{}", sentence(told));
    let mut waits: Vec<&Value> = found.iter().map(|violation| &violation.arguments["node"]).collect();
    waits.dedup();
    assert_eq!(waits.len(), found.len(), "each wait is told of once");
    assert_eq!(of(&greedy("fifo-queue"), progress::NAME), Vec::<&Violation>::new());
}
