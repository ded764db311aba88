//! Random schedules: first anything goes, then the world is kind and time goes by.

use std::env;
use std::ops::Range;

use interlock_algorithm::Algorithm;
use interlock_machine::draw::draw;
use interlock_model::choice::Choice;

use super::Scene;
use super::run::{Run, Verdict};

/// What must be true.
pub struct Rules<A: Algorithm> {
    /// After every step.
    pub always: fn(&Run<'_, A>) -> Verdict,
    /// At the end, when the world has been kind for long.
    pub in_the_end: fn(&Run<'_, A>) -> Verdict,
}

/// ME1, and in the end ME3.
pub const fn exclusion<A: Algorithm>() -> Rules<A> {
    Rules { always: |run| run.at_most_one_inside(), in_the_end: |run| run.nobody_waits() }
}

/// How long a schedule is.
#[derive(Clone, Copy, Debug)]
pub struct Length {
    /// The steps in which anything goes.
    pub wild: usize,
    /// The most steps after that, in which nothing goes wrong any more: those who can come back do, messages
    /// arrive, and timers run out in their order when nothing is on the way. It ends when nothing can
    /// happen any more.
    pub kind: usize,
}

/// What most schedules need.
pub const USUAL: Length = Length { wild: 150, kind: 5_000 };

/// When timers run out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timers {
    /// At any moment.
    Whenever,
    /// When nothing is on the way, as where time-outs are long enough.
    Patient,
}

/// Numbers that choices are drawn by: those listed, then as a seed has it.
#[derive(Clone, Debug)]
pub struct Draws<'a> {
    listed: &'a [u16],
    seed: u64,
    turn: u64,
}

impl<'a> Draws<'a> {
    /// The draws of this seed.
    pub const fn new(seed: u64) -> Self {
        Self { listed: &[], seed, turn: 0 }
    }

    /// These, and when they are used up others, always the same and fair to everybody in the long run.
    pub const fn of(listed: &'a [u16]) -> Self {
        Self { listed, seed: 0, turn: 0 }
    }

    /// A number below `size`, which is not 0.
    pub fn below(&mut self, size: usize) -> usize {
        let turn = usize::try_from(self.turn).expect("few turns");
        let drawn = self.listed.get(turn).map_or_else(|| draw(&[self.seed, self.turn]), |&drawn| drawn.into());
        self.turn += 1;
        usize::try_from(drawn % size as u64).expect("less than a size")
    }

    /// One of a list, if it is not empty.
    pub fn one_of<T>(&mut self, mut list: Vec<T>) -> Option<T> {
        if list.is_empty() { None } else { Some(list.swap_remove(self.below(list.len()))) }
    }
}

/// What can happen next in a run, whatever its algorithm is.
pub trait Possible {
    /// What clients do next: by order, or by themselves.
    fn commands(&self) -> Vec<Choice>;
    /// The messages that can arrive.
    fn arrivals(&self) -> Vec<Choice>;
    /// The timers that can run out, the one that would do so first in front.
    fn expiries(&self) -> Vec<Choice>;
    /// What can go wrong, and be mended.
    fn mishaps(&self) -> Vec<Choice>;
    /// What nodes can be told of each other's deaths and returns.
    fn tidings(&self) -> Vec<Choice>;
    /// Who can come back.
    fn returns(&self) -> Vec<Choice>;
}

/// Whatever can happen, happens some day: one thing that can happen now. That something goes wrong, or takes long, less
/// often than the rest.
pub fn anything(run: &dyn Possible, timers: Timers, draws: &mut Draws<'_>) -> Option<Choice> {
    let usual = || [run.commands(), run.arrivals()].concat();
    let groups: [&dyn Fn() -> Vec<Choice>; 3] = match (timers, draws.below(16)) {
        (Timers::Patient, 0..=1) => [&|| run.mishaps(), &usual, &|| run.expiries().into_iter().take(1).collect()],
        (Timers::Patient, _) => [&usual, &|| run.expiries().into_iter().take(1).collect(), &Vec::new],
        (Timers::Whenever, 0..=2) => [&|| run.mishaps(), &usual, &|| run.expiries()],
        (Timers::Whenever, 3..=4) => [&|| run.expiries(), &usual, &|| run.mishaps()],
        (Timers::Whenever, _) => [&usual, &|| run.expiries(), &|| run.mishaps()],
    };
    let group = groups.into_iter().map(|group| group()).find(|group| !group.is_empty())?;
    draws.one_of(group)
}

