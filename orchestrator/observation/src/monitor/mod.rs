//! Monitors. Each monitor checks one property of a run on the stream of events.

mod activity;
pub mod agreement;
#[cfg(test)]
mod agreement_memory_tests;
pub mod capacity;
#[cfg(test)]
mod crash_tests;
#[cfg(test)]
mod deadlock_tests;
pub mod deadlocks;
pub mod deserted;
pub mod fencing;
mod finding;
pub mod interventions;
pub mod known_leader;
pub mod leaders;
#[cfg(test)]
mod lease_tests;
#[cfg(test)]
mod ledger_tests;
pub mod livelock;
#[cfg(test)]
mod livelock_tests;
pub mod mutual_exclusion;
#[cfg(test)]
mod office_tests;
pub mod order;
#[cfg(test)]
mod outage_tests;
pub mod precedence;
pub mod progress;
pub mod real_time;
#[cfg(test)]
mod real_time_tests;
pub mod resource;
pub mod sentence;
pub mod service;
#[cfg(test)]
mod simulated_tests;
pub mod stuck;
#[cfg(test)]
mod tests;
pub mod tokens;
pub mod waits;
#[cfg(test)]
mod withdrawal_tests;

pub use sentence::of_violation as sentence;

use self::finding::sentence as said;
use crate::above_channels::AboveChannels;
use crate::state::{Leases, State};
use interlock_model::event::{Event, Violation};
use interlock_model::specification::Specification;

/// Returns the sentence of a violation, or `None` if the violation has another code.
type Sentence = fn(&Violation) -> Option<String>;

/// The monitors: the name of each, as it appears in violations, and the sentences of its findings.
const MONITORS: [(&str, &[Sentence]); 17] = [
    (resource::NAME, &[said::<resource::LostWrite>, said::<resource::UnguardedWrite>]),
    (
        agreement::NAME,
        &[
            said::<agreement::TwoValues>,
            said::<agreement::NotProposed>,
            said::<agreement::BrokenPromise>,
            said::<agreement::Duel>,
            said::<agreement::Undecided>,
        ],
    ),
    (service::broadcast::NAME, &[said::<service::broadcast::UnheardValue>, said::<service::broadcast::ForgottenValue>]),
    (capacity::NAME, &[said::<capacity::TooMany>]),
    (deadlocks::NAME, &[said::<deadlocks::Cycle>, said::<deadlocks::Phantom>, said::<deadlocks::LateReport>]),
    (service::echo::NAME, &[said::<service::echo::OtherEcho>]),
    (fencing::NAME, &[said::<fencing::NotGreater>]),
    (
        leaders::NAME,
        &[
            said::<leaders::TwoCoordinators>,
            said::<leaders::TwoBeliefs>,
            said::<leaders::OlderTerm>,
            said::<leaders::Disagreement>,
            said::<leaders::NobodyElected>,
            said::<leaders::DeadCoordinator>,
            said::<leaders::ResultUnknown>,
        ],
    ),
    (service::linearizability::NAME, &[said::<service::linearizability::NotLinearizable>]),
    (livelock::NAME, &[said::<livelock::Livelocked>, said::<livelock::Starved>]),
    (mutual_exclusion::NAME, &[said::<mutual_exclusion::ConcurrentSections>]),
    (order::NAME, &[said::<order::GrantedOutOfOrder>]),
    (progress::NAME, &[said::<progress::Starvation>, said::<deserted::NobodyEnters>]),
    (real_time::NAME, &[said::<real_time::OverlappingSections>]),
    (stuck::NAME, &[said::<stuck::Quiescent>]),
    (tokens::NAME, &[said::<tokens::SecondToken>, said::<tokens::CopiedToken>, said::<tokens::LostToken>]),
    (service::unique_ids::NAME, &[said::<service::unique_ids::SameId>]),
];

/// The names of the monitors, as they appear in violations.
pub const NAMES: [&str; MONITORS.len()] = {
    let (mut names, mut place) = ([""; MONITORS.len()], 0);
    while place < MONITORS.len() {
        names[place] = MONITORS[place].0;
        place += 1;
    }
    names
};

