//! Raymond 1989 in virtual time: the properties, the costs and delays, and the initial flood of INITIALIZE.

use interlock_algorithm::NodeId;
use interlock_machine::draw::draw;
use serde_json::{Value, json};

use super::super::simulated::{
    Rules, acquire, heavy, idle, is_about, jittery, metrics, only, run, scripted, simulate, simulation, variant, view,
};
use super::raymond_trees::{TREES, towards};
use super::{CouldNotRun, Finding, Measurement};
use interlock_simulation::simulation::{Report, Simulation, Watch};

/// Returns the document, extended by the tree `tree`. The process `holder` holds the privilege at the start.
pub(super) fn on(mut document: Value, tree: &str, holder: u32) -> Value {
    document["parameters"] = json!({ "tree": tree, "holder": holder });
    document
}

/// Runs nine processes on each tree of `TREES`.
fn on_trees(variant_name: &str) -> Result<Vec<(&'static str, Rules)>, CouldNotRun> {
    let rules = |tree| {
        let document = variant(on(jittery("raymond", 9), tree, 3), variant_name);
        Rules::of(&document, 10, 60).map(|rules| (tree, rules))
    };
    ["line", "star", "binary", "k-ary:3", "random:4"].into_iter().map(rules).collect()
}

fn each(rules: &[(&str, Rules)]) -> String {
    rules.iter().map(|(tree, rules)| format!("{tree}: {rules}")).collect::<Vec<_>>().join("; ")
}

/// Checks the properties of the algorithm of the paper.
pub(super) fn rules() -> Measurement {
    let rules = on_trees("original")?;
    Ok(Finding {
        expected: "N = 9, delays of 0 … 9 T: on each tree all requests granted, no property violated".into(),
        measured: each(&rules),
        holds: rules.iter().all(|(_, rules)| rules.kept()),
    })
}

/// Negative control: a process that passes the PRIVILEGE on, although further requests wait in its queue, does not
/// send a REQUEST after it. The control holds if no process gets stuck.
pub(super) fn forgotten() -> Measurement {
    let rules = on_trees("no-further-request")?;
    Ok(Finding {
        expected: "without a REQUEST behind the PRIVILEGE: stuck".into(),
        measured: each(&rules),
        holds: rules.iter().all(|(_, rules)| rules.stuck == 0),
    })
}

/// Balanced trees: number of processes, and number of branches of each inner node.
const BALANCED: [(u32, u32); 6] = [(10, 2), (1_000, 2), (1_000, 10), (100_000, 2), (100_000, 10), (1_000_000, 10)];
/// Number of random entries at light load.
const DRAWN: u64 = 3_000;

/// Measures three cases: random processes enter one after the other, all of ten processes request, and the process
/// with the privilege enters alone.
pub(super) fn cost() -> Measurement {
    let mut measured = Vec::new();
    let mut holds = true;
    for (nodes, branches) in BALANCED {
        let (messages, exact) = light_load(nodes, branches)?;
        let [mean, expected] = [ratio(messages, DRAWN), 2.0 * mean_distance(nodes, branches)];
        measured.push(format!("{branches}-ary of {nodes}: {messages} ({exact}), mean {mean:.3} ({expected:.3})"));
        holds &= messages == exact && is_about(mean, expected);
    }
    for tree in ["line", "star", "binary", "random:4"] {
        let busy = run(&Simulation { warm_up: 100, ..simulation(on(heavy("raymond", 10), tree, 0), 3_100)? })?;
        let mean = metrics(&busy)?.messages_per_entry.unwrap_or_default();
        measured.push(format!("heavy on a {tree} of 10: {mean:.3}"));
        holds &= is_about(mean, 3.6);
    }
    let alone = simulate(only(heavy("raymond", 10), &[0]), 1_000)?.messages;
    Ok(Finding {
        expected: format!(
            "{DRAWN} drawn entries in turn: twice the sum of the distances, to the message (in brackets), on average \
             twice the mean distance in the tree within 2 %; heavy load, constant latency: 4(N−1)/N = 3.6; P0, the \
             holder, alone, 1000 entries: only the N−1 = 9 INITIALIZE"
        ),
        measured: format!("{}; alone {alone}", measured.join("; ")),
        holds: holds && alone == 9,
    })
}

/// Returns the number of messages of random entries, without the initial flood. Also returns twice the sum of the
/// distances between the processes of consecutive entries.
fn light_load(nodes: u32, branches: u32) -> Result<(u64, u64), CouldNotRun> {
    let mut holder = 0;
    let mut exact = 0;
    let mut script = Vec::new();
    for turn in 0..DRAWN {
        let node = u32::try_from(draw(&[u64::from(nodes), turn]) % u64::from(nodes)).unwrap_or_default();
        exact += 2 * distance(holder, node, branches);
        holder = node;
        script.push(acquire(1_000 * (turn + 1), node, Some(1)));
    }
    let document = on(idle("raymond", nodes), &format!("k-ary:{branches}"), 0);
    let report = run(&Simulation { watch: Watch::Nothing, ..scripted(document, script)? })?;
    Ok((report.messages.saturating_sub(u64::from(nodes - 1)), exact))
}

