//! One algorithm type that represents every algorithm in the catalogue.
//!
//! A driver that is generic over [`Algorithm`](crate::contract::Algorithm) would be compiled once for each algorithm.
//! Live processes and the explorer do not gain from that: they spend their time elsewhere, so they are compiled once,
//! for [`Erased`]. The simulator executes millions of steps a second and is compiled for each algorithm.
//!
//! A step costs one dynamic call in each direction. Erased states, messages and timers are compared, hashed, printed
//! and serialized like the typed ones.

mod algorithm;
mod object;
mod timer;

pub use algorithm::{Erased, ErasedSetting};
pub use object::{ErasedMessage, Opaque};
pub use timer::{ErasedTimer, Packed};
