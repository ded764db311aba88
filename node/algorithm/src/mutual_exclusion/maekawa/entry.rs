//! Catalogue entry, configuration and displayed variables of Maekawa's algorithm.

use super::{Maekawa, MaekawaMessage, VOTING_SET};
use crate::mutual_exclusion::prelude::*;
use crate::structure::coterie::Coterie;

choices! {
    /// How an arbiter treats requests that compete for its vote.
    pub enum Version {
        Corrected = "corrected":
            "a request that is the best when it arrives is notified when a better one displaces it (Sanders 1987)",
        One = "version-1": "REQUEST, LOCKED and RELEASE only: a vote is never asked back";
            broken: "deadlock: some processes have votes that the others wait for",
        Two = "version-2": "as first published: only a new request is notified that a better one is known";
            broken: "deadlock: a request displaced by a better one is not notified and keeps its votes",
        TreeQuorums = "tree-quorums":
            "as corrected, with the paths of a binary tree as voting sets: two paths below a crashed process replace \
            it (Agrawala and El Abbadi 1991)",
        HalfTrees = "half-trees": "as tree-quorums, but one path below a crashed process is enough";
            broken: "mutual exclusion can be violated: the paths of two processes do not meet",
        Succession = "succession":
            "as corrected, and the next process takes the place of a crashed arbiter and asks which process has its \
            vote",
        ForgetfulSuccession = "forgetful-succession":
            "as succession, but the new arbiter begins with its vote, whichever process has it";
            broken:
                "mutual exclusion can be violated: the former arbiter had voted for one process, and the new one votes \
                for another",
    }
}

impl Version {
    /// Returns whether the arbiter sends FAILED for a displaced request.
    pub(super) fn is_corrected(self) -> bool {
        matches!(self, Self::Corrected) || self.survives_crashes()
    }

    /// Returns whether each request gets a voting set that contains only live processes.
    pub(super) const fn follows_the_living(self) -> bool {
        matches!(self, Self::TreeQuorums | Self::HalfTrees)
    }

    /// Returns whether the algorithm makes progress after processes have crashed.
    pub(super) const fn survives_crashes(self) -> bool {
        self.has_succession() || self.follows_the_living()
    }

    /// Returns whether other processes take over the places of crashed arbiters.
    pub(super) const fn has_succession(self) -> bool {
        matches!(self, Self::Succession | Self::ForgetfulSuccession)
    }
}

choices! {
    /// The condition under which the arbiter sends FAILED in version 2; the paper permits both readings.
    pub enum Failed {
        IfAnyBetter = "any-better": "the new request, if the request that has the vote or one that waits is better",
        IfHolderBetter = "holder-better": "the new request, if the request that has the vote is better",
    }
}

setting! { |configuration|
    pub(super) failed: Failed = configuration.choice("failed")?,
    pub(super) version: Version = configuration.variant()?,
    pub(super) coterie: Coterie = Coterie::configure(configuration)?,
}

reasons! {
    pub enum Reason {
        VotedFree { theirs: Timestamp }: "Voted: this process had its vote.",
        VotedBest { theirs: Timestamp }:
            "Voted: the vote has come back, and this is the best request that waits for it.",
        FailedBetterKnown { theirs: Timestamp, better: Timestamp }:
            "Notified a request that it must wait: a better one is known.",
        InquiredForBetter { theirs: Timestamp, holder: Timestamp }:
            "Asks for the vote back from the request that has it: a better one has arrived.",
        QueuedBehind { theirs: Timestamp, holder: Timestamp }:
            "Queued: the vote has already been asked back, or is never asked back.",
        NobodyWaits: "No request waits for the vote.",
        AllVoted: "Entered: the whole voting set has voted for this process.",
        RelinquishedAsFailed { to: NodeId }: "Gave a vote back: another vote is refused for now.",
        KeptUndecided { from: NodeId }: "Keeps a vote that is asked back, for now: no other vote has been refused yet.",
        KeptInSection { from: NodeId }: "Keeps a vote that is asked back: this process is in the critical section.",
        InquiredBeforeLocked { from: NodeId }: "The vote asked back has not arrived yet.",
        Outdated { from: NodeId, timestamp: u64 }:
            "Ignored: the message is about a request that is finished or never existed.",
        TookOver { place: NodeId }:
            "Takes the place of a crashed arbiter, and asks the processes that ask it what they know.",
        StillRebuilding { place: NodeId }:
            "Votes for no request: not all processes have reported what they have from the former arbiter in this \
            place.",
        Rebuilt { place: NodeId }: "Knows again which request has the vote of this place and which ones wait for it.",
        NewArbiter {
            place: NodeId,
            /// Process that now occupies this place.
            arbiter: NodeId,
        }: "From now on asks another process for the vote of this place.",
        GivenUp { process: NodeId }: "Its votes and requests are void: that process has crashed.",
        FormedQuorum { size: u32 }:
            "Asks the processes on a path of the tree that avoids crashed processes or leads around them.",
        NoQuorum: "Asks no process: too many have crashed for a quorum.",
        Withdrawn { theirs: Timestamp }: "A request is withdrawn: its sender asks other processes.",
        SaidBeforeDeath { from: NodeId }: "Ignored: the sender has crashed since.",
        NotItsArbiter { place: NodeId }: "Ignored: another process is the arbiter in this place.",
        NotInSet { from: NodeId }: "Ignored: the sender is not in this process's voting set.",
    }
}

