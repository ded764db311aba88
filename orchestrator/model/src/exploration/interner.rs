//! Values as numbers: equal ones have the same.

use std::hash::{BuildHasher, Hash};

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

/// Values, each kept once, by their numbers.
#[derive(Debug)]
pub(super) struct Interner<T> {
    values: Vec<T>,
    numbers: HashTable<u32>,
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Self { values: Vec::new(), numbers: HashTable::new() }
    }
}

impl<T: Eq + Hash> Interner<T> {
    /// The number of a value, and whether it is new.
    pub fn intern(&mut self, value: T) -> (u32, bool) {
        let hash = FxBuildHasher.hash_one(&value);
        if let Some(&number) = self.numbers.find(hash, |&number| self.values[number as usize] == value) {
            return (number, false);
        }
        let number = u32::try_from(self.values.len()).unwrap_or(u32::MAX);
        self.values.push(value);
        let values = &self.values;
        self.numbers.insert_unique(hash, number, |&number| FxBuildHasher.hash_one(&values[number as usize]));
        (number, true)
    }

    /// The value of a number.
    #[inline]
    pub fn value(&self, number: u32) -> &T {
        &self.values[number as usize]
    }

    /// How many values there are.
    pub const fn len(&self) -> usize {
        self.values.len()
    }
}
