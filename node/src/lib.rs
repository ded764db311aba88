//! One process of a distributed algorithm: a thin shell of HTTP, timers and a lifeline around a pure state machine.

mod linux;
mod process;

pub use linux::{Alarm, Clock};
pub use process::{run, run_initialized};
