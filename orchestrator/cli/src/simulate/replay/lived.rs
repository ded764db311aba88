//! Schedules of runs: asked of the playground that is open.

use std::io;
use std::path::Path;

use reqwest::Url;
use uuid::Uuid;

use crate::playground::{Api, AskError};
use crate::simulate::refusal::Refusal;

/// What the newest run is called, besides by its id.
const LATEST: &str = "latest";

/// What has happened in a run of an open playground, as a document; none if the word does not name a run.
pub fn lived(word: &Path, playground: &Url) -> Option<Result<String, Refusal>> {
    let run = word.to_str().filter(|run| *run == LATEST || run.parse::<Uuid>().is_ok())?;
    let refuse = |why: String| Refusal::File { flag: "reading", file: word.to_owned(), cause: io::Error::other(why) };
    let asked = Api::at(playground).and_then(|api| api.text(&["runs", run, "schedule"], &[]));
    Some(asked.map_err(|error| refuse(why_not(&error))))
}

/// Why it cannot be read: where nobody is asked, a run may not be what was meant.
fn why_not(error: &AskError) -> String {
    match error {
        AskError::NoAnswer { .. } => format!(
            "{error}; a file is expected, the name of a schedule that breaks a rule (`interlock claims --list`), or a run \
             of an open playground"
        ),
        error => error.to_string(),
    }
}
