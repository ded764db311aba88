//! Catalogue entry, configuration and displayed variables of Sanders's algorithm.

use super::{INFORM_SET, REQUEST_SET, Sanders, SandersMessage};
use crate::mutual_exclusion::prelude::*;
use crate::structure::coterie::Coterie;
use crate::structure::information::{InformationStructure, refuse_too_many};

choices! {
    /// The inform sets and request sets of the processes.
    pub enum Preset {
        RicartAgrawala = "ricart-agrawala": "each process asks all processes and informs only itself",
        Maekawa = "maekawa": "each process asks and informs its voting set, of the given coterie",
        Centralised = "centralised": "each process asks and informs itself and the coordinator",
        Given = "given": "the sets are given by inform and request",
        RemoveDead = "remove-dead":
            "the sets of the algorithm that sets names; if the process that two others both inform has crashed, these \
            two ask each other from then on",
        AskedOneWay = "asked-one-way": "as remove-dead, but a process that is asked this way does not ask back";
            broken:
                "mutual exclusion can be violated: one has the grant of the crashed process and does not know yet that \
                it has crashed",
    }
}

impl Preset {
    /// Returns whether suspected processes are removed from the sets.
    const fn removes(self) -> bool {
        matches!(self, Self::RemoveDead | Self::AskedOneWay)
    }
}

choices! {
    /// The kind of sets that are repaired after a crash.
    pub enum Repaired {
        Maekawa = "maekawa": "voting sets, of the given coterie",
        Centralised = "centralised": "the coordinator",
        RicartAgrawala = "ricart-agrawala": "all processes are asked",
    }
}

choices! {
    /// Whether sets that violate the conditions are rejected.
    pub enum Check {
        Yes = "yes": "they are refused",
        No = "no": "they are accepted, for teaching"; broken: "mutual exclusion can be violated",
    }
}

setting! { |configuration|
    pub(super) preset: Preset = configuration.variant()?,
    pub(super) structure: InformationStructure = structure(configuration, preset)?,
}

/// Returns the sets that a configuration describes.
fn structure(configuration: &Configuration<'_>, preset: Preset) -> Result<InformationStructure, Refusal> {
    let nodes = configuration.nodes;
    refuse_too_many(nodes)?;
    let sets = match preset.removes().then(|| configuration.choice("sets")).transpose()? {
        Some(Repaired::Maekawa) => Preset::Maekawa,
        Some(Repaired::Centralised) => Preset::Centralised,
        Some(Repaired::RicartAgrawala) => Preset::RicartAgrawala,
        None => preset,
    };
    match sets {
        Preset::RicartAgrawala => Ok(InformationStructure::ricart_agrawala(nodes)),
        Preset::Maekawa => Ok(InformationStructure::maekawa(&Coterie::configure(configuration)?, nodes)),
        Preset::Centralised => {
            Ok(InformationStructure::centralised(configuration.node_parameter("coordinator")?, nodes))
        }
        _ if configuration.choice::<Check>("check")? == Check::No => InformationStructure::given(configuration),
        _ => InformationStructure::checked(configuration),
    }
}

reasons! {
    pub enum Reason {
        GrantedUntilInformed { theirs: Timestamp }:
            "Granted, and to no other request until this process is informed that the requester has left.",
        GrantedUninformed { theirs: Timestamp }:
            "Granted: the requester does not inform this process, so others can be granted as well.",
        FailedOlderKnown { theirs: Timestamp, older: Timestamp }:
            "Notified a request that it must wait: an older one is known.",
        InquiredForOlder { theirs: Timestamp, holder: Timestamp }:
            "Asks for the permission back from the request that has it: an older one has arrived.",
        QueuedBehind { theirs: Timestamp, holder: Timestamp }: "Queued: the permission has already been asked back.",
        NobodyWaits: "No request waits for permission.",
        AllGranted: "Entered: the whole request set has granted it.",
        YieldedAsFailed { to: NodeId }: "Gave a permission back: another is refused for now.",
        KeptUndecided { from: NodeId }:
            "Keeps a permission that is asked back, for now: no other permission has been refused yet.",
        KeptInSection { from: NodeId }:
            "Keeps a permission that is asked back: this process is in the critical section.",
        InquiredBeforeGrant { from: NodeId }: "The permission asked back has not arrived yet.",
        Outdated { from: NodeId, timestamp: u64 }:
            "Ignored: the message is about a request that is finished or never existed.",
        Removed { node: NodeId }: "Removed from the sets: that process has crashed.",
        AskedInstead { to: NodeId, ours: Timestamp }:
            "Asks another process: the one that both relied on has crashed, so they have to ask each other.",
        SaidBeforeDeath { from: NodeId }: "Ignored: the sender has crashed since.",
        StaysOut: "Takes no part: after its crash it no longer knows which permissions it had granted.",
        NotInRequestSet { from: NodeId }: "Ignored: the sender is not in this process's request set.",
    }
}

