//! Maps and sets in sorted vectors.
//!
//! A map by node has only a few entries. At that size, a sorted vector is smaller than a B-tree and faster to clone,
//! compare and hash. It also needs far less code for each value type. Both types serialize like the collections of
//! the standard library. An insertion moves all larger entries, so use a `BTreeMap` for a collection that grows with
//! the length of a run.

use alloc::vec::{self, Vec};
use core::borrow::Borrow;
use core::fmt::{self, Debug, Formatter};
use core::marker::PhantomData;
use core::ops::{Deref, Index};
use core::slice;

use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A map sorted by key.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FlatMap<K, V>(Vec<(K, V)>);

impl<K, V> FlatMap<K, V> {
    /// Returns an empty map, which has no allocation.
    #[must_use]
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Returns the number of entries.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether the map has no entry.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Iterates over the entries in the order of their keys.
    #[must_use]
    pub fn iter(&self) -> Iter<'_, K, V> {
        Iter(self.0.iter())
    }

    /// Iterates over the entries in the order of their keys, with mutable values.
    pub fn iter_mut(&mut self) -> IterMut<'_, K, V> {
        IterMut(self.0.iter_mut())
    }

    /// Iterates over the keys in order.
    #[must_use]
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> + ExactSizeIterator + Clone {
        self.0.iter().map(|(key, _)| key)
    }

    /// Iterates over the values in the order of their keys.
    #[must_use]
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> + ExactSizeIterator + Clone {
        self.0.iter().map(|(_, value)| value)
    }

    /// Iterates over the mutable values in the order of their keys.
    pub fn values_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut V> + ExactSizeIterator {
        self.0.iter_mut().map(|(_, value)| value)
    }

    /// Returns the values in the order of their keys.
    #[must_use]
    pub fn into_values(self) -> impl DoubleEndedIterator<Item = V> + ExactSizeIterator {
        self.0.into_iter().map(|(_, value)| value)
    }

    /// Keeps only the entries for which `keep` returns true.
    pub fn retain(&mut self, mut keep: impl FnMut(&K, &mut V) -> bool) {
        self.0.retain_mut(|(key, value)| keep(key, value));
    }

    /// Removes and returns the entry with the smallest key.
    pub fn pop_first(&mut self) -> Option<(K, V)> {
        (!self.0.is_empty()).then(|| self.0.remove(0))
    }

    /// Removes and returns the entry with the greatest key.
    pub fn pop_last(&mut self) -> Option<(K, V)> {
        self.0.pop()
    }

    /// Returns the entry with the greatest key.
    #[must_use]
    pub fn last_key_value(&self) -> Option<(&K, &V)> {
        self.0.last().map(|(key, value)| (key, value))
    }
}

impl<K: Ord, V> FlatMap<K, V> {
    fn place<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        self.0.binary_search_by(|(other, _)| other.borrow().cmp(key))
    }

    /// Returns the value of a key.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.place(key).ok().map(|at| &self.0[at].1)
    }

    /// Returns the mutable value of a key.
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        self.place(key).ok().map(|at| &mut self.0[at].1)
    }

    /// Returns whether the map has an entry for `key`.
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.place(key).is_ok()
    }

    /// Sets the value of a key and returns the previous value.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.place(&key) {
            Ok(at) => Some(core::mem::replace(&mut self.0[at].1, value)),
            Err(at) => {
                self.0.insert(at, (key, value));
                None
            }
        }
    }

    /// Removes a key and returns its value.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        self.place(key).ok().map(|at| self.0.remove(at).1)
    }

    /// Removes and returns the entries whose keys are at least `key`.
    #[must_use]
    pub fn split_off<Q: Ord + ?Sized>(&mut self, key: &Q) -> Self
    where
        K: Borrow<Q>,
    {
        let (Ok(at) | Err(at)) = self.place(key);
        Self(self.0.split_off(at))
    }

    /// Returns the entry of a key, with or without a value, to read or to fill.
    pub fn entry(&mut self, key: K) -> Entry<'_, K, V> {
        Entry { place: self.place(&key), map: self, key }
    }
}

/// The entry of a key in a map, with or without a value.
pub struct Entry<'a, K, V> {
    map: &'a mut FlatMap<K, V>,
    place: Result<usize, usize>,
    key: K,
}

