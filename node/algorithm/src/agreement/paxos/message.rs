//! The messages and reasons of Paxos.

use crate::agreement::acceptor::Proposal;
use crate::identity::Ballot;
use crate::prelude::*;

messages! {
    /// The messages of the paper.
    pub enum PaxosMessage {
        "PREPARE" Prepare { ballot: Ballot }:
            "A proposer asks the acceptors to promise that they accept no older proposal.",
        "PROMISE" Promise {
            ballot: Ballot,
            /// The proposal that the acceptor accepted last, if any.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            accepted: Option<Proposal<String>>,
        }: "An acceptor promises to accept no older proposal.",
        "ACCEPT" Accept { ballot: Ballot, value: String }: "A proposer asks the acceptors to accept a value.",
        "ACCEPTED" Accepted {
            /// The number of the proposal. The variant `accepted-without-number` omits it.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            ballot: Option<Ballot>,
            value: String,
        }: "An acceptor reports to the learners what it has accepted.",
    }
}

reasons! {
    pub enum Reason {
        Promises { ballot: Ballot }: "Promised: no newer ballot was promised before.",
        Accepts { ballot: Ballot }: "Accepted: no newer ballot was promised before.",
        Older { ballot: Ballot, promised: Ballot }: "Ignored: a newer ballot was promised.",
        Repeated { ballot: Ballot }: "Answers again: the request is a copy.",
        OwnValue { ballot: Ballot }: "Proposes its own value: no acceptor in the quorum has accepted any.",
        Adopts {
            ballot: Ballot,
            /// The ballot with which the adopted value was accepted.
            accepted: Ballot,
        }: "Proposes the value that was accepted with the highest number, instead of its own.",
        NotNeeded { from: NodeId }: "Ignored: a promise for a ballot that needs no promise, or no further one.",
        Chosen {
            /// Number of acceptors.
            acceptors: u32,
        }: "Chosen: a quorum has accepted it.",
        TimedOut {
            /// The ballot of the attempt that the proposer abandons.
            ballot: Ballot,
        }: "Tries a higher ballot: no outcome was reported in time.",
        NoHigherBallot: "Gives up: there is no higher round.",
        AnotherValue { ballot: Ballot }:
            "Ignored: another value was accepted with this ballot, and a proposer proposes only one value per ballot.",
        NotItsBallot { from: NodeId }: "Ignored: the ballot is not one of the sender's.",
        NotItsRole { from: NodeId }:
            "Ignored: this node does not have the role that the message is for, or the sender is not an acceptor.",
    }
}
