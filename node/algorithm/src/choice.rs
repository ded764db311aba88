//! Values that a user selects by name: variants of an algorithm, and words that a parameter accepts.

use serde::Serialize;

/// A variant of an algorithm, or a word that a parameter accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Variant {
    /// The name of the variant or word.
    pub name: &'static str,
    /// The difference from the other variants or words.
    pub summary: &'static str,
    /// The property that is violated, if this is a faulty variant for teaching.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub broken: Option<&'static str>,
}

impl Variant {
    /// Returns a correct variant.
    #[must_use]
    pub const fn new(name: &'static str, summary: &'static str) -> Self {
        Self { name, summary, broken: None }
    }

    /// Returns the same variant as a faulty one. `why` names the property that is violated.
    #[must_use]
    pub const fn broken(self, why: &'static str) -> Self {
        Self { broken: Some(why), ..self }
    }
}

/// Values that a user selects by name: the variants of an algorithm, or the values of a parameter.
pub(crate) trait Choice: Copy + 'static {
    /// The names and the values that they select. The first is the default.
    const MEANINGS: &'static [(&'static str, Self)];
    /// The catalogue entries of the values.
    const VARIANTS: &'static [Variant];
}
