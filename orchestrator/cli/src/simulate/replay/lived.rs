//! Schedules of runs: asked of the playground that is open.

use std::error::Error;
use std::io;
use std::path::Path;
use std::time::Duration;

use reqwest::{Client, Url};
use serde_json::Value;
use tokio::runtime::Builder;
use uuid::Uuid;

use crate::simulate::refusal::Refusal;

/// Where a playground is open unless it was told otherwise.
pub const USUAL: &str = "http://127.0.0.1:7700";
/// What the newest run is called, besides by its id.
const LATEST: &str = "latest";
/// How long a playground may take to read a long run.
const PATIENCE: Duration = Duration::from_mins(1);

/// What has happened in a run of an open playground, as a document; none if the word does not name a run.
pub fn lived(word: &Path, playground: &Url) -> Option<Result<String, Refusal>> {
    let run = word.to_str().filter(|run| *run == LATEST || run.parse::<Uuid>().is_ok())?;
    let refuse = |why| Refusal::File { flag: "reading", file: word.to_owned(), cause: io::Error::other(why) };
    let runtime = Builder::new_current_thread().enable_all().build().map_err(Into::into);
    Some(runtime.and_then(|runtime| runtime.block_on(ask(run, playground))).map_err(refuse))
}

async fn ask(run: &str, playground: &Url) -> Result<String, Box<dyn Error + Send + Sync>> {
    let client = Client::builder().no_proxy().timeout(PATIENCE).build()?;
    let answer = client.get(playground.join(&format!("/api/v1/runs/{run}/schedule"))?).send().await;
    let answer = answer.map_err(|error| {
        let why = error.source().map_or_else(|| error.to_string(), ToString::to_string);
        format!(
            "no playground answers at {playground} ({why}); a file is expected, the name of a schedule that breaks a rule \
             (`interlock claims --list`), or a run where a playground is open (--playground)"
        )
    })?;
    let is_there = answer.status().is_success();
    let text = answer.text().await?;
    if is_there { Ok(text) } else { Err(problem(&text).into()) }
}

/// What the playground has against it, in its own words.
fn problem(text: &str) -> String {
    let document: Option<Value> = serde_json::from_str(text).ok();
    let detail = document.as_ref().and_then(|problem| problem["detail"].as_str());
    detail.map_or_else(|| format!("this is no playground: {text}"), ToOwned::to_owned)
}
