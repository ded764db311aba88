//! Measurements of entries while processes crash and restart: simulated with several seeds, and live.

use std::collections::BTreeSet;
use std::fmt;

use interlock_algorithm::NodeId;
use serde_json::{Value, json};

use super::super::live::{Playground, Stage};
use super::super::simulated::{at, run, simulation};
use super::CouldNotRun;
use interlock_model::choice::Choice;
use interlock_model::event::{Event, RestartState};
use interlock_model::specification::Scripted;
use interlock_observation::monitor::mutual_exclusion;
use interlock_simulation::scenario::Until;
use interlock_simulation::simulation::{Report, Simulation, Watch};

/// Number of runs, each with its own seed.
pub(super) const SEEDS: u64 = 20;
/// Time limit of a run in microseconds: ten thousand units. Without a limit, a run may continue forever although no
/// process makes progress.
const LONGEST: u64 = 10_000_000;
/// Wait in milliseconds after which a process is considered stuck.
pub(super) const LONG_MS: u64 = 20_000;
/// Number of requests in each run.
pub(super) const REQUESTS: u64 = 300;

/// Action that crashes a process, at a time in units.
pub(super) const fn crash(at: u64, node: u32) -> Scripted {
    self::at(at, Choice::Crash { node: NodeId(node) })
}

/// Action that restarts a crashed process without its stored state, at a time in units.
pub(super) const fn restart(at: u64, node: u32) -> Scripted {
    self::at(at, Choice::Restart { node: NodeId(node), state: RestartState::None })
}

/// Action that makes a process suspect another, at a time in units.
pub(super) const fn suspect(at: u64, node: u32, whom: u32) -> Scripted {
    self::at(at, Choice::Suspect { node: NodeId(node), whom: NodeId(whom) })
}

/// Returns the document, extended by the failure detector `detector`.
pub(super) fn detected(mut document: Value, detector: &Value) -> Value {
    document["detector"] = detector.clone();
    document
}

/// A heartbeat detector with the time-out `timeout`, in units (virtual time) or milliseconds (live).
pub(super) fn heartbeats(timeout: u64) -> Value {
    json!({ "heartbeat": { "interval": 50, "timeout": timeout } })
}

/// Time-out in virtual time, in units. In virtual time no heartbeat is late, so the time-out can be short.
pub(super) const SOON: u64 = 200;
/// Time-out for live processes, in milliseconds. It is long, because a busy machine may not schedule a live process
/// for seconds, and the process would then be suspected.
pub(super) const IN_TIME: u64 = 6_000;

/// Results of runs in which processes crashed.
#[derive(Clone, Debug, Default)]
pub(super) struct Fates {
    runs: u64,
    /// Number of entries in all runs.
    entries: u64,
    /// Number of runs in which no process got stuck, and each process that had to enter entered twice after the last
    /// scripted action.
    went_on: u64,
    /// Number of runs in which a process was proved to wait forever.
    pub stuck: u64,
    /// Number of runs that violated ME1.
    pub overlapping: u64,
    /// Codes of all other violations.
    codes: BTreeSet<String>,
}

impl Fates {
    /// Runs the document with the seeds 1 … [`SEEDS`], with [`REQUESTS`] requests in each run. `script` returns the
    /// actions for a seed. After these actions, the processes in `alive` must enter.
    ///
    /// # Errors
    /// If the document does not describe a run.
    pub fn of(document: &Value, alive: &[u32], script: impl Fn(u64) -> Vec<Scripted>) -> Result<Self, CouldNotRun> {
        let mut fates = Self::default();
        for seed in 1..=SEEDS {
            let mut document = document.clone();
            document["seed"] = json!(seed);
            let script = script(seed);
            let last = script.iter().map(|step| step.at.0).max().unwrap_or_default();
            let simulation = simulation(document, REQUESTS)?;
            let until = Some(LONGEST);
            fates.add(&run(&Simulation { script, until, watch: Watch::Events, ..simulation })?, alive, last);
        }
        Ok(fates)
    }

    fn add(&mut self, report: &Report, alive: &[u32], last: u64) {
        let entered = |event: &&Event| event.kind() == "entered" && event.at_us > last;
        let after: Vec<NodeId> = report.events.iter().filter(entered).filter_map(Event::node).collect();
        let all_enter = alive.iter().all(|node| after.iter().filter(|entered| entered.0 == *node).count() > 1);
        self.runs += 1;
        self.entries += report.entries;
        self.went_on += u64::from(all_enter && !report.is_stuck());
        self.stuck += u64::from(report.is_stuck());
        let (overlaps, others): (Vec<_>, Vec<_>) =
            report.broken().partition(|violation| *violation.monitor == *mutual_exclusion::NAME);
        self.overlapping += u64::from(!overlaps.is_empty());
        self.codes.extend(others.iter().map(|violation| violation.code.to_string()));
    }

    /// Returns whether no run violated a property, and all processes that had to enter made progress in all runs (see
    /// `went_on`).
    pub fn go_on(&self) -> bool {
        self.went_on == self.runs && self.overlapping == 0 && self.codes.is_empty()
    }

