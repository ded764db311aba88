//! What a run is and what follows from what happens in it, the same for live processes and in virtual time: no clock, no
//! socket, no file.

pub mod above_channels;
pub mod choice;
pub mod document;
pub mod event;
pub mod example;
pub mod exploration;
pub mod field_error;
mod flow;
pub mod impossible;
pub mod listed;
pub mod matrix;
pub mod metrics;
pub mod monitor;
pub mod nearest;
pub mod network;
pub mod operation_words;
mod parallel;
pub mod process_status;
pub mod repair_cost;
pub mod resource;
pub mod scenario;
pub mod schedule;
pub mod schema;
pub mod simulation;
pub mod span;
pub mod specification;
pub mod state;
pub mod strict;
pub mod trace;
pub mod witness;
pub mod world;
pub mod write;
