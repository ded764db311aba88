//! Tree quorums: voting sets of live processes, which are paths in a tree (Agrawala and El Abbadi 1991).
//!
//! If a process waits for the vote of a crashed process, it returns all its votes and withdraws all its requests. Then
//! it forms another quorum and sends requests with a new number. By this number, it recognises and ignores answers to
//! the former requests. A process in the critical section stays there. Every later quorum shares a live process with
//! that process's quorum, and the shared process has given its vote to the process in the section.

use super::entry::Version;
use super::{Maekawa, Reason, Said, Votes};
use crate::mutual_exclusion::prelude::*;
use crate::structure::quorum_tree::QuorumTree;

impl Maekawa {
    /// Forms the voting set of a new request; it is empty if too many processes are suspected.
    pub(super) fn form_quorum(&mut self, turn: &mut Turn<Self>) {
        let version = turn.setting.version;
        let Some(repair) = self.repair.as_mut().filter(|_| version.follows_the_living()) else { return };
        let (nodes, takes_half) = (turn.setting.nodes, version == Version::HalfTrees);
        let tree = QuorumTree { nodes, dead: &repair.suspected, takes_half };
        repair.quorum = tree.quorum(turn.me).into_iter().flatten().collect();
        turn.because(if repair.quorum.is_empty() {
            Reason::NoQuorum
        } else {
            Reason::FormedQuorum { size: count(repair.quorum.len()) }
        });
    }

    /// Forms a new quorum and requests its votes, if this process waits for the vote of a newly suspected process.
    pub(super) fn form_anew(&mut self, process: NodeId, turn: &mut Turn<Self>) {
        let Section::Wanting(asked, former) = self.section else { return };
        if !self.voting_set(turn.setting, turn.me).contains(&process) {
            return;
        }
        self.ask_all(Said::Release, former, turn);
        self.votes = Votes::default();
        let ours = Timestamp { clock: self.clock.tick(), process: turn.me };
        self.section = Section::Wanting(asked, ours);
        self.form_quorum(turn);
        self.ask_all(Said::Request, ours, turn);
    }
}
