//! Tests of the core of a run with the real state machines of nodes. They exchange batches without sockets.

mod anything;
pub(super) mod fixture;
mod impatient;
mod misbehaving;
mod replayed;
mod right;
mod temporary;
mod tidied;
mod wrong;
