//! Bounds of a specification. The numbers of a specification determine how much memory a run allocates. So every
//! reader checks the bounds, whether it reads a request, an import, a journal or a schedule.

use std::fmt::Display;
use std::ops::RangeInclusive;

use serde::de::{Deserialize, Deserializer, Error};

use super::{
    LARGEST_SEED, LONGEST_NAME, LONGEST_SCRIPT, LONGEST_SLOW_AFTER_MS, MOST_LOCKS, MOST_PAIRS, MOST_SIMULATED_NODES,
    Scripted, Specification,
};
use crate::field_error::FieldError;

impl Specification {
    /// Returns an error if the run has too many locks or too many pairs of a node and a lock.
    #[must_use]
    pub fn oversize(&self) -> Option<FieldError> {
        let Self { nodes, locks, .. } = self;
        if *locks > MOST_LOCKS {
            return Some(FieldError::new("/locks", format!("{locks} locks are outside 1 … {MOST_LOCKS}")));
        }
        let pairs = u64::from(*nodes) * u64::from(*locks);
        let detail = format!("{nodes} nodes with {locks} locks are {pairs} pairs; at most {MOST_PAIRS} are possible");
        (pairs > MOST_PAIRS).then(|| FieldError::new("/locks", detail))
    }
}

/// Reads a number of nodes, at most [`MOST_SIMULATED_NODES`]. It accepts 0: readers with a smaller maximum reject 0
/// themselves.
pub(super) fn nodes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    within(deserializer, 0..=MOST_SIMULATED_NODES, "nodes")
}

/// Reads a number of locks, at most [`MOST_LOCKS`].
pub(super) fn locks<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    within(deserializer, 0..=MOST_LOCKS, "locks")
}

/// Reads a seed: 0 … [`LARGEST_SEED`].
pub(super) fn seed<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    within(deserializer, 0..=LARGEST_SEED, "(the seed)")
}

/// Reads the time after which a wait is slow, in ms: 1 … [`LONGEST_SLOW_AFTER_MS`].
pub(super) fn slow_after_ms<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    within(deserializer, 1..=LONGEST_SLOW_AFTER_MS, "ms")
}

/// If the name is not valid as a name of a run, returns the error.
#[must_use]
pub fn name_fault(name: &str) -> Option<String> {
    if name.trim().is_empty() {
        return Some("the name is empty".to_owned());
    }
    too_long(name)
}

fn too_long(name: &str) -> Option<String> {
    (name.chars().count() > LONGEST_NAME).then(|| format!("the name is longer than {LONGEST_NAME} characters"))
}

/// Reads a name of at most [`LONGEST_NAME`] characters. It may be empty, as in journals of earlier versions.
pub(super) fn name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let name = String::deserialize(deserializer)?;
    too_long(&name).map_or(Ok(name), |fault| Err(Error::custom(fault)))
}

/// Reads a script of at most [`LONGEST_SCRIPT`] actions.
pub(super) fn script<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Scripted>, D::Error> {
    let script = Vec::<Scripted>::deserialize(deserializer)?;
    let steps = script.len();
    if steps > LONGEST_SCRIPT {
        return Err(Error::custom(format!("a script of {steps} steps is too long; the maximum is {LONGEST_SCRIPT}")));
    }
    Ok(script)
}

fn within<'de, D, N>(deserializer: D, possible: RangeInclusive<N>, unit: &str) -> Result<N, D::Error>
where
    D: Deserializer<'de>,
    N: Deserialize<'de> + PartialOrd + Display,
{
    let number = N::deserialize(deserializer)?;
    if possible.contains(&number) {
        return Ok(number);
    }
    let (least, most) = possible.into_inner();
    Err(Error::custom(format!("{number} {unit} are outside {least} … {most}")))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::{Draft, Specification};
    use super::*;

    fn read(pointer: &str, value: Value) -> Result<Specification, String> {
        let draft: Draft = serde_json::from_value(json!({ "algorithm": "lamport", "nodes": 2 })).expect("a draft");
        let specification = draft.complete_simulated().expect("a specification");
        let mut document = serde_json::to_value(specification).expect("JSON");
        document[pointer] = value;
        serde_json::from_value(document).map_err(|error| error.to_string())
    }

    #[test]
    fn nodes_and_locks_are_bounded_together() {
        let of = |nodes: u32, locks: u32| {
            let specification = read("locks", json!(1)).expect("a specification");
            Specification { nodes, locks, ..specification }.oversize().map(|error| error.detail)
        };
        assert_eq!(of(2_000, 1_000), None);
        let said = "2001 nodes with 1000 locks are 2001000 pairs; at most 2000000 are possible";
        assert_eq!(of(2_001, 1_000).as_deref(), Some(said));
        assert_eq!(of(MOST_SIMULATED_NODES, 1), None);
        assert_eq!(of(1, 1_001).as_deref(), Some("1001 locks are outside 1 … 1000"));
    }

    #[test]
    fn locks_that_follow_from_a_parameter_are_bounded_too() {
        let units = |count: usize| vec!["1"; count].join(",");
        let of = |count: usize| {
            let draft = json!({ "algorithm": "banker", "nodes": 2, "parameters": { "existing": units(count) } });
            serde_json::from_value::<Draft>(draft).expect("a draft").complete_simulated()
        };
        assert_eq!(of(1_000).expect("a specification").locks, 1_000);
        let errors = of(1_001).expect_err("too many locks");
        assert_eq!(errors[0].detail, "1001 locks are outside 1 … 1000");
    }

    #[test]
    fn a_run_has_no_empty_name_and_a_journal_may_have_one() {
        for (name, refused) in [("", true), (" \t\u{a0}", true), ("a", false), (" a ", false)] {
            let draft = json!({ "algorithm": "lamport", "name": name });
            let completed = serde_json::from_value::<Draft>(draft).expect("a draft").complete();
            let faults = completed.err().unwrap_or_default();
            let faults: Vec<_> = faults.iter().map(|fault| (&*fault.pointer, &*fault.detail)).collect();
            let expected: &[_] = if refused { &[("/name", "the name is empty")] } else { &[] };
            assert_eq!(faults, expected, "{name:?}");
            assert!(read("name", json!(name)).is_ok(), "{name:?}");
        }
    }

    #[test]
    fn a_number_at_its_bound_is_read_and_the_next_one_is_refused() {
        let crash = json!({ "at": 1, "do": { "crash": { "node": 1 } } });
        let steps = |count: usize| json!(vec![crash.clone(); count]);
        for (field, possible, refused, said) in [
            ("nodes", json!(MOST_SIMULATED_NODES), json!(MOST_SIMULATED_NODES + 1), "2000001 nodes are outside"),
            ("locks", json!(MOST_LOCKS), json!(u32::MAX), "4294967295 locks are outside 0 … 1000"),
            ("seed", json!(LARGEST_SEED), json!(u64::MAX), "18446744073709551615 (the seed)"),
            ("slow_after_ms", json!(1), json!(0), "0 ms are outside"),
            ("name", json!("n".repeat(LONGEST_NAME)), json!("n".repeat(LONGEST_NAME + 1)), "the name is longer"),
            ("script", steps(LONGEST_SCRIPT), steps(LONGEST_SCRIPT + 1), "a script of 1001 steps is too long"),
        ] {
            assert!(read(field, possible).is_ok(), "{field}");
            let error = read(field, refused).expect_err(field);
            assert!(error.contains(said), "{field}: {error}");
        }
    }
}
