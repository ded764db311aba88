//! The core of a run together with the real machines of nodes, batch by batch, without sockets.

mod anything;
mod fixture;
mod impatient;
mod misbehaving;
mod replayed;
mod right;
mod temporary;
mod tidied;
mod wrong;
