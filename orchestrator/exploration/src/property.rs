//! The properties of a state and of the state graph that an exploration checks.

use std::collections::{BTreeMap, BTreeSet};

use interlock_algorithm::{Entry, NodeId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::marks::Marks;
use super::system::System;
use interlock_model::listed;
use interlock_observation::monitor::known_leader::{Voter, bad_end};

/// A property that an exploration checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Property {
    /// The critical section of a lock contains no more processes than the lock has units (ME1).
    MutualExclusion,
    /// No process waits in a state in which only requests and faults are possible.
    NobodyStuck,
    /// From every state, a path without faults leads to a state in which no process waits.
    WayOut,
    /// No two processes are accepted as coordinators of the same term.
    OneLeader,
    /// In a state in which nothing can happen, all live processes accept the same live coordinator. Exception: the
    /// coordinator has crashed, and no live process has noticed the crash. See
    /// [`interlock_observation::monitor::leaders`].
    LeaderKnown,
    /// No two values are chosen in the same instance.
    OneValue,
    /// No acceptor accepts a ballot with a lower number than it has promised, in any of its incarnations (P1a).
    PromisesKept,
    /// No request is granted while an earlier request for the same lock waits (ORDER). A request is earlier than
    /// another if it happened before the other in Lamport's sense.
    Order,
    /// No request is granted while a request for the same lock with a smaller timestamp waits (FIFO fairness).
    TimestampOrder,
    /// There is exactly one privilege.
    OnePrivilege,
    /// There is always at least one privilege. Once there is exactly one privilege, all later states have exactly
    /// one privilege.
    Closure,
    /// Every schedule from every initial state reaches exactly one privilege.
    Convergence,
    /// After a request has arrived, other processes enter before it at most as many times as there are other
    /// processes.
    BoundedBypass,
    /// Every process that wants a lock eventually acquires it under weak fairness: an event that remains possible
    /// eventually happens.
    StarvationFree,
}

impl listed::Item for Property {
    const NAME: &'static str = "properties";
    const EXAMPLE: &'static str = "mutual-exclusion,nobody-stuck";

    fn of_word(word: &str) -> Result<Self, listed::ItemError> {
        listed::known(word)
    }
}

/// A set of properties, as a list or as a text such as `mutual-exclusion,nobody-stuck`.
#[derive(Clone, Debug, ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only the OpenAPI document tells of it")]
pub(super) enum Properties {
    /// A list.
    List(Vec<Property>),
    /// A text.
    Text(String),
}

impl Property {
    /// The properties of self-stabilisation. They are the default if processes begin in unusual states or are
    /// corrupted.
    pub const STABILISATION: [Self; 2] = [Self::Closure, Self::Convergence];

    /// The properties that are checked by default in runs with the usual initial states, for all algorithms.
    pub const ALL: [Self; 6] =
        [Self::MutualExclusion, Self::NobodyStuck, Self::WayOut, Self::OneLeader, Self::LeaderKnown, Self::OneValue];

    /// All properties.
    pub const EVERY: [Self; 14] = [
        Self::MutualExclusion,
        Self::NobodyStuck,
        Self::WayOut,
        Self::OneLeader,
        Self::LeaderKnown,
        Self::OneValue,
        Self::PromisesKept,
        Self::Order,
        Self::TimestampOrder,
        Self::OnePrivilege,
        Self::Closure,
        Self::Convergence,
        Self::BoundedBypass,
        Self::StarvationFree,
    ];

    /// Returns the properties that a variant of an algorithm promises. The order of requests is included only if the
    /// variant promises it.
    #[must_use]
    pub fn promised_by(entry: &Entry, variant: &str) -> Vec<Self> {
        let order = entry.keeps_order.contains(&variant).then_some(Self::Order);
        Self::ALL.into_iter().chain(order).collect()
    }

