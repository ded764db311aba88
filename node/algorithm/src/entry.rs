//! Catalogue entries: what is known about each algorithm.

use serde::Serialize;

use crate::choice::{Choice, Variant};
use crate::conduct::{Conduct, Detection};
use crate::needs::Assumptions;
use crate::outcome::Outcome;
use crate::range::{Pace, Range, Times};
use crate::span::UNIT;

/// The catalogue name of an external program.
pub const OWN: &str = "own";

/// A catalogue entry.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Entry {
    /// The name in the API and on the command line.
    pub name: &'static str,
    /// The name for display.
    pub title: &'static str,
    /// The kind of problem that the algorithm solves: `mutual-exclusion`, …
    pub family: &'static str,
    /// The publication that describes the algorithm.
    pub source: Source,
    /// One sentence on how the algorithm works.
    pub summary: &'static str,
    /// The variants; the first is the default.
    pub variants: &'static [Variant],
    /// The assumptions of the algorithm.
    pub assumes: Assumptions,
    /// The variants whose assumptions differ from `assumes`: groups of variant names, each with the assumptions of
    /// the group.
    #[serde(skip)]
    pub variants_assume: &'static [(&'static [&'static str], Assumptions)],
    /// The commands that the nodes execute: `acquire`, `release`, `elect`, `propose`.
    pub commands: &'static [&'static str],
    /// How the algorithm handles several locks.
    pub locks: LockUse,
    /// The kinds of the algorithm's messages, as in the paper.
    pub message_kinds: &'static [&'static str],
    /// The kinds of messages that repair the effects of failures. These messages are counted separately, and do not
    /// occur without failures.
    pub repair_kinds: &'static [&'static str],
    /// The kinds of messages that are sent even if no client waits, such as a circulating token.
    pub background_kinds: &'static [&'static str],
    /// The kinds of messages that carry the single token of a run.
    pub token_kinds: &'static [&'static str],
    /// The structure in which the processes are arranged.
    pub structure: Structure,
    /// The variants that grant requests in happened-before order: of two requests, the one that happened before the
    /// other is granted first. The requests may be related through an application message.
    pub keeps_order: &'static [&'static str],
    /// The properties of the algorithm that monitors need to judge its runs.
    pub conduct: Conduct,
    /// The parameters of the algorithm.
    pub parameters: &'static [Parameter],
    /// Messages for each entry to the critical section, as a formula in N.
    pub messages_per_entry: &'static str,
}

impl Entry {
    /// An entry with default values, from which entries and families are made.
    pub const BLANK: Self = Self {
        name: "",
        title: "",
        family: "",
        source: Source { authors: "", title: "", year: 0 },
        summary: "",
        variants: &[],
        assumes: Assumptions::ASYNCHRONOUS,
        variants_assume: &[],
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
    /// Returns the assumptions of a variant.
    #[must_use]
    pub fn assumptions(&self, variant: &str) -> Assumptions {
        let other = self.variants_assume.iter().find(|(variants, _)| variants.contains(&variant));
        other.map_or(self.assumes, |(_, assumes)| *assumes)
    }

    /// Returns the kinds of the algorithm's messages. Returns none if the kinds are unknown, as for a foreign program.
    #[must_use]
    pub fn known_kinds(&self) -> Option<&'static [&'static str]> {
        (self.name != OWN).then_some(self.message_kinds)
    }

    /// Whether the nodes execute the command named `command`.
    #[must_use]
    pub fn takes_command(&self, command: &str) -> bool {
        self.commands.contains(&command)
    }

    /// Whether the processes agree on values. This is also true for a foreign program, because its processes may agree
    /// on values.
    #[must_use]
    pub fn agrees(&self) -> bool {
        self.name == OWN || self.conduct.agrees
    }

