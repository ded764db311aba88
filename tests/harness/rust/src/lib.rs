//! Tests of distributed mutual exclusion, with a playground of Interlock: runs, faults, waits and verdicts.
//!
//! In this example, a majority makes progress without the other nodes, and all nodes make progress once the
//! partition has healed:
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
//! Arguments are passed to the API unchanged. So a specification or a condition is JSON, and a time in a string has
//! a unit (`"500ms"`, `"2s"`). An answer that tests often inspect has a Rust type; a document with many fields is
//! JSON. Each call returns only after the playground has answered. No call retries or sleeps.
//!
//! Every failure is an [`Error`] that describes its cause, even in its `Debug` form. So a test may simply return
//! it.

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
