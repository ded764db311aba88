//! All states found so far, each once, by their numbers.

use std::hash::BuildHasher;
use std::hint::black_box;

use rustc_hash::FxBuildHasher;

use super::blocks::Blocks;

/// The state of which no other is the parent.
pub(super) const NOBODY: u32 = u32::MAX;
/// The most states that there is a table for, with room for what follows from those that are looked at in one go.
pub(super) const MOST_STATES: usize = u32::MAX as usize / 5 * 4 - (1 << 24);
/// A slot of which no state has made use.
const FREE: u32 = 0;
/// How many slots there are to begin with.
const FIRST_SLOTS: usize = 1 << 10;

/// States by their numbers, in the order in which they were found, each with the number of the one that it was found from.
///
/// It takes the numbers of a state, four bytes for its parent and five to seven for its slot in the table, in which one is
/// known by its hash. The table has no hashes in it: it is dropped before a greater one is filled from the states.
#[derive(Debug)]
pub(super) struct States {
    numbers: Blocks,
    parents: Blocks,
    slots: Slots,
}

impl States {
    /// None yet, of so many numbers each.
    pub fn new(width: usize) -> Self {
        Self { numbers: Blocks::new(width), parents: Blocks::new(1), slots: Slots::of(FIRST_SLOTS) }
    }

    /// How many there are.
    pub const fn len(&self) -> usize {
        self.numbers.len()
    }

    /// The numbers of a state.
    #[inline]
    pub fn state(&self, number: usize) -> &[u32] {
        self.numbers.row(number)
    }

    /// The state that one was found from, or [`NOBODY`].
    pub fn parent(&self, number: u32) -> u32 {
        self.parents.row(number as usize)[0]
    }

    /// By what a state is looked for.
    #[inline]
    pub fn hash(state: &[u32]) -> u64 {
        // The slot is told by the upper bits, so that they must depend on all others.
        FxBuildHasher.hash_one(state).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// Fetches what will be looked at when states of these hashes are looked for. Most of it is far away in memory, and to
    /// wait for all of it at once takes as long as to wait for one.
    pub fn touch(&self, hashes: &[u64]) {
        let slots = hashes.iter().fold(0, |seen, &hash| seen ^ self.slots.slots[self.slots.place(hash)]);
        black_box(slots);
        let first = |&hash: &u64| self.slots.find(hash, |_| true).ok();
        let states = hashes.iter().filter_map(first);
        black_box(states.fold(0, |seen, number| seen ^ self.state(number as usize)[0]));
    }

    /// The number of a state of this hash, if it was found.
    pub fn find(&self, hash: u64, state: &[u32]) -> Option<u32> {
        self.slots.find(hash, |number| self.numbers.row(number as usize) == state).ok()
    }

    /// Keeps a state of this hash if it is new; says its number, and whether it is.
    pub fn add(&mut self, hash: u64, state: &[u32], parent: u32) -> (u32, bool) {
        let free = match self.slots.find(hash, |number| self.numbers.row(number as usize) == state) {
            Ok(number) => return (number, false),
            Err(free) => free,
        };
        let number = u32::try_from(self.len()).unwrap_or(NOBODY);
        self.numbers.push(state);
        self.parents.push(&[parent]);
        if self.len() <= self.slots.most() {
            self.slots.fill(free, hash, number);
        } else {
            self.grow();
        }
        (number, true)
    }

    /// How many bytes all of it takes.
    pub const fn memory(&self) -> usize {
        self.numbers.memory() + self.parents.memory() + self.slots.slots.len() * size_of::<u32>()
    }

    /// Puts all states into a table of three eighths more slots. That is often, but a table of twice as many would be half
    /// empty for long, and it is what takes the room.
    fn grow(&mut self) {
        let count = self.slots.slots.len() * 11 / 8;
        // First of all, so that there are never two.
        self.slots = Slots::of(0);
        self.slots = Slots::of(count);
        for number in (0_u32..).take(self.len()) {
            let hash = Self::hash(self.numbers.row(number as usize));
            if let Err(free) = self.slots.find(hash, |_| false) {
                self.slots.fill(free, hash, number);
            }
        }
    }
}

/// A hash table with linear probing: in each slot a number of a state, one more than it is, in as many of the lower bits as
/// the greatest takes; and in the bits that are left, those of its hash, so that few states are looked at in vain.
#[derive(Debug)]
struct Slots {
    slots: Vec<u32>,
    /// The bits of a slot that are of a hash.
    tag: u32,
}

impl Slots {
    fn of(count: usize) -> Self {
        let count = count.min(u32::MAX as usize);
        let mut slots = Self { slots: vec![FREE; count], tag: 0 };
        let greatest = u32::try_from(slots.most()).unwrap_or(u32::MAX);
        slots.tag = !u32::MAX.checked_shr(greatest.leading_zeros()).unwrap_or(0);
        slots
    }

