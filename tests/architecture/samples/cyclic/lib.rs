//! A crate of three layers. The lowest layer refers to the highest layer, and this causes a cycle.

mod event;
mod monitor;
mod state;
