//! The ways between states without faults, from which is read where one can no longer get to.

/// The most ways that are kept, with room for those from states that are looked at in one go.
const MOST_WAYS: usize = u32::MAX as usize - (1 << 28);

/// The ways from each state that was looked at, one state after the other.
#[derive(Debug, Default)]
pub(super) struct Ways {
    /// Where they lead.
    to: Vec<u32>,
    /// The states that were looked at, each with where the ways from it end in `to`.
    from: Vec<(u32, u32)>,
}

impl Ways {
    /// Takes in a way from the state that is looked at now.
    pub fn add(&mut self, to: u32) {
        self.to.push(to);
    }

    /// Takes in that all ways from this state have been taken in, those since the last such state.
    pub fn end(&mut self, from: u32) {
        self.from.push((from, u32::try_from(self.to.len()).unwrap_or(u32::MAX)));
    }

    /// Whether there are as many as can be kept.
    pub const fn is_full(&self) -> bool {
        self.to.len() > MOST_WAYS
    }

    /// How much memory they take, in bytes, and will take when they are gone backwards.
    pub const fn memory(&self) -> usize {
        2 * self.to.len() * size_of::<u32>() + 2 * self.from.len() * size_of::<(u32, u32)>()
    }

    /// The states of so many from which no way leads to one that is a goal, in the order of their numbers.
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

    /// The same ways, backwards.
    fn back(self, count: usize) -> Back {
        // How many lead to each state before it; and, while they are put in, where the next one to each is put.
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

/// Ways by where they lead.
struct Back {
    /// Where those to each state begin in `from`, and where those to the last end.
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

        /// Whatever the graph and the order in which its states are looked at.
        #[test]
        fn dead_ends_are_where_a_search_forwards_finds_no_goal(
            edges in prop::collection::vec(prop::collection::vec(0_u32..12, 0..4), 12),
            goals in prop::collection::vec(any::<bool>(), 12),
            order in Just((0_u32..12).collect::<Vec<_>>()).prop_shuffle(),
        ) {
            let mut ways = Ways::default();
            for &from in &order {
                edges[from as usize].iter().for_each(|&to| ways.add(to));
                ways.end(from);
            }
            let reaches = |from: u32| {
                let (mut open, mut seen) = (vec![from], vec![false; 12]);
                while let Some(at) = open.pop() {
                    if goals[at as usize] {
                        return true;
                    }
                    if !std::mem::replace(&mut seen[at as usize], true) {
                        open.extend(&edges[at as usize]);
                    }
                }
                false
            };
            let expected: Vec<u32> = (0..12).filter(|&from| !reaches(from)).collect();
            prop_assert_eq!(ways.dead_ends(12, |number| goals[number as usize]), expected);
        }
    }
}
