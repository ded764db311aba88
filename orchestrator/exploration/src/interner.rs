//! Interner: assigns a number to each value. Equal values have the same number.

use std::hash::{BuildHasher, Hash};

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

/// Values with numbers. Equal values are stored only once.
#[derive(Debug)]
pub(super) struct Interner<T> {
    values: Vec<T>,
    numbers: Numbers,
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Self { values: Vec::new(), numbers: Numbers::default() }
    }
}

impl<T: Eq + Hash> Interner<T> {
    /// Returns the number of a value, and whether the value is new.
    pub fn intern(&mut self, value: T) -> (u32, bool) {
        let hash = FxBuildHasher.hash_one(&value);
        if let Some(number) = self.numbers.find(hash, &|number| self.values[number as usize] == value) {
            return (number, false);
        }
        let number = u32::try_from(self.values.len()).unwrap_or(u32::MAX);
        self.values.push(value);
        self.numbers.insert(hash, number);
        (number, true)
    }

    /// Returns the value with this number.
    #[inline]
    pub fn value(&self, number: u32) -> &T {
        &self.values[number as usize]
    }

    /// Returns the number of values.
    pub const fn len(&self) -> usize {
        self.values.len()
    }
}

/// Numbers of values, by the hashes of the values. Each number is stored with the hash of its value, so the table needs
/// no access to the values. The table is therefore compiled only once, and not for each type of values.
#[derive(Debug, Default)]
struct Numbers(HashTable<(u64, u32)>);

impl Numbers {
    fn find(&self, hash: u64, is_it: &dyn Fn(u32) -> bool) -> Option<u32> {
        self.0.find(hash, |&(own, number)| own == hash && is_it(number)).map(|&(_, number)| number)
    }

    fn insert(&mut self, hash: u64, number: u32) {
        self.0.insert_unique(hash, (hash, number), |&(own, _)| own);
    }
}