impl<'a, K, V> Entry<'a, K, V> {
    /// Returns the value. If there was none, inserts `default()` first.
    pub fn or_insert_with(self, default: impl FnOnce() -> V) -> &'a mut V {
        let at = match self.place {
            Ok(at) => at,
            Err(at) => {
                self.map.0.insert(at, (self.key, default()));
                at
            }
        };
        &mut self.map.0[at].1
    }

    /// Returns the value. If there was none, inserts `default` first.
    pub fn or_insert(self, default: V) -> &'a mut V {
        self.or_insert_with(|| default)
    }

    /// Returns the value. If there was none, inserts the value of `Default` first.
    pub fn or_default(self) -> &'a mut V
    where
        V: Default,
    {
        self.or_insert_with(V::default)
    }

    /// Changes the value if there is one.
    #[must_use]
    pub fn and_modify(self, change: impl FnOnce(&mut V)) -> Self {
        if let Ok(at) = self.place {
            change(&mut self.map.0[at].1);
        }
        self
    }
}

impl<K, V> Default for FlatMap<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Debug, V: Debug> Debug for FlatMap<K, V> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.debug_map().entries(self).finish()
    }
}

impl<K: Ord + Borrow<Q>, Q: Ord + ?Sized, V> Index<&Q> for FlatMap<K, V> {
    type Output = V;

    /// Panics if the map has no entry for `key`.
    fn index(&self, key: &Q) -> &V {
        self.get(key).expect("an entry of this key")
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for FlatMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = Self::new();
        map.extend(entries);
        map
    }
}

impl<K: Ord, V> Extend<(K, V)> for FlatMap<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        for (key, value) in entries {
            self.insert(key, value);
        }
    }
}

impl<K: Ord, V, const N: usize> From<[(K, V); N]> for FlatMap<K, V> {
    fn from(entries: [(K, V); N]) -> Self {
        entries.into_iter().collect()
    }
}

/// The entries of a map by reference, in the order of their keys.
#[derive(Debug)]
pub struct Iter<'a, K, V>(slice::Iter<'a, (K, V)>);

impl<K, V> Clone for Iter<'_, K, V> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<'a, K, V> Iterator for Iter<'a, K, V> {
    type Item = (&'a K, &'a V);

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|(key, value)| (key, value))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl<K, V> DoubleEndedIterator for Iter<'_, K, V> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.next_back().map(|(key, value)| (key, value))
    }
}

impl<K, V> ExactSizeIterator for Iter<'_, K, V> {}

/// The entries of a map with mutable values, in the order of their keys.
#[derive(Debug)]
pub struct IterMut<'a, K, V>(slice::IterMut<'a, (K, V)>);

impl<'a, K, V> Iterator for IterMut<'a, K, V> {
    type Item = (&'a K, &'a mut V);

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|(key, value)| (&*key, value))
    }
}

impl<K, V> IntoIterator for FlatMap<K, V> {
    type Item = (K, V);
    type IntoIter = vec::IntoIter<(K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a, K, V> IntoIterator for &'a FlatMap<K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = Iter<'a, K, V>;

    fn into_iter(self) -> Iter<'a, K, V> {
        self.iter()
    }
}

impl<'a, K, V> IntoIterator for &'a mut FlatMap<K, V> {
    type Item = (&'a K, &'a mut V);
    type IntoIter = IterMut<'a, K, V>;

    fn into_iter(self) -> IterMut<'a, K, V> {
        self.iter_mut()
    }
}

impl<K: Serialize, V: Serialize> Serialize for FlatMap<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.len()))?;
        for (key, value) in self {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

impl<'de, K: Deserialize<'de> + Ord, V: Deserialize<'de>> Deserialize<'de> for FlatMap<K, V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(MapVisitor(PhantomData))
    }
}

struct MapVisitor<K, V>(PhantomData<fn() -> (K, V)>);

impl<'de, K: Deserialize<'de> + Ord, V: Deserialize<'de>> Visitor<'de> for MapVisitor<K, V> {
    type Value = FlatMap<K, V>;

    fn expecting(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str("a map")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
        let mut read = Vec::new();
        while let Some(entry) = entries.next_entry()? {
            read.push(entry);
        }
        // Sort once: if the input lists many entries in descending order, one insertion each would take quadratic
        // time.
        read.sort_by(|one: &(K, V), other| one.0.cmp(&other.0));
        read.dedup_by(|later, earlier| {
            let is_same = later.0 == earlier.0;
            if is_same {
                core::mem::swap(later, earlier);
            }
            is_same
        });
        Ok(FlatMap(read))
    }
}

