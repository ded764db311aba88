//! Measures how often other processes enter before a waiting process: the maximum over all schedules. Bounded bypass
//! is violated if, after the request has arrived, there are more such entries than other processes.
//!
//! The check uses the graph of all states. For each process and lock, it examines the states in which the process
//! waits. The number of entries on each edge is known, so states need no counter. Clients make a limited number of
//! requests, also after aborts. Therefore no cycle contains an entry, and the same maximum number of entries can follow
//! each state of a strongly connected component.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use interlock_algorithm::{LockId, NodeId};
use serde::Serialize;

use super::component::Components;
use super::moves::{Kind, Move};
use super::property::Property;
use super::search::{Progress, Search};
use super::subgraph::Subgraph;
use super::{Judged, Measured};

/// Number of states between two calls of `goes_on`, which may end the check.
const BETWEEN_LOOKS: usize = 4_096;

/// Maximum number of times that other processes enter while a process waits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Bypass {
    /// Maximum, counted from the arrival of the request.
    pub since_arrival: u32,
    /// Maximum, counted from the request itself.
    pub since_request: u32,
}

impl Bypass {
    const fn max(self, other: Self) -> Self {
        let since_arrival = if other.since_arrival > self.since_arrival { other } else { self }.since_arrival;
        let since_request = if other.since_request > self.since_request { other } else { self }.since_request;
        Self { since_arrival, since_request }
    }
}

/// Index of a state in the subgraph, and the number of entries on the path to the state.
type Counted = (u32, u32);

/// The states in which a process waits for a lock, and the entries of other processes on each edge between these
/// states.
struct Wait {
    part: Subgraph,
    /// For each edge, the number of all entries of other processes, and the number of these entries after the arrival
    /// of the request.
    entries: Vec<Bypass>,
}

/// Determines the maximum over all processes and locks. If bounded bypass is violated, finds a shortest schedule
/// that violates it.
pub(super) fn judge(search: &mut Search<'_, '_>, locks: u32, goes_on: &mut dyn FnMut(&Progress) -> bool) -> Judged {
    let bound = search.nodes().saturating_sub(1);
    let (mut most, mut found) = (Bypass::default(), None::<Vec<u32>>);
    for node in NodeId::all(search.nodes()) {
        for lock in (0..locks).map(LockId) {
            let Some(wait) = waiting(search, node, lock, goes_on) else { return Judged::CutOff };
            let here = wait.most();
            most = most.max(here);
            if here.since_arrival > bound {
                let way = wait.shortest(search, bound + 1);
                found = found.into_iter().chain(way).min_by_key(Vec::len);
            }
        }
    }
    match found {
        Some(way) => Judged::Broken(Property::BoundedBypass, states(search, &way), None),
        None => Judged::Holds(Measured { bypass: Some(most), ..Measured::default() }),
    }
}

fn states(search: &Search<'_, '_>, way: &[u32]) -> Vec<Vec<u32>> {
    way.iter().map(|&number| search.state(number as usize).to_vec()).collect()
}

