//! The messages and reasons of Paxos.

use alloc::string::String;

use crate::agreement::acceptor::Proposal;
use crate::identity::Ballot;
use crate::prelude::*;

messages! {
    /// The messages of the paper.
    pub enum PaxosMessage {
        "PREPARE" Prepare { ballot: Ballot }: "A proposer asks the acceptors to accept nothing older.",
        "PROMISE" Promise {
            ballot: Ballot,
            /// The proposal that the acceptor accepted last, if any.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            accepted: Option<Proposal<String>>,
        }: "An acceptor promises so.",
        "ACCEPT" Accept { ballot: Ballot, value: String }: "A proposer asks the acceptors to accept a value.",
        "ACCEPTED" Accepted {
            /// The number of the proposal. The variant `accepted-without-number` omits it.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            ballot: Option<Ballot>,
            value: String,
        }: "An acceptor tells the learners what it has accepted.",
    }
}

reasons! {
    /// The reasons for a node's decisions.
    pub enum Reason {
        Promises { ballot: Ballot }: "Promised: no newer ballot was promised before.",
        Accepts { ballot: Ballot }: "Accepted: no newer ballot was promised before.",
        Older { ballot: Ballot, promised: Ballot }: "Ignored: a newer ballot was promised.",
        Repeated { ballot: Ballot }: "Said again: the request is a copy.",
        OwnValue { ballot: Ballot }: "Asks for its own value: nobody in the quorum has accepted any.",
        Adopts {
            ballot: Ballot,
            /// The ballot with which it was accepted.
            accepted: Ballot,
        }: "Asks for the value that was accepted with the highest number, instead of its own.",
        NotNeeded { from: NodeId }: "Ignored: a promise for a ballot that needs none, or needs no more.",
        Chosen {
            /// Number of acceptors.
            acceptors: u32,
        }: "Chosen: so many have accepted it.",
        TimedOut {
            /// The ballot that the proposer gives up.
            ballot: Ballot,
        }: "Tries a higher ballot: nothing was heard of an outcome.",
        NoHigherBallot: "Gives up: there is no higher round.",
        AnotherValue { ballot: Ballot }:
            "Ignored: with this ballot another value was accepted, and no proposer asks for two.",
        NotItsBallot { from: NodeId }: "Ignored: the ballot is not that of the sender.",
        NotItsRole { from: NodeId }:
            "Ignored: it is for acceptors, or learners, and this node is none, or it is not from an acceptor.",
    }
}
