//! The orchestrator: it spawns the processes, carries their messages, breaks what it is told to break, and tells what
//! happened in one stream of events.

pub mod api;
pub mod catalogue;
pub mod claims;
pub mod cli;
pub mod event;
pub mod example;
pub mod fire;
pub mod impossible;
pub mod journal;
pub mod metrics;
pub mod monitor;
mod nearest;
pub mod network;
pub mod run;
pub mod simulation;
pub mod specification;
pub mod state;
pub mod supervisor;
