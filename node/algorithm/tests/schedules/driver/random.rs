//! One schedule, chosen from outside: by proptest, so that a failing one is made short.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use interlock_algorithm::{Algorithm, Message};
use proptest::sample::Index;
use serde_json::{Value, from_str, from_value, to_string, to_value};

use super::Scene;
use super::causality::Causality;
use super::rules::{Violation, at_most_one_in_section, nobody_left_waiting};
use super::world::Doing;

/// How many messages of each kind were sent.
pub type Sent = BTreeMap<&'static str, u32>;

/// Which rules a schedule is judged by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rules {
    /// ME1 and ME3.
    Exclusion,
    /// These, and ORDER by happened-before.
    ExclusionAndOrder,
}

/// More steps than any schedule takes.
const MOST_STEPS: usize = 200_000;

/// Plays a schedule to its end: when `choices` are used up, anything possible happens, in a fixed but restless order.
pub fn play<A: Algorithm>(scene: &Scene<A>, choices: &[Index], rules: Rules) -> Result<Sent, Violation> {
    let mut world = scene.world();
    let mut causality = Causality::new(&world);
    let mut sent = Sent::new();
    for message in world.links.iter().flatten().flatten() {
        *sent.entry(message.kind()).or_default() += 1;
    }
    for turn in 0.. {
        let possible = world.choices();
        if possible.is_empty() || world.is_over() {
            break;
        }
        if turn == MOST_STEPS {
            return Err(Violation::Stuck(world.doing(Doing::Wanting)));
        }
        let choice = possible
            [choices.get(turn).map_or_else(|| restless(turn, possible.len()), |choice| choice.index(possible.len()))];
        let step = world.happen(scene, choice);
        let ordered = causality.follow(choice, step.as_ref());
        if rules == Rules::ExclusionAndOrder {
            ordered?;
        }
        at_most_one_in_section(&world)?;
        if let Some((node, taken)) = step {
            survives_json(&world.nodes[node.index()]);
            taken.reasons.iter().for_each(has_a_code);
            for (_, message) in taken.sent {
                well_formed::<A>(&message);
                *sent.entry(message.kind()).or_default() += 1;
            }
        }
    }
    nobody_left_waiting(&world)?;
    assert!(world.is_over());
    Ok(sent)
}

/// A choice that depends on nothing but the turn, and so is fair to everybody in the long run.
fn restless(turn: usize, possible: usize) -> usize {
    let mut hasher = DefaultHasher::new();
    turn.hash(&mut hasher);
    usize::try_from(hasher.finish() >> 32).expect("32 bits") % possible
}

/// A message says its kind in the same way everywhere.
fn well_formed<A: Algorithm>(message: &A::Message) {
    survives_json(message);
    let json = to_value(message).expect("a message as JSON");
    assert_eq!(json["kind"], message.kind());
    assert!(json["body"].is_object(), "{json}");
    assert!(A::ENTRY.message_kinds.contains(&message.kind()), "{json}");
}

fn survives_json<T: interlock_algorithm::Data>(data: &T) {
    let json = to_string(data).expect("data as JSON");
    assert_eq!(&from_str::<T>(&json).expect("data from JSON"), data, "{json}");
    assert_eq!(&from_value::<T>(to_value(data).expect("data as a value")).expect("data from a value"), data, "{json}");
}

fn has_a_code<T: interlock_algorithm::Data>(reason: &T) {
    survives_json(reason);
    let json = to_value(reason).expect("a reason as JSON");
    assert!(matches!(&json["code"], Value::String(_)), "{json}");
}
