//! One algorithm type that represents every algorithm in the catalogue.
//!
//! A driver that is generic over [`Algorithm`](crate::contract::Algorithm) is compiled once for each algorithm.
//! Live processes and the explorer spend their time elsewhere, so they are compiled once, for [`Erased`]. The
//! simulator takes millions of steps a second and is compiled for each algorithm.
//!
//! A step crosses one dynamic call in each direction. Erased states, messages and timers compare, hash, print and
//! serialize as the typed ones do.

mod algorithm;
mod object;
mod timer;

pub use algorithm::{Erased, ErasedSetting};
pub use object::{ErasedMessage, Opaque};
pub use timer::{ErasedTimer, Packed};
