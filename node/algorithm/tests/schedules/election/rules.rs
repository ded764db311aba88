//! What must be true of every election.

use std::collections::BTreeMap;

use interlock_algorithm::{Algorithm, Command, NodeId, Outcome};

use crate::driver::log::What;
use crate::driver::play::{Rules, Verdict};
use crate::driver::world::World;

/// Whom a process takes for the coordinator, and of which term: the later term first.
pub type Belief = (u64, NodeId);

/// What each process that is up takes for true, by what it has told in this life.
pub fn beliefs<A: Algorithm>(world: &World<A>) -> BTreeMap<NodeId, Belief> {
    let mut beliefs = BTreeMap::new();
    for entry in &world.log {
        match entry.what {
            What::Told(Outcome::Elected { leader, term, .. }) => drop(beliefs.insert(entry.node, (term, leader))),
            What::Crashed => drop(beliefs.remove(&entry.node)),
            _ => {}
        }
    }
    beliefs
}

/// No two processes that are up take themselves for the coordinator of one term.
pub fn one_a_term<A: Algorithm>(world: &World<A>) -> Verdict {
    let beliefs = beliefs(world);
    let mut in_office: Vec<u64> =
        beliefs.iter().filter(|(node, (_, leader))| *node == leader).map(|(_, (term, _))| *term).collect();
    in_office.sort_unstable();
    match in_office.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(format!("two coordinators of term {}: {beliefs:?}", pair[0])),
        None => Ok(()),
    }
}

/// Nobody goes back to the coordinator of an older term.
pub fn never_back<A: Algorithm>(world: &World<A>) -> Verdict {
    let mut latest = BTreeMap::new();
    for entry in &world.log {
        match entry.what {
            What::Told(Outcome::Elected { term, .. }) if latest.insert(entry.node, term) > Some(term) => {
                return Err(format!("{} goes back to term {term}", entry.node));
            }
            What::Crashed => drop(latest.remove(&entry.node)),
            _ => {}
        }
    }
    Ok(())
}

/// The latest term for which somebody who is up has called an election in this life.
fn last_called<A: Algorithm>(world: &World<A>) -> Option<u64> {
    let mut called = BTreeMap::new();
    for entry in &world.log {
        match entry.what {
            What::Told(Outcome::Called { term, .. }) => drop(called.insert(entry.node, term)),
            What::Crashed => drop(called.remove(&entry.node)),
            _ => {}
        }
    }
    called.into_values().max()
}

/// All who are up take the same one for the coordinator, who is up; unless the last one has died, and nobody has
/// noticed.
pub fn all_agree<A: Algorithm>(world: &World<A>) -> Verdict {
    let beliefs = beliefs(world);
    let Some(last_called) = last_called(world) else { return Ok(()) };
    let up: Vec<NodeId> = world.up().map(|(node, _)| node).collect();
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

fn orderly<A: Algorithm>(world: &World<A>) -> Verdict {
    one_a_term(world)?;
    never_back(world)
}

/// What must be true where time-outs are long enough.
pub const fn all<A: Algorithm>() -> Rules<A> {
    Rules { always: orderly, in_the_end: all_agree }
}

/// What must be true however short they are.
pub const fn in_the_end<A: Algorithm>() -> Rules<A> {
    Rules { always: never_back, in_the_end: all_agree }
}

/// These nodes call elections, so often each.
pub fn callers<A: Algorithm>(nodes: &'static [u32], times: usize) -> impl Fn(&World<A>, NodeId) -> Option<Command> {
    move |world, node| {
        let calls = nodes.contains(&node.0) && world.commanded(node).count() < times;
        calls.then_some(Command::Elect)
    }
}
