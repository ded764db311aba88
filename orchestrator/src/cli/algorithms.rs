//! `interlock algorithms`: what there is, what it assumes, what it costs.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use interlock_algorithm::catalogue::{self, Assumptions, Entry};

use super::{COULD_NOT, OK};

#[derive(Debug, Args)]
pub struct AlgorithmsOptions {
    /// How to write it
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// For people
    Table,
    /// For scripts
    Json,
}

/// Writes the catalogue.
pub fn run(options: &AlgorithmsOptions) -> ExitCode {
    let mut out = io::stdout().lock();
    let written = match options.format {
        Format::Table => table(&mut out, catalogue::ENTRIES),
        Format::Json => serde_json::to_writer_pretty(&mut out, catalogue::ENTRIES)
            .map_err(io::Error::from)
            .and_then(|()| writeln!(out)),
    };
    match written {
        Ok(()) => ExitCode::from(OK),
        // Whoever was reading has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::from(OK),
        Err(error) => {
            eprintln!("interlock: the catalogue cannot be written: {error}");
            ExitCode::from(COULD_NOT)
        }
    }
}

fn table(out: &mut impl Write, entries: &[Entry]) -> io::Result<()> {
    for entry in entries {
        let source = entry.source;
        writeln!(out, "{}  ({}, {})", entry.name, source.authors, source.year)?;
        writeln!(out, "  {}", entry.summary)?;
        writeln!(out, "  messages per entry: {}", entry.messages_per_entry)?;
        writeln!(out, "  assumes: {}", assumptions(entry.assumes))?;
        for variant in entry.variants {
            let broken = variant.broken.map(|what| format!("  [broken: {what}]")).unwrap_or_default();
            writeln!(out, "  - {}: {}{broken}", variant.name, variant.summary)?;
        }
        for parameter in entry.parameters {
            writeln!(
                out,
                "  --set {}={}  {} ({})",
                parameter.name, parameter.default, parameter.summary, parameter.range
            )?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn assumptions(assumes: Assumptions) -> String {
    let all = [
        (assumes.fifo, "fifo links"),
        (assumes.no_loss, "no loss"),
        (assumes.no_duplication, "no duplication"),
        (assumes.no_crash, "no crash"),
    ];
    let needed: Vec<_> = all.into_iter().filter(|(needed, _)| *needed).map(|(_, name)| name).collect();
    if needed.is_empty() { "nothing".to_owned() } else { needed.join(", ") }
}
