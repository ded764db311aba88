//! The messages of Hirschberg and Sinclair's algorithm, and the reasons of its processes.

use crate::prelude::*;

/// A direction around the ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// From each process to its successor.
    Forward,
    /// From each process to its predecessor.
    Backward,
}

impl Direction {
    /// Returns the opposite direction.
    #[must_use]
    pub const fn reverse(self) -> Self {
        match self {
            Self::Forward => Self::Backward,
            Self::Backward => Self::Forward,
        }
    }
}

messages! {
    /// The messages. The names PROBE and REPLY are from Attiya and Welch ("Distributed Computing", 2004, section
    /// 3.3).
    #[derive(Copy)]
    pub enum HirschbergSinclairMessage {
        "PROBE" Probe {
            term: u64,
            candidate: NodeId,
            /// The phase of the candidate, from 0.
            phase: u32,
            /// The number of hops from the candidate: 1 when the PROBE arrives at a neighbour of the candidate.
            hops: u32,
            /// The direction in which the PROBE travels.
            direction: Direction,
        }: "Looks for a greater id up to 2^phase places away.",
        "REPLY" Reply {
            term: u64,
            candidate: NodeId,
            /// The phase of the PROBE.
            phase: u32,
            /// The direction in which the PROBE travelled. The REPLY travels in the opposite direction.
            direction: Direction,
        }: "There is no greater id in that direction so far.",
        "COORD" Coord { term: u64, leader: NodeId }: "Announces the winner.",
    }
}

reasons! {
    pub enum Reason {
        Told: "Calls an election: told to.",
        Suspects { node: NodeId }: "Calls an election: the failure detector suspects the coordinator.",
        Returned: "Calls an election: it is back after a crash and does not know the coordinator.",
        NextPhase {
            /// The phase that begins.
            phase: u32,
        }: "Looks further away: there is no greater id within this distance on either side.",
        Greater { candidate: NodeId }: "Passed a PROBE on: its id is greater.",
        FarEnough { candidate: NodeId }: "Answered a PROBE: its id is greater, and it has gone far enough.",
        Swallowed { candidate: NodeId }: "Swallowed a PROBE: its id is smaller.",
        CameBack: "Is the coordinator: its PROBE has gone round the ring.",
        Alone: "Is the coordinator: there is no other process.",
        DeadCoordinator { leader: NodeId }:
            "Calls an election: the failure detector suspects the process that this announcement names.",
        Accepted { leader: NodeId }: "Accepts this process as the coordinator.",
        RoundOver: "All processes know: the coordinator's announcement has come back.",
        Older { term: u64 }: "Ignored: it is of an older term or phase, or of an election that is over.",
        Unexpected { from: NodeId }: "Ignored: it comes from the wrong direction, or no process can have sent it.",
    }
}
