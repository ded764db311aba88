//! Options of `interlock explore`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use interlock_exploration::{
    BeginningDraft, BeginningWord, Daemon, ExplorationDraft, MOST_NODES, Property, Requests, SearchOrder, TimerPolicy,
    Unlimited,
};
use interlock_machine::lock_choice::LockChoice;
use interlock_model::event::RestartState;
use interlock_model::size::Size;
use interlock_model::specification::{Detector, Draft, Heartbeats, MOST_LOCKS};

use crate::simulate::Setting;

/// Meanings of the exit codes.
const EXIT_CODES: &str = "Exit codes:
  0  the properties hold in this configuration
  1  a schedule violates a property
  2  an option is invalid
  3  the exploration failed, or its result cannot be written
  4  the exploration was cut off before all schedules had been tried";

/// Options of `interlock explore`.
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub struct ExploreOptions {
    /// Algorithm, and its variant if it is not the first: lamport/no-ack
    #[arg(value_name = "ALGORITHM[/VARIANT]")]
    pub algorithm: String,
    /// Number of nodes
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_NODES)))]
    pub nodes: u32,
    /// Number of locks [default: as the algorithm says, 1 for most]
    #[arg(long, value_name = "L", value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_LOCKS)))]
    pub locks: Option<u32>,
    /// Parameter of the algorithm (see `interlock algorithms`)
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<Setting>,
    /// Number of requests (proposals, elections) of each client; the last number counts for all further clients.
    /// `unlimited` sets no bound, for `--property starvation-free`
    #[arg(long, value_name = "R[,…]", default_value = "1", value_parser = asked)]
    pub requests: Requests,
    /// Locks that a client acquires in a round, one after the other: `all`, a list such as `1,0`, or `neighbours` (for
    /// each client the lock with its own number, and the next lock) [default: each lock is requested independently]
    #[arg(long, value_name = "LOCKS")]
    pub take: Option<LockChoice>,
    /// Maximum number of times that a client requests again after an abort, in all [default: no bound]
    #[arg(long, value_name = "N")]
    pub again: Option<u8>,
    /// Whether links keep the order of messages [default: as the algorithm assumes]
    #[arg(long, value_name = "BOOL")]
    pub fifo: Option<bool>,
    /// Capacity of a link in messages; a message sent on a full link is lost [default: unbounded]
    #[arg(long, value_name = "N")]
    pub room: Option<u8>,
    /// Initial states of the processes: `usual`; `arbitrary`, for every combination of arbitrary states; or the number
    /// of an arbitrary state for each node, such as `0,1,0,1`. Only self-stabilising algorithms have arbitrary states
    #[arg(long, value_name = "STATES", default_value = "usual", value_parser = begun)]
    pub beginning: BeginningDraft,
    /// Maximum number of arbitrary messages on a link if the initial states are arbitrary
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub contents: u8,
    /// Daemon, which decides how many processes move at the same time; for variants with composite atomicity
    #[arg(long, default_value = "central", value_parser = daemons())]
    pub daemon: Daemon,
    /// Maximum number of lost messages
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub lose: u8,
    /// Maximum number of duplicated messages
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub duplicate: u8,
    /// Maximum number of application messages between any nodes; they carry what the sender has learned
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub tell: u8,
    /// Maximum number of crashes
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub crash: u8,
    /// Maximum number of pauses; a paused process does nothing, and its messages wait
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub pause: u8,
    /// Maximum number of state corruptions, for algorithms that stabilise; a corrupted process may be in any state
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub corrupt: u8,
    /// State with which a crashed process restarts, if at all
    #[arg(long, value_enum, default_value_t = Restart::Never)]
    pub restart: Restart,
    /// Failure detector: `none`, or `perfect` (each live process is notified of each crash and restart, at any later
    /// moment)
    #[arg(long, value_name = "DETECTOR", default_value = "none", value_parser = told)]
    pub detector: Detector,
    /// When timers expire: `patient` (only if no message is in transit), `any-time:N` (N times, at any time), or
    /// `always` (at any time, without bound). With `always`, the search ends only if `--room` bounds the links
    #[arg(long, value_name = "WHEN", default_value = "patient")]
    pub timers: TimerPolicy,
    /// Properties to check. Default with the usual initial states and without --corrupt: all properties that apply to
    /// the algorithm, and `order` only if the algorithm promises it. Default otherwise: closure and convergence
    #[arg(long, value_name = "PROPERTY", value_parser = properties())]
    pub property: Vec<Property>,
    /// Search order: breadth first finds the shortest schedule, depth first often finds distant violations sooner
    #[arg(long, value_enum, default_value_t = Search::BreadthFirst)]
    pub search: Search,
    /// Number of threads of the breadth-first search, 1 or 2; the result is the same
    #[arg(long, value_name = "T", default_value = "1")]
    pub threads: NonZeroUsize,
    /// Approximate memory limit for the states, such as 512MiB or 4GiB
    #[arg(long, value_name = "SIZE", default_value = "4GiB")]
    pub memory_limit: Size,
    /// Number of states after which the search ends; it is checked between batches, so the search can visit some
    /// thousand states more [default: no limit]
    #[arg(long, value_name = "K")]
    pub states: Option<u64>,
    /// File for the schedule that violates a property, for `interlock replay`
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

