//! The words of `interlock explore`.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum};
use interlock_algorithm::Entry;
use interlock_machine::lock_choice::{LockChoice, LockChoiceError};
use interlock_model::exploration::{Beginning, Daemon, Environment, Property, TimerPolicy};
use interlock_model::specification::MOST_LOCKS;

use super::watch::Limits;
use crate::simulate::Setting;

/// The most nodes that are explored.
const MOST_NODES: u32 = 16;
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
    /// How many times each client asks (proposes, calls an election); the last number counts for all further ones
    #[arg(long, value_name = "R[,…]", value_delimiter = ',', default_value = "1")]
    pub requests: Vec<u8>,
    /// Which locks a client takes in a round, one after the other: all, neighbours (its own number and the next) or a list
    /// such as 1,0 [default: each lock is asked for apart from the others]
    #[arg(long, value_name = "LOCKS", value_parser = sure)]
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
    #[arg(long, value_name = "STATES", default_value = "usual")]
    pub beginning: Begun,
    /// How many arbitrary messages a link may hold when processes begin in arbitrary states
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub contents: u8,
    /// Who moves at a time, in variants with composite atomicity
    #[arg(long, value_enum, default_value_t = Moves::Central)]
    pub daemon: Moves,
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
    /// Whether a crashed process comes back some day, and with what
    #[arg(long, value_enum, default_value_t = Restart::Never)]
    pub restart: Restart,
    /// When timers run out: `patient` (only when no message is under way), `any-time:N` (N times at any time), or `always`
    /// (at any time and without end, which comes to an end only where links have little `--room`)
    #[arg(long, value_name = "WHEN", default_value = "patient")]
    pub timers: Timers,
    /// What is looked for [default: all that is of runs which begin as usual, order only where it is promised; closure and
    /// convergence if they do not]
    #[arg(long, value_name = "PROPERTY", value_enum)]
    pub property: Vec<Looked>,
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

/// [`Property`] on the command line.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Looked {
    /// No more are in the section of a lock than it has units
    MutualExclusion,
    /// Nobody waits where nothing can happen any more
    NobodyStuck,
    /// From everywhere there is a way to where nobody waits
    WayOut,
    /// No two are taken for the coordinator of the same term
    OneLeader,
    /// In the end all take the same one for the coordinator
    LeaderKnown,
    /// No two values are chosen
    OneValue,
    /// No request is granted while one waits that happened before it
    Order,
    /// There is exactly one privilege
    OnePrivilege,
    /// Once there is exactly one privilege there always is
    Closure,
    /// Every schedule comes to exactly one privilege
    Convergence,
}

impl From<Looked> for Property {
    fn from(looked: Looked) -> Self {
        match looked {
            Looked::MutualExclusion => Self::MutualExclusion,
            Looked::NobodyStuck => Self::NobodyStuck,
            Looked::WayOut => Self::WayOut,
            Looked::OneLeader => Self::OneLeader,
            Looked::LeaderKnown => Self::LeaderKnown,
            Looked::OneValue => Self::OneValue,
            Looked::Order => Self::Order,
            Looked::OnePrivilege => Self::OnePrivilege,
            Looked::Closure => Self::Closure,
            Looked::Convergence => Self::Convergence,
        }
    }
}

/// [`Daemon`] on the command line.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Moves {
    /// One of those that can
    Central,
    /// Any of those that can, at least one
    Distributed,
    /// All that can
    Synchronous,
}

impl From<Moves> for Daemon {
    fn from(moves: Moves) -> Self {
        match moves {
            Moves::Central => Self::Central,
            Moves::Distributed => Self::Distributed,
            Moves::Synchronous => Self::Synchronous,
        }
    }
}

/// [`Beginning`] on the command line, but for what links hold.
#[derive(Clone, Debug)]
pub struct Begun(Beginning);

impl FromStr for Begun {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = || text.split(',').map(str::parse).collect::<Result<_, _>>();
        Ok(Self(match text {
            "usual" => Beginning::Usual,
            "arbitrary" => Beginning::Arbitrary { contents: 0 },
            _ => Beginning::States(numbers().map_err(|_| {
                format!("`{text}` is neither `usual` nor `arbitrary` nor numbers of states such as 0,1,0,1")
            })?),
        }))
    }
}

/// When timers run out.
#[derive(Clone, Copy, Debug)]
pub struct Timers(TimerPolicy);

impl FromStr for Timers {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let times = || text.strip_prefix("any-time:")?.parse().ok();
        match text {
            "patient" => Ok(Self(TimerPolicy::Patient)),
            "always" => Ok(Self(TimerPolicy::Always)),
            _ => times().map(TimerPolicy::AnyTime).map(Self).ok_or_else(|| {
                format!(
                    "`{text}` is neither `patient` nor `always` nor `any-time:N` with a number N of 0 … {}",
                    u8::MAX
                )
            }),
        }
    }
}

/// A choice of locks in which nothing is drawn: what could be drawn is not tried.
fn sure(text: &str) -> Result<LockChoice, String> {
    let choice: LockChoice = text.parse().map_err(|error: LockChoiceError| error.to_string())?;
    match choice {
        LockChoice::One | LockChoice::Some(_) => Err(format!(
            "`{text}` is drawn, and only one of the draws would be tried: write `all`, `neighbours` or `0,3,1`"
        )),
        _ => Ok(choice),
    }
}

/// A size of memory, in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Memory(u64);

