//! The results of the runs in one row, as a document from which table, JSON, CSV and plot are generated.

use interlock_algorithm::{Entry, catalogue};
use serde_json::{Map, Value, json};

use super::statistics::{combine, interval, mean};
use interlock_model::event::value_of;
use interlock_model::specification::TimeOuts;
use interlock_observation::metrics::{DelayDocument, MetricsDocument};
use interlock_observation::monitor;
use interlock_simulation::simulation::{Cut, Report, Simulation, Watch};

/// Maximum number of violations in a row that are described in sentences.
const MOST_SPELLED_OUT: usize = 10;
/// Kind of the messages that Raymond's algorithm (1989) sends once, before any node can enter. These messages do
/// not belong to any entry, but they are measured if there is no warm-up.
const SET_UP: &str = "INITIALIZE";
/// Figures that are summed over all runs of a row. For all other figures, a row contains the mean.
const SUMS: [&str; 2] = ["violations", "stuck"];
/// Figures for which no confidence interval is calculated: sums, inputs, sentences, and lists with a figure for each
/// node.
const WITHOUT_INTERVAL: [&str; 7] = ["violations", "stuck", "T", "warm_up", "cool_down", "handled_per_node", "found"];

/// Results for one algorithm with one number of nodes.
#[derive(Debug)]
pub struct Row {
    /// The algorithm, as the catalogue describes it.
    pub entry: &'static Entry,
    /// Inputs and figures of the runs, as the fields of one document.
    pub document: Map<String, Value>,
    /// Outcome of the runs.
    pub outcome: Judgement,
}

/// Outcome of the runs of a row. The variants are in the order from best to worst, and the worst run decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Judgement {
    /// All runs ended as expected. A row without runs, because the algorithm is impossible with this number of
    /// nodes, is also fine.
    Fine,
    /// At least one run was cut short.
    Cut,
    /// A property was violated, or a run got stuck.
    Wrong,
}

impl Row {
    /// Creates a row for an algorithm that is impossible with this number of nodes.
    pub fn impossible(entry: &'static Entry, nodes: u32, why: &str) -> Self {
        let document = json!({ "algorithm": entry.name, "nodes": nodes, "impossible": why });
        Self { entry, document: object(document), outcome: Judgement::Fine }
    }

    /// Creates a row from the reports of its runs. If there are no runs, returns none.
    pub fn of(runs: &[(&Simulation, Report)], multicast: bool) -> Option<Self> {
        let (first, _) = runs.first()?;
        let entry = catalogue::find(&first.specification.algorithm).ok()?;
        let figures: Vec<Value> =
            runs.iter().map(|(simulation, report)| Value::Object(figures(simulation, report, multicast))).collect();
        let mut document = inputs(&first.specification, multicast);
        let warnings = TimeOuts::of(&first.specification, &first.script).warnings();
        document.insert("warnings".to_owned(), value_of(&warnings));
        document.extend(match figures.as_slice() {
            [one] => object(one.clone()),
            several => repeated(runs, several),
        });
        let outcome = runs.iter().map(|(simulation, report)| outcome(simulation, report)).max()?;
        Some(Self { entry, document, outcome })
    }

    /// Returns the figure at a JSON pointer, or none if there is no number at the pointer.
    pub fn number(&self, pointer: &str) -> Option<f64> {
        self.value(pointer).as_f64()
    }

    /// Returns half the width of a figure's confidence interval, or none if the figure has no interval.
    pub fn half_width(&self, pointer: &str) -> Option<f64> {
        let interval = self.value("/confidence_95").pointer(pointer)?;
        Some((interval.get(1)?.as_f64()? - interval.get(0)?.as_f64()?) / 2.0)
    }

    /// Returns the value at a JSON pointer, or null if there is none.
    pub fn value(&self, pointer: &str) -> &Value {
        let mut parts = pointer.trim_start_matches('/').splitn(2, '/');
        let top = parts.next().and_then(|name| self.document.get(name)).unwrap_or(&Value::Null);
        match parts.next() {
            None => top,
            Some(rest) => top.pointer(&format!("/{rest}")).unwrap_or(&Value::Null),
        }
    }
}

fn object(value: Value) -> Map<String, Value> {
    if let Value::Object(map) = value { map } else { Map::new() }
}

fn inputs(specification: &interlock_model::specification::Specification, multicast: bool) -> Map<String, Value> {
    let workload = specification.workload.as_ref();
    object(json!({
        "algorithm": specification.algorithm,
        "variant": specification.variant,
        "parameters": specification.parameters,
        "nodes": specification.nodes,
        "seed": specification.seed,
        "network": value_of(&specification.network),
        "workload": workload.map(value_of),
        "multicast": multicast,
    }))
}

