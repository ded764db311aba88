//! Executes simulated runs on all cores. Each thread executes one run at a time.

use std::io::{IsTerminal, stderr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use indicatif::{ProgressBar, ProgressStyle};
use interlock_algorithm::Refusal;

use interlock_simulation::simulation::{Report, Simulation};

/// Executes all runs, and returns their reports in the order of the runs. On a terminal, shows a progress bar.
///
/// # Errors
/// If at least one run is impossible. The error is the error of the first such run.
pub fn perform(runs: &[&Simulation]) -> Result<Vec<Report>, Refusal> {
    let bar = bar(runs.len());
    let workers = thread::available_parallelism().map_or(1, usize::from).min(runs.len());
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    let mut reports: Vec<_> = thread::scope(|scope| {
        for _ in 0..workers {
            let (next, sender) = (&next, sender.clone());
            scope.spawn(move || {
                loop {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    let Some(run) = runs.get(place) else { break };
                    // Sending cannot fail: the receiver is dropped only after all threads have ended.
                    let _ = sender.send((place, run.run()));
                }
            });
        }
        drop(sender);
        receiver.iter().inspect(|_| bar.inc(1)).collect()
    });
    bar.finish_and_clear();
    reports.sort_by_key(|&(place, _): &(usize, Result<Report, Refusal>)| place);
    reports.into_iter().map(|(_, report)| report).collect()
}

/// Returns a progress bar. If there is only one run or no terminal, the bar is hidden.
fn bar(runs: usize) -> ProgressBar {
    if runs < 2 || !stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:40} {pos} of {len} runs, {elapsed} so far, {eta} to go");
    let bar = ProgressBar::new(runs.try_into().unwrap_or(u64::MAX));
    if let Ok(style) = style { bar.with_style(style) } else { bar }
}
