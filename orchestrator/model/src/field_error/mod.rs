//! An error in a document, with a pointer to its location in the document.

mod place;

use interlock_algorithm::{LockId, NodeId, Refusal, Subject};
use serde::{Deserialize, Serialize};

pub use place::token;

use interlock_machine::application::TELL;
use interlock_machine::channel::CHANNEL_ACK;
use interlock_machine::wording::numbered;

/// An error in a document, with a pointer to its location in the document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error, utoipa::ToSchema)]
#[error("{pointer}: {detail}")]
pub struct FieldError {
    /// JSON pointer (RFC 6901) to the value or the object that has the error.
    pub pointer: String,
    /// The error, as a lower-case phrase.
    pub detail: String,
    /// Valid values, if they can be listed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allowed: Vec<String>,
}

/// All errors of a document.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", FieldError::in_words(.0))]
pub struct FieldErrors(pub Vec<FieldError>);

impl FieldError {
    /// Returns an error at `pointer`.
    pub fn new(pointer: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { pointer: pointer.into(), detail: detail.into(), allowed: Vec::new() }
    }

    /// Returns all errors on one line.
    #[must_use]
    pub fn in_words(errors: &[Self]) -> String {
        errors.iter().map(Self::to_string).collect::<Vec<_>>().join("; ")
    }

    /// Returns the text of the error, followed by the valid values.
    #[must_use]
    pub fn sentence(self) -> String {
        if self.allowed.is_empty() { self.detail } else { self.detail + "; possible: " + &self.allowed.join(", ") }
    }

    /// Converts an error within a value into an error of the document that contains this value at the pointer
    /// `place`: puts `place` before the pointer of the error.
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

/// Returns an error if no message of the run can have the kind `kind`. `kinds` are the kinds that the algorithm
/// sends; if they are absent, any kind is valid. The kind of messages between applications is always valid.
#[must_use]
pub fn unknown_message_kind(pointer: &str, kind: &str, kinds: Option<&[&str]>) -> Option<FieldError> {
    let all = || kinds.into_iter().flatten().copied().chain([TELL]);
    // Acknowledgements of channels are also always valid, because the check does not know whether the run has
    // channels.
    if kinds.is_none() || kind == CHANNEL_ACK || all().any(|known| known == kind) {
        return None;
    }
    let allowed = all().map(ToOwned::to_owned).collect();
    Some(
        FieldError { allowed, ..FieldError::new(pointer, format!("the algorithm does not send `{kind}`")) }
            .meant_by(kind),
    )
}

/// Returns an error if `node` does not exist in a run with `nodes` nodes.
#[must_use]
pub fn unknown_node(pointer: &str, node: NodeId, nodes: u32) -> Option<FieldError> {
    (node.0 >= nodes).then(|| {
        FieldError::new(pointer, format!("there is no node {}: the run has {}", node.0, numbered("node", nodes)))
    })
}

/// Returns an error if `lock` does not exist in a run with `locks` locks.
#[must_use]
pub fn unknown_lock(pointer: &str, lock: LockId, locks: u32) -> Option<FieldError> {
    (lock.0 >= locks)
        .then(|| FieldError::new(pointer, format!("there is no lock {lock}: the run has {}", numbered("lock", locks))))
}
