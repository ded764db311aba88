//! Golden files: what a change of structure must not change, compared byte for byte with `tests/golden/kept/`.
//!
//! `INTERLOCK_GOLDEN=renew cargo test --workspace --test program -- golden::` writes them anew.

mod answers;
mod exchanges;
mod journals;
mod kept;
mod played;
