//! Random schedules: first anything goes, then the world is kind and time goes by.

use std::ops::Range;

use interlock_algorithm::Algorithm;

use super::Scene;
use super::draws::Draws;
use super::world::{Choice, World};

/// What a check says: nothing, or which rule is broken and how.
pub type Verdict = Result<(), String>;

/// What must be true.
pub struct Rules<A: Algorithm> {
    /// After every step.
    pub always: fn(&World<A>) -> Verdict,
    /// At the end, when the world has been kind for long.
    pub in_the_end: fn(&World<A>) -> Verdict,
}

/// How long a schedule is.
#[derive(Clone, Copy, Debug)]
pub struct Length {
    /// The steps in which anything goes.
    pub wild: usize,
    /// The most steps after that, in which nothing goes wrong any more: those who can come back do, messages arrive
    /// as they were sent, and timers run out in their order when nothing is on the way. It ends when nothing can
    /// happen any more.
    pub kind: usize,
}

/// What most schedules need.
pub const USUAL: Length = Length { wild: 150, kind: 5_000 };

/// Plays one schedule, and says how it went.
///
/// # Errors
/// What a check said first.
pub fn play<A: Algorithm>(scene: &Scene<A>, seed: u64, length: Length, rules: &Rules<A>) -> Result<World<A>, String> {
    let mut world = World::new(scene, seed);
    let mut draws = Draws::new(seed);
    (rules.always)(&world)?;
    for _ in 0..length.wild {
        let Some(choice) = anything(scene, &world, &mut draws) else { break };
        world.happen(scene, choice);
        (rules.always)(&world)?;
    }
    be_kind(scene, world, length, rules)
}

/// Goes on in a world in which nothing goes wrong any more, to the end.
///
/// # Errors
/// What a check said first.
pub fn be_kind<A: Algorithm>(
    scene: &Scene<A>,
    mut world: World<A>,
    length: Length,
    rules: &Rules<A>,
) -> Result<World<A>, String> {
    for _ in 0..length.kind {
        let Some(choice) = something_kind(scene, &world) else { break };
        world.happen(scene, choice);
        (rules.always)(&world)?;
    }
    (rules.in_the_end)(&world)?;
    Ok(world)
}

/// Whatever can happen, happens some day: one thing that can happen now. That something goes wrong, or takes long, less often than the rest.
pub fn anything<A: Algorithm>(scene: &Scene<A>, world: &World<A>, draws: &mut Draws) -> Option<Choice<A::Timer>> {
    let usual = || [world.commands(scene), world.arrivals()].concat();
    let groups = match draws.below(16) {
        0..=2 => [world.mishaps(), usual(), world.expiries()],
        3..=4 => [world.expiries(), usual(), world.mishaps()],
        _ => [usual(), world.expiries(), world.mishaps()],
    };
    let group = groups.into_iter().find(|group| !group.is_empty())?;
    let place = draws.place(group.len());
    group.into_iter().nth(place)
}

/// What happens next in a kind world.
fn something_kind<A: Algorithm>(scene: &Scene<A>, world: &World<A>) -> Option<Choice<A::Timer>> {
    let first = |choices: Vec<Choice<A::Timer>>| choices.into_iter().next();
    let returns = first(world.returns());
    returns
        .or_else(|| first(world.commands(scene)))
        .or_else(|| first(world.arrivals()))
        .or_else(|| first(world.expiries()))
}

/// Plays the schedules of these seeds; none breaks a rule.
#[track_caller]
pub fn holds<A: Algorithm>(scene: &Scene<A>, seeds: Range<u64>, length: Length, rules: &Rules<A>) {
    for seed in seeds {
        if let Err(broken) = play(scene, seed, length, rules) {
            panic!("{}, seed {seed}: {broken}", A::ENTRY.name);
        }
    }
}

/// Plays the schedules of these seeds until one breaks a rule, with words that begin like this; says which.
#[track_caller]
pub fn breaks<A: Algorithm>(
    scene: &Scene<A>,
    mut seeds: Range<u64>,
    length: Length,
    rules: &Rules<A>,
    words: &str,
) -> u64 {
    let broken = seeds.find_map(|seed| Some((seed, play(scene, seed, length, rules).err()?)));
    let (seed, broken) = broken.unwrap_or_else(|| panic!("{}: nothing found", A::ENTRY.name));
    assert!(broken.starts_with(words), "{}, seed {seed}: {broken}", A::ENTRY.name);
    println!("{}, seed {seed}: {broken}", A::ENTRY.name);
    seed
}

/// Plays one schedule in which timers are patient: whatever is on the way arrives before one runs out, as where
/// time-outs are long enough. All else is as in [`play`].
///
/// # Errors
/// What a check said first.
pub fn play_timely<A: Algorithm>(
    scene: &Scene<A>,
    seed: u64,
    length: Length,
    rules: &Rules<A>,
) -> Result<World<A>, String> {
    let mut world = World::new(scene, seed);
    let mut draws = Draws::new(seed);
    (rules.always)(&world)?;
    for _ in 0..length.wild {
        let Some(choice) = anything_timely(scene, &world, &mut draws) else { break };
        world.happen(scene, choice);
        (rules.always)(&world)?;
    }
    be_kind(scene, world, length, rules)
}

/// As [`anything`], but timers are patient.
pub fn anything_timely<A: Algorithm>(
    scene: &Scene<A>,
    world: &World<A>,
    draws: &mut Draws,
) -> Option<Choice<A::Timer>> {
    let usual = || [world.commands(scene), world.arrivals()].concat();
    let mishaps = if draws.below(8) == 0 { world.mishaps() } else { Vec::new() };
    let first = || world.expiries().into_iter().take(1).collect();
    let groups = if mishaps.is_empty() { [usual(), first()] } else { [mishaps, Vec::new()] };
    let group = groups.into_iter().find(|group| !group.is_empty())?;
    let place = draws.place(group.len());
    group.into_iter().nth(place)
}
