//! The highest layer.

mod verdict;

pub use verdict::Verdict;

use crate::{event, state::State};

pub fn judge(state: &State) -> Option<&event::Event> {
    state.events.last()
}
