//! `interlock export`: what happened in a run of the open playground, as a file for other tools.

use std::fs::File;
use std::io::BufWriter;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};

use super::playground::{Address, Api, AskError, ended};
use super::terminal;

#[derive(Debug, Args)]
#[command(
    after_help = "Exit code: 0 it is written, 2 there is no such run, 3 it cannot be had as a whole or not be written, \
                        or no playground answers."
)]
pub struct ExportOptions {
    /// Which playground is asked
    #[command(flatten)]
    address: Address,
    /// The run: by its id, by its name if no other has it, or as `latest`
    #[arg(value_name = "RUN")]
    run: String,
    /// In which form
    #[arg(long, value_enum, value_name = "FORM")]
    to: Form,
    /// Where it is written [default: standard output]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Form {
    /// The events, one a line, as JSON: what `interlock --load` reads
    Ndjson,
    /// The events as a table
    Csv,
    /// A sentence for each step, with its reason and the state before and after
    Story,
    /// A log for `ShiViz`, with vector clocks
    Shiviz,
    /// The states, for the viewers of Apalache and Quint
    Itf,
    /// Slices and arrows for Perfetto (ui.perfetto.dev), as the trace events of Chrome
    Perfetto,
    /// A space-time diagram
    Svg,
}

impl Form {
    /// What is read of a run, with which query, and as which type.
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

/// Writes what happened so far.
pub fn run(options: &ExportOptions) -> ExitCode {
    ended(export(options))
}

fn export(ExportOptions { address, run, to, output }: &ExportOptions) -> Result<(), AskError> {
    let api = Api::at(&address.playground)?;
    let (part, query, accept) = to.source();
    let path = ["runs", run, part];
    match output {
        // What was there before stays if nothing comes in its place.
        Some(file) => api.copy(
            (&path, query, accept),
            || File::create(file).map(BufWriter::new),
            |cause| AskError::File { file: file.clone(), cause },
        ),
        None => api.copy((&path, query, accept), || Ok(BufWriter::new(terminal::document())), AskError::Output),
    }
}