/// Returns the states in which this process waits for this lock. If `goes_on` ends the check, returns none.
fn waiting(
    search: &mut Search<'_, '_>,
    node: NodeId,
    lock: LockId,
    goes_on: &mut dyn FnMut(&Progress) -> bool,
) -> Option<Wait> {
    let numbers = (0_u32..).take(search.count());
    let part = Subgraph::of(numbers.filter(|&number| search.waits(number, node, lock).is_some()).collect());
    let mut wait = Wait { part, entries: Vec::new() };
    let mut following = Vec::new();
    for place in 0..wait.part.len() {
        if place.is_multiple_of(BETWEEN_LOOKS) && !goes_on(&wait.part.with(&search.progress)) {
            return None;
        }
        let number = wait.part.states()[place];
        let request = search.waits(number, node, lock);
        let arrived = search.has_arrived(number, node, lock);
        following.clear();
        search.follow(number, |happens, kind, to| {
            following.extend(to.filter(|_| kind != Kind::Fault).map(|to| (happens, to)));
        });
        following.retain(|&(_, to)| search.waits(to, node, lock) == request);
        for &(happens, to) in &following {
            let entries = search.entries(number, to, node, lock);
            // One delivery may complete the arrival of the request and also let the receiver enter. Such an entry
            // counts as an entry after the arrival.
            let counts = (arrived || matches!(happens, Move::Deliver(..))) && search.has_arrived(to, node, lock);
            let entries = u32::try_from(entries).unwrap_or(u32::MAX);
            wait.entries.push(Bypass { since_request: entries, since_arrival: if counts { entries } else { 0 } });
        }
        let places: Vec<u32> = following.iter().filter_map(|&(_, to)| wait.part.place(to)).collect();
        wait.part.add_edges(places);
    }
    Some(wait)
}

impl Wait {
    /// Returns the edges from a state: for each edge, its target and the entries of other processes.
    fn edges(&self, from: u32) -> impl Iterator<Item = (u32, Bypass)> {
        let range = self.part.range(from);
        self.part.edges(from).iter().copied().zip(self.entries[range].iter().copied())
    }

    /// Returns the maximum number of entries of other processes on any path.
    fn most(&self) -> Bypass {
        let components = Components::of(self.part.len(), |place| self.part.edges(place));
        let mut ahead = vec![Bypass::default(); self.part.len()];
        // A component comes after the components to which its edges lead. So their maxima are already known.
        for component in components.all() {
            let mut most = Bypass::default();
            for (to, entries) in component.iter().flat_map(|&from| self.edges(from)) {
                let Bypass { since_arrival, since_request } = ahead[to as usize];
                most = most.max(Bypass {
                    since_arrival: since_arrival + entries.since_arrival,
                    since_request: since_request + entries.since_request,
                });
            }
            for &place in component {
                ahead[place as usize] = most;
            }
        }
        ahead.into_iter().fold(Bypass::default(), Bypass::max)
    }

    /// Returns a shortest path from an initial state on which other processes enter `entries` times after the
    /// arrival of the request.
    fn shortest(&self, search: &Search<'_, '_>, entries: u32) -> Option<Vec<u32>> {
        // The states that are still to be examined, grouped by their distance from an initial state. Each is stored
        // with its predecessor in the subgraph, or none if the path enters the subgraph at this state.
        let mut open: BTreeMap<usize, Vec<(Counted, Option<Counted>)>> = BTreeMap::new();
        for place in (0_u32..).take(self.part.len()) {
            open.entry(search.depth_of(self.part.state(place))).or_default().push(((place, 0), None));
        }
        let mut before: BTreeMap<Counted, Option<Counted>> = BTreeMap::new();
        while let Some((length, all)) = open.pop_first() {
            for (here, from) in all {
                if before.contains_key(&here) {
                    continue;
                }
                before.insert(here, from);
                let (place, entered) = here;
                if entered >= entries {
                    return Some(self.back(search, &before, here));
                }
                let next = self.edges(place).map(|(to, more)| (to, entered + more.since_arrival));
                let next = next.filter(|next| !before.contains_key(next)).map(|next| (next, Some(here)));
                open.entry(length + 1).or_default().extend(next);
            }
        }
        None
    }

    /// Returns the whole path from an initial state to `last`, as numbers of states.
    fn back(&self, search: &Search<'_, '_>, before: &BTreeMap<Counted, Option<Counted>>, last: Counted) -> Vec<u32> {
        let mut way = vec![self.part.state(last.0)];
        let mut at = last;
        while let Some(&Some(from)) = before.get(&at) {
            way.push(self.part.state(from.0));
            at = from;
        }
        let first = way.pop().unwrap_or_default();
        way.reverse();
        search.numbers_to(first).into_iter().chain(way).collect()
    }
}
