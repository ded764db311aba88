//! `interlock fuzz`: tests every algorithm in thousands of random runs.

mod live;

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, TryFromFloatSecsError};

use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};

use super::terminal::PipeTolerant;
use super::{COULD_NOT, FAILED, OK, UNDECIDED, USAGE};
use interlock_evidence::fuzz::{Candidate, Drawn, Tried, Verdict, candidates, chaos, saved, try_seeds};
use interlock_machine::quantity::{self, QuantityError};
use interlock_model::nearest::did_you_mean;
use interlock_simulation::matrix::Clock;

/// Meanings of the exit codes.
const EXIT_CODES: &str = "Exit codes:
  0  correct variants violated no property, and faulty variants were caught
  1  a correct variant violated a property or got stuck; with --live also: a run left something behind
  2  there is no such algorithm
  3  a run could not be started, or a file could not be written
  4  a faulty variant was not caught yet (try more seeds), or the command was interrupted";

/// Options of `interlock fuzz`: variants to test, and number of runs.
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub struct FuzzOptions {
    /// Algorithms, or single variants such as lamport/no-ack [default: all]
    #[arg(value_name = "ALGORITHM[/VARIANT]")]
    names: Vec<String>,
    /// Inject random faults, of the kinds that each algorithm with its repair claims to survive
    #[arg(long)]
    chaos: bool,
    /// Run the scenarios of `--chaos` with real processes, in rounds with a new seed each, and check for leftover
    /// resources; if no algorithm is named, only correct variants run
    #[arg(long, requires = "chaos", conflicts_with = "seeds")]
    live: bool,
    /// Duration, such as `5m`; started runs are finished, and there are at least two rounds [default: 30m]
    #[arg(long = "for", value_name = "TIME", requires = "live", value_parser = length)]
    length: Option<Duration>,
    /// Number of random runs of each variant
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,
    /// Seed of the first run
    #[arg(long, default_value_t = 1)]
    first_seed: u64,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// Folder in which to save the first finding of each variant. A finding is saved as the run (for `POST /runs` and
    /// `interlock simulate --specification`), its events (for `interlock --load`) and its schedule (for `interlock
    /// replay`, with `--shrink` to shorten it). With `--chaos` it is saved as its scenario and, if one is found, a
    /// smaller scenario (for `interlock run --simulate`); with `--live` also as its events
    #[arg(long, value_name = "DIR")]
    save: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Table for people, each row as soon as it is complete
    Table,
    /// JSON for scripts, printed after the last run
    Json,
}

/// Error for a text that is not a valid duration of a test.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
enum LengthError {
    #[error(transparent)]
    Quantity(#[from] QuantityError),
    #[error("`{0}` is too long for a test")]
    Range(String, #[source] TryFromFloatSecsError),
}

/// Parses the duration of a test.
fn length(text: &str) -> Result<Duration, LengthError> {
    let quantity::Duration(ms) = text.parse()?;
    let length = Duration::try_from_secs_f64(ms / 1_000.0);
    length.map_err(|cause| LengthError::Range(text.to_owned(), cause))
}

/// Tests the selected variants.
pub fn run(options: &FuzzOptions) -> ExitCode {
    let mut chosen = match choose(&options.names, options.drawn()) {
        Ok(chosen) => chosen,
        Err(unknown) => {
            eprintln!("interlock: {unknown}");
            return ExitCode::from(USAGE);
        }
    };
    if options.live && options.names.is_empty() {
        chosen.retain(|candidate| candidate.variant.broken.is_none());
    }
    let prepared = options.save.as_ref().map_or(Ok(()), fs::create_dir_all);
    let code = prepared.and_then(|()| {
        if options.live {
            return live::run(&chosen, options, &mut PipeTolerant(io::stdout()));
        }
        let all = try_all(&chosen, options, &mut PipeTolerant(io::stdout()))?;
        if let Some(advice) = advice(&all, options.drawn(), options.save.as_deref()) {
            eprintln!("{advice}");
        }
        Ok(code_of_all(all.iter().map(|tried| tried.verdict)))
    });
    match code {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            eprintln!("interlock: cannot run the tests, or cannot write the findings: {error}");
            ExitCode::from(COULD_NOT)
        }
    }
}

/// Returns advice for the user: a command that shrinks the first finding, or that plays the shrunk scenario.
/// Returns none if there is no finding.
fn advice(all: &[Tried], drawn: Drawn, saved: Option<&Path>) -> Option<String> {
    let Tried { algorithm, variant, caught_by, .. } = all.iter().find(|tried| tried.caught_by.is_some())?;
    let name = saved::name(algorithm, variant, (*caught_by)?);
    if drawn == Drawn::Chaos {
        let folder = saved.unwrap_or(Path::new("DIR"));
        let file = folder.join(name).with_added_extension("shrunk.json");
        let how = if saved.is_some() { "" } else { "with --save DIR, " };
        return Some(format!("to play the first finding, shrunk: {how}interlock run {} --simulate", file.display()));
    }
    Some(match saved {
        Some(folder) => {
            let file = folder.join(name).with_added_extension("schedule");
            format!("to shrink the first finding: interlock replay {} --shrink --as story", file.display())
        }
        None => format!(
            "to shrink the first finding: with --save DIR, interlock replay DIR/{name}.schedule --shrink --as story"
        ),
    })
}

/// Returns the exit code of one verdict.
const fn code(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::KeptEveryRule | Verdict::Caught => OK,
        Verdict::BrokeARule => FAILED,
        Verdict::CouldNotRun => COULD_NOT,
        Verdict::NotCaughtYet => UNDECIDED,
    }
}

