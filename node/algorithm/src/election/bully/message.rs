//! The messages of the bully algorithm, and the reasons of its processes.

use crate::prelude::*;

messages! {
    /// The messages. The last two, INQUIRE and TERM, are not part of the election: a process that restarts asks for
    /// the current term, and the others answer.
    #[derive(Copy)]
    pub enum BullyMessage {
        "ELECT" Elect { term: u64 }:
            "Asks a higher process whether it is alive; that process then continues the election.",
        "OK" Ok { term: u64 }: "A higher process is alive.",
        "COORD" Coord { term: u64 }: "The sender is the coordinator.",
        "INQUIRE" Inquire {}: "The sender is back after a crash and asks for the latest term.",
        "TERM" Term {
            /// The highest term that the sender has seen.
            term: u64,
            /// The winner of the election of that term, if that election is over.
            leader: Option<NodeId>,
        }: "Reports what the sender knows of the elections.",
    }
}

reasons! {
    pub enum Reason {
        Told: "Calls an election: told to.",
        Suspects { node: NodeId }: "Calls an election: the failure detector suspects the coordinator.",
        CalledBelow { from: NodeId }: "Starts an election of its own: a lower process has called one.",
        BegunAlready { from: NodeId }: "Starts no election: it has already started this one.",
        OverAlready { from: NodeId }: "Starts no election: this one is over.",
        AsksFirst { from: NodeId }: "Starts no election yet: it is back after a crash and asks for the term first.",
        GaveWay { to: NodeId }: "Gives way: a higher process is alive.",
        Highest: "Is the coordinator: there is no higher process.",
        NobodyAnswered: "Is the coordinator: no higher process has answered in time.",
        NoCoordinator:
            "Calls the election again: a higher process has answered, but no process has become coordinator in time.",
        Accepted { leader: NodeId }: "Accepts this process as the coordinator.",
        Returned: "Asks for the term: it is back after a crash.",
        TakesOver: "Calls an election: it is back after a crash, and no higher process is known to be coordinator.",
        LowerCoordinator { from: NodeId }: "Calls an election: a lower process has announced itself as coordinator.",
        DeadCoordinator { leader: NodeId }:
            "Calls an election: the failure detector suspects the process that this announcement names.",
        Learnt { term: u64 }: "Notes a term.",
        Older { from: NodeId, term: u64 }: "Ignored: it is of an older term.",
        Unexpected { from: NodeId }: "Ignored: this process does not wait for such a message, or no longer does.",
        WrongSide { from: NodeId }: "Ignored: only lower processes ask, and only higher ones answer.",
    }
}
