//! `interlock run`: plays scenarios, live or in virtual time, with a verdict.

mod artifacts;
mod files;
mod junit;
mod live;
mod options;
mod played;
mod shrunk;
mod simulated;
mod told;

use std::collections::BTreeSet;
use std::io::{self, StdoutLock, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use interlock_machine::wire::Confinement;
use interlock_model::field_error::FieldError;
use interlock_model::specification::LARGEST_SEED;
use interlock_simulation::example;
use interlock_simulation::scenario::{Outcome, Scenario, Written};
use uuid::Uuid;

use super::{COULD_NOT, FAILED, OK, UNDECIDED, USAGE, terminal};
use crate::terminal::{PipeTolerant, Visible};
use crate::walls::name_gaps;
use live::Stage;
use options::Format;
pub use options::RunOptions;
use played::{Played, Summary};
use shrunk::Shrunk;
use told::Teller;

/// Number of simulated runs in a batch. The results of a batch are printed when all of its runs have ended.
const AT_ONCE: usize = 64;

/// A scenario from a file, or an example.
struct Named {
    /// Path of the file, as the user wrote it. For an example, the file name that `interlock examples NAME`
    /// suggests.
    file: String,
    /// Arguments of `interlock run` that play this scenario.
    words: String,
    /// Name of the scenario in the output.
    name: String,
    text: String,
    written: Written,
    scenario: Arc<Scenario>,
}

/// Plays scenarios and prints the results.
pub fn run(options: &RunOptions) -> ExitCode {
    play_all(options).map_or_else(|(code, why)| terminal::fail(&why, code), ExitCode::from)
}

/// Plays the scenario in `text` live, with nodes under the given confinement. Returns one sentence for each unmet
/// expectation and each other complaint.
///
/// # Errors
/// If the scenario cannot be played. The error is the exit code and the reason.
pub fn play_live(name: &str, text: String, confinement: Option<Confinement>) -> Result<Vec<String>, (u8, String)> {
    let named = named(name.to_owned(), text, true).map_err(|why| (USAGE, why.join("\n")))?;
    let mut stage = Stage::open(confinement).map_err(|why| (COULD_NOT, why.to_string()))?;
    let played = stage.play(&named, usual_seed(&named));
    stage.close();
    Ok(played.findings.complaints().collect())
}

/// Exit code and error message if the command cannot play the scenarios or save the results.
type Refusal = (u8, String);

fn play_all(options: &RunOptions) -> Result<u8, Refusal> {
    if options.shrink && !options.simulate {
        let why = "cannot shrink live runs: --shrink plays many smaller scenarios in virtual time; add --simulate";
        return Err((USAGE, why.to_owned()));
    }
    let scenarios = read_all(options)?;
    if let Some(folder) = &options.artifacts {
        std::fs::create_dir_all(folder).map_err(|error| could_not(folder, &error))?;
    }
    if !options.simulate && scenarios.iter().any(Named::has_programs) {
        name_gaps(options.bounds.confinement());
    }
    let open = || Stage::open(options.bounds.confinement()).map_err(|why| (COULD_NOT, why.to_string()));
    let mut stage = if options.simulate { None } else { Some(open()?) };
    let mut ledger = Ledger::new(options);
    let mut to_play = scenarios.iter().flat_map(|named| plays(options, named));
    loop {
        let played = match &mut stage {
            Some(stage) => to_play.next().map(|(named, seed)| (named, stage.play(named, seed))).into_iter().collect(),
            None => simulated::all(&to_play.by_ref().take(AT_ONCE).collect::<Vec<_>>()),
        };
        if played.is_empty() || !ledger.take_all(played)? {
            break;
        }
    }
    if let Some(stage) = stage {
        stage.close();
    }
    ledger.conclude()
}

/// Returns one item for each time that the scenario `named` is to be played, with the seed of that run.
fn plays<'a>(options: &RunOptions, named: &'a Named) -> impl Iterator<Item = (&'a Named, u64)> + use<'a> {
    let repeat = options.repeat;
    seeds(options, named).into_iter().flat_map(move |seed| (0..repeat).map(move |_| (named, seed)))
}

fn could_not(what: &Path, error: &io::Error) -> Refusal {
    (COULD_NOT, format!("{}: {error}", what.display()))
}

/// Results of the runs so far. Also prints the results and saves the files about failed runs.
struct Ledger<'a> {
    options: &'a RunOptions,
    teller: Teller<PipeTolerant<Visible<StdoutLock<'static>>>>,
    all: Vec<Summary>,
    worst: Outcome,
    /// Files whose scenarios have been shrunk.
    shrunk: BTreeSet<String>,
}

impl<'a> Ledger<'a> {
    fn new(options: &'a RunOptions) -> Self {
        let out = if options.format == Format::Json { terminal::json() } else { terminal::text() };
        let teller = Teller::new(options.format, !options.simulate, PipeTolerant(out));
        Self { options, teller, all: Vec::new(), worst: Outcome::Met, shrunk: BTreeSet::new() }
    }

