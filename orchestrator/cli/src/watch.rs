//! `interlock watch`: prints the events of a run of the open playground while they happen.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use interlock_model::event::{Event, What};
use interlock_observation::monitor;
use interlock_observation::trace::words::{on_one_line, sentence};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::playground::{Address, Api, AskError, ended};
use super::{FAILED, OK, terminal};

/// Kinds of events that are printed only on request: messages, timers, and other details of processes and resources.
const DETAILS: &str = "created,started,initialized,commanded,fired,delivered,taken,suspected,trusted,sent,duplicated,held,\
                       forwarded,dropped,armed,cancelled,stored,promised,accepted,put,rejected";
/// Maximum time to wait for the next event, in ms. If no event arrives in this time, `watch` checks whether the run
/// is over.
const WAIT_MS: &str = "20000";

/// Meanings of the exit codes.
const EXIT_CODES: &str = "Exit codes:
  0  the run is over, without a violation
  1  the run is over, with a violation
  2  there is no such run
  3  no playground answers";

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub struct WatchOptions {
    /// Address of the playground
    #[command(flatten)]
    address: Address,
    /// Run: its id, its name if no other run has that name, or `latest`
    #[arg(value_name = "RUN", default_value = "latest")]
    run: String,
    /// Number of the event after which to start
    #[arg(long, value_name = "SEQ", default_value_t = 0)]
    since: u64,
    /// Print all events, including each message
    #[arg(long)]
    all: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A sentence for each event
    Text,
    /// JSON, one event a line
    Json,
}

#[derive(Deserialize)]
struct Page {
    items: Vec<Box<RawValue>>,
    next_since: u64,
}

/// The fields of a run that this command reads.
#[derive(Deserialize)]
struct Run {
    id: String,
    status: String,
}

/// The fields of a run's state that this command reads.
#[derive(Deserialize)]
struct State {
    verdict: Verdict,
}

#[derive(Deserialize)]
struct Verdict {
    status: String,
}

/// Prints the events until the run is over.
pub fn run(options: &WatchOptions) -> ExitCode {
    match watch(options) {
        Ok(is_broken) => ExitCode::from(if is_broken { FAILED } else { OK }),
        Err(error) => ended(Err(error)),
    }
}

/// Prints the events until the run is over. Returns whether a property was violated.
fn watch(options: &WatchOptions) -> Result<bool, AskError> {
    let api = Api::at(&options.address.playground)?;
    // From here on, the command uses the id. Before this run is over, `latest` may already mean a newer run.
    let Run { id, .. } = api.get(&["runs", &options.run], &[])?;
    let is_detail = |kind: &str| DETAILS.split(',').any(|detail| detail == kind);
    let kinds: Vec<&str> = What::KINDS.iter().copied().filter(|kind| !is_detail(kind)).collect();
    let kinds = kinds.join(",");
    let mut since = options.since;
    let mut is_over = false;
    let mut out = if options.format == Format::Json { terminal::json() } else { terminal::text() };
    loop {
        let (after, wait_ms) = (since.to_string(), if is_over { "0" } else { WAIT_MS });
        let mut query = vec![("since", after.as_str()), ("wait_ms", wait_ms)];
        query.extend((!options.all).then_some(("kind", kinds.as_str())));
        let Page { items, next_since } = api.get(&["runs", &id, "events"], &query)?;
        for item in &items {
            options.format.write(item, &mut out)?;
        }
        out.flush()?;
        if items.is_empty() && next_since == since {
            if is_over {
                break;
            }
            // Further events may have happened between the page and the status, so one more page is read after the
            // status.
            let Run { status, .. } = api.get(&["runs", &id], &[])?;
            is_over = status != "running";
        }
        since = next_since;
    }
    let State { verdict } = api.get(&["runs", &id, "state"], &[])?;
    Ok(verdict.status == "violated")
}

impl Format {
    fn write(self, item: &RawValue, out: &mut impl Write) -> io::Result<()> {
        match self {
            Self::Json => writeln!(out, "{}", item.get()),
            // An event of a kind that this version does not know is skipped, because there is no sentence for it.
            Self::Text => match Event::from_json(item.get().as_bytes()).ok().as_ref().and_then(told) {
                Some(line) => writeln!(out, "{line}"),
                None => Ok(()),
            },
        }
    }
}

/// Returns the line for an event: the time in seconds, and a sentence. If there is no sentence for the event,
/// returns none.
fn told(event: &Event) -> Option<String> {
    let sentence = match &event.what {
        What::Violated { violation } => format!("VIOLATION: {}", on_one_line(&monitor::sentence(violation))),
        What::Ended { .. } => "the run is over".to_owned(),
        what => sentence(what)?,
    };
    let (seconds, us) = (event.at_us / 1_000_000, event.at_us % 1_000_000);
    Some(format!("{seconds:>5}.{:03}  {sentence}", us / 1_000))
}
