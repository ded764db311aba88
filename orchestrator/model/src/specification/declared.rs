//! Declarations of a scenario about programs that run an algorithm of their own. For all other algorithms, the
//! catalogue contains the declared facts.

use std::collections::BTreeSet;

use interlock_algorithm::catalogue::OWN;
use interlock_algorithm::{
    Configuration, Entry, FailureDetector, NodeId, ParameterValue, Refusal, Risk, TimeOut, Within, span,
};
use interlock_machine::wire::{LONGEST_KIND, MOST_KINDS};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Specification;
use crate::field_error::{FieldError, unknown_node};
use crate::listed;
use crate::nearest::did_you_mean;
use crate::schema::{NumberList, WordList};
use crate::strict;

/// Maximum length of a title, in characters.
const LONGEST_TITLE: usize = 200;

/// Declaration about the programs of a run. If a field is absent, the fact that it would state is unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Declaration {
    /// Name of the programs' algorithm, 1 … 200 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// All kinds of messages that the programs send.
    #[serde(default, deserialize_with = "listed::optional", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<WordList>)]
    pub message_kinds: Option<Vec<String>>,
    /// Kinds of messages that the programs send even if no client requests anything.
    #[serde(default, deserialize_with = "listed::list", skip_serializing_if = "Vec::is_empty")]
    #[schema(value_type = WordList, required = false)]
    pub background_kinds: Vec<String>,
    /// Kinds of messages that carry the run's single token. If there are several locks, the body of such a message
    /// names its `lock`.
    #[serde(default, deserialize_with = "listed::list", skip_serializing_if = "Vec::is_empty")]
    #[schema(value_type = WordList, required = false)]
    pub token_kinds: Vec<String>,
    /// Assumptions of the algorithm.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assumes: Option<Assumed>,
    /// Number of locks that the programs can manage: `one` or `many` [default: many].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locks: Option<LocksKept>,
    /// Nodes that grant and revoke leases; an empty list means that no node does. If the list is absent, any
    /// process that may have learnt of the request may report `expired`.
    #[serde(default, deserialize_with = "listed::optional", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<NumberList>)]
    pub leases: Option<Vec<NodeId>>,
}

/// Number of locks that the programs can manage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LocksKept {
    /// One lock.
    One,
    /// Any number of locks.
    Many,
}

/// Assumptions under which the programs are correct, named as in the catalogue.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Assumed {
    /// Messages on a link arrive in the order in which they were sent. If true, links keep this order, unless the
    /// network settings say otherwise.
    pub fifo: bool,
    /// No message is lost.
    pub no_loss: bool,
    /// No message is duplicated.
    pub no_duplication: bool,
    /// No process crashes.
    pub no_crash: bool,
    /// A restarted process has the state that it stored before the crash.
    pub stable_storage: bool,
    /// Failure detector that the processes need: `none`, `perfect` or `eventual-leader`.
    pub failure_detector: FailureDetector,
    /// Time-outs before which messages must arrive. Each is a parameter of the run.
    pub time_outs: Vec<AssumedTimeOut>,
}

/// A time-out before which messages must arrive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AssumedTimeOut {
    /// Parameter of the run that sets the time-out.
    pub parameter: String,
    /// Number of successive messages that must arrive before the time-out expires, from 1.
    #[schema(minimum = 1)]
    pub messages: u32,
    /// Whether `messages` is multiplied by the number of nodes [default: false].
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub per_node: bool,
    /// An inner time-out. Instead of waiting for some of the messages, a process may wait until the inner time-out
    /// expires.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<AssumedWithin>,
    /// Property at risk if the time-out is too short: `safety` or `progress`.
    pub risk: Risk,
}

/// A time-out that may expire while another time-out is running.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AssumedWithin {
    /// Parameter of the run that sets the inner time-out.
    pub parameter: String,
    /// Number of times that the inner time-out may expire in succession.
    pub times: u32,
    /// Number of messages that do not arrive if the inner time-out expires `times` times.
    pub messages: u32,
}

impl Declaration {
    /// Reads the declaration from the field `/own`.
    ///
    /// # Errors
    /// The first error of the declaration.
    pub fn read(declared: &Value) -> Result<Self, FieldError> {
        strict::read(declared).map_err(|error| error.below("/own"))
    }

