//! Elections with crashes, restarts and overtaking messages.

mod bully;
mod figures;
mod rings;
pub mod rules;
