//! Runs in virtual time for the claims that are about figures: the documents most of them start from, and runs of them.

use std::fmt;

use interlock_algorithm::{LockId, NodeId, Ticks, View};
use serde_json::{Value, json};

use super::finding::CouldNotRun;
use interlock_model::choice::Choice;
use interlock_model::event::{Event, What};
use interlock_model::span::Span;
use interlock_model::specification::Scripted;
use interlock_model::specification::{Draft, Specification};
use interlock_observation::metrics::{DelayDocument, MetricsDocument};
use interlock_observation::monitor::mutual_exclusion;
use interlock_simulation::simulation::{Report, Simulation, Watch};

/// One unit of time.
const UNIT: Ticks = 1_000;

/// Everybody asks again as soon as it has left, holds for one unit, and a message takes one unit.
pub(super) fn heavy(algorithm: &str, nodes: u32) -> Value {
    loaded(algorithm, nodes, "0")
}

/// Clients that rest so long that as good as never two want the section at a time.
pub(super) fn light(algorithm: &str, nodes: u32) -> Value {
    loaded(algorithm, nodes, "exp:1000000")
}

/// Clients that rest so long after each exit; everybody holds for one unit, and a message takes one unit.
pub(super) fn loaded(algorithm: &str, nodes: u32, idle: &str) -> Value {
    json!({
        "algorithm": algorithm, "nodes": nodes, "seed": 1, "network": { "delay": "const:1" },
        "workload": { "idle": idle, "hold": "const:1" },
    })
}

/// Clients that come and go, and messages that take 0 … 9 units: they overtake each other unless the algorithm needs
/// their order.
pub(super) fn jittery(algorithm: &str, nodes: u32) -> Value {
    json!({
        "algorithm": algorithm, "nodes": nodes, "seed": 1, "network": { "delay": "uniform:0..9" },
        "workload": { "idle": "exp:5", "hold": "uniform:0..2" },
    })
}

/// Clients that do nothing by themselves; a message takes one unit.
pub(super) fn idle(algorithm: &str, nodes: u32) -> Value {
    json!({ "algorithm": algorithm, "nodes": nodes, "seed": 1, "network": { "delay": "const:1" } })
}

/// The same with another variant.
pub(super) fn variant(mut document: Value, variant: &str) -> Value {
    document["variant"] = json!(variant);
    document
}

/// The same with the clients of these nodes only.
pub(super) fn only(mut document: Value, nodes: &[u32]) -> Value {
    document["workload"]["nodes"] = json!(nodes);
    document
}

/// The run of what would be the body of `POST /runs`.
///
/// # Errors
/// When there is no such run.
#[expect(clippy::needless_pass_by_value, reason = "callers write the document in the call")]
pub(super) fn specification(document: Value) -> Result<Specification, CouldNotRun> {
    let draft = Draft::read(&document).map_err(|error| CouldNotRun::refused(vec![error]))?;
    draft.complete_simulated().map_err(CouldNotRun::refused)
}

/// The simulation of what would be the body of `POST /runs`, of `entries` requests, watched by the monitors.
///
/// # Errors
/// When there is no such run.
pub(super) fn simulation(document: Value, entries: u64) -> Result<Simulation, CouldNotRun> {
    Ok(Simulation::new(specification(document)?, entries))
}

/// The same, in which nothing happens but what the script says.
///
/// # Errors
/// When there is no such run.
pub(super) fn scripted(document: Value, script: Vec<Scripted>) -> Result<Simulation, CouldNotRun> {
    Ok(Simulation { script, ..simulation(document, 0)? })
}

/// At this time, in units, this is done.
pub(super) const fn at(at: u64, choice: Choice) -> Scripted {
    Scripted { at: Span(at * UNIT), choice }
}

/// At this time, in units, the client of a node asks; it holds for so many units, or until it is told to leave.
pub(super) fn acquire(at: u64, node: u32, hold: Option<u64>) -> Scripted {
    self::at(at, Choice::Acquire { node: NodeId(node), lock: LockId(0), hold: hold.map(|hold| Span(hold * UNIT)) })
}

