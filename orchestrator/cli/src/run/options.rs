//! The words of `interlock run`.

use std::num::ParseIntError;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use interlock_simulation::example::{self, Example};

use crate::node_bounds::NodeBounds;

/// The most runs of one call.
const MOST_RUNS: u64 = 1_000_000;

/// Which scenarios are played, how, and what is written of them.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit code: 0 all was as expected, 1 something was not, 2 a file is no scenario, 3 a run could not be \
                        had or something could not be written, 4 broken off before it was known."
)]
pub struct RunOptions {
    /// The scenarios, YAML or JSON; of a folder all that end in .yaml, .yml or .json, also further down
    #[arg(required_unless_present = "example", value_name = "FILE|FOLDER")]
    pub files: Vec<PathBuf>,
    /// These examples besides (see `interlock examples`)
    #[arg(long, value_name = "NAME", num_args = 1.., value_parser = example::find)]
    pub example: Vec<Example>,
    /// Between live processes: what happens without --simulate, too
    #[arg(long)]
    pub live: bool,
    /// In virtual time
    #[arg(long, conflicts_with = "live")]
    pub simulate: bool,
    /// With each of these seeds: 7, or 1..1000, both included [default: that of the scenario, or one that is drawn]
    #[arg(long, value_name = "A..B", value_parser = seeds)]
    pub seeds: Option<RangeInclusive<u64>>,
    /// How many times each is played
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub repeat: u64,
    /// End with the first that is not as expected
    #[arg(long)]
    pub fail_fast: bool,
    /// Write what came of it for machines that collect tests
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Keep of each run that was not as expected, in a folder of its own: scenario, events, schedule, a space-time diagram,
    /// the metrics, and what came of it
    #[arg(long, value_name = "DIR")]
    pub artifacts: Option<PathBuf>,
    /// Look for a smaller scenario that is not met for the same reason: of each file once, with the first seed with which it
    /// is not; with --simulate only
    #[arg(long)]
    pub shrink: bool,
    /// How little its nodes may do
    #[command(flatten)]
    pub bounds: NodeBounds,
    /// How to write it
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

/// How to write what came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    Text,
    /// For scripts: a document for each run, one a line
    Json,
}

/// Why a text is not a range of seeds.
#[derive(Debug, thiserror::Error)]
enum SeedsError {
    #[error("`{0}` is no seed: write 7, or 1..1000")]
    Malformed(String, #[source] ParseIntError),
    #[error("there is no seed in {0}: the first is the smaller one")]
    Empty(String),
    #[error("these are more than {MOST_RUNS} seeds")]
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
