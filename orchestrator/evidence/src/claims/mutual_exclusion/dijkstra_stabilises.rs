//! Dijkstra's ring from any initial configuration, by exploration of all schedules.

use std::cell::RefCell;

use interlock_algorithm::mutual_exclusion::dijkstra_ring::DijkstraRing;
use interlock_algorithm::{Algorithm, FlatMap, NodeId, Participant, Value};
use interlock_exploration::{
    Beginning, Daemon, Environment, Exploration, Explored, Property, Row, Stabilisation, Strategy, TimerPolicy, Verdict,
};
use serde_json::json;

use super::super::simulated::specification;
use super::{CouldNotRun, Finding, Measurement};

/// Maximum number of states. The exploration of a larger ring takes too long.
const MOST_STATES: u64 = 8_000_000;
/// Properties of a ring that starts in the usual initial state.
const RULES: &[Property] =
    &[Property::OnePrivilege, Property::Closure, Property::MutualExclusion, Property::NobodyStuck, Property::WayOut];

/// A ring of `nodes` processes, each of which has `k` states.
#[derive(Clone, Copy)]
struct Ring {
    variant: &'static str,
    nodes: u32,
    k: u32,
}

impl Ring {
    const fn composite(nodes: u32, k: u32) -> Self {
        Self { variant: "composite", nodes, k }
    }

    fn exploration(self, environment: Environment, properties: &[Property]) -> Result<Exploration, CouldNotRun> {
        let Self { variant, nodes, k } = self;
        let parameters = json!({ "k": k });
        let document = json!({
            "algorithm": "dijkstra-ring", "variant": variant, "nodes": nodes, "seed": 1, "parameters": parameters,
        });
        let specification = specification(document)?;
        Ok(Exploration { specification, environment, properties: properties.to_vec(), strategy: Strategy::default() })
    }

    fn explore(self, environment: Environment, properties: &[Property]) -> Result<Explored, CouldNotRun> {
        let exploration = self.exploration(environment, properties)?;
        let explored = exploration.run(|progress| progress.states <= MOST_STATES).map_err(CouldNotRun::because)?;
        if explored.verdict == Verdict::Unfinished {
            let states = explored.progress.states;
            return Err(CouldNotRun::because(format!(
                "n = {}, k = {}: {states} states and no end",
                self.nodes, self.k
            )));
        }
        Ok(explored)
    }

    /// Explores all schedules from every configuration, without requests.
    fn stabilises(self, daemon: Daemon) -> Result<Explored, CouldNotRun> {
        let beginning = Beginning::Arbitrary { contents: 0 };
        let environment = Environment { beginning, daemon, ..Environment::faultless(true, 0) };
        self.explore(environment, &Property::STABILISATION)
    }
}

/// Describes the result in words: the number of states that satisfy the properties, or the violated property and the
/// number of steps.
fn in_words(explored: &Explored) -> String {
    let states = explored.progress.states;
    match &explored.verdict {
        Verdict::Holds => format!("holds in {states} states"),
        Verdict::Shown { property, table } => match table.again {
            Some(again) => format!("{} broken: a cycle of {} steps", property.name(), table.rows.len() - 1 - again),
            None => format!("{} broken after {} steps", property.name(), table.rows.len() - 1),
        },
        Verdict::Violated { property, .. } => format!("{} broken", property.name()),
        Verdict::Unfinished => format!("no end after {states} states"),
    }
}

/// Explores rings whose flags are all zero at the start. In some rings, steps are composite, without or with requests.
/// In another ring, processes send their flags in messages.
pub(super) fn one_privilege() -> Measurement {
    let rounds = (2..=6).map(goes_round).collect::<Result<Vec<_>, _>>()?;
    let asked = Ring::composite(4, 5).explore(Environment::faultless(true, 2), RULES)?;
    let told = by_messages(true, RULES)?;
    let turns: Vec<String> = rounds.iter().map(ToString::to_string).collect();
    Ok(Finding {
        expected:
            "composite, no process asks, n = 2 … 6, k = n+1: n·k configurations in a cycle, each with one privileged, \
             in turn 0 … n−1; n = 4, all ask twice; n = 3 by messages in order, all ask once: holds"
                .into(),
        measured: format!("{} configurations; {}; {}", turns.join(", "), in_words(&asked), in_words(&told)),
        holds: rounds == [6, 12, 20, 30, 42] && [asked, told].iter().all(|found| found.verdict == Verdict::Holds),
    })
}

