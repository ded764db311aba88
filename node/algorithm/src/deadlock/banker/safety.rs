//! Is a state safe? Dijkstra 1965, "Cooperating Sequential Processes", section 6 ("The Banker's Algorithm").
//!
//! A state is safe if all processes can finish one after the other, even if each then needs all that it may still claim:
//! who finishes gives back what it has. In which order it is tried does not matter: who can finish now can also finish
//! later, when more is free.

use alloc::vec::Vec;

/// One process finishes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Its row in the tables.
    pub process: usize,
    /// What is free of each resource when it has finished.
    pub free: Vec<u32>,
}

/// Not all processes can finish.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsafe {
    /// Those that can, in order.
    pub finished: Vec<Step>,
    /// Those that cannot, in ascending order.
    pub stuck: Vec<usize>,
    /// What is free when no other can.
    pub free: Vec<u32>,
}

/// An order in which all processes can finish, each with what is free after it. Among those who can, the last row comes
/// first: so the example of the lecture comes out as it is printed there.
///
/// `held` and `needed` have a row for each process and a column for each resource; a row that is too short is taken to
/// end in zeros.
///
/// # Errors
/// Says who cannot finish if there is no such order.
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

    /// The tables of the lecture: existing 6, 3, 4, 2.
    fn lecture() -> (Vec<u32>, Vec<Vec<u32>>, Vec<Vec<u32>>) {
        let held = vec![vec![3, 0, 1, 1], vec![0, 1, 0, 0], vec![1, 1, 1, 0], vec![1, 1, 0, 1], vec![0, 0, 0, 0]];
        let needed = vec![vec![1, 1, 0, 0], vec![0, 1, 1, 2], vec![3, 1, 0, 0], vec![0, 0, 1, 0], vec![2, 1, 1, 0]];
        (vec![1, 0, 2, 0], held, needed)
    }

    /// Process p, counted from 0, gets one of resource r.
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
