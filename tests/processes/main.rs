//! Tests of live processes under faults, crashes and load. Further tests use programs in other languages as nodes.

#[path = "../claims/mod.rs"]
mod claims;
#[path = "../crashes/mod.rs"]
mod crashes;
#[path = "../endurance/mod.rs"]
mod endurance;
#[path = "../faults/mod.rs"]
mod faults;
#[path = "../nodes/mod.rs"]
mod nodes;
#[path = "../services/mod.rs"]
mod services;
#[path = "../support/mod.rs"]
mod support;
