//! Assigns slices to threads. On one thread, slices may be nested but must not overlap partially. Suppose that a
//! node waits for one lock while it is in the critical section of another. The slices of the wait and of the
//! section may overlap partially, so the node gets further threads.

use std::collections::BTreeMap;

use interlock_algorithm::{FlatMap, NodeId};

/// The threads of all nodes. Each thread is a list of the ends of its open slices, with the innermost slice last.
pub(super) struct Lanes {
    of: FlatMap<NodeId, Vec<Vec<u64>>>,
}

impl Lanes {
    /// Returns one thread for each node.
    pub fn new(nodes: u32) -> Self {
        Self { of: NodeId::all(nodes).map(|node| (node, vec![Vec::new()])).collect() }
    }

    /// Reserves the time from `start` to `end` on a thread of the node, and returns the thread. Call this function in
    /// the order of starts; if starts are equal, with the longest slice first.
    pub fn place(&mut self, node: NodeId, (start, end): (u64, u64)) -> (NodeId, usize) {
        let lanes = self.of.entry(node).or_default();
        for lane in &mut *lanes {
            lane.truncate(lane.iter().rposition(|&open| open > start).map_or(0, |innermost| innermost + 1));
        }
        let fits = |lane: &Vec<u64>| lane.last().is_none_or(|&open| end <= open);
        let place = lanes.iter().position(fits).unwrap_or_else(|| {
            lanes.push(Vec::new());
            lanes.len() - 1
        });
        lanes[place].push(end);
        (node, place)
    }

    /// Returns the names and numbers of all threads. The threads of one node have consecutive numbers.
    pub fn threads(&self) -> BTreeMap<(NodeId, usize), (String, u64)> {
        let places = self.of.iter().flat_map(|(node, lanes)| (0..lanes.len()).map(|lane| (*node, lane)));
        let name = |(node, lane): (NodeId, usize)| match lane {
            0 => node.to_string(),
            lane => format!("{node} ({})", lane + 1),
        };
        places.zip(1..).map(|(place, number)| (place, (name(place), number))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_overlaps_by_half_is_on_another_thread() {
        let mut lanes = Lanes::new(2);
        let mut place = |node, span| lanes.place(NodeId(node), span).1;
        assert_eq!([place(0, (0, 10)), place(0, (2, 5)), place(0, (3, 3)), place(1, (3, 20))], [0, 0, 0, 0]);
        assert_eq!([place(0, (4, 8)), place(0, (5, 10)), place(0, (6, 12)), place(0, (8, 9))], [1, 0, 2, 0]);
        assert_eq!([place(0, (10, 30)), place(0, (11, 40))], [0, 1]);
        let names: Vec<_> = lanes.threads().into_values().collect();
        let expected = [("P0", 1), ("P0 (2)", 2), ("P0 (3)", 3), ("P1", 4)];
        assert_eq!(names, expected.map(|(name, number)| (name.to_owned(), number)));
    }
}
