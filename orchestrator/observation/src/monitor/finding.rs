//! The interface of monitors, and their findings: the arguments of each kind of violation, and the sentence that
//! explains the violation to people.

use interlock_algorithm::{LockId, NodeId};
use interlock_model::event::{Event, Violation, value_of};
use interlock_model::specification::Specification;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::interventions::Interventions;
use crate::state::State;

/// A monitor of a run.
pub trait Monitor {
    /// The properties that the monitor checks.
    const PROPERTIES: &'static [Property];
    /// Whether the monitor needs the exchanges of messages. Most events are exchanges, so skipping them saves time.
    const READS_EXCHANGES: bool = true;

    /// Returns the monitor before the first event.
    fn new(specification: &Specification) -> Self;

    /// Returns whether the monitor needs the next event.
    fn reads(&self, event: &Event, _: &Interventions) -> bool {
        Self::READS_EXCHANGES || !event.what.is_exchange()
    }

    /// Processes the next event. Appends the violations that the event shows to `found`.
    fn observe(&mut self, _event: &Event, _interventions: &Interventions, _found: &mut Vec<Violation>) {}

    /// Judges the run between steps: see [`super::Monitors::settle`].
    fn settle(&mut self, _: &State, _pending_inputs: usize, _: &Interventions, _found: &mut Vec<Violation>) {}
}

/// The name of a property, as it appears in violations, and each of its findings.
pub type Property = (&'static str, &'static [Kind]);

/// The code of a finding, and a function that returns the sentence of a violation, or `None` if the violation is
/// another finding.
pub type Kind = (&'static str, fn(&Violation) -> Option<String>);

/// The arguments of one kind of violation.
pub(super) trait Finding: DeserializeOwned + Serialize {
    /// Name of the monitor that reports the violation.
    const MONITOR: &'static str;
    /// Code of the violation, which differs from the codes of all other findings.
    const CODE: &'static str;

    /// Returns a sentence that explains the violation.
    fn sentence(&self) -> String;

    /// Returns the sentence of a violation, or `None` if the violation is another finding.
    fn sentence_of(violation: &Violation) -> Option<String> {
        let finding = (*violation.code == *Self::CODE).then(|| Self::deserialize(&violation.arguments).ok())?;
        finding.map(|finding| finding.sentence())
    }

    /// Returns the violation. `events` are the `seq` numbers of the events that show it.
    fn violation(&self, events: impl Into<Vec<u64>>) -> Violation {
        let arguments = value_of(self);
        Violation { monitor: Self::MONITOR.into(), code: Self::CODE.into(), arguments, events: events.into() }
    }
}

/// Declares the findings of the property `NAME`. A finding has a code, arguments, and a sentence. The sentence is an
/// expression in which the arguments are variables.
macro_rules! findings {
    ($(
        $(#[$doc:meta])* pub const $code:ident = $text:literal;
        $name:ident { $($(#[$attribute:meta])* $field:ident: $type:ty),* $(,)? } => $sentence:expr
    );+) => {
        pub(in crate::monitor) const PROPERTY: $crate::monitor::finding::Property =
            (NAME, &[$(($code, <$name as $crate::monitor::finding::Finding>::sentence_of)),+]);

        $(
            $(#[$doc])*
            pub const $code: &str = $text;

            #[derive(Debug, serde::Deserialize, serde::Serialize)]
            pub(in crate::monitor) struct $name {
                $($(#[$attribute])* pub(in crate::monitor) $field: $type,)*
            }

            impl $crate::monitor::finding::Finding for $name {
                const MONITOR: &'static str = NAME;
                const CODE: &'static str = $code;

                fn sentence(&self) -> String {
                    let Self { $($field),* } = self;
                    // The sentence need not use every argument, so this line prevents warnings about unused variables.
                    let _ = ($($field,)*);
                    $sentence
                }
            }
        )+
    };
}
pub(super) use findings;

/// Returns the sentence, preceded by the lock if one is given. A lock is given if each lock is judged separately.
pub(super) fn of_lock(lock: Option<LockId>, sentence: String) -> String {
    match lock {
        Some(lock) => format!("Lock {lock}: {sentence}"),
        None => sentence,
    }
}

/// Returns a list of nodes in words: `P1`, `P1 and P2`, `P1, P2 and P3`.
pub(crate) fn names(nodes: &[NodeId]) -> String {
    let names: Vec<String> = nodes.iter().map(ToString::to_string).collect();
    match names.as_slice() {
        [] => "no process".to_owned(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// Returns a clause which says that these nodes wait: `P1 waits`, `P1 and P2 wait`.
pub(super) fn wait(nodes: &[NodeId]) -> String {
    format!("{} {}", names(nodes), if nodes.len() == 1 { "waits" } else { "wait" })
}
