//! The process on which the other processes depend.

use interlock_algorithm::Entry;

/// A process on which the other processes depend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Special {
    /// Node 0: the coordinator, the leader or the holder of the token.
    First,
    /// The first arbiter of the waiting process.
    Arbiter,
}

/// Returns the process on which the other processes depend, or none if there is no such process.
pub(super) fn special(entry: &Entry) -> Option<Special> {
    let has = |name: &str| entry.parameters.iter().any(|parameter| parameter.name == name);
    if has("coterie") {
        Some(Special::Arbiter)
    } else {
        let rests = has("holder") && !circles(entry);
        (rests || has("coordinator") || has("leader")).then_some(Special::First)
    }
}

/// Returns whether the token circulates even if no process requests it.
pub(super) fn circles(entry: &Entry) -> bool {
    entry.token_kinds.iter().any(|kind| entry.background_kinds.contains(kind))
}
