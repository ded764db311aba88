//! Three layers. The lowest one refers to the highest one, which makes a cycle.

mod event;
mod monitor;
mod state;
