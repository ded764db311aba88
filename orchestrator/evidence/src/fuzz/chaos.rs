//! Chaos: random faults, one after the other with pauses between them. The only faults are those that the algorithm
//! claims to survive. At the end, all live processes must enter the critical section, agree on a coordinator, or learn
//! a value.
//!
//! Each run is a scenario that is drawn from its seed, with a random selection of these faults. A faulty variant is
//! executed with the faults that the corresponding correct variant survives. Elections and consensus have scenarios of
//! a different form (`chaos_families.rs`).

use std::collections::BTreeSet;
use std::sync::Arc;

use interlock_algorithm::catalogue;
use interlock_model::field_error::FieldErrors;
use interlock_simulation::matrix::{Clock, Contender, Expectation, Fault, NODES, contenders};
use interlock_simulation::scenario::{Outcome, Scenario};
use interlock_simulation::simulation::Simulation;
use serde_json::{Value, json};

use super::chaos_families::{self, BUDGET};
use super::draws::Draws;
use super::judge::Finding;
use super::unplayable::Unplayable;
use super::{BEYOND, Candidate};

/// Maximum number of steps. A run that takes more steps counts as endless.
const MOST_STEPS: u64 = 2_000_000;
/// Faulty variants whose flaw no random run exposes. Explorations, and schedules for particular voting sets, expose
/// these flaws.
const ONLY_EXPLORED: [&str; 2] = ["asked-one-way", "forgetful-succession"];
/// Code of a finding for a run in which an expectation was not met.
pub(super) const NOT_MET: &str = "not-met";

/// Returns the correct variants that claim to survive faults, and the faulty variants whose flaw becomes visible
/// under faults.
pub fn candidates() -> impl Iterator<Item = Candidate> {
    let mut known = BTreeSet::new();
    let right = contenders()
        .filter(move |row| known.insert((row.entry.name, row.variant.name)))
        .map(|row| Candidate { entry: row.entry, variant: row.variant });
    let others = super::all().filter(|candidate| candidate.variant.broken.is_none() && chaos_families::has(*candidate));
    let faulty = super::all().filter(|candidate| candidate.variant.broken.is_some() && shows(*candidate));
    right.chain(others).chain(faulty)
}

/// Returns whether random runs with faults expose the flaw of the variant. Some flaws become visible only at a rare
/// moment that no random run has reached.
fn shows(Candidate { variant, .. }: Candidate) -> bool {
    BEYOND.contains(&variant.name) && !ONLY_EXPLORED.contains(&variant.name)
}

/// Returns the rows of the fault matrix for a candidate. For a faulty candidate, these are the rows of the repaired
/// variants of its algorithm.
fn rows(candidate: Candidate) -> Vec<Contender> {
    let Candidate { entry, variant } = candidate;
    if chaos_families::has(candidate) {
        return chaos_families::rows(candidate);
    }
    let of_it = contenders().filter(|row| row.entry.name == entry.name);
    if variant.broken.is_none() {
        return of_it.filter(|row| row.variant.name == variant.name).collect();
    }
    let repaired = of_it.filter(|row| !row.assumes.no_crash);
    let like_it = |row: &Contender| {
        let own = catalogue::assumptions(entry.name, variant.name).unwrap_or(entry.assumes);
        own.no_crash || own.fifo == row.assumes.fifo
    };
    repaired.filter(like_it).map(|row| Contender { variant, ..row }).collect()
}

/// Returns the scenario that is drawn from `seed`. In the scenario, faults occur one after the other. Which faults
/// occur does not depend on `clock`.
#[must_use]
pub fn scenario(candidate: Candidate, seed: u64, clock: Clock) -> Option<Value> {
    let mut draws = Draws::new(seed);
    let rows = rows(candidate);
    let row = draws.one(&rows)?;
    let name = format!("chaos: {}/{}, seed {seed}", candidate.entry.name, candidate.variant.name);
    let mut scenario = match chaos_families::episodes(row, &name, clock, &mut draws) {
        Some(scenario) => scenario,
        None => faults_and_entries(row, &name, clock, &mut draws),
    };
    scenario["seed"] = json!(seed);
    Some(scenario)
}

/// Returns a scenario in which processes enter the critical section again and again. Meanwhile, faults occur one after
/// the other.
fn faults_and_entries(row: &Contender, name: &str, clock: Clock, draws: &mut Draws) -> Value {
    let survived: Vec<Fault> = row.faults().filter(|fault| is_survived(row, *fault)).collect();
    let kinds: Vec<Fault> = survived.iter().copied().filter(|_| draws.happens(0.5)).collect();
    let kinds = if kinds.is_empty() { &survived } else { &kinds };
    let mut steps = Vec::new();
    let mut dead = false;
    for _ in 0..draws.number(1, BUDGET) {
        let Some(&fault) = draws.one(kinds) else { break };
        let kills = matches!(fault, Fault::CrashOfWaiter | Fault::CrashOfHolder | Fault::CrashOfSpecial);
        let names_one = matches!(fault, Fault::RestartWithState | Fault::RestartWithoutState | Fault::Corruption);
        // After a permanent crash, no fault may name the crashed process. Algorithms that need a majority also
        // tolerate no further crash.
        if dead && (kills || names_one) {
            continue;
        }
        dead |= kills;
        steps.push(json!({ "sleep": format!("{}ms", draws.number(20, 400)) }));
        let victim = u32::try_from(draws.number(0, u64::from(NODES) - 1)).unwrap_or_default();
        steps.extend(fault.steps(row, victim, draws.number(20, 1_500)));
        steps.extend(row.quiet(clock));
    }
    chaos_families::among_locks(row, row.chaos(name, steps, clock), draws)
}

fn is_survived(row: &Contender, fault: Fault) -> bool {
    Expectation::of(row, fault).lost.is_empty()
}

/// Simulates the scenario of a seed. Returns the numbers of entries and messages, and the finding, if there is one.
///
/// # Errors
/// If the scenario cannot be simulated.
pub(super) fn play(scenario: Value) -> Result<(u64, u64, Option<Finding>), Unplayable> {
    let scenario = Arc::new(Scenario::read(scenario).map_err(FieldErrors)?);
    let specification = scenario.specification(None, false).map_err(FieldErrors)?;
    let simulation = Simulation { most_steps: MOST_STEPS, ..Simulation::of_scenario(specification).only_judged() };
    let (report, findings) = simulation.carry_out(&scenario)?;
    if findings.outcome == Outcome::CouldNotRun {
        return Err(Unplayable::Scenario(findings.complaints().collect()));
    }
    let complaint = findings.complaints().next();
    let finding = complaint.filter(|_| findings.outcome != Outcome::Met).map(|because| Finding {
        code: report.broken().next().map_or_else(|| NOT_MET.to_owned(), |violation| violation.code.to_string()),
        because,
    });
    Ok((report.entries, report.messages, finding))
}
