//! Tests of the numbers that an algorithm declares as growing without bound. If all numbers of one counter are
//! increased by the same amount, the algorithm must make the same decisions.

use std::cell::RefCell;

use interlock_algorithm::catalogue::{self, ENTRIES, instantiate_erased};
use interlock_algorithm::{Algorithm, Configuration, NodeId, Parameters, RequestId, Visitor};

use crate::driver::bare::Bare;
use crate::driver::random::Draws;

const NODES: u32 = 3;
const HAPPENINGS: u32 = 120;
const REQUEST: RequestId = RequestId(1);

/// A random schedule. Halfway through, all numbers of each counter are increased by the same amount. At the end, the
/// numbers are reduced by this amount again. In a negative control, the first `but` numbers are not increased.
struct Shifted {
    seed: u64,
    fifo: bool,
    greater: bool,
    but: usize,
}

impl Shifted {
    /// Applies `by` to all numbers that grow without bound, except the first `but` of them. Returns the count of all
    /// numbers that grow without bound.
    fn shift<A: Algorithm>(
        &self,
        setting: &A::Setting,
        all: &mut Bare<'_, A>,
        by: impl Fn(usize, u64) -> u64,
    ) -> usize {
        let mut shown = 0;
        let mut show = |count: usize, number: &mut u64| {
            shown += 1;
            if shown > self.but {
                *number = by(count, *number);
            }
        };
        NodeId::all(NODES).zip(&mut all.processes).for_each(|(me, process)| process.growing(setting, me, &mut show));
        for (_, _, message) in &mut all.under_way {
            A::growing_in(message, setting, &mut show);
        }
        shown
    }

    /// Executes a random action. If a message is in transit, the action is a delivery with probability 1/2. All
    /// other actions are requests and releases of clients.
    fn go_on<A: Algorithm>(&self, all: &mut Bare<'_, A>, draws: &mut Draws<'_>) {
        let links: Vec<_> = all.under_way.iter().map(|(from, to, _)| (from, to)).collect();
        let is_open = |place: &usize| !self.fifo || !links[..*place].contains(&links[*place]);
        let open: Vec<usize> = (0..links.len()).filter(is_open).collect();
        if let Some(place) = draws.one_of(open).filter(|_| draws.below(2) == 0) {
            all.deliver(place);
            return;
        }
        let clients = NodeId::all(NODES).filter(|me| !all.waiting.contains(me));
        match draws.one_of(clients.collect()) {
            Some(me) if all.inside.contains(&me) => all.release(me, REQUEST),
            Some(me) => all.acquire(me, REQUEST),
            None => {}
        }
    }
}

impl Visitor for Shifted {
    /// The processes in the order of their entries, the final state as text, and the count of numbers that grow without
    /// bound.
    type Output = (Vec<NodeId>, String, usize);

    fn visit<A: Algorithm>(self, setting: A::Setting) -> Self::Output {
        let mut all = Bare::<A>::begin(&setting, NODES);
        let mut draws = Draws::new(self.seed);
        let by = |count: usize| if self.greater { 1_000 + 10 * count as u64 } else { 0 };
        let mut shown = 0;
        for happening in 0..HAPPENINGS {
            if happening == HAPPENINGS / 2 {
                shown = self.shift(&setting, &mut all, |count, number| number + by(count));
            }
            self.go_on(&mut all, &mut draws);
        }
        let whole = Self { but: 0, ..self };
        whole.shift(&setting, &mut all, |count, number| number.saturating_sub(by(count)));
        (all.entered, format!("{:?} {:?}", all.processes, all.under_way), shown)
    }
}

/// A random schedule, whose result is the least number of each counter at the end of the schedule.
struct Least {
    seed: u64,
    fifo: bool,
}

impl Visitor for Least {
    type Output = Vec<u64>;

