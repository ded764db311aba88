//! What must be true of every state.

use std::collections::{BTreeMap, BTreeSet};

use interlock_algorithm::{Entry, NodeId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::system::System;
use interlock_model::listed;
use interlock_observation::monitor::known_leader::{Voter, bad_end};

/// What is looked for in every state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Property {
    /// No more are in the section of a lock than it has units (ME1).
    MutualExclusion,
    /// Nobody waits where nothing can happen any more but what nobody owes: a request, a fault.
    NobodyStuck,
    /// From everywhere there is a way, without faults, to where nobody waits.
    WayOut,
    /// No two are taken for the coordinator of the same term.
    OneLeader,
    /// Where nothing can happen any more, all live processes take the same coordinator, who is alive, unless it has died
    /// and none of them has noticed that. See [`interlock_observation::monitor::leaders`].
    LeaderKnown,
    /// No two values are chosen in the same instance.
    OneValue,
    /// No acceptor accepts an older number than it has promised, in whichever of its lives (P1a).
    PromisesKept,
    /// No request is granted while one waits that happened before it, for the same lock (ORDER, by happened-before).
    Order,
    /// There is exactly one privilege.
    OnePrivilege,
    /// Once there is exactly one privilege there always is, and there is always at least one.
    Closure,
    /// Every schedule comes to exactly one privilege, from wherever it begins.
    Convergence,
    /// Once a request has arrived, others enter at most as often before it as there are others.
    BoundedBypass,
    /// Everybody who wants a lock gets it some day, if all happens some day that can happen throughout (weak fairness).
    StarvationFree,
}

impl listed::Item for Property {
    const NAME: &'static str = "properties";
    const EXAMPLE: &'static str = "mutual-exclusion,nobody-stuck";

    fn of_word(word: &str) -> Result<Self, listed::ItemError> {
        listed::known(word)
    }
}

/// Properties: a list, or a text such as `mutual-exclusion,nobody-stuck`.
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
    /// Self-stabilisation, looked for where it is asked for.
    pub const STABILISATION: [Self; 2] = [Self::Closure, Self::Convergence];

    /// What must be true of runs that begin as usual, whatever the algorithm.
    pub const ALL: [Self; 6] =
        [Self::MutualExclusion, Self::NobodyStuck, Self::WayOut, Self::OneLeader, Self::LeaderKnown, Self::OneValue];

    /// All that can be looked for.
    pub const EVERY: [Self; 13] = [
        Self::MutualExclusion,
        Self::NobodyStuck,
        Self::WayOut,
        Self::OneLeader,
        Self::LeaderKnown,
        Self::OneValue,
        Self::PromisesKept,
        Self::Order,
        Self::OnePrivilege,
        Self::Closure,
        Self::Convergence,
        Self::BoundedBypass,
        Self::StarvationFree,
    ];

    /// What must be true of a variant of an algorithm: the order of requests, too, if it promises to keep it.
    #[must_use]
    pub fn promised_by(entry: &Entry, variant: &str) -> Vec<Self> {
        let order = entry.keeps_order.contains(&variant).then_some(Self::Order);
        Self::ALL.into_iter().chain(order).collect()
    }

    /// Its name.
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
            Self::OnePrivilege => "one-privilege",
            Self::Closure => "closure",
            Self::Convergence => "convergence",
            Self::BoundedBypass => "bounded-bypass",
            Self::StarvationFree => "starvation-free",
        }
    }

    /// What it says, as a sentence.
    #[must_use]
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::MutualExclusion => "no more are in the section of a lock than it has units",
            Self::NobodyStuck => "nobody waits where nothing can happen any more",
            Self::WayOut => "from everywhere there is a way to where nobody waits",
            Self::OneLeader => "no two are taken for the coordinator of the same term",
            Self::LeaderKnown => {
                "in the end all know the same live coordinator, unless it has died and no election was called since"
            }
            Self::OneValue => "no two values are chosen",
            Self::PromisesKept => "nobody accepts an older number than it has promised",
            Self::Order => "no request is granted while one waits that happened before it",
            Self::OnePrivilege => "there is exactly one privilege",
            Self::Closure => "once there is exactly one privilege there always is, and there is always at least one",
            Self::Convergence => "every schedule comes to exactly one privilege",
            Self::BoundedBypass => "once a request has arrived, others enter before it once each at the most, in all",
            Self::StarvationFree => "who wants a lock gets it some day, if whatever can happen throughout happens",
        }
    }

    /// Whether it is about privileges, of which the algorithm must know.
    pub(super) const fn is_of_privileges(self) -> bool {
        matches!(self, Self::OnePrivilege | Self::Closure | Self::Convergence)
    }

    /// Whether it is broken in a state, which is all that has to be looked at.
    pub(super) fn is_broken(self, system: &System<'_>, state: &[u32]) -> bool {
        match self {
            Self::MutualExclusion => is_crowded(system, state),
            Self::OneLeader => has_two_leaders(system, state),
            Self::OneValue => has_two_values(system, state),
            Self::PromisesKept => system.facts(state).any(|facts| facts.broke_promise),
            Self::Order => is_out_of_order(system, state),
            Self::OnePrivilege => system.privileges(state) != Some(1),
            // What follows from a state has to be looked at, too.
            Self::NobodyStuck
            | Self::LeaderKnown
            | Self::WayOut
            | Self::Closure
            | Self::Convergence
            | Self::BoundedBypass
            | Self::StarvationFree => false,
        }
    }

    /// Whether it is broken in a state in which nothing is owed any more, and no timer is set that might help.
    pub(super) fn is_broken_at_rest(self, system: &System<'_>, state: &[u32]) -> bool {
        match self {
            Self::NobodyStuck => system.facts(state).any(|facts| facts.waiting),
            Self::LeaderKnown => has_lost_election(system, state),
            // The others are of every state, or of what follows from it.
            _ => false,
        }
    }
}

/// Whether the elections of a lock have ended badly.
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

/// Whether more are in the section of a lock than it has units.
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

/// Whether a request was granted while another for the same lock waits that had happened before it.
fn is_out_of_order(system: &System<'_>, state: &[u32]) -> bool {
    let requests =
        || (0..).map(NodeId).zip(system.facts(state)).filter_map(|(of, facts)| Some((of, facts.request.as_ref()?)));
    requests().any(|(_, request)| requests().any(|(of, other)| request.has_passed(of, other)))
}
