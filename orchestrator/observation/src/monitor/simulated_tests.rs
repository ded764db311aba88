//! Tests of the monitors on whole runs in virtual time. The monitors must report no violation for correct
//! algorithms, and must report violations of faulty algorithms.

use interlock_algorithm::catalogue::ENTRIES;
use interlock_algorithm::{LockId, NodeId};
use serde_json::{Value, json};

use super::finding::Monitor;
use super::interventions::Interventions;
use super::order::{self, Order};
use super::{All, Monitors, progress, real_time_order, sentence, timestamp_order, tokens};
use interlock_model::choice::Choice;
use interlock_model::event::Violation;
use interlock_model::span::Span;
use interlock_model::specification::{Draft, OptionalMonitor, Scripted};
use interlock_simulation::simulation::{Report, Simulation, Watch};

/// Returns a run in which each process requests the lock again soon after each exit. Messages are reordered if the
/// algorithm allows it.
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

/// Adds a rule that applies `action` to one message of the kind `kind`.
fn with_rule(simulation: Simulation, kind: &str, action: &str) -> Simulation {
    let rule = json!({ "match": { "message_kind": kind }, "action": action, "skip": 5, "count": 1 });
    let choice = Choice::Rule(serde_json::from_value(rule).expect("a rule"));
    Simulation { script: vec![Scripted { at: Span(0), choice }], ..simulation }
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
            // Only messages of the first kind occur in this variant. The other kinds of token belong to other
            // variants.
            for kind in &entry.token_kinds[..1] {
                let report = run(&with_rule(contended(entry.name, variant, 5, 1), kind, action));
                assert_eq!(codes(&report, tokens::NAME).first().map(|found| &**found), Some(code), "{}", entry.name);
            }
        }
    }
}

#[test]
fn of_several_locks_each_has_a_token_of_its_own() {
    for (action, code) in
        [(None, None), (Some("duplicate"), Some(tokens::COPIED_TOKEN)), (Some("drop"), Some(tokens::LOST_TOKEN))]
    {
        let mut simulation = contended("suzuki-kasami", "fifo-queue", 5, 1);
        simulation.specification.locks = 3;
        let workload = simulation.specification.workload.as_mut().expect("a workload");
        workload.client_loop.locks = "one".parse().expect("a choice");
        let simulation = match action {
            Some(action) => with_rule(simulation, "TOKEN", action),
            None => simulation,
        };
        let report = run(&simulation);
        let found = of(&report, tokens::NAME);
        assert_eq!(found.first().map(|found| &*found.code), code, "{action:?}");
        for violation in found {
            let lock = violation.arguments["lock"].as_u64().expect("a lock");
            assert!(lock < 3 && sentence(violation).starts_with(&format!("Lock {lock}: The token")), "{violation:?}");
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
        "lamport" => !["no-ack", "no-ack-waiting", "no-clock-update"].contains(variant),
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
        report.events.iter().for_each(|event| monitor.observe(event, &Interventions::default(), &mut found));
        noticed += found.len() as u64;
    }
    assert!(counted > 0);
    assert_eq!(noticed, counted);
}

/// Returns the metrics of a run, and the numbers of violations that the two optional monitors find.
fn judged_by_order(algorithm: &str, variant: &str, seed: u64) -> [Option<u64>; 4] {
    let mut simulation = contended(algorithm, variant, 5, seed);
    let has_timestamps = simulation.specification.has_timestamps();
    simulation.specification.monitors = OptionalMonitor::ALL.to_vec();
    let report = run(&simulation);
    let found = |name| of(&report, name).len() as u64;
    let metrics = report.metrics.as_ref().expect("metrics");
    let by_timestamp = found(timestamp_order::NAME);
    let by_timestamp = (by_timestamp > 0 || has_timestamps).then_some(by_timestamp);
    let in_real_time = Some(found(real_time_order::NAME));
    [metrics.timestamp_inversions, by_timestamp, metrics.real_time_inversions, in_real_time]
}

#[test]
fn optional_monitors_find_as_many_inversions_as_are_counted() {
    for entry in ENTRIES.iter().filter(|entry| entry.family == "mutual-exclusion") {
        for variant in entry.variants.iter().filter(|variant| variant.broken.is_none()) {
            let (mut timestamps, mut real_time) = (None, 0);
            for seed in 0..8 {
                let [counted, found, counted_in_time, found_in_time] = judged_by_order(entry.name, variant.name, seed);
                let which = format!("{} {} {seed}", entry.name, variant.name);
                assert_eq!((counted, counted_in_time), (found, found_in_time), "{which}");
                timestamps = timestamps.max(counted);
                real_time += counted_in_time.unwrap_or_default();
            }
            let kept = match entry.name {
                "ricart-agrawala" => Some(["lamport-clock", "sequence-numbers"].contains(&variant.name)),
                "lamport" => Some(variant.name != "remove-dead"),
                "carvalho-roucairol" | "maekawa" => Some(false),
                _ => None,
            };
            let is_kept = timestamps == Some(0);
            assert!(kept.is_none_or(|kept| is_kept == kept), "{} {}: {timestamps:?}", entry.name, variant.name);
            assert!(real_time > 0, "{} {}", entry.name, variant.name);
        }
    }
}

#[test]
fn optional_monitors_say_nothing_unless_they_are_asked() {
    for seed in 0..8 {
        let report = run(&contended("carvalho-roucairol", "original", 5, seed));
        assert_eq!(report.violations, []);
    }
}

/// Runs four processes. Each of them makes a new request at once after each exit.
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
    // The count of bypasses began once all messages in transit could have arrived. One entry took place before that.
    assert_eq!(told.arguments["passed"], json!(progress::PATIENCE * 4 + 2));
    assert!(sentence(told).contains("entered the critical section 202 times since"), "{}", sentence(told));
    let mut waits: Vec<&Value> = found.iter().map(|violation| &violation.arguments["node"]).collect();
    waits.dedup();
    assert_eq!(waits.len(), found.len(), "each wait is told of once");
    assert_eq!(of(&greedy("fifo-queue"), progress::NAME), Vec::<&Violation>::new());
}

