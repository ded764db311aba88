//! What may go wrong, and how often.

/// What may still go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Faults {
    /// Messages of a link keep their order; a copy stays next to its original.
    pub fifo: bool,
    /// How many messages may still be lost.
    pub losses: u32,
    /// How many messages may still be doubled.
    pub copies: u32,
    /// How many crashes there may still be.
    pub crashes: u32,
    /// How many nodes may be down at the same time.
    pub down_at_once: u32,
    /// What those who come back still know; none if nobody comes back.
    pub memory: Option<Memory>,
}

/// What a node that comes back still knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// What it had stored.
    Stored,
    /// Nothing.
    Nothing,
}

/// Order is kept, and nothing goes wrong.
pub const NONE: Faults = Faults { fifo: true, losses: 0, copies: 0, crashes: 0, down_at_once: 1, memory: None };
/// Messages may overtake; nothing else goes wrong.
pub const OVERTAKING: Faults = Faults { fifo: false, ..NONE };
