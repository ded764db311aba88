//! Simulated runs for claims about numbers, and the documents from which most of these runs are created.

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

/// Ticks in one unit of time.
const UNIT: Ticks = 1_000;

/// A run in which every client requests again as soon as it has exited, and stays in the critical section for one
/// unit. A message takes one unit.
pub(super) fn heavy(algorithm: &str, nodes: u32) -> Value {
    loaded(algorithm, nodes, "0")
}

/// A run in which clients rest for a long time after each exit. Two clients therefore almost never want the lock
/// at the same time.
pub(super) fn light(algorithm: &str, nodes: u32) -> Value {
    loaded(algorithm, nodes, "exp:1000000")
}

/// A run in which clients rest for `idle` after each exit, and stay in the critical section for one unit. A message
/// takes one unit.
pub(super) fn loaded(algorithm: &str, nodes: u32, idle: &str) -> Value {
    json!({
        "algorithm": algorithm, "nodes": nodes, "seed": 1, "network": { "delay": "const:1" },
        "workload": { "idle": idle, "hold": "const:1" },
    })
}

/// A run in which the times of clients are random, and messages take 0 … 9 units. Messages overtake each other,
/// unless the algorithm needs FIFO links.
pub(super) fn jittery(algorithm: &str, nodes: u32) -> Value {
    json!({
        "algorithm": algorithm, "nodes": nodes, "seed": 1, "network": { "delay": "uniform:0..9" },
        "workload": { "idle": "exp:5", "hold": "uniform:0..2" },
    })
}

/// A run in which no client requests by itself. A message takes one unit.
pub(super) fn idle(algorithm: &str, nodes: u32) -> Value {
    json!({ "algorithm": algorithm, "nodes": nodes, "seed": 1, "network": { "delay": "const:1" } })
}

/// Returns the document with the variant `variant` of its algorithm.
pub(super) fn variant(mut document: Value, variant: &str) -> Value {
    document["variant"] = json!(variant);
    document
}

/// Returns the document, changed so that only the clients of `nodes` request.
pub(super) fn only(mut document: Value, nodes: &[u32]) -> Value {
    document["workload"]["nodes"] = json!(nodes);
    document
}

/// Returns the specification of a run from a document with the format of a `POST /runs` body.
///
/// # Errors
/// If the document does not describe a run.
#[expect(clippy::needless_pass_by_value, reason = "callers write the document in the call")]
pub(super) fn specification(document: Value) -> Result<Specification, CouldNotRun> {
    let draft = Draft::read(&document).map_err(|error| CouldNotRun::refused(vec![error]))?;
    draft.complete_simulated().map_err(CouldNotRun::refused)
}

/// Returns the simulation of a run with `entries` requests, observed by the monitors. The document has the format of
/// a `POST /runs` body.
///
/// # Errors
/// If the document does not describe a run.
pub(super) fn simulation(document: Value, entries: u64) -> Result<Simulation, CouldNotRun> {
    Ok(Simulation::new(specification(document)?, entries))
}

/// Returns a simulation in which only the actions of the script happen.
///
/// # Errors
/// If the document does not describe a run.
pub(super) fn scripted(document: Value, script: Vec<Scripted>) -> Result<Simulation, CouldNotRun> {
    Ok(Simulation { script, ..simulation(document, 0)? })
}

/// Action in a script, at a time in units.
pub(super) const fn at(at: u64, choice: Choice) -> Scripted {
    Scripted { at: Span(at * UNIT), choice }
}

/// Action that makes the client of a node request the lock, at a time in units. The client holds the lock for `hold`
/// units, or until a manual release if `hold` is absent.
pub(super) fn acquire(at: u64, node: u32, hold: Option<u64>) -> Scripted {
    self::at(at, Choice::Acquire { node: NodeId(node), lock: LockId(0), hold: hold.map(|hold| Span(hold * UNIT)) })
}

/// Action that makes a node send a manual message to another, at a time in units. If `hold` is given, the receiver
/// then requests the lock and holds it for this time.
pub(super) fn tell(at: u64, from: u32, to: u32, hold: Option<u64>) -> Scripted {
    let (from, to, hold) = (NodeId(from), NodeId(to), hold.map(|hold| Span(hold * UNIT)));
    self::at(at, Choice::Tell { from, to, hold, asks: false })
}

/// Runs a simulation from a document to its end.
///
/// # Errors
/// If the document does not describe a run.
pub(super) fn simulate(document: Value, entries: u64) -> Result<Report, CouldNotRun> {
    run(&simulation(document, entries)?)
}

/// Runs a simulation to its end.
///
/// # Errors
/// If the algorithm does not accept the configuration.
pub(super) fn run(simulation: &Simulation) -> Result<Report, CouldNotRun> {
    simulation.run().map_err(CouldNotRun::because)
}

/// Returns the metrics of the run. They do not include the warm-up.
///
/// # Errors
/// If the report has no metrics.
pub(super) fn metrics(report: &Report) -> Result<&MetricsDocument, CouldNotRun> {
    report.metrics.as_ref().ok_or_else(|| CouldNotRun::because("nobody measured what the run cost"))
}

/// Returns the reasons that the algorithm gives for the step that `event` reports, each with its code and arguments.
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

