//! Random schedules with two phases. In the first phase, any action or fault may happen. In the second phase, no
//! faults occur and time passes.

use std::ops::Range;
use std::{env, fmt};

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

/// ME1, ME3 and ORDER: if one request happened before another, the earlier request is granted first.
pub const fn exclusion_and_order<A: Algorithm>() -> Rules<A> {
    Rules { always: |run| run.at_most_one_inside().and_then(|()| run.in_order()), ..exclusion() }
}

/// The odds of the actions in the first phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Odds {
    /// Faults and the expiry of timers are drawn less often than other actions. Timers expire at any moment, even
    /// while messages are in transit.
    Whenever,
    /// Like [`Odds::Whenever`], but timers expire only when no message is in transit, as if all time-outs were
    /// sufficiently long.
    Patient,
    /// All possible actions are equally likely. The phase ends when all clients have finished.
    Even,
}

/// The phases of a schedule.
#[derive(Clone, Copy, Debug)]
pub struct Phases {
    /// The odds of the actions in the first phase.
    pub odds: Odds,
    /// Maximum number of steps of the first phase, in which any action or fault may happen.
    pub wild: usize,
    /// Maximum number of steps in the second phase. Crashed nodes restart if they can, and no further faults occur.
    /// If no message is in transit, the timer that is due first expires. The phase ends when no action is possible.
    pub kind: usize,
}

/// The phases that suffice for most schedules.
pub const USUAL: Phases = Phases { odds: Odds::Whenever, wild: 150, kind: 5_000 };

/// One phase, which lasts until all clients have finished.
pub const WHOLE: Phases = Phases { odds: Odds::Even, wild: 200_000, kind: 0 };

impl Phases {
    /// Returns the same phases, in which timers expire only when no message is in transit.
    pub const fn in_time(self) -> Self {
        Self { odds: Odds::Patient, ..self }
    }
}

/// Random numbers that select the actions of a schedule.
#[derive(Clone, Debug)]
pub struct Draws<'a> {
    seed: u64,
    turn: u64,
    /// Numbers to use first, in place of numbers from the seed. After the last of them, the numbers no longer depend
    /// on the seed. If the list is absent, all numbers come from the seed.
    listed: Option<&'a [u64]>,
}

impl Draws<'_> {
    /// Returns draws that are pseudo-random numbers from `seed`.
    pub const fn new(seed: u64) -> Self {
        Self { seed, turn: 0, listed: None }
    }

    fn next(&mut self) -> u64 {
        let turn = self.turn;
        self.turn += 1;
        let Some(listed) = self.listed else { return draw(&[self.seed, turn]) };
        let listed = usize::try_from(turn).ok().and_then(|turn| listed.get(turn));
        listed.copied().unwrap_or_else(|| draw(&[turn]))
    }

    /// Draws a number from 0 (included) to `size` (excluded). `size` must not be 0.
    pub fn below(&mut self, size: usize) -> usize {
        usize::try_from(self.next() % size as u64).expect("less than a size")
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
    /// Returns the application messages that can be sent.
    fn tells(&self) -> Vec<Choice>;
    /// Whether all clients have finished, and all messages in transit are of background kinds.
    fn is_over(&self) -> bool;
}

