//! One process of a distributed algorithm: a thin shell of HTTP, timers and a lifeline around a pure state machine.

mod confinement;
mod date;
mod foreign;
mod linux;
mod process;
mod tree;

pub use confinement::{Confined, ConfinementError, Extent, Landlock, confine};
pub use date::{ImpossibleDate, check_date};
pub use foreign::{Check, any_node, check_program, exec, keep};
pub use linux::{Alarm, Clock};
pub use process::{Trust, run, run_initialized, serve};

/// The name of the process that ends a program with its node; a space and the number of the process of the node follow.
pub const KEEPER: &str = "keep";
