//! Schedules of the runs in the open playground.

use std::io;
use std::path::Path;

use reqwest::Url;
use uuid::Uuid;

use crate::playground::{Api, AskError};
use crate::simulate::refusal::Refusal;

/// Word that stands for the newest run.
const LATEST: &str = "latest";

/// Returns the schedule of a run in the open playground so far, as JSON text. If the word is neither the id of a run
/// nor `latest`, returns none.
pub fn lived(word: &Path, playground: &Url) -> Option<Result<String, Refusal>> {
    let run = word.to_str().filter(|run| *run == LATEST || run.parse::<Uuid>().is_ok())?;
    let refuse = |why: String| Refusal::File { flag: "reading", file: word.to_owned(), cause: io::Error::other(why) };
    let asked = Api::at(playground).and_then(|api| api.text(&["runs", run, "schedule"], &[]));
    Some(asked.map_err(|error| refuse(why_not(&error))))
}

/// Returns the reason why the schedule cannot be read. If no playground answers, the user may not have meant a
/// run, so the text also lists the other words that the command accepts.
fn why_not(error: &AskError) -> String {
    match error {
        AskError::NoAnswer { .. } => format!(
            "{error}; expected a file, the name of a schedule that violates a property (`interlock claims --list`), or \
             a run of an open playground"
        ),
        error => error.to_string(),
    }
}
