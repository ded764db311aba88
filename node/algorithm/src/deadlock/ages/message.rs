//! The messages of wait-die and wound-wait.

use crate::prelude::*;

messages! {
    /// The messages. A ticket numbers a request of a process.
    #[derive(Copy)]
    pub enum AgesMessage {
        "REQUEST" Request { lock: LockId, ticket: u64, timestamp: u64 }: "A process asks the home for a resource.",
        "GRANT" Grant { lock: LockId, ticket: u64, clock: u64 }: "The home grants a resource.",
        "ABORT" Abort {
            /// The resource that the process holds or waits for.
            lock: LockId,
            ticket: u64,
        }: "The home of a resource tells the transaction to give up all that it has and to begin again.",
        "RELEASE" Release { lock: LockId, ticket: u64 }: "A process gives a resource back, or no longer waits for it.",
    }
}

impl AgesMessage {
    /// Returns the resource that the message concerns.
    #[must_use]
    pub const fn lock(self) -> LockId {
        match self {
            Self::Request { lock, .. }
            | Self::Grant { lock, .. }
            | Self::Abort { lock, .. }
            | Self::Release { lock, .. } => lock,
        }
    }

    /// Whether the message goes to the home of the resource. All other messages come from the home.
    pub(super) const fn is_for_home(self) -> bool {
        matches!(self, Self::Request { .. } | Self::Release { .. })
    }
}
