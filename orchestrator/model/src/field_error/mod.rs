//! One thing wrong with a document that somebody gave, and where it stands.

mod place;

use interlock_algorithm::{LockId, NodeId, Refusal, Subject};
use serde::{Deserialize, Serialize};

pub use place::token;

use interlock_machine::application::TELL;
use interlock_machine::channel::CHANNEL_ACK;
use interlock_machine::wording::numbered;

/// One thing wrong with a document, and where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error, utoipa::ToSchema)]
#[error("{pointer}: {detail}")]
pub struct FieldError {
    /// A JSON pointer (RFC 6901) to it.
    pub pointer: String,
    /// What is wrong, as a lower-case phrase.
    pub detail: String,
    /// What would be right, if it can be listed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allowed: Vec<String>,
}

/// Everything that is wrong with a document.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", FieldError::in_words(.0))]
pub struct FieldErrors(pub Vec<FieldError>);

impl FieldError {
    /// Something wrong at `pointer`.
    pub fn new(pointer: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { pointer: pointer.into(), detail: detail.into(), allowed: Vec::new() }
    }

    /// Returns all errors on one line.
    #[must_use]
    pub fn in_words(errors: &[Self]) -> String {
        errors.iter().map(Self::to_string).collect::<Vec<_>>().join("; ")
    }

    /// Returns the detail, and what is possible instead.
    #[must_use]
    pub fn sentence(self) -> String {
        if self.allowed.is_empty() { self.detail } else { self.detail + "; possible: " + &self.allowed.join(", ") }
    }

    /// The same in a document of which what was read stands at a place.
    #[must_use]
    pub fn below(self, place: &str) -> Self {
        Self { pointer: format!("{place}{}", self.pointer), ..self }
    }
}

impl From<Refusal> for FieldError {
    fn from(refusal: Refusal) -> Self {
        let pointer = match refusal.subject {
            Subject::Algorithm => "/algorithm".to_owned(),
            Subject::Variant => "/variant".to_owned(),
            Subject::Nodes => "/nodes".to_owned(),
            Subject::Locks => "/locks".to_owned(),
            Subject::Parameter(name) => format!("/parameters{}", token(&name)),
        };
        Self { pointer, detail: refusal.detail, allowed: refusal.allowed }
    }
}

/// Returns an error if no message of the run has this kind. `kinds` are those that the algorithm sends; without them, any kind
/// is possible. Messages between applications exist in every run.
#[must_use]
pub fn unknown_message_kind(pointer: &str, kind: &str, kinds: Option<&[&str]>) -> Option<FieldError> {
    let all = || kinds.into_iter().flatten().copied().chain([TELL]);
    // What channels tell each other is there where there are channels.
    if kinds.is_none() || kind == CHANNEL_ACK || all().any(|known| known == kind) {
        return None;
    }
    let allowed = all().map(ToOwned::to_owned).collect();
    Some(FieldError { allowed, ..FieldError::new(pointer, format!("the algorithm sends no `{kind}`")) }.meant_by(kind))
}

/// Returns that a run of so many nodes does not have this one, if it does not.
#[must_use]
pub fn unknown_node(pointer: &str, node: NodeId, nodes: u32) -> Option<FieldError> {
    (node.0 >= nodes).then(|| {
        FieldError::new(pointer, format!("there is no node {}: the run has {}", node.0, numbered("node", nodes)))
    })
}

/// Returns an error if a run with `locks` locks does not have this one.
#[must_use]
pub fn unknown_lock(pointer: &str, lock: LockId, locks: u32) -> Option<FieldError> {
    (lock.0 >= locks)
        .then(|| FieldError::new(pointer, format!("there is no lock {lock}: the run has {}", numbered("lock", locks))))
}