/// At this time, in units, a node tells another, which then asks for the section if it is said for how long.
pub(super) fn tell(at: u64, from: u32, to: u32, hold: Option<u64>) -> Scripted {
    let (from, to, hold) = (NodeId(from), NodeId(to), hold.map(|hold| Span(hold * UNIT)));
    self::at(at, Choice::Tell { from, to, hold, asks: false })
}

/// Runs such a simulation to its end.
///
/// # Errors
/// When there is no such run.
pub(super) fn simulate(document: Value, entries: u64) -> Result<Report, CouldNotRun> {
    run(&simulation(document, entries)?)
}

/// Runs a simulation to its end.
///
/// # Errors
/// When the algorithm cannot run so.
pub(super) fn run(simulation: &Simulation) -> Result<Report, CouldNotRun> {
    simulation.run().map_err(CouldNotRun::because)
}

/// What the run cost after its warm-up.
///
/// # Errors
/// When nobody measured.
pub(super) fn metrics(report: &Report) -> Result<&MetricsDocument, CouldNotRun> {
    report.metrics.as_ref().ok_or_else(|| CouldNotRun::because("nobody measured what the run cost"))
}

/// Why the algorithm did what it did in the step of this event, each reason with its code and arguments.
pub(super) fn reasons(event: &Event) -> impl Iterator<Item = Value> + '_ {
    let because: &[_] = match &event.what {
        What::Initialized { because, .. }
        | What::Commanded { because, .. }
        | What::Fired { because, .. }
        | What::Delivered { because, .. } => because,
        _ => &[],
    };
    because.iter().filter_map(|reason| serde_json::from_str(reason.as_str()).ok())
}

/// What a node shows of its variables after the step of this event.
pub(super) fn view(event: &Event) -> Option<View> {
    match &event.what {
        What::Initialized { view, .. }
        | What::Commanded { view, .. }
        | What::Fired { view, .. }
        | What::Delivered { view, .. } => serde_json::from_str(view.as_ref()?.as_str()).ok(),
        _ => None,
    }
}

/// Runs such a simulation to its end, and keeps the events.
///
/// # Errors
/// When there is no such run.
pub(super) fn recorded(document: Value, entries: u64) -> Result<Report, CouldNotRun> {
    run(&Simulation { watch: Watch::Events, ..simulation(document, entries)? })
}

/// Whether ME1 was broken.
pub(super) fn overlaps(report: &Report) -> bool {
    report.broken().any(|violation| *violation.monitor == *mutual_exclusion::NAME)
}

/// How many messages an entry costs in the mean.
///
/// # Errors
/// When there is no such run, or there are fewer entries.
pub(super) fn mean_cost(document: Value, entries: u64) -> Result<f64, CouldNotRun> {
    let report = run(&Simulation { watch: Watch::Metrics, ..simulation(document, entries)? })?;
    match metrics(&report)? {
        MetricsDocument { messages_per_entry: Some(mean), .. } if report.entries == entries => Ok(*mean),
        _ => Err(CouldNotRun::because(format!("there were {} entries instead of {entries}", report.entries))),
    }
}

/// How many requests were granted before one that had happened before them, in runs with the seeds 1 … `seeds`, in
/// which the application tells things, too: every two units of time one node another.
///
/// # Errors
/// When there is no such run, or nobody measured.
pub(super) fn inversions(document: &Value, seeds: u64, entries: u64) -> Result<u64, CouldNotRun> {
    let of = |seed| {
        let mut document = document.clone();
        document["seed"] = json!(seed);
        let simulation = simulation(document, entries)?;
        let nodes = simulation.specification.nodes;
        let from = |count: u32| count % nodes;
        let to = |count: u32| (from(count) + 1 + count / nodes % (nodes - 1)) % nodes;
        let script = (0..200).map(|count| tell(2 * u64::from(count), from(count), to(count), None)).collect();
        inverted(&run(&Simulation { script, ..simulation })?)
    };
    (1..=seeds).map(of).sum()
}

