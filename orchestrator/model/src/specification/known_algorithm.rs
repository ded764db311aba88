//! Properties of the algorithm of a run. They are from the catalogue or, if the algorithm is the user's own, from
//! the declaration of a scenario.

use interlock_algorithm::{Entry, TimeOut, catalogue};

use super::Specification;
use super::declared::Declaration;

/// Properties of the algorithm of a run.
#[derive(Clone, Debug)]
pub struct KnownAlgorithm<'a> {
    /// Entry in the catalogue. All programs of users share one entry.
    pub entry: &'static Entry,
    /// Display name of the algorithm.
    pub title: &'a str,
    /// Kinds of the algorithm's messages; none if the kinds are unknown.
    pub kinds: Option<Vec<&'a str>>,
    /// Kinds of messages that the algorithm sends even if no client requests anything.
    pub background_kinds: Vec<&'a str>,
    /// Kinds of messages that carry the run's single token.
    pub token_kinds: Vec<&'a str>,
    /// Whether the algorithm needs links that keep the order of messages.
    pub needs_order: bool,
}

impl From<&'static Entry> for KnownAlgorithm<'static> {
    fn from(entry: &'static Entry) -> Self {
        Self {
            entry,
            title: entry.title,
            kinds: entry.known_kinds().map(<[_]>::to_vec),
            background_kinds: entry.background_kinds.to_vec(),
            token_kinds: entry.token_kinds.to_vec(),
            needs_order: entry.assumes.fifo,
        }
    }
}

impl<'a> KnownAlgorithm<'a> {
    /// Returns the properties of an algorithm with this declaration. If there is no declaration, returns the
    /// properties from the catalogue.
    #[must_use]
    pub fn of(entry: &'static Entry, declared: Option<&'a Declaration>) -> Self {
        let Some(declared) = declared else { return entry.into() };
        let words = |kinds: &'a [String]| kinds.iter().map(String::as_str).collect();
        Self {
            entry,
            title: declared.title.as_deref().unwrap_or(entry.title),
            kinds: declared.message_kinds.as_deref().map(words),
            background_kinds: words(&declared.background_kinds),
            token_kinds: words(&declared.token_kinds),
            needs_order: declared.assumes.as_ref().is_some_and(|assumes| assumes.fifo),
        }
    }

    /// Returns the kinds of the algorithm's messages; none if the kinds are unknown.
    #[must_use]
    pub fn kinds(&self) -> Option<&[&'a str]> {
        self.kinds.as_deref()
    }
}

impl Specification {
    /// Returns the properties of the run's algorithm; none if the algorithm is unknown. An algorithm can be unknown
    /// in a run that was loaded from a file.
    #[must_use]
    pub fn known_algorithm(&self) -> Option<KnownAlgorithm<'_>> {
        let entry = catalogue::find(&self.algorithm).ok()?;
        Some(KnownAlgorithm::of(entry, self.own.as_ref()))
    }

    /// Returns the kinds of the algorithm's messages; none if the kinds are unknown.
    #[must_use]
    pub fn known_kinds(&self) -> Option<Vec<&str>> {
        self.known_algorithm()?.kinds
    }

    /// Returns the time-outs on which the run's algorithm relies.
    pub(super) fn time_outs_assumed(&self) -> Vec<TimeOut<'_>> {
        if let Some(declared) = &self.own {
            return declared.time_outs().collect();
        }
        let assumes = catalogue::assumptions(&self.algorithm, &self.variant);
        assumes.map_or(&[][..], |assumes| assumes.time_outs).to_vec()
    }
}
