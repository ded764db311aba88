//! Assumptions of an algorithm about its environment.

use serde::{Deserialize, Serialize};

use crate::identity::Ticks;

/// The assumptions under which an algorithm is correct.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Assumptions {
    /// Messages of a link arrive in the order in which they were sent.
    pub fifo: bool,
    /// No message is lost.
    pub no_loss: bool,
    /// The property at risk if a message is lost although the algorithm assumes that none is.
    #[serde(skip)]
    pub loss_risk: Risk,
    /// No message arrives twice.
    pub no_duplication: bool,
    /// No process crashes.
    pub no_crash: bool,
    /// A process that restarts after a crash has its stored state.
    pub stable_storage: bool,
    /// The failure detector that the algorithm needs.
    pub failure_detector: FailureDetector,
    /// The time-outs within which messages must arrive: the algorithm's bounds on delays. If the list is empty,
    /// delays are unbounded.
    pub time_outs: &'static [TimeOut<'static>],
}

impl Assumptions {
    /// The assumptions of an algorithm that needs neither storage nor clock. A catalogue entry adds the assumptions of
    /// its algorithm about the network.
    pub const ASYNCHRONOUS: Self = Self {
        fifo: false,
        no_loss: false,
        loss_risk: Risk::Progress,
        no_duplication: false,
        no_crash: false,
        stable_storage: false,
        failure_detector: FailureDetector::None,
        time_outs: &[],
    };
}

/// The failure detector that an algorithm needs (Chandra, Toueg 1996, "Unreliable Failure Detectors").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailureDetector {
    /// No failure detector.
    #[default]
    None,
    /// Class P: the detector makes no mistake. It relies on a time-out: a process that is silent for longer than the
    /// time-out has crashed, and a crashed process is silent.
    Perfect,
    /// Class Ω: eventually all processes trust the same live process. Until then no property is violated, but there
    /// may be no progress.
    EventualLeader,
}

/// A time-out that certain chains of messages must not exceed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct TimeOut<'a> {
    /// The parameter that holds the time-out.
    pub parameter: &'a str,
    /// Number of messages in the longest chain that must fit into the time-out. Each message of a chain is sent
    /// after the preceding message has arrived.
    pub messages: u32,
    /// Whether `messages` must be multiplied by the number of nodes.
    #[serde(skip_serializing_if = "core::ops::Not::not")]
    pub per_node: bool,
    /// Another time-out. A process in the chain may have to wait for its expiry, instead of for some messages of the
    /// chain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within: Option<Within<'a>>,
    /// The property at risk if the time-out is too short.
    pub risk: Risk,
}

/// A time-out that may expire within another time-out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Within<'a> {
    /// The parameter that holds the time-out.
    pub parameter: &'a str,
    /// Number of times that this inner time-out may expire, one after the other.
    pub times: u32,
    /// Number of messages in the chain that the expiries of this time-out replace.
    pub messages: u32,
}

/// The property at risk if an assumption does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Risk {
    /// A property may be violated.
    Safety,
    /// The algorithm may not make progress.
    Progress,
}

impl<'a> TimeOut<'a> {
    /// Returns a time-out into which a chain of `messages` messages must fit.
    #[must_use]
    pub const fn of(parameter: &'a str, messages: u32, risk: Risk) -> Self {
        Self { parameter, messages, per_node: false, within: None, risk }
    }

    /// Returns the bound that this time-out must exceed in a run of `nodes` nodes. `inner` is the value of the
    /// time-out that may expire within this time-out, if there is one.
    #[must_use]
    pub fn bound(&self, nodes: u32, inner: Ticks) -> Bound {
        let chain = u64::from(self.messages) * if self.per_node { u64::from(nodes) } else { 1 };
        let Some(Within { times, messages, .. }) = self.within else { return Bound { chain, rest: chain, inner: 0 } };
        Bound { chain, rest: chain.saturating_sub(messages.into()), inner: inner.saturating_mul(times.into()) }
    }
}

/// The bound that a time-out of a run must exceed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bound {
    /// Number of messages in the longest chain.
    pub chain: u64,
    /// Number of messages that remain in the chain if expiries of the inner time-out replace the other messages.
    rest: u64,
    /// Total time of all expiries of the inner time-out, in ticks.
    inner: Ticks,
}

impl Bound {
    /// Returns the duration that the time-out must exceed if a message takes at most `delay`, in ticks.
    #[must_use]
    pub fn needed(&self, delay: Ticks) -> Ticks {
        let with_inner = self.rest.saturating_mul(delay).saturating_add(self.inner);
        self.chain.saturating_mul(delay).max(with_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_takes_as_long_as_its_messages() {
        let answer = TimeOut::of("answer", 2, Risk::Safety);
        assert_eq!((answer.bound(5, 0).chain, answer.bound(5, 0).needed(100)), (2, 200));
        let round = TimeOut { per_node: true, ..answer }.bound(5, 0);
        assert_eq!((round.chain, round.needed(100)), (10, 1_000));
    }

    #[test]
    fn a_longer_time_out_within_prolongs_it() {
        let within = Some(Within { parameter: "answer", times: 2, messages: 4 });
        let coordinator = TimeOut { within, ..TimeOut::of("coordinator", 6, Risk::Progress) };
        let needed = |delay, answer| coordinator.bound(5, answer).needed(delay);
        assert_eq!(needed(100, 200), 600, "the shortest possible one makes no difference");
        assert_eq!(needed(100, 1_000), 2_200);
        assert_eq!(needed(100, 10), 600, "what is too short does not make the messages faster");
        assert_eq!(needed(Ticks::MAX, Ticks::MAX), Ticks::MAX);
    }
}
