//! A perfect failure detector with delayed notifications. Every process is eventually notified of each crash and
//! restart of another process. Notifications about one process arrive in order. They also arrive before any message
//! that the process has sent since its restart.

use std::collections::BTreeSet;

use interlock_algorithm::NodeId;
use interlock_machine::message_id::MessageId;
use interlock_model::choice::Choice;

/// The crashes of all nodes, and the notifications that each node has received.
pub struct Detector {
    deaths: Vec<u32>,
    /// `told[n][m]` is the number of crashes of node m of which node n was notified.
    told: Vec<Vec<u32>>,
    suspects: Vec<BTreeSet<NodeId>>,
}

impl Detector {
    /// Creates a detector for `nodes` nodes, none of which has crashed.
    pub fn new(nodes: u32) -> Self {
        let nodes = nodes as usize;
        Self { deaths: vec![0; nodes], told: vec![vec![0; nodes]; nodes], suspects: vec![BTreeSet::new(); nodes] }
    }

    /// Records that a node has crashed.
    pub fn died(&mut self, node: NodeId) {
        self.deaths[node.index()] += 1;
        self.suspects[node.index()].clear();
    }

    /// Records that `node` has restarted. The detector must still notify `node` of the nodes in `down`.
    pub fn returned(&mut self, node: NodeId, down: &BTreeSet<NodeId>) {
        self.told[node.index()].clone_from(&self.deaths);
        for other in down {
            self.told[node.index()][other.index()] -= 1;
        }
    }

    /// Records that `node` was notified of a crash of `whom`.
    pub fn suspected(&mut self, node: NodeId, whom: NodeId) {
        self.suspects[node.index()].insert(whom);
        self.told[node.index()][whom.index()] = self.deaths[whom.index()];
    }

    /// Records that `node` was notified of a restart of `whom`.
    pub fn trusted(&mut self, node: NodeId, whom: NodeId) {
        self.suspects[node.index()].remove(&whom);
    }

    /// Whether the recipient of a message was notified of all crashes and restarts of the sender. Only then may the
    /// recipient receive a message that the sender has sent since its restart.
    pub fn is_told(&self, message: &MessageId) -> bool {
        let (node, whom) = (message.to, message.from);
        let knows_all = self.told[node.index()][whom.index()] == self.deaths[whom.index()];
        knows_all && !self.suspects[node.index()].contains(&whom)
    }

    /// Returns the notifications that the nodes in `up` can receive next.
    pub fn notices(&self, up: &[NodeId]) -> Vec<Choice> {
        let all = (0..).map(NodeId).take(self.deaths.len());
        let of = |node: NodeId, whom: NodeId| {
            if self.suspects[node.index()].contains(&whom) {
                up.contains(&whom).then_some(Choice::Trust { node, whom })
            } else {
                let has_died = self.told[node.index()][whom.index()] < self.deaths[whom.index()];
                has_died.then_some(Choice::Suspect { node, whom })
            }
        };
        let pairs = all.flat_map(|whom| up.iter().map(move |&node| (node, whom))).filter(|(node, whom)| node != whom);
        pairs.filter_map(|(node, whom)| of(node, whom)).collect()
    }
}