/// Negative control: a ring that starts in another configuration, and a ring in which messages overtake each other.
pub(super) fn two_privileges() -> Measurement {
    let beginning = Beginning::States(vec![0, 1, 0, 1]);
    let environment = Environment { beginning, ..Environment::faultless(true, 0) };
    let elsewhere = Ring::composite(4, 5).explore(environment, &[Property::OnePrivilege])?;
    let overtaken = by_messages(false, &[Property::MutualExclusion])?;
    Ok(Finding {
        expected: "n = 4 from 0101, and n = 3 by messages that overtake: not so".into(),
        measured: format!("{}; {}", in_words(&elsewhere), in_words(&overtaken)),
        holds: elsewhere.verdict == Verdict::Holds || overtaken.verdict == Verdict::Holds,
    })
}

/// Explores three processes that request once each. Each process may send its flag again at any time, and each
/// link holds at most two messages.
fn by_messages(fifo: bool, properties: &[Property]) -> Result<Explored, CouldNotRun> {
    let timers = TimerPolicy::Always;
    let environment = Environment { room: Some(2), timers, ..Environment::faultless(fifo, 1) };
    Ring { variant: "message-passing", nodes: 3, k: 6 }.explore(environment, properties)
}

/// Follows a ring from the configuration in which all flags are zero, until a configuration repeats. Each
/// configuration must have exactly one successor and one privileged process, and the privilege must move in the order
/// of the ring. Returns the number of configurations, or 0 if a condition is not met.
fn goes_round(nodes: u32) -> Result<u64, CouldNotRun> {
    let exploration = Ring::composite(nodes, nodes + 1).exploration(Environment::faultless(true, 0), RULES)?;
    let setting = DijkstraRing::configure(&exploration.specification.configuration()).map_err(CouldNotRun::because)?;
    let shown = RefCell::new(Vec::new());
    let look = |ring: &[&Participant<DijkstraRing>]| {
        let is_privileged = |(me, process): &(NodeId, &&Participant<DijkstraRing>)| {
            process.state().is_some_and(|state| state.is_privileged(&setting, *me))
        };
        let privileged = NodeId::all(nodes).zip(ring).filter(is_privileged).map(|(me, _)| me);
        shown.borrow_mut().push(privileged.collect::<Vec<_>>());
    };
    let explored = exploration.run_with(&setting, Some(&look), &mut |_| true).map_err(CouldNotRun::because)?;
    let in_turn = (0..nodes).cycle().zip(shown.borrow().iter()).all(|(next, privileged)| *privileged == [NodeId(next)]);
    let circle = explored.progress.states == explored.progress.transitions && explored.verdict == Verdict::Holds;
    if in_turn && circle { Ok(explored.progress.states) } else { Ok(0) }
}

/// Numbers of processes for which the smallest number of states is determined.
const SIZES: std::ops::RangeInclusive<u32> = 3..=6;

/// Returns the smallest number of states with which a ring stabilises, if there is one. The ring must also stabilise
/// with every greater number up to n+1; otherwise the function returns `None`.
fn smallest_number(nodes: u32, daemon: Daemon) -> Result<Option<u32>, CouldNotRun> {
    let mut smallest = None;
    for k in (2..=nodes + 1).rev() {
        match Ring::composite(nodes, k).stabilises(daemon)?.verdict {
            Verdict::Holds if smallest.is_none_or(|smallest| smallest == k + 1) => smallest = Some(k),
            // The ring stabilises with k states but not with k + 1, so no smallest number exists.
            Verdict::Holds => return Ok(None),
            _ => {}
        }
    }
    Ok(smallest)
}

