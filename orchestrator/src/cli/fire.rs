//! `interlock fire`: every algorithm in thousands of random runs.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};

use super::{COULD_NOT, FAILED, OK, USAGE};
use crate::fire::{Candidate, Tried, candidates, try_seeds};
use crate::nearest::did_you_mean;

/// What is tried, and how often.
#[derive(Debug, Args)]
pub struct FireOptions {
    /// Which algorithms [default: all], or one variant: lamport/no-ack
    #[arg(value_name = "ALGORITHM[/VARIANT]")]
    names: Vec<String>,
    /// How many random runs of each variant
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,
    /// The seed of the first run
    #[arg(long, default_value_t = 1)]
    first_seed: u64,
    /// How to write it
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people, row by row as they come
    Table,
    /// For scripts, when all is done
    Json,
}

/// Tries what was asked for.
pub fn run(options: &FireOptions) -> ExitCode {
    let chosen = match choose(&options.names) {
        Ok(chosen) => chosen,
        Err(unknown) => {
            eprintln!("interlock: {unknown}");
            return ExitCode::from(USAGE);
        }
    };
    match try_all(&chosen, options, &mut io::stdout()) {
        Ok(all) if all.iter().all(Tried::is_as_expected) => ExitCode::from(OK),
        Ok(_) => ExitCode::from(FAILED),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::from(OK),
        Err(error) => {
            eprintln!("interlock: what was found cannot be written: {error}");
            ExitCode::from(COULD_NOT)
        }
    }
}

/// The variants of these names.
fn choose(names: &[String]) -> Result<Vec<Candidate>, String> {
    if names.is_empty() {
        return Ok(candidates().collect());
    }
    let mut chosen = Vec::new();
    for name in names {
        let (algorithm, variant) = name.split_once('/').map_or((name.as_str(), None), |(one, two)| (one, Some(two)));
        let before = chosen.len();
        chosen.extend(candidates().filter(|candidate| {
            candidate.entry.name == algorithm && variant.is_none_or(|variant| candidate.variant.name == variant)
        }));
        if chosen.len() == before {
            let all = candidates().map(|candidate| format!("{}/{}", candidate.entry.name, candidate.variant.name));
            let all: Vec<String> = all.collect();
            let meant = did_you_mean(name, all.iter().map(String::as_str));
            return Err(format!("there is no `{name}` to try{meant}; `interlock algorithms` lists what there is"));
        }
    }
    Ok(chosen)
}

fn try_all(chosen: &[Candidate], options: &FireOptions, out: &mut impl Write) -> io::Result<Vec<Tried>> {
    let bar = progress(options.seeds);
    let mut all = Vec::new();
    if options.format == Format::Table {
        writeln!(out, "{:<38} {:>8} {:>9} {:>11}  what came of it", "variant", "seeds", "entries", "messages")?;
    }
    for &candidate in chosen {
        bar.set_position(0);
        bar.set_message(format!("{}/{}", candidate.entry.name, candidate.variant.name));
        let tried = try_seeds(candidate, options.first_seed, options.seeds, &|| bar.inc(1));
        if options.format == Format::Table {
            bar.suspend(|| row(out, &tried))?;
        }
        all.push(tried);
    }
    bar.finish_and_clear();
    if options.format == Format::Json {
        serde_json::to_writer_pretty(&mut *out, &all)?;
        writeln!(out)?;
    }
    Ok(all)
}

fn row(out: &mut impl Write, tried: &Tried) -> io::Result<()> {
    let Tried { algorithm, variant, seeds, entries, messages, .. } = tried;
    let verdict = match (tried.broken, tried.caught_by, &tried.because) {
        (None, None, _) => "kept every rule".to_owned(),
        (Some(_), None, _) => "WRONG, AND NOT CAUGHT".to_owned(),
        (None, Some(seed), because) => format!("BROKE A RULE with seed {seed}: {}", because.as_deref().unwrap_or("")),
        (Some(_), Some(seed), because) => format!("caught by seed {seed}: {}", because.as_deref().unwrap_or("")),
    };
    writeln!(out, "{:<38} {seeds:>8} {entries:>9} {messages:>11}  {verdict}", format!("{algorithm}/{variant}"))
}

/// A bar on standard error; hidden where that is no terminal.
fn progress(length: u64) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len}  {elapsed}  {msg}");
    ProgressBar::new(length).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
