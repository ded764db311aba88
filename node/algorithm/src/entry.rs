//! What there is to say of an algorithm: the words of the catalogue.

use serde::Serialize;

use crate::choice::{Choice, Variant};
use crate::conduct::{Conduct, Detection};
use crate::needs::Assumptions;
use crate::outcome::Outcome;
use crate::own::OWN;
use crate::range::{Pace, Range, Times};
use crate::span::UNIT;

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
    /// The kinds of messages that repair what failures break, and are counted apart: without failures there are none.
    pub repair_kinds: &'static [&'static str],
    /// The kinds of messages that flow although nobody wants anything (a circling token).
    pub background_kinds: &'static [&'static str],
    /// The kinds of messages that are the one token of the run on its way.
    pub token_kinds: &'static [&'static str],
    /// How its processes stand to each other.
    pub structure: Structure,
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
        repair_kinds: &[],
        background_kinds: &[],
        token_kinds: &[],
        structure: Structure::Complete,
        keeps_order: &[],
        conduct: Conduct::PLAIN,
        parameters: &[],
        messages_per_entry: "",
    };
}

impl Entry {
    /// The kinds of its messages; none if nobody knows them, as those of a program of somebody's own.
    #[must_use]
    pub fn known_kinds(&self) -> Option<&'static [&'static str]> {
        (self.name != OWN).then_some(self.message_kinds)
    }

    /// Whether its processes report outcomes of this kind. Of a program of somebody's own nobody knows, but it offers no
    /// service.
    #[must_use]
    pub fn reports(&self, outcome: &Outcome) -> bool {
        let is_own = self.name == OWN;
        match outcome {
            Outcome::Requested { .. } | Outcome::Entered { .. } | Outcome::Exited { .. } | Outcome::Blocked { .. } => {
                self.commands.contains(&"acquire")
            }
            Outcome::Aborted { .. } => is_own || self.family == "deadlock",
            Outcome::Reported { .. } => is_own || self.conduct.detection != Detection::None,
            Outcome::Called { .. } | Outcome::Elected { .. } => self.commands.contains(&"elect"),
            Outcome::Proposed { .. }
            | Outcome::Promised { .. }
            | Outcome::Accepted { .. }
            | Outcome::Decided { .. } => is_own || self.conduct.agrees,
            // Whether a report of a lease counts, its run decides: it depends on who reports it.
            Outcome::Expired { .. } => true,
            Outcome::Invoked { .. } | Outcome::Returned { .. } => false,
        }
    }

    /// The group of nodes of whom some are enough to decide, if parameters say who it is.
    #[must_use]
    pub fn group(&self) -> Option<Group> {
        self.parameters.iter().find_map(|parameter| match parameter.range {
            Range::Quorum { of } | Range::Or(_, &Range::Quorum { of }) => {
                Some(Group { members: of, quorum: parameter.name })
            }
            _ => None,
        })
    }
}

/// A group of nodes of whom some are enough, as parameters say it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// The name of the parameter that lists them.
    pub members: &'static str,
    /// The name of the parameter that says how many are enough.
    pub quorum: &'static str,
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

/// How the processes of an algorithm stand to each other. Where parameters say more, `parameter` is the name of the one
/// that does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Structure {
    /// All stand alike, and each speaks with each.
    Complete,
    /// Each has one who comes after it; in the order of the ids if no parameter gives another.
    Ring {
        /// The order.
        parameter: Option<&'static str>,
    },
    /// A spanning tree, along whose edges they speak.
    Tree {
        /// The shape.
        parameter: &'static str,
    },
    /// Each points to whoever it takes for the last to have asked, and to who comes after it.
    Pointers,
    /// Each asks the members of its voting set, and each has one vote.
    Coterie {
        /// The voting sets.
        parameter: &'static str,
    },
    /// One decides for the others.
    Coordinator {
        /// Who it is at the start.
        parameter: &'static str,
    },
    /// Each has permissions of others, which it keeps until they ask for them.
    Permissions,
    /// Whoever has the token knows from the numbers of requests who waits.
    NumberedRequests,
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
    /// What it may be; written as a text for people.
    pub range: Range,
    /// The unit in which it is read and written, if it is a quantity: `ms`.
    pub unit: Option<&'static str>,
}

impl Parameter {
    /// A parameter of this range.
    #[must_use]
    pub const fn new(name: &'static str, summary: &'static str, default: &'static str, range: Range) -> Self {
        let unit = match range {
            Range::Time(..) | Range::Or(_, Range::Time(..)) => Some(UNIT),
            _ => None,
        };
        Self { name, summary, default, range, unit }
    }

    /// A parameter that is a node, 0 unless it is given.
    #[must_use]
    pub const fn node(name: &'static str, summary: &'static str) -> Self {
        Self::new(name, summary, "0", Range::Node)
    }

    /// A parameter that is a length of time; `default` is in ms.
    #[must_use]
    pub const fn time(name: &'static str, summary: &'static str, default: &'static str, pace: Pace) -> Self {
        Self::new(name, summary, default, Range::Time(Times::ANY, pace))
    }

    /// A parameter that is one of several words.
    #[must_use]
    pub(crate) const fn choice<C: Choice>(name: &'static str, summary: &'static str) -> Self {
        Self::new(name, summary, C::MEANINGS[0].0, Range::Word(C::VARIANTS))
    }
}
