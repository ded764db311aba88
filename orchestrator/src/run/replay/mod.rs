//! Replay of a schedule by live processes: nothing happens except its actions, and each event is compared with the
//! model's.
//!
//! The model plays the same schedule first, which determines the expected events. The run then executes one action
//! after the other, each to its end, in the schedule's own time. So the network has the same deadlines and loses and
//! duplicates the same messages. The only possible differences are the answers of processes. The processes' own timers
//! are switched off; the run itself knows when they are due.

mod happening;
mod parts;
mod play;
