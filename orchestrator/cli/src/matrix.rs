//! `interlock matrix`: prints how each algorithm behaves under each fault, over each channel and with each failure
//! detector.

use std::cmp::{Ordering, Reverse};
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use interlock_model::field_error::FieldErrors;
use interlock_simulation::matrix::{self, CHANNELS, Cell, Contender, FAULTS, Fate, Fault, Row, SEEDS};

use super::contenders::{UnknownRow, named, told};
use super::terminal::fail;
use super::{COULD_NOT, OK, USAGE};

/// Meanings of the exit codes.
const EXIT_CODES: &str = "Exit codes:
  0  the matrix is printed, whatever it shows
  2  there is no such algorithm or fault
  3  a run could not be executed";

/// Which cells to play, and in which format to print them.
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub struct MatrixOptions {
    /// Algorithms, or variants of them, such as lamport or ricart-agrawala/remove-dead [default: all]
    #[arg(value_name = "ALGORITHM[/VARIANT]")]
    rows: Vec<String>,
    /// Channels
    #[arg(long, value_delimiter = ',', value_parser = CHANNELS, default_value = "raw")]
    channel: Vec<String>,
    /// Faults [default: all]
    #[arg(long, value_delimiter = ',', value_parser = fault)]
    fault: Vec<Fault>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// Print the scenario that shows the worst of these cells most clearly, for `interlock run`
    #[arg(long, conflicts_with = "format")]
    example: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Table for people
    Table,
    /// JSON for scripts, with an example of each cell
    Json,
}

/// Error for a word that is not the name of a fault.
#[derive(Debug, thiserror::Error)]
#[error("there is no such fault; possible: {}", FAULTS.map(Fault::name).join(", "))]
struct UnknownFault;

fn fault(name: &str) -> Result<Fault, UnknownFault> {
    FAULTS.into_iter().find(|fault| fault.name() == name).ok_or(UnknownFault)
}

/// Plays the selected cells of the fault matrix, and prints the results.
pub fn run(options: &MatrixOptions) -> ExitCode {
    let chosen = match chosen(options) {
        Ok(chosen) => chosen,
        Err(unknown) => return fail(&unknown, USAGE),
    };
    let faults = if options.fault.is_empty() { FAULTS.to_vec() } else { options.fault.clone() };
    let bar = progress(&chosen, &faults);
    let rows = matrix::play(&chosen, &faults, &|| bar.inc(1));
    bar.finish_and_clear();
    let rows = match rows {
        Ok(rows) => rows,
        Err(errors) => return fail(&FieldErrors(errors), COULD_NOT),
    };
    let mut out = io::stdout().lock();
    let written = match options.format {
        _ if options.example => example(&mut out, &rows),
        Format::Table => table(&mut out, &rows, &faults),
        Format::Json => {
            serde_json::to_writer_pretty(&mut out, &rows).map_err(io::Error::from).and_then(|()| writeln!(out))
        }
    };
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => fail(&error, COULD_NOT),
        _ => ExitCode::from(OK),
    }
}

/// Returns the rows of the matrix that the user has selected.
fn chosen(options: &MatrixOptions) -> Result<Vec<Contender>, UnknownRow> {
    let mut chosen = named(matrix::contenders().collect(), &options.rows, "the matrix")?;
    chosen.retain(|contender| options.channel.iter().any(|channel| channel == contender.channel));
    Ok(chosen)
}

/// Returns a progress bar on standard error. If standard error is not a terminal, the bar is hidden.
fn progress(chosen: &[Contender], faults: &[Fault]) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let of_row = |contender: &Contender| contender.faults().filter(|fault| faults.contains(fault)).count() as u64;
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len}  {elapsed}");
    let bar = ProgressBar::new(chosen.iter().map(of_row).sum());
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// Widths in the printed table, in columns of the terminal: `NAME` of the name of a row, `CELL` of a cell.
const NAME: usize = 24;
const CELL: usize = 7;

