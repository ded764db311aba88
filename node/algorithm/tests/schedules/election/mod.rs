//! Elections among crashes, returns and overtaking messages.

mod bully;
mod figures;
mod rings;
pub mod rules;
