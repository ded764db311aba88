//! The lowest layer, with a reference to a name that the highest layer re-exports.

use crate::monitor::Verdict;

pub struct Event {
    pub verdict: Option<Verdict>,
}