/// A sorted set. It can be read as a slice.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FlatSet<T>(Vec<T>);

impl<T> FlatSet<T> {
    /// Returns an empty set, which has no allocation.
    #[must_use]
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Returns whether the set has no member.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Removes all members.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Keeps only the members for which `keep` returns true.
    pub fn retain(&mut self, keep: impl FnMut(&T) -> bool) {
        self.0.retain(keep);
    }

    /// Removes and returns the smallest member.
    pub fn pop_first(&mut self) -> Option<T> {
        (!self.0.is_empty()).then(|| self.0.remove(0))
    }
}

impl<T: Ord> FlatSet<T> {
    /// Returns whether a value is a member.
    #[must_use]
    pub fn contains(&self, value: &T) -> bool {
        self.0.binary_search(value).is_ok()
    }

    /// Adds a value; returns whether it was not a member before.
    pub fn insert(&mut self, value: T) -> bool {
        let place = self.0.binary_search(&value);
        if let Err(at) = place {
            self.0.insert(at, value);
        }
        place.is_err()
    }

    /// Removes a value; returns whether it was a member.
    pub fn remove(&mut self, value: &T) -> bool {
        let place = self.0.binary_search(value);
        if let Ok(at) = place {
            self.0.remove(at);
        }
        place.is_ok()
    }

    /// Iterates over the members that are not in `other`.
    pub fn difference<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = &'a T> + Clone {
        self.iter().filter(|value| !other.contains(value))
    }

    /// Returns the union of this set and `other`.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self
    where
        T: Clone,
    {
        self.iter().chain(other).cloned().collect()
    }

    /// Returns whether all members of this set are members of `other`.
    #[must_use]
    pub fn is_subset(&self, other: &Self) -> bool {
        self.iter().all(|value| other.contains(value))
    }

    /// Returns whether no member of this set is a member of `other`.
    #[must_use]
    pub fn is_disjoint(&self, other: &Self) -> bool {
        !self.iter().any(|value| other.contains(value))
    }
}

impl<T> Default for FlatSet<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Debug> Debug for FlatSet<T> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.debug_set().entries(self).finish()
    }
}

impl<T> Deref for FlatSet<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T: Ord> FromIterator<T> for FlatSet<T> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        let mut set = Self::new();
        set.extend(values);
        set
    }
}

impl<T: Ord> Extend<T> for FlatSet<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, values: I) {
        for value in values {
            self.insert(value);
        }
    }
}

impl<'a, T: Ord + Copy + 'a> Extend<&'a T> for FlatSet<T> {
    fn extend<I: IntoIterator<Item = &'a T>>(&mut self, values: I) {
        self.extend(values.into_iter().copied());
    }
}

impl<T: Ord, const N: usize> From<[T; N]> for FlatSet<T> {
    fn from(values: [T; N]) -> Self {
        values.into_iter().collect()
    }
}

impl<T> IntoIterator for FlatSet<T> {
    type Item = T;
    type IntoIter = vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a, T> IntoIterator for &'a FlatSet<T> {
    type Item = &'a T;
    type IntoIter = slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<T: Serialize> Serialize for FlatSet<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self)
    }
}

impl<'de, T: Deserialize<'de> + Ord> Deserialize<'de> for FlatSet<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(SetVisitor(PhantomData))
    }
}

struct SetVisitor<T>(PhantomData<fn() -> T>);

impl<'de, T: Deserialize<'de> + Ord> Visitor<'de> for SetVisitor<T> {
    type Value = FlatSet<T>;

    fn expecting(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str("a sequence")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut values: A) -> Result<Self::Value, A::Error> {
        let mut read = Vec::new();
        while let Some(value) = values.next_element()? {
            read.push(value);
        }
        read.sort_unstable();
        read.dedup();
        Ok(FlatSet(read))
    }
}

#[cfg(test)]
mod tests {
    use alloc::collections::{BTreeMap, BTreeSet};
    use alloc::string::String;

    use super::*;

