//! `interlock explore`: tries all schedules of a small run, and prints the shortest that violates a property.

mod options;
mod table;
mod watch;

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;

use interlock_exploration::{Bypass, Exploration, ExplorationDocument, Explored, Measured, Progress, Verdict};
use interlock_model::field_error::FieldError;
use interlock_model::specification::Specification;
use interlock_observation::trace::{Form, Story, Told};
use interlock_simulation::schedule::{Repeat, Schedule};
use interlock_simulation::simulation::{Report, Simulation};
use serde::Serialize;

use super::{COULD_NOT, FAILED, OK, UNDECIDED, USAGE, terminal};
pub use options::ExploreOptions;
use options::Format;
use watch::Watch;

/// Exit code and error message if the exploration or its output failed.
type Refusal = (u8, String);

/// Explores the schedules of the run, and prints the result.
pub fn run(options: &ExploreOptions) -> ExitCode {
    explore(options).map_or_else(|(code, why)| terminal::fail(&why, code), ExitCode::from)
}

fn explore(options: &ExploreOptions) -> Result<u8, Refusal> {
    let draft = options.draft();
    let limits = draft.limits();
    let exploration = draft.complete().map_err(|errors| (USAGE, in_words(errors)))?;
    let mut watch = Watch::begin(limits);
    let explored = exploration.run(|progress| watch.goes_on(progress));
    let why = watch.end();
    let explored = explored.map_err(|refusal| (USAGE, refusal.to_string()))?;
    let replayed = match &explored.verdict {
        Verdict::Violated { schedule, .. } => Some(replay(schedule)?),
        Verdict::Holds | Verdict::Shown { .. } | Verdict::Unfinished => None,
    };
    let kept = options.save.as_deref().map_or(Ok(()), |file| keep(&explored.verdict, file));
    let told = match options.format {
        Format::Text => text(&exploration, &explored, replayed.as_ref(), why.as_deref()),
        Format::Json => json(&exploration, &explored, replayed.as_ref(), why.as_deref()),
    };
    match told {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err((COULD_NOT, format!("cannot write to standard output: {error}")))
        }
        _ => kept.map(|()| code(&explored.verdict)),
    }
}

/// If the exploration found a schedule that violates a property, saves this schedule to a file. Returns an error
/// if the violation cannot be expressed as a schedule.
fn keep(verdict: &Verdict, file: &Path) -> Result<(), Refusal> {
    let refuse = |why: &dyn std::fmt::Display| (COULD_NOT, format!("--save {}: {why}", file.display()));
    match verdict {
        Verdict::Violated { schedule, .. } => {
            let written = File::create(file).and_then(|file| Ok(schedule.write(BufWriter::new(file))?));
            written.map_err(|error| refuse(&error))
        }
        Verdict::Shown { .. } => Err(refuse(&"no schedule can express this run, so nothing was saved")),
        Verdict::Holds | Verdict::Unfinished => Ok(()),
    }
}

const fn code(verdict: &Verdict) -> u8 {
    match verdict {
        Verdict::Holds => OK,
        Verdict::Violated { .. } | Verdict::Shown { .. } => FAILED,
        Verdict::Unfinished => UNDECIDED,
    }
}

/// Returns the errors in the options as text, each on its own line.
fn in_words(errors: Vec<FieldError>) -> String {
    let phrase = |error: FieldError| {
        let place = error.pointer.trim_start_matches("/specification").trim_start_matches('/').to_owned();
        format!("{place}: {}", error.sentence())
    };
    errors.into_iter().map(phrase).collect::<Vec<_>>().join("\n")
}

/// Replays the counterexample in the simulation, where the monitors check it. If the last actions of a
/// counterexample repeat forever, the replay executes these actions once.
fn replay(schedule: &Schedule) -> Result<Report, Refusal> {
    let played = Simulation::of_schedule(schedule).replay(schedule);
    let played = played.map_err(|refusal| (COULD_NOT, refusal.to_string()))?;
    played.map_err(|misplaced| (COULD_NOT, format!("cannot replay the schedule that was found: {misplaced}")))
}

fn text(
    exploration: &Exploration,
    explored: &Explored,
    replayed: Option<&Report>,
    cut: Option<&str>,
) -> io::Result<()> {
    let mut out = terminal::text();
    let Specification { algorithm, variant, nodes, .. } = &exploration.specification;
    let Progress { states, transitions, depth, .. } = explored.progress;
    writeln!(out, "{algorithm}/{variant}, {nodes} nodes: {}", exploration.environment.in_words())?;
    let looked_at = format!("{states} states, {transitions} transitions, {depth} deep");
    match &explored.verdict {
        Verdict::Holds => {
            writeln!(out, "holds in this configuration: all schedules were tried ({looked_at})")?;
            exploration.properties.iter().try_for_each(|property| writeln!(out, "  {}", property.sentence()))?;
            let Measured { stabilisation, bypass } = explored.measured;
            stabilisation.iter().try_for_each(|stabilisation| table::tell(stabilisation, &mut out))?;
            bypass.map_or(Ok(()), |Bypass { since_arrival, since_request }| {
                writeln!(
                    out,
                    "bypass: at most {since_arrival} entries of others after a request has arrived, {since_request} \
                     after it was made"
                )
            })
        }
        Verdict::Unfinished => {
            let why = explored.unfinished(cut);
            writeln!(out, "unfinished: {why} ({looked_at}); no violation in the states visited")
        }
        Verdict::Violated { property, schedule } => {
            let length = length(schedule);
            writeln!(out, "violated: {} ({looked_at}); expected: {}", property.name(), property.sentence())?;
            let which = if explored.is_shortest { "the shortest schedule" } else { "a schedule" };
            writeln!(out, "{which} has {length}, with this result:")?;
            replayed.map_or(Ok(()), |report| Form::Story.write(&report.events, &mut out))
        }
        Verdict::Shown { property, table } => {
            writeln!(out, "violated: {} ({looked_at}); expected: {}", property.name(), property.sentence())?;
            table::write(table, &mut out)
        }
    }
}

/// Describes the length of a schedule in words.
fn length(schedule: &Schedule) -> String {
    let choices = schedule.choices.len();
    match schedule.repeat {
        Some(Repeat { from, .. }) => format!("{from} actions and then {} that repeat forever", choices - from),
        None => format!("{choices} actions"),
    }
}

fn json(
    exploration: &Exploration,
    explored: &Explored,
    replayed: Option<&Report>,
    cut: Option<&str>,
) -> io::Result<()> {
    #[derive(Serialize)]
    struct Document {
        #[serde(flatten)]
        exploration: ExplorationDocument,
        story: Option<Vec<Told>>,
    }
    let exploration = ExplorationDocument::of(exploration, explored, cut);
    let document = Document { exploration, story: replayed.map(|report| Story::default().tell(&report.events)) };
    let mut out = terminal::json();
    serde_json::to_writer_pretty(&mut out, &document)?;
    writeln!(out)
}
