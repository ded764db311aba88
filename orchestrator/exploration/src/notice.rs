//! The notices of a perfect failure detector.

use interlock_algorithm::NodeId;
use interlock_machine::wire::Order;

/// The event that a notice reports of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Notice {
    /// It has crashed.
    Death,
    /// It has restarted.
    Return,
}

impl Notice {
    /// Returns the order that the failure detector of a node receives.
    pub const fn order(self, whom: NodeId) -> Order {
        match self {
            Self::Death => Order::Suspect { whom },
            Self::Return => Order::Trust { whom },
        }
    }
}
