//! The pending timers of all layers of a node. At most one timer of each name is pending.

use std::hash::{Hash, Hasher};

/// Pending timers by name.
///
/// A node has few pending timers: two of its client, some of its algorithm, and at most one for each peer. So a
/// linear search is fast enough. Two tables are equal if their pending timers have the same names, even if the
/// times of the timers differ.
#[derive(Clone, Debug)]
pub struct TimerTable<K> {
    /// The pending timers, sorted by name.
    pending: Vec<Pending<K>>,
    set: u64,
}

#[derive(Clone, Debug)]
struct Pending<K> {
    name: K,
    /// Time at which the timer expires, in microseconds. `None` means that the timer expires only by an order.
    due_us: Option<u64>,
    /// Number of timers that were set in this table before this timer. Timers with the same due time expire in the
    /// order of this number.
    order: u64,
}

impl<K> Default for TimerTable<K> {
    fn default() -> Self {
        Self { pending: Vec::new(), set: 0 }
    }
}

impl<K: Copy + Ord> PartialEq for TimerTable<K> {
    fn eq(&self, other: &Self) -> bool {
        self.names().eq(other.names())
    }
}

impl<K: Copy + Ord> Eq for TimerTable<K> {}

impl<K: Copy + Ord + Hash> Hash for TimerTable<K> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.pending.len().hash(hasher);
        self.names().for_each(|name| name.hash(hasher));
    }
}

impl<K: Copy + Ord> TimerTable<K> {
    /// Sets a timer. A pending timer of the same name is replaced. If `due_us` is absent, the timer expires only by
    /// an order.
    pub fn set(&mut self, name: K, due_us: Option<u64>) {
        let pending = Pending { name, due_us, order: self.set };
        match self.pending.binary_search_by_key(&name, |pending| pending.name) {
            Ok(place) => self.pending[place] = pending,
            Err(place) => {
                // Most tables have a single timer, and a run may have a million tables.
                if self.pending.is_empty() {
                    self.pending.reserve_exact(1);
                }
                self.pending.insert(place, pending);
            }
        }
        self.set += 1;
    }

    /// Cancels the timer named `name`. Returns whether the timer was pending.
    pub fn cancel(&mut self, name: K) -> bool {
        let place = self.pending.iter().position(|pending| pending.name == name);
        place.map(|place| self.pending.remove(place)).is_some()
    }

    /// Whether a timer named `name` is pending.
    #[must_use]
    pub fn contains(&self, name: K) -> bool {
        self.pending.iter().any(|pending| pending.name == name)
    }

    /// Whether a timer named `name` is pending, and is due at or before `now_us`.
    #[must_use]
    pub fn is_due(&self, name: K, now_us: u64) -> bool {
        self.due_us_of(name).is_some_and(|due_us| due_us <= now_us)
    }

    /// Returns the time at which the timer named `name` expires, in microseconds. Returns `None` if the timer is not
    /// pending, or expires only by an order.
    #[must_use]
    pub fn due_us_of(&self, name: K) -> Option<u64> {
        self.pending.iter().find(|pending| pending.name == name).and_then(|pending| pending.due_us)
    }

    /// Returns the name of the pending timer with the setting number `setting` (see [`settings`](Self::settings)).
    /// Returns `None` if the timer is no longer pending.
    #[must_use]
    pub fn name(&self, setting: u64) -> Option<K> {
        self.pending.iter().find(|pending| pending.order == setting).map(|pending| pending.name)
    }

    /// Returns the names of all pending timers, sorted.
    pub fn names(&self) -> impl Iterator<Item = K> {
        self.pending.iter().map(|pending| pending.name)
    }

    /// Returns all pending timers, sorted by name. Each item consists of the name, the due time in microseconds, and
    /// the setting number. The due time is absent if the timer expires only by an order.
    pub fn pending(&self) -> impl Iterator<Item = (K, Option<u64>, u64)> {
        self.pending.iter().map(|pending| (pending.name, pending.due_us, pending.order))
    }

    /// Returns how many times a timer has been set so far. The setting number of a timer is the value of this count
    /// just before the timer was set.
    #[must_use]
    pub const fn settings(&self) -> u64 {
        self.set
    }

    /// Whether the timer with the setting number `setting` is still pending.
    #[inline]
    #[must_use]
    pub fn awaits(&self, setting: u64) -> bool {
        self.pending.iter().any(|pending| pending.order == setting)
    }

    /// Removes the timer with the setting number `setting`, and returns its name. Returns `None` if the timer is no
    /// longer pending.
    pub fn expire(&mut self, setting: u64) -> Option<K> {
        let place = self.pending.iter().position(|pending| pending.order == setting)?;
        Some(self.pending.remove(place).name)
    }

    /// Cancels all timers.
    pub fn clear(&mut self) {
        self.pending.clear();
    }

    /// Returns the time at which the next timer expires, in microseconds. Returns `None` if no timer will expire by
    /// itself.
    #[must_use]
    pub fn due_us(&self) -> Option<u64> {
        self.pending.iter().filter_map(|pending| pending.due_us).min()
    }

    /// Removes the earliest timer that is due at `now_us`, and returns its name.
    pub fn pop_due(&mut self, now_us: u64) -> Option<K> {
        let is_due = |pending: &&Pending<K>| pending.due_us.is_some_and(|due_us| due_us <= now_us);
        let earliest = self.pending.iter().filter(is_due).min_by_key(|pending| (pending.due_us, pending.order))?.name;
        self.cancel(earliest);
        Some(earliest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timers_run_out_by_time_and_then_in_the_order_in_which_they_were_set() {
        let mut timers = TimerTable::default();
        for (name, due_us) in [('c', 20), ('a', 10), ('b', 10)] {
            timers.set(name, Some(due_us));
        }
        assert_eq!((timers.due_us(), timers.pop_due(9)), (Some(10), None));
        let order: Vec<char> = std::iter::from_fn(|| timers.pop_due(20)).collect();
        assert_eq!(order, ['a', 'b', 'c']);
        assert_eq!(timers.due_us(), None);
    }

    #[test]
    fn a_timer_set_again_replaces_the_pending_one() {
        let mut timers = TimerTable::default();
        timers.set('a', Some(10));
        timers.set('a', Some(30));
        assert_eq!((timers.due_us(), timers.pop_due(29), timers.pop_due(30)), (Some(30), None, Some('a')));
        assert!(!timers.cancel('a'), "it has run out once and for all");
    }

    #[test]
    fn a_setting_is_over_once_it_was_replaced_cancelled_or_taken_out() {
        let mut timers = TimerTable::default();
        for name in ['a', 'b', 'a'] {
            timers.set(name, None);
        }
        assert_eq!((timers.settings(), timers.names().collect()), (3, vec!['a', 'b']));
        assert_eq!([0, 1, 2, 3].map(|setting| timers.awaits(setting)), [false, true, true, false]);
        assert_eq!((timers.expire(0), timers.expire(2), timers.expire(2)), (None, Some('a'), None));
        assert!(timers.contains('b') && !timers.contains('a'));
        timers.clear();
        assert_eq!((timers.contains('b'), timers.settings()), (false, 3));
    }

    #[test]
    fn a_timer_without_a_time_is_pending_but_never_due() {
        let mut timers = TimerTable::default();
        timers.set('a', None);
        assert_eq!((timers.due_us(), timers.pop_due(u64::MAX)), (None, None));
        assert!(timers.cancel('a'));
    }
}