impl Algorithm for Sanders {
    steps!(SandersMessage: acquire, release, receive, clock clock, restart restart, suspected suspect);

    const ENTRY: Entry = Entry {
        name: "sanders",
        title: "Sanders",
        source: Source {
            authors: "Beverly A. Sanders",
            title: "The Information Structure of Distributed Mutual Exclusion Algorithms",
            year: 1987,
        },
        summary: "A process asks its request set, and informs its inform set when it leaves; the sets determine the \
                  algorithm.",
        variants: Preset::VARIANTS,
        // FIFO links are unnecessary: messages name their request, so a message that overtakes another is recognised.
        // Duplication is not tolerated, because a duplicated GRANT would be a second permission.
        assumes: FAMILY.assumes,
        variants_assume: &[(&["remove-dead", "asked-one-way"], DETECTED_CRASHES)],
        message_kinds: SandersMessage::KINDS,
        parameters: &[
            Parameter::new("coterie", "with maekawa's sets, the voting sets", "grid", Range::Coterie),
            Parameter::node("coordinator", "with centralised sets, the process that is asked"),
            Parameter::choice::<Repaired>("sets", "in remove-dead, the algorithm whose sets are used at the start"),
            Parameter::new("inform", "in given, the inform sets", "own", Range::InformSets),
            Parameter::new("request", "in given, the request sets", "all", Range::RequestSets { inform: "inform" }),
            Parameter::choice::<Check>(
                "check",
                "in given, whether sets that break the conditions are refused; with such sets, for teaching, mutual \
                exclusion can be violated",
            ),
        ],
        messages_per_entry: "at light load 2(N-1), 3(K-1) or 3(N-1)/N, as the algorithm whose sets are used; \
                             remove-dead: 2 more for each process asked in the place of a crashed one",
        ..FAMILY
    };

    fn new(setting: &Setting, _: NodeId) -> Self {
        Self { removal: setting.preset.removes().then(Box::default), ..Self::default() }
    }

    fn members(setting: &Setting, me: NodeId, set: u32) -> &[NodeId] {
        match set {
            REQUEST_SET => setting.structure.request_set(me),
            INFORM_SET => setting.structure.inform_set(me),
            _ => &[],
        }
    }

    fn has_timestamps(_: &Setting) -> bool {
        true
    }

    fn view(&self, setting: &Setting, me: NodeId) -> View {
        let asked = self.request_set(setting, me);
        let is_missing = |node: &NodeId| self.section.is_wanting() && !self.grants.here.contains(node);
        View::timed(self.clock, self.section.time())
            .queued(self.status.queue.iter().copied())
            .waiting_for(asked.iter().copied().filter(is_missing))
            .with("I", Value::nodes(setting.structure.inform_set(me)))
            .with("R", Value::nodes(asked))
            .with("CSSTAT", Value::node(self.status.holder.map(|holder| holder.process)))
            .with("GRANT", Value::nodes(&self.grants.here))
            .with("FAIL", Value::nodes(&self.grants.failed))
            .with("INQUIRE", Value::nodes(&self.grants.inquired))
            .with("inquired", Value::Flag(self.status.inquired))
    }
}