/// Prints a table for each channel. In a table, the variants are listed below the name of their algorithm.
fn table(out: &mut impl Write, rows: &[Row], faults: &[Fault]) -> io::Result<()> {
    for channel in CHANNELS {
        let of_channel: Vec<&Row> = rows.iter().filter(|row| row.channel == channel).collect();
        if of_channel.is_empty() {
            continue;
        }
        line(out, &format!("over {channel}"), faults.iter().map(|fault| head(*fault).to_owned()))?;
        for of_algorithm in of_channel.chunk_by(|one, next| one.algorithm == next.algorithm) {
            writeln!(out, "{}", of_algorithm[0].algorithm)?;
            of_algorithm.iter().try_for_each(|row| {
                let cell = |fault: &Fault| row.cells.iter().find(|cell| cell.fault == *fault);
                let words = faults.iter().map(|fault| cell(fault).map_or("–".to_owned(), word));
                line(out, &format!(" {}{}", row.variant, told(row.detector)), words)
            })?;
        }
        writeln!(out)?;
    }
    legend(out, rows, faults)
}

fn line(out: &mut impl Write, name: &str, words: impl Iterator<Item = String>) -> io::Result<()> {
    let cells: Vec<String> = words.map(|word| format!("{word:CELL$}")).collect();
    writeln!(out, "{}", format!("{name:NAME$}{}", cells.concat()).trim_end())
}

/// Returns the head of the column for a fault.
const fn head(fault: Fault) -> &'static str {
    match fault {
        Fault::Nothing => "none",
        Fault::Loss => "loss",
        Fault::Duplication => "twice",
        Fault::Reordering => "order",
        Fault::CrashOfWaiter => "waiter",
        Fault::CrashOfHolder => "holder",
        Fault::CrashOfSpecial => "server",
        Fault::Pause => "pause",
        Fault::RestartWithState => "back",
        Fault::RestartWithoutState => "blank",
        Fault::OneWayPartition => "1way",
        Fault::Partition => "cut",
        Fault::WrongSuspicion => "wrong",
        Fault::Corruption => "corr.",
    }
}

fn word(cell: &Cell) -> String {
    let word = match cell.fate {
        _ if cell.runs == 0 => return "–".to_owned(),
        Fate::SafeAndLive => "live",
        Fate::SafeButStuck => "stuck",
        Fate::Unsafe => "TWO",
    };
    let mark = match cell.fate.cmp(&cell.expected) {
        Ordering::Less => "+",
        Ordering::Equal => "",
        Ordering::Greater => "!",
    };
    format!("{word}{mark}")
}

fn legend(out: &mut impl Write, rows: &[Row], faults: &[Fault]) -> io::Result<()> {
    for fault in faults {
        writeln!(out, "{:<7}  {} ({})", head(*fault), fault.words(), fault.name())?;
    }
    let counts = Fate::ALL.map(|fate| {
        let cells = rows.iter().flat_map(|row| &row.cells);
        format!("{} {}", cells.filter(|cell| cell.runs > 0 && cell.fate == fate).count(), fate.words())
    });
    writeln!(
        out,
        "\nlive: safe and live; stuck: safe, but a process waits forever; TWO: mutual exclusion violated; \
         worst of {SEEDS} runs\n\
         +told: processes are notified of crashes; +beat: heartbeats, and a silent process is suspected\n\
         + better, ! worse than the assumptions of the algorithm imply; – the fault is not possible\n{}",
        counts.join(", ")
    )
}

/// Prints the scenario of the worst cell. If several cells are equally bad, prints the scenario with the fewest
/// events.
fn example(out: &mut impl Write, rows: &[Row]) -> io::Result<()> {
    let cells = rows.iter().flat_map(|row| &row.cells);
    let with_example = cells.filter_map(|cell| Some((cell.fate, cell.example.as_ref()?)));
    let clearest = with_example.max_by_key(|(fate, example)| (*fate, Reverse(example.events)));
    match clearest {
        Some((_, example)) => {
            serde_json::to_writer_pretty(&mut *out, &example.scenario)?;
            writeln!(out)
        }
        None => Err(io::Error::other("cannot write an example: none of these cells has a run")),
    }
}
