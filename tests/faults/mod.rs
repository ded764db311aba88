//! Live processes through the API: what the algorithms claim, every fault, every verb, every way to end.

mod channels;
mod chaos;
mod claims;
mod detectors;
mod ends;
mod lives;
mod messages;
mod strangers;
mod violation_by_hand;
