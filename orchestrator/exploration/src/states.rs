//! The states of the visited set. Each state found so far is stored once and has a number.

use std::hash::BuildHasher;
use std::hint::black_box;

use rustc_hash::FxBuildHasher;

use super::blocks::Blocks;

/// Placeholder for the parent of an initial state, which has no parent.
pub(super) const NOBODY: u32 = u32::MAX;
/// Maximum number of states in the table. Beyond this number, the successors of one more batch still fit.
pub(super) const MOST_STATES: usize = u32::MAX as usize / 5 * 4 - (1 << 24);
/// Content of an unused slot.
const FREE: u32 = 0;
/// Initial number of slots.
const FIRST_SLOTS: usize = 1 << 10;

/// States in the order of discovery. Each state has a number, and a parent: the state from which the search found
/// it.
///
/// A state occupies four bytes for each number of its row, and four bytes for its parent. Its slot in the hash table
/// occupies five to seven bytes. The table stores no full hashes. When the table must grow, it is dropped, and a larger
/// table is filled from the states.
#[derive(Debug)]
pub(super) struct States {
    numbers: Blocks,
    parents: Blocks,
    slots: Slots,
}

impl States {
    /// Creates an empty set for states that are rows of `width` numbers.
    pub fn new(width: usize) -> Self {
        Self { numbers: Blocks::new(width), parents: Blocks::new(1), slots: Slots::of(FIRST_SLOTS) }
    }

    /// Returns the number of states.
    pub const fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Returns the row of numbers that encodes a state.
    #[inline]
    pub fn state(&self, number: usize) -> &[u32] {
        self.numbers.row(number)
    }

    /// Returns the parent of a state, or [`NOBODY`] if the state is an initial state.
    pub fn parent(&self, number: u32) -> u32 {
        self.parents.row(number as usize)[0]
    }

    /// Returns the hash with which a state is looked up.
    #[inline]
    pub fn hash(state: &[u32]) -> u64 {
        // The upper bits of the hash determine the slot. The multiplication makes them depend on all other bits.
        FxBuildHasher.hash_one(state).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// Reads the data for the lookups of these hashes in advance. Most of this data is not in the cache. Fetching
    /// all of it at once takes as long as fetching one item.
    pub fn touch(&self, hashes: &[u64]) {
        let slots = hashes.iter().fold(0, |seen, &hash| seen ^ self.slots.slots[self.slots.place(hash)]);
        black_box(slots);
        let first = |&hash: &u64| self.slots.find(hash, |_| true).ok();
        let states = hashes.iter().filter_map(first);
        black_box(states.fold(0, |seen, number| seen ^ self.state(number as usize)[0]));
    }

    /// Returns the number of a state with this hash, or none if the set does not contain the state.
    pub fn find(&self, hash: u64, state: &[u32]) -> Option<u32> {
        self.slots.find(hash, |number| self.numbers.row(number as usize) == state).ok()
    }

    /// Adds a state with this hash if it is new. Returns its number, and whether it is new.
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

    /// Returns the number of bytes that the states and the table occupy.
    pub const fn memory(&self) -> usize {
        self.numbers.memory() + self.parents.memory() + self.slots.slots.len() * size_of::<u32>()
    }

    /// Replaces the table with a table that has three eighths more slots. The table takes much of the memory. If
    /// the number of slots were doubled, half of the slots would be unused for a long time.
    fn grow(&mut self) {
        let count = self.slots.slots.len() * 11 / 8;
        // The old table is dropped first, so that two tables never occupy memory at the same time.
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

/// A hash table with linear probing. The lower bits of a slot contain the number of a state plus one, in as many
/// bits as the greatest such number needs. The other bits contain part of the state's hash, so that a lookup rarely
/// compares different states.
#[derive(Debug)]
struct Slots {
    slots: Vec<u32>,
    /// Mask of the bits that contain part of a hash.
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

    /// Returns the maximum number of states: four for every five slots. With more states, a lookup would have to
    /// pass long runs of filled slots.
    const fn most(&self) -> usize {
        self.slots.len() / 5 * 4
    }

    /// Returns the slot at which the search for a hash begins.
    #[inline]
    fn place(&self, hash: u64) -> usize {
        // The upper half of the hash is interpreted as a fraction of 1 and multiplied by the number of slots. The
        // number of slots therefore need not be a power of two.
        usize::try_from(((hash >> 32) * self.slots.len() as u64) >> 32).unwrap_or(0)
    }

    /// Returns the bits of a hash that a slot contains.
    #[inline]
    fn tag(&self, hash: u64) -> u32 {
        u32::try_from(hash & u64::from(self.tag)).unwrap_or(0)
    }

    /// Returns the first number with this hash that satisfies `is_it`. If there is no such number, returns the free
    /// slot for it.
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

        /// The rows contain few different numbers, so that many states recur. There are enough states for the table
        /// to grow.
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

        /// The hashes have few significant bits, so many keys have the same hash. Nevertheless, each key must have
        /// its own slot, even if the search for a slot wraps around after the last slot.
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

    /// Tests that a state occupies at most seven bytes of the table, whatever the size of the table is.
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
