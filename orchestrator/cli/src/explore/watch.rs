//! Shows the progress of an exploration, and ends the exploration at a limit or when the user presses Ctrl-C.

use std::io::{IsTerminal, stderr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

use indicatif::{ProgressBar, ProgressStyle};
use interlock_exploration::{Limits, Progress};

/// Observer of an exploration: prints the progress, and decides whether the exploration continues.
pub struct Watch {
    limits: Limits,
    began: Instant,
    line: ProgressBar,
    interrupted: Arc<AtomicBool>,
    why: Option<String>,
}

impl Watch {
    /// Starts observing. From now on, Ctrl-C ends the exploration instead of the program.
    pub fn begin(limits: Limits) -> Self {
        let interrupted = Arc::new(AtomicBool::new(false));
        listen(Arc::clone(&interrupted));
        let line = if stderr().is_terminal() { ProgressBar::new_spinner() } else { ProgressBar::hidden() };
        if let Ok(style) = ProgressStyle::with_template("{msg}") {
            line.set_style(style);
        }
        Self { limits, began: Instant::now(), line, interrupted, why: None }
    }

    /// Prints the progress. Returns whether the exploration continues: the limits must not be exceeded, and the
    /// user must not have pressed Ctrl-C.
    pub fn goes_on(&mut self, progress: &Progress) -> bool {
        let Progress { states, depth, memory, .. } = *progress;
        let mebibytes = memory >> 20;
        let seconds = self.began.elapsed().as_secs_f64().max(0.001);
        #[expect(clippy::cast_precision_loss, reason = "a rate for people to read")]
        let rate = states as f64 / seconds;
        self.line.set_message(format!("{states} states, {depth} deep, {rate:.0} states/s, {mebibytes} MiB"));
        let interrupted = self.interrupted.load(Ordering::Relaxed).then(|| "interrupted".to_owned());
        let why = interrupted.or_else(|| self.limits.exceeded(progress));
        let goes_on = why.is_none();
        self.why = why.or(self.why.take());
        goes_on
    }

    /// Removes the progress line. If the exploration was cut off, returns the reason.
    pub fn end(self) -> Option<String> {
        self.line.finish_and_clear();
        self.why
    }
}

/// Sets the flag when the user presses Ctrl-C.
fn listen(interrupted: Arc<AtomicBool>) {
    thread::spawn(move || {
        let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_io().build() else { return };
        // If the signal cannot be handled, Ctrl-C ends the program as usual.
        if runtime.block_on(tokio::signal::ctrl_c()).is_ok() {
            interrupted.store(true, Ordering::Relaxed);
        }
    });
}
