//! `interlock replay`: replays a schedule in the model or with live processes.

mod lecture;
mod live;
mod lived;
mod named;

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use interlock_model::event::Event;
use interlock_model::field_error::FieldError;
use interlock_observation::trace::Form;
use interlock_observation::trace::words::on_one_line;
use interlock_simulation::schedule::{MOST_TIMES, Schedule, ScheduleDraft};
use interlock_simulation::simulation::{Report, Shrunk, Simulation};

use super::options::Format;
use super::plan::document;
use super::refusal::{Misfit, Refusal};
use super::row::{Judgement, Row};
use super::{broken, create, events, write};
use crate::playground::Address;
use crate::terminal;
use lecture::Lecture;
use live::{Live, live};
use lived::lived;
use named::{named, no_such};

/// Meanings of the exit codes.
const EXIT_CODES: &str = "Exit codes:
  0  no violation
  1  a property was violated, or the run got stuck
  2  the schedule is not possible
  3  the schedule cannot be read, or the result cannot be written

Exit codes with --live:
  0  the processes did the same as the model, even if that violated a property
  1  the processes did something else than the model
  2  the schedule is not possible
  3  the processes cannot be started
  4  the command was interrupted";

/// Options of `interlock replay`.
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub struct ReplayOptions {
    /// Schedule to replay: a file, a name or a run. A file is written by `interlock simulate --record`, by `interlock
    /// explore --save` or by you. A name is that of a schedule that violates a property (see `interlock claims
    /// --list`); the command first searches for this schedule. A run of the open playground is given by its id or as
    /// `latest`, and replayed up to its present state
    #[arg(value_name = "FILE|NAME|RUN")]
    pub schedule: PathBuf,
    /// Address of the playground that has the run
    #[command(flatten)]
    pub address: Address,
    /// Replay with live processes, and compare everything they do with the model
    #[arg(long)]
    pub live: bool,
    /// Replay in the model (the default without --live)
    #[arg(long, conflicts_with = "live")]
    pub simulate: bool,
    /// Before the replay, shrink a schedule that violates a property. No single action of the result can be omitted,
    /// but a quite different schedule may be shorter
    #[arg(long)]
    pub shrink: bool,
    /// File for the shrunk schedule
    #[arg(long, value_name = "FILE", requires = "shrink")]
    pub save: Option<PathBuf>,
    /// Wait for Enter before each action, and print its events
    #[arg(long)]
    pub step: bool,
    /// Number of rounds of an endlessly repeated part [default: as the schedule says, or else 20]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_TIMES)))]
    pub rounds: Option<u32>,
    /// File for the events of the run, as NDJSON
    #[arg(long, value_name = "FILE")]
    pub events: Option<PathBuf>,
    /// Print the events in this form instead of the results. story: a sentence for each step with its reason and the
    /// state before and after. events: NDJSON. shiviz: a log for ShiViz. itf: the states for the viewers of Apalache
    /// and Quint. perfetto: slices and arrows for Perfetto. svg: a space-time diagram
    #[arg(long = "as", value_name = "FORM", conflicts_with_all = ["step", "format"])]
    pub form: Option<Form>,
    /// Output format of the results
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub format: Format,
}

/// Replays a schedule and prints the result.
pub fn replay(options: &ReplayOptions) -> Result<Judgement, Refusal> {
    let file = options.schedule.display().to_string();
    let Read { mut schedule, mut repeats } = read(options, &file)?;
    if options.shrink {
        schedule = shrunk(&schedule, &file, options.save.as_ref())?;
        repeats = None;
    }
    let events_file = create("--events", options.events.as_ref())?;
    let save = |told: &[Event]| match events_file {
        Some((file, path)) => events::write(file, told).map_err(|cause| broken("--events", path, cause)),
        None => Ok(()),
    };
    let lecture = options.step.then(Lecture::default);
    if options.live {
        let Live { played, difference, events } = live(schedule, &file, lecture)?;
        save(&events)?;
        if let Some(difference) = difference {
            options.say(&difference);
            return Ok(Judgement::Wrong);
        }
        let (of, told) = (played.schedule.choices.len(), events.len());
        options.tell(&played.simulation, played.report.clone(), &events, repeats)?;
        options.say(&format!("{of} actions, {told} events: the processes did the same as the model"));
        return Ok(Judgement::Fine);
    }
    let simulation = Simulation::of_schedule(&schedule);
    let played = simulation.replay(&schedule).map_err(|refusal| Misfit::new(file.clone(), refusal.to_string()))?;
    let mut report = played.map_err(|misplaced| Misfit::new(file, misplaced.to_string()))?;
    save(&report.events)?;
    if let Some(lecture) = lecture {
        let place = |cause| broken("--step", Path::new("on standard output"), cause);
        lecture.give(&schedule, &report).map_err(place)?;
    }
    let events = std::mem::take(&mut report.events);
    options.tell(&simulation, report, &events, repeats)
}

