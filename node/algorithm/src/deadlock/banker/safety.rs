//! The safety check of Dijkstra 1965, "Cooperating Sequential Processes", section 6 ("The Banker's Algorithm").
//!
//! A state is safe if all processes can finish one after the other, even if each first requests everything that it
//! may still claim. A process that finishes releases everything that it holds. The order in which the check tries
//! the processes does not matter. A process that can finish now can also finish later, when more units are free.

use alloc::vec::Vec;

/// A step of the safety check: one process finishes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Row of the process in the tables.
    pub process: usize,
    /// The free units of each resource after the process has finished.
    pub free: Vec<u32>,
}

/// The result for an unsafe state: not all processes can finish.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsafe {
    /// The processes that can finish, in order.
    pub finished: Vec<Step>,
    /// The processes that cannot finish, in ascending order.
    pub stuck: Vec<usize>,
    /// The free units of each resource at the point where no further process can finish.
    pub free: Vec<u32>,
}

/// Returns an order in which all processes can finish, and for each process the free units after it has finished. If
/// several processes can finish next, the process in the last row comes first. With this rule, the result for the
/// lecture's example is the order that the lecture notes print.
///
/// `held` and `needed` have a row for each process and a column for each resource. A row that is too short is
/// extended with zeros.
///
/// # Errors
/// If there is no such order, names the processes that cannot finish.
pub fn safe_order(free: &[u32], held: &[Vec<u32>], needed: &[Vec<u32>]) -> Result<Vec<Step>, Unsafe> {
    let mut free = free.to_vec();
    let mut order = Vec::new();
    let mut left: Vec<usize> = (0..needed.len()).collect();
    while let Some(place) = left.iter().rposition(|&process| fits(needed.get(process), &free)) {
        let process = left.remove(place);
        give_back(held.get(process), &mut free);
        order.push(Step { process, free: free.clone() });
    }
    if left.is_empty() { Ok(order) } else { Err(Unsafe { finished: order, stuck: left, free }) }
}

fn fits(needed: Option<&Vec<u32>>, free: &[u32]) -> bool {
    needed.into_iter().flatten().zip(free).all(|(needed, free)| needed <= free)
}

fn give_back(held: Option<&Vec<u32>>, free: &mut [u32]) {
    for (free, held) in free.iter_mut().zip(held.into_iter().flatten()) {
        *free = free.saturating_add(*held);
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    /// Returns the tables of the lecture, with 6, 3, 4 and 2 existing units.
    fn lecture() -> (Vec<u32>, Vec<Vec<u32>>, Vec<Vec<u32>>) {
        let held = vec![vec![3, 0, 1, 1], vec![0, 1, 0, 0], vec![1, 1, 1, 0], vec![1, 1, 0, 1], vec![0, 0, 0, 0]];
        let needed = vec![vec![1, 1, 0, 0], vec![0, 1, 1, 2], vec![3, 1, 0, 0], vec![0, 0, 1, 0], vec![2, 1, 1, 0]];
        (vec![1, 0, 2, 0], held, needed)
    }

    /// Gives process p, counted from 0, one unit of resource r.
    fn give(tables: &mut (Vec<u32>, Vec<Vec<u32>>, Vec<Vec<u32>>), process: usize, resource: usize) {
        tables.0[resource] -= 1;
        tables.1[process][resource] += 1;
        tables.2[process][resource] -= 1;
    }

    #[test]
    fn the_second_of_the_lecture_may_have_one_of_the_third() {
        let mut tables = lecture();
        give(&mut tables, 1, 2);
        let order = safe_order(&tables.0, &tables.1, &tables.2).expect("it is safe");
        let step = |process, free: [u32; 4]| Step { process, free: free.to_vec() };
        let printed = [
            step(3, [2, 1, 1, 1]),
            step(4, [2, 1, 1, 1]),
            step(0, [5, 1, 2, 2]),
            step(2, [6, 2, 3, 2]),
            step(1, [6, 3, 4, 2]),
        ];
        assert_eq!(order, printed);
    }

    #[test]
    fn then_the_fifth_may_not() {
        let mut tables = lecture();
        give(&mut tables, 1, 2);
        give(&mut tables, 4, 2);
        let found = safe_order(&tables.0, &tables.1, &tables.2).expect_err("it is not safe");
        assert_eq!((found.finished, found.stuck, found.free), (vec![], vec![0, 1, 2, 3, 4], vec![1, 0, 0, 0]));
    }
}
