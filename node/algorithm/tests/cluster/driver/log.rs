//! What has happened, as far as rules speak of it.

use interlock_algorithm::{Command, NodeId, Outcome};

/// Something that has happened at a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Where.
    pub node: NodeId,
    /// What.
    pub what: What,
}

/// What has happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// Its client has given this command.
    Commanded(Command),
    /// It has told this.
    Told(Outcome),
    /// It has crashed.
    Crashed,
    /// It is back.
    Restarted,
}