/// What happens next in a kind world, which is fair to all messages.
fn something_kind(run: &dyn Possible, draws: &mut Draws<'_>) -> Option<Choice> {
    let first = |choices: Vec<Choice>| choices.into_iter().next();
    let next = first(run.returns()).or_else(|| first(run.tidings())).or_else(|| first(run.commands()));
    next.or_else(|| draws.one_of(run.arrivals())).or_else(|| first(run.expiries()))
}

/// Goes on in a world in which nothing goes wrong any more, to the end.
///
/// # Errors
/// What a check said first.
pub fn be_kind<A: Algorithm>(run: &mut Run<'_, A>, draws: &mut Draws<'_>, length: Length, rules: &Rules<A>) -> Verdict {
    for _ in 0..length.kind {
        let Some(choice) = something_kind(run, draws) else { break };
        run.happen(&choice);
        (rules.always)(run)?;
    }
    (rules.in_the_end)(run)
}

/// Plays one schedule and looks at what it has come to.
///
/// # Errors
/// What a check said first.
pub fn play<A: Algorithm, T>(
    scene: &Scene<A>,
    seed: u64,
    timers: Timers,
    length: Length,
    rules: &Rules<A>,
    then: impl FnOnce(&Run<'_, A>) -> T,
) -> Result<T, String> {
    scene.play(seed, |mut run| {
        let mut draws = Draws::new(seed);
        (rules.always)(&run)?;
        for _ in 0..length.wild {
            let Some(choice) = anything(&run, timers, &mut draws) else { break };
            run.happen(&choice);
            (rules.always)(&run)?;
        }
        be_kind(&mut run, &mut draws, length, rules)?;
        Ok(then(&run))
    })
}

/// The tests try the first of so many equal parts of the seeds. `INTERLOCK_SCHEDULES=all`, as in `just nightly`, has them try all.
const SHARE: u64 = 3;

/// Returns the seeds of this range that the tests try.
pub fn tried(seeds: Range<u64>) -> Range<u64> {
    let share = if env::var_os("INTERLOCK_SCHEDULES").is_some_and(|share| share == "all") { 1 } else { SHARE };
    let count = (seeds.end - seeds.start).div_ceil(share);
    seeds.start..seeds.start + count
}

/// Plays the schedules of these seeds, as far as the tests try them; none breaks a rule.
#[track_caller]
pub fn holds<A: Algorithm>(scene: &Scene<A>, seeds: Range<u64>, length: Length, rules: &Rules<A>) {
    holds_where(scene, seeds, Timers::Whenever, length, rules);
}

/// As [`holds`], where timers are patient: whatever is on the way arrives before one runs out.
#[track_caller]
pub fn holds_in_time<A: Algorithm>(scene: &Scene<A>, seeds: Range<u64>, length: Length, rules: &Rules<A>) {
    holds_where(scene, seeds, Timers::Patient, length, rules);
}

#[track_caller]
fn holds_where<A: Algorithm>(scene: &Scene<A>, seeds: Range<u64>, timers: Timers, length: Length, rules: &Rules<A>) {
    for seed in tried(seeds) {
        if let Err(broken) = play(scene, seed, timers, length, rules, |_| ()) {
            panic!("{} {}, {:?}, seed {seed}: {broken}", A::ENTRY.name, scene.specification.variant, scene.faults);
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
    let broken = |seed| play(scene, seed, Timers::Whenever, length, rules, |_| ()).err();
    let broken = seeds.find_map(|seed| Some((seed, broken(seed)?)));
    let (seed, broken) = broken.unwrap_or_else(|| panic!("{}: nothing found", A::ENTRY.name));
    assert!(broken.starts_with(words), "{}, seed {seed}: {broken}", A::ENTRY.name);
    println!("{}, seed {seed}: {broken}", A::ENTRY.name);
    seed
}
