//! Reports about played scenarios, as text or as JSON.

use std::io::{self, Write};
use std::path::Path;

use interlock_model::event::Event;
use interlock_observation::trace::words::{json_on_one_line, on_one_line};
use interlock_observation::trace::{Story, Told};
use interlock_simulation::scenario::Outcome;
use serde_json::json;

use super::Named;
use super::options::Format;
use super::played::{Played, Summary};
use super::shrunk::Shrunk;

/// Maximum number of sentences about the last events of a run that was not as expected.
const MOST_SENTENCES: usize = 12;
/// Maximum number of events from which these sentences are generated.
const MOST_EVENTS: usize = 200;

/// Writer of the reports about runs.
pub struct Teller<W> {
    format: Format,
    /// Whether the runs have live processes.
    live: bool,
    out: W,
}

impl<W: Write> Teller<W> {
    pub const fn new(format: Format, live: bool, out: W) -> Self {
        Self { format, live, out }
    }

    /// Reports one run, the folder in which the files about the run are saved, and the shrunk scenario.
    pub fn tell(
        &mut self,
        named: &Named,
        played: &Played,
        kept: Option<&Path>,
        shrunk: Option<&Shrunk>,
    ) -> io::Result<()> {
        match self.format {
            Format::Json => {
                let mut document = json!({ "file": named.file, "name": named.name, "seed": played.seed,
                    "lasted_ms": played.lasted.as_secs_f64() * 1_000.0, "findings": played.findings,
                    "kept": kept.map(|kept| kept.display().to_string()) });
                if let Some(shrunk) = shrunk {
                    document["shrunk"] = shrunk.document();
                }
                writeln!(self.out, "{document}")?;
            }
            Format::Text => {
                self.text(named, played, kept)?;
                if let Some(shrunk) = shrunk {
                    self.shrunk(shrunk, kept)?;
                }
            }
        }
        self.out.flush()
    }

    fn text(&mut self, named: &Named, played: &Played, kept: Option<&Path>) -> io::Result<()> {
        let (outcome, seconds) = (in_words(played.findings.outcome), played.lasted.as_secs_f64());
        writeln!(self.out, "{outcome:<9} {} (seed {}, {seconds:.1} s)", on_one_line(&named.name), played.seed)?;
        if played.findings.outcome == Outcome::Met {
            return Ok(());
        }
        // Names in scenarios and the output of programs are untrusted, so control characters in them are escaped.
        played.complaints(named).try_for_each(|complaint| writeln!(self.out, "    {}", on_one_line(&complaint)))?;
        if !played.findings.ended.is_empty() {
            let steps = format!("{} of {} steps executed", played.findings.steps, played.findings.of);
            writeln!(self.out, "    {steps}; {}", on_one_line(&played.findings.ended))?;
        }
        if let Some(phenomenon) = &played.findings.phenomenon {
            writeln!(self.out, "    phenomenon: {phenomenon}")?;
        }
        let sentences = story(played);
        if !sentences.is_empty() {
            writeln!(self.out, "    last events:")?;
            sentences.iter().try_for_each(|sentence| writeln!(self.out, "      {sentence}"))?;
        }
        match kept {
            Some(kept) => writeln!(self.out, "    saved in {}", kept.display()),
            None if played.events.is_empty() => Ok(()),
            None => {
                let (words, seed) = (&named.words, played.seed);
                if self.live {
                    // The same seed repeats the random values, but not the speed of the processes, so a live run
                    // may differ.
                    let advice = "keep such a run, and `interlock replay` plays its schedule again";
                    writeln!(self.out, "    {advice}: interlock run {words} --seeds {seed} --artifacts kept")
                } else {
                    writeln!(self.out, "    to play it again: interlock run {words} --simulate --seeds {seed}")
                }
            }
        }
    }

    /// Reports the shrunk scenario. If the files of the run are saved, prints the name of the scenario's file.
    /// Otherwise, prints the scenario itself.
    fn shrunk(&mut self, shrunk: &Shrunk, kept: Option<&Path>) -> io::Result<()> {
        let sentence = shrunk.sentence();
        match (shrunk.text(), kept) {
            (None, _) => writeln!(self.out, "    {sentence}"),
            (Some(_), Some(kept)) => writeln!(self.out, "    {sentence}: {}", kept.join("shrunk.json").display()),
            (Some(text), None) => {
                writeln!(self.out, "    {sentence}:")?;
                text.lines().try_for_each(|line| writeln!(self.out, "      {}", json_on_one_line(line)))
            }
        }
    }

    /// If there was more than one run, reports the totals. If the user requested shrunk scenarios but no scenario
    /// failed, also reports that there is nothing to shrink.
    pub fn conclude(&mut self, all: &[Summary], nothing_to_shrink: bool) -> io::Result<()> {
        if self.format == Format::Json {
            return Ok(());
        }
        if nothing_to_shrink {
            writeln!(self.out, "nothing to shrink: no scenario was NOT MET")?;
        }
        if all.len() < 2 {
            return Ok(());
        }
        let count = |outcome: Outcome| all.iter().filter(|summary| summary.outcome == outcome).count();
        write!(self.out, "{} runs: {} as expected", all.len(), count(Outcome::Met))?;
        for (outcome, words) in [
            (Outcome::NotMet, "not as expected"),
            (Outcome::CutShort, "cut short"),
            (Outcome::CouldNotRun, "could not run"),
        ] {
            match count(outcome) {
                0 => {}
                count => write!(self.out, ", {count} {words}")?,
            }
        }
        writeln!(self.out)
    }
}

const fn in_words(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Met => "met",
        Outcome::NotMet => "NOT MET",
        Outcome::CutShort => "CUT SHORT",
        Outcome::CouldNotRun => "COULD NOT",
    }
}

/// Returns the last steps up to the event that decided an expectation, with one sentence for each step.
fn story(played: &Played) -> Vec<String> {
    let decided =
        played.findings.expectations.iter().filter(|judgement| !judgement.met).flat_map(|judgement| &judgement.events);
    let end = decided.min().copied();
    let is_before = |event: &&Event| end.is_none_or(|end| event.seq <= end);
    let before: Vec<&Event> = played.events.iter().filter(is_before).filter(|event| event.kind() != "ended").collect();
    let last: Vec<Event> =
        before[before.len().saturating_sub(MOST_EVENTS)..].iter().map(|event| (*event).clone()).collect();
    let sentences: Vec<String> =
        Story::default().tell(&last).into_iter().map(|Told { sentence, .. }| sentence).collect();
    sentences[sentences.len().saturating_sub(MOST_SENTENCES)..].to_vec()
}
