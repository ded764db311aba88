//! Users' own programs must follow the rules of the protocol. These tests check that the algorithms of the catalogue
//! follow the same rules.

use interlock_algorithm::catalogue::ENTRIES;
use interlock_algorithm::{Command, Entry, FlatMap, NodeId, Outcome, RequestId};
use interlock_machine::ledger::Ledger;
use interlock_machine::wire::{Order, TimerName};
use serde_json::json;

use interlock_model::choice::Choice;
use interlock_model::event::{Event, StepId, What};
use interlock_model::span::Span;
use interlock_model::specification::{Draft, Scripted};
use interlock_simulation::simulation::{Simulation, Watch};

/// One step: whether its input may be a command of the client, whether it must answer a `release`, and the outcomes
/// that it reports.
#[derive(Default)]
struct Step {
    of_client: bool,
    leaves: bool,
    outcomes: Vec<Outcome>,
}

/// Returns the steps of a run and the nodes that crashed, in the order of events.
fn steps(events: &[Event]) -> Vec<Result<(StepId, Step), NodeId>> {
    let mut steps: Vec<Result<(StepId, Step), NodeId>> = Vec::new();
    for Event { what, .. } in events {
        match what {
            What::Crashed { node, .. } => steps.push(Err(*node)),
            What::Initialized { at, .. } | What::Delivered { at, .. } => steps.push(Ok((*at, Step::default()))),
            What::Commanded { at, command, .. } => {
                let leaves = matches!(command.order, Order::Release { .. });
                steps.push(Ok((*at, Step { of_client: true, leaves, ..Step::default() })));
            }
            What::Fired { at, timer, .. } => {
                let of_client = matches!(timer, TimerName::Client(_));
                steps.push(Ok((*at, Step { of_client, ..Step::default() })));
            }
            What::Outcome { outcome, .. } => {
                if let Some(Ok((_, step))) = steps.last_mut() {
                    step.outcomes.push(outcome.clone());
                }
            }
            _ => {}
        }
    }
    steps
}

/// Derives the client's commands from the outcomes of the step that answers them. Each new request answers an
/// `acquire`. Each exit that does not result from an abort answers a `release`.
fn commands(step: &Step) -> Vec<Command> {
    let aborts = |of: &RequestId| {
        step.outcomes.iter().any(|outcome| matches!(outcome, Outcome::Aborted { request, .. } if request == of))
    };
    let command = |outcome: &Outcome| match outcome {
        Outcome::Requested { lock, request, .. } => Some(Command::Acquire { lock: *lock, request: *request }),
        Outcome::Exited { lock, request } if step.of_client && !aborts(request) => {
            Some(Command::Release { lock: *lock, request: *request })
        }
        _ => None,
    };
    step.outcomes.iter().filter_map(command).collect()
}

/// Returns the rules of the protocol that a run violates.
fn broken(entry: &Entry, events: &[Event]) -> Vec<String> {
    let mut ledgers = FlatMap::<NodeId, Ledger>::new();
    let empty = || Ledger::new(false, entry.conduct.leases);
    let mut broken = Vec::new();
    for step in steps(events) {
        let (at, step) = match step {
            Ok(step) => step,
            Err(node) => {
                ledgers.remove(&node);
                continue;
            }
        };
        let ledger = ledgers.entry(at.node).or_insert_with(empty);
        for command in &commands(&step) {
            ledger.command(command);
        }
        broken.extend(ledger.step(&step.outcomes).err().map(|error| error.to_string()));
        let exits = step.outcomes.iter().any(|outcome| matches!(outcome, Outcome::Exited { .. }));
        if step.leaves && !exits {
            broken.push("does not answer `release`".to_owned());
        }
        let never = step.outcomes.iter().filter(|outcome| !entry.reports(outcome));
        broken.extend(never.map(|outcome| format!("reports `{}`", outcome.name())));
    }
    broken
}

/// Returns a contended run of a variant. Clients make requests both by themselves and because of orders.
fn simulation(entry: &Entry, variant: &str, seed: u64) -> Simulation {
    let locks = if entry.family == "deadlock" { 3 } else { 1 };
    let asks = entry.commands.contains(&"acquire");
    let mut document = json!({ "algorithm": entry.name, "variant": variant, "nodes": 4, "seed": seed,
        "network": { "delay": "exp:3" } });
    if asks && entry.name != "banker" {
        document["workload"] =
            json!({ "idle": "exp:4", "hold": "uniform:0..2", "locks": if locks > 1 { "some:2" } else { "all" } });
        document["locks"] = locks.into();
    }
    let draft: Draft = serde_json::from_value(document).expect("a draft");
    let specification = draft.complete_simulated().unwrap_or_else(|errors| panic!("{} {errors:?}", entry.name));
    let at = |ms: u64, choice| Scripted { at: Span(1_000 * ms), choice };
    let mut script = Vec::new();
    if entry.commands.contains(&"elect") {
        script.extend([0, 1].map(|node| at(5, Choice::Elect { node: NodeId(node) })));
    }
    if entry.commands.contains(&"propose") {
        script.extend([0, 1].map(|node| {
            let choice = json!({ "propose": { "node": node, "value": format!("v{node}") } });
            at(5, serde_json::from_value(choice).expect("a proposal"))
        }));
    }
    let until = Some(2_000_000);
    Simulation { script, until, watch: Watch::Events, ..Simulation::new(specification, 60) }
}

#[test]
fn no_algorithm_of_the_catalogue_breaks_the_protocol() {
    for entry in ENTRIES {
        for variant in entry.variants.iter().filter(|variant| variant.broken.is_none()) {
            for seed in 0..3 {
                let report = simulation(entry, variant.name, seed).run().expect("a run");
                let broken = broken(entry, &report.events);
                assert_eq!(broken, Vec::<String>::new(), "{} {} {seed}", entry.name, variant.name);
            }
        }
    }
}
