//! The messages of the acknowledged ring, and the reasons of its processes.

use crate::prelude::*;

messages! {
    /// The messages.
    #[derive(Copy)]
    pub enum AcknowledgedRingMessage {
        "ELECT" Elect {
            term: u64,
            candidate: NodeId,
            /// Number of times that the message was passed on: 1 if it comes from the candidate itself.
            hops: u64,
        }: "The greatest id so far, seen from the one that sent it first.",
        "OK" Ok {
            term: u64,
            candidate: NodeId,
            /// The latest term whose election is over, as far as the sender knows; 0 if it knows none.
            over: u64,
        }: "An ELECT has arrived.",
        "COORD" Coord { term: u64, leader: NodeId }: "Who has won.",
    }
}

reasons! {
    /// The reasons for a process's decisions.
    pub enum Reason {
        Told: "Calls an election: told to.",
        Suspects { node: NodeId }: "Calls an election: the failure detector suspects the coordinator.",
        Returned: "Calls an election: it is back after a crash and does not know the coordinator.",
        Greater { candidate: NodeId }: "Passed an id on: it is greater.",
        Replaced { candidate: NodeId }: "Sent its own id on instead of a smaller one.",
        Swallowed { candidate: NodeId }: "Swallowed a smaller id: its own or a greater one is on its way.",
        Outbid { by: NodeId }: "Swallowed its own id: a greater one is on its way.",
        CameBack: "Is the coordinator: its own id has come back.",
        Alone: "Is the coordinator: nobody else is alive.",
        Skipped { dead: NodeId }: "Sends an ELECT to the one after: its receiver has not acknowledged it in time.",
        Acknowledged { by: NodeId }: "The successor has it.",
        CandidateDead { candidate: NodeId }:
            "Calls the election again: this id has gone round and nobody has stopped it, so the candidate is dead.",
        NoCoordinator: "Calls the election again: no coordinator has been heard of in time.",
        RoundBroken: "Calls the election again: what it said as coordinator has not come back in time.",
        MissedTerm {
            /// The latest term that is over.
            term: u64,
        }: "Calls the election again: back after a crash it has called one of a term that is over.",
        DeadCoordinator { leader: NodeId }:
            "Calls an election: the failure detector suspects the process that this announcement names.",
        Accepted { leader: NodeId }: "Takes this one for the coordinator.",
        RoundOver: "Everybody knows: what the coordinator said has come back.",
        Older { term: u64 }: "Ignored: of an older term, of an election that is over, or a copy.",
        Unexpected { from: NodeId }: "Ignored: of nobody in the ring, or an answer that is not waited for.",
    }
}
