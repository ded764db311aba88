//! Checks whether all schedules from every initial state reach exactly one privilege and keep it. Dijkstra (1974)
//! calls such a system *self-stabilising*. The check uses all states found by a search, and the transitions without
//! faults.
//!
//! A configuration with exactly one privilege is *legitimate*.
//!
//! - Closure: every successor of a legitimate configuration is legitimate, and every configuration has at least one
//!   privilege.
//! - Convergence: no schedule stays in illegitimate configurations. A schedule that stays in illegitimate
//!   configurations comes to rest or follows a cycle. With composite atomicity every cycle counts, because a daemon
//!   need not be fair. With messages, a cycle counts only if it is fair: see [`fairness`].

#[cfg(test)]
mod tests;

use std::ops::ControlFlow;

use serde::Serialize;

use super::component::Components;
use super::fairness;
use super::moves::Kind;
use super::property::Property;
use super::search::{Progress, Search};
use super::subgraph::Subgraph;
use super::{Judged, Measured};

/// Number of states between two calls of `goes_on`, which may end the check.
const BETWEEN_LOOKS: usize = 4_096;

/// Measurement of stabilisation: the numbers of configurations, and the steps until there is exactly one privilege.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Stabilisation {
    /// Number of configurations with exactly one privilege.
    pub legitimate: u64,
    /// Number of configurations with any other number of privileges.
    pub illegitimate: u64,
    /// Maximum number of steps, over all initial states and schedules, to reach exactly one privilege. None if there is
    /// no maximum. If convergence holds, only unfair schedules can then delay stabilisation without limit.
    pub most_steps: Option<u32>,
}

/// Checks these properties in the graph of all states. The search must have found all states, and no violation in a
/// single state.
pub(super) fn judge(
    search: &mut Search<'_, '_>,
    properties: &[Property],
    goes_on: &mut dyn FnMut(&Progress) -> bool,
) -> Judged {
    let privileges: Vec<usize> = (0..search.count()).map(|state| search.privileges(state).unwrap_or(0)).collect();
    let looked = look(search, &privileges, properties.contains(&Property::Closure), goes_on);
    let illegitimate = match looked {
        ControlFlow::Continue(illegitimate) => illegitimate,
        ControlFlow::Break(judged) => return judged,
    };
    let components = Components::of(illegitimate.len(), |place| illegitimate.edges(place));
    if properties.contains(&Property::Convergence) {
        if let Some(state) = illegitimate.at_rest() {
            return Judged::Broken(Property::Convergence, search.way_to(state), None);
        }
        if let Some(circle) = endless(search, &illegitimate, &components) {
            let (way, again) = illegitimate.lasso(search, &circle);
            return Judged::Broken(Property::Convergence, way, Some(again));
        }
    }
    let stabilisation = Stabilisation {
        legitimate: (privileges.len() - illegitimate.len()) as u64,
        illegitimate: illegitimate.len() as u64,
        most_steps: components.longest(|place| illegitimate.edges(place)),
    };
    Judged::Holds(Measured { stabilisation: Some(stabilisation), ..Measured::default() })
}

/// Examines the successors of every state, and returns the subgraph of the illegitimate states. If closure is
/// checked and violated, returns the violation instead.
fn look(
    search: &mut Search<'_, '_>,
    privileges: &[usize],
    for_closure: bool,
    goes_on: &mut dyn FnMut(&Progress) -> bool,
) -> ControlFlow<Judged, Subgraph> {
    let numbers = (0_u32..).zip(privileges).filter(|(_, privileges)| **privileges != 1);
    let states: Vec<u32> = numbers.map(|(number, _)| number).collect();
    let mut illegitimate = Subgraph::of(states);
    let mut following = Vec::new();
    for (number, &count) in (0_u32..).zip(privileges) {
        if (number as usize).is_multiple_of(BETWEEN_LOOKS) && !goes_on(&search.progress) {
            return ControlFlow::Break(Judged::CutOff);
        }
        if for_closure && count == 0 {
            return ControlFlow::Break(Judged::Broken(Property::Closure, search.way_to(number), None));
        }
        if count == 1 && !for_closure {
            continue;
        }
        following.clear();
        search.follow(number, |_, kind, to| following.extend(to.map(|to| (kind, to))));
        following.retain(|(kind, _)| *kind != Kind::Fault);
        let mut wrong = following.iter().map(|&(_, to)| to).filter(|&to| privileges[to as usize] != 1);
        if count == 1 {
            if let Some(to) = wrong.next() {
                let mut way = search.way_to(number);
                way.push(search.state(to as usize).to_vec());
                return ControlFlow::Break(Judged::Broken(Property::Closure, way, None));
            }
            continue;
        }
        let places: Vec<u32> = wrong.filter_map(|to| illegitimate.place(to)).collect();
        illegitimate.add_edges(places);
        if !following.iter().any(|(kind, _)| *kind == Kind::Owed) {
            illegitimate.rests_at(number);
        }
    }
    ControlFlow::Continue(illegitimate)
}

/// Returns a cycle of illegitimate states that a schedule may follow without end. No such cycle is closer to an
/// initial state. The last index of the cycle equals the first.
fn endless(search: &mut Search<'_, '_>, illegitimate: &Subgraph, components: &Components) -> Option<Vec<u32>> {
    let nearest = |circle: &[u32]| circle.iter().copied().min().unwrap_or(0);
    let mut circles: Vec<(u32, &[u32])> = components.circles().map(|circle| (nearest(circle), circle)).collect();
    circles.sort_unstable_by_key(|(nearest, _)| *nearest);
    let is_fair = !search.is_instantaneous();
    circles.into_iter().find_map(|(nearest, circle)| {
        let inside = |place| components.are_together(nearest, place);
        if is_fair {
            return fairness::circle(search, illegitimate, nearest, circle, inside, fairness::is_owed);
        }
        illegitimate.way(nearest, inside, |_, to| to == nearest)
    })
}