/// All monitors of a run.
#[derive(Debug)]
pub struct Monitors {
    above_channels: Option<AboveChannels>,
    resource: resource::ResourceMonitor,
    agreement: agreement::Agreement,
    leases: Leases,
    deserted: deserted::Deserted,
    interventions: interventions::Interventions,
    leaders: leaders::Leaders,
    capacity: capacity::Capacity,
    deadlocks: deadlocks::Deadlocks,
    livelock: livelock::Livelock,
    mutual_exclusion: mutual_exclusion::MutualExclusion,
    order: order::Order,
    progress: progress::Progress,
    real_time: real_time::RealTime,
    service: service::ServiceMonitor,
    stuck: stuck::Stuck,
    tokens: tokens::Tokens,
}

impl Monitors {
    /// Returns the monitors before the first event.
    #[must_use]
    pub fn new(specification: &Specification) -> Self {
        Self {
            above_channels: AboveChannels::new(specification),
            resource: resource::ResourceMonitor::new(specification),
            agreement: agreement::Agreement::new(specification),
            deserted: deserted::Deserted::new(specification),
            interventions: interventions::Interventions::new(specification),
            leases: Leases::of(specification),
            leaders: leaders::Leaders::new(specification),
            capacity: capacity::Capacity::new(specification),
            deadlocks: deadlocks::Deadlocks::new(specification),
            livelock: livelock::Livelock::new(specification.nodes),
            mutual_exclusion: mutual_exclusion::MutualExclusion::new(specification.nodes),
            order: order::Order::new(specification),
            progress: progress::Progress::new(specification),
            real_time: real_time::RealTime::new(specification.nodes),
            service: service::ServiceMonitor::default(),
            stuck: stuck::Stuck::default(),
            tokens: tokens::Tokens::new(specification),
        }
    }

    /// Sets whether the event stream contains the messages of the run [default: true]. Without messages, the
    /// monitors cannot compute happened-before, so they report no violation for sections that followed each other.
    pub fn set_causal(&mut self, is_causal: bool) {
        self.mutual_exclusion.set_causal(is_causal);
    }

    /// Processes the next event. Appends the violations that the event shows to `found`.
    pub fn observe(&mut self, event: &Event, found: &mut Vec<Violation>) {
        if !self.leases.admit(&event.what) {
            return;
        }
        self.interventions.observe(event);
        match self.above_channels.take() {
            None => self.judge(event, found),
            Some(mut above_channels) => {
                // The channel hides that the network drops a copy at a crashed receiver, since the channel may send
                // the message again. The crashed incarnation never handles the message, so this monitor needs the
                // event.
                self.mutual_exclusion.came_too_late(event);
                above_channels.follow(event, |event| self.judge(event, found));
                self.above_channels = Some(above_channels);
            }
        }
    }

    /// Passes an event above the channels to the monitors. Most events are exchanges of messages, which many monitors
    /// ignore.
    fn judge(&mut self, event: &Event, found: &mut Vec<Violation>) {
        let is_message = event.what.is_exchange();
        if !is_message {
            self.resource.observe(event, found);
        }
        self.agreement.observe(event, &self.interventions, found);
        if !is_message {
            self.capacity.observe(event, found);
        }
        if is_message || !self.capacity.is_shared(event) {
            self.mutual_exclusion.observe(event, found);
            self.real_time.observe(event, found);
        }
        self.deadlocks.observe(event, &self.interventions, found);
        if !is_message {
            self.livelock.observe(event, &self.interventions, found);
        }
        self.tokens.observe(event, found);
        if !is_message {
            self.leaders.observe(event, &self.interventions, found);
        }
        self.order.observe(event, found);
        self.progress.observe(event, &self.interventions, found);
        if !is_message {
            self.service.observe(event, found);
            self.deserted.observe(event, &self.interventions, found);
        }
    }

    /// Returns whether the specification plans an act that has not happened yet.
    #[must_use]
    pub fn is_act_to_come(&self) -> bool {
        self.interventions.is_act_to_come()
    }

    /// Calls the monitors that judge a run between steps, for example whether it is stuck and whether elections ended
    /// well. When this function is called, `state` must include all known events. For `pending_inputs` see
    /// [`State::verdict`].
    pub fn settle(&mut self, state: &State, pending_inputs: usize, found: &mut Vec<Violation>) {
        self.tokens.settle(found);
        self.agreement.settle(state, pending_inputs, &self.interventions, found);
        self.leaders.settle(state, pending_inputs, &self.interventions, found);
        self.deadlocks.settle(state, pending_inputs, found);
        found.extend(self.stuck.settle(state, pending_inputs));
    }
}