    /// Returns the name of the property.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::MutualExclusion => "mutual-exclusion",
            Self::NobodyStuck => "nobody-stuck",
            Self::WayOut => "way-out",
            Self::OneLeader => "one-leader",
            Self::LeaderKnown => "leader-known",
            Self::OneValue => "one-value",
            Self::PromisesKept => "promises-kept",
            Self::Order => "order",
            Self::TimestampOrder => "timestamp-order",
            Self::OnePrivilege => "one-privilege",
            Self::Closure => "closure",
            Self::Convergence => "convergence",
            Self::BoundedBypass => "bounded-bypass",
            Self::StarvationFree => "starvation-free",
        }
    }

    /// Returns the statement of the property, as a sentence.
    #[must_use]
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::MutualExclusion => "no more processes are in the critical section of a lock than it has units",
            Self::NobodyStuck => "no process waits in a state in which nothing can happen",
            Self::WayOut => "from every state, a state is reachable in which no process waits",
            Self::OneLeader => "no two processes are considered the coordinator of the same term",
            Self::LeaderKnown => {
                "in the end all live processes know the same live coordinator, unless it has crashed, and since then \
                 no live process has suspected it or called an election"
            }
            Self::OneValue => "no two values are chosen",
            Self::PromisesKept => "no process accepts an older number than it has promised",
            Self::Order => "no request is granted while one waits that happened before it",
            Self::TimestampOrder => "no request is granted while one with a smaller timestamp waits",
            Self::OnePrivilege => "there is exactly one privilege",
            Self::Closure => {
                "once there is exactly one privilege, there is always exactly one; and there is always at least one"
            }
            Self::Convergence => "every schedule reaches exactly one privilege",
            Self::BoundedBypass => "once a request has arrived, each other process enters before it at most once",
            Self::StarvationFree => {
                "each process that requests a lock gets it eventually, if all that is continuously possible happens"
            }
        }
    }

    /// Returns whether the property concerns privileges, which the algorithm must define.
    pub(super) const fn is_of_privileges(self) -> bool {
        matches!(self, Self::OnePrivilege | Self::Closure | Self::Convergence)
    }

    /// Returns marks of which a state must have at least one to violate the property. If no single state can violate
    /// the property, returns no marks.
    pub(super) const fn marks(self) -> Marks {
        match self {
            // Each lock has at least one unit, so one process in one critical section is never too many.
            Self::MutualExclusion => Marks::SEVERAL_INSIDE,
            Self::OneLeader => Marks::ELECTION,
            Self::OneValue => Marks::DECIDED,
            Self::PromisesKept => Marks::BROKEN_PROMISE,
            Self::Order => Marks::REQUEST,
            Self::TimestampOrder => Marks::OVERTOOK,
            Self::OnePrivilege => Marks::ANY_STATE,
            Self::NobodyStuck
            | Self::LeaderKnown
            | Self::WayOut
            | Self::Closure
            | Self::Convergence
            | Self::BoundedBypass
            | Self::StarvationFree => Marks::NONE,
        }
    }

    /// Returns whether the state violates the property by itself. If only several states together can violate the
    /// property, returns false.
    pub(super) fn is_broken(self, system: &System<'_>, state: &[u32]) -> bool {
        match self {
            Self::MutualExclusion => is_crowded(system, state),
            Self::OneLeader => has_two_leaders(system, state),
            Self::OneValue => has_two_values(system, state),
            Self::PromisesKept => system.facts(state).any(|facts| facts.broke_promise),
            Self::Order => is_out_of_order(system, state),
            Self::TimestampOrder => system.facts(state).any(|facts| facts.overtook),
            Self::OnePrivilege => system.privileges(state) != Some(1),
            // Whether these properties are violated also depends on the states that follow.
            Self::NobodyStuck
            | Self::LeaderKnown
            | Self::WayOut
            | Self::Closure
            | Self::Convergence
            | Self::BoundedBypass
            | Self::StarvationFree => false,
        }
    }

    /// Returns whether a state at rest violates the property. A state at rest has no owed events, and no set timer
    /// that might let processes make progress.
    pub(super) fn is_broken_at_rest(self, system: &System<'_>, state: &[u32]) -> bool {
        match self {
            Self::NobodyStuck => system.facts(state).any(|facts| facts.waiting),
            Self::LeaderKnown => has_lost_election(system, state),
            // The other properties are checked in every state, or depend on the states that follow.
            _ => false,
        }
    }
}

/// Returns whether the elections of some lock have ended without a coordinator that all live processes accept.
fn has_lost_election(system: &System<'_>, state: &[u32]) -> bool {
    let locks: BTreeSet<_> =
        system.facts(state).flat_map(|facts| facts.elections.iter().map(|voting| voting.lock)).collect();
    locks.into_iter().any(|lock| {
        let voters = system.facts(state).map(|facts| {
            let voting = facts.elections.iter().find(|voting| voting.lock == lock);
            let none = Voter { is_alive: facts.alive, ..Voter::default() };
            voting.map_or(none, |voting| voting.voter(facts.alive, facts.suspects))
        });
        bad_end(&voters.collect::<Vec<_>>()).is_some()
    })
}

/// Returns whether the critical section of a lock contains more processes than the lock has units.
fn is_crowded(system: &System<'_>, state: &[u32]) -> bool {
    let inside = || system.facts(state).flat_map(|facts| facts.inside.iter().copied());
    inside().any(|lock| system.capacities().are_exceeded(lock, inside().filter(|&other| other == lock).count()))
}

fn has_two_leaders(system: &System<'_>, state: &[u32]) -> bool {
    let mut leaders = BTreeMap::new();
    let votings = system.facts(state).flat_map(|facts| &facts.elections);
    let mut known = votings.filter_map(|voting| voting.takes.map(|(term, leader)| (voting.lock, term, leader)));
    known.any(|(lock, term, leader)| *leaders.entry((lock, term)).or_insert(leader) != leader)
}

fn has_two_values(system: &System<'_>, state: &[u32]) -> bool {
    let mut values = BTreeMap::new();
    let mut known = system.facts(state).flat_map(|facts| &facts.decided);
    known.any(|(instance, value)| *values.entry(*instance).or_insert(value) != value)
}

/// Returns whether a request is granted while another request waits for the same lock and happened before it.
fn is_out_of_order(system: &System<'_>, state: &[u32]) -> bool {
    let requests =
        || (0..).map(NodeId).zip(system.facts(state)).filter_map(|(of, facts)| Some((of, facts.request.as_ref()?)));
    requests().any(|(_, request)| requests().any(|(of, other)| request.has_passed(of, other)))
}
