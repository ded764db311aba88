//! A perfect failure detector that takes its time: who has died is told to the others some day, and who is back, in the order
//! in which it happened to each, and before anything arrives that it has said in a later life.

use std::collections::BTreeSet;

use interlock_algorithm::NodeId;
use interlock_machine::message_id::MessageId;
use interlock_model::choice::Choice;

/// What each node has been told of the deaths of the others.
pub struct Detector {
    deaths: Vec<u32>,
    /// By node, of how many deaths of each other it was told.
    told: Vec<Vec<u32>>,
    suspects: Vec<BTreeSet<NodeId>>,
}

impl Detector {
    /// Nobody has died yet of so many.
    pub fn new(nodes: u32) -> Self {
        let nodes = nodes as usize;
        Self { deaths: vec![0; nodes], told: vec![vec![0; nodes]; nodes], suspects: vec![BTreeSet::new(); nodes] }
    }

    /// A node has died.
    pub fn died(&mut self, node: NodeId) {
        self.deaths[node.index()] += 1;
        self.suspects[node.index()].clear();
    }

    /// A node is back, and has yet to be told who else is down.
    pub fn returned(&mut self, node: NodeId, down: &BTreeSet<NodeId>) {
        self.told[node.index()].clone_from(&self.deaths);
        for other in down {
            self.told[node.index()][other.index()] -= 1;
        }
    }

    /// A node was told that another has died.
    pub fn suspected(&mut self, node: NodeId, whom: NodeId) {
        self.suspects[node.index()].insert(whom);
        self.told[node.index()][whom.index()] = self.deaths[whom.index()];
    }

    /// A node was told that another is back.
    pub fn trusted(&mut self, node: NodeId, whom: NodeId) {
        self.suspects[node.index()].remove(&whom);
    }

    /// Whether the recipient of a message knows that its sender has died and is back, if it has and is: so it is told before
    /// anything of a later life arrives.
    pub fn is_told(&self, message: &MessageId) -> bool {
        let (node, whom) = (message.to, message.from);
        let knows_all = self.told[node.index()][whom.index()] == self.deaths[whom.index()];
        knows_all && !self.suspects[node.index()].contains(&whom)
    }

    /// What those who are up can be told.
    pub fn tidings(&self, up: &[NodeId]) -> Vec<Choice> {
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