/// A schedule that was read from a file, found by its name, or requested from a playground.
struct Read {
    /// The schedule, including all repetitions of its actions.
    schedule: Schedule,
    /// If the last actions of the schedule repeat: index of the first of these actions.
    repeats: Option<usize>,
}

fn read(options: &ReplayOptions, file: &str) -> Result<Read, Refusal> {
    let ReplayOptions { schedule: path, address: Address { playground }, rounds, .. } = options;
    let refuse = |cause| Refusal::File { flag: "reading", file: path.clone(), cause };
    let text = match fs::read_to_string(path) {
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => {
            if let Some(schedule) = named(path).transpose()? {
                return Ok(Read { repeats: schedule.repeat.map(|repeat| repeat.from), schedule });
            }
            lived(path, playground).unwrap_or_else(|| Err(refuse(io::Error::other(no_such(&cause)))))?
        }
        read => read.map_err(refuse)?,
    };
    let mut draft = document(file, &text, ScheduleDraft::read)?;
    if rounds.is_some() {
        let Some(repeat) = &mut draft.repeat else {
            let why = "--rounds: no part of this schedule repeats; leave the option out";
            return Err(Misfit::new(file, why.to_owned()).into());
        };
        repeat.times = *rounds;
    }
    let repeats = draft.repeat.map(|repeat| repeat.from);
    draft.complete().map(|schedule| Read { schedule, repeats }).map_err(|errors| misfits(file, "", errors))
}

/// Returns a shorter schedule that violates the same property. If the user has given a file for the shorter
/// schedule, writes it to this file.
fn shrunk(schedule: &Schedule, file: &str, save: Option<&PathBuf>) -> Result<Schedule, Refusal> {
    let save = create("--save", save)?;
    let Shrunk { schedule: short, violation, played } =
        schedule.shrunk().map_err(|why| Misfit::new(file, why.to_string()))?;
    let (before, after) = (schedule.choices.len(), short.choices.len());
    eprintln!(
        "interlock: {before} actions became {after}, which violate {}; {played} schedules tried",
        violation.monitor
    );
    if let Some((file, path)) = save {
        short.write(BufWriter::new(file)).map_err(|cause| broken("--save", path, cause.into()))?;
    }
    Ok(short)
}

impl ReplayOptions {
    /// Prints the results of the run, or its events in the selected form. If the last actions of the schedule
    /// repeat, `repeats` is the index of the first of these actions.
    fn tell(
        &self,
        simulation: &Simulation,
        report: Report,
        events: &[Event],
        repeats: Option<usize>,
    ) -> Result<Judgement, Refusal> {
        let again = repeats.and_then(|place| report.marks.get(place).copied());
        let rows: Vec<Row> = Row::of(&[(simulation, report)], false).into_iter().collect();
        let (flag, written) = match self.form {
            Some(form) => ("--as", trace(form, events, again)),
            None => ("--format", write(self.format, &rows)),
        };
        match written {
            // A broken pipe is not an error: the reader of the output, such as `head`, has closed it because it
            // needs no further lines.
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                Err(broken(flag, Path::new("on standard output"), error))
            }
            _ => Ok(rows.iter().map(|row| row.outcome).max().unwrap_or(Judgement::Fine)),
        }
    }

    /// Prints a line in addition to the results. If a program reads standard output, the line goes to standard
    /// error.
    fn say(&self, what: &impl std::fmt::Display) {
        match (self.form, self.format) {
            // A closed standard output is ignored: the caller still needs the exit code.
            (None, Format::Table) => drop(writeln!(terminal::text(), "{what}")),
            _ => eprintln!("{}", on_one_line(&what.to_string())),
        }
    }
}

fn trace(form: Form, events: &[Event], again: Option<u64>) -> io::Result<()> {
    let mut out = BufWriter::new(terminal::document());
    match again {
        Some(again) => form.write_endless(events, again, &mut out)?,
        None => form.write(events, &mut out)?,
    }
    out.flush()
}

fn misfits(file: &str, below: &str, errors: Vec<FieldError>) -> Refusal {
    let misfit = |error: FieldError| Misfit::at(format!("{file}, at {below}{}", error.pointer), error);
    Refusal::Nonsense(errors.into_iter().map(misfit).collect())
}
