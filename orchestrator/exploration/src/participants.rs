//! Sets of the processes that participate in an event.

use interlock_algorithm::NodeId;

/// A set of processes, with one bit for each process. The lowest bit belongs to the first node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Participants(u64);

impl Participants {
    /// The empty set.
    pub const NOBODY: Self = Self(0);
    /// All processes.
    pub const ALL: Self = Self(u64::MAX);
    /// Maximum number of nodes for which a set has bits.
    pub const MOST: u32 = u64::BITS;

    /// Returns the set of one process.
    pub fn one(node: NodeId) -> Self {
        Self(1_u64.checked_shl(node.0).unwrap_or(0))
    }

    /// Returns the union with another set.
    #[must_use]
    pub const fn with(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// Returns whether this set is a subset of `others`.
    pub const fn are_among(self, others: Self) -> bool {
        self.0 & !others.0 == 0
    }

    /// Returns whether the set contains a process.
    pub fn has(self, node: NodeId) -> bool {
        self.0 & Self::one(node).0 != 0
    }

    /// Returns the number of processes.
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }
}

/// Adds a set of processes to `kept`, and removes its supersets from `kept`. If `kept` already contains a subset of
/// the set, changes nothing.
pub(super) fn keep_least(kept: &mut Vec<Participants>, set: Participants) {
    if !kept.iter().any(|other| other.are_among(set)) {
        kept.retain(|other| !set.are_among(*other));
        kept.push(set);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(nodes: &[u32]) -> Participants {
        nodes.iter().fold(Participants::NOBODY, |all, &node| all.with(Participants::one(NodeId(node))))
    }

    #[test]
    fn they_are_counted_and_compared_as_sets() {
        let (some, more) = (set(&[0, 63]), set(&[0, 5, 63]));
        assert_eq!((some.count(), more.count(), Participants::NOBODY.count()), (2, 3, 0));
        assert!(some.are_among(more) && !more.are_among(some) && some.are_among(some));
        assert!(some.has(NodeId(63)) && !some.has(NodeId(5)) && !Participants::ALL.has(NodeId(64)));
        assert!(Participants::NOBODY.are_among(some) && more.are_among(Participants::ALL));
    }

    #[test]
    fn of_sets_only_those_are_kept_of_which_no_other_is_part() {
        let mut kept = Vec::new();
        for nodes in [&[0, 1, 2][..], &[3, 4], &[0, 1], &[0, 1, 3], &[3, 4]] {
            keep_least(&mut kept, set(nodes));
        }
        assert_eq!(kept, [set(&[3, 4]), set(&[0, 1])]);
        keep_least(&mut kept, Participants::NOBODY);
        assert_eq!(kept, [Participants::NOBODY]);
    }
}
