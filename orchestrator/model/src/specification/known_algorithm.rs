//! What is known of the algorithm of a run: what the catalogue says, or, of programs that play an algorithm of their own,
//! what their scenario declares.

use interlock_algorithm::{Entry, TimeOut, catalogue};

use super::Specification;
use super::declared::Declaration;

/// What is known of the algorithm of a run.
#[derive(Clone, Debug)]
pub struct KnownAlgorithm<'a> {
    /// What the catalogue says of it: of programs of somebody's own, what all of them have in common.
    pub entry: &'static Entry,
    /// Its name for people.
    pub title: &'a str,
    /// The kinds of its messages; none if nobody knows them.
    pub kinds: Option<Vec<&'a str>>,
    /// The kinds of messages that flow although nobody wants anything.
    pub background_kinds: Vec<&'a str>,
    /// The kinds of messages that are the one token of the run on its way.
    pub token_kinds: Vec<&'a str>,
    /// Whether it needs links that keep the order of messages.
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
    /// That of an algorithm of which this is declared; as in the catalogue if nothing is.
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

    /// The kinds of its messages; none if nobody knows them.
    #[must_use]
    pub fn kinds(&self) -> Option<&[&'a str]> {
        self.kinds.as_deref()
    }
}

impl Specification {
    /// What is known of its algorithm; none if there is no such algorithm, as can be in a run that was loaded.
    #[must_use]
    pub fn known_algorithm(&self) -> Option<KnownAlgorithm<'_>> {
        let entry = catalogue::find(&self.algorithm).ok()?;
        Some(KnownAlgorithm::of(entry, self.own.as_ref()))
    }

    /// The kinds of its messages; none if nobody knows them.
    #[must_use]
    pub fn known_kinds(&self) -> Option<Vec<&str>> {
        self.known_algorithm()?.kinds
    }

    /// The time-outs on which its algorithm relies.
    pub(super) fn time_outs_assumed(&self) -> Vec<TimeOut<'_>> {
        if let Some(declared) = &self.own {
            return declared.time_outs().collect();
        }
        let assumes = catalogue::assumptions(&self.algorithm, &self.variant);
        assumes.map_or(&[][..], |assumes| assumes.time_outs).to_vec()
    }
}
