//! Golden files: output that a refactoring must not change. The tests compare it byte for byte with the files in
//! `tests/golden/kept/`.
//!
//! `INTERLOCK_GOLDEN=renew cargo test --workspace --test program -- golden:: --test-threads 1` renews the golden
//! files. Only one test may run at a time, because one test writes the journal of layout 4 and another test reads
//! this journal.

mod answers;
mod exchanges;
mod journals;
mod kept;
mod played;
mod reference;
