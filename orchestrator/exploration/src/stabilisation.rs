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

use std::ops::ControlFlow;

use serde::Serialize;

use super::component::Components;
use super::fairness;
use super::moves::Kind;
use super::part::Part;
use super::property::Property;
use super::search::{Progress, Search};
use super::{Judged, Measured};

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
    let components = Components::of(illegitimate.len(), |place| illegitimate.ways(place));
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
        most_steps: components.longest(|place| illegitimate.ways(place)),
    };
    Judged::Holds(Measured { stabilisation: Some(stabilisation), ..Measured::default() })
}

/// Looks at what follows from every state; ends with what breaks closure, if that is looked for.
fn look(
    search: &mut Search<'_, '_>,
    privileges: &[usize],
    for_closure: bool,
    goes_on: &mut dyn FnMut(&Progress) -> bool,
) -> ControlFlow<Judged, Part> {
    let numbers = (0_u32..).zip(privileges).filter(|(_, privileges)| **privileges != 1);
    let states: Vec<u32> = numbers.map(|(number, _)| number).collect();
    let mut illegitimate = Part::of(states);
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
        illegitimate.add_ways(places);
        if !following.iter().any(|(kind, _)| *kind == Kind::Owed) {
            illegitimate.rests_at(number);
        }
    }
    ControlFlow::Continue(illegitimate)
}

/// A circle among illegitimate states in which a schedule may stay for ever, as near to a beginning as any; its last place
/// is its first.
fn endless(search: &mut Search<'_, '_>, illegitimate: &Part, components: &Components) -> Option<Vec<u32>> {
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
