//! The messages of the acknowledged ring, and the reasons of its processes.

use crate::prelude::*;

messages! {
    /// The messages.
    #[derive(Copy)]
    pub enum AcknowledgedRingMessage {
        "ELECT" Elect {
            term: u64,
            candidate: NodeId,
            /// Number of times that the id was passed on; 1 if the ELECT comes from the candidate itself.
            hops: u64,
        }: "The greatest id so far, on its way from the process that sent it first.",
        "OK" Ok {
            term: u64,
            candidate: NodeId,
            /// The latest term of which the sender knows that its election is over; 0 if there is none.
            over: u64,
        }: "An ELECT has arrived.",
        "COORD" Coord { term: u64, leader: NodeId }: "Announces the winner.",
    }
}

reasons! {
    pub enum Reason {
        Told: "Calls an election: told to.",
        Suspects { node: NodeId }: "Calls an election: the failure detector suspects the coordinator.",
        Returned: "Calls an election: it is back after a crash and does not know the coordinator.",
        Greater { candidate: NodeId }: "Passed an id on: it is greater.",
        Replaced { candidate: NodeId }: "Sent its own id instead of a smaller one.",
        Swallowed { candidate: NodeId }: "Swallowed a smaller id: its own or a greater one is in transit.",
        Outbid { by: NodeId }: "Swallowed its own id: a greater one is in transit.",
        CameBack: "Is the coordinator: its own id has come back.",
        Alone: "Is the coordinator: no other process is alive.",
        Skipped { dead: NodeId }:
            "Skips a process that has not acknowledged an ELECT in time, and sends it to the next one.",
        Acknowledged { by: NodeId }: "The successor has received it.",
        CandidateDead { candidate: NodeId }:
            "Calls the election again: this id has gone round the ring without being stopped, so its candidate has \
            crashed.",
        NoCoordinator: "Calls the election again: no coordinator was announced in time.",
        RoundBroken: "Calls the election again: its own announcement as coordinator has not come back in time.",
        MissedTerm {
            /// The latest term that is over.
            term: u64,
        }: "Calls the election again: after a crash it has called one of a term that is over.",
        DeadCoordinator { leader: NodeId }:
            "Calls an election: the failure detector suspects the process that this announcement names.",
        Accepted { leader: NodeId }: "Accepts this process as the coordinator.",
        RoundOver: "All processes know: the coordinator's announcement has come back.",
        Older { term: u64 }: "Ignored: it is of an older term, of an election that is over, or a copy.",
        Unexpected { from: NodeId }: "Ignored: it is about no process of the ring, or it is an unexpected answer.",
    }
}
