//! The workloads of the sources: cash machines, the closed loop, and files with a lock each.

use interlock_algorithm::{LockId, Outcome};
use serde_json::{Value, json};

use super::claim::{Claim, Experiment, How, Showing};
use super::finding::{CouldNotRun, Finding, Measurement};
use super::live::Playground;
use super::simulated::{is_about, metrics, recorded, run, simulate, simulation};
use interlock_model::event::Event;
use interlock_observation::monitor::{deadlocks, livelock, progress};
use interlock_observation::resource::ACCOUNT;
use interlock_simulation::simulation::{Report, Simulation};

/// Maximum virtual time of a run that may never end.
const LONGEST: u64 = 100_000_000;

/// Claims about the workloads of the sources.
pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "WRK-1",
        showings: &[
            Showing::of(How::Simulation, || balances(&["ricart-agrawala", "maekawa", "raymond", "bakery"], None))
                .beside(Experiment::Alone(|| balances(&["centralised"], Some("no-exclusion")))),
            Showing::live(|playground| by_hand(playground, None))
                .beside(Experiment::Live(|playground| by_hand(playground, Some("no-exclusion")))),
        ],
    },
    Claim {
        id: "WRK-2",
        showings: &[
            Showing::of(How::Simulation, || closed_loop("closed")).beside(Experiment::Alone(|| closed_loop("open")))
        ],
    },
    Claim {
        id: "WRK-3",
        showings: &[
            Showing::of(How::Simulation, || {
                files_and_directories(4, &["suzuki-kasami", "ricart-agrawala", "raymond"], None)
            })
            .beside(Experiment::Alone(|| files_and_directories(1, &["centralised"], Some("no-exclusion")))),
            Showing::live(two_files),
        ],
    },
    Claim {
        id: "WRK-4",
        showings: &[Showing::of(How::Simulation, || standstills(["none", "const:10", "priority-order"]))
            .beside(Experiment::Alone(|| standstills(["ordered", "uniform:1..50", "arrival-order"])))],
    },
];

/// Workload with an account that initially contains 1,000. In each entry a process pays 10,000 into it.
fn account() -> Value {
    json!({ "balance": 1_000, "deposit": 10_000 })
}

/// Measures the balance of the account after two machines have made one deposit each.
fn balances(algorithms: &[&str], variant: Option<&str>) -> Measurement {
    let balance = |algorithm: &&str| {
        let report = simulate(
            json!({
                "algorithm": algorithm, "variant": variant, "nodes": 2, "seed": 1,
                "network": { "delay": "uniform:1..3" },
                "workload": { "idle": "const:1", "hold": "const:10", "entries": 1, "account": account() },
            }),
            2,
        )?;
        report
            .resources
            .find(ACCOUNT)
            .map(|account| account.value)
            .ok_or_else(|| CouldNotRun::because("there is no account"))
    };
    let balances: Vec<i64> = algorithms.iter().map(balance).collect::<Result<_, _>>()?;
    Ok(Finding {
        expected: "1000 + 2·10000 = 21000".into(),
        measured: format!("{balances:?} with {}", algorithms.join(", ")),
        holds: balances.iter().all(|&balance| balance == 21_000),
    })
}

/// Runs two live machines, each of which makes a deposit. Both request before either has exited.
fn by_hand(playground: &Playground, variant: Option<&str>) -> Measurement {
    let stage = playground.stage(json!({
        "algorithm": "centralised", "variant": variant, "nodes": 2,
        "workload": { "nodes": [], "account": account() },
    }))?;
    stage.enter(0)?;
    stage.acquire(1)?;
    stage.release(0)?;
    stage.wait(&interlock_simulation::scenario::Until::Entered {
        node: Some(interlock_algorithm::NodeId(1)),
        lock: None,
    })?;
    stage.release(1)?;
    let account = stage.state().account.ok_or_else(|| CouldNotRun::because("there is no account"))?;
    Ok(Finding {
        expected: "1000 + 2·10000 = 21000".into(),
        measured: format!("{} after {} deposits", account.balance, account.deposits),
        holds: account.balance == 21_000,
    })
}

