//! The edges of the state graph that are not faults. They serve to find dead ends: states from which no path leads
//! to a goal.

/// Maximum number of edges. It is far enough below the largest `u32` that the edges of one more batch of states can
/// still be numbered.
const MOST_WAYS: usize = u32::MAX as usize - (1 << 28);

/// The edges, in the order in which the states were expanded.
#[derive(Debug, Default)]
pub(super) struct Edges {
    /// The target of each edge.
    to: Vec<u32>,
    /// The expanded states. For each state, also the end of its edges in `to`.
    from: Vec<(u32, u32)>,
}

impl Edges {
    /// Adds an edge from the state that is being expanded.
    pub fn add(&mut self, to: u32) {
        self.to.push(to);
    }

    /// Ends the list of edges from the state `from`. The list contains all edges that were added since the previous
    /// call.
    pub fn end(&mut self, from: u32) {
        self.from.push((from, u32::try_from(self.to.len()).unwrap_or(u32::MAX)));
    }

    /// Returns whether there are more edges than the maximum.
    pub const fn is_full(&self) -> bool {
        self.to.len() > MOST_WAYS
    }

    /// Returns the size in memory, in bytes. This includes the reversed edges, which are computed later.
    pub const fn memory(&self) -> usize {
        2 * self.to.len() * size_of::<u32>() + 2 * self.from.len() * size_of::<(u32, u32)>()
    }

    /// Returns the dead ends, which are the states from which no path leads to a goal, in ascending order. `count`
    /// is the number of all states.
    pub fn dead_ends(self, count: usize, is_goal: impl Fn(u32) -> bool) -> Vec<u32> {
        let back = self.back(count);
        let mut open: Vec<u32> = (0_u32..).take(count).filter(|&number| is_goal(number)).collect();
        let mut leads_out = vec![false; count];
        while let Some(to) = open.pop() {
            if !std::mem::replace(&mut leads_out[to as usize], true) {
                open.extend(back.from(to).iter().filter(|from| !leads_out[**from as usize]));
            }
        }
        (0_u32..).zip(leads_out).filter(|(_, leads)| !leads).map(|(number, _)| number).collect()
    }

    /// Returns the reversed edges, grouped by target.
    fn back(self, count: usize) -> Back {
        // First, `firsts` contains the number of edges to each state, and then the index of the first edge to each
        // state. During insertion, `next` contains the index for the next edge to each state.
        let mut firsts = vec![0_u32; count + 1];
        for &to in &self.to {
            firsts[to as usize + 1] += 1;
        }
        let mut before = 0;
        for first in &mut firsts {
            before += *first;
            *first = before;
        }
        let mut next = firsts.clone();
        let mut from = vec![0; self.to.len()];
        let mut begin = 0;
        for &(state, end) in &self.from {
            for &to in &self.to[begin as usize..end as usize] {
                let place = &mut next[to as usize];
                from[*place as usize] = state;
                *place += 1;
            }
            begin = end;
        }
        Back { firsts, from }
    }
}

/// The edges, grouped by target.
struct Back {
    /// For each state, the index in `from` of the first edge to the state. The last number is the end of the last
    /// edges.
    firsts: Vec<u32>,
    from: Vec<u32>,
}

impl Back {
    fn from(&self, to: u32) -> &[u32] {
        &self.from[self.firsts[to as usize] as usize..self.firsts[to as usize + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]

        /// Tests random graphs, whose states are expanded in a random order.
        #[test]
        fn dead_ends_are_where_a_search_forwards_finds_no_goal(
            targets in prop::collection::vec(prop::collection::vec(0_u32..12, 0..4), 12),
            goals in prop::collection::vec(any::<bool>(), 12),
            order in Just((0_u32..12).collect::<Vec<_>>()).prop_shuffle(),
        ) {
            let mut edges = Edges::default();
            for &from in &order {
                targets[from as usize].iter().for_each(|&to| edges.add(to));
                edges.end(from);
            }
            let reaches = |from: u32| {
                let (mut open, mut seen) = (vec![from], vec![false; 12]);
                while let Some(at) = open.pop() {
                    if goals[at as usize] {
                        return true;
                    }
                    if !std::mem::replace(&mut seen[at as usize], true) {
                        open.extend(&targets[at as usize]);
                    }
                }
                false
            };
            let expected: Vec<u32> = (0..12).filter(|&from| !reaches(from)).collect();
            prop_assert_eq!(edges.dead_ends(12, |number| goals[number as usize]), expected);
        }
    }
}
