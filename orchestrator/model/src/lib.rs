//! What a run is and what can happen in it: the specification, the network, choices and events. The same documents serve live
//! processes and virtual time. No clock, no socket, no file.

// The schemas that `../schemas.rs` names have the same path in each crate.
extern crate self as interlock_model;

pub mod choice;
pub mod event;
pub mod field_error;
pub mod flow;
pub mod impossible;
pub mod listed;
pub mod nearest;
pub mod network;
pub mod operation_words;
pub mod process_status;
pub mod schema;
pub mod span;
pub mod specification;
pub mod strict;
pub mod write;