    /// How many states it is for: four to five slots. With more, runs of filled slots become long.
    const fn most(&self) -> usize {
        self.slots.len() / 5 * 4
    }

    /// Where a hash is looked for first.
    #[inline]
    fn place(&self, hash: u64) -> usize {
        // A fraction of the number of slots, which so need be no power of two.
        usize::try_from(((hash >> 32) * self.slots.len() as u64) >> 32).unwrap_or(0)
    }

    /// The bits of a hash that are in a slot.
    #[inline]
    fn tag(&self, hash: u64) -> u32 {
        u32::try_from(hash & u64::from(self.tag)).unwrap_or(0)
    }

    /// The first number of this hash that is the one, or the slot that is free for it.
    #[inline]
    fn find(&self, hash: u64, is_it: impl Fn(u32) -> bool) -> Result<u32, usize> {
        let tag = self.tag(hash);
        let mut place = self.place(hash);
        loop {
            let slot = self.slots[place];
            if slot == FREE {
                return Err(place);
            }
            if slot & self.tag == tag {
                let number = (slot & !self.tag) - 1;
                if is_it(number) {
                    return Ok(number);
                }
            }
            place = if place + 1 == self.slots.len() { 0 } else { place + 1 };
        }
    }

    fn fill(&mut self, place: usize, hash: u64, number: u32) {
        self.slots[place] = self.tag(hash) | (number + 1);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// Of few different numbers, so that many are found again; and of so many states that the table grows.
        #[test]
        fn states_are_numbered_as_a_map_would(rows in prop::collection::vec(prop::array::uniform3(0_u32..16), 0..4_000)) {
            let mut states = States::new(3);
            let mut numbers: HashMap<[u32; 3], u32> = HashMap::new();
            let mut found = Vec::new();
            for (parent, row) in (0..).zip(&rows) {
                let hash = States::hash(row);
                prop_assert_eq!(states.find(hash, row), numbers.get(row).copied());
                let number = u32::try_from(found.len()).expect("few states");
                let expected = *numbers.entry(*row).or_insert(number);
                states.touch(&[hash]);
                prop_assert_eq!(states.add(hash, row, parent), (expected, expected == number));
                if expected == number {
                    found.push((*row, parent));
                }
            }
            prop_assert_eq!(states.len(), found.len());
            for (number, (row, parent)) in (0_u32..).zip(&found) {
                prop_assert_eq!(states.state(number as usize), row);
                prop_assert_eq!(states.parent(number), *parent);
                prop_assert_eq!(states.find(States::hash(row), row), Some(number));
            }
        }

        /// With hashes of few bits, which many share: they have a slot each all the same, be it beyond the last one.
        #[test]
        fn what_shares_a_hash_has_a_slot_of_its_own(
            keys in prop::collection::hash_set(any::<u64>(), 0..=76),
            shift in 0_u32..64,
        ) {
            let mut slots = Slots::of(97);
            let weak = |key: u64| (key >> shift) << shift;
            let keys: Vec<u64> = keys.into_iter().collect();
            prop_assert!(keys.len() <= slots.most());
            for (number, &key) in (0_u32..).zip(&keys) {
                let free = slots.find(weak(key), |other| keys[other as usize] == key);
                slots.fill(free.expect_err("a new key"), weak(key), number);
            }
            for (number, &key) in (0_u32..).zip(&keys) {
                prop_assert_eq!(slots.find(weak(key), |other| keys[other as usize] == key), Ok(number));
            }
        }
    }

    /// Whatever the table has just grown to, a state takes no more than seven bytes of it.
    #[test]
    fn the_table_takes_few_bytes_a_state() {
        let mut states = States::new(1);
        for number in 0..300_000_u32 {
            states.add(States::hash(&[number]), &[number], NOBODY);
            let table = states.memory() - 8 * states.len();
            assert!(number < 10_000 || table <= 7 * states.len(), "{table} bytes for {number}");
        }
    }
}
