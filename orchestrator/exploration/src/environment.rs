//! What may happen in the schedules that are explored, and how often.

use std::fmt;
use std::str::FromStr;

use interlock_algorithm::NodeId;
use interlock_machine::distribution::Distribution;
use interlock_machine::lock_choice::LockChoice;
use interlock_machine::workload::{ClientLoop, LoopKind};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use interlock_model::specification::Detector;

/// The most arbitrary states of a process, and the most contents of a link, that are listed.
pub(super) const MOST_LISTED: usize = 1 << 16;

/// When timers of the algorithm run out: nobody explores how long a time is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum TimerPolicy {
    /// At any time, so often in all (`any-time:2`). As if time-outs were too short and clocks uneven.
    AnyTime(u8),
    /// At any time, as often as they are set (`always`). Only where links have little [room](Environment::room) is there an
    /// end to it.
    Always,
    /// Only when no message is under way, as often as they are set (`patient`). As if every time-out were long enough.
    Patient,
}

/// A text says of no timers when they run out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is neither `patient` nor `always` nor `any-time:N` with a number N of 0 … {most}", most = u8::MAX)]
pub struct TimerPolicyError(String);

impl fmt::Display for TimerPolicy {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AnyTime(times) => write!(formatter, "any-time:{times}"),
            Self::Always => formatter.write_str("always"),
            Self::Patient => formatter.write_str("patient"),
        }
    }
}

impl FromStr for TimerPolicy {
    type Err = TimerPolicyError;

    fn from_str(text: &str) -> Result<Self, TimerPolicyError> {
        let times = || text.strip_prefix("any-time:")?.parse().ok();
        match text {
            "patient" => Ok(Self::Patient),
            "always" => Ok(Self::Always),
            _ => times().map(Self::AnyTime).ok_or_else(|| TimerPolicyError(text.to_owned())),
        }
    }
}

impl From<TimerPolicy> for String {
    fn from(timers: TimerPolicy) -> Self {
        timers.to_string()
    }
}

impl TryFrom<String> for TimerPolicy {
    type Error = TimerPolicyError;

    fn try_from(text: String) -> Result<Self, TimerPolicyError> {
        text.parse()
    }
}

/// In which states processes begin.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Beginning {
    /// As the algorithm says.
    #[default]
    Usual,
    /// The first processes in the arbitrary states of these numbers, one each, the others as usual; see
    /// [`arbitrary`](interlock_algorithm::Algorithm::arbitrary).
    States(Vec<u64>),
    /// In any arbitrary states, every combination of them; before they start, each link holds up to so many messages, any
    /// that its sender may have sent.
    Arbitrary {
        /// How many messages, at the most.
        contents: u8,
    },
}

/// Which processes may move at a time, where a step reads the states of neighbours and changes one's own: a scheduler that
/// owes nobody anything. Moves are timers of the algorithm; what clients do, one does after the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Daemon {
    /// One that can.
    #[default]
    Central,
    /// Any of those that can, at least one; all read what was true before.
    Distributed,
    /// All that can; all read what was true before.
    Synchronous,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
const fn is_not(value: &bool) -> bool {
    !*value
}

/// What may happen in the schedules that are explored. Each budget is for the whole run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Environment {
    /// How processes begin.
    pub beginning: Beginning,
    /// Who may move at a time, where what is sent is known in the same instant.
    pub daemon: Daemon,
    /// Whether messages of a link keep their order.
    pub fifo: bool,
    /// How many messages a link holds: what is sent on a full one is lost. As many as are sent if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub room: Option<u8>,
    /// How many messages may be lost.
    pub lose: u8,
    /// How many messages may be copied.
    pub duplicate: u8,
    /// How many times a process may crash.
    pub crash: u8,
    /// How many times a process may stand still for a while.
    pub pause: u8,
    /// How many times a process may find itself in another state, any.
    pub corrupt: u8,
    /// Whether who has crashed may come back, with what it had stored.
    pub restart: bool,
    /// Whether who comes back has forgotten what it had stored.
    pub forget: bool,
    /// Whether processes are told of each other's deaths and returns: by nobody, or by a perfect failure detector, at any
    /// moment later. Heartbeats go by time, of which nothing is known here.
    #[serde(skip_serializing_if = "Detector::is_none")]
    pub detector: Detector,
    /// When timers run out.
    pub timers: TimerPolicy,
    /// How many messages of the application may be sent, by whomever to whomever.
    pub tell: u8,
    /// How many times each client asks (or proposes, or calls an election); the last number counts for all further ones.
    pub requests: Vec<u8>,
    /// Whether clients ask again and again instead, as often as they like. Then requests of mutual exclusion have all the
    /// same number, so that states come again.
    #[serde(skip_serializing_if = "is_not")]
    pub unlimited: bool,
    /// Which locks a client takes in a round, one after the other, and gives back when it has had them all. If absent each
    /// lock is asked for and given back apart from the others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub take: Option<LockChoice>,
    /// How many times in all a client whose request was aborted asks again; for ever if absent. Who has done so wants nothing
    /// more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub again: Option<u8>,
}

