//! Elections. Each file contains the claims about one algorithm, in the order of the source.

mod bully;
mod chang_roberts;
mod hirschberg_sinclair;
mod measured;
mod ring;

use super::claim::{Claim, Experiment, How, Showing};
use super::finding::{CouldNotRun, Finding, Measurement};

/// Claims of each algorithm.
pub(super) const SYSTEMS: &[&[Claim]] =
    &[bully::CLAIMS, ring::CLAIMS, chang_roberts::CLAIMS, hirschberg_sinclair::CLAIMS];
