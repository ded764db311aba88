//! Random schedules with two phases. In the first phase, any action or fault may happen. In the second phase, no
//! faults occur and time passes.

use std::env;
use std::ops::Range;

use interlock_algorithm::Algorithm;
use interlock_machine::draw::draw;
use interlock_model::choice::Choice;

use super::Scene;
use super::run::{Run, Verdict};

/// The properties that a schedule must satisfy.
pub struct Rules<A: Algorithm> {
    /// The check that is executed after every step.
    pub always: fn(&Run<'_, A>) -> Verdict,
    /// The check that is executed at the end, after a long phase without faults.
    pub in_the_end: fn(&Run<'_, A>) -> Verdict,
}

/// ME1 after every step, and ME3 at the end: no process still waits.
pub const fn exclusion<A: Algorithm>() -> Rules<A> {
    Rules { always: |run| run.at_most_one_inside(), in_the_end: |run| run.nobody_waits() }
}

/// The length of a schedule.
#[derive(Clone, Copy, Debug)]
pub struct Length {
    /// Number of steps of the first phase, in which any action or fault may happen.
    pub wild: usize,
    /// Maximum number of steps in the second phase. Crashed nodes restart if they can, and no further faults occur.
    /// If no message is in transit, the timer that is due first expires. The phase ends when no action is possible.
    pub kind: usize,
}

/// The length that suffices for most schedules.
pub const USUAL: Length = Length { wild: 150, kind: 5_000 };

/// The moments at which timers may expire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timers {
    /// At any moment, even while messages are in transit.
    Whenever,
    /// Only when no message is in transit, as if all time-outs were sufficiently long.
    Patient,
}

/// Random numbers that select the actions of a schedule: first the listed numbers, then pseudo-random numbers from
/// a seed.
#[derive(Clone, Debug)]
pub struct Draws<'a> {
    listed: &'a [u16],
    seed: u64,
    turn: u64,
}

impl<'a> Draws<'a> {
    /// Returns draws that are pseudo-random numbers from this seed.
    pub const fn new(seed: u64) -> Self {
        Self { listed: &[], seed, turn: 0 }
    }

    /// Returns draws that begin with the listed numbers, followed by pseudo-random numbers from a fixed seed.
    pub const fn of(listed: &'a [u16]) -> Self {
        Self { listed, seed: 0, turn: 0 }
    }

    /// Draws a number from 0 (included) to `size` (excluded). `size` must not be 0.
    pub fn below(&mut self, size: usize) -> usize {
        let turn = usize::try_from(self.turn).expect("few turns");
        let drawn = self.listed.get(turn).map_or_else(|| draw(&[self.seed, self.turn]), |&drawn| drawn.into());
        self.turn += 1;
        usize::try_from(drawn % size as u64).expect("less than a size")
    }

    /// Draws one item of a list; none if the list is empty.
    pub fn one_of<T>(&mut self, mut list: Vec<T>) -> Option<T> {
        if list.is_empty() { None } else { Some(list.swap_remove(self.below(list.len()))) }
    }
}

/// The possible next actions in a run. This interface hides the type of the run's algorithm.
pub trait Possible {
    /// Returns the possible next actions of clients: orders from the test, and actions of clients that work
    /// automatically.
    fn commands(&self) -> Vec<Choice>;
    /// Returns the possible deliveries of messages.
    fn arrivals(&self) -> Vec<Choice>;
    /// Returns the possible expiries of timers, in the order of the due times.
    fn expiries(&self) -> Vec<Choice>;
    /// Returns the possible faults and repairs.
    fn mishaps(&self) -> Vec<Choice>;
    /// Returns the possible notifications of crashes and restarts.
    fn notices(&self) -> Vec<Choice>;
    /// Returns the possible restarts.
    fn returns(&self) -> Vec<Choice>;
}

/// Draws one of the possible actions. Faults and the expiry of timers are drawn less often than other actions. In a
/// long schedule, every action that stays possible is eventually drawn.
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

/// Draws the next action in the phase without faults. Every message in transit is eventually delivered.
fn something_kind(run: &dyn Possible, draws: &mut Draws<'_>) -> Option<Choice> {
    let first = |choices: Vec<Choice>| choices.into_iter().next();
    let next = first(run.returns()).or_else(|| first(run.notices())).or_else(|| first(run.commands()));
    next.or_else(|| draws.one_of(run.arrivals())).or_else(|| first(run.expiries()))
}

/// Plays the phase without faults, until no action is possible or the phase has reached its maximum length.
///
/// # Errors
/// The first violation that a check reports.
pub fn be_kind<A: Algorithm>(run: &mut Run<'_, A>, draws: &mut Draws<'_>, length: Length, rules: &Rules<A>) -> Verdict {
    for _ in 0..length.kind {
        let Some(choice) = something_kind(run, draws) else { break };
        run.happen(&choice);
        (rules.always)(run)?;
    }
    (rules.in_the_end)(run)
}

/// Plays one schedule, and then checks its final state.
///
/// # Errors
/// The first violation that a check reports.
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

/// Divisor of the number of seeds: by default, the tests try only the first third of the seeds. With
/// `INTERLOCK_SCHEDULES=all`, as in `just nightly`, the tests try all seeds.
const SHARE: u64 = 3;

/// Returns the seeds of this range that the tests try: see [`SHARE`].
pub fn tried(seeds: Range<u64>) -> Range<u64> {
    let share = if env::var_os("INTERLOCK_SCHEDULES").is_some_and(|share| share == "all") { 1 } else { SHARE };
    let count = (seeds.end - seeds.start).div_ceil(share);
    seeds.start..seeds.start + count
}

/// Plays the schedules of those seeds in the range that [`tried`] selects. Checks that no schedule violates a
/// property.
#[track_caller]
pub fn holds<A: Algorithm>(scene: &Scene<A>, seeds: Range<u64>, length: Length, rules: &Rules<A>) {
    holds_where(scene, seeds, Timers::Whenever, length, rules);
}

/// Like [`holds`], but timers expire only when no message is in transit.
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

/// Plays the schedules of these seeds until one violates a property with a message that begins with `words`. Returns
/// the seed of that schedule.
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
