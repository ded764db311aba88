//! `interlock why`: explains the waits in a run of the open playground, and which properties were violated.

mod document;
mod told;

use std::collections::BTreeMap;
use std::io::Write;
use std::process::ExitCode;

use clap::Args;
use interlock_model::event::Event;
use serde_json::Value;

use super::playground::{Address, Api, AskError, RunSummary, ended};
use super::terminal::{self, indented, width};
use document::{Items, Message, Violation};
use told::{Read, named};

/// Meanings of the exit codes.
const EXIT_CODES: &str = "Exit codes:
  0  the explanation is printed, whatever the state of the run
  2  there is no such run
  3  no playground answers";

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub struct WhyOptions {
    /// Address of the playground
    #[command(flatten)]
    address: Address,
    /// Run: its id, its name if no other run has that name, or `latest`
    #[arg(value_name = "RUN")]
    run: String,
}

/// Prints the explanation of a run.
pub fn run(options: &WhyOptions) -> ExitCode {
    ended(tell(options))
}

fn tell(WhyOptions { address, run }: &WhyOptions) -> Result<(), AskError> {
    let read = read(&Api::at(&address.playground)?, run)?;
    let (mut out, width) = (terminal::text(), width());
    for (indent, sentence) in read.told() {
        writeln!(out, "{}", indented(&sentence, indent, width))?;
    }
    Ok(out.flush()?)
}

fn read(api: &Api, run: &str) -> Result<Read, AskError> {
    let run: RunSummary = api.get(&["runs", run], &[])?;
    // From here on, the command uses the id. At the next request, `latest` may already mean a newer run.
    let id = run.id.to_string();
    let state = api.get(&["runs", &id, "state"], &[])?;
    let held = match api.get(&["runs", &id, "network", "messages"], &[("status", "held")]) {
        // The playground refuses this request for a finished run. In such a run, no message is held.
        Err(error) if error.is_conflict() => Vec::new(),
        answer => answer.map(|Items::<Message> { items }| items)?,
    };
    let Items::<Violation> { items: violations } = api.get(&["runs", &id, "violations"], &[])?;
    let mut events = BTreeMap::new();
    for seq in violations.iter().flat_map(|violation| named(&violation.events)) {
        if !events.contains_key(&seq)
            && let Some(event) = event(api, &id, seq)?
        {
            events.insert(seq, event);
        }
    }
    Ok(Read { run, state, held, violations, events })
}

/// Returns an event. If the event does not exist, or this version does not know its kind, returns none.
fn event(api: &Api, id: &str, seq: u64) -> Result<Option<Event>, AskError> {
    let (since, until) = (seq.saturating_sub(1).to_string(), seq.to_string());
    let page: Items<Value> = api.get(&["runs", id, "events"], &[("since", &since), ("until", &until)])?;
    Ok(page.items.into_iter().next().and_then(|event| Event::from_json(event.to_string().as_bytes()).ok()))
}