/// Returns the exit code of the whole command: the lowest code of a verdict other than 0, or 0 if all codes are 0.
fn code_of_all(verdicts: impl Iterator<Item = Verdict>) -> u8 {
    verdicts.map(code).filter(|code| *code != OK).min().unwrap_or(OK)
}

impl FuzzOptions {
    const fn drawn(&self) -> Drawn {
        if self.chaos { Drawn::Chaos } else { Drawn::Run }
    }
}

/// Error for a name that matches no variant.
#[derive(Debug, thiserror::Error)]
#[error("there is no algorithm or variant `{0}` to test{1}; `interlock algorithms` lists all")]
struct UnknownCandidate(String, String);

/// Returns the variants that `names` selects, or all variants if there are no names.
fn choose(names: &[String], drawn: Drawn) -> Result<Vec<Candidate>, UnknownCandidate> {
    let known: Vec<Candidate> = match drawn {
        Drawn::Run => candidates().collect(),
        Drawn::Chaos => chaos::candidates().collect(),
    };
    if names.is_empty() {
        return Ok(known);
    }
    let mut chosen = Vec::new();
    for name in names {
        let (algorithm, variant) = name.split_once('/').map_or((name.as_str(), None), |(one, two)| (one, Some(two)));
        let before = chosen.len();
        chosen.extend(known.iter().copied().filter(|candidate| {
            candidate.entry.name == algorithm && variant.is_none_or(|variant| candidate.variant.name == variant)
        }));
        if chosen.len() == before {
            let all: Vec<String> = known.iter().copied().map(full_name).collect();
            let meant = did_you_mean(name, all.iter().map(String::as_str));
            return Err(UnknownCandidate(name.clone(), meant));
        }
    }
    Ok(chosen)
}

