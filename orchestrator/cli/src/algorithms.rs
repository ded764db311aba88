//! `interlock algorithms`: lists the algorithms, their assumptions and their costs.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use interlock_algorithm::catalogue::ENTRIES;
use interlock_algorithm::{Assumptions, Entry};

use super::{COULD_NOT, OK};
use interlock_api::catalogue::{Algorithm, in_words};
use interlock_model::nearest::did_you_mean;

/// Meanings of the exit codes.
const EXIT_CODES: &str = "Exit codes:
  0  the algorithms are listed
  2  there is no such algorithm
  3  the list cannot be written";

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub struct AlgorithmsOptions {
    /// Algorithms to list [default: all]
    #[arg(value_name = "NAME", value_parser = entry)]
    names: Vec<&'static Entry>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// Table for people
    Table,
    /// JSON for scripts
    Json,
}

/// Error for a name that is not the name of an algorithm.
#[derive(Clone, Debug, thiserror::Error)]
#[error("there is no such algorithm{meant}; `interlock algorithms` lists all")]
struct UnknownAlgorithm {
    /// A suggestion, or empty.
    meant: String,
}

fn entry(name: &str) -> Result<&'static Entry, UnknownAlgorithm> {
    let meant = || did_you_mean(name, ENTRIES.iter().map(|entry| entry.name));
    ENTRIES.iter().find(|entry| entry.name == name).ok_or_else(|| UnknownAlgorithm { meant: meant() })
}

/// Prints the entries of the algorithms in `names`, or the whole catalogue if there are none.
pub fn run(AlgorithmsOptions { names, format }: &AlgorithmsOptions) -> ExitCode {
    let mut out = io::stdout().lock();
    let chosen: Vec<&Entry> =
        ENTRIES.iter().filter(|entry| names.is_empty() || names.iter().any(|one| one.name == entry.name)).collect();
    let written = match format {
        Format::Table => table(&mut out, &chosen),
        Format::Json => {
            serde_json::to_writer_pretty(&mut out, &chosen.into_iter().map(Algorithm::from).collect::<Vec<_>>())
                .map_err(io::Error::from)
                .and_then(|()| writeln!(out))
        }
    };
    match written {
        Ok(()) => ExitCode::from(OK),
        // The reader of the output, such as `head`, has closed the pipe because it needs no further lines. This is
        // not an error.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::from(OK),
        Err(error) => {
            eprintln!("interlock: cannot write the catalogue: {error}");
            ExitCode::from(COULD_NOT)
        }
    }
}

fn table(out: &mut impl Write, entries: &[&Entry]) -> io::Result<()> {
    for entry in entries {
        let source = entry.source;
        writeln!(out, "{}  ({}, {})", entry.name, source.authors, source.year)?;
        writeln!(out, "  {}", entry.summary)?;
        writeln!(out, "  message kinds: {}", entry.message_kinds.join(", "))?;
        writeln!(out, "  messages per entry: {}", entry.messages_per_entry)?;
        assumptions(out, &entry.assumes)?;
        for variant in entry.variants {
            let broken = variant.broken.map(|what| format!("  [broken: {what}]")).unwrap_or_default();
            writeln!(out, "  - {}: {}{broken}", variant.name, variant.summary)?;
        }
        for parameter in entry.parameters {
            // A default value that is a word, such as `auto`, has no unit.
            let is_quantity = parameter.default.starts_with(|first: char| first.is_ascii_digit());
            writeln!(
                out,
                "  --set {}={}{}  {} ({})",
                parameter.name,
                parameter.default,
                parameter.unit.filter(|_| is_quantity).unwrap_or_default(),
                parameter.summary,
                parameter.range
            )?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// Prints the assumptions of an algorithm, each on its own line.
fn assumptions(out: &mut impl Write, assumes: &Assumptions) -> io::Result<()> {
    let needed = in_words(assumes);
    let (time_outs, facts): (Vec<_>, Vec<_>) = needed.iter().partition(|phrase| phrase.starts_with('`'));
    let facts: Vec<_> = facts.into_iter().map(String::as_str).collect();
    writeln!(out, "  assumes: {}", if facts.is_empty() { "nothing".to_owned() } else { facts.join(", ") })?;
    time_outs.into_iter().try_for_each(|phrase| writeln!(out, "    {phrase}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unit_of_a_parameter_follows_a_number_and_no_word() {
        let mut out = Vec::new();
        table(&mut out, &ENTRIES.iter().collect::<Vec<_>>()).expect("it is written");
        let text = String::from_utf8(out).expect("text");
        assert!(text.contains("  --set answer=50ms  "), "{text}");
        assert!(text.contains("  --set coordinator=auto  "), "{text}");
        assert!(!text.contains("automs"), "{text}");
    }
}
