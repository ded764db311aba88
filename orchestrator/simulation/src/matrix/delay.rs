//! Delays of messages in the scenarios of the matrix.

/// Delay of messages before and after a fault.
pub(super) const CALM: &str = "uniform:1ms..5ms";
/// Longest delay of messages that is harmless: all time-outs are longer.
pub(super) const SLOW: &str = "uniform:0..30ms";
