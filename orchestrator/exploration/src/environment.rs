//! Environment of an exploration: the events that may happen in its schedules, and how often.

use std::fmt;
use std::str::FromStr;

use interlock_algorithm::NodeId;
use interlock_machine::distribution::Distribution;
use interlock_machine::lock_choice::LockChoice;
use interlock_machine::workload::{ClientLoop, LoopKind};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use interlock_model::specification::Detector;

/// Maximum number of arbitrary states of a process that are enumerated. Also the maximum number of possible contents
/// of a link.
pub(super) const MOST_LISTED: usize = 1 << 16;

/// When timers of the algorithm expire. Explorations do not model durations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum TimerPolicy {
    /// At any time, but at most this many times in total (`any-time:2`). The limited expiry models time-outs that
    /// are too short, and clocks that run unevenly.
    AnyTime(u8),
    /// At any time, without limit (`always`). The state space is then finite only if links have a limited
    /// [room](Environment::room).
    Always,
    /// Only when no message is in transit, without limit (`patient`). This models time-outs that are always long
    /// enough.
    Patient,
}

/// The error for a text that is not a timer policy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is neither `patient` nor `always` nor `any-time:N` with a number N in 0 … {most}", most = u8::MAX)]
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

/// The initial states of the processes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Beginning {
    /// The states that the algorithm specifies.
    #[default]
    Usual,
    /// The first processes begin in the arbitrary states with these numbers, one number for each process. The other
    /// processes begin as usual. See [`arbitrary`](interlock_algorithm::Algorithm::arbitrary).
    States(Vec<u64>),
    /// Every combination of arbitrary states of the processes and arbitrary contents of the links. Before the start,
    /// each link contains at most `contents` messages. They can be any messages that the link's sender may have sent.
    Arbitrary {
        /// Maximum number of messages on a link.
        contents: u8,
    },
}

/// The processes that may move at the same time: a scheduler without fairness. The daemon applies if a step reads
/// the states of neighbours and changes only the state of its own process. A move is the expiry of an algorithm's
/// timer. Client actions happen one after the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Daemon {
    /// Exactly one of the processes that can move.
    #[default]
    Central,
    /// At least one of the processes that can move. All of them read the state before the moves.
    Distributed,
    /// All processes that can move. All of them read the state before the moves.
    Synchronous,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
const fn is_not(value: &bool) -> bool {
    !*value
}

/// The events that may happen in explored schedules. Each maximum number applies to the whole run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Environment {
    /// The initial states of the processes.
    pub beginning: Beginning,
    /// Which processes may move at the same time, if messages are received in the instant in which they are sent.
    pub daemon: Daemon,
    /// Whether links preserve the order of messages.
    pub fifo: bool,
    /// Maximum number of messages on a link. A message that is sent on a full link is lost. Unlimited if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub room: Option<u8>,
    /// Maximum number of lost messages.
    pub lose: u8,
    /// Maximum number of duplicated messages.
    pub duplicate: u8,
    /// Maximum number of crashes.
    pub crash: u8,
    /// Maximum number of pauses.
    pub pause: u8,
    /// Maximum number of corruptions. A corrupted process may be in any of its states.
    pub corrupt: u8,
    /// Whether a crashed process may restart. It restarts with its stored state, unless
    /// [`forget`](Environment::forget) is set.
    pub restart: bool,
    /// Whether a process loses its stored state when it crashes.
    pub forget: bool,
    /// The failure detector: none, or a perfect failure detector, which reports each crash and restart after any
    /// delay. Heartbeats depend on time, which explorations do not model.
    #[serde(skip_serializing_if = "Detector::is_none")]
    pub detector: Detector,
    /// When timers of the algorithm expire.
    pub timers: TimerPolicy,
    /// Maximum number of application messages, counted over all pairs of processes.
    pub tell: u8,
    /// Number of requests (proposals, elections) of each client. The last number applies to all further clients.
    pub requests: Vec<u8>,
    /// Whether clients request without limit, and not `requests` times. In this case, all requests for a lock have
    /// the same number, so that states recur.
    #[serde(skip_serializing_if = "is_not")]
    pub unlimited: bool,
    /// The locks that a client acquires in a round, one after the other. When the client has acquired all of them,
    /// it releases them. If absent, each lock is requested and released separately.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub take: Option<LockChoice>,
    /// Total number of times that a client requests again after its requests were aborted. Unlimited if absent. When
    /// the number is reached, the client makes no further requests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub again: Option<u8>,
}

impl Environment {
    /// Returns an environment without faults, in which each client makes `requests` requests.
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

    /// Returns an environment without faults, in which clients request without limit.
    #[must_use]
    pub fn unlimited(fifo: bool) -> Self {
        Self { unlimited: true, ..Self::faultless(fifo, 0) }
    }

    /// Returns whether the client of a node has made all of its requests, given that it has made `times` requests.
    pub(super) fn has_asked(&self, node: NodeId, times: u8) -> bool {
        let most = self.requests.get(node.index()).or(self.requests.last()).copied().unwrap_or(0);
        !self.unlimited && times >= most
    }

    /// Returns the workload of each client, in which all durations are 0. Returns none if clients do not acquire
    /// their locks in rounds.
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

    /// Returns whether states can recur although clients request without limit. For this purpose, all unbounded
    /// numbers in a state are reduced by the least of these numbers.
    ///
    /// With crashes or application messages, states cannot recur: unbounded numbers then also identify incarnations,
    /// and messages outside the algorithm carry such numbers. With duplication, states cannot recur either, because
    /// a duplicate may exceed the room of its link.
    pub(super) const fn comes_again(&self) -> bool {
        self.unlimited && self.crash == 0 && self.tell == 0 && self.duplicate == 0
    }

    /// Returns whether processes begin as usual, requests are limited, and each message is delivered exactly once.
    /// Pauses and corruptions are excluded as well.
    pub(super) fn delivers_all(&self) -> bool {
        let is_faultless = self.lose == 0 && self.duplicate == 0 && self.crash == 0;
        is_faultless
            && self.pause == 0
            && self.corrupt == 0
            && self.room.is_none()
            && !self.unlimited
            && self.beginning == Beginning::Usual
    }

    /// Returns whether processes are eventually notified of the crashes and restarts of other processes.
    pub(super) const fn tells(&self) -> bool {
        matches!(self.detector, Detector::Perfect)
    }

    /// Returns whether a link with this number of messages accepts no further message.
    pub(super) fn is_full(&self, messages: impl FnOnce() -> usize) -> bool {
        self.room.is_some_and(|room| messages() >= usize::from(room))
    }

    /// Returns the budgets at the beginning of a run.
    pub(super) const fn budget(&self) -> Budget {
        let timers = match self.timers {
            TimerPolicy::AnyTime(times) => times,
            TimerPolicy::Patient | TimerPolicy::Always => 0,
        };
        let Self { lose, duplicate, crash, pause, corrupt, tell, .. } = *self;
        Budget { lose, duplicate, crash, pause, corrupt, timers, tell }
    }
}

/// The remaining budgets of faults and other limited events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Budget {
    pub lose: u8,
    pub duplicate: u8,
    pub crash: u8,
    pub pause: u8,
    pub corrupt: u8,
    /// Number of times that timers may still expire, if this number is limited.
    pub timers: u8,
    /// Number of application messages that may still be sent.
    pub tell: u8,
}
