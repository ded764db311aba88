//! What is done to a run, and when: part of its specification, played by live and simulated runs alike.

use interlock_algorithm::{Entry, LockId, LockUse, NodeId, Ticks};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::complete::{FieldError, link_errors, unknown_node};
use super::link::LinkPatch;
use crate::network::{PartitionDraft, RuleDraft};

/// The most that can be done to a run by its script.
pub const LONGEST_SCRIPT: usize = 1_000;
/// The longest time that may be asked for, in units of time: an hour live.
const LONGEST_SPAN: f64 = 3_600_000.0;

/// A length of time: a number of units of time in JSON, milliseconds live.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "f64", try_from = "f64")]
pub struct Span(pub Ticks);

impl From<Span> for f64 {
    #[expect(clippy::cast_precision_loss, reason = "an hour in ticks has far fewer than 53 bits")]
    fn from(Span(ticks): Span) -> Self {
        ticks as Self / 1_000.0
    }
}

impl TryFrom<f64> for Span {
    type Error = String;

    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range has been checked")]
    fn try_from(units: f64) -> Result<Self, String> {
        if (0.0..=LONGEST_SPAN).contains(&units) {
            Ok(Self((units * 1_000.0).round() as Ticks))
        } else {
            Err(format!("{units} is outside 0 … {LONGEST_SPAN}"))
        }
    }
}

/// Something that is done at a time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Scripted {
    /// When, in ms since the run began.
    #[schema(value_type = f64)]
    pub at: Span,
    /// What.
    #[serde(rename = "do")]
    pub action: Action,
}

/// What can be done to a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Action {
    /// The client of a node asks, if it may; it stays in the section for `hold`, or until it is told to leave.
    Acquire {
        /// Whose client.
        #[schema(value_type = u32)]
        node: NodeId,
        /// For which lock.
        #[serde(default)]
        #[schema(value_type = u32, required = false)]
        lock: LockId,
        /// How long it stays, in ms.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(value_type = Option<f64>)]
        hold: Option<Span>,
    },
    /// The client of a node leaves the section, if it is there.
    Release {
        /// Whose client.
        #[schema(value_type = u32)]
        node: NodeId,
        /// Of which lock.
        #[serde(default)]
        #[schema(value_type = u32, required = false)]
        lock: LockId,
    },
    /// A node calls an election.
    Elect {
        /// Which.
        #[schema(value_type = u32)]
        node: NodeId,
    },
    /// A node proposes a value.
    Propose {
        /// Which.
        #[schema(value_type = u32)]
        node: NodeId,
        /// In which instance of agreement.
        #[serde(default)]
        instance: u64,
        /// The value.
        value: String,
    },
    /// The application sends a message of its own, with the algorithm's stamp if there is one. Who gets it asks for
    /// the section, if `hold` says for how long.
    Tell {
        /// Who tells.
        #[schema(value_type = u32)]
        from: NodeId,
        /// Whom.
        #[schema(value_type = u32)]
        to: NodeId,
        /// How long the other stays in the section that it then asks for, in ms; none means that it does not ask.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(value_type = Option<f64>)]
        hold: Option<Span>,
    },
    /// A process dies.
    Crash {
        /// Which.
        #[schema(value_type = u32)]
        node: NodeId,
    },
    /// A dead process comes back, with what it had stored or with nothing.
    Restart {
        /// Which.
        #[schema(value_type = u32)]
        node: NodeId,
        /// Whether it is given back what it had stored.
        #[serde(default = "yes")]
        #[schema(required = false)]
        stored: bool,
    },
    /// A process is stopped in its tracks.
    Pause {
        /// Which.
        #[schema(value_type = u32)]
        node: NodeId,
    },
    /// A paused process goes on.
    Resume {
        /// Which.
        #[schema(value_type = u32)]
        node: NodeId,
    },
    /// A link behaves differently from now on; with nothing, like the others.
    Link {
        /// Where it begins.
        #[schema(value_type = u32)]
        from: NodeId,
        /// Where it ends.
        #[schema(value_type = u32)]
        to: NodeId,
        /// How it differs.
        patch: Option<LinkPatch>,
    },
    /// Links are cut.
    Partition(PartitionDraft),
    /// A rule acts on messages from now on.
    Rule(RuleDraft),
    /// All partitions and rules are gone.
    Heal {},
}

