//! Checks starvation freedom: every process that wants a lock must eventually acquire it, if all owed events happen.
//! The check uses the states found by a search, and the transitions without faults.
//!
//! A process starves if it wants a lock without end and never acquires it. In such a run, either no owed event is left,
//! or the run follows a fair cycle: see [`fairness`]. Requests are never owed, but other processes may request again
//! and again in such a cycle.

#[cfg(test)]
mod tests;

use interlock_algorithm::{LockId, NodeId};

use super::component::Components;
use super::fairness;
use super::moves::{Kind, Move};
use super::property::Property;
use super::search::{Progress, Search};
use super::subgraph::Subgraph;
use super::{Judged, Measured};

/// Number of states between two calls of `goes_on`, which may end the check.
const BETWEEN_LOOKS: usize = 4_096;

/// Looks for a path on which a process starves, among the states that a search has found. Returns the shortest such
/// path over all processes and locks. A path to a cycle takes precedence over a path to a state at rest, because
/// the check `nobody-stuck` also finds states at rest.
pub(super) fn judge(
    search: &mut Search<'_, '_>,
    locks: u32,
    is_owed: impl Fn(Move, Kind) -> bool + Copy,
    goes_on: &mut dyn FnMut(&Progress) -> bool,
) -> Judged {
    let mut found: Option<(Vec<Vec<u32>>, Option<usize>)> = None;
    for node in NodeId::all(search.nodes()) {
        for lock in (0..locks).map(LockId) {
            let Some(part) = wanting(search, node, lock, is_owed, goes_on) else { return Judged::CutOff };
            let way = starves(search, &part, is_owed);
            found = found.into_iter().chain(way).min_by_key(|(way, again)| (again.is_none(), way.len()));
        }
    }
    found
        .map_or(Judged::Holds(Measured::default()), |(way, again)| Judged::Broken(Property::StarvationFree, way, again))
}

/// Returns the states in which this process wants this lock, and the edges on which the process does not acquire the
/// lock. If `goes_on` ends the check, returns none.
fn wanting(
    search: &mut Search<'_, '_>,
    node: NodeId,
    lock: LockId,
    is_owed: impl Fn(Move, Kind) -> bool,
    goes_on: &mut dyn FnMut(&Progress) -> bool,
) -> Option<Subgraph> {
    let numbers = (0_u32..).take(search.count());
    let mut part = Subgraph::of(numbers.filter(|&number| search.wants(number, node, lock)).collect());
    let mut following = Vec::new();
    for place in 0..part.len() {
        if place.is_multiple_of(BETWEEN_LOOKS) && !goes_on(&part.with(&search.progress)) {
            return None;
        }
        let number = part.states()[place];
        let had = search.has(number, node, lock);
        following.clear();
        search.follow(number, |happens, kind, to| following.push((happens, kind, to)));
        if !following.iter().any(|&(happens, kind, _)| is_owed(happens, kind)) {
            part.rests_at(number);
        }
        let known = following.iter().filter(|(_, kind, _)| *kind != Kind::Fault).filter_map(|&(_, _, to)| to);
        let stays = known.filter(|&to| search.has(to, node, lock) <= had);
        let places: Vec<u32> = stays.filter_map(|to| part.place(to)).collect();
        part.add_edges(places);
    }
    Some(part)
}

/// Returns a path to a cycle of this subgraph that a fair schedule may follow without end. No such cycle is closer
/// to an initial state. If there is none, returns a path to a state at rest.
fn starves(
    search: &mut Search<'_, '_>,
    part: &Subgraph,
    is_owed: impl Fn(Move, Kind) -> bool + Copy,
) -> Option<(Vec<Vec<u32>>, Option<usize>)> {
    let components = Components::of(part.len(), |place| part.edges(place));
    let nearest = |circle: &[u32]| circle.iter().copied().min().unwrap_or(0);
    let mut circles: Vec<(u32, &[u32])> = components.circles().map(|circle| (nearest(circle), circle)).collect();
    circles.sort_unstable_by_key(|(nearest, _)| *nearest);
    let found = circles.into_iter().find_map(|(nearest, circle)| {
        let inside = |place| components.are_together(nearest, place);
        let round = fairness::circle(search, part, nearest, circle, inside, is_owed)?;
        let (way, again) = part.lasso(search, &round);
        Some((way, Some(again)))
    });
    found.or_else(|| part.at_rest().map(|state| (search.way_to(state), None)))
}
