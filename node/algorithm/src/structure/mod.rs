//! Structures in which processes are arranged: their neighbours, and the processes that each process asks.

pub mod bridged_tree;
pub mod coterie;
pub mod information;
pub mod plane;
pub mod quorum_tree;
pub mod tree;
