//! Algorithms among nodes that crash and come back, over links that lose, double and reorder, with timers that run out
//! at any moment: random schedules of elections, deadlock and agreement.

mod agreement;
mod deadlock;
mod driver;
mod election;
mod failover;
mod itself;
mod poison;
mod replicated_lock;
mod restart;
