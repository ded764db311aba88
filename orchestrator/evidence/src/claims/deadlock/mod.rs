//! Deadlock: the claims of the lecture. Each file contains the claims about one kind of scheme.

mod ages;
mod banker;
mod banker_example;
mod banker_unsafe;
mod conditions;
mod corridor;
mod detection;
mod live;
mod measured;

use super::claim::{Claim, Experiment, How, Showing};
use super::finding::{Finding, Measurement};

/// Claims of each scheme.
pub(super) const SYSTEMS: &[&[Claim]] = &[conditions::CLAIMS, detection::CLAIMS, ages::CLAIMS, banker::CLAIMS];