/// Measures how often a single client enters per unit of time.
fn closed_loop(kind: &str) -> Measurement {
    let rate = |idle: &str, hold: &str| {
        let report = simulate(
            json!({
                "algorithm": "centralised", "nodes": 1, "seed": 1,
                "workload": { "idle": idle, "hold": hold, "loop": kind },
            }),
            10_000,
        )?;
        metrics(&report)?.throughput.ok_or_else(|| CouldNotRun::because("there is no throughput"))
    };
    // Throughput is in entries per second, and one unit of time is a millisecond.
    let (constant, drawn) = (rate("const:3", "const:2")? / 1_000.0, rate("exp:10", "uniform:1..3")? / 1_000.0);
    Ok(Finding {
        expected: "1/(3+2) = 0.2 entries a unit of time; 1/(10+2) = 0.0833 where both are drawn".into(),
        measured: format!("{constant:.4}; {drawn:.4}"),
        holds: is_about(constant, 0.2) && is_about(drawn, 1.0 / 12.0),
    })
}

/// Measures how many files are locked at the same time if four clients use `locks` files.
fn files(locks: u32) -> Measurement {
    let document = |choice: &str| {
        json!({
            "algorithm": "suzuki-kasami", "nodes": 4, "locks": locks, "seed": 1,
            "network": { "delay": "uniform:1..3" },
            "workload": { "idle": "const:1", "hold": "const:10", "locks": choice, "between": "const:1" },
        })
    };
    let (one, all) = (recorded(document("one"), 400)?, recorded(document("all"), 100)?);
    let (at_once, whole) = (most_inside(&one), all.entries);
    let broken = one.violations.len() + all.violations.len();
    Ok(Finding {
        expected: "one by one: several of 4 files are locked at the same time; all together: 100 rounds of 4 entries; \
                   no property is violated"
            .into(),
        measured: format!("{at_once} at the same time; {whole} entries; {broken} violations"),
        holds: at_once > 1 && whole == 400 && broken == 0,
    })
}

/// Returns the maximum number of locks that were held at the same time.
fn most_inside(report: &Report) -> usize {
    let mut inside = 0_usize;
    let after = |event: &Event| {
        match event.outcome() {
            Some((_, Outcome::Entered { .. })) => inside += 1,
            Some((_, Outcome::Exited { .. })) => inside -= 1,
            _ => {}
        }
        inside
    };
    report.events.iter().map(after).max().unwrap_or(0)
}

/// Measures three workloads: philosophers with the variant `prevention`, two processes in a corridor with the
/// back-off `back_off`, and stations that are served in the order `order`.
fn standstills([prevention, back_off, order]: [&str; 3]) -> Measurement {
    let philosophers = json!({
        "algorithm": "prevention", "variant": prevention, "nodes": 5, "seed": 1, "network": { "delay": "const:1" },
        "workload": { "idle": "const:1", "hold": "const:5", "locks": "neighbours", "between": "const:5" },
    });
    let corridor = json!({
        "algorithm": "prevention", "variant": "give-way", "nodes": 2, "locks": 2, "seed": 1,
        "network": { "delay": "const:1" },
        "workload": {
            "idle": "const:1", "hold": "const:5", "locks": "0,1", "between": "const:5", "again": back_off,
            "overrides": [{ "node": 1, "locks": "1,0" }],
        },
    });
    let stations = json!({
        "algorithm": "centralised", "variant": order, "nodes": 4, "seed": 1, "network": { "delay": "const:1" },
        "workload": { "idle": "0", "hold": "const:5" },
    });
    let found = |document, entries| {
        let simulation = Simulation { until: Some(LONGEST), ..simulation(document, entries)? };
        let mut codes: Vec<String> = run(&simulation)?.broken().map(|violation| violation.code.to_string()).collect();
        codes.sort_unstable();
        codes.dedup();
        Ok::<_, CouldNotRun>(codes.join(" and "))
    };
    let found = [found(philosophers, 50)?, found(corridor, 50)?, found(stations, 1_000)?];
    Ok(Finding {
        expected: "a cycle of waits; livelock; starvation".into(),
        measured: found.each_ref().map(|codes| if codes.is_empty() { "nothing" } else { codes }).join("; "),
        holds: found == [deadlocks::CYCLE, livelock::LIVELOCK, progress::STARVATION],
    })
}

