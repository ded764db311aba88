//! Options of `interlock run`.

use std::num::ParseIntError;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use interlock_simulation::example::{self, Example};

use crate::node_bounds::NodeBounds;

/// Maximum number of seeds in one command.
const MOST_RUNS: u64 = 1_000_000;

/// Meanings of the exit codes.
const EXIT_CODES: &str = "Exit codes:
  0  everything was as expected
  1  something was not as expected
  2  an option is invalid, or a file is not a valid scenario
  3  a run could not be started, or a result could not be written
  4  a run was cut short before its result was known";

/// Options of `interlock run`.
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub struct RunOptions {
    /// Scenarios in YAML or JSON; a folder stands for all .yaml, .yml and .json files in it and its subfolders
    #[arg(required_unless_present = "example", value_name = "FILE|FOLDER")]
    pub files: Vec<PathBuf>,
    /// Examples to play as well (see `interlock examples`)
    #[arg(long, value_name = "NAME", num_args = 1.., value_parser = example::find)]
    pub example: Vec<Example>,
    /// Play with live processes (the default without --simulate)
    #[arg(long)]
    pub live: bool,
    /// Play in virtual time
    #[arg(long, conflicts_with = "live")]
    pub simulate: bool,
    /// Seeds, such as 7, or 1..1000 with both ends included [default: the scenario's, or a random one]
    #[arg(long, value_name = "A..B", value_parser = seeds)]
    pub seeds: Option<RangeInclusive<u64>>,
    /// Number of times to play each scenario with each seed
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub repeat: u64,
    /// Stop after the first run that is not as expected
    #[arg(long)]
    pub fail_fast: bool,
    /// File for the results as `JUnit` XML, for continuous integration
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Folder for files of each run that was not as expected: scenario, events, schedule, space-time diagram, metrics
    /// and findings
    #[arg(long, value_name = "DIR")]
    pub artifacts: Option<PathBuf>,
    /// Search for a smaller scenario that fails for the same reason. This happens once for each file, with its first
    /// failing seed, and needs --simulate
    #[arg(long)]
    pub shrink: bool,
    /// Bounds of the nodes
    #[command(flatten)]
    pub bounds: NodeBounds,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

/// Output format of the results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Text for people
    Text,
    /// JSON for scripts: one document for each run, one a line
    Json,
}

/// Error for a text that is not a range of seeds.
#[derive(Debug, thiserror::Error)]
enum SeedsError {
    #[error("`{0}` is not a seed; write 7, or 1..1000")]
    Malformed(String, #[source] ParseIntError),
    #[error("`{0}` contains no seed; write the smaller seed first")]
    Empty(String),
    #[error("cannot play so many seeds: the maximum for one command is {MOST_RUNS}")]
    TooMany,
}

fn seeds(text: &str) -> Result<RangeInclusive<u64>, SeedsError> {
    let number = |text: &str| text.trim().parse::<u64>().map_err(|cause| SeedsError::Malformed(text.to_owned(), cause));
    let range = match text.split_once("..") {
        Some((first, last)) => number(first)?..=number(last.trim_start_matches('='))?,
        None => number(text)?..=number(text)?,
    };
    if range.is_empty() {
        return Err(SeedsError::Empty(text.to_owned()));
    }
    if range.end() - range.start() >= MOST_RUNS {
        return Err(SeedsError::TooMany);
    }
    Ok(range)
}
