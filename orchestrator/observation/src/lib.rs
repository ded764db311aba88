//! Observation of a run: its state, the verdicts of the monitors, the metrics and the traces, all derived from its
//! events. Live processes and virtual time produce the same events, so both are observed here.

pub mod above_channels;
pub mod document;
pub mod metrics;
pub mod monitor;
pub mod observation;
pub mod resource;
pub mod state;
pub mod trace;
pub mod witness;