/// Combines the figures of several runs: each figure becomes its mean over the runs. The document also contains the
/// confidence intervals, and the figures of each single run.
fn repeated(runs: &[(&Simulation, Report)], figures: &[Value]) -> Map<String, Value> {
    let figures_of: Vec<&Value> = figures.iter().collect();
    let mut document = object(combine(&figures_of, &|numbers| value_of(&mean(numbers))));
    for name in SUMS {
        let counts: Option<Vec<u64>> = figures.iter().map(|figures| figures[name].as_u64()).collect();
        document.insert(name.to_owned(), counts.map(|counts| counts.iter().sum::<u64>()).into());
    }
    let mut intervals = object(combine(&figures_of, &|numbers| value_of(&interval(numbers))));
    intervals.retain(|name, value| {
        !WITHOUT_INTERVAL.contains(&name.as_str()) && (value.is_object() || value[0].is_number())
    });
    document.insert("confidence_95".to_owned(), intervals.into());
    document.insert("repeat".to_owned(), runs.len().into());
    let seeds = || runs.iter().map(|(simulation, _)| simulation.specification.seed);
    let found = figures.iter().zip(seeds()).flat_map(|(figures, seed)| {
        figures["found"].as_array().into_iter().flatten().map(move |found| with_seed(found, seed))
    });
    document.insert("found".to_owned(), found.take(MOST_SPELLED_OUT).collect());
    let runs = figures.iter().zip(seeds()).map(|(figures, seed)| with_seed(figures, seed));
    document.insert("runs".to_owned(), runs.collect());
    document
}

fn with_seed(value: &Value, seed: u64) -> Value {
    let mut map = object(value.clone());
    map.insert("seed".to_owned(), seed.into());
    map.into()
}

/// Returns the figures of one run: its costs, and how it ended.
fn figures(simulation: &Simulation, report: &Report, multicast: bool) -> Map<String, Value> {
    let latency = simulation.specification.network.delay.mean();
    let (unit, name) = if latency > 0.0 { (latency, "T") } else { (1.0, "unit of time") };
    let mut figures =
        report.metrics.clone().map(|metrics| object(value_of(&scaled(metrics, unit)))).unwrap_or_default();
    let entries = count(&figures, "entries");
    let set_up = figures.get("messages_by_kind").and_then(|kinds| kinds[SET_UP].as_u64()).unwrap_or(0);
    let sent = if multicast { report.measured_transmissions } else { count(&figures, "messages") };
    let per_entry = (entries > 0).then(|| real(sent.saturating_sub(set_up)) / real(entries));
    figures.insert("messages_per_entry".to_owned(), per_entry.into());
    let begun = report.entries > simulation.warm_up;
    let warm_up = if begun { simulation.warm_up } else { 0 };
    let watched = simulation.watch >= Watch::Monitors;
    figures.extend(object(json!({
        "set_up_messages": set_up,
        "transmissions": report.measured_transmissions,
        "unit": name,
        "T": latency,
        "warm_up": warm_up,
        "cool_down": report.entries.saturating_sub(warm_up + entries),
        "cut": report.cut.map(Cut::name),
        "ended_at": real(report.ended_at) / 1_000.0 / unit,
        "steps": report.steps,
        "entries_in_all": report.entries,
        "watched_by_monitors": watched,
        "violations": watched.then_some(report.violations.len()),
        "stuck": u64::from(is_stuck(simulation, report)),
        "found": found(report),
    })));
    figures
}

fn count(figures: &Map<String, Value>, name: &str) -> u64 {
    figures.get(name).and_then(Value::as_u64).unwrap_or(0)
}

/// Returns a description of each of the first violations, with a sentence.
fn found(report: &Report) -> Vec<Value> {
    let spelled = report.violations.iter().take(MOST_SPELLED_OUT).map(|(seq, violation)| {
        json!({ "seq": seq, "monitor": violation.monitor, "sentence": monitor::sentence(violation) })
    });
    spelled.collect()
}

/// Returns whether the run got stuck. With monitors, this must be proved from the state of the run. Without
/// monitors, a run counts as stuck if it was not cut short and completed fewer rounds than planned.
fn is_stuck(simulation: &Simulation, report: &Report) -> bool {
    let missing = simulation.entries.is_some_and(|rounds| report.rounds < rounds);
    report.is_stuck() || (simulation.watch < Watch::Monitors && report.cut.is_none() && missing)
}

fn outcome(simulation: &Simulation, report: &Report) -> Judgement {
    match report.cut {
        _ if !report.violations.is_empty() || is_stuck(simulation, report) => Judgement::Wrong,
        Some(_) => Judgement::Cut,
        None => Judgement::Fine,
    }
}

/// Converts the metrics: times become multiples of `unit`, and the throughput becomes entries per `unit` instead of
/// entries per 1000 units of time.
fn scaled(metrics: MetricsDocument, unit: f64) -> MetricsDocument {
    MetricsDocument {
        client_delay: delays(metrics.client_delay, unit),
        synchronisation_delay: delays(metrics.synchronisation_delay, unit),
        response_time: delays(metrics.response_time, unit),
        longest_gap: metrics.longest_gap.map(|gap| gap / unit),
        throughput: metrics.throughput.map(|per_second| per_second / 1_000.0 * unit),
        ..metrics
    }
}

fn delays(delays: DelayDocument, unit: f64) -> DelayDocument {
    let in_unit = |time: Option<f64>| time.map(|time| time / unit);
    let DelayDocument { count, mean, p50, p99, max } = delays;
    DelayDocument { count, mean: in_unit(mean), p50: in_unit(p50), p99: in_unit(p99), max: in_unit(max) }
}

/// Returns the nearest floating-point number.
#[expect(clippy::cast_precision_loss, reason = "counts and times beyond 2^53 do not occur in a run")]
const fn real(number: u64) -> f64 {
    number as f64
}