const fn yes() -> bool {
    true
}

impl Action {
    /// The nodes that it is about.
    fn nodes(&self) -> Vec<(&'static str, NodeId)> {
        match self {
            Self::Acquire { node, .. } => vec![("acquire/node", *node)],
            Self::Release { node, .. } => vec![("release/node", *node)],
            Self::Elect { node } => vec![("elect/node", *node)],
            Self::Propose { node, .. } => vec![("propose/node", *node)],
            Self::Crash { node } => vec![("crash/node", *node)],
            Self::Restart { node, .. } => vec![("restart/node", *node)],
            Self::Pause { node } => vec![("pause/node", *node)],
            Self::Resume { node } => vec![("resume/node", *node)],
            Self::Tell { from, to, .. } => vec![("tell/from", *from), ("tell/to", *to)],
            Self::Link { from, to, .. } => vec![("link/from", *from), ("link/to", *to)],
            Self::Partition(_) | Self::Rule(_) | Self::Heal {} => Vec::new(),
        }
    }

    /// What of the catalogue it takes for granted: a command.
    const fn command(&self) -> Option<&'static str> {
        match self {
            Self::Acquire { .. } => Some("acquire"),
            Self::Release { .. } => Some("release"),
            Self::Elect { .. } => Some("elect"),
            Self::Propose { .. } => Some("propose"),
            _ => None,
        }
    }

    fn lock(&self) -> Option<(&'static str, LockId)> {
        match self {
            Self::Acquire { lock, .. } => Some(("acquire/lock", *lock)),
            Self::Release { lock, .. } => Some(("release/lock", *lock)),
            _ => None,
        }
    }
}

impl Scripted {
    /// What is wrong with it, standing at `pointer`, in a run of this algorithm with so many nodes and locks.
    #[must_use]
    pub fn errors(&self, pointer: &str, entry: &Entry, nodes: u32, locks: u32) -> Vec<FieldError> {
        let action = &self.action;
        let at = |place: &str| format!("{pointer}/do/{place}");
        let mut errors: Vec<FieldError> =
            action.nodes().into_iter().filter_map(|(place, node)| unknown_node(&at(place), node, nodes)).collect();
        if let Some(command) = action.command().filter(|command| !entry.commands.contains(command)) {
            let mut error = FieldError::new(at(command), format!("`{}` cannot be told to {command}", entry.name));
            error.allowed = entry.commands.iter().map(ToString::to_string).collect();
            errors.push(error);
        }
        if let Some((place, lock)) = action.lock().filter(|(_, lock)| entry.locks != LockUse::None && lock.0 >= locks) {
            errors.push(FieldError::new(at(place), format!("there is no lock {lock}: the run has {locks}")));
        }
        let kinds = entry.message_kinds;
        let inner = match action {
            Action::Link { patch: Some(patch), .. } => link_errors(&at("link/patch"), patch, Some(kinds)),
            Action::Partition(draft) => under(&at("partition"), draft.errors(nodes)),
            Action::Rule(draft) => under(&at("rule"), draft.errors(nodes, kinds)),
            Action::Propose { value, .. } if value.is_empty() => {
                vec![FieldError::new(at("propose/value"), "a proposal needs a value: one character or more")]
            }
            Action::Tell { from, to, .. } if from == to => {
                vec![FieldError::new(at("tell/to"), "a node tells others: itself it need not tell")]
            }
            _ => Vec::new(),
        };
        errors.extend(inner);
        errors
    }
}

fn under(pointer: &str, errors: Vec<FieldError>) -> Vec<FieldError> {
    errors.into_iter().map(|error| FieldError { pointer: format!("{pointer}{}", error.pointer), ..error }).collect()
}
