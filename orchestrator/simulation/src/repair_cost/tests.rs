use std::collections::BTreeSet;
use std::sync::Arc;

use interlock_algorithm::NodeId;
use interlock_algorithm::catalogue::{self, ENTRIES};
use serde_json::json;

use super::case::Case;
use super::measured::cost;
use super::*;
use crate::matrix::Contender;
use crate::scenario::Scenario;
use crate::simulation::Simulation;
use interlock_model::span::Span;

/// Returns a variant with raw links. Some of these variants have no repair.
fn variant(algorithm: &str, variant: &str, detector: &'static str) -> Contender {
    let entry = ENTRIES.iter().find(|entry| entry.name == algorithm).expect("an algorithm");
    let found = entry.variants.iter().find(|one| one.name == variant).expect("a variant");
    let assumes = catalogue::assumptions(algorithm, variant).expect("what it assumes");
    Contender { entry, variant: found, assumes, channel: "raw", detector }
}

fn row(contender: &Contender, fault: RepairedFault, nodes: u32) -> RepairCost {
    RepairCost::of(&Case { contender, fault, nodes }).expect("a scenario")
}

/// The only repair for which no formula is known. Its cost depends on the position of the crashed process in the
/// tree, and on the order in which processes are asked.
const WITHOUT_THEORY: (&str, &str) = ("maekawa", "tree-quorums");

#[test]
fn each_repair_of_each_fault_costs_what_it_is_to_cost() {
    let all: Vec<Contender> = repairs().collect();
    let nodes: Vec<u32> = (FEWEST..=12).chain([20]).collect();
    let rows = play(&all, &nodes, &|| ()).expect("scenarios");
    let wrong: Vec<String> = rows
        .iter()
        .filter(|row| {
            let is_known = (row.algorithm, row.variant) != WITHOUT_THEORY;
            row.verdict != if is_known { Verdict::AsInTheory } else { Verdict::NoTheory }
        })
        .map(|row| format!("{}/{}, {}, N = {}: {row:?}", row.algorithm, row.variant, row.fault.name(), row.nodes))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let kinds: BTreeSet<&str> = rows.iter().map(|row| row.fault.name()).collect();
    assert_eq!(kinds.len(), FAULTS.len(), "each fault is repaired by somebody: {kinds:?}");
    let names: BTreeSet<(&str, &str)> = rows.iter().map(|row| (row.algorithm, row.variant)).collect();
    assert_eq!(names.len(), 18, "{names:?}");
}

#[test]
fn who_repairs_nothing_is_no_row_and_has_no_cost() {
    let original = variant("lamport", "any-later-message", "none");
    assert!(FAULTS.iter().all(|fault| !fault.is_repaired_by(&original)));
    let row = row(&original, RepairedFault::CrashOfHolder, 5);
    assert_eq!((row.measured, row.verdict), (Measured::NobodyEntered, Verdict::NoCost));
    assert!(row.without.cost().is_some(), "nothing but the fault is in its way");
}

#[test]
fn two_inside_are_no_repair() {
    let row = row(&variant("centralised", "no-exclusion", "none"), RepairedFault::CrashOfHolder, 5);
    assert_eq!((row.measured, row.verdict), (Measured::TwoInside, Verdict::NoCost));
}

#[test]
fn a_wrong_formula_is_noticed() {
    let row = row(&variant("suzuki-kasami", "regeneration", "perfect"), RepairedFault::CrashOfHolder, 5);
    assert_eq!(row.verdict, Verdict::AsInTheory);
    let judged = |theory: &Theory| Verdict::of(&row.measured, &row.without, theory);
    let wrong = |formula: &Option<Formula>| formula.clone().map(|right| Formula { value: right.value + 1, ..right });
    assert_eq!(judged(&Theory { messages: wrong(&row.theory.messages), ..row.theory.clone() }), Verdict::Differs);
    assert_eq!(judged(&Theory { time: wrong(&row.theory.time), ..row.theory.clone() }), Verdict::Differs);
    assert_eq!(judged(&Theory { time: None, ..row.theory.clone() }), Verdict::AsInTheory, "as far as it is known");
    assert_eq!(judged(&Theory::default()), Verdict::NoTheory);
    let varied = Measured::Varied { costs: row.measured.cost().cloned().into_iter().collect() };
    assert_eq!(Verdict::of(&varied, &row.without, &row.theory), Verdict::NoCost);
}

/// The comparison rejects the formula of another repair that needs one message more. The formula belongs to Naimi and
/// Tréhel's algorithm, in which the waiting process requests the token again.
#[test]
fn the_formula_of_another_repair_is_wrong() {
    let of = |algorithm| row(&variant(algorithm, "regeneration", "perfect"), RepairedFault::CrashOfHolder, 5);
    let (one, other) = (of("suzuki-kasami"), of("naimi-trehel"));
    assert_eq!(Verdict::of(&one.measured, &one.without, &other.theory), Verdict::Differs);
}

#[test]
fn a_cost_is_counted_from_the_mark_to_the_entry_of_who_waits() {
    let contender = variant("centralised", "arrival-order", "none");
    let case = Case { contender: &contender, fault: RepairedFault::CrashOfHolder, nodes: 5 };
    let scenario = Arc::new(Scenario::read(case.scenario(false)).expect("a scenario"));
    let specification = scenario.specification(Some(1), false).expect("a run");
    let (report, _) = Simulation::of_scenario(specification).carry_out(&scenario).expect("it runs");
    let found = cost(&report.events, case.waiter()).expect("a cost");
    assert_eq!((found.messages, found.time), (2, Span(2_000)), "RELEASE and GRANT, each a unit of time: {found:?}");
    assert_eq!(json!(found.by_kind), json!({ "GRANT": 1, "RELEASE": 1 }));
    assert_eq!(cost(&report.events, NodeId(0)), None, "it has not entered");
    assert_eq!(cost(&report.events, NodeId(1)), None, "it has entered before");
    let entered = report.events.iter().position(|event| event.kind() == "entered").expect("an entry");
    assert_eq!(cost(&report.events[..=entered], NodeId(1)), None, "before there was a mark");
}
