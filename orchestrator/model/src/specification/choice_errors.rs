//! Checks of an action that need only the specification of the run, not its state.

use interlock_algorithm::{LockId, LockUse, NodeId};

use super::KnownAlgorithm;
use crate::choice::{Choice, LONGEST_NOTE, MessageName, NetworkChange};
use crate::field_error::{FieldError, unknown_lock, unknown_node};
use crate::network::link_errors;
use crate::write::Write;

impl Choice {
    /// Returns the errors of this action at `pointer`, for a run of the algorithm `known` with `nodes` nodes and
    /// `locks` locks.
    #[must_use]
    pub fn errors(&self, pointer: &str, known: &KnownAlgorithm<'_>, nodes: u32, locks: u32) -> Vec<FieldError> {
        let mut errors = self.errors_of_what_was_done(pointer, known, nodes);
        let entry = known.entry;
        let at = |place: &str| format!("{pointer}/{place}");
        if let Some(command) = self.command().filter(|command| !entry.commands.contains(command)) {
            let detail = match self {
                Self::Corrupt { .. } => format!("`{}` does not stabilise from arbitrary states", entry.name),
                _ => format!("`{}` does not have the command `{command}`", entry.name),
            };
            let mut error = FieldError::new(at(command), detail);
            error.allowed = entry.commands.iter().map(ToString::to_string).collect();
            errors.push(error);
        }
        if entry.locks != LockUse::None {
            errors.extend(self.locks().into_iter().find_map(|(place, lock)| unknown_lock(&at(place), lock, locks)));
        }
        errors
    }

    /// Returns the errors of a recorded action. The command and the locks of the action are not checked, because
    /// the run may have recorded a command that the node refused.
    #[must_use]
    pub fn errors_of_what_was_done(&self, pointer: &str, known: &KnownAlgorithm<'_>, nodes: u32) -> Vec<FieldError> {
        let at = |place: &str| format!("{pointer}/{place}");
        let mut errors: Vec<FieldError> =
            self.nodes().into_iter().filter_map(|(place, node)| unknown_node(&at(place), node, nodes)).collect();
        let kinds = known.kinds();
        let inner = match self {
            Self::Network(NetworkChange::Default(patch)) => link_errors(&at("network/default"), patch, kinds),
            Self::Network(NetworkChange::Link(link)) => link.errors(&at("network/link"), nodes, kinds),
            Self::Note(text) if !(1..=LONGEST_NOTE).contains(&text.chars().count()) => {
                vec![FieldError::new(at("note"), format!("a note must have 1 … {LONGEST_NOTE} characters"))]
            }
            Self::Partition(draft) => under(&at("partition"), draft.errors(nodes)),
            Self::Rule(draft) => under(&at("rule"), draft.errors(nodes, kinds)),
            Self::Propose { value, .. } if value.is_empty() => {
                vec![FieldError::new(at("propose/value"), "a proposal needs a value of at least one character")]
            }
            Self::Suspect { node, whom } if node == whom => vec![knows_itself(at("suspect/whom"))],
            Self::Trust { node, whom } if node == whom => vec![knows_itself(at("trust/whom"))],
            Self::Tell { from, to, .. } if from == to => {
                vec![FieldError::new(at("tell/to"), "a node does not send to itself; name another node")]
            }
            _ => Vec::new(),
        };
        errors.extend(inner);
        errors
    }

    /// Returns the nodes that the action names, each with its pointer within the action.
    fn nodes(&self) -> Vec<(&'static str, NodeId)> {
        match self {
            Self::Acquire { node, .. } => vec![("acquire/node", *node)],
            Self::AcquireTogether { node, .. } => vec![("acquire_together/node", *node)],
            Self::Release { node, .. } => vec![("release/node", *node)],
            Self::Elect { node } => vec![("elect/node", *node)],
            Self::Propose { node, .. } => vec![("propose/node", *node)],
            Self::Corrupt { node, .. } => vec![("corrupt/node", *node)],
            Self::Suspect { node, whom } => vec![("suspect/node", *node), ("suspect/whom", *whom)],
            Self::Trust { node, whom } => vec![("trust/node", *node), ("trust/whom", *whom)],
            Self::Put(Write { node, .. }) => node.iter().map(|node| ("put/node", *node)).collect(),
            Self::Crash { node } => vec![("crash/node", *node)],
            Self::Restart { node, .. } => vec![("restart/node", *node)],
            Self::Pause { node } => vec![("pause/node", *node)],
            Self::Resume { node } => vec![("resume/node", *node)],
            Self::Tell { from, to, .. } => vec![("tell/from", *from), ("tell/to", *to)],
            Self::Fire { node, .. } => vec![("fire/node", *node)],
            Self::Start { node } => vec![("start/node", *node)],
            Self::Begin { node } => vec![("begin/node", *node)],
            Self::Relaunch { node, .. } => vec![("relaunch/node", *node)],
            Self::Die { node, .. } => vec![("die/node", *node)],
            Self::Arrive(MessageName(message)) => vec![("arrive", message.from), ("arrive", message.to)],
            Self::Forward(MessageName(message)) => vec![("forward", message.from), ("forward", message.to)],
            Self::Deliver(MessageName(message)) => vec![("deliver", message.from), ("deliver", message.to)],
            Self::Lose(MessageName(message)) => vec![("lose", message.from), ("lose", message.to)],
            Self::Hold(MessageName(message)) => vec![("hold", message.from), ("hold", message.to)],
            Self::Duplicate(MessageName(message)) => vec![("duplicate", message.from), ("duplicate", message.to)],
            Self::Network(_)
            | Self::Partition(_)
            | Self::Rule(_)
            | Self::Remove(_)
            | Self::Heal {}
            | Self::After(_)
            | Self::Note(_)
            | Self::Judge { .. } => Vec::new(),
        }
    }

    /// Returns the name of the command that this action sends, and that the algorithm must support. If the action
    /// sends no command, returns none.
    fn command(&self) -> Option<&'static str> {
        self.order().and_then(|(_, order)| order.command())
    }

    /// Returns the locks that the action names, each with its pointer within the action.
    fn locks(&self) -> Vec<(&'static str, LockId)> {
        match self {
            Self::Acquire { lock, .. } => vec![("acquire/lock", *lock)],
            Self::AcquireTogether { locks, .. } => locks.iter().map(|lock| ("acquire_together/locks", *lock)).collect(),
            Self::Release { lock, .. } => vec![("release/lock", *lock)],
            _ => Vec::new(),
        }
    }
}

fn under(pointer: &str, errors: Vec<FieldError>) -> Vec<FieldError> {
    errors.into_iter().map(|error| FieldError { pointer: format!("{pointer}{}", error.pointer), ..error }).collect()
}

/// Returns the error for an action by which a process would suspect or trust itself.
fn knows_itself(pointer: String) -> FieldError {
    FieldError::new(pointer, "a process cannot suspect or trust itself; name another node")
}
