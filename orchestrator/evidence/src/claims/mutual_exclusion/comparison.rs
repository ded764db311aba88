//! Comparison of the algorithms.

use std::collections::BTreeMap;

use interlock_algorithm::NodeId;
use interlock_algorithm::structure::coterie::Coterie;
use interlock_algorithm::structure::tree::Tree;
use serde_json::{Value, json};

use super::super::simulated::{
    acquire, heavy, idle, is_about, light, loaded, metrics, run, scripted, simulation, variant,
};
use super::failures;
use super::{Claim, CouldNotRun, Experiment, Finding, How, Measurement, Showing};
use interlock_simulation::simulation::{Report, Simulation, Watch};

pub(super) const CLAIMS: &[Claim] = &[
    Claim { id: "CMP-1", showings: &[Showing::of(How::Simulation, complexities)] },
    Claim { id: "CMP-2", showings: &[Showing::of(How::Simulation, winners)] },
    Claim { id: "CMP-3", showings: &[Showing::of(How::Simulation, even_work)] },
    Claim { id: "CMP-4", showings: &[Showing::of(How::Simulation, multicast)] },
    Claim {
        id: "CMP-5",
        showings: &[
            Showing::of(How::Simulation, failures::simulated).beside(Experiment::Alone(failures::simulated_broken)),
            Showing::live(failures::live).beside(Experiment::Live(failures::live_without)),
        ],
    },
];

/// Runs all processes, which enter once each, one after the other. Returns the report.
fn in_turn(algorithm: &str, nodes: u32) -> Result<Report, CouldNotRun> {
    // Time between two requests, in units. In the bakery, an entry alone needs 12 units, and the longest path of a
    // tree or a ring has length N.
    let apart = u64::from(4 * nodes) + 20;
    let script = (0..nodes).map(|node| acquire(apart * u64::from(node + 1), node, Some(1))).collect();
    let report = run(&Simulation { watch: Watch::Metrics, ..scripted(idle(algorithm, nodes), script)? })?;
    if report.entries == u64::from(nodes) { Ok(report) } else { Err(CouldNotRun::because("not all entered")) }
}

/// Numbers of processes for which the formulas are checked.
const SIZES: [u32; 6] = [2, 5, 10, 50, 100, 200];

/// A formula for the number of messages if N processes enter once each.
type Exact = fn(u64) -> u64;

/// Formulas for the total messages of N entries that follow one after the other. For these algorithms, the cost of
/// an entry does not depend on the previous holder.
const EXACT: [(&str, &str, Exact); 6] = [
    ("centralised", "3(N−1)/N", |n| 3 * (n - 1)),
    ("bakery", "6(N−1)", |n| 6 * (n - 1) * n),
    ("lamport", "3(N−1)", |n| 3 * (n - 1) * n),
    ("ricart-agrawala", "2(N−1)", |n| 2 * (n - 1) * n),
    ("suzuki-kasami", "N, 0 for the holder", |n| n * (n - 1)),
    ("ricart-agrawala-token", "N, 0 for the holder", |n| n * (n - 1)),
];

/// Compares the number of messages of each algorithm with its formula, for all sizes.
fn complexities() -> Measurement {
    let mut rows = Vec::new();
    let mut holds = true;
    for (algorithm, formula, cost) in EXACT {
        let mut row = Vec::new();
        for nodes in SIZES {
            let messages = in_turn(algorithm, nodes)?.messages;
            holds &= messages == cost(nodes.into());
            row.push(messages.to_string());
        }
        rows.push(format!("{algorithm} ({formula}) {}", row.join(" ")));
    }
    for (algorithm, formula, cost) in OTHERS {
        let mut row = Vec::new();
        for nodes in SIZES {
            let (found, right) = cost(nodes)?;
            holds &= right;
            row.push(format!("{found:.2}"));
        }
        rows.push(format!("{algorithm} ({formula}) {}", row.join(" ")));
    }
    Ok(Finding {
        expected: format!(
            "for N of {SIZES:?}: messages of N entries in turn, exactly; of the others for each entry: Maekawa \
             and, on a binary tree, Raymond exactly, Le Lann at heavy load exactly, \
             Carvalho–Roucairol at heavy load and Naimi–Tréhel at light load within 2 %"
        ),
        measured: rows.join("; "),
        holds,
    })
}

