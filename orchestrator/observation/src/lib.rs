//! Observation of a run: its state, the monitors' verdicts, the metrics and the traces. All of these are computed from
//! the events of the run. Live processes and virtual time produce the same events, so this crate serves both.

pub mod above_channels;
pub mod document;
pub mod metrics;
pub mod monitor;
pub mod observation;
pub mod phenomenon;
pub mod resource;
pub mod state;
pub mod trace;
pub mod witness;
