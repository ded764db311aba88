//! `interlock ps`: lists the runs of the open playground.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use interlock_observation::trace::words::on_one_line;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use textwrap::core::display_width;
use uuid::Uuid;

use super::age::ago;
use super::playground::{Address, Api, AskError, RunSummary, Specified, ended};
use super::terminal::{self, clipped};

/// Heads of the columns that every terminal shows. A wide terminal also shows the id and the algorithm.
const NARROW: [&str; 6] = ["name", "nodes", "status", "verdict", "entries", "begun"];
/// Heads of the columns that contain numbers.
const FIGURES: [&str; 2] = ["nodes", "entries"];
/// Minimum width of a clipped name, in columns of the terminal.
const SHORTEST_NAME: usize = 8;

/// Meanings of the exit codes.
const EXIT_CODES: &str = "A run that cannot be read is listed as well; standard error says why.

Exit codes:
  0  the runs are listed
  3  no playground answers";

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub struct PsOptions {
    /// Address of the playground
    #[command(flatten)]
    address: Address,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Table for people, as wide as the terminal
    Table,
    /// JSON for scripts
    Json,
}

/// A run in the list of the command.
#[derive(Clone, Debug, Serialize)]
struct Listed {
    id: Uuid,
    name: String,
    algorithm: String,
    variant: String,
    nodes: u32,
    /// Status of the run.
    status: String,
    /// Verdict of the monitors; none if the events of the run cannot be read.
    verdict: Option<String>,
    /// Number of entries into critical sections; none if the events of the run cannot be read.
    entries: Option<u64>,
    /// Time at which the run was created or loaded.
    created_at: Timestamp,
}

/// The part of a run's state that this command reads.
#[derive(Deserialize)]
struct State {
    locks: Vec<Lock>,
    verdict: Verdict,
}

#[derive(Deserialize)]
struct Lock {
    entries: u64,
}

#[derive(Deserialize)]
struct Verdict {
    status: String,
}

/// Lists the runs, the newest first.
pub fn run(options: &PsOptions) -> ExitCode {
    ended(list(options))
}

fn list(PsOptions { address, format }: &PsOptions) -> Result<(), AskError> {
    let api = Api::at(&address.playground)?;
    let mut runs = Vec::new();
    for summary in api.runs()? {
        if summary.verdict.is_some() {
            runs.push(listed(summary));
            continue;
        }
        // The summary has no verdict if the events of the run have not been read yet, or if they cannot be read.
        // In the second case, the request for the state fails with the reason.
        match api.get::<State>(&["runs", &summary.id.to_string(), "state"], &[]) {
            // Another client has deleted the run in the meantime.
            Err(error) if error.is_gone() => {}
            // One unreadable run must not prevent the list of the other runs.
            Err(error @ AskError::Refused(_)) => {
                terminal::complain(&format!("{}: {error}", summary.id));
                runs.push(listed(summary));
            }
            state => runs.push(listed(state?.told_of(summary))),
        }
    }
    let mut out = if *format == Format::Json { terminal::json() } else { terminal::text() };
    match format {
        Format::Json => {
            serde_json::to_writer_pretty(&mut out, &runs).map_err(io::Error::from)?;
            writeln!(out)?;
        }
        Format::Table if runs.is_empty() => {
            writeln!(out, "The playground at {} has no runs.", address.playground)?;
        }
        Format::Table => write!(out, "{}", table(&runs, Timestamp::now(), terminal::width()))?,
    }
    Ok(out.flush()?)
}

impl State {
    /// Returns `summary`, completed with the verdict and the number of entries from the state.
    fn told_of(self, summary: RunSummary) -> RunSummary {
        let entries = self.locks.iter().map(|lock| lock.entries).sum();
        RunSummary { verdict: Some(self.verdict.status), entries: Some(entries), ..summary }
    }
}

fn listed(summary: RunSummary) -> Listed {
    let RunSummary { id, name, status, verdict, entries, created_at, specification } = summary;
    let Specified { algorithm, variant, nodes } = specification;
    Listed { id, name, algorithm, variant, nodes, status, verdict, entries, created_at }
}

impl Listed {
    fn algorithm(&self) -> String {
        on_one_line(&format!("{}/{}", self.algorithm, self.variant))
    }

