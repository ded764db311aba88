//! Agreement: of the values that are proposed, one is chosen, whoever crashes and whatever is lost.

pub mod acceptor;
pub mod paxos;
pub mod replicated_lock;
pub mod roles;
pub mod tally;