/// Combines the measurements of two claims: about files that are locked one by one or all together, and about
/// files in a directory.
fn files_and_directories(locks: u32, algorithms: &[&str], variant: Option<&str>) -> Measurement {
    let (files, directory) = (files(locks)?, directory(algorithms, variant)?);
    Ok(Finding {
        expected: format!("{}; {}", files.expected, directory.expected),
        measured: format!("{}; {}", files.measured, directory.measured),
        holds: files.holds && directory.holds,
    })
}

/// Runs four clients that share a directory with four files. Each client locks one file, and occasionally all
/// files. Compares the number of lines that were added with the number of lines in the files. Also counts how
/// often a client held all files while another client held a file.
fn directory(algorithms: &[&str], variant: Option<&str>) -> Measurement {
    let (mut added, mut there, mut whole, mut disturbed) = (0, 0, 0, 0);
    for algorithm in algorithms {
        let report = recorded(
            json!({
                "algorithm": algorithm, "variant": variant, "nodes": 4, "locks": 5, "seed": 1,
                "network": { "delay": "uniform:1..3" },
                "workload": { "idle": "const:1", "hold": "const:10", "locks": "directory:20%" },
            }),
            200,
        )?;
        let files = report.resources.all().iter();
        (added, there) = files.fold((added, there), |(added, there), file| (added + file.expected, there + file.value));
        let inside = with_all(&report, 5);
        whole += inside.len();
        disturbed += inside.iter().filter(|others| **others).count();
    }
    Ok(Finding {
        expected: "as many lines as were added; who has the directory with all that is in it is alone".into(),
        measured: format!("{there} of {added} lines; {disturbed} of {whole} times not alone"),
        holds: there == added && added > 400 && whole > 20 && disturbed == 0,
    })
}

/// Returns a Boolean for each time that a process acquired all `locks` locks: whether another process held a lock at
/// the same time.
fn with_all(report: &Report, locks: usize) -> Vec<bool> {
    let mut inside = std::collections::BTreeSet::new();
    let mut found = Vec::new();
    for event in &report.events {
        match event.outcome() {
            Some((at, Outcome::Entered { lock, .. })) => {
                inside.insert((at.node, *lock));
                let own = inside.iter().filter(|(node, _)| *node == at.node).count();
                if own == locks {
                    found.push(inside.len() > own);
                }
            }
            Some((at, Outcome::Exited { lock, .. })) => drop(inside.remove(&(at.node, *lock))),
            _ => {}
        }
    }
    found
}

/// Runs three live processes: two hold a file each, and the third waits for one of these files.
fn two_files(playground: &Playground) -> Measurement {
    let stage = playground.stage(json!({ "algorithm": "suzuki-kasami", "nodes": 3, "locks": 2 }))?;
    stage.enter_lock(0, LockId(0))?;
    stage.enter_lock(1, LockId(1))?;
    stage.acquire_lock(2, LockId(1))?;
    let locks = stage.state().locks;
    let held: Vec<Vec<u32>> = locks.iter().map(|lock| lock.holders.iter().map(|node| node.0).collect()).collect();
    let waiting: Vec<usize> = locks.iter().map(|lock| lock.waiting.len()).collect();
    Ok(Finding {
        expected: "P0 has file 0, P1 has file 1, and one waits for file 1".into(),
        measured: format!("held {held:?}, waiting {waiting:?}, {} violations", stage.violations()),
        holds: held == [[0], [1]] && waiting == [0, 1] && stage.violations() == 0,
    })
}
