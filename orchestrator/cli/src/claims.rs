//! `interlock claims`: tests what the sources claim about the algorithms, by running each claim now.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;

use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use tokio::runtime::Builder;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::oneshot;

use super::terminal::{PipeTolerant, fail};
use super::{COULD_NOT, FAILED, OK, UNDECIDED, USAGE};
use interlock_evidence::claims::live::Playground;
use interlock_evidence::claims::{self, Claim, Ending, Examined, How, Showing, Table, Verdict};
use interlock_orchestrator::supervisor::raise_descriptor_limit;

/// Meanings of the exit codes.
const EXIT_CODES: &str = "Exit codes:
  0  all claims hold
  1  a claim does not hold
  2  there is no such claim
  3  a check could not be executed
  4  the command was interrupted";

/// Which claims to check, and in which format to print the results.
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub struct ClaimsOptions {
    /// Claims, such as LAM-1, or LAM for all claims about Lamport's algorithm [default: all]
    #[arg(value_name = "ID")]
    ids: Vec<String>,
    /// Source whose claims to check, such as `logische-zeit` (see `GET /claims`) [default: all]
    #[arg(long, value_name = "NAME")]
    source: Option<String>,
    /// Kinds of checks: live processes, simulation, exploration, properties [default: all]
    #[arg(long, value_enum, value_delimiter = ',', ignore_case = true)]
    how: Vec<How>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// List the shortest schedules that violate a property, for `interlock replay NAME`, and check nothing
    #[arg(long, conflicts_with_all = ["ids", "source", "how", "format"])]
    list: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Table for people, each row as soon as its check ends
    Table,
    /// JSON for scripts, printed after the last check
    Json,
}

type Chosen = Vec<(&'static Claim, &'static Showing)>;

/// Checks the selected claims.
pub fn run(options: &ClaimsOptions) -> ExitCode {
    if options.list {
        return match list(&mut PipeTolerant(io::stdout().lock())) {
            Ok(()) => ExitCode::from(OK),
            Err(error) => fail(&error, COULD_NOT),
        };
    }
    let chosen = match claims::select(&options.ids, options.source.as_deref(), &options.how) {
        Ok(chosen) => chosen,
        Err(error) => return fail(&error, USAGE),
    };
    let prepared = raise_descriptor_limit().and_then(|_| std::env::current_exe());
    match prepared.and_then(|program| show(chosen, program, options.format)) {
        Ok(code) => ExitCode::from(code),
        Err(error) => fail(&error, COULD_NOT),
    }
}

/// Lists the schedules that have names, each with its claim and the configuration in which it was found.
fn list(out: &mut impl Write) -> io::Result<()> {
    let mut told = "";
    for counterexample in claims::counterexamples() {
        let claim = counterexample.claim;
        if std::mem::replace(&mut told, claim.id) != claim.id {
            writeln!(out, "{}: {}", claim.id, claim.says())?;
        }
        let rule = counterexample.property.map_or("negative control:", |property| property.name());
        writeln!(out, "  {:<8}  {rule} {}", counterexample.name, counterexample.in_words())?;
    }
    Ok(())
}

/// Runs the checks on a separate thread, so that the calling thread can react immediately if the user interrupts the
/// command.
fn show(chosen: Chosen, program: PathBuf, format: Format) -> io::Result<u8> {
    let playground = Arc::new(Playground::new(program, vec!["node".into()]));
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let (done, over) = oneshot::channel();
    let interrupted = runtime.block_on(async {
        let mut interrupt = signal(SignalKind::interrupt())?;
        let mut terminate = signal(SignalKind::terminate())?;
        let shared = Arc::clone(&playground);
        thread::Builder::new().name("claims".into()).spawn(move || {
            // After an interruption, the receiver no longer exists, and sending fails. The result is no longer
            // needed then.
            drop(done.send(examine_all(&chosen, &shared, format, &mut PipeTolerant(io::stdout()))));
        })?;
        tokio::select! {
            code = over => code.map_err(io::Error::other)?.map(Some),
            _ = interrupt.recv() => Ok(None),
            _ = terminate.recv() => Ok(None),
        }
    });
    playground.close();
    match interrupted? {
        Some(code) => Ok(code),
        // The checks are still running on their thread, which ends with this process.
        None => std::process::exit(UNDECIDED.into()),
    }
}