impl Algorithm for Maekawa {
    steps!(MaekawaMessage: acquire, release, receive, clock clock, suspected suspect);

    const ENTRY: Entry = Entry {
        name: "maekawa",
        title: "Maekawa",
        source: Source {
            authors: "Mamoru Maekawa",
            title: "A √N Algorithm for Mutual Exclusion in Decentralized Systems",
            year: 1985,
        },
        summary: "A process asks only its voting set; every two sets meet, and no process votes for two requests at a \
                  time.",
        variants: Version::VARIANTS,
        // FIFO links are unnecessary: messages name their request, so a message that overtakes another is recognised.
        // Duplication is not tolerated, because a duplicated LOCKED would be a second vote.
        assumes: FAMILY.assumes,
        // A process that learns of a crash sends its request again, so its messages must arrive in order.
        variants_assume: &[(
            &["tree-quorums", "half-trees", "succession", "forgetful-succession"],
            Assumptions { fifo: true, ..DETECTED_CRASHES },
        )],
        structure: Structure::Coterie { parameter: "coterie" },
        message_kinds: MaekawaMessage::KINDS,
        repair_kinds: &["TAKES-OVER", "STATE"],
        parameters: &[
            Parameter::new("coterie", "the voting sets", "grid", Range::Coterie),
            Parameter::choice::<Failed>(
                "failed",
                "in version-2, when a new request gets FAILED: if any known request is better, or only if the one that \
                has the vote is",
            ),
        ],
        messages_per_entry: "3(K-1) … 7(K-1), K being the size of a voting set; succession: 2K more when an arbiter \
                             crashes; tree-quorums: K is at most 1+⌊log₂N⌋, more for each crashed process",
        ..FAMILY
    };

    fn new(setting: &Setting, _: NodeId) -> Self {
        Self { repair: setting.version.survives_crashes().then(Box::default), ..Self::default() }
    }

    fn members(setting: &Setting, me: NodeId, set: u32) -> &[NodeId] {
        if set == VOTING_SET { setting.coterie.set(me) } else { &[] }
    }

    fn has_timestamps(_: &Setting) -> bool {
        true
    }

    fn compares_times(_: &Setting) -> bool {
        true
    }

    fn times(&mut self, _: NodeId) -> Vec<&mut dyn Timed> {
        let places = self.repair.as_mut().map(|repair| &mut repair.places as &mut dyn Timed);
        let own = [&mut self.clock as &mut dyn Timed, &mut self.section, &mut self.arbiter];
        own.into_iter().chain(places).collect()
    }

    fn view(&self, setting: &Setting, me: NodeId) -> View {
        let set = self.voting_set(setting, me);
        let is_missing = |node: &NodeId| self.section.is_wanting() && !self.votes.here.contains(node);
        let places = self.repair.as_ref().map(|repair| &repair.places).filter(|places| !places.is_empty());
        View::timed(self.clock, self.section.time())
            .queued(self.arbiter.queue.iter().copied())
            .waiting_for(set.iter().copied().filter(is_missing))
            .with("S", Value::nodes(set))
            .with("LOCKED", Value::nodes(&self.votes.here))
            .with("FAILED", Value::nodes(&self.votes.failed))
            .with("INQUIRE", Value::nodes(&self.votes.inquired))
            .with("locked_for", Value::node(self.arbiter.locked.map(|locked| locked.process)))
            .with("inquired", Value::Flag(self.arbiter.inquired))
            .with("places", places.map(|places| Value::nodes(places.keys())))
    }
}
