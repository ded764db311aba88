//! Inversions of timestamps and of real time, and bounded waiting, measured in simulations.

use interlock_algorithm::Entry;
use interlock_algorithm::catalogue::ENTRIES;
use serde_json::{Value, json};

use super::super::simulated::{
    acquire, heavy, idle, loaded, metrics, run, scripted, simulation, specification, variant,
};
use super::{CouldNotRun, Finding, Measurement};
use interlock_model::span::Span;
use interlock_model::specification::Scripted;
use interlock_observation::metrics::{MetricsDocument, TripsDocument};
use interlock_simulation::simulation::{Simulation, Watch};

/// Number of entries in each run.
const ENTRIES_OF_A_RUN: u64 = 2_000;

/// Variants that never grant a larger timestamp while a smaller one waits.
const BY_TIMESTAMP: [&str; 5] = [
    "ricart-agrawala/lamport-clock",
    "ricart-agrawala/sequence-numbers",
    "lamport/any-later-message",
    "lamport/explicit-ack",
    "lamport/postponed-ack",
];

/// A run in which clients are idle for 20 units on average, and messages take 0 … 9 units.
fn spread_out(algorithm: &str, nodes: u32) -> Value {
    with_delay(loaded(algorithm, nodes, "exp:20"), "uniform:0..9")
}

/// A run in which every client requests again at once, and messages take 0 … 9 units.
fn crowded(algorithm: &str, nodes: u32) -> Value {
    with_delay(heavy(algorithm, nodes), "uniform:0..9")
}

fn with_delay(mut document: Value, delay: &str) -> Value {
    document["network"]["delay"] = json!(delay);
    document
}

/// Returns the metrics of a run of five processes. All requests must be granted.
fn measured(scene: fn(&str, u32) -> Value, named: &str, seed: u64) -> Result<MetricsDocument, CouldNotRun> {
    let (algorithm, of) = named.split_once('/').unwrap_or((named, ""));
    let mut document = variant(scene(algorithm, 5), of);
    document["seed"] = json!(seed);
    let report = run(&Simulation { watch: Watch::Metrics, ..simulation(document, ENTRIES_OF_A_RUN)? })?;
    if report.entries != ENTRIES_OF_A_RUN {
        return Err(CouldNotRun::because(format!("{named}: {} entries", report.entries)));
    }
    metrics(&report).cloned()
}

/// Returns the number of inversions of timestamps for each of these variants.
fn inversions_by_timestamp(named: &[&str]) -> Result<Vec<u64>, CouldNotRun> {
    let of = |named: &&str| {
        let inversions = measured(spread_out, named, 1)?.timestamp_inversions;
        inversions.ok_or_else(|| CouldNotRun::because(format!("requests of {named} have no timestamps")))
    };
    named.iter().map(of).collect()
}

/// Counts the inversions of timestamps of all variants that the claim names.
pub(super) fn by_timestamp() -> Measurement {
    let (kept, others) =
        (inversions_by_timestamp(&BY_TIMESTAMP)?, ["maekawa/corrected", "carvalho-roucairol/original"]);
    let inverted = inversions_by_timestamp(&others)?;
    Ok(Finding {
        expected: "N = 5, 2000 entries, idle for 20 T on average, delays of 0 … 9 T: 0 inversions of timestamps with the two numberings of \
                   Ricart–Agrawala and the three rules of Lamport; some with Maekawa and with Carvalho–Roucairol"
            .into(),
        measured: format!("{kept:?}; Maekawa {}, Carvalho–Roucairol {}", inverted[0], inverted[1]),
        holds: kept.iter().all(|&count| count == 0) && inverted.iter().all(|&count| count > 0),
    })
}

/// Negative control: a process ignores the numbers that it receives.
pub(super) fn by_timestamp_without_clocks() -> Measurement {
    let simulation = simulation(variant(spread_out("ricart-agrawala", 5), "no-clock-update"), ENTRIES_OF_A_RUN)?;
    let inversions = metrics(&run(&Simulation { watch: Watch::Metrics, ..simulation })?)?.timestamp_inversions;
    Ok(Finding {
        expected: "received numbers ignored: 0 inversions of timestamps".into(),
        measured: format!("{inversions:?}"),
        holds: inversions == Some(0),
    })
}

