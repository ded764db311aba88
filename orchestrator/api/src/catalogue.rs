//! The catalogue of the algorithms as the API and the command line show it: with what each variant needs.

use std::collections::BTreeMap;

use interlock_algorithm::catalogue::{ENTRIES, assumptions, sentences};
use interlock_algorithm::conduct::Conduct;
use interlock_algorithm::{Assumptions, FailureDetector, Risk, TimeOut, Within};
use interlock_algorithm::{Entry, LockUse, Parameter, Source, Structure};
use serde::Serialize;
use utoipa::ToSchema;

/// What there is to say of an algorithm.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Algorithm {
    /// The name in the API and on the command line.
    name: &'static str,
    /// The name for people.
    title: &'static str,
    /// The kind of problem it solves: `mutual-exclusion`, `election`, `deadlock`, `agreement`.
    family: &'static str,
    /// Where it was published.
    #[schema(value_type = SourceSchema)]
    source: Source,
    /// One sentence on how it works.
    summary: &'static str,
    /// The variants; the first is the default.
    variants: Vec<Variant>,
    /// What it needs in order to be right, in the first variant.
    #[schema(value_type = AssumptionsSchema)]
    assumes: Assumptions,
    /// What its nodes can be ordered to do: `acquire`, `release`, `elect`, `propose`.
    commands: &'static [&'static str],
    /// What it makes of several locks: `none` (it has no locks), `instances` (one of the algorithm for each), `many` (it
    /// keeps any number of them itself).
    #[schema(value_type = String)]
    locks: LockUse,
    /// The kinds of its messages, as in the paper.
    message_kinds: &'static [&'static str],
    /// The kinds of messages that repair what failures break, and are counted apart.
    repair_kinds: &'static [&'static str],
    /// The kinds of messages that flow although nobody wants anything (a circling token).
    background_kinds: &'static [&'static str],
    /// The kinds of messages that are the one token of the run on its way.
    token_kinds: &'static [&'static str],
    /// How its processes stand to each other.
    #[schema(value_type = StructureSchema)]
    structure: Structure,
    /// The variants that grant requests in the order of happened-before.
    keeps_order: &'static [&'static str],
    /// What has to be known of it in order to judge its runs.
    #[schema(value_type = ConductSchema)]
    conduct: Conduct,
    /// Its parameters.
    #[schema(value_type = Vec<ParameterSchema>)]
    parameters: &'static [Parameter],
    /// Messages for each entry to the critical section, as a formula in N.
    messages_per_entry: &'static str,
    /// What its reasons say, in `because` of its steps, by their codes.
    sentences: BTreeMap<String, &'static str>,
}

/// A variant of an algorithm.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct Variant {
    /// Its name.
    name: &'static str,
    /// How it differs.
    summary: &'static str,
    /// What breaks, if it is a wrong one, kept for teaching.
    #[serde(skip_serializing_if = "Option::is_none")]
    broken: Option<&'static str>,
    /// What it needs in order to be right, or would if it were not a wrong one.
    #[schema(value_type = AssumptionsSchema)]
    assumes: Assumptions,
}

impl Algorithm {
    /// The whole catalogue.
    #[must_use]
    pub fn all() -> Vec<Self> {
        ENTRIES.iter().map(Self::from).collect()
    }
}

impl From<&Entry> for Algorithm {
    fn from(entry: &Entry) -> Self {
        let variant = |variant: &interlock_algorithm::Variant| Variant {
            name: variant.name,
            summary: variant.summary,
            broken: variant.broken,
            assumes: assumptions(entry.name, variant.name).unwrap_or(entry.assumes),
        };
        Self {
            name: entry.name,
            title: entry.title,
            family: entry.family,
            source: entry.source,
            summary: entry.summary,
            variants: entry.variants.iter().map(variant).collect(),
            assumes: entry.assumes,
            commands: entry.commands,
            locks: entry.locks,
            message_kinds: entry.message_kinds,
            repair_kinds: entry.repair_kinds,
            background_kinds: entry.background_kinds,
            token_kinds: entry.token_kinds,
            structure: entry.structure,
            keeps_order: entry.keeps_order,
            conduct: entry.conduct,
            parameters: entry.parameters,
            messages_per_entry: entry.messages_per_entry,
            sentences: sentences(entry.name).iter().map(|sentence| (sentence.code(), sentence.text)).collect(),
        }
    }
}

