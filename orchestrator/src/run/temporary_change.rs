//! Temporary changes of a run.

use interlock_algorithm::NodeId;

use super::event_log::EventLog;
use super::nodes::Nodes;
use interlock_model::network::{Lost, Network};
use interlock_model::process_status::ProcessStatus;

/// A change of a run that is undone automatically.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Temporary {
    /// A partition, identified by its number.
    Partition(u64),
    /// A targeted rule, identified by its number.
    Rule(u64),
    /// The pause of a node.
    Pause {
        /// The node.
        node: NodeId,
        /// The `seq` of the event that reported the pause.
        told: u64,
    },
}

/// The temporary changes of a run.
#[derive(Debug, Default)]
pub(super) struct TemporaryChanges(Vec<Temporary>);

impl TemporaryChanges {
    /// Adds a change, and forgets the changes that have been undone.
    pub fn add(&mut self, what: Temporary, log: &EventLog, network: &Network, nodes: &Nodes) {
        self.0.retain(|other| other.still_lasts(log, network, nodes));
        self.0.push(what);
    }

    /// Returns the number of temporary changes whose end can cause further events. While there is such a change,
    /// the run is not stuck and does not wait for a manual action. The end of a rule causes no events. The end of
    /// a partition releases the messages that the partition holds, and permits heartbeats that the partition has
    /// blocked.
    pub fn motions_to_come(&self, log: &EventLog, network: &Network, nodes: &Nodes) -> usize {
        let moves = |what: &&Temporary| what.still_lasts(log, network, nodes) && what.moves_at_its_end(log, network);
        self.0.iter().filter(moves).count()
    }
}

impl Temporary {
    fn moves_at_its_end(self, log: &EventLog, network: &Network) -> bool {
        let state = log.state();
        match self {
            Self::Partition(id) => {
                let holds = network.partition(id).is_some_and(|partition| partition.lost == Lost::Hold);
                holds && state.network().held() > 0 || !state.cut_off().is_empty()
            }
            Self::Rule(_) => false,
            Self::Pause { .. } => true,
        }
    }

    fn still_lasts(self, log: &EventLog, network: &Network, nodes: &Nodes) -> bool {
        match self {
            Self::Partition(id) => network.partition(id).is_some(),
            Self::Rule(id) => network.has_rule(id),
            Self::Pause { node, told } => log.status(node) == ProcessStatus::Paused && nodes[node].was_paused_by(told),
        }
    }
}
