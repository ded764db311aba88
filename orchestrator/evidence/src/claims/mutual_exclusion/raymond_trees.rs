//! Trees of the claims about Raymond 1989.

use interlock_algorithm::structure::tree::Tree;
use interlock_algorithm::{NodeId, Value};

use super::CouldNotRun;

/// Shapes of the tree of nine processes. The number is the process that has the privilege.
pub(super) const TREES: [(&str, u32); 4] = [("line", 3), ("star", 5), ("binary", 0), ("random:7", 8)];

/// Returns the correct HOLDER of each of the nine processes.
pub(super) fn towards(shape: &str, privileged: NodeId) -> Result<Vec<Value>, CouldNotRun> {
    let tree = Tree::parse(shape, 9).map_err(CouldNotRun::because)?;
    let distances = tree.distances(privileged);
    let holder = |node: NodeId| {
        let nearer = |next: &&NodeId| distances[next.index()] < distances[node.index()];
        tree.neighbours(node).iter().find(nearer).map_or(Value::Text("self".into()), |next| Value::node(Some(*next)))
    };
    Ok(NodeId::all(9).map(holder).collect())
}