/// How an algorithm behaves where a judgement of its runs depends on it.
#[derive(Debug, ToSchema)]
#[schema(as = Conduct)]
pub struct ConductSchema {
    /// When a request has arrived where it must be: `messages` (when those of the requesting step have) or `doorway`
    /// (when its number is drawn and, if it is told, known everywhere).
    pub arrival: String,
    /// The variants that make somebody give up who waits in a circle.
    pub aborts: Vec<String>,
    /// How it finds circles of waits: `none` (it reports none), `reports` (of others, put together) or `probes`.
    pub detection: String,
    /// Whether the older of two transactions is preferred.
    pub by_age: bool,
    /// The variants that make a token anew when it is lost.
    pub regenerates: Vec<String>,
    /// The variants that go on without whoever is suspected, where there is a failure detector.
    pub heeds_suspicions: Vec<String>,
    /// Whether it tells requests apart by their numbers.
    pub numbers_requests: bool,
    /// Whether locks are leased: a process takes back a lease that it granted, and a holder leaves when its lease is over.
    pub leases: bool,
    /// Whether its processes propose, accept and decide values.
    pub agrees: bool,
}

/// How the processes of an algorithm stand to each other.
#[derive(Debug, ToSchema)]
#[schema(as = Structure)]
pub struct StructureSchema {
    /// `complete` (all alike), `ring`, `tree`, `pointers` (to who asked last and who comes next), `coterie` (voting sets),
    /// `coordinator` (one decides), `permissions` (kept until asked for), `numbered-requests` (known to the token).
    pub kind: String,
    /// The parameter that says more: the order, the shape, the sets, or who decides; none if it is absent or null.
    #[schema(required = false)]
    pub parameter: Option<String>,
}

/// A publication.
#[derive(Debug, ToSchema)]
#[schema(as = Source)]
pub struct SourceSchema {
    /// Who wrote it.
    pub authors: String,
    /// Its title.
    pub title: String,
    /// The year it appeared.
    pub year: u16,
}

/// A parameter of an algorithm.
#[derive(Debug, ToSchema)]
#[schema(as = Parameter)]
pub struct ParameterSchema {
    /// Its name.
    pub name: String,
    /// What it means.
    pub summary: String,
    /// What it is when nobody says otherwise; a time-out is longer where the delays of a run are.
    pub default: String,
    /// What it may be, for people.
    pub range: String,
    /// The unit in which it is read and written, if it is a quantity: `ms`.
    pub unit: Option<String>,
}

/// What an algorithm needs of the world in order to be right.
#[derive(Debug, ToSchema)]
#[schema(as = Assumptions)]
pub struct AssumptionsSchema {
    /// Messages of a link arrive in the order in which they were sent.
    pub fifo: bool,
    /// No message is lost.
    pub no_loss: bool,
    /// No message arrives twice.
    pub no_duplication: bool,
    /// No process crashes.
    pub no_crash: bool,
    /// Whoever comes back after a crash has what it had stored.
    pub stable_storage: bool,
    /// What processes must know of each other's crashes: `none`, `perfect` (who is silent for as long as a time-out is
    /// dead, P), `eventual-leader` (in the end all ask the same living process, Ω; only to get on).
    pub failure_detector: FailureDetector,
    /// The time-outs within which messages must arrive; with none, delays need no bound.
    pub time_outs: Vec<TimeOutSchema>,
}

/// A time-out that messages must not exceed.
#[derive(Debug, ToSchema)]
#[schema(as = TimeOut)]
pub struct TimeOutSchema {
    /// The parameter that it is.
    pub parameter: String,
    /// How many messages, one after the other, it must outlast at least.
    pub messages: u32,
    /// Whether that is for each node of the run; false if absent.
    #[schema(required = false)]
    pub per_node: bool,
    /// Another time-out that may run out in the place of some of these messages, if there is one.
    pub within: Option<WithinSchema>,
    /// What is lost if it is too short: `safety` (a rule may be broken) or `progress` (it may not get on).
    pub risk: Risk,
}

/// A time-out that may run out within another.
#[derive(Debug, ToSchema)]
#[schema(as = Within)]
pub struct WithinSchema {
    /// The parameter that it is.
    pub parameter: String,
    /// How often it may run out, one time after the other.
    pub times: u32,
    /// How many of the messages that are then in its place.
    pub messages: u32,
}

