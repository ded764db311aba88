//! Writes files about a failed run. The document is a body of `POST /runs` or input of `interlock simulate
//! --specification`. `interlock --load` shows the events, and `interlock replay` plays the schedule. Each variant has
//! at most one failed run, since it is tried only until the first finding.

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

/// Maximum number of steps whose events are kept. In an endless run these are the first steps.
const MOST_STEPS: u64 = 300_000;
/// Maximum number of smaller scenarios that are tried.
const MOST_TRIES: usize = 300;

/// Returns the run of this seed, with a name that states its origin.
#[must_use]
pub fn body(candidate: Candidate, seed: u64) -> Value {
    let mut body = document(candidate, seed);
    body["name"] = json!(format!("fuzz: {}/{}, seed {seed}", candidate.entry.name, candidate.variant.name));
    body
}

/// Writes the scenario of this seed to `directory` as `ALGORITHM-VARIANT-SEED.scenario.json`. Also writes a smaller
/// scenario that fails for the same reason, as `ALGORITHM-VARIANT-SEED.shrunk.json`.
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

/// Writes the scenario of a live run to `directory`, as [`save_chaos`] does, and its events as
/// `ALGORITHM-VARIANT-SEED.ndjson`. The smaller scenario is one in virtual time, if that fails as well.
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

/// Returns the common start of the names of a run's files.
#[must_use]
pub fn name(algorithm: &str, variant: &str, seed: u64) -> String {
    format!("{algorithm}-{variant}-{seed}")
}

/// Writes the run of this seed to `directory` as `ALGORITHM-VARIANT-SEED.json`. If it can be played, also writes
/// `ALGORITHM-VARIANT-SEED.ndjson` and `ALGORITHM-VARIANT-SEED.schedule`.
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
