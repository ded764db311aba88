//! The messages of prevention.

use crate::prelude::*;

messages! {
    /// The messages. A ticket numbers a request of a process.
    pub enum PreventionMessage {
        "REQUEST" Request {
            /// The requested resources, in ascending order.
            locks: Vec<LockId>,
            ticket: u64,
        }: "A process asks the home for a resource, or for several at once.",
        "GRANT" Grant { ticket: u64 }: "The home grants all that was requested with this ticket.",
        "BUSY" Busy { ticket: u64 }: "The home says that the resource is not free.",
        "RELEASE" Release { lock: LockId, ticket: u64 }: "A process gives a resource back.",
    }
}
