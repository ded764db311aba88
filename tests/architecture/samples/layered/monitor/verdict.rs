//! The result of a judgement. A child module and its parent may refer to each other.

use super::judge;
use crate::state::State;

pub struct Verdict;

pub fn decided(state: &State) -> bool {
    judge(state).is_some()
}
