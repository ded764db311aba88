//! What a run is and what follows from what happens in it, the same for live processes and in virtual time: no clock, no
//! socket, no file.

pub mod event;
pub mod example;
pub mod impossible;
pub mod metrics;
pub mod monitor;
pub mod nearest;
pub mod network;
pub mod simulation;
pub mod specification;
pub mod state;
