//! Entries after a crash of the coordinator, with and without failover.

use std::fmt;

use interlock_algorithm::NodeId;
use serde_json::{Value, json};

use super::super::live::Playground;
use super::super::simulated::{at, idle, run, simulation};
use super::{CouldNotRun, Finding, Measurement};
use interlock_model::choice::Choice;
use interlock_simulation::scenario::Until;
use interlock_simulation::simulation::{Simulation, Watch};

/// Time at which the coordinator crashes, in units.
const CRASH: u64 = 200;

/// Document of a run in which P1 … P4 request again and again. The coordinator P0 only grants.
fn served(algorithm: &str, variant: &str) -> Value {
    let mut document = idle(algorithm, 5);
    document["variant"] = json!(variant);
    document["workload"] = json!({ "idle": "exp:5", "hold": "const:1", "nodes": [1, 2, 3, 4] });
    document
}

/// Result of a run of 300 requests whose coordinator crashes.
struct Fate {
    before: usize,
    after: usize,
    /// Time from the crash to the next entry, in units; absent if no process enters.
    pause: Option<u64>,
    broken: usize,
}

fn fate(document: Value) -> Result<Fate, CouldNotRun> {
    let script = vec![at(CRASH, Choice::Crash { node: NodeId(0) })];
    let report = run(&Simulation { script, watch: Watch::Events, ..simulation(document, 300)? })?;
    let entered = report.events.iter().filter(|event| event.kind() == "entered").map(|event| event.at_us / 1_000);
    let (before, after): (Vec<u64>, Vec<u64>) = entered.partition(|entered| *entered <= CRASH + 1);
    Ok(Fate {
        before: before.len(),
        after: after.len(),
        pause: after.first().map(|first| first - CRASH),
        broken: report.broken().count(),
    })
}

fn fates(of: &[(&str, &str)]) -> Measurement {
    let mut fared = Vec::new();
    let mut go_on = true;
    for (algorithm, variant) in of {
        let Fate { before, after, pause, broken } = fate(served(algorithm, variant))?;
        go_on &= before + after == 300 && after > 0 && broken == 0;
        let pause = pause.map_or_else(|| "forever".to_owned(), |pause| format!("during {pause} T"));
        fared.push(format!("{algorithm} {variant}: {before} entries, none {pause}, {after} entries, {broken} broken"));
    }
    Ok(Finding {
        expected: format!(
            "N = 5, T = 1, P0 crashes after {CRASH} T: all 300 requests of P1 … P4 granted, no property violated"
        ),
        measured: fared.join("; "),
        holds: go_on,
    })
}

pub(super) fn goes_on() -> Measurement {
    fates(&[("centralised-failover", "bully"), ("centralised-failover", "acknowledged-ring")])
}

pub(super) fn stands_still() -> Measurement {
    fates(&[("centralised", "arrival-order")])
}

/// Kills the coordinator of live processes while P1 … P4 enter 20 times each. Then waits for the condition
/// `until`: all processes are done, or some wait forever.
fn killed(playground: &Playground, document: Value, until: &Until) -> Result<Killed, CouldNotRun> {
    let stage = playground.stage(document)?;
    stage.wait(&Until::Entered { node: None, lock: None })?;
    stage.crash(0)?;
    stage.wait(until)?;
    let metrics = stage.metrics();
    Ok(Killed { entries: metrics.entries, broken: metrics.violations, gap_ms: metrics.longest_gap.unwrap_or_default() })
}

/// Result of a run whose coordinator was killed.
#[derive(Clone, Copy, Debug)]
struct Killed {
    entries: u64,
    broken: u64,
    /// Longest time, in milliseconds, during which processes waited while no process was in the critical section.
    gap_ms: f64,
}

impl Killed {
    /// Returns whether every process entered as often as its client requested, without a violation.
    const fn goes_on(self) -> bool {
        self.entries == 80 && self.broken == 0
    }
}

impl fmt::Display for Killed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { entries, broken, gap_ms } = self;
        write!(formatter, "{entries} entries, no process inside for {gap_ms:.0} ms, {broken} violations")
    }
}

pub(super) fn live(playground: &Playground) -> Measurement {
    let document = |algorithm: &str, variant: &str| {
        let workload = json!({ "idle": "exp:20", "hold": "exp:5", "entries": 20, "nodes": [1, 2, 3, 4] });
        let mut document = json!({ "algorithm": algorithm, "variant": variant, "nodes": 5, "workload": workload });
        if algorithm == "centralised-failover" {
            document["parameters"] = json!({ "answer": 1_000 });
        }
        document
    };
    let plain = killed(playground, document("centralised", "arrival-order"), &Until::Stuck)?;
    let bully = killed(playground, document("centralised-failover", "bully"), &Until::Idle)?;
    let ring = killed(playground, document("centralised-failover", "acknowledged-ring"), &Until::Idle)?;
    Ok(Finding {
        expected:
            "N = 5, P0 killed when the first is inside: without failover proved stuck before 80 entries; with it \
                   80 entries and no property violated, with either election"
                .into(),
        measured: format!("without failover {} entries and stuck; bully: {bully}; ring: {ring}", plain.entries),
        holds: plain.entries < 80 && bully.goes_on() && ring.goes_on(),
    })
}