/// What an algorithm needs, as phrases; none if it needs nothing.
#[must_use]
pub fn in_words(assumes: &Assumptions) -> Vec<String> {
    let facts = [
        (assumes.fifo, "fifo links"),
        (assumes.no_loss, "no loss"),
        (assumes.no_duplication, "no duplication"),
        (assumes.no_crash, "no crash"),
        (assumes.stable_storage, "stable storage"),
        (assumes.failure_detector == FailureDetector::Perfect, "a failure detector that is never wrong (time-outs)"),
        (assumes.failure_detector == FailureDetector::EventualLeader, "in the end one leader, to get on"),
    ];
    let facts = facts.into_iter().filter(|(needed, _)| *needed).map(|(_, name)| name.to_owned());
    facts.chain(assumes.time_outs.iter().map(time_out_in_words)).collect()
}

fn time_out_in_words(time_out: &TimeOut) -> String {
    let TimeOut { parameter, messages, per_node, within, risk } = time_out;
    let of_each = if *per_node { " for each node" } else { "" };
    let inner = |Within { parameter, times, messages: of_them }: &Within| {
        format!(", or {} and {times} times `{parameter}`", messages - of_them)
    };
    let inner = within.as_ref().map(inner).unwrap_or_default();
    let lost = match risk {
        Risk::Safety => "or rules may be broken",
        Risk::Progress => "or it may not get on",
    };
    format!("`{parameter}` longer than {messages} messages take{of_each}{inner} ({lost})")
}

#[cfg(test)]
mod tests {
    use interlock_algorithm::catalogue::find;
    use serde_json::{Value, json};

    use super::*;

    fn shown(name: &str) -> Value {
        serde_json::to_value(Algorithm::from(find(name).expect("an algorithm"))).expect("JSON")
    }

    #[test]
    fn what_the_bully_needs_is_told_in_data_and_in_words() {
        let bully = shown("bully");
        let time_outs = json!([
            { "parameter": "answer", "messages": 2, "risk": "safety" },
            { "parameter": "coordinator", "messages": 6, "risk": "progress",
              "within": { "parameter": "answer", "times": 2, "messages": 4 } },
        ]);
        assert_eq!(bully["assumes"]["time_outs"], time_outs);
        assert_eq!(bully["variants"][1]["assumes"], bully["assumes"]);
        assert_eq!(bully["assumes"]["failure_detector"], "perfect");
        let words = in_words(&find("bully").expect("bully").assumes);
        let last = [
            "`answer` longer than 2 messages take (or rules may be broken)",
            "`coordinator` longer than 6 messages take, or 2 and 2 times `answer` (or it may not get on)",
        ];
        assert_eq!(words[words.len() - 2..], last);
    }

    #[test]
    fn variants_that_need_something_else_say_so() {
        let ring = shown("dijkstra-ring");
        let fifo = |place: usize| ring["variants"][place]["assumes"]["fifo"].clone();
        assert_eq!((fifo(0), fifo(1)), (json!(true), json!(false)), "in composite steps nothing is on its way");
        let stable = |name: &str| shown(name)["assumes"]["stable_storage"].clone();
        assert_eq!(
            (stable("paxos"), stable("replicated-lock"), stable("bully")),
            (json!(true), json!(true), json!(false))
        );
        assert_eq!(in_words(&Assumptions::ASYNCHRONOUS), [""; 0]);
    }

    #[test]
    fn a_structure_names_the_parameter_that_says_more() {
        for algorithm in Algorithm::all() {
            let structure = serde_json::to_value(algorithm.structure).expect("JSON");
            assert!(structure["kind"].is_string(), "{structure}");
            if let Some(parameter) = structure["parameter"].as_str() {
                assert!(
                    algorithm.parameters.iter().any(|one| one.name == parameter),
                    "{}: {parameter}",
                    algorithm.name
                );
            }
        }
        assert_eq!(shown("raymond")["structure"], json!({ "kind": "tree", "parameter": "tree" }));
        assert_eq!(shown("le-lann")["structure"], json!({ "kind": "ring", "parameter": null }));
        assert_eq!(shown("lamport")["structure"], json!({ "kind": "complete" }));
    }

    #[test]
    fn nothing_of_an_entry_is_left_out() {
        for entry in ENTRIES {
            let mut shown = serde_json::to_value(Algorithm::from(entry)).expect("JSON");
            for variant in shown["variants"].as_array_mut().expect("variants") {
                variant.as_object_mut().expect("a variant").remove("assumes").expect("what it needs");
            }
            let said = shown.as_object_mut().expect("an algorithm").remove("sentences").expect("sentences");
            assert_eq!(said.as_object().expect("by code").len(), sentences(entry.name).len(), "{}", entry.name);
            assert_eq!(shown, serde_json::to_value(entry).expect("JSON"), "{}", entry.name);
        }
    }
}