impl Environment {
    /// Nothing goes wrong, and each client asks so often.
    #[must_use]
    pub fn faultless(fifo: bool, requests: u8) -> Self {
        Self {
            beginning: Beginning::Usual,
            daemon: Daemon::Central,
            fifo,
            room: None,
            lose: 0,
            duplicate: 0,
            crash: 0,
            pause: 0,
            corrupt: 0,
            restart: false,
            forget: false,
            detector: Detector::None,
            timers: TimerPolicy::Patient,
            tell: 0,
            requests: vec![requests],
            unlimited: false,
            take: None,
            again: None,
        }
    }

    /// Nothing goes wrong, and each client asks as often as it likes.
    #[must_use]
    pub fn unlimited(fifo: bool) -> Self {
        Self { unlimited: true, ..Self::faultless(fifo, 0) }
    }

    /// Whether the client of a node that has asked so often does so no more.
    pub(super) fn has_asked(&self, node: NodeId, times: u8) -> bool {
        let most = self.requests.get(node.index()).or(self.requests.last()).copied().unwrap_or(0);
        !self.unlimited && times >= most
    }

    /// What each client does by itself: its rounds, if it takes its locks in rounds. How long anything takes is nothing here.
    pub(super) fn client_loop(&self) -> Option<ClientLoop> {
        let no_time = Distribution::ZERO;
        self.take.clone().map(|locks| ClientLoop {
            idle: no_time,
            hold: no_time,
            entries: None,
            kind: LoopKind::Closed,
            locks,
            between: no_time,
            again: no_time,
            tell: 0.0,
            service: None,
        })
    }

    /// Whether states are to come again although clients ask without end: numbers that grow are then counted from the least.
    /// Where processes crash or tell each other something they are more than that: they name lives, and are carried by
    /// messages that are not the algorithm's. A copy may be one more on its link than it has room for.
    pub(super) const fn comes_again(&self) -> bool {
        self.unlimited && self.crash == 0 && self.tell == 0 && self.duplicate == 0
    }

    /// Whether each message arrives, and once, and there is an end of requests in runs that begin as usual.
    pub(super) fn delivers_all(&self) -> bool {
        let is_faultless = self.lose == 0 && self.duplicate == 0 && self.crash == 0;
        is_faultless
            && self.pause == 0
            && self.corrupt == 0
            && self.room.is_none()
            && !self.unlimited
            && self.beginning == Beginning::Usual
    }

    /// Whether processes are told, some day, of each other's deaths and returns.
    pub(super) const fn tells(&self) -> bool {
        matches!(self.detector, Detector::Perfect)
    }

    /// Whether a link that holds so many messages takes no more.
    pub(super) fn is_full(&self, messages: impl FnOnce() -> usize) -> bool {
        self.room.is_some_and(|room| messages() >= usize::from(room))
    }

    /// The budgets before anything has happened.
    pub(super) const fn budget(&self) -> Budget {
        let timers = match self.timers {
            TimerPolicy::AnyTime(times) => times,
            TimerPolicy::Patient | TimerPolicy::Always => 0,
        };
        let Self { lose, duplicate, crash, pause, corrupt, tell, .. } = *self;
        Budget { lose, duplicate, crash, pause, corrupt, timers, tell }
    }
}

/// What may still go wrong, and what else may still happen so often only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Budget {
    pub lose: u8,
    pub duplicate: u8,
    pub crash: u8,
    pub pause: u8,
    pub corrupt: u8,
    /// How many timers may still run out at any time.
    pub timers: u8,
    /// How many messages of the application may still be sent.
    pub tell: u8,
}
