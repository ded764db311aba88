//! `interlock replay`: a schedule, played.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use interlock_model::field_error::FieldError;
use interlock_model::schedule::ScheduleDraft;
use interlock_model::simulation::Simulation;

use super::options::Format;
use super::plan::unreadable;
use super::refusal::{Misfit, Refusal};
use super::row::{Judgement, Row};
use super::{broken, create, events, write};

/// What is played, and what is written of it.
#[derive(Debug, Args)]
#[command(after_help = "Exit code: 0 all was well, 1 a rule was broken or the run got stuck, 2 the schedule cannot \
                        happen, 3 it could not be read or written.")]
pub struct ReplayOptions {
    /// The schedule, as `interlock simulate --record` writes it or written by hand
    #[arg(value_name = "FILE")]
    pub schedule: PathBuf,
    /// Write the events of the run, as NDJSON
    #[arg(long, value_name = "FILE")]
    pub events: Option<PathBuf>,
    /// How to write what came of it
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub format: Format,
}

/// Plays a schedule and writes what came of it.
pub fn replay(options: &ReplayOptions) -> Result<Judgement, Refusal> {
    let file = options.schedule.display().to_string();
    let refuse = |cause| Refusal::File { flag: "reading", file: options.schedule.clone(), cause };
    let text = fs::read_to_string(&options.schedule).map_err(refuse)?;
    let draft = serde_path_to_error::deserialize(&mut serde_json::Deserializer::from_str(&text));
    let draft: ScheduleDraft = draft.map_err(|why| unreadable(&file, &why))?;
    let schedule = draft.complete().map_err(|errors| misfits(&file, errors))?;
    let events_file = create("--events", options.events.as_ref())?;
    let simulation = Simulation::of_schedule(&schedule);
    let played = simulation.replay(&schedule).map_err(|refusal| Misfit::new(file.clone(), refusal.to_string()))?;
    let report = played.map_err(|misplaced| Misfit::new(file, misplaced.to_string()))?;
    if let Some((file, path)) = events_file {
        events::write(file, &report.events).map_err(|cause| broken("--events", path, cause))?;
    }
    let rows: Vec<Row> = Row::of(&[(&simulation, report)], false).into_iter().collect();
    match write(options.format, &rows) {
        // Whoever was reading has seen enough.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(broken("--format", Path::new("on standard output"), error))
        }
        _ => Ok(rows.iter().map(|row| row.outcome).max().unwrap_or(Judgement::Fine)),
    }
}

fn misfits(file: &str, errors: Vec<FieldError>) -> Refusal {
    let misfit = |error: FieldError| Misfit::at(format!("{file}, at {}", error.pointer), error);
    Refusal::Nonsense(errors.into_iter().map(misfit).collect())
}
