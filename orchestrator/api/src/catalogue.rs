//! The catalogue of algorithms as the API and the command line show it, with the assumptions of each variant.

use std::collections::BTreeMap;

use interlock_algorithm::catalogue::{ENTRIES, assumptions, sentences};
use interlock_algorithm::conduct::Conduct;
use interlock_algorithm::{Assumptions, FailureDetector, Risk, TimeOut, Within};
use interlock_algorithm::{Entry, LockUse, Parameter, Source, Structure};
use serde::Serialize;
use utoipa::ToSchema;

/// An algorithm of the catalogue.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Algorithm {
    /// Name in the API and on the command line.
    name: &'static str,
    /// Display name.
    title: &'static str,
    /// Problem that the algorithm solves: `mutual-exclusion`, `election`, `deadlock` or `agreement`.
    family: &'static str,
    /// Publication of the algorithm.
    #[schema(value_type = SourceSchema)]
    source: Source,
    /// Summary of the algorithm, in one sentence.
    summary: &'static str,
    /// Variants; the first is the default.
    variants: Vec<Variant>,
    /// Assumptions under which the first variant is correct.
    #[schema(value_type = AssumptionsSchema)]
    assumes: Assumptions,
    /// Commands that the nodes of the algorithm accept: `acquire`, `release`, `elect`, `propose`.
    commands: &'static [&'static str],
    /// Use of several locks: `none` (the algorithm has no locks), `instances` (one instance of the algorithm for each
    /// lock) or `many` (the algorithm manages any number of locks itself).
    #[schema(value_type = String)]
    locks: LockUse,
    /// Kinds of the algorithm's messages, named as in its publication.
    message_kinds: &'static [&'static str],
    /// Kinds of messages that repair the effects of failures. The metrics count these messages separately.
    repair_kinds: &'static [&'static str],
    /// Kinds of messages that nodes send although no client requests a lock, such as an idle token.
    background_kinds: &'static [&'static str],
    /// Kinds of messages that transfer the token, of which a run has only one.
    token_kinds: &'static [&'static str],
    /// Structure in which the processes of the algorithm are arranged.
    #[schema(value_type = StructureSchema)]
    structure: Structure,
    /// Variants that grant requests in the order of the happened-before relation.
    keeps_order: &'static [&'static str],
    /// Behaviour of the algorithm on which the judgement of its runs depends.
    #[schema(value_type = ConductSchema)]
    conduct: Conduct,
    /// Parameters of the algorithm.
    #[schema(value_type = Vec<ParameterSchema>)]
    parameters: &'static [Parameter],
    /// Number of messages for each entry to the critical section, as a formula in N, the number of nodes.
    messages_per_entry: &'static str,
    /// Sentences for the reasons in the field `because` of steps, indexed by the code of the reason.
    sentences: BTreeMap<String, &'static str>,
}

/// A variant of an algorithm.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct Variant {
    /// Name of the variant.
    name: &'static str,
    /// How the variant differs from the other variants.
    summary: &'static str,
    /// Property that a faulty variant violates. Faulty variants are kept for teaching. Absent in a correct variant.
    #[serde(skip_serializing_if = "Option::is_none")]
    broken: Option<&'static str>,
    /// Assumptions under which the variant is correct, or would be if it were not faulty.
    #[schema(value_type = AssumptionsSchema)]
    assumes: Assumptions,
}

