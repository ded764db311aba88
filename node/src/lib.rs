//! One process of a distributed algorithm: a thin shell of HTTP, timers and a lifeline around a pure state
//! machine.

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

/// Name of the process that ends a program together with its node. A space and the process id of the node follow
/// it.
pub const KEEPER: &str = "keep";
