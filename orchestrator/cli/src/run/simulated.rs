//! Plays scenarios in virtual time, on all cores.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use interlock_simulation::simulation::Simulation;

use super::Named;
use super::played::Played;

/// Plays the scenario of each pair in `to_play` with the seed of the pair. Returns the results in the order of the
/// pairs.
pub fn all<'a>(to_play: &[(&'a Named, u64)]) -> Vec<(&'a Named, Played)> {
    let workers = thread::available_parallelism().map_or(1, usize::from).min(to_play.len());
    let next = AtomicUsize::new(0);
    let work = || {
        let mut played = Vec::new();
        while let Some((place, (named, seed))) = take(&next, to_play) {
            played.push((place, *named, simulate(named, *seed)));
        }
        played
    };
    let mut all: Vec<_> = thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic))).collect()
    });
    all.sort_unstable_by_key(|(place, ..)| *place);
    all.into_iter().map(|(_, named, played)| (named, played)).collect()
}

fn take<'a, T>(next: &AtomicUsize, all: &'a [T]) -> Option<(usize, &'a T)> {
    let place = next.fetch_add(1, Ordering::Relaxed);
    all.get(place).map(|one| (place, one))
}

fn simulate(named: &Named, seed: u64) -> Played {
    let specification = match named.scenario.specification(Some(seed), false) {
        Ok(specification) => specification,
        Err(errors) => return Played::could_not(seed, named.said(&errors)),
    };
    match Simulation::of_scenario(specification).carry_out(&named.scenario) {
        Ok((report, findings)) => Played::simulated(seed, report, findings),
        Err(refusal) => Played::could_not(seed, refusal.to_string()),
    }
}
