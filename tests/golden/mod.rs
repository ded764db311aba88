//! Golden files: output that a refactoring must not change, compared byte for byte with `tests/golden/kept/`.
//!
//! `INTERLOCK_GOLDEN=renew cargo test --workspace --test program -- golden:: --test-threads 1`
//! renews them. One test at a time: the journal of layout 3 is written first, and read afterwards.

mod answers;
mod exchanges;
mod journals;
mod kept;
mod played;
mod reference;
