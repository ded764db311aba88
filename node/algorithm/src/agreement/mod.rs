//! Agreement: one of the proposed values is chosen, whichever processes crash and whichever messages are lost.

pub mod acceptor;
pub mod paxos;
pub mod replicated_lock;
pub mod roles;
pub mod tally;
