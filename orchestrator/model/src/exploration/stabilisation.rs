//! Whether all schedules come to exactly one privilege and keep it, whatever the beginning (Dijkstra 1974: such a system is
//! *self-stabilising*). Judged over all states that a search has found, and the ways between them without faults.
//!
//! *Legitimate* is a configuration with exactly one privilege.
//!
//! - Closure: what follows from a legitimate configuration is legitimate, and nowhere is there no privilege at all.
//! - Convergence: no schedule stays among illegitimate configurations. It would have to come to rest there, or go round in
//!   a circle. A daemon owes nobody anything, so with composite atomicity every circle counts. Over messages a circle
//!   counts if it is fair: see [`fairness`].

#[cfg(test)]
mod tests;

use std::collections::{HashMap, VecDeque};
use std::ops::ControlFlow;

use rustc_hash::FxBuildHasher;
use serde::Serialize;

use super::component::Components;
use super::fairness;
use super::property::Property;
use super::search::{Progress, Search};
use super::system::Kind;

/// How many states are looked at before it is asked whether to go on.
const BETWEEN_LOOKS: usize = 4_096;

/// How a run comes to exactly one privilege.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Stabilisation {
    /// In how many configurations there is exactly one.
    pub legitimate: u64,
    /// In how many there are more.
    pub illegitimate: u64,
    /// The greatest number of steps, over all beginnings and schedules, until there is exactly one. None if there is no
    /// such number: then only schedules that are not fair put it off for ever.
    pub most_steps: Option<u32>,
}

/// What came of looking.
pub(super) enum Judged {
    /// All is well.
    Stabilises(Stabilisation),
    /// A rule is broken by this way, whose last state is that of the given place again if it goes on for ever.
    Broken(Property, Vec<Vec<u32>>, Option<usize>),
    /// It was ended before all was looked at.
    CutOff,
}

/// The illegitimate states and the ways between them, without faults.
pub(super) struct Illegitimate {
    /// Their numbers among all states, in order.
    states: Vec<u32>,
    /// Where the ways from each begin in `ways`, and where those from the last end.
    firsts: Vec<usize>,
    /// The places in `states` to which ways lead.
    ways: Vec<u32>,
    /// The first state in which all may rest, if there is any.
    at_rest: Option<u32>,
}

impl Illegitimate {
    fn ways(&self, from: u32) -> &[u32] {
        &self.ways[self.firsts[from as usize]..self.firsts[from as usize + 1]]
    }

    /// The number of a state among all.
    pub fn state(&self, place: u32) -> u32 {
        self.states[place as usize]
    }

    /// The place of a state among these, if it is one of them.
    pub fn place(&self, state: u32) -> Option<u32> {
        self.states.binary_search(&state).ok().and_then(|place| u32::try_from(place).ok())
    }

    /// The shortest way from one to the first that will do, both included, by ways that may be gone; none if there is no
    /// such way. It has one step at least.
    pub fn way(
        &self,
        from: u32,
        is_open: impl Fn(u32) -> bool,
        mut will_do: impl FnMut(u32, u32) -> bool,
    ) -> Option<Vec<u32>> {
        let mut parents: HashMap<u32, u32, FxBuildHasher> = HashMap::default();
        let mut queue = VecDeque::from([from]);
        while let Some(at) = queue.pop_front() {
            for &to in self.ways(at).iter().filter(|to| is_open(**to)) {
                if will_do(at, to) {
                    let mut way = vec![to, at];
                    while way[way.len() - 1] != from {
                        way.push(parents[&way[way.len() - 1]]);
                    }
                    way.reverse();
                    return Some(way);
                }
                if to != from && !parents.contains_key(&to) {
                    parents.insert(to, at);
                    queue.push_back(to);
                }
            }
        }
        None
    }
}

/// Looks for what breaks these properties after a search that has found all states and nothing wrong with any.
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
    let components = Components::of(illegitimate.states.len(), |place| illegitimate.ways(place));
    if properties.contains(&Property::Convergence) {
        if let Some(state) = illegitimate.at_rest {
            return Judged::Broken(Property::Convergence, search.way_to(state), None);
        }
        if let Some(circle) = endless(search, &illegitimate, &components) {
            return lasso(search, &illegitimate, &circle);
        }
    }
    Judged::Stabilises(Stabilisation {
        legitimate: (privileges.len() - illegitimate.states.len()) as u64,
        illegitimate: illegitimate.states.len() as u64,
        most_steps: components.longest(|place| illegitimate.ways(place)),
    })
}

/// Looks at what follows from every state; ends with what breaks closure, if that is looked for.
fn look(
    search: &mut Search<'_, '_>,
    privileges: &[usize],
    for_closure: bool,
    goes_on: &mut dyn FnMut(&Progress) -> bool,
) -> ControlFlow<Judged, Illegitimate> {
    let numbers = (0_u32..).zip(privileges).filter(|(_, privileges)| **privileges != 1);
    let states: Vec<u32> = numbers.map(|(number, _)| number).collect();
    let mut illegitimate = Illegitimate { states, firsts: vec![0], ways: Vec::new(), at_rest: None };
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
        search.follow(number, |_, kind, to| following.push((kind, to)));
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
        illegitimate.ways.extend(places);
        illegitimate.firsts.push(illegitimate.ways.len());
        if !following.iter().any(|(kind, _)| *kind == Kind::Owed) {
            illegitimate.at_rest = illegitimate.at_rest.or(Some(number));
        }
    }
    ControlFlow::Continue(illegitimate)
}

/// A circle among illegitimate states in which a schedule may stay for ever, as near to a beginning as any; its last place
/// is its first.
fn endless(search: &mut Search<'_, '_>, illegitimate: &Illegitimate, components: &Components) -> Option<Vec<u32>> {
    let nearest = |circle: &[u32]| circle.iter().copied().min().unwrap_or(0);
    let mut circles: Vec<(u32, &[u32])> = components.circles().map(|circle| (nearest(circle), circle)).collect();
    circles.sort_unstable_by_key(|(nearest, _)| *nearest);
    let is_fair = !search.is_instantaneous();
    circles.into_iter().find_map(|(nearest, circle)| {
        let inside = |place| components.are_together(nearest, place);
        if is_fair {
            return fairness::circle(search, illegitimate, nearest, circle, inside);
        }
        illegitimate.way(nearest, inside, |_, to| to == nearest)
    })
}

/// The way to a circle, and once round.
fn lasso(search: &Search<'_, '_>, illegitimate: &Illegitimate, circle: &[u32]) -> Judged {
    let mut way = circle.first().map(|&first| search.way_to(illegitimate.state(first))).unwrap_or_default();
    let again = way.len().saturating_sub(1);
    let round = circle.iter().skip(1).map(|&place| search.state(illegitimate.state(place) as usize).to_vec());
    way.extend(round);
    Judged::Broken(Property::Convergence, way, Some(again))
}