/// Explores rings with each number of states k, from each of the kⁿ configurations.
pub(super) fn smallest_numbers() -> Measurement {
    let all = |daemon| SIZES.map(|nodes| smallest_number(nodes, daemon)).collect::<Result<Vec<_>, _>>();
    let (central, distributed) = (all(Daemon::Central)?, all(Daemon::Distributed)?);
    let expected = |less: u32| SIZES.map(|nodes| Some(nodes - less)).collect::<Vec<_>>();
    let list = |found: &[Option<u32>]| {
        let words: Vec<String> = found.iter().map(|k| k.map_or("none".to_owned(), |k| k.to_string())).collect();
        words.join(", ")
    };
    Ok(Finding {
        expected: "n = 3, 4, 5, 6, all kⁿ configurations, k = 2 … n+1: with k = n+1 it stabilises, whoever moves; the \
                   smallest k is n−1 where one moves at a time and n where any set does"
            .into(),
        measured: format!("one at a time {}; any set {}", list(&central), list(&distributed)),
        holds: central == expected(1) && distributed == expected(0),
    })
}

/// Negative control: rings with one state fewer than the smallest number. The case n = 3 with the central daemon is
/// omitted, because a ring with one state does not exist.
pub(super) fn one_too_few() -> Measurement {
    let mut found = Vec::new();
    for (daemon, less) in [(Daemon::Central, 2), (Daemon::Distributed, 1)] {
        for nodes in SIZES.filter(|nodes| nodes - less >= 2) {
            let explored = Ring::composite(nodes, nodes - less).stabilises(daemon)?;
            found.push((format!("n = {nodes}, k = {}: {}", nodes - less, in_words(&explored)), explored.verdict));
        }
    }
    let words: Vec<&str> = found.iter().map(|(words, _)| &**words).collect();
    Ok(Finding {
        expected: "with one state less, a cycle with more than one privilege".into(),
        measured: words.join("; "),
        holds: found.iter().any(|(_, verdict)| *verdict == Verdict::Holds),
    })
}

/// The configurations in the example of the lectures, including the configuration that the lectures omit.
const ROWS: [&str; 8] = ["0101", "0010", "1001", "0100", "1010", "1101", "0110", "1011"];

/// Follows a ring of four processes from the configuration 0101. In each step, all privileged processes move at
/// the same time.
pub(super) fn eight_rows() -> Measurement {
    all_at_once(2)
}

/// Negative control: the same ring with as many states as processes.
pub(super) fn no_eight_rows() -> Measurement {
    all_at_once(4)
}

fn all_at_once(k: u32) -> Measurement {
    let beginning = Beginning::States(vec![0, 1, 0, 1]);
    let environment = Environment { beginning, daemon: Daemon::Synchronous, ..Environment::faultless(true, 0) };
    let explored = Ring::composite(4, k).explore(environment, &Property::STABILISATION)?;
    let (rows, privileges) = match &explored.verdict {
        Verdict::Shown { table, .. } if table.again == Some(0) => {
            let round = &table.rows[..table.rows.len() - 1];
            (round.iter().map(flags).collect(), round.iter().filter_map(|row| row.privileges).collect())
        }
        _ => (Vec::new(), Vec::new()),
    };
    Ok(Finding {
        expected: format!("n = 4, k = {k}, from 0101: {} and round again, 3 privileges in each", ROWS.join(", ")),
        measured: format!("{}: {}, privileges {privileges:?}", in_words(&explored), rows.join(", ")),
        holds: rows == ROWS && privileges == [3; 8],
    })
}

/// Returns the flags of a configuration as one text.
fn flags(row: &Row) -> String {
    let flag = |variables: &FlatMap<String, Value>| match variables.get("flag") {
        Some(Value::Number(flag)) => flag.to_string(),
        _ => "?".to_owned(),
    };
    row.processes.iter().map(|view| flag(&view.variables)).collect()
}

