//! All schedules, and what is expected of them.

use interlock_algorithm::Algorithm;

use super::Scene;
use super::exploration::{Counterexample, Explored, explore};
use super::rules::Violation;
use super::world::Channel;

/// What breaks, without saying for whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Broken {
    /// Two are in the section.
    Exclusion,
    /// Somebody waits for ever.
    Progress,
}

fn all<A: Algorithm>(variant: &str, nodes: u32, entries: u32, channel: Channel) -> Result<Explored, Counterexample> {
    all_of(variant, &Scene::<A>::new(variant, nodes, entries, channel))
}

/// Tries all schedules of a scene and says what came of it.
pub fn all_of<A: Algorithm>(variant: &str, scene: &Scene<A>) -> Result<Explored, Counterexample> {
    let explored = explore(scene, |_| ());
    let Scene { nodes, entries, channel, .. } = scene;
    let name = format!("{} {variant}, {nodes} nodes, {entries} entries each, {channel:?}", A::ENTRY.name);
    match &explored {
        Ok(explored) => println!("{name}: right in {} states, {} deep", explored.states, explored.depth),
        Err(counterexample) => println!("{name}: wrong after {} steps: {counterexample}", counterexample.steps.len()),
    }
    explored
}

/// No schedule breaks a rule.
#[track_caller]
pub fn holds<A: Algorithm>(variant: &str, nodes: u32, entries: u32, channel: Channel) {
    let explored = all::<A>(variant, nodes, entries, channel).expect("no schedule that breaks a rule");
    // The longest way is that of one who enters after the other: everything was played to its end.
    assert!(explored.depth >= (2 * nodes * entries) as usize, "{explored:?}");
}

/// A schedule breaks this rule; the steps of a shortest one.
#[track_caller]
pub fn breaks<A: Algorithm>(variant: &str, nodes: u32, entries: u32, channel: Channel, broken: Broken) -> Vec<String> {
    let Counterexample { violation, steps } = all::<A>(variant, nodes, entries, channel).expect_err("a violation");
    let found = match violation {
        Violation::TwoInSection(_) => Broken::Exclusion,
        Violation::Stuck(_) | Violation::Doomed => Broken::Progress,
        Violation::OutOfOrder { .. } => unreachable!("an exploration does not look at the order"),
    };
    assert_eq!(found, broken);
    steps
}