impl FromStr for Memory {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let refuse = || format!("`{text}` is no size of memory: write 512MiB or 4GiB");
        let units = [("KiB", 10), ("MiB", 20), ("GiB", 30)];
        let found = units.iter().find_map(|(unit, bits)| Some((text.strip_suffix(unit)?, bits)));
        let (number, bits) = found.ok_or_else(refuse)?;
        let number: u64 = number.trim().parse().map_err(|_| refuse())?;
        number.checked_mul(1 << bits).filter(|bytes| *bytes > 0).map(Self).ok_or_else(refuse)
    }
}

impl ExploreOptions {
    /// What may happen; links keep the order of messages if the algorithm assumes it and nothing else is said.
    pub fn environment(&self, assumes_fifo: bool) -> Environment {
        Environment {
            beginning: self.beginning(),
            daemon: self.daemon.into(),
            fifo: self.fifo.unwrap_or(assumes_fifo),
            room: self.room,
            lose: self.lose,
            duplicate: self.duplicate,
            crash: self.crash,
            restart: self.restart != Restart::Never,
            forget: self.restart == Restart::None,
            timers: self.timers.0,
            tell: self.tell,
            requests: self.requests.clone(),
            take: self.take.clone(),
            again: self.again,
        }
    }

    fn beginning(&self) -> Beginning {
        match &self.beginning.0 {
            Beginning::Arbitrary { .. } => Beginning::Arbitrary { contents: self.contents },
            other => other.clone(),
        }
    }

    /// What does not go together, as a phrase.
    pub fn contradiction(&self) -> Option<String> {
        let is_arbitrary = matches!(self.beginning.0, Beginning::Arbitrary { .. });
        match (&self.beginning.0, self.room) {
            (Beginning::States(states), _) if states.len() != self.nodes as usize => {
                Some(format!("--beginning: {} states for {} nodes; one for each is right", states.len(), self.nodes))
            }
            _ if self.contents > 0 && !is_arbitrary => {
                Some("--contents: only with `--beginning arbitrary` do links begin with messages".to_owned())
            }
            (_, Some(room)) if self.contents > room => {
                Some(format!("--contents: a link holds {room} messages (--room), not {}", self.contents))
            }
            _ => None,
        }
    }

    /// What is looked for: what the algorithm promises if nothing is said.
    pub fn properties(&self, entry: &Entry, variant: &str) -> Vec<Property> {
        if self.property.is_empty() {
            let is_usual = self.beginning.0 == Beginning::Usual;
            return if is_usual { Property::promised_by(entry, variant) } else { Property::STABILISATION.to_vec() };
        }
        self.property.iter().copied().map(Into::into).collect()
    }

    /// Where it is cut off.
    pub fn limits(&self) -> Limits {
        Limits { memory: self.memory_limit.0, states: self.states.unwrap_or(u64::MAX) }
    }
}

/// An environment in plain words.
pub fn in_words(environment: &Environment) -> String {
    let Environment { beginning, daemon, fifo, room, lose, duplicate, crash, restart, forget, timers, .. } =
        environment;
    let Environment { tell, requests, take, again, .. } = environment;
    let order = if *fifo { "messages of a link keep their order" } else { "messages overtake" };
    let asks: Vec<String> = requests.iter().map(ToString::to_string).collect();
    let asks = match &*asks.join(", ") {
        "0" => "nobody asks".to_owned(),
        "1" => "each asks once".to_owned(),
        times => format!("each asks {times} times"),
    };
    let mut words: Vec<String> = begun_in_words(beginning).into_iter().collect();
    words.extend([asks, order.to_owned()]);
    words.extend(daemon_in_words(*daemon).map(ToOwned::to_owned));
    words.extend(take.as_ref().map(|locks| format!("in a round it takes the locks `{locks}`")));
    words.extend(again.map(|times| format!("asks again after an abort {times} times at most")));
    words.extend(room.map(|room| format!("a link holds {room} messages")));
    let budgets =
        [(*lose, "messages lost"), (*duplicate, "copied"), (*crash, "crashes"), (*tell, "messages of the application")];
    words.extend(budgets.iter().filter(|(most, _)| *most > 0).map(|(most, what)| format!("at most {most} {what}")));
    match (*restart, *forget) {
        (true, false) => words.push("the dead come back with what they had stored".to_owned()),
        (true, true) => words.push("the dead come back with nothing".to_owned()),
        (false, _) => {}
    }
    words.push(match timers {
        TimerPolicy::Patient => "timers run out when nothing is under way".to_owned(),
        TimerPolicy::Always => "timers run out at any time".to_owned(),
        TimerPolicy::AnyTime(times) => format!("timers run out at any time, {times} times at most"),
    });
    words.join(", ")
}

/// How processes begin, if not as usual.
fn begun_in_words(beginning: &Beginning) -> Option<String> {
    match beginning {
        Beginning::Usual => None,
        Beginning::States(states) => {
            let states: Vec<String> = states.iter().map(ToString::to_string).collect();
            Some(format!("processes begin in the states {}", states.join(", ")))
        }
        Beginning::Arbitrary { contents: 0 } => Some("processes begin in any states".to_owned()),
        Beginning::Arbitrary { contents } => {
            Some(format!("processes begin in any states, with up to {contents} messages of any kind on each link"))
        }
    }
}

/// Who moves at a time, if not one.
const fn daemon_in_words(daemon: Daemon) -> Option<&'static str> {
    match daemon {
        Daemon::Central => None,
        Daemon::Distributed => Some("any that can move do so at once (distributed daemon)"),
        Daemon::Synchronous => Some("all that can move do so at once (synchronous daemon)"),
    }
}