    /// Returns the cells of the columns in [`NARROW`].
    fn cells(&self, now: Timestamp) -> Vec<String> {
        let begun = ago(now.as_second().saturating_sub(self.created_at.as_second()));
        let unknown = || "–".to_owned();
        let verdict = self.verdict.clone().unwrap_or_else(unknown);
        let entries = self.entries.map_or_else(unknown, |entries| entries.to_string());
        vec![on_one_line(&self.name), self.nodes.to_string(), self.status.clone(), verdict, entries, begun]
    }
}

/// Returns the table with one line for each run. If a line would be wider than the terminal, each run has two lines,
/// with the id and the algorithm in the second line.
fn table(runs: &[Listed], now: Timestamp, width: Option<usize>) -> String {
    let head = ["id", "name", "algorithm"].into_iter().chain(NARROW.into_iter().skip(1)).collect();
    let wide = runs.iter().map(|run| {
        let mut cells = run.cells(now);
        cells.insert(1, run.algorithm());
        cells.insert(0, run.id.to_string());
        cells
    });
    let lines = columns(head, wide.collect());
    match width {
        Some(width) if lines.iter().any(|line| display_width(line) > width) => narrow(runs, now, width),
        _ => lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect(),
    }
}

fn narrow(runs: &[Listed], now: Timestamp, width: usize) -> String {
    let rows = |longest: usize| {
        let clip = |mut cells: Vec<String>| {
            cells[0] = clipped(&cells[0], longest);
            cells
        };
        columns(NARROW.to_vec(), runs.iter().map(|run| clip(run.cells(now))).collect())
    };
    let others = rows(SHORTEST_NAME).iter().map(|line| display_width(line)).max().unwrap_or_default();
    let lines = rows(SHORTEST_NAME + width.saturating_sub(others));
    let seconds = runs.iter().map(|run| format!("  {}  {}", run.id, run.algorithm()));
    // The first line contains the heads of the columns. Only the lines of runs are followed by a second line.
    let below = std::iter::once(None).chain(seconds.map(Some));
    let all = lines.into_iter().zip(below).flat_map(|(line, below)| std::iter::once(line).chain(below));
    all.map(|line| clipped(&line, width) + "\n").collect()
}

/// Returns the lines of a table. The first line contains the heads of the columns.
fn columns(head: Vec<&str>, rows: Vec<Vec<String>>) -> Vec<String> {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    let figures: Vec<usize> = (0..head.len()).filter(|&place| FIGURES.contains(&head[place])).collect();
    table.set_header(head);
    table.add_rows(rows);
    for place in figures {
        if let Some(column) = table.column_mut(place) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    // The table library begins each line with a space.
    table.lines().map(|line| line.strip_prefix(' ').unwrap_or(&line).trim_end().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some() -> Vec<Listed> {
        let named = |name: &str, variant: &str| Listed {
            id: Uuid::nil(),
            name: name.to_owned(),
            algorithm: "ricart-agrawala".to_owned(),
            variant: variant.to_owned(),
            nodes: 5,
            status: "running".to_owned(),
            verdict: Some("waiting-for-you".to_owned()),
            entries: Some(123),
            created_at: Timestamp::UNIX_EPOCH,
        };
        vec![named("demonstration", "original"), named(&"a name, and a long one, ".repeat(10), "roucairol")]
    }

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_second(seconds).expect("a time")
    }

    #[test]
    fn what_fits_is_a_line_for_each_run() {
        let (runs, id) = (&some()[..1], Uuid::nil().to_string());
        for width in [None, Some(200)] {
            let text = table(runs, at(61), width);
            let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
            assert_eq!(
                lines,
                [
                    ["id", "name", "algorithm", "nodes", "status", "verdict", "entries", "begun"].as_slice(),
                    &[
                        &id,
                        "demonstration",
                        "ricart-agrawala/original",
                        "5",
                        "running",
                        "waiting-for-you",
                        "123",
                        "1",
                        "min",
                        "ago"
                    ],
                ]
            );
        }
        assert!(table(&some(), at(0), None).lines().count() == 3, "no terminal is too narrow for a program");
    }

    #[test]
    fn no_line_is_wider_than_the_terminal() {
        for width in [20, 40, 80, 100, 120, 200] {
            let text = table(&some(), at(7_200), Some(width));
            assert!(text.lines().all(|line| display_width(line) <= width), "{width}:\n{text}");
            assert_eq!(text.lines().count(), 5, "{text}");
        }
        let text = table(&some(), at(7_200), Some(80));
        let shown = ["demonstration", "roucairol", "2 h ago", "a name, and", "…"];
        assert!(shown.iter().all(|part| text.contains(part)), "{text}");
        assert!(text.contains(&Uuid::nil().to_string()), "{text}");
    }
}