/// Returns all correct variants of mutual exclusion that exchange messages. In other variants, processes read the states
/// of their neighbours.
fn correct() -> impl Iterator<Item = String> {
    let all = ENTRIES.iter().filter(|entry| entry.family == "mutual-exclusion");
    let exchanges_messages = |entry: &Entry, of: &str| {
        specification(variant(idle(entry.name, 5), of)).is_ok_and(|run| run.unfit_to_live().is_empty())
    };
    all.flat_map(move |entry| {
        let correct = entry.variants.iter().filter(|variant| variant.broken.is_none());
        let these = correct.filter(move |variant| exchanges_messages(entry, variant.name));
        these.map(|variant| format!("{}/{}", entry.name, variant.name))
    })
}

/// Counts the inversions of real time of all correct variants.
pub(super) fn in_real_time() -> Measurement {
    let (mut shown, mut holds) = (Vec::new(), true);
    for named in correct() {
        let count = measured(spread_out, &named, 1)?.real_time_inversions.unwrap_or_default();
        holds &= count > 0;
        shown.push(format!("{named} {count}"));
    }
    Ok(Finding {
        expected:
            "N = 5, 2000 entries, idle for 20 T on average, delays of 0 … 9 T: inversions of real time with every \
                   variant"
                .into(),
        measured: shown.join(", "),
        holds: holds && !shown.is_empty(),
    })
}

/// Negative control: messages take no time, so requests reach the coordinator in the order in which they were made.
pub(super) fn in_real_time_without_delays() -> Measurement {
    let instant = |algorithm: &str, nodes| with_delay(spread_out(algorithm, nodes), "0");
    let inversions = measured(instant, "centralised/arrival-order", 1)?.real_time_inversions;
    Ok(Finding {
        expected: "centralised, messages without delay: inversions of real time".into(),
        measured: format!("{inversions:?}"),
        holds: inversions > Some(0),
    })
}

/// Number of microseconds by which all events of P0 are shifted. It is less than the delay of a message.
const SHIFT_US: u64 = 400;

/// P0 and P1 request lock 0 at almost the same time. If `is_shifted`, all events of P0 happen later, and its links are
/// faster or slower by the same time. Then no process sees a difference between the two runs, but P1 requests first and
/// not P0. Returns the inversions of real time.
fn two_requests(named: &str, is_shifted: bool, links_follow: bool) -> Result<Option<u64>, CouldNotRun> {
    let (algorithm, of) = named.split_once('/').unwrap_or((named, ""));
    let mut document = variant(idle(algorithm, 3), of);
    if algorithm == "centralised" {
        document["parameters"]["coordinator"] = json!(2);
    }
    if is_shifted && links_follow {
        let link =
            |from: u32, to: u32, delay: f64| json!({ "from": from, "to": to, "delay": format!("const:{delay}") });
        let links = [(0, 1, 0.6), (0, 2, 0.6), (1, 0, 1.4), (2, 0, 1.4)].map(|(from, to, delay)| link(from, to, delay));
        document["links"] = json!(links);
    }
    let first = acquire(10, 0, Some(3));
    let at_us = 10_000 + if is_shifted { SHIFT_US } else { 0 };
    let second = Scripted { at: Span(10_000 + SHIFT_US / 2), ..acquire(10, 1, Some(3)) };
    let script = vec![Scripted { at: Span(at_us), ..first }, second];
    let script = if is_shifted { script.into_iter().rev().collect() } else { script };
    let report = run(&Simulation { watch: Watch::Metrics, ..scripted(document, script)? })?;
    if report.entries != 2 {
        return Err(CouldNotRun::because(format!("{named}: {} entries", report.entries)));
    }
    Ok(metrics(&report)?.real_time_inversions)
}

/// A variant, with its inversions of real time in the run and in the shifted run.
type Pair = (String, [Option<u64>; 2]);

