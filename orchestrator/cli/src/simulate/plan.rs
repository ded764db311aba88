//! Plan of the simulation: one row for each algorithm and number of nodes, and in each row one run for each seed.

use std::fs;

use interlock_algorithm::{LockUse, NodeId, catalogue};
use interlock_machine::distribution::Distribution;
use serde_json::Value;

use super::options::{OutputOptions, SimulateOptions};
use super::refusal::{Misfit, Refusal};
use super::script::script;
use interlock_model::field_error::FieldError;
use interlock_model::specification::{Clients, Draft, LARGEST_SEED, Specification, WorkloadDraft};
use interlock_model::strict;
use interlock_simulation::simulation::{Simulation, Watch};

/// Default number of rounds that all clients execute together.
const ENTRIES: u64 = 1_000;
/// Maximum number of nodes of a run that monitors watch. The memory of the monitors grows with the square of the
/// number of nodes.
pub const MOST_WATCHED: u32 = 1_000;

/// A row of the output: one algorithm with one number of nodes.
#[derive(Debug)]
pub struct Cell {
    /// Name of the algorithm.
    pub algorithm: String,
    /// Number of nodes.
    pub nodes: u32,
    /// The runs, one for each seed. If the options do not allow a run of this algorithm with this number of nodes, the
    /// reasons instead.
    pub runs: Result<Vec<Simulation>, Vec<Misfit>>,
}

/// Returns all rows: for each algorithm, one row for each number of nodes, in the order of the options.
///
/// If an algorithm is possible with only some of the numbers, the rows for the other numbers contain the reasons.
///
/// # Errors
/// If an algorithm is impossible with each of the given numbers of nodes, returns the reasons for the first number.
pub fn plan(options: &SimulateOptions) -> Result<Vec<Cell>, Refusal> {
    let draft = draft(options)?;
    let algorithms =
        if options.algorithm.is_empty() { vec![draft.algorithm.clone()] } else { options.algorithm.clone() };
    let nodes = if options.nodes.is_empty() { vec![draft.nodes.unwrap_or(5)] } else { options.nodes.clone() };
    check_output(options, algorithms.len() * nodes.len())?;
    let mut cells = Vec::new();
    for algorithm in &algorithms {
        let row: Vec<Cell> = nodes.iter().map(|&nodes| cell(options, &draft, algorithm, nodes)).collect();
        if row.iter().all(|cell| cell.runs.is_err()) {
            let first = row.into_iter().find_map(|cell| cell.runs.err());
            return Err(Refusal::Nonsense(first.unwrap_or_default()));
        }
        cells.extend(row);
    }
    Ok(cells)
}

fn check_output(options: &SimulateOptions, rows: usize) -> Result<(), Misfit> {
    let OutputOptions { events, record, .. } = &options.output;
    let one_run = rows == 1 && options.measuring.repeat == 1;
    for (flag, what, asked) in [("--events", "events are", events), ("--record", "a schedule is", record)] {
        if asked.is_some() && !one_run {
            let detail =
                format!("{what} written only if there is one run: one algorithm, one number of nodes, no `--repeat`");
            return Err(Misfit::new(flag, detail));
        }
    }
    let (first, runs) = (options.measuring.seed.unwrap_or(0), options.measuring.repeat);
    if first + (runs - 1) > LARGEST_SEED {
        let largest = LARGEST_SEED + 1 - runs;
        let detail = format!("the seed is too large for {runs} runs; the largest possible seed is {largest}");
        return Err(Misfit::new("--seed", detail));
    }
    Ok(())
}

/// Returns the part of the specification that is the same in all rows.
fn draft(options: &SimulateOptions) -> Result<Draft, Refusal> {
    let mut draft = match (&options.specification, &options.example) {
        (None, None) => Draft { workload: Some(heavy_load()), ..Draft::default() },
        (None, Some(example)) => {
            let flag = format!("--example {}", example.name);
            example.draft().map_err(|why| Misfit::at(flag, FieldError::said(&why)))?
        }
        (Some(file), _) => {
            let refuse = |cause| Refusal::File { flag: "--specification", file: file.clone(), cause };
            let text = fs::read_to_string(file).map_err(refuse)?;
            document(&format!("--specification {}", file.display()), &text, Draft::read)?
        }
    };
    draft.variant = options.variant.clone().or(draft.variant);
    let parameters = options.set.iter().map(|setting| (setting.name.clone(), setting.value.clone()));
    draft.parameters.extend(parameters);
    let network = &options.network;
    let latency = network.latency.or(draft.network.delay).unwrap_or(Distribution::Constant(1.0));
    draft.network.delay = Some(latency);
    network.change(&mut draft.network);
    draft.links.extend(network.link.iter().map(|link| link.0.clone()));
    draft.seed = options.measuring.seed.or(draft.seed).or(Some(1));
    draft.locks = options.locks.or(draft.locks);
    draft.monitors.extend(&options.measuring.monitors);
    // A specification that has a script but no workload keeps having no workload, so that only the script acts.
    if draft.script.is_empty() || draft.workload.is_some() {
        let workload = draft.workload.take().unwrap_or_else(heavy_load);
        draft.workload = Some(overridden(workload, options));
    }
    Ok(draft)
}

/// Parses the JSON document in a file. `flag` is the option that names the file, for the error message.
pub fn document<T>(flag: &str, text: &str, read: impl FnOnce(&Value) -> Result<T, FieldError>) -> Result<T, Misfit> {
    let document: Value = serde_json::from_str(text).map_err(|why| Misfit::new(flag, format!("not JSON: {why}")))?;
    strict::repeated_field(text.as_bytes()).map_or_else(|| read(&document), Err).map_err(|error| {
        let line = strict::line_of(text.as_bytes(), &error.pointer);
        Misfit::at(format!("{flag}, line {line}, at {}", error.pointer), error)
    })
}

