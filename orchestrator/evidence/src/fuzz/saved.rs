//! Writes files about a failed run. The document can be used as a `POST /runs` body, or as input of `interlock
//! simulate --specification`. `interlock --load` shows the events, and `interlock replay` executes the schedule. Each
//! variant has files of at most one failed run, because no further runs are tried after the first finding.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use serde_json::{Value, json};

use super::{Candidate, Failure, chaos, document, simulation};
use interlock_model::event::Event;
use interlock_observation::trace::write_lines;
use interlock_simulation::matrix::Clock;
use interlock_simulation::simulation::{Simulation, Watch};
use interlock_simulation::simulation::{Smaller, smaller};

/// Maximum number of steps for which events are kept. If a run is longer, the events of its first steps are kept.
const MOST_STEPS: u64 = 300_000;
/// Maximum number of edited scenarios that are run to find a smaller one.
const MOST_TRIES: usize = 300;

/// Returns the run that is drawn from `seed`, with a name that states the variant and the seed.
#[must_use]
pub fn body(candidate: Candidate, seed: u64) -> Value {
    let mut body = document(candidate, seed);
    body["name"] = json!(format!("fuzz: {}/{}, seed {seed}", candidate.entry.name, candidate.variant.name));
    body
}

/// Writes the scenario that is drawn from `seed` to `directory` as `ALGORITHM-VARIANT-SEED.scenario.json`. Also
/// writes a smaller scenario that fails for the same reason, as `ALGORITHM-VARIANT-SEED.shrunk.json`.
///
/// # Errors
/// If a file cannot be written.
pub fn save_chaos(directory: &Path, candidate: Candidate, seed: u64, clock: Clock) -> io::Result<()> {
    let name = name(candidate.entry.name, candidate.variant.name, seed);
    let Some(scenario) = chaos::scenario(candidate, seed, clock) else { return Ok(()) };
    fs::write(directory.join(format!("{name}.scenario.json")), format!("{scenario:#}\n"))?;
    match smaller(&scenario, seed, MOST_TRIES) {
        Some(Smaller { scenario, .. }) => {
            fs::write(directory.join(format!("{name}.shrunk.json")), format!("{scenario:#}\n"))
        }
        None => Ok(()),
    }
}

/// Writes the scenario of a failed live run to `directory`, as [`save_chaos`] does, and its events as
/// `ALGORITHM-VARIANT-SEED.ndjson`. A smaller scenario is only written if the scenario also fails in virtual time.
///
/// # Errors
/// If a file cannot be written.
pub fn save_lived(directory: &Path, failure: &Failure) -> io::Result<()> {
    let Failure { candidate, seed, events, .. } = failure;
    let name = name(candidate.entry.name, candidate.variant.name, *seed);
    write_events(&directory.join(format!("{name}.ndjson")), events)?;
    save_chaos(directory, *candidate, *seed, Clock::Wall)
}

fn write_events(file: &Path, events: &[Event]) -> io::Result<()> {
    let mut out = BufWriter::new(File::create(file)?);
    write_lines(events, &mut out)?;
    out.flush()
}

/// Returns the beginning of the file names for a run.
#[must_use]
pub fn name(algorithm: &str, variant: &str, seed: u64) -> String {
    format!("{algorithm}-{variant}-{seed}")
}

/// Writes the run that is drawn from `seed` to `directory` as `ALGORITHM-VARIANT-SEED.json`. If the run can be
/// simulated, also writes its events as `ALGORITHM-VARIANT-SEED.ndjson` and its actions as
/// `ALGORITHM-VARIANT-SEED.schedule`.
///
/// # Errors
/// If a file cannot be written.
pub fn save(directory: &Path, candidate: Candidate, seed: u64) -> io::Result<()> {
    let name = name(candidate.entry.name, candidate.variant.name, seed);
    let body = body(candidate, seed);
    fs::write(directory.join(format!("{name}.json")), format!("{body:#}\n"))?;
    let Ok(simulation) = simulation(&body) else { return Ok(()) };
    let most_steps = simulation.most_steps.min(MOST_STEPS);
    let Ok(report) = (Simulation { watch: Watch::Events, records: true, most_steps, ..simulation }).run() else {
        return Ok(());
    };
    write_events(&directory.join(format!("{name}.ndjson")), &report.events)?;
    let Some(schedule) = report.schedule else { return Ok(()) };
    schedule.write(BufWriter::new(File::create(directory.join(format!("{name}.schedule")))?))?;
    Ok(())
}
