//! Delays of messages in the scenarios of the matrix.

/// Delay of messages before and after a fault.
pub(super) const CALM: &str = "uniform:1ms..5ms";
/// Delay of slow messages that are still harmless: the longest of these delays is shorter than all time-outs.
pub(super) const SLOW: &str = "uniform:0..30ms";
