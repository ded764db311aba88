//! Tests of the program in the way that people and scripts use it: commands, API, scenarios, schedules, journals.
//! Each module is a folder beside this file. The name of each test begins with the name of its module.

#[path = "../api/mod.rs"]
mod api;
#[path = "../architecture/mod.rs"]
mod architecture;
#[path = "../differential/mod.rs"]
mod differential;
#[path = "../explore/mod.rs"]
mod explore;
#[path = "../golden/mod.rs"]
mod golden;
#[path = "../harness/mod.rs"]
mod harness;
#[path = "../prose/mod.rs"]
mod prose;
#[path = "../replay/mod.rs"]
mod replay;
#[path = "../scenarios/mod.rs"]
mod scenarios;
#[path = "../simulate/mod.rs"]
mod simulate;
#[path = "../support/mod.rs"]
mod support;
#[path = "../terminal/mod.rs"]
mod terminal;
