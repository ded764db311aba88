//! The perfect failure detector. The supervisor knows which processes have crashed, and the detector notifies the
//! other nodes.

use interlock_algorithm::NodeId;
use interlock_machine::wire::Order;
use interlock_model::process_status::ProcessStatus;
use interlock_model::specification::Detector;

use super::core::Core;

impl Core {
    /// If the detector is on, notifies all live nodes that node `whom` has crashed.
    pub(super) fn tell_of_death(&mut self, whom: NodeId) {
        for node in self.others_who_live(whom) {
            self.tell(node, Order::Suspect { whom });
        }
    }

    /// If the detector is on, notifies all live nodes that node `whom` has restarted, and notifies the restarted
    /// node of all crashed nodes.
    pub(super) fn tell_of_return(&mut self, whom: NodeId) {
        let incarnation = self.nodes[whom].incarnation();
        if self.tells() && self.specification().takes_part(whom, incarnation) {
            for node in self.others_who_live(whom) {
                self.tell(node, Order::Trust { whom });
            }
        }
        if self.tells() {
            let dead =
                NodeId::all(self.specification().nodes).filter(|node| self.log.status(*node) == ProcessStatus::Crashed);
            for dead in dead.collect::<Vec<_>>() {
                self.tell(whom, Order::Suspect { whom: dead });
            }
        }
    }

    /// Whether the run has the perfect detector, and the detector notifies nodes itself. If the run follows a
    /// schedule, the schedule contains the notifications instead.
    fn tells(&self) -> bool {
        self.specification().detector == Detector::Perfect && !self.is_ended() && !self.driver.follows()
    }

    fn others_who_live(&self, whom: NodeId) -> Vec<NodeId> {
        if !self.tells() {
            return Vec::new();
        }
        let lives = |node: &NodeId| matches!(self.log.status(*node), ProcessStatus::Running | ProcessStatus::Paused);
        NodeId::all(self.specification().nodes).filter(|node| *node != whom).filter(lives).collect()
    }

    fn tell(&mut self, node: NodeId, order: Order) {
        // If a node has too many pending commands, the notification is rejected and lost, like any other command.
        let _ = self.order(node, order);
    }
}
