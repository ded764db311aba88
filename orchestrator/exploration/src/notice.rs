//! The notices of a perfect failure detector.

use interlock_algorithm::NodeId;
use interlock_machine::wire::Order;

/// The event of a process that a notice reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Notice {
    /// The process has crashed.
    Death,
    /// The process has restarted.
    Return,
}

impl Notice {
    /// Returns the order with which a node's failure detector is notified of the event: to suspect the process, or
    /// to trust it again.
    pub const fn order(self, whom: NodeId) -> Order {
        match self {
            Self::Death => Order::Suspect { whom },
            Self::Return => Order::Trust { whom },
        }
    }
}
