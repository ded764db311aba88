//! What each repair costs: messages and time from a fault to the next entry, beside what follows from the algorithm.
//!
//! A row is an algorithm that survives a fault, over raw links, told of the dead at once or by nobody. Its scenario is quiet but
//! for the fault: one process is in the section, another waits, and nobody else wants anything, so that all that happens is the
//! repair and the handing over. The same scenario without the fault says what the handing over costs by itself. Every message
//! takes one unit of time, T.

mod case;
mod fault;
mod measured;
mod row;
mod special;
#[cfg(test)]
mod tests;
mod theory;

pub use case::{FEWEST, MOST, SETTLED, repairs};
pub use fault::{FAULTS, RepairedFault};
pub use measured::{Cost, Measured, SEEDS};
pub use row::{RepairCost, Verdict, play};
pub use theory::{Formula, Theory};
