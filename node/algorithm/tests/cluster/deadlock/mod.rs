//! Schemes against deadlock.

mod ages;
mod banker;
mod central_detection;
mod edge_chasing;
mod hostile;
mod loads;
mod prevention;
mod truth;
