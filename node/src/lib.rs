//! One process of a distributed algorithm: a thin shell of HTTP, timers and a client loop around a pure state machine.

pub mod distribution;
pub mod draw;
mod linux;
pub mod lock_choice;
pub mod machine;
pub mod message_id;
mod normal;
mod process;
pub mod quantity;
pub mod wire;
pub mod wording;
pub mod workload;

pub use linux::{Alarm, Clock};
pub use machine::{LiveNode, Steps, catalogue_node, live_node};
pub use process::{run, run_initialized};
