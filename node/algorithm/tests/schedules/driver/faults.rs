//! What may go wrong, and how often.

use interlock_model::event::RestartState;

/// What may still go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Faults {
    /// Messages of a link keep their order; a copy stays next to its original.
    pub fifo: bool,
    /// How many messages a link holds: what is sent on a full one is lost.
    pub room: usize,
    /// How many messages may still be lost.
    pub losses: u32,
    /// How many messages may still be doubled.
    pub copies: u32,
    /// How many messages of the application may still be sent.
    pub tells: u32,
    /// How many crashes there may still be.
    pub crashes: u32,
    /// How many nodes may be down at the same time.
    pub down_at_once: usize,
    /// With what those who have crashed may come back; none if nobody comes back.
    pub memory: Option<RestartState>,
    /// Whether the others are told some day who has crashed, and who is back: by a perfect failure detector.
    pub detected: bool,
}

/// Order is kept, and nothing goes wrong.
pub const FIFO: Faults = Faults {
    fifo: true,
    room: usize::MAX,
    losses: 0,
    copies: 0,
    tells: 0,
    crashes: 0,
    down_at_once: 1,
    memory: None,
    detected: false,
};
/// Messages may overtake; nothing else goes wrong.
pub const OVERTAKING: Faults = Faults { fifo: false, ..FIFO };