/// Returns the maximum number of moves until exactly one process is privileged. Processes move one at a time.
fn most(nodes: u32, k: u32) -> Result<Option<u32>, CouldNotRun> {
    let stabilisation = Ring::composite(nodes, k).stabilises(Daemon::Central)?.measured.stabilisation;
    Ok(stabilisation.and_then(|Stabilisation { most_steps, .. }| most_steps))
}

/// Returns the maximum number of moves according to the closed formula, for n ≥ 4.
const fn formula(nodes: u32) -> u32 {
    3 * nodes * (nodes - 1) / 2 - nodes - 1
}

/// Measures the maximum number of moves over all initial configurations, with k = n.
pub(super) fn most_moves() -> Measurement {
    compared((4..=7).map(|nodes| (nodes, nodes)))
}

/// Negative control: the ring has too few states to stabilise, so the number of moves is unbounded.
pub(super) fn no_bound() -> Measurement {
    compared((4..=5).map(|nodes| (nodes, nodes - 2)))
}

fn compared(rings: impl Iterator<Item = (u32, u32)>) -> Measurement {
    let (mut measured, mut holds) = (Vec::new(), true);
    for (nodes, k) in std::iter::once((3, 3)).chain(rings) {
        let most = most(nodes, k)?;
        let words = most.map_or("no greatest number".to_owned(), |most| most.to_string());
        measured.push(format!("n = {nodes}, k = {k}: {words}"));
        holds &= most == Some(if nodes == 3 { 2 } else { formula(nodes) });
    }
    Ok(Finding {
        expected: "one at a time, from all kⁿ configurations: 3n(n−1)/2 − n − 1 moves from n = 4 on, that is 13, 24, \
                   38, 55; n = 3 is an exception with 2"
            .into(),
        measured: measured.join("; "),
        holds,
    })
}

/// Message-passing rings: number of processes, and capacity of each link.
const TOLD: [(u32, u8); 3] = [(2, 1), (2, 2), (3, 1)];

/// Returns the number of variables of a message-passing ring, minus one. Each process has one flag, and each link
/// contains as many flags as it can hold.
fn told_number(nodes: u32, room: u8) -> u32 {
    nodes * (u32::from(room) + 1) - 1
}

/// Explores a message-passing ring from arbitrary flags, copies of flags and link contents. Flags may be sent again
/// at any time, and no process requests.
fn told(nodes: u32, room: u8, k: u32) -> Result<Explored, CouldNotRun> {
    let beginning = Beginning::Arbitrary { contents: room };
    let timers = TimerPolicy::Always;
    let environment = Environment { beginning, room: Some(room), timers, ..Environment::faultless(true, 0) };
    Ring { variant: "message-passing", nodes, k }.explore(environment, &Property::STABILISATION)
}

/// Explores message-passing rings that have one state fewer than variables. These rings stabilise.
pub(super) fn told_enough() -> Measurement {
    told_with(0)
}

/// Negative control: explores message-passing rings that have two states fewer than variables.
pub(super) fn told_too_few() -> Measurement {
    told_with(1)
}

fn told_with(less: u32) -> Measurement {
    let (mut measured, mut holds) = (Vec::new(), true);
    for (nodes, room) in TOLD {
        let k = told_number(nodes, room) - less;
        let explored = told(nodes, room, k)?;
        measured.push(format!("n = {nodes}, {room} on a link, k = {k}: {}", in_words(&explored)));
        holds &= explored.verdict == Verdict::Holds;
    }
    Ok(Finding {
        expected: "links that hold r messages, arbitrary ones at the beginning, n processes: every weakly fair \
                   schedule comes to one privilege and keeps it for k = n(r+1)−1, which is 2n−1 with one message, and \
                   not for less"
            .into(),
        measured: measured.join("; "),
        holds,
    })
}
