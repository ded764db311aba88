//! What there is to say of an algorithm: the words of the catalogue.

use serde::Serialize;

use crate::conduct::Conduct;
use crate::needs::Assumptions;

/// What there is to say of an algorithm.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Entry {
    /// The name in the API and on the command line.
    pub name: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// The kind of problem it solves: `mutual-exclusion`, …
    pub family: &'static str,
    /// Where it was published.
    pub source: Source,
    /// One sentence on how it works.
    pub summary: &'static str,
    /// The variants; the first is the default.
    pub variants: &'static [Variant],
    /// What it needs in order to be right; see `catalogue::assumptions` for a variant that needs something else.
    pub assumes: Assumptions,
    /// What its nodes can be ordered to do: `acquire`, `release`, `elect`, `propose`.
    pub commands: &'static [&'static str],
    /// What it makes of several locks.
    pub locks: LockUse,
    /// The kinds of its messages, as in the paper.
    pub message_kinds: &'static [&'static str],
    /// The kinds of messages that flow although nobody wants anything (a circling token).
    pub background_kinds: &'static [&'static str],
    /// The kinds of messages that are the one token of the run on its way.
    pub token_kinds: &'static [&'static str],
    /// The variants that grant requests in the order of happened-before: if one request happened before another,
    /// possibly through a message of the application, it is granted first.
    pub keeps_order: &'static [&'static str],
    /// What has to be known of it in order to judge its runs.
    pub conduct: Conduct,
    /// Its parameters.
    pub parameters: &'static [Parameter],
    /// Messages for each entry to the critical section, as a formula in N.
    pub messages_per_entry: &'static str,
}

impl Entry {
    /// Nothing yet: what an entry, or those of a family, are completed from.
    pub(crate) const BLANK: Self = Self {
        name: "",
        title: "",
        family: "",
        source: Source { authors: "", title: "", year: 0 },
        summary: "",
        variants: &[],
        assumes: Assumptions::ASYNCHRONOUS,
        commands: &[],
        locks: LockUse::None,
        message_kinds: &[],
        background_kinds: &[],
        token_kinds: &[],
        keeps_order: &[],
        conduct: Conduct::PLAIN,
        parameters: &[],
        messages_per_entry: "",
    };
}

/// A publication.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Source {
    /// Who wrote it.
    pub authors: &'static str,
    /// Its title.
    pub title: &'static str,
    /// The year it appeared.
    pub year: u16,
}

/// A variant of an algorithm.
#[derive(Clone, Copy, Debug, Serialize)]
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

/// What an algorithm makes of several locks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LockUse {
    /// It has no locks.
    None,
    /// It knows one; with several, each lock is an instance of the algorithm of its own.
    Instances,
    /// It keeps any number of them itself.
    Many,
}

/// A parameter of an algorithm.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// What it means.
    pub summary: &'static str,
    /// What it is when nobody says otherwise.
    pub default: &'static str,
    /// What it may be, for people: `1 … 1000`, `binary, star, line`.
    pub range: &'static str,
    /// The unit in which it is read and written, if it is a quantity: `ms`.
    pub unit: Option<&'static str>,
}

impl Parameter {
    /// A parameter that is a node, 0 unless it is given.
    #[must_use]
    pub const fn node(name: &'static str, summary: &'static str) -> Self {
        Self { name, summary, default: "0", range: "0 … N-1", unit: None }
    }

    /// A parameter that is one of several words.
    #[must_use]
    pub(crate) const fn choice<C: Choice>(name: &'static str, summary: &'static str) -> Self {
        Self { name, summary, default: C::MEANINGS[0].0, range: C::RANGE, unit: None }
    }
}

/// What a user can choose by name: the variants of an algorithm, or what a parameter can be.
pub(crate) trait Choice: Copy + 'static {
    /// The names and what they mean; the first is the default.
    const MEANINGS: &'static [(&'static str, Self)];
    /// What the catalogue says of them.
    const VARIANTS: &'static [Variant];
    /// The names, for people.
    const RANGE: &'static str;
}