/// Output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Text for people
    Text,
    /// JSON for scripts
    Json,
}

/// Search order: which state is visited next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Search {
    /// Visit the state that was found first
    BreadthFirst,
    /// Visit the state that was found last
    DepthFirst,
}

/// State with which a crashed process restarts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Restart {
    /// Crashed processes do not restart
    Never,
    /// Restart with the stored state
    Stored,
    /// Restart without stored state
    None,
}

/// Error for a text that is not one of the possible values.
#[derive(Debug, thiserror::Error)]
#[error("`{text}` is neither {possible}")]
struct Neither {
    text: String,
    possible: &'static str,
}

impl Neither {
    fn of(text: &str, possible: &'static str) -> Self {
        Self { text: text.to_owned(), possible }
    }
}

fn numbers<T: FromStr>(text: &str) -> Result<Vec<T>, T::Err> {
    text.split(',').map(|number| number.trim().parse()).collect()
}

/// Parses the numbers of requests: the word `unlimited`, or a list of numbers.
fn asked(text: &str) -> Result<Requests, Neither> {
    let possible = "`unlimited` nor a number in 0 … 255 nor a list of numbers such as 2,0,1";
    match text {
        "unlimited" => Ok(Requests::Unlimited(Unlimited::Unlimited)),
        _ => numbers(text).map(Requests::List).map_err(|_| Neither::of(text, possible)),
    }
}

/// Parses the initial states: the word `usual` or `arbitrary`, or a list of state numbers.
fn begun(text: &str) -> Result<BeginningDraft, Neither> {
    let possible = "`usual` nor `arbitrary` nor a list of state numbers such as 0,1,0,1";
    match text {
        "usual" => Ok(BeginningDraft::Word(BeginningWord::Usual)),
        "arbitrary" => Ok(BeginningDraft::Word(BeginningWord::Arbitrary)),
        _ => numbers(text).map(BeginningDraft::States).map_err(|_| Neither::of(text, possible)),
    }
}

/// Parses the failure detector. Also accepts `heartbeat`, so that the exploration itself can reject it and give
/// the reason.
fn told(text: &str) -> Result<Detector, Neither> {
    match text {
        "none" => Ok(Detector::None),
        "perfect" => Ok(Detector::Perfect),
        "heartbeat" => Ok(Detector::Heartbeat(Heartbeats::default())),
        _ => Err(Neither::of(text, "`none` nor `perfect`")),
    }
}

/// Returns a parser for the names of the properties. In the help, each name is followed by the statement of its
/// property.
fn properties() -> impl TypedValueParser<Value = Property> {
    let names = Property::EVERY.map(|property| PossibleValue::new(property.name()).help(property.sentence()));
    let find = |name: &str| Property::EVERY.into_iter().find(|property| property.name() == name);
    PossibleValuesParser::new(names).try_map(move |name| find(&name).ok_or("it is not the name of a property"))
}

/// Returns a parser for the names of the daemons.
fn daemons() -> impl TypedValueParser<Value = Daemon> {
    let daemons = [
        (Daemon::Central, "central", "Exactly one of the enabled processes"),
        (Daemon::Distributed, "distributed", "At least one of the enabled processes"),
        (Daemon::Synchronous, "synchronous", "All enabled processes"),
    ];
    let names = daemons.map(|(_, name, help)| PossibleValue::new(name).help(help));
    let find = move |text: &str| daemons.into_iter().find(|(_, name, _)| *name == text);
    PossibleValuesParser::new(names)
        .try_map(move |text| find(&text).map(|(daemon, _, _)| daemon).ok_or("it is not the name of a daemon"))
}

impl ExploreOptions {
    /// Returns the exploration that the options describe, in the form that the API accepts.
    pub fn draft(&self) -> ExplorationDraft {
        let (algorithm, variant) = match self.algorithm.split_once('/') {
            Some((algorithm, variant)) => (algorithm, Some(variant.to_owned())),
            None => (self.algorithm.as_str(), None),
        };
        let set = self.set.iter().map(|setting| (setting.name.clone(), setting.value.clone()));
        let specification = Draft {
            algorithm: algorithm.to_owned(),
            variant,
            nodes: Some(self.nodes),
            locks: self.locks,
            detector: Some(self.detector),
            parameters: set.collect(),
            ..Draft::default()
        };
        ExplorationDraft {
            specification,
            requests: Some(self.requests.clone()),
            take: self.take.clone(),
            again: self.again,
            fifo: self.fifo,
            room: self.room,
            beginning: Some(self.beginning.clone()),
            contents: Some(self.contents),
            daemon: self.daemon,
            lose: self.lose,
            duplicate: self.duplicate,
            tell: self.tell,
            crash: self.crash,
            pause: self.pause,
            corrupt: self.corrupt,
            restart: match self.restart {
                Restart::Never => None,
                Restart::Stored => Some(RestartState::Stored),
                Restart::None => Some(RestartState::None),
            },
            timers: Some(self.timers),
            properties: self.property.clone(),
            search: match self.search {
                Search::BreadthFirst => SearchOrder::BreadthFirst,
                Search::DepthFirst => SearchOrder::DepthFirst,
            },
            threads: Some(self.threads),
            memory_limit: Some(self.memory_limit),
            states: self.states,
        }
    }
}
