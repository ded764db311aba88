//! What is done to a simulated run, and when.

use interlock_algorithm::{NodeId, Ticks};

use crate::network::{PartitionDraft, RuleDraft};
use crate::specification::LinkPatch;

/// Something that is done at a time.
#[derive(Clone, Debug)]
pub struct Scripted {
    /// When, in virtual time.
    pub at: Ticks,
    /// What.
    pub action: Action,
}

/// What can be done to a run.
#[derive(Clone, Debug)]
pub enum Action {
    /// The client of a node asks, if it may; it stays in the section for `hold`, or until it is told to leave.
    Acquire {
        /// Whose client.
        node: NodeId,
        /// How long it stays.
        hold: Option<Ticks>,
    },
    /// The client of a node leaves the section, if it is there.
    Release {
        /// Whose client.
        node: NodeId,
    },
    /// The application sends a message of its own, with the algorithm's stamp if there is one. Who gets it asks for
    /// the section, if `hold` says for how long.
    Tell {
        /// Who tells.
        from: NodeId,
        /// Whom.
        to: NodeId,
        /// How long the other stays in the section that it then asks for; none means that it does not ask.
        hold: Option<Ticks>,
    },
    /// A process dies.
    Crash {
        /// Which.
        node: NodeId,
    },
    /// A dead process comes back, with what it had stored or with nothing.
    Restart {
        /// Which.
        node: NodeId,
        /// Whether it is given back what it had stored.
        stored: bool,
    },
    /// A process is stopped in its tracks.
    Pause {
        /// Which.
        node: NodeId,
    },
    /// A paused process goes on.
    Resume {
        /// Which.
        node: NodeId,
    },
    /// A link behaves differently from now on; with nothing, like the others.
    Link {
        /// Where it begins.
        from: NodeId,
        /// Where it ends.
        to: NodeId,
        /// How it differs.
        patch: Option<LinkPatch>,
    },
    /// Links are cut.
    Partition(PartitionDraft),
    /// A rule acts on messages from now on.
    Rule(RuleDraft),
    /// All partitions and rules are gone.
    Heal,
}