impl Algorithm {
    /// Returns the whole catalogue.
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

/// Behaviour of an algorithm on which the judgement of its runs depends.
#[derive(Debug, ToSchema)]
#[schema(as = Conduct)]
pub struct ConductSchema {
    /// Time at which a request counts as arrived: `messages` or `doorway`. `messages`: as soon as the messages of
    /// the requesting step have arrived. `doorway`: as soon as the request's number is drawn and, if processes
    /// announce their numbers, all processes know the number.
    pub arrival: String,
    /// Variants that abort the request of a process that waits in a cycle.
    pub aborts: Vec<String>,
    /// Detection of deadlocks: `none`, `reports` (a process combines reports of other processes) or `probes`.
    pub detection: String,
    /// Whether the older of two transactions has priority over the younger transaction.
    pub by_age: bool,
    /// Variants that regenerate a lost token.
    pub regenerates: Vec<String>,
    /// Variants that make progress without the suspected processes if the run has a failure detector.
    pub heeds_suspicions: Vec<String>,
    /// Whether the algorithm distinguishes requests by their numbers.
    pub numbers_requests: bool,
    /// Whether locks are leased: the process that granted a lease can revoke it, and a holder leaves when its
    /// lease expires.
    pub leases: bool,
    /// Whether the processes of the algorithm propose, accept and decide values.
    pub agrees: bool,
}

/// Structure in which the processes of an algorithm are arranged.
#[derive(Debug, ToSchema)]
#[schema(as = Structure)]
pub struct StructureSchema {
    /// Kind of the structure:
    ///
    /// - `complete`: all processes are alike.
    /// - `ring`: a ring of processes.
    /// - `tree`: a tree of processes.
    /// - `pointers`: pointers to the last requester and to the next process.
    /// - `coterie`: voting sets.
    /// - `coordinator`: one process decides.
    /// - `permissions`: a process keeps each permission until another process requests the permission.
    /// - `numbered-requests`: the holder of the token finds waiting processes by the numbers of their requests,
    ///   which it compares with numbers in the token.
    pub kind: String,
    /// Parameter that determines the structure: the order, the shape, the sets or the coordinator. Absent or null
    /// if no parameter determines it.
    #[schema(required = false)]
    pub parameter: Option<String>,
}

/// A publication.
#[derive(Debug, ToSchema)]
#[schema(as = Source)]
pub struct SourceSchema {
    /// Authors of the publication.
    pub authors: String,
    /// Title of the publication.
    pub title: String,
    /// Year of publication.
    pub year: u16,
}

/// A parameter of an algorithm.
#[derive(Debug, ToSchema)]
#[schema(as = Parameter)]
pub struct ParameterSchema {
    /// Name of the parameter.
    pub name: String,
    /// Meaning of the parameter.
    pub summary: String,
    /// Default value. The default of a time-out is longer in a run with long delays.
    pub default: String,
    /// Valid values, in words.
    pub range: String,
    /// Unit of the value, if the value is a quantity: `ms`.
    pub unit: Option<String>,
}

/// Assumptions under which an algorithm is correct.
#[derive(Debug, ToSchema)]
#[schema(as = Assumptions)]
pub struct AssumptionsSchema {
    /// Messages on a link arrive in the order in which they were sent.
    pub fifo: bool,
    /// No message is lost.
    pub no_loss: bool,
    /// No message is duplicated.
    pub no_duplication: bool,
    /// No process crashes.
    pub no_crash: bool,
    /// A process that restarts after a crash has its stored state.
    pub stable_storage: bool,
    /// Failure detector that processes need: `none`, `perfect` or `eventual-leader`. `perfect` (P): a process that
    /// is silent for the whole time-out has crashed. `eventual-leader` (Ω): eventually all processes trust the
    /// same live process; this is needed for progress only.
    pub failure_detector: FailureDetector,
    /// Time-outs within which messages must arrive. If the list is empty, the algorithm is correct with any
    /// delays.
    pub time_outs: Vec<TimeOutSchema>,
}

/// A time-out within which messages must arrive.
#[derive(Debug, ToSchema)]
#[schema(as = TimeOut)]
pub struct TimeOutSchema {
    /// Parameter that sets the time-out.
    pub parameter: String,
    /// Number of successive messages whose delays together must be shorter than the time-out.
    pub messages: u32,
    /// Whether `messages` is multiplied by the number of nodes [default: false].
    #[schema(required = false)]
    pub per_node: bool,
    /// Another time-out that may expire while this time-out runs, and then replaces some of the messages. Absent
    /// if no other time-out does.
    pub within: Option<WithinSchema>,
    /// Property at risk if the time-out is too short: `safety` (the algorithm may violate a property) or
    /// `progress` (the algorithm may get stuck).
    pub risk: Risk,
}

/// A time-out that may expire while another time-out is running.
#[derive(Debug, ToSchema)]
#[schema(as = Within)]
pub struct WithinSchema {
    /// Parameter that sets the inner time-out.
    pub parameter: String,
    /// Number of times that the inner time-out may expire in succession.
    pub times: u32,
    /// Number of messages that the inner time-out replaces when it expires.
    pub messages: u32,
}

/// Returns the assumptions of an algorithm as phrases; an empty list if it has none.
#[must_use]
pub fn in_words(assumes: &Assumptions) -> Vec<String> {
    let facts = [
        (assumes.fifo, "fifo links"),
        (assumes.no_loss, "no loss"),
        (assumes.no_duplication, "no duplication"),
        (assumes.no_crash, "no crash"),
        (assumes.stable_storage, "stable storage"),
        (assumes.failure_detector == FailureDetector::Perfect, "a perfect failure detector (time-outs)"),
        (assumes.failure_detector == FailureDetector::EventualLeader, "eventually one leader, to make progress"),
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
        Risk::Safety => "or a property may be violated",
        Risk::Progress => "or it may not make progress",
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
            "`answer` longer than 2 messages take (or a property may be violated)",
            "`coordinator` longer than 6 messages take, or 2 and 2 times `answer` (or it may not make progress)",
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
