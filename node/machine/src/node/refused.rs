//! Reasons why a node refuses an input.

use interlock_algorithm::NodeId;

use crate::client::OrderError;

/// The reason why a node refuses an input.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The first input of an incarnation arrives again.
    #[error("this incarnation of the node has started already")]
    Started,
    /// Another input precedes the first input of an incarnation.
    #[error("this incarnation of the node has not started yet")]
    NotStarted,
    /// The input is for a layer that the run does not have.
    #[error("the run has no layer between the algorithm and the links")]
    NoLayer,
    /// The run has a channel layer, but the message is not a packet.
    #[error("it is not a packet of the channel")]
    NoPacket,
    /// The run has no channel layer.
    #[error("the run has no channel layer")]
    NoChannel,
    /// The failure detector of the run sends no heartbeats.
    #[error("this run has no heartbeats")]
    NoHeartbeats,
    /// An order is to suspect or trust the node itself.
    #[error("{0} cannot suspect or trust itself; name another node")]
    Itself(NodeId),
    /// An order is to suspect or trust a node that does not exist. The second number is the number of nodes.
    #[error("there is no {0}: the nodes are P0 to P{last}", last = .1.saturating_sub(1))]
    NoNode(NodeId, u32),
    /// The first node suspects the second node already.
    #[error("{0} suspects {1} already")]
    Suspects(NodeId, NodeId),
    /// The first node does not suspect the second node.
    #[error("{0} does not suspect {1}")]
    Trusts(NodeId, NodeId),
    /// The state of the given algorithm cannot be overwritten.
    #[error("`{0}` does not stabilise, so its state cannot be overwritten")]
    Unstable(&'static str),
    /// The algorithm has no such command. The values are the algorithm's name, the refused command, and the
    /// algorithm's commands.
    #[error("the nodes of `{}` do not have the command `{}`, only {}", .0.0, .0.1, .0.2.join(" or "))]
    NoCommand(Box<(&'static str, &'static str, &'static [&'static str])>),
    /// The client cannot execute the order now.
    #[error(transparent)]
    Order(#[from] OrderError),
    /// The algorithm cannot execute the command now.
    #[error("{0}")]
    Objection(Box<str>),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_no_larger_than_a_text() {
        assert!(size_of::<Refused>() <= size_of::<String>(), "{}", size_of::<Refused>());
    }
}
