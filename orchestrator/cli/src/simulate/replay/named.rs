//! Named schedules: the counterexamples of the claims, found again.

use std::io;
use std::path::Path;

use interlock_evidence::claims::counterexample;
use interlock_simulation::schedule::Schedule;

use super::super::refusal::Refusal;

/// Returns the schedule with this name, if there is one.
pub fn named(name: &Path) -> Option<Result<Schedule, Refusal>> {
    let counterexample = counterexample(name.to_str()?)?;
    eprintln!("{}: {}", counterexample.name, counterexample.in_words());
    Some(counterexample.find().map(|(_, schedule)| schedule).map_err(|why| Refusal::NotFound(why.to_string())))
}

/// Returns the error for a name that is neither a file nor a schedule.
pub fn no_such(cause: &io::Error) -> String {
    format!(
        "{cause}; it is not the name of a schedule (`interlock claims --list`) and not a run of a playground: a run \
         has an id, and the newest is `latest`"
    )
}
