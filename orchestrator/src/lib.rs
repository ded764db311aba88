//! The orchestrator: starts the processes, transports their messages, injects faults on request, and reports all
//! events in a single sequence.

pub mod ephemeral;
pub mod identifier;
pub mod journal;
pub mod run;
pub mod supervisor;

#[cfg(test)]
#[path = "../../tests/support/arbitrary.rs"]
mod arbitrary;
