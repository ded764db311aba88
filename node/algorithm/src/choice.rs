//! What a user can choose by name: the variants of an algorithm, and the words that a parameter can be.

use serde::Serialize;

/// A variant of an algorithm, or a word that a parameter can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Variant {
    /// Its name.
    pub name: &'static str,
    /// How it differs.
    pub summary: &'static str,
    /// What breaks, if it is a wrong one, kept for teaching.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub broken: Option<&'static str>,
}

impl Variant {
    /// A variant that is right.
    #[must_use]
    pub const fn new(name: &'static str, summary: &'static str) -> Self {
        Self { name, summary, broken: None }
    }

    /// The same as a wrong one, with what breaks.
    #[must_use]
    pub const fn broken(self, why: &'static str) -> Self {
        Self { broken: Some(why), ..self }
    }
}

/// What a user can choose by name: the variants of an algorithm, or what a parameter can be.
pub(crate) trait Choice: Copy + 'static {
    /// The names and what they mean; the first is the default.
    const MEANINGS: &'static [(&'static str, Self)];
    /// What the catalogue says of them.
    const VARIANTS: &'static [Variant];
}
