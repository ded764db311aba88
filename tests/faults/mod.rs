//! Tests of live processes through the API: the claims of the algorithms, every fault, every action, and every kind
//! of end.

mod channels;
mod chaos;
mod claims;
mod detectors;
mod ends;
mod incarnations;
mod messages;
mod strangers;
mod violation_by_hand;
