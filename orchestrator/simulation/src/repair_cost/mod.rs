//! The cost of each repair: the messages and the time from a fault to the next entry. Each cost is compared with the
//! cost that theory predicts for the algorithm.
//!
//! A row is an algorithm that survives a fault, with raw links, and with a perfect failure detector or none. In its
//! scenario nothing happens except the fault: one process is in the critical section, another waits, and no other
//! process requests anything. All messages after the fault therefore belong to the repair or to the handover of the
//! critical section. The same scenario without the fault measures the cost of the handover alone. Every message takes
//! one unit of time, T.

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
