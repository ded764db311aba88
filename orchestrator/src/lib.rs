//! The orchestrator: spawns the processes, transports their messages, injects faults on request, and reports everything
//! in one stream of events.

pub mod ephemeral;
pub mod identifier;
pub mod journal;
pub mod run;
pub mod supervisor;

#[cfg(test)]
#[path = "../../tests/support/arbitrary.rs"]
mod arbitrary;