/// A function that measures the number of messages per entry in a run of N processes. Also returns whether the number
/// agrees with the formula.
type Cost = fn(u32) -> Result<(f64, bool), CouldNotRun>;

const OTHERS: [(&str, &str, Cost); 5] = [
    ("maekawa", "3(K−1)", votes),
    ("carvalho-roucairol", "2(N−1)", permissions),
    ("le-lann", "1", ring),
    ("raymond", "twice the distance", tree),
    ("naimi-trehel", "H_(N−1)", path),
];

fn votes(nodes: u32) -> Result<(f64, bool), CouldNotRun> {
    let grid = Coterie::grid(nodes);
    let exact: usize = NodeId::all(nodes).map(|node| 3 * (grid.set(node).len() - 1)).sum();
    let messages = in_turn("maekawa", nodes)?.messages;
    Ok((real(messages) / f64::from(nodes), messages == exact as u64))
}

fn permissions(nodes: u32) -> Result<(f64, bool), CouldNotRun> {
    // During the warm-up, processes use the permissions that they have at the start. The last requests are not
    // measured either, because fewer processes then compete for the lock, so an entry needs fewer messages.
    let (warm_up, end) = (2 * u64::from(nodes), u64::from(nodes));
    let simulation = simulation(heavy("carvalho-roucairol", nodes), warm_up + 300 + end)?;
    let measured_until = Some(warm_up + 300);
    let report = run(&Simulation { watch: Watch::Metrics, warm_up, measured_until, ..simulation })?;
    let mean = metrics(&report)?.messages_per_entry.unwrap_or_default();
    Ok((mean, is_about(mean, f64::from(2 * (nodes - 1)))))
}

fn ring(nodes: u32) -> Result<(f64, bool), CouldNotRun> {
    // The warm-up includes the N − 1 hops before the first entry of the last process.
    let mean = mean(&heavy("le-lann", nodes), 300, 3_000)?;
    Ok((mean, (mean - 1.0).abs() < 0.001))
}

/// Measures the tree. The messages of the initial flood of INITIALIZE do not count.
fn tree(nodes: u32) -> Result<(f64, bool), CouldNotRun> {
    let binary = Tree::parse("binary", nodes).map_err(CouldNotRun::because)?;
    let distance = |node: u32| u64::from(binary.distances(NodeId(node - 1))[NodeId(node).index()]);
    let exact: u64 = (1..nodes).map(|node| 2 * distance(node)).sum();
    let messages = in_turn("raymond", nodes)?.messages - u64::from(nodes - 1);
    Ok((real(messages) / f64::from(nodes), messages == exact))
}

fn path(nodes: u32) -> Result<(f64, bool), CouldNotRun> {
    let mean = mean(&light("naimi-trehel", nodes), 0, 20_000)?;
    Ok((mean, is_about(mean, (1..nodes).map(|number| 1.0 / f64::from(number)).sum())))
}

fn mean(document: &Value, warm_up: u64, entries: u64) -> Result<f64, CouldNotRun> {
    let simulation = simulation(document.clone(), warm_up + entries)?;
    let report = run(&Simulation { watch: Watch::Metrics, warm_up, ..simulation })?;
    Ok(metrics(&report)?.messages_per_entry.unwrap_or_default())
}

#[expect(clippy::cast_precision_loss, reason = "counts of a run")]
const fn real(count: u64) -> f64 {
    count as f64
}

/// Competing algorithms.
const COMPETING: [&str; 11] = [
    "centralised",
    "bakery",
    "le-lann",
    "lamport",
    "ricart-agrawala",
    "carvalho-roucairol",
    "suzuki-kasami",
    "ricart-agrawala-token",
    "maekawa",
    "raymond",
    "naimi-trehel",
];

/// Names of the measures. The Boolean is true if a greater number is better.
const MEASURES: [(&str, bool); 4] = [("messages", false), ("delay", false), ("throughput", true), ("fairness", true)];

