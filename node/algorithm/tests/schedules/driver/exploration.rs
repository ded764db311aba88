//! All schedules of a small configuration, the shortest first.

use std::collections::HashMap;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};

use interlock_algorithm::{Algorithm, Message};

use super::Scene;
use super::rules::{Violation, at_most_one_in_section, nobody_left_waiting};
use super::world::{Choice, Place, World};

/// What there is to say when all schedules have been tried.
#[derive(Debug)]
pub struct Explored {
    /// How many different states there are.
    pub states: usize,
    /// The length of the longest shortest way to a state.
    pub depth: usize,
}

/// A schedule that breaks a rule; none is shorter.
#[derive(Debug)]
pub struct Counterexample {
    /// What broke.
    pub violation: Violation,
    /// The steps, in words.
    pub steps: Vec<String>,
}

impl fmt::Display for Counterexample {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {:?}", self.steps.join("; "), self.violation)
    }
}

/// How a state was reached: the state before, by number, and what happened there. The first has none.
type Step = Option<(usize, Choice)>;

/// The way from one state to another, both by number.
type Edge = (usize, usize);

/// Tries all schedules, breadth first, and shows every state to `also`.
///
/// Somebody is stuck where nothing can happen any more; also where much can happen, but no schedule leads to the end.
/// From everywhere else, a schedule drawn at random gets there.
///
/// Of states that are done with, only a fingerprint of 128 bits is kept, as model checkers do: that two of a million
/// states share one has a probability below 10⁻²⁶.
///
/// # Errors
/// One of the shortest schedules that breaks ME1, or leaves somebody waiting for ever.
pub fn explore<A: Algorithm>(scene: &Scene<A>, mut also: impl FnMut(&World<A>)) -> Result<Explored, Counterexample> {
    let first = scene.world().canonical();
    let mut known = HashMap::from([(fingerprint(&first), 0)]);
    let mut steps: Vec<Step> = vec![None];
    let mut layer = vec![(0, first)];
    let mut depth = 0;
    let mut ways = Ways::default();
    loop {
        let mut next = Vec::new();
        for (number, world) in layer {
            let choices = world.choices();
            also(&world);
            judge(&world, &choices).map_err(|violation| counterexample(scene, &steps, number, violation))?;
            if world.is_over() {
                ways.ends.push(number);
            }
            for choice in choices {
                let mut after = world.clone();
                after.happen(scene, choice);
                let after = after.canonical();
                let place = *known.entry(fingerprint(&after)).or_insert_with(|| steps.len());
                ways.edges.push((number, place));
                if place == steps.len() {
                    steps.push(Some((number, choice)));
                    next.push((place, after));
                }
            }
        }
        if next.is_empty() {
            return match ways.dead_end(steps.len()) {
                Some(number) => Err(counterexample(scene, &steps, number, Violation::Doomed)),
                None => Ok(Explored { states: steps.len(), depth }),
            };
        }
        (layer, depth) = (next, depth + 1);
    }
}

/// The ways between all states, and the states where all is over.
#[derive(Default)]
struct Ways {
    edges: Vec<Edge>,
    ends: Vec<usize>,
}

impl Ways {
    /// A state from which no way leads to the end, the first found if there are any.
    fn dead_end(mut self, states: usize) -> Option<usize> {
        self.edges.sort_unstable_by_key(|&(_, to)| to);
        let mut leads_to_end = vec![false; states];
        let mut open = self.ends;
        while let Some(to) = open.pop() {
            if std::mem::replace(&mut leads_to_end[to], true) {
                continue;
            }
            let first = self.edges.partition_point(|&(_, other)| other < to);
            open.extend(self.edges[first..].iter().take_while(|&&(_, other)| other == to).map(|&(from, _)| from));
        }
        leads_to_end.iter().position(|leads| !leads)
    }
}

fn judge<A: Algorithm>(world: &World<A>, choices: &[Choice]) -> Result<(), Violation> {
    at_most_one_in_section(world)?;
    if choices.is_empty() { nobody_left_waiting(world) } else { Ok(()) }
}

fn fingerprint<A: Algorithm>(world: &World<A>) -> (u64, u64) {
    let half = |salt: u8| {
        let mut hasher = DefaultHasher::new();
        (salt, world).hash(&mut hasher);
        hasher.finish()
    };
    (half(0), half(1))
}

/// The way to state `at`, found backwards and told forwards.
fn counterexample<A: Algorithm>(
    scene: &Scene<A>,
    steps: &[Step],
    mut at: usize,
    violation: Violation,
) -> Counterexample {
    let mut choices = Vec::new();
    while let Some((before, choice)) = steps[at] {
        choices.push(choice);
        at = before;
    }
    let mut world = scene.world().canonical();
    let mut words = Vec::new();
    for choice in choices.into_iter().rev() {
        words.push(in_words(&world, choice));
        world.happen(scene, choice);
        world = world.canonical();
    }
    Counterexample { violation, steps: words }
}

fn in_words<A: Algorithm>(world: &World<A>, choice: Choice) -> String {
    let message =
        |verb: &str, place: Place| format!("{verb} {} {}→{}", world.message(place).kind(), place.from.0, place.to.0);
    match choice {
        Choice::Acquire(node) => format!("acquire {}", node.0),
        Choice::Release(node) => format!("release {}", node.0),
        Choice::Deliver(place) => message("deliver", place),
        Choice::Lose(place) => message("lose", place),
        Choice::Copy(place) => message("copy", place),
        Choice::Tell(from, to) => format!("tell {}→{}", from.0, to.0),
        Choice::RunOut(node, place) => format!("{:?} {}", world.timer(node, place), node.0),
    }
}
