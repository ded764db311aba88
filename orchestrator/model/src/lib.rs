//! Model of a run: the specification, the network, actions and events. Live and simulated runs use the same
//! documents. The crate uses no clock, no socket and no file.

// `../schemas.rs` names schema types by a path that begins with `interlock_model`. With this alias the path is also
// valid in this crate.
extern crate self as interlock_model;

pub mod byte_count;
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
