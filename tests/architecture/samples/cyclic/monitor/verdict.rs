//! The result of a judgement.

pub struct Verdict;