    /// Returns pseudo-random numbers from 0 to 7, so that most keys occur repeatedly.
    fn numbers() -> impl Iterator<Item = u32> {
        let mut state = 1_u32;
        core::iter::repeat_with(move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 29
        })
    }

    fn json(value: &impl Serialize) -> String {
        serde_json::to_string(value).expect("JSON")
    }

    #[test]
    fn a_flat_map_does_what_a_b_tree_does() {
        let (mut flat, mut tree) = (FlatMap::new(), BTreeMap::new());
        let mut numbers = numbers();
        let mut draw = || numbers.next().expect("endless");
        for _ in 0..5_000 {
            let (key, value) = (draw(), draw());
            match draw() {
                0 => assert_eq!(flat.insert(key, value), tree.insert(key, value)),
                1 => assert_eq!(flat.remove(&key), tree.remove(&key)),
                2 => {
                    *flat.entry(key).or_default() = {
                        *tree.entry(key).or_default() = value;
                        value
                    }
                }
                3 => {
                    flat.entry(key).and_modify(|old| *old += 1).or_insert(value);
                    tree.entry(key).and_modify(|old| *old += 1).or_insert(value);
                }
                4 => {
                    flat.retain(|other, _| *other != key);
                    tree.retain(|other, _| *other != key);
                }
                5 => assert_eq!(flat.pop_first(), tree.pop_first()),
                6 => assert_eq!(flat.pop_last(), tree.pop_last()),
                _ => assert!(flat.split_off(&key).into_iter().eq(tree.split_off(&key))),
            }
            assert!(flat.iter().eq(&tree));
            assert_eq!((flat.get(&key), flat.contains_key(&key)), (tree.get(&key), tree.contains_key(&key)));
            assert_eq!(flat.last_key_value(), tree.last_key_value());
        }
    }

    #[test]
    fn a_flat_set_does_what_a_b_tree_does() {
        let (mut flat, mut tree) = (FlatSet::new(), BTreeSet::new());
        let mut numbers = numbers();
        let mut draw = || numbers.next().expect("endless");
        for _ in 0..5_000 {
            let value = draw();
            match draw() {
                0..3 => assert_eq!(flat.insert(value), tree.insert(value)),
                3..5 => assert_eq!(flat.remove(&value), tree.remove(&value)),
                5 => assert_eq!(flat.pop_first(), tree.pop_first()),
                _ => {
                    let (other, others) = (FlatSet::from([value, draw()]), BTreeSet::from([value]));
                    let same: BTreeSet<_> = other.iter().copied().chain(others).collect();
                    assert!(flat.union(&other).iter().eq(tree.union(&same)));
                    assert!(flat.difference(&other).eq(tree.difference(&same)));
                    assert_eq!(other.is_subset(&flat), same.is_subset(&tree));
                    assert_eq!(other.is_disjoint(&flat), same.is_disjoint(&tree));
                }
            }
            assert!(flat.iter().eq(&tree));
            assert_eq!((flat.contains(&value), flat.first()), (tree.contains(&value), tree.first()));
        }
    }

    #[test]
    fn flat_collections_compare_as_b_trees_do() {
        let subsets = |bits: u32| (0..4).filter(move |bit| bits >> bit & 1 == 1);
        for (one, other) in (0..16).flat_map(|one| (0..16).map(move |other| (one, other))) {
            let flat = |bits| subsets(bits).collect::<FlatSet<_>>();
            let tree = |bits| subsets(bits).collect::<BTreeSet<_>>();
            assert_eq!(flat(one).cmp(&flat(other)), tree(one).cmp(&tree(other)));
        }
    }

    #[test]
    fn flat_collections_are_the_same_json_as_b_trees_and_are_sorted_when_read() {
        let entries = [(3_u32, "c"), (1, "a"), (2, "b")];
        assert_eq!(json(&FlatMap::from(entries)), json(&BTreeMap::from(entries)));
        assert_eq!(json(&FlatMap::<u32, u32>::new()), "{}");
        assert_eq!(json(&FlatSet::from([3, 1, 2])), "[1,2,3]");
        let read: FlatMap<u32, u32> = serde_json::from_str(r#"{"7":1,"3":2,"7":3}"#).expect("a map");
        assert_eq!(read, FlatMap::from([(3, 2), (7, 3)]), "the last of two values counts");
        let read: FlatSet<u32> = serde_json::from_str("[7,3,7]").expect("a set");
        assert_eq!(read, FlatSet::from([3, 7]));
    }
}
