//! Catalogue entry, configuration and displayed variables of Carvalho and Roucairol's algorithm.

use super::{CarvalhoRoucairol, CarvalhoRoucairolMessage};
use crate::mutual_exclusion::prelude::*;
use crate::mutual_exclusion::removal::{self, Membership, Removes};

choices! {
    /// The detail that is missing in a faulty variant, and whether suspected processes are removed.
    pub enum Care {
        Full = "original":
            "the smaller of each pair has its permission at the start; a process that gives one away while waiting \
            asks for it again",
        NoSecondRequest = "no-second-request":
            "a process that gives a permission away while waiting does not ask for it again";
            broken: "deadlock: the permission given away never comes back",
        BothHold = "both-hold": "both of each pair have its permission at the start";
            broken: "mutual exclusion can be violated: neither has to ask the other",
        RemoveDead = "remove-dead":
            "as original; the permission of a suspected process counts as given, and a process that is back after a \
            crash has none: until one of a pair has replied to the other, each has to ask",
        BackAsAtStart = "back-as-at-start":
            "as remove-dead, but a process that is back after a crash assumes the permissions that it had at the start";
            broken:
                "mutual exclusion can be violated: others have given these permissions to each other or counted them \
                as given",
    }
}

setting! { |configuration|
    pub(super) care: Care = configuration.variant()?,
}

impl Setting {
    /// Returns whether suspected processes are removed.
    const fn removes(&self) -> bool {
        matches!(self.care, Care::RemoveDead | Care::BackAsAtStart)
    }
}

reasons! {
    pub enum Reason {
        RepliedIdle { to: NodeId }: "Replied: this process does not want the critical section.",
        RepliedOlder { theirs: Timestamp, ours: Timestamp }: "Replied: the other request is older than its own.",
        AskedAgain { to: NodeId, ours: Timestamp }: "Asked again: the permission just given away is needed.",
        DeferredInSection { to: NodeId }: "Deferred: this process is in the critical section.",
        DeferredYounger { theirs: Timestamp, ours: Timestamp }: "Deferred: its own request is older.",
        AllPermissions: "Entered: it has the permissions of all pairs, except those with crashed processes.",
        Removed { node: NodeId }: "Needs no permission from there: the process has crashed.",
        AskedWhoIsBack { to: NodeId, ours: Timestamp }:
            "Asked: the process is alive again, so its permission is needed.",
        OfAnEarlierLife { from: NodeId }: "Ignored: it was sent by an earlier incarnation of the process.",
        ToAnotherLife { from: NodeId }: "Ignored: it was sent to another incarnation of this process.",
        ToAnotherRequest { from: NodeId }: "Ignored: the permission was given to another request of this process.",
        UnexpectedReply { from: NodeId }: "Ignored: this process already has the permission of this pair.",
        NotItsSender { from: NodeId, process: NodeId }: "Ignored: the request names another process than its sender.",
    }
}

impl Algorithm for CarvalhoRoucairol {
    // Nothing is stored: after a crash a process does not know which permissions it had.
    steps!(CarvalhoRoucairolMessage: acquire, release, receive, clock clock, suspected suspect, trusted trust);

    const ENTRY: Entry = Entry {
        name: "carvalho-roucairol",
        title: "Carvalho–Roucairol",
        source: Source {
            authors: "Osvaldo S. F. Carvalho, Gérard Roucairol",
            title: "On Mutual Exclusion in Computer Networks",
            year: 1983,
        },
        summary: "As Ricart–Agrawala, but a permission lasts until it is asked back: a process asks only for those \
                  that it lacks.",
        variants: Care::VARIANTS,
        // A duplicated REQUEST causes a second REPLY. Then both processes of the pair have the permission.
        assumes: FAMILY.assumes,
        variants_assume: &[(&["remove-dead"], removal::ASSUMES)],
        structure: Structure::Permissions,
        message_kinds: CarvalhoRoucairolMessage::KINDS,
        messages_per_entry: "0 … 2(N-1)",
        ..FAMILY
    };

    fn new(setting: &Setting, me: NodeId) -> Self {
        let there = |&node: &NodeId| node < me && setting.care != Care::BothHold;
        let membership = Membership::new(first(), setting.removes());
        Self { missing: NodeId::all(setting.nodes).filter(there).collect(), membership, ..Self::default() }
    }

    fn begin_incarnation(setting: &Setting, me: NodeId, incarnation: u32) -> Option<Self> {
        let membership = Membership::new(incarnation, setting.removes());
        membership.is_kept().then(|| Self::returned(setting, me, membership))
    }

    fn has_timestamps(_: &Setting) -> bool {
        true
    }

    /// Returns whether times are compared only by their order. If suspected processes are removed, this is false: a
    /// REPLY then names a time that must equal the time of the request.
    fn compares_times(setting: &Setting) -> bool {
        !setting.removes()
    }

    fn times(&mut self, _: NodeId) -> Vec<&mut dyn Timed> {
        [&mut self.clock as &mut dyn Timed, &mut self.section].into()
    }

    fn view(&self, setting: &Setting, me: NodeId) -> View {
        let here = NodeId::all(setting.nodes).map(|node| node == me || !self.missing.contains(&node));
        let waits = self.section.is_wanting();
        View::timed(self.clock, self.section.time())
            .queued(self.deferred.iter().copied())
            .waiting_for(self.missing.difference(self.membership.removed()).copied().filter(|_| waits))
            .with("A", Value::Numbers(here.map(i64::from).collect()))
            .with("Reply_Deferred", Value::nodes(&self.deferred))
            .with("removed", Value::some_nodes(self.membership.removed()))
    }
}
