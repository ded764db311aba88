//! Tests of distributed mutual exclusion with a playground of Interlock: runs, faults, waits and verdicts.
//!
//! A majority makes progress without the others, and all make progress once the partition has healed:
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
//! Arguments are passed to the API unchanged. So a specification or a condition is JSON, and a time given as a
//! string has a unit (`"500ms"`, `"2s"`). An answer has its own type if tests inspect it, and is JSON if it is a
//! document with many parts. All calls block until the playground has answered; none of them retries or sleeps.
//!
//! Every failure is an [`Error`] that contains the cause, also in its `Debug` form, so a test may return it.

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
