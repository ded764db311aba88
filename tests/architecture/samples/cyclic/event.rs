//! The lowest layer. It refers to a name that the highest layer re-exports.

use crate::monitor::Verdict;

pub struct Event {
    pub verdict: Option<Verdict>,
}
