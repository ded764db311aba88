//! Marks of a process: flags for facts that hold for the process. Only facts that the checks of single states need
//! have a mark.

/// A set of marks.
///
/// Most processes have no marks, so most states need no further check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Marks(u8);

impl Marks {
    /// The empty set.
    pub const NONE: Self = Self(0);
    /// Mark that every state has.
    pub const ANY_STATE: Self = Self(1 << 6);
    /// The process is in a critical section.
    pub const INSIDE: Self = Self(1);
    /// Several processes are in critical sections, or one process is in several critical sections.
    pub const SEVERAL_INSIDE: Self = Self(1 << 5);
    /// The process knows of an election.
    pub const ELECTION: Self = Self(1 << 1);
    /// The process has learnt a chosen value.
    pub const DECIDED: Self = Self(1 << 2);
    /// The process has broken a promise of its algorithm.
    pub const BROKEN_PROMISE: Self = Self(1 << 3);
    /// The process is in a critical section, although it overtook a request with a smaller timestamp.
    pub const OVERTOOK: Self = Self(1 << 7);
    /// The process has a request, and the order of requests is checked.
    pub const REQUEST: Self = Self(1 << 4);

    /// Returns this set if the condition holds, and the empty set otherwise.
    pub const fn when(self, holds: bool) -> Self {
        if holds { self } else { Self::NONE }
    }

    /// Returns the union of the marks of two processes. If each of the two is in a critical section, adds
    /// [`SEVERAL_INSIDE`](Self::SEVERAL_INSIDE).
    pub const fn with(self, other: Self) -> Self {
        let both_inside = Self::SEVERAL_INSIDE.when(self.intersects(Self::INSIDE) && other.intersects(Self::INSIDE));
        Self(self.0 | other.0 | both_inside.0)
    }

    /// Returns whether the sets have a mark in common.
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_are_inside_if_two_processes_are() {
        let inside = Marks::INSIDE;
        assert!(!inside.with(Marks::REQUEST).intersects(Marks::SEVERAL_INSIDE), "one process");
        assert!(inside.with(Marks::NONE).with(inside).intersects(Marks::SEVERAL_INSIDE), "two processes");
        assert!(Marks::SEVERAL_INSIDE.with(Marks::NONE).intersects(Marks::SEVERAL_INSIDE), "one in two sections");
    }
}