/// Draws one of the possible actions. In a long schedule, every action that stays possible is eventually drawn.
pub fn anything(run: &dyn Possible, odds: Odds, draws: &mut Draws<'_>) -> Option<Choice> {
    if odds == Odds::Even {
        let all = || [run.commands(), run.arrivals(), run.mishaps(), run.expiries(), run.tells()].concat();
        return if run.is_over() { None } else { draws.one_of(all()) };
    }
    let usual = || [run.commands(), run.arrivals()].concat();
    let groups: [&dyn Fn() -> Vec<Choice>; 3] = match (odds, draws.below(16)) {
        (Odds::Patient, 0..=1) => [&|| run.mishaps(), &usual, &|| run.expiries().into_iter().take(1).collect()],
        (Odds::Patient, _) => [&usual, &|| run.expiries().into_iter().take(1).collect(), &Vec::new],
        (_, 0..=2) => [&|| run.mishaps(), &usual, &|| run.expiries()],
        (_, 3..=4) => [&|| run.expiries(), &usual, &|| run.mishaps()],
        _ => [&usual, &|| run.expiries(), &|| run.mishaps()],
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
pub fn be_kind<A: Algorithm>(run: &mut Run<'_, A>, draws: &mut Draws<'_>, phases: Phases, rules: &Rules<A>) -> Verdict {
    for _ in 0..phases.kind {
        let Some(choice) = something_kind(run, draws) else { break };
        run.happen(&choice);
        (rules.always)(run)?;
    }
    (rules.in_the_end)(run)
}

/// Plays one schedule, checks its final state, and then calls `then`.
///
/// # Errors
/// The first violation that a check reports.
pub fn play<A: Algorithm, T>(
    scene: &Scene<A>,
    draws: &mut Draws<'_>,
    phases: Phases,
    rules: &Rules<A>,
    then: impl FnOnce(&Run<'_, A>) -> T,
) -> Result<T, String> {
    scene.play(draws.seed, |mut run| {
        (rules.always)(&run)?;
        for _ in 0..phases.wild {
            let Some(choice) = anything(&run, phases.odds, draws) else { break };
            run.happen(&choice);
            (rules.always)(&run)?;
        }
        be_kind(&mut run, draws, phases, rules)?;
        Ok(then(&run))
    })
}

/// Plays a schedule whose actions are drawn from `seed`, and checks that it violates no property. If it violates a
/// property, removes draws as long as the shorter list of draws leads to the same violation.
#[track_caller]
pub fn check(seed: u64, what: fmt::Arguments<'_>, played: &dyn Fn(&mut Draws<'_>) -> Verdict) {
    let mut draws = Draws::new(seed);
    let Err(broken) = played(&mut draws) else { return };
    let listed = (0..draws.turn).map(|turn| draw(&[seed, turn])).collect();
    let property = |broken: &str| broken.split(':').next().map(ToOwned::to_owned);
    let fails = |listed: &[u64]| played(&mut Draws { seed, turn: 0, listed: Some(listed) }).err();
    let few = shrunk(listed, &|listed| fails(listed).is_some_and(|other| property(&other) == property(&broken)));
    let again = fails(&few);
    panic!("{what}, seed {seed}: {broken}; with the draws {few:?}: {again:?}");
}

/// Shortens a list for which `fails` returns true. Removes ever smaller pieces, as long as `fails` returns true for
/// the rest.
pub fn shrunk(mut list: Vec<u64>, fails: &dyn Fn(&[u64]) -> bool) -> Vec<u64> {
    let mut size = list.len().div_ceil(2);
    while size > 0 {
        let mut start = 0;
        while start < list.len() {
            let end = (start + size).min(list.len());
            let fewer = [&list[..start], &list[end..]].concat();
            if fails(&fewer) {
                list = fewer;
            } else {
                start = end;
            }
        }
        size /= 2;
    }
    list
}

/// Divisor of the number of seeds: by default, the tests try only the first third of the seeds. With
/// `INTERLOCK_SCHEDULES=all`, as in `just nightly`, the tests try all seeds.
const SHARE: u64 = 3;

/// Returns those of `seeds` that the tests try: see [`SHARE`].
pub fn tried(seeds: Range<u64>) -> Range<u64> {
    let share = if env::var_os("INTERLOCK_SCHEDULES").is_some_and(|share| share == "all") { 1 } else { SHARE };
    let count = (seeds.end - seeds.start).div_ceil(share);
    seeds.start..seeds.start + count
}

/// Plays the schedules of those `seeds` that [`tried`] selects. Checks that no schedule violates a property.
#[track_caller]
pub fn holds<A: Algorithm>(scene: &Scene<A>, seeds: Range<u64>, phases: Phases, rules: &Rules<A>) {
    let what = (A::ENTRY.name, &scene.specification.variant, scene.faults);
    for seed in tried(seeds) {
        check(seed, format_args!("{what:?}"), &|draws| play(scene, draws, phases, rules, |_| ()));
    }
}

/// Plays the schedules of `seeds` until one violates a property with a message that begins with `words`. Returns the
/// seed of that schedule.
#[track_caller]
pub fn breaks<A: Algorithm>(
    scene: &Scene<A>,
    mut seeds: Range<u64>,
    phases: Phases,
    rules: &Rules<A>,
    words: &str,
) -> u64 {
    let broken = |seed| play(scene, &mut Draws::new(seed), phases, rules, |_| ()).err();
    let broken = seeds.find_map(|seed| Some((seed, broken(seed)?)));
    let (seed, broken) = broken.unwrap_or_else(|| panic!("{}: nothing found", A::ENTRY.name));
    assert!(broken.starts_with(words), "{}, seed {seed}: {broken}", A::ENTRY.name);
    println!("{}, seed {seed}: {broken}", A::ENTRY.name);
    seed
}
