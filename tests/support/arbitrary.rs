//! Random documents with unlikely contents. `PROPTEST_CASES` is the number of cases. If `INTERLOCK_FUZZ_SECONDS`
//! is set, it is the duration of the test instead, and memory must not have grown at the end.

use std::cell::Cell;
use std::env;
use std::fs;
use std::time::{Duration, Instant};

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};

/// Default number of cases for each strategy.
const CASES: u32 = 64;
/// Maximum growth of memory in a long test, in KiB. A leak would exceed this limit.
const GROWTH_KIB: u64 = 64 << 10;
/// Words that documents of the project contain. Purely random texts would hardly ever contain these words.
const WORDS: [&str; 20] = [
    "lamport",
    "algorithm",
    "nodes",
    "all",
    "holder",
    "others",
    "stuck",
    "const:5",
    "uniform:1..20",
    "10%",
    "2s",
    "1e999",
    "-1",
    "0.1.1",
    "REPLY",
    "drop",
    "delay:5",
    "reliable",
    "do",
    "event",
];

/// Numbers at the bounds of ranges.
const EDGES: [u64; 5] = [0, 1, 0xffff_ffff, 1 << 53, u64::MAX];

/// A change to a document.
#[derive(Clone, Debug)]
pub enum Change {
    /// The value at a random place is replaced.
    Replace(Index, Value),
    /// The value at a random place is removed.
    Remove(Index),
    /// A value is added at a random place.
    Add(Index, String, Value),
}

fn word() -> impl Strategy<Value = String> {
    prop_oneof![3 => select(&WORDS[..]).prop_map(str::to_owned), 1 => "\\PC{0,12}"]
}

fn anything() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        select(&EDGES[..]).prop_map(Value::from),
        any::<f64>().prop_map(|number| json!(number)),
        word().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            btree_map(word(), inner, 0..4).prop_map(|fields| json!(fields)),
        ]
    })
}

/// Returns the strategy that draws changes to a document.
pub fn changes() -> impl Strategy<Value = Vec<Change>> {
    let change = prop_oneof![
        (any::<Index>(), anything()).prop_map(|(place, value)| Change::Replace(place, value)),
        any::<Index>().prop_map(Change::Remove),
        (any::<Index>(), word(), anything()).prop_map(|(place, name, value)| Change::Add(place, name, value)),
    ];
    vec(change, 1..4)
}

/// Collects the pointers of all places in a document, beginning with the root.
fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Value::Object(map) => map.iter().for_each(|(name, inner)| {
            places(inner, &format!("{at}/{}", name.replace('~', "~0").replace('/', "~1")), found);
        }),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(place, inner)| places(inner, &format!("{at}/{place}"), found));
        }
        _ => {}
    }
}

/// Applies changes to a document.
pub fn changed(mut document: Value, changes: &[Change]) -> Value {
    for change in changes {
        let mut all = Vec::new();
        places(&document, "", &mut all);
        let (Change::Replace(index, _) | Change::Remove(index) | Change::Add(index, ..)) = change;
        let place = index.get(&all).clone();
        match change {
            Change::Replace(_, value) => {
                if let Some(old) = document.pointer_mut(&place) {
                    *old = value.clone();
                }
            }
            Change::Remove(_) => {
                let (above, name) = place.rsplit_once('/').unwrap_or_default();
                let above = document.pointer_mut(above);
                above.and_then(Value::as_object_mut).map(|map| map.remove(name));
            }
            Change::Add(_, name, value) => match document.pointer_mut(&place) {
                Some(Value::Object(map)) => drop(map.insert(name.clone(), value.clone())),
                Some(Value::Array(items)) => items.push(value.clone()),
                _ => {}
            },
        }
    }
    document
}

/// Draws values from a strategy, and calls `check` with each value. Draws the configured number of values; if a
/// duration is configured, repeats this until the duration is over.
#[allow(clippy::disallowed_methods, reason = "a machine has no clock; who tries it for a time looks at one")]
pub fn each<T: std::fmt::Debug>(strategy: impl Strategy<Value = T>, check: impl Fn(T)) {
    let mut config = Config { failure_persistence: None, ..Config::default() };
    if env::var_os("PROPTEST_CASES").is_none() {
        config.cases = CASES;
    }
    let tried = Cell::new(0_u64);
    // A runner is finished after its number of cases, so each repetition needs a new runner.
    let try_some = || {
        let checked = TestRunner::new(config.clone()).run(&strategy, |drawn| {
            tried.set(tried.get() + 1);
            check(drawn);
            Ok(())
        });
        checked.unwrap_or_else(|failure| panic!("{failure}"));
    };
    try_some();
    assert!(tried.get() >= u64::from(config.cases), "only {} were tried", tried.get());
    let Some(time) = env::var("INTERLOCK_FUZZ_SECONDS").ok().and_then(|seconds| seconds.parse().ok()) else { return };
    let (begin, time) = (Instant::now(), Duration::from_secs(time));
    // Memory is first measured after a while, when all permanent structures have been allocated.
    let mut before = None;
    while begin.elapsed() < time {
        try_some();
        if begin.elapsed() > time / 5 {
            before.get_or_insert_with(memory_kib);
        }
    }
    let (before, after) = (before.unwrap_or_else(memory_kib), memory_kib());
    eprintln!("{} tried in {} s; memory: {before} KiB, and {after} KiB in the end", tried.get(), time.as_secs());
    assert!(after < before + GROWTH_KIB, "it grew from {before} to {after} KiB");
}

/// Returns the resident memory of this process, in KiB; 0 if the system does not report it.
fn memory_kib() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.trim().strip_suffix(" kB")?.parse().ok());
    line.unwrap_or(0)
}
