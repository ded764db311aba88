//! Algorithms against deadlock.

mod ages;
mod banker;
mod central_detection;
mod edge_chasing;
mod edge_chasing_probes;
mod hostile;
pub mod loads;
mod prevention;
pub mod truth;
