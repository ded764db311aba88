//! Determines which cycles a weakly fair schedule may follow without end. If an event is possible in all states of
//! such a cycle, the event must also occur in the cycle.
//!
//! Two kinds of events are owed: the delivery of a message, and a local step of a process, such as a timer or a
//! release. A message stays in transit until its delivery. Requests and faults are never owed. If several events
//! lead from one state to the next, an infinite schedule can execute a different event in each repetition of the
//! cycle.

use std::collections::HashSet;

use interlock_algorithm::NodeId;

use super::moves::{Kind, Move};
use super::search::Search;
use super::subgraph::Subgraph;
use interlock_model::choice::Choice;

/// An owed event.
#[derive(Clone, Debug, PartialEq)]
enum Owed {
    /// The node receives this message.
    Message(NodeId, u32),
    /// A process takes the local step that the given action of a schedule executes.
    Act(Choice),
}

/// Returns whether a move is owed, which means that it eventually happens if it remains possible. All moves except
/// requests and faults are owed.
pub(super) fn is_owed(_: Move, kind: Kind) -> bool {
    kind == Kind::Owed
}

/// Returns the owed events of the state at index `place` of a subgraph. Each event comes with the index of the next
/// state, if that state is in the subgraph.
fn owed(
    search: &mut Search<'_, '_>,
    part: &Subgraph,
    place: u32,
    is_owed: impl Fn(Move, Kind) -> bool,
) -> Vec<(Owed, Option<u32>)> {
    let number = part.state(place);
    let state = search.state(number as usize).to_vec();
    let mut all = Vec::new();
    search.follow(number, |happens, kind, to| {
        if is_owed(happens, kind) {
            all.push((happens, to));
        }
    });
    let named = all.into_iter().filter_map(|(happens, to)| {
        let owed = match happens {
            Move::Deliver(node, message) => Owed::Message(node, message),
            Move::Act(node, place) => Owed::Act(search.choice(&state, node, place)?),
            Move::Lose(..) | Move::Copy(..) | Move::Together(_) => return None,
        };
        Some((owed, to.and_then(|to| part.place(to))))
    });
    named.collect()
}

/// Returns a cycle through a strongly connected component, from index `first`, that a weakly fair schedule may follow
/// without end. If there is no such cycle, returns none. It is enough to examine whole components: if a subset of a
/// component has such a cycle, the component also has such a cycle.
pub(super) fn circle(
    search: &mut Search<'_, '_>,
    part: &Subgraph,
    first: u32,
    component: &[u32],
    inside: impl Fn(u32) -> bool,
    is_owed: impl Fn(Move, Kind) -> bool + Copy,
) -> Option<Vec<u32>> {
    // If an event is possible in every state but always leads out of the component, there is no fair cycle. This
    // test is faster than a search for a tour that does not exist.
    let mut neglected: Vec<Owed> = owed(search, part, first, is_owed).into_iter().map(|(owed, _)| owed).collect();
    let all = neglected.clone();
    for &place in component {
        let here = owed(search, part, place, is_owed);
        neglected.retain(|owed| {
            let mut edges = here.iter().filter(|(other, _)| other == owed).peekable();
            edges.peek().is_some() && !edges.any(|(_, to)| to.is_some_and(&inside))
        });
        if neglected.is_empty() {
            return tour(search, part, first, &all, inside, is_owed);
        }
    }
    None
}

/// Returns a path that begins and ends at index `first`. Each of these events either happens on the path, or is
/// impossible in a state on the path.
fn tour(
    search: &mut Search<'_, '_>,
    part: &Subgraph,
    first: u32,
    all: &[Owed],
    inside: impl Fn(u32) -> bool,
    is_owed: impl Fn(Move, Kind) -> bool + Copy,
) -> Option<Vec<u32>> {
    let mut tour = vec![first];
    let mut settled: HashSet<usize> = HashSet::new();
    for (number, wanted) in all.iter().enumerate() {
        if settled.contains(&number) {
            continue;
        }
        let from = tour[tour.len() - 1];
        let settles = |search: &mut Search<'_, '_>, wanted: &Owed, at: u32, to: u32| {
            let takes = owed(search, part, at, is_owed).iter().any(|(owed, next)| owed == wanted && *next == Some(to));
            takes || !owed(search, part, to, is_owed).iter().any(|(owed, _)| owed == wanted)
        };
        let way = part.way(from, &inside, |at, to| settles(search, wanted, at, to))?;
        for pair in way.windows(2) {
            let also = all.iter().enumerate().filter(|(_, owed)| settles(search, owed, pair[0], pair[1]));
            settled.extend(also.map(|(number, _)| number).collect::<Vec<_>>());
        }
        tour.extend(way.into_iter().skip(1));
    }
    if tour.len() == 1 || tour.last() != Some(&first) {
        let from = tour[tour.len() - 1];
        let back = part.way(from, &inside, |_, to| to == first)?;
        tour.extend(back.into_iter().skip(1));
    }
    Some(tour)
}