    /// Whether the processes can report outcomes of the same kind as `outcome`. A foreign program may report any
    /// outcome except the outcomes of a service.
    #[must_use]
    pub fn reports(&self, outcome: &Outcome) -> bool {
        let is_own = self.name == OWN;
        match outcome {
            Outcome::Requested { .. } | Outcome::Entered { .. } | Outcome::Exited { .. } | Outcome::Blocked { .. } => {
                self.takes_command("acquire")
            }
            Outcome::Aborted { .. } => is_own || self.family == "deadlock",
            Outcome::Reported { .. } => is_own || self.conduct.detection != Detection::None,
            Outcome::Called { .. } | Outcome::Elected { .. } => self.takes_command("elect"),
            Outcome::Proposed { .. }
            | Outcome::Promised { .. }
            | Outcome::Accepted { .. }
            | Outcome::Decided { .. } => self.agrees(),
            // Any process may report the end of a lease. Whether this outcome counts depends on the process that
            // reports it, so the run decides.
            Outcome::Expired { .. } => true,
            Outcome::Invoked { .. } | Outcome::Returned { .. } => false,
        }
    }

    /// Returns the group of nodes in which a quorum decides, if parameters define it.
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

/// A group of nodes and the size of its quorum, given by parameter names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// The name of the parameter that lists the members.
    pub members: &'static str,
    /// The name of the parameter that gives the size of a quorum.
    pub quorum: &'static str,
}

/// A publication.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Source {
    /// The authors.
    pub authors: &'static str,
    /// The title of the publication.
    pub title: &'static str,
    /// The year it appeared.
    pub year: u16,
}

/// How an algorithm handles several locks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LockUse {
    /// The algorithm has no locks.
    None,
    /// The algorithm manages one lock. With several locks, each lock has an instance of the algorithm to itself.
    Instances,
    /// The algorithm manages any number of locks itself.
    Many,
}

/// The structure in which the processes of an algorithm are arranged. `parameter` names the parameter that
/// describes it further.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Structure {
    /// All processes are alike, and each sends to all others.
    Complete,
    /// A ring, in the order of the ids unless a parameter gives another order.
    Ring {
        /// The parameter that gives the order, if there is one.
        parameter: Option<&'static str>,
    },
    /// A spanning tree. Processes communicate along its edges.
    Tree {
        /// The parameter that gives the shape of the tree.
        parameter: &'static str,
    },
    /// Each process has two pointers. One is to the process that it believes to have made the last request. The
    /// other is to its own successor in the queue.
    Pointers,
    /// Each process asks the members of its voting set. Each member has one vote.
    Coterie {
        /// The parameter that gives the voting sets.
        parameter: &'static str,
    },
    /// One process decides for all others.
    Coordinator {
        /// The parameter that names the first coordinator.
        parameter: &'static str,
    },
    /// Each process keeps the permissions that it got from other processes, until those processes request them back.
    Permissions,
    /// The holder of the token finds waiting processes by their request numbers.
    NumberedRequests,
}

/// A parameter of an algorithm.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Parameter {
    /// The name of the parameter.
    pub name: &'static str,
    /// The meaning of the parameter.
    pub summary: &'static str,
    /// The default of the parameter.
    pub default: &'static str,
    /// The range of the parameter, serialized as a text for users.
    pub range: Range,
    /// The unit in which the value of the parameter is read and written, if it is a quantity: `ms`.
    pub unit: Option<&'static str>,
}

impl Parameter {
    /// Returns a parameter with the range `range`.
    #[must_use]
    pub const fn new(name: &'static str, summary: &'static str, default: &'static str, range: Range) -> Self {
        let unit = match range {
            Range::Time(..) | Range::Or(_, Range::Time(..)) => Some(UNIT),
            _ => None,
        };
        Self { name, summary, default, range, unit }
    }

    /// Returns a parameter that is a node. The default is node 0.
    #[must_use]
    pub const fn node(name: &'static str, summary: &'static str) -> Self {
        Self::new(name, summary, "0", Range::Node)
    }

    /// Returns a parameter that is a length of time. `default` is in ms.
    #[must_use]
    pub const fn time(name: &'static str, summary: &'static str, default: &'static str, pace: Pace) -> Self {
        Self::new(name, summary, default, Range::Time(Times::ANY, pace))
    }

    /// Returns a parameter that is one of several words.
    #[must_use]
    pub(crate) const fn choice<C: Choice>(name: &'static str, summary: &'static str) -> Self {
        Self::new(name, summary, C::MEANINGS[0].0, Range::Word(C::VARIANTS))
    }
}
