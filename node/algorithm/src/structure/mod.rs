//! The structures that processes are arranged in: who is whose neighbour, and whom each asks.

pub mod bridged_tree;
pub mod coterie;
pub mod information;
pub mod plane;
pub mod quorum_tree;
pub mod tree;