/// Returns, for each quiet variant, the inversions of real time in the run and in the shifted run. In a quiet variant no
/// process sends a message unless a process requests. The start of a circulating token cannot be shifted.
fn pairs(links_follow: bool) -> Result<Vec<Pair>, CouldNotRun> {
    let is_quiet = |named: &String| {
        let entry = ENTRIES.iter().find(|entry| named.starts_with(&format!("{}/", entry.name)));
        entry.is_some_and(|entry| entry.background_kinds.is_empty())
    };
    let pair = |named: String| {
        let inversions = [two_requests(&named, false, links_follow)?, two_requests(&named, true, links_follow)?];
        Ok((named, inversions))
    };
    correct().filter(is_quiet).map(pair).collect()
}

/// Compares two runs that no process can tell apart. In exactly one of them, the order of real time is violated.
pub(super) fn shifted() -> Measurement {
    judge_pairs(true)
}

/// Negative control: only the request of P0 is shifted, and its links are not. Then some algorithm keeps the order in
/// both runs.
pub(super) fn not_shifted() -> Measurement {
    judge_pairs(false)
}

fn judge_pairs(links_follow: bool) -> Measurement {
    let pairs = pairs(links_follow)?;
    let is_one = |inversions: &[Option<u64>; 2]| [[Some(0), Some(1)], [Some(1), Some(0)]].contains(inversions);
    let others: Vec<&Pair> = pairs.iter().filter(|(_, inversions)| !is_one(inversions)).collect();
    Ok(Finding {
        expected: "two runs that differ only in the time of P0, so that no process sees a difference: each variant \
                   violates the order of real time in exactly one of them"
            .into(),
        measured: format!("{} variants; others: {others:?}", pairs.len()),
        holds: !pairs.is_empty() && others.is_empty(),
    })
}

/// Variants in which others enter at most N−1 times between two entries of a process that requests again at once,
/// whatever the delays.
const BOUNDED: [&str; 3] = ["le-lann/original", "lamport/any-later-message", "lamport/explicit-ack"];

/// Variants in which a later request may arrive earlier, so that others enter more often.
const UNBOUNDED: [&str; 4] =
    ["centralised/arrival-order", "ricart-agrawala/sequence-numbers", "naimi-trehel/original", "raymond/original"];

/// The variant in which the holder of the token enters again before others, so that others enter more often even if
/// delays are equal.
const GREEDY: &str = "raymond/greedy";

/// Returns the largest numbers of entries of others between two entries of one process, in ten runs of each variant.
fn most_between(scene: fn(&str, u32) -> Value, named: &[&str]) -> Result<Vec<u64>, CouldNotRun> {
    let of_run = |named: &str, seed| Ok(measured(scene, named, seed)?.entries_between.max.unwrap_or_default());
    let most = |named: &&str| (1..=10).try_fold(0, |most: u64, seed| Ok(most.max(of_run(named, seed)?)));
    named.iter().map(most).collect()
}

/// Measures bounded waiting if each process requests again at once: first with equal delays, then with unequal ones.
pub(super) fn between() -> Measurement {
    let mut others = Vec::new();
    for named in correct() {
        let TripsDocument { max, .. } = measured(heavy, &named, 1)?.entries_between;
        let is_as_expected = if named == GREEDY { max > Some(4) } else { max == Some(4) };
        others.extend((!is_as_expected).then(|| format!("{named} {max:?}")));
    }
    let (bounded, unbounded) = (most_between(crowded, &BOUNDED)?, most_between(crowded, &UNBOUNDED)?);
    Ok(Finding {
        expected: format!(
            "N = 5, 2000 entries, all ask again at once: N−1 = 4 entries of others between two of one process with every \
             variant if messages take T, and more only with {GREEDY}; in 10 runs with delays of 0 … 9 T, 4 with {}, more with {}",
            BOUNDED.join(", "),
            UNBOUNDED.join(", ")
        ),
        measured: format!(
            "{} variants, others than expected: {others:?}; {bounded:?}; {unbounded:?}",
            correct().count()
        ),
        holds: others.is_empty() && bounded.iter().all(|&most| most == 4) && unbounded.iter().all(|&most| most > 4),
    })
}

/// Negative control: clients are idle between two requests, and the count includes this time.
pub(super) fn between_with_idle_time() -> Measurement {
    let most = most_between(spread_out, &BOUNDED)?;
    Ok(Finding {
        expected: "idle for 20 T on average: 4 entries of others".into(),
        measured: format!("{most:?}"),
        holds: most.iter().any(|&most| most <= 4),
    })
}