fn try_all(chosen: &[Candidate], options: &FuzzOptions, out: &mut impl Write) -> io::Result<Vec<Tried>> {
    let bar = progress(options.seeds);
    let mut all = Vec::new();
    let names = chosen.iter().map(|candidate| (candidate.entry.name, candidate.variant.name));
    let width = if options.format == Format::Table { heading(out, "seeds", names)? } else { 0 };
    for &candidate in chosen {
        bar.set_position(0);
        bar.set_message(full_name(candidate));
        let tried = try_seeds(candidate, options.drawn(), options.first_seed, options.seeds, &|| bar.inc(1));
        if options.format == Format::Table {
            bar.suspend(|| row(out, width, &tried))?;
        }
        if let (Some(directory), Some(seed)) = (&options.save, tried.caught_by) {
            match options.drawn() {
                Drawn::Run => saved::save(directory, candidate, seed)?,
                Drawn::Chaos => saved::save_chaos(directory, candidate, seed, Clock::Virtual)?,
            }
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

/// Returns the full name of a variant, as the user writes it.
fn full_name(candidate: Candidate) -> String {
    format!("{}/{}", candidate.entry.name, candidate.variant.name)
}

/// Prints the head of the table, and returns the width of the column of names.
fn heading<'a>(out: &mut impl Write, runs: &str, names: impl Iterator<Item = (&'a str, &'a str)>) -> io::Result<usize> {
    let widths = names.map(|(algorithm, variant)| algorithm.len() + 1 + variant.len());
    let width = widths.chain(["variant".len()]).max().unwrap_or(0);
    writeln!(out, "{:<width$} {runs:>8} {:>9} {:>11}  result", "variant", "entries", "messages")?;
    Ok(width)
}

fn row(out: &mut impl Write, width: usize, tried: &Tried) -> io::Result<()> {
    let Tried { algorithm, variant, seeds, entries, messages, .. } = tried;
    let (seed, because) = (tried.caught_by.unwrap_or_default(), tried.because.as_deref().unwrap_or_default());
    let verdict = match tried.verdict {
        Verdict::KeptEveryRule => "no violation".to_owned(),
        Verdict::NotCaughtYet => "not caught yet: try more seeds".to_owned(),
        Verdict::BrokeARule => format!("VIOLATION with seed {seed}: {because}"),
        Verdict::CouldNotRun => format!("COULD NOT RUN with seed {seed}: {because}"),
        Verdict::Caught => format!("caught by seed {seed}: {because}"),
    };
    writeln!(out, "{:<width$} {seeds:>8} {entries:>9} {messages:>11}  {verdict}", format!("{algorithm}/{variant}"))
}

/// Returns a progress bar on standard error. If standard error is not a terminal, the bar is hidden.
fn progress(length: u64) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len}  {elapsed}  {msg}");
    ProgressBar::new(length).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests that the figures in the table are aligned even if the names differ in length.
    #[test]
    fn the_columns_of_all_rows_begin_at_the_same_place() {
        let longest = candidates().max_by_key(|candidate| full_name(*candidate).len()).expect("a variant");
        let shortest = candidates().min_by_key(|candidate| full_name(*candidate).len()).expect("a variant");
        let options = FuzzOptions {
            names: Vec::new(),
            chaos: false,
            live: false,
            length: None,
            seeds: 1,
            first_seed: 1,
            format: Format::Table,
            save: None,
        };
        let mut out = Vec::new();
        try_all(&[longest, shortest], &options, &mut out).expect("written");
        let text = String::from_utf8(out).expect("text");
        let seeds: Vec<&str> = text.lines().map(|line| line[full_name(longest).len()..][..9].trim()).collect();
        assert_eq!(seeds, ["seeds", "1", "1"], "{text}");
    }

    #[test]
    fn it_says_how_a_finding_is_made_short_if_there_is_one() {
        let tried = |name: &str| {
            let chosen = choose(&[name.to_owned()], Drawn::Run).expect("a variant");
            chosen.into_iter().map(|candidate| try_seeds(candidate, Drawn::Run, 1, 50, &|| {})).collect::<Vec<_>>()
        };
        let told = advice(&tried("lamport/no-ack"), Drawn::Run, Some(Path::new("findings"))).expect("a finding");
        assert!(
            told.contains("interlock replay findings/lamport-no-ack-") && told.contains(".schedule --shrink"),
            "{told}"
        );
        assert_eq!(advice(&tried("lamport/explicit-ack"), Drawn::Run, None), None);
    }

    #[test]
    fn a_length_of_time_is_one_that_can_be_waited_for() {
        assert_eq!(length("30m"), Ok(Duration::from_mins(30)));
        assert_eq!(length("250"), Ok(Duration::from_millis(250)));
        for wrong in ["soon", "-1s", "1e300m", "NaN"] {
            assert!(length(wrong).is_err_and(|why| why.to_string().contains(wrong)), "{wrong}");
        }
    }

    #[test]
    fn the_worst_verdict_decides() {
        use Verdict::{BrokeARule, Caught, CouldNotRun, KeptEveryRule, NotCaughtYet};
        let code = |verdicts: &[Verdict]| code_of_all(verdicts.iter().copied());
        assert_eq!(code(&[]), OK);
        assert_eq!(code(&[KeptEveryRule, Caught]), OK);
        assert_eq!(code(&[KeptEveryRule, NotCaughtYet, Caught]), UNDECIDED);
        assert_eq!(code(&[NotCaughtYet, CouldNotRun]), COULD_NOT);
        assert_eq!(code(&[CouldNotRun, BrokeARule, NotCaughtYet]), FAILED);
    }
}
