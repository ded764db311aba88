//! Schedules with names: the counterexamples of the claims. A schedule is not stored, but searched for again.

use std::io;
use std::path::Path;

use interlock_evidence::claims::counterexample;
use interlock_simulation::schedule::Schedule;

use super::super::refusal::Refusal;

/// Searches for the counterexample `name`, and returns its schedule. If no counterexample has this name, returns
/// none.
pub fn named(name: &Path) -> Option<Result<Schedule, Refusal>> {
    let counterexample = counterexample(name.to_str()?)?;
    eprintln!("{}: {}", counterexample.name, counterexample.in_words());
    Some(counterexample.find().map(|(_, schedule)| schedule).map_err(|why| Refusal::NotFound(why.to_string())))
}

/// Returns the error for a word that means neither a file nor a named schedule nor a run.
pub fn no_such(cause: &io::Error) -> String {
    format!(
        "{cause}; this is not the name of a schedule (`interlock claims --list`) or the id of a run either; for a run, \
         write its id, or `latest` for the newest"
    )
}