/// Determines the best algorithms by each measure, for several N, idle times and hold times.
fn winners() -> Measurement {
    let mut won: [BTreeMap<&str, u32>; 4] = Default::default();
    for (nodes, idle) in [3, 8, 20].into_iter().flat_map(|nodes| ["0", "exp:20", "exp:2000"].map(|idle| (nodes, idle)))
    {
        for hold in ["const:0", "const:10"] {
            let figures = COMPETING.map(|algorithm| figures(algorithm, nodes, idle, hold));
            let figures = figures.into_iter().collect::<Result<Vec<_>, _>>()?;
            for (place, (_, more)) in MEASURES.iter().enumerate() {
                let better = |a: &f64, b: &f64| if *more { b.total_cmp(a) } else { a.total_cmp(b) };
                let best = figures.iter().map(|figures| figures[place]).min_by(better).unwrap_or_default();
                for (algorithm, _) in
                    COMPETING.iter().zip(&figures).filter(|(_, figures)| figures[place].total_cmp(&best).is_eq())
                {
                    *won[place].entry(algorithm).or_default() += 1;
                }
            }
        }
    }
    let best_of = |won: &BTreeMap<&str, u32>| won.iter().filter(|(_, times)| **times == 18).count();
    let list = MEASURES.iter().zip(&won).map(|((measure, _), won)| {
        let won: Vec<_> = won.iter().map(|(algorithm, times)| format!("{algorithm} {times}")).collect();
        format!("{measure}: {}", won.join(", "))
    });
    Ok(Finding {
        expected: "18 loads (N 3, 8, 20; idle 0, exp:20, exp:2000; hold 0, 10), 300 entries each: on each measure \
                   different ones win, and none everywhere"
            .into(),
        measured: list.collect::<Vec<_>>().join("; "),
        holds: won.iter().all(|won| won.len() > 1 && best_of(won) == 0),
    })
}

/// Returns the messages per entry, the time from request to exit, the entries per unit of time, and Jain's fairness
/// index of the entries.
fn figures(algorithm: &str, nodes: u32, idle: &str, hold: &str) -> Result<[f64; 4], CouldNotRun> {
    let mut document = loaded(algorithm, nodes, idle);
    document["workload"]["hold"] = json!(hold);
    let report = run(&Simulation { watch: Watch::Metrics, ..simulation(document, 300)? })?;
    let metrics = metrics(&report)?;
    let found = [metrics.messages_per_entry, metrics.response_time.mean, metrics.throughput, metrics.fairness];
    // Two values that differ only by a rounding error count as equal.
    Ok(found.map(|found| (found.unwrap_or_default() * 1e6).round() / 1e6))
}

/// Number of entries of each process in the comparison of work.
const ENTRIES_EACH: u32 = 230;

/// Returns Jain's index of the messages that each of thirteen processes receives. All processes enter equally often.
fn evenness(mut document: Value) -> Result<f64, CouldNotRun> {
    document["workload"]["entries"] = json!(ENTRIES_EACH);
    let report = run(&Simulation { entries: None, watch: Watch::Metrics, ..simulation(document, 0)? })?;
    if report.entries != u64::from(13 * ENTRIES_EACH) {
        return Err(CouldNotRun::because(format!("only {} entered", report.entries)));
    }
    let handled: Vec<_> = metrics(&report)?.handled_per_node.iter().map(|&handled| real(handled)).collect();
    Ok(index(&handled))
}

/// Returns Jain's fairness index: 1 if all values are equal, and 1/N if all values but one are 0.
fn index(work: &[f64]) -> f64 {
    let squares: f64 = work.iter().map(|work| work * work).sum();
    work.iter().sum::<f64>().powi(2) / (squares * real(work.len() as u64))
}

/// Algorithms in which all thirteen processes have the same role. Maekawa's algorithm uses a projective plane.
const ALIKE: [&str; 7] = [
    "le-lann",
    "lamport",
    "ricart-agrawala",
    "carvalho-roucairol",
    "suzuki-kasami",
    "ricart-agrawala-token",
    "maekawa",
];

fn planar(mut document: Value) -> Value {
    if document["algorithm"] == "maekawa" {
        document["parameters"] = json!({ "coterie": "plane" });
    }
    document
}

