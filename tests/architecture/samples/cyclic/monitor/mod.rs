//! The highest layer.

mod verdict;

pub use verdict::Verdict;
