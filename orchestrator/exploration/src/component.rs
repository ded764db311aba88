//! Strongly connected components of a graph, computed without recursion (Tarjan 1972, "Depth-First Search and Linear
//! Graph Algorithms", SIAM Journal on Computing 1(2)).

/// Placeholder for the component of a node that does not belong to a component yet.
const NONE: u32 = u32::MAX;

/// The components of a graph whose nodes are numbers from 0.
pub(super) struct Components {
    /// All nodes, grouped by component. A component comes after all components to which its edges lead.
    nodes: Vec<u32>,
    /// For each component, the index of its first node in `nodes`. The last number is the end of the last component.
    firsts: Vec<usize>,
    /// The number of the component of each node.
    of: Vec<u32>,
    /// For each component, whether it contains a cycle: it has several nodes, or an edge from a node to itself.
    is_circle: Vec<bool>,
}

/// State of a search for the components.
struct Tarjan {
    /// For each node, its position in the order of visits, from 1; 0 if the node has not been visited.
    order: Vec<u32>,
    /// For each node, the smallest position in `order` of a node on the stack that can be reached from it.
    low: Vec<u32>,
    stack: Vec<u32>,
    /// The nodes on the path from the start of the search, each with the number of its edges that have been
    /// examined.
    path: Vec<(u32, usize)>,
    come_to: u32,
    found: Components,
}

impl Components {
    /// Computes the components of a graph with `count` nodes, which must be fewer than 2³². `edges` returns the
    /// targets of the edges from a node.
    pub fn of<'g>(count: usize, edges: impl Fn(u32) -> &'g [u32]) -> Self {
        let found = Self { nodes: Vec::new(), firsts: vec![0], of: vec![NONE; count], is_circle: Vec::new() };
        let (order, low) = (vec![0; count], vec![0; count]);
        let mut tarjan = Tarjan { order, low, stack: Vec::new(), path: Vec::new(), come_to: 0, found };
        for node in (0_u32..).take(count) {
            if tarjan.order[node as usize] == 0 {
                tarjan.search(node, &edges);
            }
        }
        tarjan.found
    }

    /// Returns the components, each as a list of nodes. A component comes after all components to which its edges lead.
    pub fn all(&self) -> impl Iterator<Item = &[u32]> {
        self.firsts.windows(2).map(|bounds| &self.nodes[bounds[0]..bounds[1]])
    }

    /// Returns the components that contain a cycle, each as a list of nodes.
    pub fn circles(&self) -> impl Iterator<Item = &[u32]> {
        let components = self.firsts.windows(2).zip(&self.is_circle);
        components.filter(|(_, is_circle)| **is_circle).map(|(bounds, _)| &self.nodes[bounds[0]..bounds[1]])
    }

    /// Returns whether two nodes are in the same component.
    pub fn are_together(&self, one: u32, other: u32) -> bool {
        self.of[one as usize] == self.of[other as usize]
    }

    /// Returns the number of nodes on the longest path, or none if the graph has a cycle.
    pub fn longest<'g>(&self, edges: impl Fn(u32) -> &'g [u32]) -> Option<u32> {
        if self.is_circle.contains(&true) {
            return None;
        }
        let mut longest = vec![0_u32; self.nodes.len()];
        for &node in &self.nodes {
            let further = edges(node).iter().map(|&to| longest[to as usize]).max().unwrap_or(0);
            longest[node as usize] = further.saturating_add(1);
        }
        Some(longest.into_iter().max().unwrap_or(0))
    }
}

impl Tarjan {
    fn search<'g>(&mut self, from: u32, edges: &impl Fn(u32) -> &'g [u32]) {
        self.enter(from);
        while let Some((node, looked_at)) = self.path.last_mut() {
            let node = *node;
            let next = edges(node).get(*looked_at).copied();
            *looked_at += 1;
            match next {
                Some(to) if self.order[to as usize] == 0 => self.enter(to),
                Some(to) if self.found.of[to as usize] == NONE => {
                    self.low[node as usize] = self.low[node as usize].min(self.order[to as usize]);
                }
                Some(_) => {}
                None => self.leave(node, edges),
            }
        }
    }

    fn enter(&mut self, node: u32) {
        self.come_to += 1;
        self.order[node as usize] = self.come_to;
        self.low[node as usize] = self.come_to;
        self.stack.push(node);
        self.path.push((node, 0));
    }

    fn leave<'g>(&mut self, node: u32, edges: &impl Fn(u32) -> &'g [u32]) {
        self.path.pop();
        let low = self.low[node as usize];
        if let Some(&(before, _)) = self.path.last() {
            self.low[before as usize] = self.low[before as usize].min(low);
        }
        if low == self.order[node as usize] {
            self.close(node, edges);
        }
    }

    /// Makes a component of the nodes on the stack from `first` to the top.
    fn close<'g>(&mut self, first: u32, edges: &impl Fn(u32) -> &'g [u32]) {
        let component = u32::try_from(self.found.is_circle.len()).unwrap_or(NONE);
        let begin = self.found.nodes.len();
        while let Some(node) = self.stack.pop() {
            self.found.of[node as usize] = component;
            self.found.nodes.push(node);
            if node == first {
                break;
            }
        }
        let several = self.found.nodes.len() > begin + 1;
        self.found.firsts.push(self.found.nodes.len());
        self.found.is_circle.push(several || edges(first).contains(&first));
    }
}

#[cfg(test)]
mod tests {
    use super::Components;

    fn of(graph: &[&'static [u32]]) -> (Vec<Vec<u32>>, Option<u32>) {
        let edges = |node: u32| graph[node as usize];
        let components = Components::of(graph.len(), edges);
        let sorted = |circle: &[u32]| {
            let mut circle = circle.to_vec();
            circle.sort_unstable();
            circle
        };
        let mut circles: Vec<Vec<u32>> = components.circles().map(sorted).collect();
        circles.sort();
        (circles, components.longest(edges))
    }

    #[test]
    fn circles_are_found_and_the_longest_way_where_there_are_none() {
        assert_eq!(of(&[]), (vec![], Some(0)));
        assert_eq!(of(&[&[]]), (vec![], Some(1)));
        assert_eq!(of(&[&[0]]), (vec![vec![0]], None));
        assert_eq!(of(&[&[1, 2], &[2], &[3], &[]]), (vec![], Some(4)), "not the shorter way from 0 to 2");
        assert_eq!(of(&[&[2], &[], &[1, 3], &[1]]), (vec![], Some(4)));
        assert_eq!(of(&[&[1], &[2], &[0, 3], &[4], &[3]]), (vec![vec![0, 1, 2], vec![3, 4]], None));
        assert_eq!(of(&[&[1], &[2, 3], &[], &[1]]), (vec![vec![1, 3]], None), "2 hangs on it and 0 leads to it");
    }
}
