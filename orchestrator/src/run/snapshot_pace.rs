//! Decides when the state of a run is written to the journal as a snapshot.
//!
//! To show a past state, a reader applies the events since a snapshot, so snapshots must be frequent. The snapshot of a
//! large state takes as long as the writing of many events, so snapshots must be rare enough.

/// Minimum number of events between two snapshots.
const EVENTS_BETWEEN: u64 = 10_000;

/// The next snapshot of a run. All snapshots together need at most as much space as the events, so large states are
/// written less often.
#[derive(Debug, Default)]
pub(super) struct SnapshotPace {
    /// Number of the event after which the latest snapshot was taken.
    latest: u64,
    /// Minimum total size of everything written before the next snapshot, in bytes.
    least_bytes: u64,
}

impl SnapshotPace {
    /// Returns whether a snapshot is due after the event `seq`, when `bytes` bytes have been written.
    pub fn is_due(&self, seq: u64, bytes: impl FnOnce() -> u64) -> bool {
        seq - self.latest >= EVENTS_BETWEEN && bytes() >= self.least_bytes
    }

    /// Records that a snapshot was taken after the event `seq`. The next snapshot is taken when `least_bytes` bytes have
    /// been written.
    pub const fn taken(&mut self, seq: u64, least_bytes: u64) {
        (self.latest, self.least_bytes) = (seq, least_bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the number of snapshots in a run with `events` events of 100 bytes, and snapshots of `bytes` bytes.
    fn snapshots(events: u64, bytes: u64) -> u64 {
        let (mut pace, mut written, mut snapshots) = (SnapshotPace::default(), 0, 0);
        for seq in 1..=events {
            written += 100;
            if pace.is_due(seq, || written) {
                written += bytes;
                pace.taken(seq, written + bytes);
                snapshots += 1;
            }
        }
        snapshots
    }

    #[test]
    fn small_states_are_written_every_ten_thousand_events() {
        assert_eq!(snapshots(9_999, 500), 0);
        assert_eq!(snapshots(1_000_000, 500_000), 100);
    }

    #[test]
    fn snapshots_of_large_states_need_no_more_space_than_the_events() {
        for bytes in [5_000_000, 30_000_000, 1_000_000_000] {
            let space = snapshots(1_000_000, bytes) * bytes;
            assert!(space <= 100_000_000 + bytes, "{space}");
        }
    }
}
