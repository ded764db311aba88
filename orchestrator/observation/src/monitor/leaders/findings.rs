//! The kinds of violations that the monitor of elections reports.

use interlock_algorithm::{LockId, NodeId};

use super::super::finding::{findings, of_lock};
use super::NAME;

findings! {
    /// Two processes believe that they are the coordinator of one term. Arguments: `first`, `second`, `term`.
    pub const TWO_COORDINATORS = "two-coordinators";
    TwoCoordinators {
        first: NodeId,
        second: NodeId,
        term: u64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lock: Option<LockId>,
    } => of_lock(*lock, format!("{first} and {second} both consider themselves the coordinator of term {term}."));

    /// Two live nodes believe in different coordinators of one term, and at most one of the two believes in itself.
    /// Reported once for each term. Arguments: `node`, `leader` (the coordinator that `node` believes in), `other`,
    /// `other_leader` (the coordinator that `other` believes in), `term`.
    pub const TWO_BELIEFS = "two-beliefs";
    TwoBeliefs {
        node: NodeId,
        leader: NodeId,
        other: NodeId,
        other_leader: NodeId,
        term: u64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lock: Option<LockId>,
    } => {
        let sentence =
            format!("In term {term}, {other} accepts {other_leader} as the coordinator, but {node} accepts {leader}.");
        of_lock(*lock, sentence)
    };

    /// A node accepted a coordinator although it had already accepted one of a later term. Arguments: `node`,
    /// `leader`, `term`, `after` (the later term).
    pub const OLDER_TERM = "older-term";
    OlderTerm {
        node: NodeId,
        leader: NodeId,
        term: u64,
        after: u64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lock: Option<LockId>,
    } => {
        let sentence = format!(
            "{node} accepted {leader} as the coordinator of term {term} after it had accepted one of term {after}."
        );
        of_lock(*lock, sentence)
    };

    /// Nothing moves, and a node does not know the live coordinator of the latest term. Arguments: `node`, `takes`
    /// (the coordinator that the node believes in, if any), `leader` (the coordinator of the latest term), `term`.
    pub const DISAGREEMENT = "disagreement";
    Disagreement {
        node: NodeId,
        takes: Option<NodeId>,
        leader: NodeId,
        term: u64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lock: Option<LockId>,
    } => {
        let takes = takes.map_or_else(|| "knows no coordinator".to_owned(), |takes| format!("accepts {takes} instead"));
        let sentence =
            format!("{leader} is the coordinator of term {term}, but {node} {takes}, and no further step is possible.");
        of_lock(*lock, sentence)
    };

    /// Nothing moves, and no node was elected in the latest term for which a live process has called an election.
    /// Arguments: `term`.
    pub const NOBODY_ELECTED = "nobody-elected";
    NobodyElected { term: u64, #[serde(default, skip_serializing_if = "Option::is_none")] lock: Option<LockId> } => {
        let sentence = format!(
            "The election of term {term} is stuck: no further step is possible, and no coordinator was elected."
        );
        of_lock(*lock, sentence)
    };

    /// Nothing moves, and a node still believes in a coordinator whose crash it has noticed. Arguments: `node`,
    /// `leader`, `term`, `suspects`. If the node suspects the coordinator, `suspects` is true. If not, the node has
    /// called an election since the crash.
    pub const DEAD_COORDINATOR = "dead-coordinator";
    DeadCoordinator {
        node: NodeId,
        leader: NodeId,
        term: u64,
        suspects: bool,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lock: Option<LockId>,
    } => {
        let noticed = if *suspects { "suspects it" } else { "has called an election since" };
        let sentence = format!(
            "{leader} has crashed, but {node}, which {noticed}, still accepts it as the coordinator of term {term}. No \
             further step is possible."
        );
        of_lock(*lock, sentence)
    };

    /// Nothing moves, and a node that has called an election knows no coordinator. The elected coordinator has
    /// crashed. Arguments: `node`, `term`.
    pub const RESULT_UNKNOWN = "result-unknown";
    ResultUnknown {
        node: NodeId,
        term: u64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lock: Option<LockId>,
    } => {
        let sentence = format!(
            "{node} called the election of term {term} but knows no coordinator, and no further step is possible."
        );
        of_lock(*lock, sentence)
    }
}
