//! Model of a run: the specification, the network, actions and events. Live processes and virtual time use the same
//! documents. The crate uses no clock, no socket and no file.

// With this alias, the schema types that `../schemas.rs` names have the same path in every crate.
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
pub mod size;
pub mod span;
pub mod specification;
pub mod strict;
pub mod write;
