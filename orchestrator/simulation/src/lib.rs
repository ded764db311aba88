//! Runs in virtual time: the world with its processes and its network, schedules, scenarios, and what is measured with them.

pub mod example;
pub mod library;
pub mod matrix;
pub mod parallel;
pub mod repair_cost;
pub mod scenario;
pub mod schedule;
pub mod simulation;
