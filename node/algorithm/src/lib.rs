//! The algorithms of Interlock as pure state machines.
//!
//! This crate uses no clock, socket, thread or source of randomness. A state machine takes inputs and returns
//! effects, so the same code runs in a live process, in the simulator and in the explorer. The crate is `no_std`, so
//! the compiler rejects any use of these facilities.

#![no_std]

extern crate alloc;

pub mod agreement;
pub mod catalogue;
mod choice;
pub mod clock;
pub mod command;
pub mod conduct;
pub mod configuration;
pub mod contract;
pub mod deadlock;
pub mod election;
pub mod entry;
pub mod erased;
pub mod flat;
pub mod identity;
pub mod instances;
pub mod mutual_exclusion;
pub mod needs;
pub mod operation;
pub mod outcome;
pub mod own;
pub mod participant;
pub mod plausibility;
mod prelude;
pub mod range;
mod said;
pub mod sentence;
pub mod span;
pub mod structure;
mod tagged;
mod turn;
pub mod view;

pub use catalogue::Visitor;
pub use choice::Variant;
pub use clock::{Show, Timed};
pub use command::{Command, Discipline};
pub use configuration::{Configuration, Decimal, ParameterValue, Parameters, Refusal, Subject};
pub use contract::{Algorithm, Data, Delay, Effect, Effects, Input, Message, Recipients};
pub use entry::{Entry, Group, LockUse, Parameter, Source, Structure};
pub use flat::{FlatMap, FlatSet};
pub use identity::{Ballot, LockId, NodeId, RequestId, Ticks};
pub use needs::{Assumptions, Bound, FailureDetector, Risk, TimeOut, Within};
pub use operation::{Operation, Response};
pub use outcome::{AbortCause, Outcome};
pub use participant::Participant;
pub use range::Range;
pub use sentence::Sentence;
pub use view::{Queued, Value, View};
