//! Tests that check many cases, most of which only wait.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Applies `check` to each case, to at most `at_a_time` cases concurrently. Returns the results, in any order. If a
/// check panics, this function panics after the other checks have ended.
pub fn concurrently<C: Sync, R: Send>(at_a_time: usize, cases: &[C], check: impl Fn(&C) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let work = || {
        let cases = std::iter::from_fn(|| cases.get(next.fetch_add(1, Ordering::Relaxed)));
        cases.map(&check).collect::<Vec<_>>()
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..at_a_time).map(|_| scope.spawn(work)).collect();
        let results = workers.into_iter().map(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic)));
        results.flatten().collect()
    })
}

#[test]
fn every_case_is_checked_and_a_failure_is_passed_on() {
    let mut doubled = concurrently(3, &[1, 2, 3, 4, 5], |number| 2 * number);
    doubled.sort_unstable();
    assert_eq!(doubled, [2, 4, 6, 8, 10]);
    let failed = std::panic::catch_unwind(|| concurrently(2, &[1, 2, 3], |number| assert_ne!(*number, 2)));
    assert!(failed.is_err());
}
