//! The orchestrator: it spawns the processes, carries their messages, breaks what it is told to break, and tells what
//! happened in one stream of events.

pub mod grounds;
pub mod identifier;
pub mod journal;
pub mod run;
pub mod supervisor;

#[cfg(test)]
#[path = "../../tests/support/arbitrary.rs"]
mod arbitrary;
