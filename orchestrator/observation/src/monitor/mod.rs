//! Monitors. Each monitor checks one property of a run on the stream of events.

mod activity;
pub mod agreement;
#[cfg(test)]
mod agreement_memory_tests;
mod announcements;
pub mod capacity;
#[cfg(test)]
mod causal_tests;
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
pub mod overtaking;
pub mod precedence;
pub mod progress;
pub mod queues;
pub mod real_time;
pub mod real_time_order;
#[cfg(test)]
mod real_time_tests;
pub mod resource;
pub mod sentence;
pub mod service;
#[cfg(test)]
mod service_tests;
#[cfg(test)]
mod simulated_tests;
pub mod stuck;
#[cfg(test)]
mod tests;
pub mod timestamp_order;
pub mod tokens;
pub mod waits;
#[cfg(test)]
mod withdrawal_tests;

pub use finding::Monitor;
pub(crate) use finding::names;
pub use sentence::of_violation as sentence;

use std::sync::LazyLock;

use self::finding::Property;
use self::interventions::Interventions;
use crate::above_channels::AboveChannels;
use crate::state::{Leases, State};
use interlock_model::event::{Event, Violation};
use interlock_model::specification::Specification;

/// Declares the monitors. They judge each event in this order.
macro_rules! monitors {
    ($($name:ident::$monitor:ident,)+) => {
        #[derive(Debug)]
        struct All {
            $($name: $name::$monitor,)+
        }

        impl All {
            const PROPERTIES: &'static [&'static [Property]] = &[$($name::$monitor::PROPERTIES,)+];

            fn new(specification: &Specification) -> Self {
                Self { $($name: $name::$monitor::new(specification),)+ }
            }

            fn observe(&mut self, event: &Event, interventions: &Interventions, found: &mut Vec<Violation>) {
                $(
                    if self.$name.reads(event, interventions) {
                        self.$name.observe(event, interventions, found);
                    }
                )+
            }

            fn settle(
                &mut self,
                state: &State,
                pending_inputs: usize,
                interventions: &Interventions,
                found: &mut Vec<Violation>,
            ) {
                $(self.$name.settle(state, pending_inputs, interventions, found);)+
            }
        }
    };
}

monitors! {
    resource::ResourceMonitor,
    agreement::Agreement,
    capacity::Capacity,
    mutual_exclusion::MutualExclusion,
    real_time::RealTime,
    deadlocks::Deadlocks,
    livelock::Livelock,
    tokens::Tokens,
    leaders::Leaders,
    order::Order,
    timestamp_order::TimestampOrder,
    real_time_order::RealTimeOrder,
    progress::Progress,
    service::ServiceMonitor,
    deserted::Deserted,
    stuck::Stuck,
}

/// The names of the properties, as they appear in violations. Errors give the first one as an example. The others are
/// in alphabetical order.
pub static NAMES: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let mut names: Vec<&str> = All::PROPERTIES.iter().copied().flatten().map(|(name, _)| *name).collect();
    names[1..].sort_unstable();
    names.dedup();
    names
});

/// Returns the codes of all kinds of violations.
#[cfg(test)]
pub fn codes() -> impl Iterator<Item = &'static str> {
    All::PROPERTIES.iter().copied().flatten().flat_map(|(_, kinds)| *kinds).map(|(code, _)| *code)
}

/// All monitors of a run.
#[derive(Debug)]
pub struct Monitors {
    above_channels: Option<AboveChannels>,
    leases: Leases,
    interventions: Interventions,
    all: All,
}

impl Monitors {
    /// Returns the monitors before the first event.
    #[must_use]
    pub fn new(specification: &Specification) -> Self {
        Self {
            above_channels: AboveChannels::new(specification),
            leases: Leases::of(specification),
            interventions: Interventions::new(specification),
            all: All::new(specification),
        }
    }

    /// Sets whether the event stream contains the messages of the run [default: true]. Without messages, the
    /// monitors cannot compute happened-before, so they report no violation for sections that followed each other.
    pub fn set_causal(&mut self, is_causal: bool) {
        self.all.mutual_exclusion.set_causal(is_causal);
    }

    /// Processes the next event. Appends the violations that the event shows to `found`.
    #[inline(always)]
    pub fn observe(&mut self, event: &Event, found: &mut Vec<Violation>) {
        if !self.leases.admit(&event.what) {
            return;
        }
        let Self { above_channels, interventions, all, .. } = self;
        interventions.observe(event);
        match above_channels {
            None => all.observe(event, interventions, found),
            Some(above_channels) => {
                // The channel hides that the network drops a copy at a crashed receiver, since it may send the message
                // again. The crashed incarnation never handles the message, so this monitor needs the event.
                all.mutual_exclusion.came_too_late(event);
                above_channels.follow(event, |event| all.observe(event, interventions, found));
            }
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
        self.all.settle(state, pending_inputs, &self.interventions, found);
    }
}
