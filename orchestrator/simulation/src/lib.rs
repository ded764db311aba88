//! Runs in virtual time: the simulated world with its processes and network, schedules, scenarios, and measurements
//! that use these runs.

pub mod claim;
pub mod example;
pub mod library;
pub mod matrix;
pub mod parallel;
pub mod repair_cost;
pub mod scenario;
pub mod schedule;
pub mod simulation;
pub mod words;