    /// Returns the time-outs on which the programs rely.
    pub(super) fn time_outs(&self) -> impl Iterator<Item = TimeOut<'_>> {
        self.assumes.iter().flat_map(|assumes| &assumes.time_outs).map(AssumedTimeOut::of_catalogue)
    }

    /// Returns whether the programs lease locks. If so, a holder can leave the critical section without a release.
    #[must_use]
    pub fn leases_locks(&self) -> bool {
        self.leases.as_ref().is_some_and(|keepers| !keepers.is_empty())
    }

    /// Returns the errors of the declaration for a run of `nodes` nodes and `locks` locks.
    fn errors(&self, nodes: u32, locks: u32) -> Vec<FieldError> {
        let mut errors = self.kind_errors();
        let keepers = (0..).zip(self.leases.iter().flatten());
        errors.extend(
            keepers.filter_map(|(place, node): (usize, _)| unknown_node(&format!("/own/leases/{place}"), *node, nodes)),
        );
        let mut refuse = |wrong: bool, pointer: &str, detail: String| {
            if wrong {
                errors.push(FieldError::new(pointer, detail));
            }
        };
        let long = self.title.as_ref().is_some_and(|title| !(1..=LONGEST_TITLE).contains(&title.chars().count()));
        refuse(long, "/own/title", format!("a title must have 1 to {LONGEST_TITLE} characters"));
        let too_many = self.locks == Some(LocksKept::One) && locks > 1;
        refuse(too_many, "/locks", format!("`own` declares that the programs have one lock, not {locks}"));
        let names: Vec<&str> = self.time_outs().map(|time_out| time_out.parameter).collect();
        for (place, time_out) in self.time_outs().enumerate() {
            let at = format!("/own/assumes/time_outs/{place}");
            let TimeOut { parameter, messages, within, .. } = time_out;
            refuse(names[..place].contains(&parameter), &at, format!("the time-out `{parameter}` is declared twice"));
            refuse(
                messages == 0,
                &format!("{at}/messages"),
                "a time-out must be longer than at least 1 message".to_owned(),
            );
            if let Some(Within { parameter: inner, .. }) = within {
                let others = names.iter().copied().filter(|name| *name != parameter);
                let unknown = !others.clone().any(|name| name == inner);
                let detail = format!("`{inner}` is not one of the other time-outs{}", did_you_mean(inner, others));
                refuse(unknown, &format!("{at}/within/parameter"), detail);
            }
        }
        errors
    }

    fn kind_errors(&self) -> Vec<FieldError> {
        let mut errors = Vec::new();
        let kinds = self.message_kinds.as_deref().unwrap_or_default();
        if kinds.len() > MOST_KINDS {
            let detail = format!("{} kinds are too many; the maximum is {MOST_KINDS}", kinds.len());
            errors.push(FieldError::new("/own/message_kinds", detail));
        }
        let mut seen = BTreeSet::new();
        for (place, kind) in kinds.iter().enumerate() {
            let detail = match kind.len() {
                1..=LONGEST_KIND if seen.insert(kind) => continue,
                1..=LONGEST_KIND => format!("`{kind}` occurs twice"),
                _ => format!("a message kind must have 1 to {LONGEST_KIND} bytes"),
            };
            errors.push(FieldError::new(format!("/own/message_kinds/{place}"), detail));
        }
        for (name, some) in [("background_kinds", &self.background_kinds), ("token_kinds", &self.token_kinds)] {
            let unknown = some.iter().enumerate().filter(|(_, kind)| !kinds.contains(kind));
            errors.extend(unknown.map(|(place, kind)| {
                let detail = format!("`{kind}` is not one of the `message_kinds`");
                let error = FieldError::new(format!("/own/{name}/{place}"), detail);
                FieldError { allowed: kinds.to_vec(), ..error }.meant_by(kind)
            }));
        }
        errors
    }
}

impl AssumedTimeOut {
    fn of_catalogue(&self) -> TimeOut<'_> {
        let Self { parameter, messages, per_node, within, risk } = self;
        let within = within.as_ref().map(|AssumedWithin { parameter, times, messages }| Within {
            parameter,
            times: *times,
            messages: *messages,
        });
        TimeOut { parameter, messages: *messages, per_node: *per_node, within, risk: *risk }
    }
}

/// Returns the errors of a declaration. A declaration about an algorithm of the catalogue is an error, and so is a
/// declaration that contradicts itself.
pub(super) fn errors(declared: Option<&Declaration>, entry: &Entry, nodes: u32, locks: u32) -> Vec<FieldError> {
    let Some(declared) = declared else { return Vec::new() };
    if entry.name != OWN.name {
        let detail = format!(
            "`own` declares the algorithm of your own programs, but `{}` is in the catalogue; remove `own`",
            entry.name
        );
        return vec![FieldError::new("/own", detail)];
    }
    declared.errors(nodes, locks)
}

impl Specification {
    /// Completes the parameters of programs that run an algorithm of their own. Their only parameters are the
    /// declared time-outs, which have no defaults.
    ///
    /// # Errors
    /// If the parameters are invalid, the error names the parameter and the reason.
    pub(super) fn complete_declared_parameters(&mut self) -> Result<(), Refusal> {
        use interlock_algorithm::Subject::Parameter;
        let names: Vec<&str> = self.own.iter().flat_map(Declaration::time_outs).map(|it| it.parameter).collect();
        if let Some(unknown) = self.parameters.keys().find(|name| !names.contains(&name.as_str())) {
            let detail = format!("`own` declares no time-out `{unknown}`, and programs have no other parameters");
            return Err(Refusal::new(Parameter(unknown.clone()), detail, names));
        }
        let configuration: Configuration<'_> = self.configuration();
        let mut complete = self.parameters.clone();
        for name in names {
            let Some(ticks) = configuration.time_parameter(name, 1..=span::LONGEST)? else {
                let detail = format!("the length of the time-out `{name}` is missing; write it in `parameters`");
                return Err(Refusal::new(Parameter(name.to_owned()), detail, []));
            };
            complete.insert(name.to_owned(), ParameterValue::time(ticks));
        }
        self.parameters = complete;
        Ok(())
    }
}