/// Checks how evenly work is distributed, both in symmetric algorithms and in algorithms in which one process has more
/// work.
fn even_work() -> Measurement {
    let alike =
        ALIKE.map(|algorithm| evenness(planar(heavy(algorithm, 13)))).into_iter().collect::<Result<Vec<_>, _>>()?;
    let bakery = [evenness(light("bakery", 13))?, evenness(heavy("bakery", 13))?];
    let (others, formulas) = (unlike()?, unlike_by_formula()?);
    Ok(Finding {
        expected: format!(
            "N = 13, heavy load, {ENTRIES_EACH} entries each, Jain's index over the messages taken by each process, \
             within 2 %: {ALIKE:?} 1; bakery 1 at light load (at heavy load it polls whom it waits for, smaller ids \
             first); centralised, and at light load Sanders with a coordinator, by what a coordinator takes, 2(N−1) \
             while each other takes 1, {:.3}; Raymond on a star and on a binary tree, by the degrees in the tree, {}",
            formulas[0],
            list(&formulas[2..])
        ),
        measured: format!("{}; {:.3} ({:.3}); {}", list(&alike), bakery[0], bakery[1], list(&others)),
        holds: alike.iter().chain(&bakery[..1]).all(|index| is_about(*index, 1.0))
            && others.iter().zip(&formulas).all(|(index, formula)| is_about(*index, *formula)),
    })
}

/// Measures the algorithms in which one process has more work: a coordinator, or the centre of a tree.
fn unlike() -> Result<[f64; 4], CouldNotRun> {
    let mut star = heavy("raymond", 13);
    star["parameters"] = json!({ "tree": "star" });
    Ok([
        evenness(heavy("centralised", 13))?,
        evenness(variant(light("sanders", 13), "centralised"))?,
        evenness(star)?,
        evenness(heavy("raymond", 13))?,
    ])
}

/// Returns the results that formulas predict for [`unlike`]: Jain's index over the messages that each process receives.
/// For each entry of another process, the coordinator receives a REQUEST and a RELEASE, and that process receives a
/// GRANT. Suppose that every process of a tree enters once. Then one REQUEST and one privilege cross each edge in each
/// direction. So the number of messages that a process receives is proportional to its degree.
fn unlike_by_formula() -> Result<[f64; 4], CouldNotRun> {
    let mut with_coordinator = [1.0; 13];
    with_coordinator[0] = 2.0 * 12.0;
    let by_degree = |shape| {
        let tree = Tree::parse(shape, 13).map_err(CouldNotRun::because)?;
        let degrees: Vec<f64> = NodeId::all(13).map(|node| real(tree.neighbours(node).len() as u64)).collect();
        Ok::<_, CouldNotRun>(index(&degrees))
    };
    let coordinator = index(&with_coordinator);
    Ok([coordinator, coordinator, by_degree("star")?, by_degree("binary")?])
}

fn list(numbers: &[f64]) -> String {
    numbers.iter().map(|number| format!("{number:.3}")).collect::<Vec<_>>().join(", ")
}

/// Counts the messages of ten processes that enter one after the other. Counts them in two ways: each receiver
/// separately, and each multicast once.
fn multicast() -> Measurement {
    let mut counted = Vec::new();
    for algorithm in COMPETING.into_iter().filter(|algorithm| *algorithm != "le-lann") {
        let report = in_turn(algorithm, 10)?;
        counted.push((algorithm, report.messages, report.transmissions));
    }
    let ranked = |cost: fn(&(&str, u64, u64)) -> u64| {
        let mut ranked = counted.clone();
        ranked.sort_by_key(cost);
        ranked.iter().map(|row| format!("{} {}", row.0, cost(row))).collect::<Vec<_>>()
    };
    let [by_message, by_multicast] = [ranked(|row| row.1), ranked(|row| row.2)];
    let of = |wanted: &str| counted.iter().find(|row| row.0 == wanted).map(|row| (row.1, row.2));
    Ok(Finding {
        expected: "N = 10, each once in turn: centralised 3·9 = 27 either way, Suzuki–Kasami 10·9 = 90, as multicasts \
                   2·9 = 18 and so the cheaper; Ricart–Agrawala 2·9·10 = 180 and 10·10 = 100, Lamport 3·9·10 = 270 and \
                   11·10 = 110"
            .into(),
        measured: format!("{}; as multicasts {}", by_message.join(", "), by_multicast.join(", ")),
        holds: of("centralised") == Some((27, 27))
            && of("suzuki-kasami") == Some((90, 18))
            && of("ricart-agrawala") == Some((180, 100))
            && of("lamport") == Some((270, 110)),
    })
}
