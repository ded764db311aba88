//! Distributed mutual exclusion under test: a playground of Interlock, runs in it, faults, waits and verdicts.
//!
//! A majority goes on without the others, and all get on once the partition has healed:
//!
//! ```
//! use std::time::Duration;
//!
//! use interlock_harness::{Error, Playground, json};
//!
//! const WITHIN: Duration = Duration::from_secs(60);
//!
//! fn main() -> Result<(), Error> {
//!     let playground = Playground::open()?;
//!     let workload = json!({ "idle": "exp:20", "hold": 5 });
//!     let run = playground.run(json!({ "algorithm": "replicated-lock", "nodes": 5, "workload": workload }))?;
//!     run.wait(json!({ "every_node": "entered" }), WITHIN)?;
//!     let partition = run.partition(&[&[0, 1], &[2, 3, 4]])?;
//!     let each = [2, 3, 4].map(|node| json!({ "event": { "kind": "entered", "node": node } }));
//!     run.wait(json!({ "all": each }), WITHIN)?;
//!     partition.remove()?;
//!     run.wait(json!({ "every_node": "entered" }), WITHIN)?;
//!     run.expect_no_violation()
//! }
//! ```
//!
//! What the API takes is passed on as it is, so a specification or a condition is JSON, and a word in the place of a
//! time has its unit (`"500ms"`, `"2s"`). What it answers is a type of its own where tests look into it, and JSON where
//! it is a document of many parts. All calls block until the playground has answered; nothing is tried again, and
//! nothing sleeps.
//!
//! Whatever goes wrong is an [`Error`] that says what, also in its `Debug` form, so a test may return it.

mod client;
mod error;
mod network;
mod observing;
mod playground;
mod process;
mod program;
mod run;
mod told;

pub use error::{Error, FieldError, Problem};
pub use network::{Fault, Message};
pub use observing::{Standing, Violation};
pub use playground::Playground;
pub use run::{Acquired, Restart, Run};
pub use serde_json::{Value, json};
