//! The words of `interlock explore`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use interlock_exploration::{
    BeginningDraft, BeginningWord, Daemon, ExplorationDraft, MOST_NODES, Memory, Property, Requests, SearchOrder,
    TimerPolicy, Unlimited,
};
use interlock_machine::lock_choice::LockChoice;
use interlock_model::event::RestartState;
use interlock_model::specification::{Detector, Draft, Heartbeats, MOST_LOCKS};

use crate::simulate::Setting;

/// What the exit codes mean.
const EXIT_CODES: &str = "Exit code: 0 it holds in this configuration, 1 a schedule breaks a rule, 2 nonsense was asked for, \
                          3 it could not be done, 4 it was cut off before all schedules had been tried.";

/// What is explored.
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub struct ExploreOptions {
    /// The algorithm, and its variant if it is not the first: lamport/no-ack
    #[arg(value_name = "ALGORITHM[/VARIANT]")]
    pub algorithm: String,
    /// How many nodes
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_NODES)))]
    pub nodes: u32,
    /// How many locks [default: as the algorithm says, 1 for most]
    #[arg(long, value_name = "L", value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_LOCKS)))]
    pub locks: Option<u32>,
    /// A parameter of the algorithm (see `interlock algorithms`)
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<Setting>,
    /// How many times each client asks (proposes, calls an election); the last number counts for all further ones.
    /// `unlimited` is as often as it likes, for `--property starvation-free`
    #[arg(long, value_name = "R[,…]", default_value = "1", value_parser = asked)]
    pub requests: Requests,
    /// Which locks a client takes in a round, one after the other: all, neighbours (its own number and the next) or a list
    /// such as 1,0 [default: each lock is asked for apart from the others]
    #[arg(long, value_name = "LOCKS")]
    pub take: Option<LockChoice>,
    /// How many times in all a client whose request was aborted asks again; then it wants nothing more [default: for ever]
    #[arg(long, value_name = "N")]
    pub again: Option<u8>,
    /// Whether links keep the order of messages [default: what the algorithm assumes]
    #[arg(long, value_name = "BOOL")]
    pub fifo: Option<bool>,
    /// How many messages a link holds; what is sent on a full one is lost [default: as many as are sent]
    #[arg(long, value_name = "N")]
    pub room: Option<u8>,
    /// In which states processes begin: `usual`, `arbitrary` (every combination of all states, of algorithms that stabilise
    /// from any), or the numbers of such states, one for each node: 0,1,0,1
    #[arg(long, value_name = "STATES", default_value = "usual", value_parser = begun)]
    pub beginning: BeginningDraft,
    /// How many arbitrary messages a link may hold when processes begin in arbitrary states
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub contents: u8,
    /// Who moves at a time, in variants with composite atomicity
    #[arg(long, default_value = "central", value_parser = daemons())]
    pub daemon: Daemon,
    /// How many messages may be lost, whichever
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub lose: u8,
    /// How many messages may be copied, whichever
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub duplicate: u8,
    /// How many messages of the application may be sent, by whomever to whomever: they carry what the sender has heard of
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub tell: u8,
    /// How many times a process may crash, whichever
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub crash: u8,
    /// How many times a process may stand still for a while, whichever: it does nothing, and what comes to it waits
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub pause: u8,
    /// How many times a process of an algorithm that stabilises may find itself in another state, whichever and any
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub corrupt: u8,
    /// Whether a crashed process comes back some day, and with what
    #[arg(long, value_enum, default_value_t = Restart::Never)]
    pub restart: Restart,
    /// How processes know of each other's crashes: `none`, they do not; `perfect`, the living are told of each death and
    /// return, each at any moment later
    #[arg(long, value_name = "DETECTOR", default_value = "none", value_parser = told)]
    pub detector: Detector,
    /// When timers run out: `patient` (only when no message is under way), `any-time:N` (N times at any time), or `always`
    /// (at any time and without end, which comes to an end only where links have little `--room`)
    #[arg(long, value_name = "WHEN", default_value = "patient")]
    pub timers: TimerPolicy,
    /// What is looked for [default: all that is of runs which begin as usual, order only where it is promised; closure and
    /// convergence if they do not]
    #[arg(long, value_name = "PROPERTY", value_parser = properties())]
    pub property: Vec<Property>,
    /// Which state is looked at next: the one found first, so that the schedule is the shortest, or the one found last,
    /// which often finds sooner what is far from the beginning
    #[arg(long, value_enum, default_value_t = Search::BreadthFirst)]
    pub search: Search,
    /// How many threads look, breadth first, one or two: what comes of it is the same
    #[arg(long, value_name = "T", default_value = "1")]
    pub threads: NonZeroUsize,
    /// How much memory the states may take, about: 512MiB, 4GiB
    #[arg(long, value_name = "SIZE", default_value = "4GiB")]
    pub memory_limit: Memory,
    /// How many states are looked at, at the most
    #[arg(long, value_name = "K")]
    pub states: Option<u64>,
    /// Keep the schedule that breaks a rule in this file, for `interlock replay`
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// How to write it
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