    /// Prints the results of the runs in `played`, and saves the files about failed runs. Returns whether to play
    /// further runs.
    fn take_all(&mut self, played: Vec<(&Named, Played)>) -> Result<bool, Refusal> {
        for (named, played) in played {
            self.take(named, &played)?;
            if played.is_interrupted || self.options.fail_fast && played.findings.outcome != Outcome::Met {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn take(&mut self, named: &Named, played: &Played) -> Result<(), Refusal> {
        let folder = self.options.artifacts.as_deref().filter(|_| played.findings.outcome != Outcome::Met);
        let keep =
            |folder| artifacts::keep(folder, self.all.len(), named, played).map_err(|error| could_not(folder, &error));
        let kept = folder.map(keep).transpose()?;
        let shrunk = self.shrunk(named, played);
        if let (Some(folder), Some(text)) = (&kept, shrunk.as_ref().and_then(Shrunk::text)) {
            let file = folder.join("shrunk.json");
            std::fs::write(&file, text).map_err(|error| could_not(&file, &error))?;
        }
        let told = self.teller.tell(named, played, kept.as_deref(), shrunk.as_ref());
        told.map_err(|error| could_not(Path::new("standard output"), &error))?;
        self.worst = self.worst.max(played.findings.outcome);
        self.all.push(played.summary(named));
        Ok(())
    }

    /// If the user has requested shrinking and the run has failed, shrinks the scenario. Each file is shrunk at most
    /// once, after its first failed run.
    fn shrunk(&mut self, named: &Named, played: &Played) -> Option<Shrunk> {
        let fails = self.options.shrink && played.findings.outcome == Outcome::NotMet;
        (fails && self.shrunk.insert(named.file.clone())).then(|| Shrunk::of(named, played.seed))
    }

    fn conclude(mut self) -> Result<u8, Refusal> {
        let told = self.teller.conclude(&self.all, self.options.shrink && self.shrunk.is_empty());
        told.map_err(|error| could_not(Path::new("standard output"), &error))?;
        if let Some(file) = &self.options.junit {
            let document = junit::document(&self.all);
            let written = std::fs::File::create(file).and_then(|mut file| file.write_all(document.as_bytes()));
            written.map_err(|error| could_not(file, &error))?;
        }
        Ok(code(self.worst))
    }
}

/// Reads all scenarios. If any of them contain errors, returns the errors of all files.
fn read_all(options: &RunOptions) -> Result<Vec<Named>, Refusal> {
    let mut read = Vec::new();
    let mut wrong = Vec::new();
    for path in files::of(&options.files).map_err(|why| (COULD_NOT, why.to_string()))? {
        let file = path.display().to_string();
        let text = std::fs::read_to_string(&path).map_err(|error| (COULD_NOT, unreadable(&file, &error)))?;
        match named(file, text, !options.simulate) {
            Ok(named) => read.push(named),
            Err(why) => wrong.extend(why),
        }
    }
    for example in &options.example {
        match named(format!("{}.yaml", example.name), example.text.to_owned(), !options.simulate) {
            Ok(named) => read.push(Named { words: format!("--example {}", example.name), ..named }),
            Err(why) => wrong.extend(why),
        }
    }
    if wrong.is_empty() { Ok(read) } else { Err((USAGE, wrong.join("\n"))) }
}

/// Returns the reason why a file cannot be read. If there is an example with the name of the file, explains how to
/// play this example.
fn unreadable(file: &str, error: &io::Error) -> String {
    let is_example = error.kind() == io::ErrorKind::NotFound && example::find(file).is_ok();
    let meant =
        if is_example { format!("; to play the example of this name, write --example {file}") } else { String::new() };
    format!("{file}: {error}{meant}")
}

fn named(file: String, text: String, live: bool) -> Result<Named, Vec<String>> {
    let written = Written::read(&text).map_err(|malformed| {
        vec![format!("{file}:{}:{}: {}", malformed.place.0, malformed.place.1, malformed.detail)]
    })?;
    let said = |errors: Vec<_>| errors.iter().map(|error| written.said(&file, error)).collect::<Vec<_>>();
    let scenario = Scenario::read(written.value.clone()).map_err(said)?;
    scenario.specification(None, live).map_err(said)?;
    let stem = Path::new(&file).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let name = scenario.run.name.clone().or(stem).unwrap_or_default();
    Ok(Named { words: file.clone(), file, name, text, written, scenario: Arc::new(scenario) })
}

/// Returns the seeds with which a scenario is played. If neither the user nor the scenario gives a seed, draws a
/// seed here, so that the output can contain the drawn seed.
fn seeds(options: &RunOptions, named: &Named) -> Vec<u64> {
    match &options.seeds {
        Some(seeds) => seeds.clone().collect(),
        None => vec![usual_seed(named)],
    }
}

fn usual_seed(named: &Named) -> u64 {
    named.scenario.run.seed.unwrap_or_else(|| Uuid::new_v4().as_u64_pair().0 & LARGEST_SEED)
}

impl Named {
    /// Returns whether at least one of the nodes is a user's own program.
    fn has_programs(&self) -> bool {
        let specification = self.scenario.specification(None, true);
        specification.is_ok_and(|run| run.programs.iter().any(|group| group.command.is_some()))
    }

    /// Formats `errors` as text, each on its own line, with the position of the invalid value in the file.
    fn said(&self, errors: &[FieldError]) -> String {
        errors.iter().map(|error| self.written.said(&self.file, error)).collect::<Vec<_>>().join("\n")
    }
}

const fn code(worst: Outcome) -> u8 {
    match worst {
        Outcome::Met => OK,
        Outcome::NotMet => FAILED,
        Outcome::CouldNotRun => COULD_NOT,
        Outcome::CutShort => UNDECIDED,
    }
}
