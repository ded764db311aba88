//! The heart of a run with the real machines of nodes around it, batch by batch, without a socket in between.

mod anything;
mod fixture;
mod impatient;
mod misbehaving;
mod replayed;
mod right;
mod temporary;
mod tidied;
mod wrong;
