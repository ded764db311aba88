//! A schedule, played by live processes: nothing happens but what it says, and each event is held against the model's.
//!
//! The same schedule is played in the model's world first, which says what is to be told. The run then takes one choice
//! after the other, each to its end, in the schedule's own time: so the network meets the same deadlines, loses and copies
//! the same messages, and what differs is what a process answers. The processes' own timers are switched off; the run
//! itself knows when they are due.

mod happening;
mod parts;
mod play;