/// Returns a workload with a heavy load: as soon as a client has left the critical section, it requests the section
/// again.
fn heavy_load() -> WorkloadDraft {
    let (idle, hold) = (Some(Distribution::ZERO), Some(Distribution::Constant(1.0)));
    WorkloadDraft { idle, hold, ..WorkloadDraft::default() }
}

fn overridden(mut workload: WorkloadDraft, options: &SimulateOptions) -> WorkloadDraft {
    let asked = &options.workload;
    workload.idle = asked.idle.or(workload.idle);
    workload.hold = asked.hold.or(workload.hold);
    workload.locks = asked.take.clone().or(workload.locks);
    workload.between = asked.between.or(workload.between);
    workload.again = asked.again.or(workload.again);
    workload.tell = asked.tell.map(|tell| tell.0).or(workload.tell);
    workload.kind = asked.kind.map(Into::into).or(workload.kind);
    if let Some(clients) = &asked.clients {
        workload.nodes = Some(Clients::These(clients.iter().copied().map(NodeId).collect()));
    }
    workload.overrides.extend(asked.client.iter().map(|client| client.0.clone()));
    workload
}

fn cell(options: &SimulateOptions, draft: &Draft, algorithm: &str, nodes: u32) -> Cell {
    let (name, variant) = algorithm.split_once('/').map_or((algorithm, None), |(name, of_it)| (name, Some(of_it)));
    let variant = variant.map(str::to_owned).or_else(|| draft.variant.clone());
    let mut draft = Draft { algorithm: name.to_owned(), variant, nodes: Some(nodes), ..draft.clone() };
    if catalogue::find(name).is_ok_and(|entry| entry.locks == LockUse::None) {
        draft.workload = None;
    }
    Cell { algorithm: name.to_owned(), nodes, runs: runs(options, draft) }
}

fn runs(options: &SimulateOptions, draft: Draft) -> Result<Vec<Simulation>, Vec<Misfit>> {
    let misfits = |errors: Vec<_>| errors.into_iter().map(Misfit::of).collect::<Vec<_>>();
    let nodes = draft.nodes.unwrap_or(1).max(1);
    let script = catalogue::find(&draft.algorithm).map(|entry| script(&options.faults, entry, nodes));
    let beside = script.as_ref().ok().and_then(|script| script.as_deref().ok()).unwrap_or_default();
    let specification = draft.complete_beside(beside).map_err(misfits)?;
    let script = script.map_err(|refusal| misfits(vec![refusal.into()]))??;
    let first = simulation(options, specification)?;
    let first = Simulation { script, ..first };
    let again = |number| {
        let mut run = first.clone();
        run.specification.seed += number;
        run
    };
    Ok((0..options.measuring.repeat).map(again).collect())
}

fn simulation(options: &SimulateOptions, specification: Specification) -> Result<Simulation, Vec<Misfit>> {
    let measuring = &options.measuring;
    // If the workload already bounds the entries of each client, the run needs no default bound.
    let bounded = specification.workload.as_ref().is_some_and(|workload| workload.client_loop.entries.is_some());
    let entries = measuring.entries.or((!bounded).then_some(ENTRIES));
    // The length of a run is counted in rounds, but the warm-up and the unmeasured end are counted in entries. A
    // round has one entry for each lock that the client acquires in the round. If clients acquire different
    // numbers of locks, it is unknown how many rounds each client executes. In this case, the calculated number of
    // entries is a lower bound.
    let loops = NodeId::all(specification.nodes).filter_map(|node| specification.client_loop(node));
    let in_a_round: Vec<u64> = loops.map(|own| own.locks.count(specification.locks).into()).collect();
    let of_a_round_each: u64 = in_a_round.iter().sum();
    let least = in_a_round.iter().min().copied().unwrap_or(1);
    let sure = entries.map(|rounds| rounds.saturating_mul(least));
    let warm_up = match (measuring.warm_up, sure) {
        (Some(asked), Some(entries)) if asked >= entries => {
            let detail = format!(
                "cannot skip {asked} of {entries} entries: no entry is left to measure; the maximum is {}",
                entries - 1
            );
            return Err(vec![Misfit::new("--warm-up", detail)]);
        }
        (Some(asked), _) => asked,
        // At the start, all clients request at the same time, which is not typical. The measurement therefore
        // begins when every client can have entered.
        (None, Some(entries)) if entries / 10 >= of_a_round_each => entries / 10,
        (None, _) => 0,
    };
    // After the last round has begun, the load decreases. From then on, each client has at most one unfinished
    // round. The entries of these rounds are not measured.
    let end = sure.map(|entries| entries.saturating_sub(of_a_round_each));
    let steady = end.filter(|&end| warm_up > 0 && end > warm_up);
    let watch = match specification.nodes {
        _ if options.output.events.is_some() => Watch::Events,
        ..=MOST_WATCHED => Watch::Monitors,
        _ => Watch::Metrics,
    };
    let until = measuring.until.map(|until| until.0);
    let simulation = Simulation::new(specification, ENTRIES);
    let most_steps_without_progress = measuring.patience.unwrap_or(simulation.most_steps_without_progress);
    let measured_until = steady;
    let records = options.output.record.is_some();
    Ok(Simulation {
        entries,
        warm_up,
        measured_until,
        until,
        most_steps_without_progress,
        watch,
        records,
        ..simulation
    })
}
