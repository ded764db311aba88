//! What the catalogue says of Sanders's algorithm, and what a user can choose.

use super::SandersMessage;
use crate::mutual_exclusion::FAMILY;
use crate::prelude::*;
use crate::structure::coterie::Coterie;
use crate::structure::information::{InformationStructure, refuse_too_many};

choices! {
    /// Where sets come from.
    pub enum Preset {
        RicartAgrawala = "ricart-agrawala": "everybody asks everybody and informs itself only",
        Maekawa = "maekawa": "everybody asks and informs its voting set, of the given coterie",
        Centralised = "centralised": "everybody asks and informs itself and the coordinator",
        Given = "given": "the sets are given by inform and request",
        RemoveDead = "remove-dead":
            "the sets of the algorithm that is named by sets; those who have lost the one that both inform ask each other from then on",
        AskedOneWay = "asked-one-way": "as remove-dead, but who is asked so does not ask back";
            broken: "two can be in the section: one has the grant of the dead, and does not know yet that it has died",
    }
}

impl Preset {
    /// Whether the dead are removed from the sets.
    pub(super) const fn removes_dead(self) -> bool {
        matches!(self, Self::RemoveDead | Self::AskedOneWay)
    }
}

choices! {
    /// Where the sets come from that are repaired.
    pub enum Repaired {
        Maekawa = "maekawa": "voting sets, of the given coterie",
        Centralised = "centralised": "the coordinator",
        RicartAgrawala = "ricart-agrawala": "everybody is asked",
    }
}

choices! {
    /// Whether sets are refused that break the conditions.
    pub enum Check {
        Yes = "yes": "they are refused",
        No = "no": "they are taken, for teaching"; broken: "two can be in the section",
    }
}

/// What is fixed for a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    pub(super) nodes: u32,
    pub(super) structure: InformationStructure,
    pub(super) preset: Preset,
}

impl Setting {
    pub(super) fn configure(configuration: &Configuration<'_>) -> Result<Self, Refusal> {
        let nodes = configuration.nodes;
        refuse_too_many(nodes)?;
        let preset: Preset = configuration.variant()?;
        let sets = match (preset, preset.removes_dead().then(|| configuration.choice("sets")).transpose()?) {
            (_, Some(Repaired::Maekawa)) => Preset::Maekawa,
            (_, Some(Repaired::Centralised)) => Preset::Centralised,
            (_, Some(Repaired::RicartAgrawala)) => Preset::RicartAgrawala,
            (own, None) => own,
        };
        let structure = match sets {
            Preset::RicartAgrawala => InformationStructure::ricart_agrawala(nodes),
            Preset::Maekawa => InformationStructure::maekawa(&Coterie::configure(configuration)?, nodes),
            Preset::Centralised => {
                InformationStructure::centralised(configuration.node_parameter("coordinator")?, nodes)
            }
            _ if configuration.choice::<Check>("check")? == Check::No => InformationStructure::given(configuration)?,
            _ => InformationStructure::checked(configuration)?,
        };
        Ok(Self { nodes, structure, preset })
    }
}

pub(super) const ENTRY: Entry = Entry {
    name: "sanders",
    title: "Sanders",
    source: Source {
        authors: "Beverly A. Sanders",
        title: "The Information Structure of Distributed Mutual Exclusion Algorithms",
        year: 1987,
    },
    summary: "Ask your request set, tell your inform set when you leave: the sets make it one algorithm or another.",
    variants: Preset::VARIANTS,
    // Messages name their request, so those that overtake are told apart. A second GRANT is a second permission.
    assumes: FAMILY.assumes,
    message_kinds: SandersMessage::KINDS,
    parameters: &[
        Parameter::new("coterie", "with maekawa's sets, the voting sets", "grid", Range::Coterie),
        Parameter::node("coordinator", "with centralised sets, who is asked"),
        Parameter::choice::<Repaired>("sets", "in remove-dead, whose sets they are at the start"),
        Parameter::new("inform", "in given, the inform sets", "own", Range::InformSets),
        Parameter::new("request", "in given, the request sets", "all", Range::RequestSets { inform: "inform" }),
        Parameter::choice::<Check>(
            "check",
            "in given, whether sets are refused that break the conditions; with those, for teaching, two can be in the section",
        ),
    ],
    messages_per_entry: "at light load 2(N-1), 3(K-1) or 3(N-1)/N, as the algorithm whose sets they are; remove-dead: 2 more for each \
                           who is asked in the place of the dead",
    ..FAMILY
};
