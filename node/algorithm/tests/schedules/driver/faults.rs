//! The faults that may occur in a schedule, with the maximum number of each.

use interlock_model::event::RestartState;

/// The faults that may still occur in a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Faults {
    /// Whether the messages of a link keep their order. If so, a duplicated copy stays next to its original.
    pub fifo: bool,
    /// Maximum number of messages on a link. If a link is full, a further message to this link is lost.
    pub room: usize,
    /// Number of messages that may still be lost.
    pub losses: u32,
    /// Number of messages that may still be duplicated.
    pub copies: u32,
    /// Number of application messages that may still be sent.
    pub tells: u32,
    /// Number of crashes that may still occur.
    pub crashes: u32,
    /// Maximum number of nodes that are down at the same time.
    pub down_at_once: usize,
    /// The state with which crashed nodes restart. If the option is absent, crashed nodes never restart.
    pub memory: Option<RestartState>,
    /// Whether a perfect failure detector eventually notifies the other nodes of crashes and restarts.
    pub detected: bool,
}

/// FIFO links without faults.
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
/// Messages may overtake each other; there are no other faults.
pub const OVERTAKING: Faults = Faults { fifo: false, ..FIFO };
