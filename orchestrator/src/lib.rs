//! The orchestrator: it spawns the processes, carries their messages, breaks what it is told to break, and tells what
//! happened in one stream of events.

pub mod api;
pub mod catalogue;
pub mod exploring;
pub mod grounds;
mod identifier;
pub mod journal;
pub mod lesson;
pub mod run;
pub mod supervisor;

#[cfg(test)]
#[path = "../../tests/support/arbitrary.rs"]
mod arbitrary;