    /// Returns whether, in each run, at least one process was proved to wait forever.
    pub const fn are_stuck(&self) -> bool {
        self.stuck == self.runs
    }
}

impl fmt::Display for Fates {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { runs, entries, went_on, stuck, overlapping, codes } = self;
        write!(formatter, "{entries} entries in {runs} runs, all went on in {went_on}, {stuck} stuck, ")?;
        write!(formatter, "{overlapping} broke ME1")?;
        codes.iter().try_for_each(|code| write!(formatter, ", {code}"))
    }
}

/// Result of a live run in which one process was killed.
#[derive(Clone, Debug)]
pub(super) struct Killed {
    entries: u64,
    /// Codes of the violations.
    codes: Vec<String>,
    /// Whether a process was proved to wait forever.
    stuck: bool,
}

impl Killed {
    /// Kills the process `whom` as soon as some process is in the critical section. Waits until all clients are
    /// done, or a process is proved to wait forever. If waiting processes repeat their requests, such a proof is
    /// impossible, so the wait also ends when a process has waited for very long.
    ///
    /// # Errors
    /// If the document does not describe a run, or the wait takes too long.
    pub fn of(playground: &Playground, mut document: Value, whom: u32) -> Result<Self, CouldNotRun> {
        document["slow_after_ms"] = json!(LONG_MS);
        let stage = playground.stage(document)?;
        stage.wait(&Until::Entered { node: None, lock: None })?;
        Self::in_the_section(&stage, whom)
    }

    /// Kills the process `whom` of an existing run immediately, and then waits as [`Self::of`] does.
    ///
    /// # Errors
    /// If the wait takes too long.
    pub fn in_the_section(stage: &Stage, whom: u32) -> Result<Self, CouldNotRun> {
        stage.crash(whom)?;
        stage.wait(&Until::Any(vec![Until::Stuck, Until::Idle, Until::Slow]))?;
        let metrics = stage.metrics();
        let codes = stage.codes();
        Ok(Self { entries: metrics.entries, codes, stuck: metrics.stuck > 0 })
    }

    /// Returns whether the run had exactly `entries` entries besides one entry of the killed process, and no
    /// violation.
    pub fn went_on_by(&self, entries: u64) -> bool {
        self.went_on(entries + 1)
    }

    /// Returns whether the run had exactly `entries` entries and no violation.
    pub fn went_on(&self, entries: u64) -> bool {
        self.entries == entries && self.codes.is_empty() && !self.stuck
    }
}

impl fmt::Display for Killed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { entries, codes, stuck } = self;
        write!(formatter, "{entries} entries{}", if *stuck { ", stuck" } else { ", not stuck" })?;
        codes.iter().try_for_each(|code| write!(formatter, ", {code}"))
    }
}

/// Result of a live run in which a holder was paused until another process had entered and exited.
#[derive(Clone, Debug)]
pub(super) struct Paused {
    /// Whether both processes were in the critical section at the same time.
    together: bool,
    /// Codes of the violations.
    codes: Vec<String>,
    /// Balance of the account after both processes have paid 1 into it, its expected balance, and the number of
    /// refused writes.
    sums: [i64; 3],
}

/// Runs three processes. The first of the two given processes is paused in the critical section until the second
/// has entered and exited. Then the first process resumes and exits.
///
/// # Errors
/// If the document does not describe a run, or the second process does not enter.
pub(super) fn paused_holder(
    playground: &Playground,
    of: &Value,
    [holder, other]: [u32; 2],
    fencing: bool,
) -> Result<Paused, CouldNotRun> {
    let mut document = of.clone();
    document["nodes"] = json!(3);
    document["workload"] = json!({ "nodes": [], "account": { "deposit": 1, "fencing": fencing } });
    let stage = playground.stage(document)?;
    stage.enter(holder)?;
    stage.pause(holder)?;
    stage.acquire(other)?;
    stage.wait(&Until::Entered { node: Some(NodeId(other)), lock: None })?;
    let together = stage.inside() == [holder, other];
    stage.release(other)?;
    stage.resume(holder)?;
    stage.release(holder)?;
    let account = serde_json::to_value(stage.state().account).map_err(CouldNotRun::because)?;
    let sums = ["balance", "expected", "refused"].map(|sum| account[sum].as_i64().unwrap_or_default());
    Ok(Paused { together, codes: stage.codes(), sums })
}

impl Paused {
    /// Returns whether both processes were in the critical section, and the monitor reported this with the given
    /// code. The balance of the account must also be correct, which requires that the account refused the late
    /// write.
    pub fn is_fenced_off(&self, code: &str) -> bool {
        self.together && self.codes.iter().any(|found| found == code) && self.sums == [1, 1, 1]
    }
}

impl fmt::Display for Paused {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { together, codes, sums } = self;
        write!(formatter, "{} inside, {codes:?}, {sums:?}", if *together { "both" } else { "not both" })
    }
}
