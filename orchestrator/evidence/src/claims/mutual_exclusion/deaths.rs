//! What becomes of the entries when processes die, and come back: simulated over several seeds, and live.

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

/// How many runs there are, each with its own seed.
pub(super) const SEEDS: u64 = 20;
/// When a run is cut off in which nobody gets on and something goes on for ever, in microseconds: ten thousand units.
const LONGEST: u64 = 10_000_000;
/// Who has waited for this long does not enter any more.
pub(super) const LONG_MS: u64 = 20_000;
/// How many requests there are in each.
pub(super) const REQUESTS: u64 = 300;

/// At this time, in units, a process dies.
pub(super) const fn crash(at: u64, node: u32) -> Scripted {
    self::at(at, Choice::Crash { node: NodeId(node) })
}

/// At this time, in units, a dead process comes back with nothing.
pub(super) const fn restart(at: u64, node: u32) -> Scripted {
    self::at(at, Choice::Restart { node: NodeId(node), state: RestartState::None })
}

/// At this time, in units, a process takes another for dead.
pub(super) const fn suspect(at: u64, node: u32, whom: u32) -> Scripted {
    self::at(at, Choice::Suspect { node: NodeId(node), whom: NodeId(whom) })
}

/// The same run, in which processes know of each other's deaths by this.
pub(super) fn detected(mut document: Value, detector: &Value) -> Value {
    document["detector"] = detector.clone();
    document
}

/// Heartbeats that notice a death within so many units or milliseconds.
pub(super) fn heartbeats(timeout: u64) -> Value {
    json!({ "heartbeat": { "interval": 50, "timeout": timeout } })
}

/// Within how many units a death is noticed: nobody is late in virtual time.
pub(super) const SOON: u64 = 200;
/// Within how many milliseconds a death is noticed on a machine that may be busy with something else: who does not come to run
/// for so long is taken for dead.
pub(super) const IN_TIME: u64 = 6_000;

/// What came of runs in which processes died.
#[derive(Clone, Debug, Default)]
pub(super) struct Fates {
    runs: u64,
    /// How many entries there were.
    entries: u64,
    /// In how many runs all entered again and again who were to, after the last that was done to them.
    went_on: u64,
    /// In how many it was proved that somebody waits for ever.
    pub stuck: u64,
    /// In how many ME1 was broken.
    pub overlapping: u64,
    /// Which other rules were broken.
    codes: BTreeSet<String>,
}

impl Fates {
    /// Runs the document with the seeds 1 … [`SEEDS`], [`REQUESTS`] requests each; what is done to each run tells its seed.
    /// These are to enter after that.
    ///
    /// # Errors
    /// When there is no such run.
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

    /// All went on in all runs, and no rule was broken.
    pub fn go_on(&self) -> bool {
        self.went_on == self.runs && self.overlapping == 0 && self.codes.is_empty()
    }

    /// Somebody waited for ever in all runs.
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

/// What came of a live run in which a process was killed.
#[derive(Clone, Debug)]
pub(super) struct Killed {
    entries: u64,
    /// Which rules were broken.
    codes: Vec<String>,
    /// Whether it was proved that somebody waits for ever.
    stuck: bool,
}

impl Killed {
    /// Kills a process as soon as somebody is inside, and waits until all have entered as often as they want, or it is proved
    /// that somebody waits for ever; or somebody has waited for long, where those who wait ask again and again, so that
    /// nothing is proved.
    ///
    /// # Errors
    /// When there is no such run, or neither comes about.
    pub fn of(playground: &Playground, mut document: Value, whom: u32) -> Result<Self, CouldNotRun> {
        document["slow_after_ms"] = json!(LONG_MS);
        let stage = playground.stage(document)?;
        stage.wait(&Until::Entered { node: None, lock: None })?;
        Self::in_the_section(&stage, whom)
    }

    /// The same of a run that has come to where a process is to be killed.
    ///
    /// # Errors
    /// When neither comes about.
    pub fn in_the_section(stage: &Stage, whom: u32) -> Result<Self, CouldNotRun> {
        stage.crash(whom)?;
        stage.wait(&Until::Any(vec![Until::Stuck, Until::Idle, Until::Slow]))?;
        let metrics = stage.metrics();
        let codes = stage.codes();
        Ok(Self { entries: metrics.entries, codes, stuck: metrics.stuck > 0 })
    }

    /// Whether there were so many entries after that of who was killed, and no rule was broken.
    pub fn went_on_by(&self, entries: u64) -> bool {
        self.went_on(entries + 1)
    }

    /// Whether there were so many entries, and no rule was broken.
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

/// What came of a live run in which a holder stood still for so long that another was let in.
#[derive(Clone, Debug)]
pub(super) struct Paused {
    /// Whether both were inside at the same time.
    together: bool,
    /// Which rules were broken.
    codes: Vec<String>,
    /// What is in the account that both paid 1 into, what should be, and how many writes were refused.
    sums: [i64; 3],
}

/// Of three, the first of these stands still inside until the second has entered and left; then it goes on and leaves.
///
/// # Errors
/// When there is no such run, or the second is not let in.
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
    /// Whether both were inside, which the monitor says by this code, and the account was right.
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
