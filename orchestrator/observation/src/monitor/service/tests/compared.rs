//! Compares the verdicts of the monitor and of an independent checker on random histories. The checker tries all
//! orders one after the other.

use std::collections::BTreeMap;

use interlock_algorithm::{Operation, Response};
use interlock_machine::draw::{draw, evenly};
use stateright::semantics::{ConsistencyTester, LinearizabilityTester, SequentialSpec};

use super::super::history::History;

/// A correct store with one key, which executes operations one after the other. `None` means that the key has no
/// value.
#[derive(Clone, Debug)]
struct Cell(Option<i64>);

impl SequentialSpec for Cell {
    type Op = Operation;
    type Ret = Response;

    fn invoke(&mut self, operation: &Operation) -> Response {
        match operation {
            Operation::Write { value, .. } => self.0 = Some(*value),
            Operation::CompareAndSet { from, to, .. } if self.0 == Some(*from) => self.0 = Some(*to),
            Operation::Read { .. } => return Response::Value(self.0),
            _ => return Response::Refused { code: 22 },
        }
        Response::Done {}
    }

    /// A refused operation has no effect, so a refusal is valid in every state.
    fn is_valid_step(&mut self, operation: &Operation, response: &Response) -> bool {
        matches!(response, Response::Refused { .. }) || self.invoke(operation) == *response
    }
}

/// An event of the history of a key.
#[derive(Clone, Debug)]
enum Happening {
    Begins(Operation),
    Ends(Response),
}

/// A sequence of random numbers: the seed, and the number of draws so far.
struct Draws(u64, u64);

impl Draws {
    fn below(&mut self, bound: u64) -> u64 {
        self.1 += 1;
        evenly(draw(&[self.0, self.1]), 0, bound - 1)
    }

    fn value(&mut self) -> i64 {
        i64::try_from(self.below(3)).expect("small")
    }
}

/// Returns a random history of three clients, each with one open operation at a time. In about half of the
/// histories the store is correct. In the other histories, the store sometimes returns a wrong value.
fn history(draws: &mut Draws) -> Vec<(u64, Happening)> {
    let (mut store, mut happenings) = (Cell(None), Vec::new());
    let errs = draws.below(2) == 0;
    let mut open: BTreeMap<u64, (Operation, Option<Response>)> = BTreeMap::new();
    for _ in 0..draws.below(14) + 4 {
        let client = draws.below(3);
        match open.get_mut(&client) {
            None => {
                let operation = match draws.below(4) {
                    0 => Operation::Write { key: 0, value: draws.value() },
                    1 => Operation::CompareAndSet { key: 0, from: draws.value(), to: draws.value() },
                    _ => Operation::Read { key: 0 },
                };
                happenings.push((client, Happening::Begins(operation.clone())));
                open.insert(client, (operation, None));
            }
            Some((operation, response @ None)) => *response = Some(store.invoke(operation)),
            Some((_, Some(response))) => {
                let other = errs && draws.below(4) == 0 && matches!(response, Response::Value(_));
                let response = if other { Response::Value(Some(draws.value())) } else { response.clone() };
                happenings.push((client, Happening::Ends(response)));
                open.remove(&client);
            }
        }
    }
    happenings
}

/// For each event of the history, returns whether some order explains all results up to this event, according to the
/// independent checker.
fn by_another(happenings: &[(u64, Happening)]) -> Vec<bool> {
    let mut tester = LinearizabilityTester::new(Cell(None));
    let consistent = happenings.iter().map(|(client, happening)| {
        match happening {
            Happening::Begins(operation) => tester.on_invoke(*client, operation.clone()),
            Happening::Ends(response) => tester.on_return(*client, response.clone()),
        }
        .expect("one after the other");
        tester.is_consistent()
    });
    consistent.collect()
}

/// For each event, returns whether some order explains all results so far, according to the monitor. The events are
/// reported to the monitor in the given order.
fn by_the_history(happenings: &[(u64, Happening)], order: &[usize]) -> Vec<bool> {
    let (mut history, mut numbers, mut is_right) = (History::default(), BTreeMap::new(), true);
    let consistent = order.iter().map(|&place| {
        let (client, happening) = &happenings[place];
        let at_us = place as u64;
        match happening {
            Happening::Begins(operation) => {
                _ = numbers.insert((*client, place), history.begin((at_us, at_us), operation));
            }
            Happening::Ends(response) => {
                let began = numbers.range(..(*client, place)).next_back().map(|(_, number)| *number);
                is_right &= history.end((at_us, at_us), began.expect("it has begun"), response).is_none();
            }
        }
        is_right
    });
    consistent.collect()
}

#[test]
fn random_histories_are_judged_as_by_another_checker() {
    let mut judged = [0, 0];
    for seed in 0..4_000 {
        let happenings = history(&mut Draws(seed, 0));
        let in_order: Vec<usize> = (0..happenings.len()).collect();
        let ours = by_the_history(&happenings, &in_order);
        assert_eq!(ours, by_another(&happenings), "seed {seed}: {happenings:?}");
        judged[usize::from(ours.last() == Some(&false))] += 1;
    }
    assert!(judged.iter().all(|&histories| histories > 300), "right and wrong ones: {judged:?}");
}

/// Ends of operations may be reported in any order, but the final verdict is the same. An operation whose end is not
/// reported yet counts as open.
#[test]
fn the_order_in_which_ends_are_told_of_does_not_matter() {
    for seed in 0..1_000 {
        let draws = &mut Draws(seed, 1 << 32);
        let happenings = history(draws);
        let mut told: Vec<(usize, usize)> = Vec::new();
        for (place, (_, happening)) in happenings.iter().enumerate() {
            let later = if matches!(happening, Happening::Ends(_)) { draws.below(6) } else { 0 };
            told.push((place + usize::try_from(later).expect("small"), place));
        }
        told.sort_unstable();
        let order: Vec<usize> = told.into_iter().map(|(_, place)| place).collect();
        let last = |judged: Vec<bool>| judged.last().copied();
        assert_eq!(last(by_the_history(&happenings, &order)), last(by_another(&happenings)), "seed {seed}");
    }
}