/// Returns the variables that the node reports after the step of `event`.
pub(super) fn view(event: &Event) -> Option<View> {
    match &event.what {
        What::Initialized { view, .. }
        | What::Commanded { view, .. }
        | What::Fired { view, .. }
        | What::Delivered { view, .. } => serde_json::from_str(view.as_ref()?.as_str()).ok(),
        _ => None,
    }
}

/// Runs a simulation from a document to its end. The report contains the events.
///
/// # Errors
/// If the document does not describe a run.
pub(super) fn recorded(document: Value, entries: u64) -> Result<Report, CouldNotRun> {
    run(&Simulation { watch: Watch::Events, ..simulation(document, entries)? })
}

/// Returns whether ME1 was violated.
pub(super) fn overlaps(report: &Report) -> bool {
    report.broken().any(|violation| *violation.monitor == *mutual_exclusion::NAME)
}

/// Returns the mean number of messages per entry.
///
/// # Errors
/// If the document does not describe a run, or if the run has fewer than `entries` entries.
pub(super) fn mean_cost(document: Value, entries: u64) -> Result<f64, CouldNotRun> {
    let report = run(&Simulation { watch: Watch::Metrics, ..simulation(document, entries)? })?;
    match metrics(&report)? {
        MetricsDocument { messages_per_entry: Some(mean), .. } if report.entries == entries => Ok(*mean),
        _ => Err(CouldNotRun::because(format!("there were {} entries instead of {entries}", report.entries))),
    }
}

/// Runs the document with the seeds 1 … `seeds`. Every two units of time, a node also sends a manual message to
/// another node. Returns the number of pairs of requests that were granted out of order (see [`inverted`]).
///
/// # Errors
/// If the document does not describe a run, or if there are no metrics.
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

/// Returns the number of pairs of requests that were granted out of order. In such a pair, the request that had
/// happened first still waited when the other request was granted.
///
/// # Errors
/// If this number was not measured.
pub(super) fn inverted(report: &Report) -> Result<u64, CouldNotRun> {
    let inversions = metrics(report)?.order_inversions;
    inversions.ok_or_else(|| CouldNotRun::because("the order was not measured: there are too many nodes"))
}

/// Returns the nodes that entered, in the order of their entries. The report must contain the events.
pub(super) fn entered(report: &Report) -> Vec<u32> {
    let entered = report.events.iter().filter(|event| event.kind() == "entered").filter_map(Event::node);
    entered.map(|node| node.0).collect()
}

/// Returns whether the report contains a step for which the algorithm gives the reason `code`.
pub(super) fn says(report: &Report, code: &str) -> bool {
    report.events.iter().flat_map(reasons).any(|reason| reason["code"] == code)
}

/// Returns whether a mean is within 2 % of its expected value.
pub(super) fn is_about(mean: f64, expected: f64) -> bool {
    (mean - expected).abs() <= 0.02 * expected
}

/// Returns whether the run has delays, and each of them lasted `units` units.
pub(super) fn is_always(delays: &DelayDocument, units: f64) -> bool {
    (delays.mean, delays.max) == (Some(units), Some(units))
}

/// Returns a text with the mean and the maximum of the delays.
pub(super) fn spread(delays: &DelayDocument) -> String {
    let DelayDocument { count, mean, max, .. } = delays;
    format!("mean {:.3}, longest {:.3} of {count}", mean.unwrap_or_default(), max.unwrap_or_default())
}

/// Totals over many runs, one for each seed, with the numbers of runs that violated properties.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Rules {
    /// Number of runs.
    pub runs: u64,
    /// Number of requests that the clients were to make in all runs.
    pub requests: u64,
    /// Number of entries.
    pub entries: u64,
    /// Number of runs that violated a property, without the runs that only got stuck.
    pub broken: u64,
    /// Number of runs that violated ME1.
    pub overlapping: u64,
    /// Number of runs that got stuck.
    pub stuck: u64,
    /// Maximum number of times that other processes entered while an earlier request, which had already arrived
    /// everywhere, was waiting.
    pub bypass_max: u64,
}

impl Rules {
    /// Runs the document with the seeds 1 … `seeds`, with `entries` requests in each run, and returns the totals.
    ///
    /// # Errors
    /// If the document does not describe a run.
    pub fn of(document: &Value, seeds: u64, entries: u64) -> Result<Self, CouldNotRun> {
        let mut rules = Self::default();
        rules.add_all(document, seeds, entries)?;
        Ok(rules)
    }

    /// Runs the document with the seeds 1 … `seeds`, with `entries` requests in each run, and adds the results to the
    /// totals.
    ///
    /// # Errors
    /// If the document does not describe a run.
    pub fn add_all(&mut self, document: &Value, seeds: u64, entries: u64) -> Result<(), CouldNotRun> {
        for seed in 1..=seeds {
            let mut document = document.clone();
            document["seed"] = json!(seed);
            self.add(&simulate(document, entries)?, entries)?;
        }
        Ok(())
    }

    /// Adds the result of a run whose clients were to make `entries` requests.
    ///
    /// # Errors
    /// If the run has no metrics.
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

    /// Returns whether every request was granted and no property was violated.
    pub const fn kept(self) -> bool {
        self.entries == self.requests && self.broken == 0 && self.stuck == 0
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { runs, requests, entries, broken, overlapping, stuck, .. } = self;
        write!(formatter, "{entries} of {requests} granted in {runs} runs: {broken} violated a property, ")?;
        write!(formatter, "{overlapping} of them ME1; {stuck} stuck")
    }
}
