//! One process of a distributed algorithm: a pure state machine inside a thin layer. The layer adds HTTP, timers,
//! and the rule that the process ends with its parent.

mod confinement;
mod date;
mod foreign;
mod hub_address;
mod linux;
mod process;
mod tree;

pub use confinement::{Confined, ConfinementError, Extent, Landlock, confine};
pub use date::{ImpossibleDate, check_date};
pub use foreign::{Check, any_node, check_program, exec, keep};
pub use linux::{Alarm, Clock};
pub use process::{HttpClient, HttpError, Trust, run, run_initialized, serve};

/// Name of the keeper: the process that ends a program together with its node. The full name of a keeper process is
/// `KEEPER`, a space, and the process id of the node.
pub const KEEPER: &str = "keep";