/// Returns the distance of two nodes in the tree in which the parent of node i > 0 is (i − 1) / k.
fn distance(mut one: u32, mut other: u32, branches: u32) -> u64 {
    let mut edges = 0;
    while one != other {
        let deeper = if one > other { &mut one } else { &mut other };
        *deeper = (*deeper - 1) / branches;
        edges += 1;
    }
    edges
}

/// Returns the mean distance over all pairs of nodes, including pairs of equal nodes. An edge that splits the tree
/// into s and N − s nodes is on 2s(N − s) of N² paths.
fn mean_distance(nodes: u32, branches: u32) -> f64 {
    let mut sizes = vec![1_u32; NodeId::all(nodes).len()];
    let mut sum = 0.0;
    for node in (1..nodes).rev() {
        let size = sizes[NodeId(node).index()];
        sizes[NodeId((node - 1) / branches).index()] += size;
        sum += 2.0 * f64::from(size) * f64::from(nodes - size);
    }
    sum / f64::from(nodes).powi(2)
}

#[expect(clippy::cast_precision_loss, reason = "counts of a run")]
pub(super) const fn ratio(count: u64, of: u64) -> f64 {
    count as f64 / of as f64
}

/// Checks HOLDER of each process after the initial flood of INITIALIZE. No process requests, and INITIALIZE takes 0 …
/// 9 T.
pub(super) fn flood() -> Measurement {
    holders("original", "every HOLDER is the neighbour on the way to the privilege, after N−1 = 8 INITIALIZE")
}

/// Negative control: the same initial flood, but a process sets HOLDER to a wrong neighbour, from which it has not
/// received INITIALIZE.
pub(super) fn misdirected() -> Measurement {
    holders("misdirected", "HOLDER set to the last neighbour: somewhere not")
}

fn holders(variant_name: &str, expected: &str) -> Measurement {
    let mut measured = Vec::new();
    let mut holds = true;
    for (shape, privileged) in TREES {
        let mut document = variant(on(idle("raymond", 9), shape, privileged), variant_name);
        document["network"]["delay"] = json!("uniform:0..9");
        let report = run(&Simulation { watch: Watch::Events, ..scripted(document, Vec::new())? })?;
        let mut found = vec![None; 9];
        for event in &report.events {
            if let (Some(node), Some(mut view)) = (event.node(), view(event)) {
                found[node.index()] = view.variables.remove("HOLDER");
            }
        }
        let wanted = towards(shape, NodeId(privileged))?;
        let right = found.iter().zip(&wanted).filter(|(found, wanted)| found.as_ref() == Some(wanted)).count();
        measured.push(format!("{shape}: {right} of 9 with {}", report.messages));
        holds &= (right, report.messages) == (9, 8);
    }
    Ok(Finding { expected: expected.into(), measured: measured.join(", "), holds })
}

/// Measures the delays of nine processes on a line. A process at one end has the privilege. Each other process
/// requests alone: first while the critical section is free, and then while the process at the end is in the
/// section.
pub(super) fn delays() -> Measurement {
    let alone = |node| {
        let report = run(&scripted(on(idle("raymond", 9), "line", 0), vec![acquire(50, node, Some(1))])?)?;
        Ok(metrics(&report)?.client_delay.max)
    };
    let behind = |node| {
        let script = vec![acquire(50, 0, Some(50)), acquire(60, node, Some(1))];
        let report = run(&scripted(on(idle("raymond", 9), "line", 0), script)?)?;
        Ok(metrics(&report)?.synchronisation_delay.max)
    };
    let client = (1..9).map(alone).collect::<Result<Vec<_>, CouldNotRun>>()?;
    let synchronisation = (1..9).map(behind).collect::<Result<Vec<_>, CouldNotRun>>()?;
    let times = |factor: u32| (1..9).map(|distance| Some(f64::from(factor * distance))).collect::<Vec<_>>();
    let three = line_of_three("original")?;
    Ok(Finding {
        expected:
            "line of 9, T = 1, distance d = 1 … 8: client delay 2d, synchronisation delay d; line of 3, P0 inside, \
                   P2 asks, then P1: all 3 enter"
                .into(),
        measured: format!("{}; {}; {} enter", numbers(&client), numbers(&synchronisation), three.entries),
        holds: client == times(2) && synchronisation == times(1) && three.entries == 3 && three.violations.is_empty(),
    })
}

fn numbers(delays: &[Option<f64>]) -> String {
    delays.iter().map(|delay| delay.map_or("none".into(), |delay| delay.to_string())).collect::<Vec<_>>().join(" ")
}

/// Runs three processes on a line, of which P0 is in the critical section. P2 requests through P1, and then P1
/// requests for itself.
fn line_of_three(variant_name: &str) -> Result<Report, CouldNotRun> {
    let script = vec![acquire(10, 0, Some(50)), acquire(20, 2, Some(1)), acquire(30, 1, Some(1))];
    run(&scripted(variant(on(idle("raymond", 3), "line", 0), variant_name), script)?)
}

/// Negative control: the code of the lectures, executed literally. The control holds if no process gets stuck.
pub(super) fn literally() -> Measurement {
    let report = line_of_three("no-further-request")?;
    Ok(Finding {
        expected: "no REQUEST behind the PRIVILEGE: 2 enter, then stuck".into(),
        measured: format!("{} enter, {}", report.entries, if report.is_stuck() { "stuck" } else { "not stuck" }),
        holds: report.entries == 3 || !report.is_stuck(),
    })
}
