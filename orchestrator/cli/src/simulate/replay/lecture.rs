//! Presents a schedule in a lecture: after each action, waits until the user presses Enter.

use std::io::{self, BufRead, Write};

use interlock_model::event::Event;
use interlock_observation::trace::{Story, Told};
use interlock_simulation::schedule::Schedule;
use interlock_simulation::simulation::Report;

use crate::terminal;

/// Presenter that prints the events of each action, and waits for Enter between actions. After the end of standard
/// input, the presenter no longer waits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lecture {
    ended: bool,
}

impl Lecture {
    /// Presents a schedule that the simulation has already played.
    ///
    /// # Errors
    /// If standard output cannot be written.
    pub fn give(mut self, schedule: &Schedule, report: &Report) -> io::Result<()> {
        let marks = std::iter::once(0).chain(report.marks.iter().copied()).collect::<Vec<_>>();
        let mut story = Story::default();
        let parts = marks.windows(2).map(|ends| part(&report.events, ends[0], ends[1]));
        for (place, told) in parts.enumerate() {
            if let Some(before) = place.checked_sub(1) {
                announce(schedule, before)?;
                self = self.wait();
            }
            tell(&mut story, told)?;
        }
        Ok(())
    }

    /// Waits for a line on standard input. If standard input has ended, returns at once.
    pub fn wait(mut self) -> Self {
        if !self.ended {
            self.ended = !matches!(io::stdin().lock().read_line(&mut String::new()), Ok(1..));
        }
        self
    }
}

/// Returns the events with sequence numbers greater than `from` and at most `to`.
pub fn part(events: &[Event], from: u64, to: u64) -> &[Event] {
    let place = |seq: u64| usize::try_from(seq).unwrap_or(usize::MAX).min(events.len());
    events.get(place(from)..place(to)).unwrap_or_default()
}

/// Prints the next action of the schedule, the action at `place`.
///
/// # Errors
/// If standard output cannot be written.
pub fn announce(schedule: &Schedule, place: usize) -> io::Result<()> {
    let Some(next) = schedule.choices.get(place) else { return Ok(()) };
    let choice = serde_json::to_string(&next.choice)?;
    let mut out = terminal::json();
    write!(out, "{} of {}: {choice} ", place + 1, schedule.choices.len())?;
    out.flush()
}

/// Prints `events` as the continuation of `story`.
///
/// # Errors
/// If standard output cannot be written.
pub fn tell(story: &mut Story, events: &[Event]) -> io::Result<()> {
    let mut out = terminal::text();
    writeln!(out)?;
    for Told { sentence, details } in story.tell(events) {
        writeln!(out, "    {sentence}")?;
        details.iter().try_for_each(|detail| writeln!(out, "        {detail}"))?;
    }
    Ok(())
}
