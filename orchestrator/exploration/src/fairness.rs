//! Which circles a weakly fair schedule may go round for ever: what can happen throughout a circle happens in it.
//!
//! What can happen is a message to a process (which goes on to be under way until it is taken), or something that a process
//! does by itself: this timer runs out, this section is left. Nobody owes a request or a fault. Where several things lead
//! from one state to the next, a schedule that goes round for ever does one in this round and another in the next.

use std::collections::HashSet;

use interlock_algorithm::NodeId;

use super::moves::{Kind, Move};
use super::part::Part;
use super::search::Search;
use interlock_model::choice::Choice;

/// Something that is owed.
#[derive(Clone, Debug, PartialEq)]
enum Owed {
    /// This message is taken by a node.
    Message(NodeId, u32),
    /// A node does this by itself.
    Act(Choice),
}

/// Whether something happens some day if it can throughout: all that nobody has to ask for and that is no fault.
pub(super) fn is_owed(_: Move, kind: Kind) -> bool {
    kind == Kind::Owed
}

/// What is owed in a state of a part, and to which other of them it leads.
fn owed(
    search: &mut Search<'_, '_>,
    part: &Part,
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

/// A circle through a strongly connected component, from the given place and back, that a weakly fair schedule may go round
/// for ever; none if there is none. If any part of the component has one, so has all of it.
pub(super) fn circle(
    search: &mut Search<'_, '_>,
    part: &Part,
    first: u32,
    component: &[u32],
    inside: impl Fn(u32) -> bool,
    is_owed: impl Fn(Move, Kind) -> bool + Copy,
) -> Option<Vec<u32>> {
    // What can happen everywhere and leads nowhere inside is soon found; a tour would look in vain, and for longer.
    let mut neglected: Vec<Owed> = owed(search, part, first, is_owed).into_iter().map(|(owed, _)| owed).collect();
    let all = neglected.clone();
    for &place in component {
        let here = owed(search, part, place, is_owed);
        neglected.retain(|owed| {
            let mut ways = here.iter().filter(|(other, _)| other == owed).peekable();
            ways.peek().is_some() && !ways.any(|(_, to)| to.is_some_and(&inside))
        });
        if neglected.is_empty() {
            return tour(search, part, first, &all, inside, is_owed);
        }
    }
    None
}

/// A way from a place and back on which each of these is done somewhere, or cannot be.
fn tour(
    search: &mut Search<'_, '_>,
    part: &Part,
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
