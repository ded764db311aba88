//! `interlock export`: writes the events of a run of the open playground to a file for other tools.

use std::fs::File;
use std::io::BufWriter;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};

use super::playground::{Address, Api, AskError, ended};
use super::terminal;

/// Meanings of the exit codes.
const EXIT_CODES: &str = "Exit codes:
  0  the export is written
  2  there is no such run
  3  the run cannot be exported completely, the export cannot be written, or no playground answers";

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub struct ExportOptions {
    /// Address of the playground
    #[command(flatten)]
    address: Address,
    /// Run: its id, its name if no other run has that name, or `latest`
    #[arg(value_name = "RUN")]
    run: String,
    /// Output format
    #[arg(long, value_enum, value_name = "FORM")]
    to: Form,
    /// Output file [default: standard output]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Form {
    /// Events as JSON, one a line, which `interlock --load` reads
    Ndjson,
    /// Events as a table
    Csv,
    /// One sentence for each step, with its reason and the state before and after
    Story,
    /// Log for `ShiViz`, with vector clocks
    Shiviz,
    /// States for the viewers of Apalache and Quint
    Itf,
    /// Slices and arrows for Perfetto (ui.perfetto.dev), as Chrome trace events
    Perfetto,
    /// Space-time diagram
    Svg,
}

impl Form {
    /// Returns the subresource of the run that the export requests, the query parameters and the media type.
    const fn source(self) -> (&'static str, &'static [(&'static str, &'static str)], &'static str) {
        match self {
            Self::Ndjson => ("events", &[], "application/x-ndjson"),
            Self::Csv => ("events", &[], "text/csv"),
            Self::Story => ("trace", &[("as", "story")], "*/*"),
            Self::Shiviz => ("trace", &[("as", "shiviz")], "*/*"),
            Self::Itf => ("trace", &[("as", "itf")], "*/*"),
            Self::Perfetto => ("trace", &[("as", "perfetto")], "*/*"),
            Self::Svg => ("trace", &[("as", "svg")], "*/*"),
        }
    }
}

/// Exports the events that the run has recorded so far.
pub fn run(options: &ExportOptions) -> ExitCode {
    ended(export(options))
}

fn export(ExportOptions { address, run, to, output }: &ExportOptions) -> Result<(), AskError> {
    let api = Api::at(&address.playground)?;
    let (part, query, accept) = to.source();
    let path = ["runs", run, part];
    match output {
        // The file is opened only when the response has arrived. If the request fails, an existing file keeps its
        // content.
        Some(file) => api.copy(
            (&path, query, accept),
            || File::create(file).map(BufWriter::new),
            |cause| AskError::File { file: file.clone(), cause },
        ),
        None => api.copy((&path, query, accept), || Ok(BufWriter::new(terminal::document())), AskError::Output),
    }
}