/// How it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    Text,
    /// For scripts
    Json,
}

/// Which state is looked at next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Search {
    /// The one that was found first
    BreadthFirst,
    /// The one that was found last
    DepthFirst,
}

/// With what a crashed process comes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Restart {
    /// It stays dead
    Never,
    /// With what it had stored
    Stored,
    /// With nothing
    None,
}

/// A text that is none of what is possible.
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

/// Reads how often clients ask: a word, or numbers.
fn asked(text: &str) -> Result<Requests, Neither> {
    let possible = "`unlimited` nor a number of 0 … 255 nor several such as 2,0,1";
    match text {
        "unlimited" => Ok(Requests::Unlimited(Unlimited::Unlimited)),
        _ => numbers(text).map(Requests::List).map_err(|_| Neither::of(text, possible)),
    }
}

/// Reads how processes begin: a word, or numbers of states.
fn begun(text: &str) -> Result<BeginningDraft, Neither> {
    let possible = "`usual` nor `arbitrary` nor numbers of states such as 0,1,0,1";
    match text {
        "usual" => Ok(BeginningDraft::Word(BeginningWord::Usual)),
        "arbitrary" => Ok(BeginningDraft::Word(BeginningWord::Arbitrary)),
        _ => numbers(text).map(BeginningDraft::States).map_err(|_| Neither::of(text, possible)),
    }
}

/// Reads how processes learn of crashes: a word. The exploration refuses heartbeats, with the reason.
fn told(text: &str) -> Result<Detector, Neither> {
    match text {
        "none" => Ok(Detector::None),
        "perfect" => Ok(Detector::Perfect),
        "heartbeat" => Ok(Detector::Heartbeat(Heartbeats::default())),
        _ => Err(Neither::of(text, "`none` nor `perfect`")),
    }
}

/// The names of the rules, each with what it says.
fn properties() -> impl TypedValueParser<Value = Property> {
    let names = Property::EVERY.map(|property| PossibleValue::new(property.name()).help(property.sentence()));
    let find = |name: &str| Property::EVERY.into_iter().find(|property| property.name() == name);
    PossibleValuesParser::new(names).try_map(move |name| find(&name).ok_or("it is the name of no rule"))
}

/// Who may move at a time.
fn daemons() -> impl TypedValueParser<Value = Daemon> {
    let daemons = [
        (Daemon::Central, "central", "One of those that can"),
        (Daemon::Distributed, "distributed", "Any of those that can, at least one"),
        (Daemon::Synchronous, "synchronous", "All that can"),
    ];
    let names = daemons.map(|(_, name, help)| PossibleValue::new(name).help(help));
    let find = move |text: &str| daemons.into_iter().find(|(_, name, _)| *name == text);
    PossibleValuesParser::new(names)
        .try_map(move |text| find(&text).map(|(daemon, _, _)| daemon).ok_or("it is the name of no daemon"))
}

impl ExploreOptions {
    /// What is asked for, as over the API.
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
