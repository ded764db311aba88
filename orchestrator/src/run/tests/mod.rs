//! The heart of a run with the real machines of nodes around it, batch by batch, without a socket in between.

mod impatient;
mod misbehaving;
mod right;
mod world;
mod wrong;
