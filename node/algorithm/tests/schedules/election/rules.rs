//! The properties that every election algorithm must satisfy.

use std::collections::BTreeMap;

use interlock_algorithm::{Algorithm, NodeId, Outcome};
use interlock_model::choice::Choice;

use crate::driver::clients::{Client, listed};
use crate::driver::random::Rules;
use crate::driver::run::{Run, Verdict};
use crate::driver::watch::Happened;

/// A term, and the coordinator that a process accepts for this term. Beliefs are ordered by their terms first.
pub type Belief = (u64, NodeId);

/// Returns the belief of each process that is up, according to the latest report of its current incarnation.
pub fn beliefs<A: Algorithm>(run: &Run<'_, A>) -> BTreeMap<NodeId, Belief> {
    let mut beliefs = BTreeMap::new();
    for (node, what) in run.log().iter() {
        match what {
            Happened::Told(Outcome::Elected { leader, term, .. }) => drop(beliefs.insert(*node, (*term, *leader))),
            Happened::Crashed => drop(beliefs.remove(node)),
            _ => {}
        }
    }
    beliefs
}

/// Checks for each term that at most one process that is up believes itself to be the coordinator.
pub fn one_a_term<A: Algorithm>(run: &Run<'_, A>) -> Verdict {
    let beliefs = beliefs(run);
    let mut in_office: Vec<u64> =
        beliefs.iter().filter(|(node, (_, leader))| *node == leader).map(|(_, (term, _))| *term).collect();
    in_office.sort_unstable();
    match in_office.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(format!("two coordinators of term {}: {beliefs:?}", pair[0])),
        None => Ok(()),
    }
}

/// Checks that no process accepts a coordinator of an older term after it has accepted a coordinator of a later
/// term.
pub fn never_back<A: Algorithm>(run: &Run<'_, A>) -> Verdict {
    let mut latest = BTreeMap::new();
    for (node, what) in run.log().iter() {
        match what {
            Happened::Told(Outcome::Elected { term, .. }) if latest.insert(*node, *term) > Some(*term) => {
                return Err(format!("{node} goes back to term {term}"));
            }
            Happened::Crashed => drop(latest.remove(node)),
            _ => {}
        }
    }
    Ok(())
}

/// Returns the latest term for which a process that is up has called an election in its current incarnation.
fn last_called<A: Algorithm>(run: &Run<'_, A>) -> Option<u64> {
    let mut called = BTreeMap::new();
    for (node, what) in run.log().iter() {
        match what {
            Happened::Told(Outcome::Called { term, .. }) => drop(called.insert(*node, *term)),
            Happened::Crashed => drop(called.remove(node)),
            _ => {}
        }
    }
    called.into_values().max()
}

/// Checks that all processes that are up accept the same coordinator, and that this coordinator is up. Exception:
/// the latest elected coordinator may be down if no process has noticed its crash.
pub fn all_agree<A: Algorithm>(run: &Run<'_, A>) -> Verdict {
    let beliefs = beliefs(run);
    let Some(last_called) = last_called(run) else { return Ok(()) };
    let up: Vec<NodeId> = run.up().map(|(node, _)| node).collect();
    let Some(&(term, leader)) = beliefs.values().max() else {
        return Err(format!("nobody is elected in term {last_called}"));
    };
    if term < last_called {
        return Err(format!("nobody is elected in term {last_called}: {beliefs:?}"));
    }
    if !up.contains(&leader) {
        return Ok(());
    }
    match up.iter().find(|node| beliefs.get(node) != Some(&(term, leader))) {
        Some(node) => Err(format!("{node} does not agree: {beliefs:?}")),
        None => Ok(()),
    }
}

fn orderly<A: Algorithm>(run: &Run<'_, A>) -> Verdict {
    one_a_term(run)?;
    never_back(run)
}

/// The properties that hold if time-outs are long enough.
pub const fn all<A: Algorithm>() -> Rules<A> {
    Rules { always: orderly, in_the_end: all_agree }
}

/// The properties that hold even if time-outs are too short.
pub const fn in_the_end<A: Algorithm>() -> Rules<A> {
    Rules { always: never_back, in_the_end: all_agree }
}

/// Returns clients for `nodes`, each of which calls an election `times` times.
pub fn callers<A: Algorithm>(nodes: &[u32], times: usize) -> Client<A> {
    let calls = nodes.iter().flat_map(|&node| vec![Choice::Elect { node: NodeId(node) }; times]);
    listed(calls.collect())
}