/// How many requests were granted before one that had happened before them.
///
/// # Errors
/// When nobody measured.
pub(super) fn inverted(report: &Report) -> Result<u64, CouldNotRun> {
    let inversions = metrics(report)?.order_inversions;
    inversions.ok_or_else(|| CouldNotRun::because("the order was not measured: there are too many nodes"))
}

/// Who entered, in that order, if the events were kept.
pub(super) fn entered(report: &Report) -> Vec<u32> {
    let entered = report.events.iter().filter(|event| event.kind() == "entered").filter_map(Event::node);
    entered.map(|node| node.0).collect()
}

/// Whether a mean is within 2 % of what it should be.
pub(super) fn is_about(mean: f64, expected: f64) -> bool {
    (mean - expected).abs() <= 0.02 * expected
}

/// Whether there were delays, and all of them this long.
pub(super) fn is_always(delays: &DelayDocument, units: f64) -> bool {
    (delays.mean, delays.max) == (Some(units), Some(units))
}

/// The mean of delays and the longest of them.
pub(super) fn spread(delays: &DelayDocument) -> String {
    let DelayDocument { count, mean, max, .. } = delays;
    format!("mean {:.3}, longest {:.3} of {count}", mean.unwrap_or_default(), max.unwrap_or_default())
}

/// How the rules fared over many runs, one for each seed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Rules {
    /// How many runs there were.
    pub runs: u64,
    /// How many requests they were to make, all together.
    pub requests: u64,
    /// How many entries there were.
    pub entries: u64,
    /// In how many runs a rule was broken, those of getting stuck not counted.
    pub broken: u64,
    /// In how many of them it was ME1.
    pub overlapping: u64,
    /// How many runs got stuck.
    pub stuck: u64,
    /// How often a request was passed over, at most, once it had been received everywhere.
    pub bypass_max: u64,
}

impl Rules {
    /// Runs the document with the seeds 1 … `seeds`, `entries` requests each.
    ///
    /// # Errors
    /// When there is no such run.
    pub fn of(document: &Value, seeds: u64, entries: u64) -> Result<Self, CouldNotRun> {
        let mut rules = Self::default();
        rules.add_all(document, seeds, entries)?;
        Ok(rules)
    }

    /// Runs the document with the seeds 1 … `seeds`, `entries` requests each, and counts these runs, too.
    ///
    /// # Errors
    /// When there is no such run.
    pub fn add_all(&mut self, document: &Value, seeds: u64, entries: u64) -> Result<(), CouldNotRun> {
        for seed in 1..=seeds {
            let mut document = document.clone();
            document["seed"] = json!(seed);
            self.add(&simulate(document, entries)?, entries)?;
        }
        Ok(())
    }

    /// Counts a run that was to make so many requests.
    ///
    /// # Errors
    /// When nobody measured it.
    pub fn add(&mut self, report: &Report, entries: u64) -> Result<(), CouldNotRun> {
        self.runs += 1;
        self.requests += entries;
        self.entries += report.entries;
        self.broken += u64::from(report.broken().next().is_some());
        self.overlapping += u64::from(overlaps(report));
        self.stuck += u64::from(report.is_stuck());
        self.bypass_max = self.bypass_max.max(metrics(report)?.bypass_max);
        Ok(())
    }

    /// Every request was granted, and no rule broken.
    pub const fn kept(self) -> bool {
        self.entries == self.requests && self.broken == 0 && self.stuck == 0
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { runs, requests, entries, broken, overlapping, stuck, .. } = self;
        write!(formatter, "{entries} of {requests} granted in {runs} runs: {broken} broke a rule, ")?;
        write!(formatter, "{overlapping} of them ME1; {stuck} stuck")
    }
}
