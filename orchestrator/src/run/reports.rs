//! The order of a node's reports, and of the steps in them.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

use axum::body::Bytes;
use rustc_hash::FxHasher;

/// Maximum number of reports that are stored because an earlier report has not arrived yet.
const MOST_EARLY: usize = 64;

/// The reports of a node's present incarnation.
#[derive(Debug, Default)]
pub(super) struct Reports {
    next: u64,
    next_step: u64,
    /// Number of steps that the node has not reported: parts of connections that the node sent or received.
    inserted: u64,
    /// Number and hash of the latest report in order.
    last: Option<(u64, u64)>,
    early: BTreeMap<u64, Bytes>,
}

/// Result of comparing a report with the earlier reports of its node.
#[derive(Debug)]
pub(super) enum Place {
    /// The report is next, and must be applied.
    Next,
    /// The report repeats an earlier report, or is stored until all earlier reports have arrived.
    Other,
    /// The report repeats the latest report with other content.
    Altered,
    /// The report whose number is given is missing, and too many later reports are stored.
    TooEarly(u64),
}

impl Reports {
    /// Begins a new incarnation.
    pub fn begin(&mut self) {
        *self = Self { next: 1, next_step: 1, ..Self::default() };
    }

    /// Accepts a report if it is next, or stores it if it is early.
    pub fn accept(&mut self, number: u64, bytes: &Bytes) -> Place {
        if number < self.next {
            let is_altered = self.last.is_some_and(|(last, hash)| last == number && hash != fingerprint(bytes));
            return if is_altered { Place::Altered } else { Place::Other };
        }
        if number == self.next {
            self.advance(bytes);
            return Place::Next;
        }
        if self.early.len() >= MOST_EARLY {
            return Place::TooEarly(self.next);
        }
        self.early.insert(number, bytes.clone());
        Place::Other
    }

    /// Accepts and returns the stored report that is next in the order of reports.
    pub fn next_early(&mut self) -> Option<Bytes> {
        let bytes = self.early.remove(&self.next)?;
        self.advance(&bytes);
        Some(bytes)
    }

    fn advance(&mut self, bytes: &Bytes) {
        self.last = Some((self.next, fingerprint(bytes)));
        self.next += 1;
    }

    /// Accepts the next step of the node. Returns its number in the events.
    ///
    /// # Errors
    /// The number of the expected step, if `step` is another number.
    pub const fn accept_step(&mut self, step: u64) -> Result<u64, u64> {
        if step != self.next_step {
            return Err(self.next_step);
        }
        self.next_step += 1;
        Ok(step + self.inserted)
    }

    /// Inserts a step that the node does not report. Returns its number in the events.
    pub const fn insert_step(&mut self) -> u64 {
        self.inserted += 1;
        self.next_step + self.inserted - 1
    }
}

fn fingerprint(bytes: &Bytes) -> u64 {
    let mut hasher = FxHasher::default();
    bytes.hash(&mut hasher);
    hasher.finish()
}
