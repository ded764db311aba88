//! Replay of a schedule by live processes. Only the actions of the schedule are executed, and each event is
//! compared with the corresponding event of the model.
//!
//! First, the model plays the same schedule, which determines the expected events. Then the run executes one action
//! after the other, each completely, at the times of the schedule. So the network delivers messages at the same
//! times, and loses and duplicates the same messages. Only the answers of processes can differ. The processes do not
//! run their own timers; instead, the run makes timers expire when they are due.

mod happening;
mod parts;
mod play;
