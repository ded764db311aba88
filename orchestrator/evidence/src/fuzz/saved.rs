//! What was found, kept: the document of the run, as a body of `POST /runs` or for `interlock simulate --specification`,
//! its events, which `interlock --load` shows, and what happened, for `interlock replay`. A variant is tried until the first finding, so there is one of each at
//! most.

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

/// The most steps whose events are kept: of a run that does not end, the beginning.
const MOST_STEPS: u64 = 300_000;
/// How many smaller scenarios are tried.
const MOST_TRIES: usize = 300;

/// The run of this seed, with a name that says whence it comes.
#[must_use]
pub fn body(candidate: Candidate, seed: u64) -> Value {
    let mut body = document(candidate, seed);
    body["name"] = json!(format!("fuzz: {}/{}, seed {seed}", candidate.entry.name, candidate.variant.name));
    body
}

/// Writes the scenario of this seed to `directory`, `ALGORITHM-VARIANT-SEED.scenario.json`, and a smaller one that is not met
/// for the same reason, `ALGORITHM-VARIANT-SEED.shrunk.json`.
///
/// # Errors
/// When a file cannot be written.
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

/// Writes the scenario of a run between processes to `directory`, as [`save_chaos`] does, where the smaller one is of a run in
/// virtual time, if that fails as well; and what happened, `ALGORITHM-VARIANT-SEED.ndjson`.
///
/// # Errors
/// When a file cannot be written.
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

/// How the files of a run are called, before what they end in.
#[must_use]
pub fn name(algorithm: &str, variant: &str, seed: u64) -> String {
    format!("{algorithm}-{variant}-{seed}")
}

/// Writes the run of this seed to `directory`: `ALGORITHM-VARIANT-SEED.json` and, if it can be played,
/// `ALGORITHM-VARIANT-SEED.ndjson` and `ALGORITHM-VARIANT-SEED.schedule`.
///
/// # Errors
/// When a file cannot be written.
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