/// Runs the checks one after the other, prints the results and returns the exit code.
fn examine_all(chosen: &Chosen, playground: &Playground, format: Format, out: &mut impl Write) -> io::Result<u8> {
    let bar = progress(chosen.len());
    let mut verdicts = Vec::new();
    let mut rows = Rows::new(format);
    for (claim, showing) in chosen {
        bar.set_message(format!("{} by {}", claim.id, showing.how.letter()));
        let examined = claims::examine(claim, showing, playground);
        verdicts.push(examined.verdict);
        bar.inc(1);
        bar.suspend(|| rows.take(examined, out))?;
    }
    bar.finish_and_clear();
    rows.end(out)?;
    if format == Format::Table {
        eprintln!("{}", summary(&verdicts));
    }
    Ok(match claims::ending(&verdicts) {
        Ending::AllHold => OK,
        Ending::SomethingFails => FAILED,
        Ending::SomethingCouldNotRun => COULD_NOT,
    })
}

/// Returns a progress bar on standard error. If standard error is not a terminal, the bar is hidden.
fn progress(length: usize) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len}  {elapsed}  {msg}");
    ProgressBar::new(length as u64).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

fn summary(verdicts: &[Verdict]) -> String {
    let all = [Verdict::Holds, Verdict::Fails, Verdict::CouldNotRun];
    let counts = all.map(|kind| (kind, verdicts.iter().filter(|verdict| **verdict == kind).count()));
    let told: Vec<_> = counts.iter().filter(|(_, count)| *count > 0).collect();
    told.iter().map(|(kind, count)| format!("{count} {}", kind.words())).collect::<Vec<_>>().join(", ")
}

/// Writer of the results to standard output, in the selected format.
enum Rows {
    /// Table: each row is printed as soon as its check ends. The flag is true once the head of the table has been
    /// printed.
    Table(Table, bool),
    /// JSON: the results so far, which are printed after the last check.
    Json(Vec<Examined>),
}

impl Rows {
    fn new(format: Format) -> Self {
        match format {
            Format::Table => Self::Table(Table::default(), false),
            Format::Json => Self::Json(Vec::new()),
        }
    }

    fn take(&mut self, examined: Examined, out: &mut impl Write) -> io::Result<()> {
        match self {
            Self::Table(table, begun) => {
                if !std::mem::replace(begun, true) {
                    table.head(out)?;
                }
                table.row(out, &examined)?;
                out.flush()
            }
            Self::Json(all) => {
                all.push(examined);
                Ok(())
            }
        }
    }

    fn end(self, out: &mut impl Write) -> io::Result<()> {
        let Self::Json(all) = self else { return Ok(()) };
        serde_json::to_writer_pretty(&mut *out, &all)?;
        writeln!(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use interlock_evidence::claims::{CouldNotRun, Finding};

    static TRUE: Showing = Showing::of(How::Property, || Ok(found(true)));
    static FALSE: Showing = Showing::of(How::Property, || Ok(found(false)));
    static BROKEN_OFF: Showing = Showing::of(How::Property, || Err(CouldNotRun::because("no process")));
    static CLAIM: Claim = Claim { id: "ONE-1", showings: &[] };

    fn found(holds: bool) -> Finding {
        Finding { expected: "one".into(), measured: "one or two".into(), holds }
    }

    fn code(showings: &[&'static Showing], format: Format) -> (u8, String) {
        let chosen: Chosen = showings.iter().map(|showing| (&CLAIM, *showing)).collect();
        let playground = Playground::new("nothing".into(), Vec::new());
        let mut out = Vec::new();
        let code = examine_all(&chosen, &playground, format, &mut out).expect("it is written");
        (code, String::from_utf8(out).expect("text"))
    }

    #[test]
    fn the_code_says_how_it_ended() {
        for (showings, expected) in [(&[&TRUE][..], 0), (&[&TRUE, &FALSE, &BROKEN_OFF], 1), (&[&TRUE, &BROKEN_OFF], 3)]
        {
            for format in [Format::Table, Format::Json] {
                assert_eq!(code(showings, format).0, expected, "{showings:?}");
            }
        }
    }

    #[test]
    fn what_failed_is_written_down() {
        let (_, table) = code(&[&FALSE, &BROKEN_OFF], Format::Table);
        assert!(table.contains("fails") && table.contains("one or two") && table.contains("no process"), "{table}");
        let (_, json) = code(&[&FALSE, &TRUE], Format::Json);
        let all: Vec<serde_json::Value> = serde_json::from_str(&json).expect("JSON");
        assert_eq!((&all[0]["verdict"], &all[1]["verdict"]), (&"fails".into(), &"holds".into()), "{json}");
    }
}
