//! The cost of each repair: messages and time from a fault to the next entry, compared with the expectation from
//! the algorithm.
//!
//! A row is an algorithm that survives a fault, with raw links, and a perfect failure detector or none. Its
//! scenario is quiet except for the fault. One process is in the critical section, another waits, and no other
//! process requests anything. Everything that happens is therefore the repair and the handover. The same scenario
//! without the fault measures the cost of the handover alone. Every message takes one unit of time, T.

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