/// The coordinator P0 enters, leaves and crashes. Then P2 makes a request, and the next coordinator grants it,
/// although no process was notified that P0 had left.
#[test]
fn who_enters_after_the_death_of_one_who_had_left_breaks_no_rule() {
    for variant in ["bully", "acknowledged-ring"] {
        let document = json!({
            "algorithm": "centralised-failover", "variant": variant, "nodes": 5, "network": { "delay": "const:1" },
        });
        let draft: Draft = serde_json::from_value(document).expect("a draft");
        let acquire = |at, node| {
            let choice = Choice::Acquire { node: NodeId(node), lock: LockId(0), hold: Some(Span(10_000)) };
            Scripted { at: Span(at), choice }
        };
        let crash = Scripted { at: Span(20_000), choice: Choice::Crash { node: NodeId(0) } };
        let script = vec![acquire(1_000, 0), crash, acquire(30_000, 2)];
        let simulation = Simulation::new(draft.complete_simulated().expect("a specification"), 0);
        let report = run(&Simulation { script, ..simulation });
        assert_eq!((report.entries, report.violations), (2, vec![]), "{variant}");
    }
}

/// P1 waits for P2, which holds the lock. P2 crashes either while it is inside or after it has left.
#[test]
fn whom_nobody_replaces_is_missed() {
    for (dies_at, codes) in [(20_000, vec![super::deserted::NOBODY_ENTERS.to_owned()]), (60_000, vec![])] {
        let document = json!({ "algorithm": "centralised-failover", "nodes": 4, "network": { "delay": "const:1" } });
        let draft: Draft = serde_json::from_value(document).expect("a draft");
        let acquire = |at, node, hold| {
            let choice = Choice::Acquire { node: NodeId(node), lock: LockId(0), hold: Some(Span(hold)) };
            Scripted { at: Span(at), choice }
        };
        let crash = Scripted { at: Span(dies_at), choice: Choice::Crash { node: NodeId(2) } };
        let script = vec![acquire(0, 2, 50_000), acquire(1_000, 1, 1_000), crash];
        let simulation = Simulation::new(draft.complete_simulated().expect("a specification"), 0);
        let report = run(&Simulation { script, most_steps_without_progress: 10_000, ..simulation });
        let found: Vec<String> = report.violations.iter().map(|(_, found)| found.code.to_string()).collect();
        assert_eq!(found, codes, "P2 dies at {dies_at}");
        for (_, violation) in &report.violations {
            assert!(sentence(violation).ends_with("P2 crashed in a critical section."), "{}", sentence(violation));
        }
    }
}

/// Returns the state of the monitors that do not receive events about exchanges of messages.
fn others(monitors: &All) -> String {
    let All { resource, capacity, livelock, leaders, service, deserted, .. } = monitors;
    format!("{resource:?} {capacity:?} {livelock:?} {leaders:?} {service:?} {deserted:?}")
}

#[test]
fn monitors_that_are_not_shown_messages_learn_nothing_from_them() {
    for entry in ENTRIES.iter().filter(|entry| entry.commands.contains(&"acquire")) {
        let simulation = Simulation { watch: Watch::Events, ..contended(entry.name, entry.variants[0].name, 4, 1) };
        let report = run(&simulation);
        let mut monitors = Monitors::new(&simulation.specification);
        let mut found = Vec::new();
        for event in &report.events {
            if event.what.is_exchange() {
                let before = others(&monitors.all);
                let Monitors { interventions, all, .. } = &mut monitors;
                let All { resource, capacity, livelock, leaders, service, deserted, .. } = all;
                resource.observe(event, interventions, &mut found);
                capacity.observe(event, interventions, &mut found);
                livelock.observe(event, interventions, &mut found);
                leaders.observe(event, interventions, &mut found);
                service.observe(event, interventions, &mut found);
                deserted.observe(event, interventions, &mut found);
                assert_eq!((others(&monitors.all), &*found), (before, &[][..]), "{}: {event:?}", entry.name);
            }
            monitors.observe(event, &mut found);
            found.clear();
        }
        assert!(report.events.iter().any(|event| event.what.is_exchange()), "{}", entry.name);
    }
}
