//! Voting sets that follow who lives: paths in a tree (Agrawala and El Abbadi 1991).
//!
//! Whoever waits for the vote of a process that dies gives all its votes and requests back, forms another quorum, and asks
//! anew with a new number: what was said about the former one is told apart by that. Who is in the section stays: every later
//! quorum meets its own in a process that lives and has voted for it.

use super::entry::Version;
use super::{Maekawa, Reason, Said, Votes};
use crate::mutual_exclusion::section::Section;
use crate::prelude::*;
use crate::structure::quorum_tree::QuorumTree;

impl Maekawa {
    /// The voting set for a request that is made now; empty if too many are dead.
    pub(super) fn form_quorum(&mut self, turn: &mut Turn<Self>) {
        if !turn.setting.version.follows_the_living() {
            return;
        }
        let takes_half = turn.setting.version == Version::HalfTrees;
        let tree = QuorumTree { nodes: turn.setting.nodes, dead: &self.suspected, takes_half };
        self.quorum = tree.quorum(turn.me).into_iter().flatten().collect();
        turn.because(if self.quorum.is_empty() {
            Reason::NoQuorum
        } else {
            Reason::FormedQuorum { size: u32::try_from(self.quorum.len()).unwrap_or(u32::MAX) }
        });
    }

    /// Somebody has died: who waits for its vote asks others.
    pub(super) fn form_anew(&mut self, process: NodeId, turn: &mut Turn<Self>) {
        let Section::Wanting(asked, former) = self.section else { return };
        if !self.quorum.contains(&process) {
            return;
        }
        for place in core::mem::take(&mut self.quorum) {
            self.ask(place, Said::Release, former.clock, turn);
        }
        self.votes = Votes::default();
        let ours = Timestamp { clock: self.clock.tick(), process: turn.me };
        self.section = Section::Wanting(asked, ours);
        self.form_quorum(turn);
        self.ask_all(Said::Request, ours, turn);
    }
}