    fn visit<A: Algorithm>(self, setting: A::Setting) -> Self::Output {
        let mut all = Bare::<A>::begin(&setting, NODES);
        let mut draws = Draws::new(self.seed);
        let shifted = Shifted { seed: self.seed, fifo: self.fifo, greater: false, but: 0 };
        (0..HAPPENINGS).for_each(|_| shifted.go_on(&mut all, &mut draws));
        let least = RefCell::new(Vec::new());
        shifted.shift(&setting, &mut all, |count, number| {
            let mut least = least.borrow_mut();
            let length = least.len().max(count + 1);
            least.resize(length, u64::MAX);
            least[count] = number.min(least[count]);
            number
        });
        least.into_inner()
    }
}

/// Calls `look` for each variant of the mutual-exclusion algorithms. The arguments are the name of the variant, whether
/// the variant assumes FIFO links, and the configuration.
fn variants(locks: u32, mut look: impl FnMut(&str, bool, &Configuration<'_>)) {
    for entry in ENTRIES.iter().filter(|entry| entry.family == "mutual-exclusion") {
        for variant in entry.variants {
            let (parameters, name) = (Parameters::new(), format!("{}/{}", entry.name, variant.name));
            let configuration = Configuration {
                algorithm: entry.name,
                variant: Some(variant.name),
                parameters: &parameters,
                nodes: NODES,
                locks,
            };
            let assumes = catalogue::assumptions(entry.name, variant.name).unwrap_or(entry.assumes);
            look(&name, entry.assumes.fifo || assumes.fifo, &configuration);
        }
    }
}

/// All numbers of a counter must grow. If a number kept its initial value, the least number of its counter would
/// not grow, so no number of this counter could be reduced.
#[test]
fn every_number_that_is_shown_grows_some_day() {
    let mut grown = 0;
    variants(1, |name, fifo, configuration| {
        let least =
            |seed| instantiate_erased(configuration, Least { seed, fifo }).expect("a configuration that can be");
        let all: Vec<Vec<u64>> = (0..30).map(least).collect();
        for count in 0..all[0].len() {
            assert!(all.iter().any(|least| least[count] > 0), "{name}: count {count}");
            grown += 1;
        }
    });
    assert!(grown > 10, "{grown}");
}

/// In a run with several locks, algorithms declare no number as growing. The numbers of each lock grow separately,
/// so the numbers of all locks cannot be reduced by the same amount.
#[test]
fn nobody_shows_a_number_of_several_locks() {
    let mut variants_of_two = 0;
    variants(2, |name, fifo, configuration| {
        let shifted = Shifted { seed: 1, fifo, greater: true, but: 0 };
        let (entered, _, shown) = instantiate_erased(configuration, shifted).expect("a configuration that can be");
        assert_eq!(shown, 0, "{name}");
        variants_of_two += u32::from(!entered.is_empty());
    });
    assert!(variants_of_two > 20, "{variants_of_two}");
}

#[test]
fn whoever_shows_numbers_that_grow_does_the_same_when_all_are_greater() {
    let mut grow = Vec::new();
    variants(1, |name, fifo, configuration| {
        let played = |seed, greater, but| {
            let shifted = Shifted { seed, fifo, greater, but };
            instantiate_erased(configuration, shifted).expect("a configuration that can be")
        };
        let (mut shown, mut entered, mut noticed) = (0, 0, 0);
        for seed in 0..30 {
            let usual = played(seed, false, 0);
            assert_eq!(played(seed, true, 0), usual, "{name}, seed {seed}");
            noticed += u32::from(played(seed, true, 1).0 != usual.0);
            (shown, entered) = (shown.max(usual.2), entered + usual.0.len());
        }
        if shown > 0 {
            grow.push((name.to_owned(), entered, noticed));
        }
    });
    assert!(grow.len() > 10 && grow.iter().all(|(_, entered, _)| *entered > 50), "{grow:?}");
    // Negative control: if one number is not increased with the others, other processes enter.
    assert!(grow.iter().filter(|(_, _, noticed)| *noticed > 0).count() > 10, "{grow:?}");
}
