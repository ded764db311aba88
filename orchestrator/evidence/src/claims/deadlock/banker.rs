//! The banker's algorithm.

use interlock_algorithm::deadlock::banker::safety::safe_order;
use interlock_algorithm::{NodeId, Value as Shown};
use serde_json::json;

use super::super::simulated::view;
use super::banker_example::{HELD, claims};
use super::measured::{ask, give, played};
use super::{Claim, Experiment, Finding, How, Measurement, Showing, banker_unsafe, live};
use interlock_model::event::Event;
use interlock_simulation::simulation::Report;

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "DLK-7",
        showings: &[
            Showing::of(How::Simulation, lecture).beside(Experiment::Alone(with_more)),
            Showing::of(How::Property, || Ok(compared(0))).beside(Experiment::Alone(|| Ok(compared(1)))),
            Showing::live(|playground| live::banker(playground, "6,3,4,2"))
                .beside(Experiment::Live(|playground| live::banker(playground, "6,3,5,2"))),
        ],
    },
    Claim {
        id: "DLK-8",
        showings: &[
            Showing::explored(banker_unsafe::cycle).beside(Experiment::Schedules(banker_unsafe::no_cycle)),
            Showing::of(How::Simulation, banker_unsafe::two_ends)
                .beside(Experiment::Alone(banker_unsafe::two_ends_with_banker)),
        ],
    },
];

fn lecture() -> Measurement {
    asked_with("6,3,4,2")
}

/// Negative control: there is one more unit of R3, so P5 does not wait.
fn with_more() -> Measurement {
    asked_with("6,3,5,2")
}

fn asked_with(existing: &str) -> Measurement {
    let document = json!({
        "algorithm": "banker", "nodes": 5, "seed": 1, "network": { "delay": "const:1" },
        "parameters": { "existing": existing, "claims": claims() },
    });
    let mut script = Vec::new();
    for (node, row) in (0_u32..).zip(HELD) {
        for (lock, units) in (0_u32..).zip(row) {
            for _ in 0..units {
                script.push(ask(10 * script.len() as u64, node, lock));
            }
        }
    }
    script.extend([ask(1_000, 1, 2), ask(2_000, 4, 2), ask(3_000, 3, 2)]);
    script.extend((0..4).map(|lock| give(4_000, 3, lock)));
    Ok(told(&played(document, script)?))
}

/// Returns the time of the last entry of a node, in units.
fn last_entry(report: &Report, node: u32) -> Option<u64> {
    let entered = report.events.iter().filter(|event| event.kind() == "entered");
    entered.filter(|event| event.node() == Some(NodeId(node))).map(|event| event.at_us / 1_000).next_back()
}

fn told(report: &Report) -> Finding {
    let shown = |event: &Event| view(event).and_then(|view| view.variables.get("safe_order").cloned());
    let after = |event: &&Event| (1_000_000..2_000_000).contains(&event.at_us) && event.node() == Some(NodeId(0));
    let order = report.events.iter().filter(after).filter_map(shown).next_back();
    let (second, fifth) = (last_entry(report, 1), last_entry(report, 4));
    Finding {
        expected:
            "P2 gets R3 at once (safe order 3, 4, 0, 2, 1 counted from 0); P5 only after P4 has finished, at 4000"
                .into(),
        measured: format!("P2 got it at {second:?}, the order being {order:?}; P5 at {fifth:?}"),
        holds: second.is_some_and(|time| (1_000..1_100).contains(&time))
            && order == Some(Shown::Numbers(vec![3, 4, 0, 2, 1]))
            && fifth.is_some_and(|time| time >= 4_000),
    }
}

/// Compares the safety check with a search over all orders, for 10,000 small tables. The safety check receives
/// `more` units of each kind in addition to the existing units.
fn compared(more: u32) -> Finding {
    const TABLES: u64 = 10_000;
    let (mut safe, mut wrong) = (0, 0);
    for seed in 0..TABLES {
        let table = Table::drawn(seed);
        let free: Vec<u32> = table.free.iter().map(|units| units + more).collect();
        let found = safe_order(&free, &table.held, &table.needed).is_ok();
        let all: Vec<usize> = (0..table.held.len()).collect();
        safe += u64::from(found);
        wrong += u64::from(found != table.some_order_works(&table.free, &all));
    }
    Finding {
        expected: format!(
            "{TABLES} tables of up to 5 processes and 4 resources: always as a search over all orders says"
        ),
        measured: format!("{safe} safe, {} not; {wrong} not as the search says", TABLES - safe),
        holds: wrong == 0 && safe > 0 && safe < TABLES,
    }
}

/// A randomly drawn state whose safety is checked.
struct Table {
    free: Vec<u32>,
    held: Vec<Vec<u32>>,
    needed: Vec<Vec<u32>>,
}

impl Table {
    fn drawn(seed: u64) -> Self {
        let mut drawn = 0;
        let mut number = |low: u64, high: u64| {
            drawn += 1;
            let bits = interlock_machine::draw::draw(&[seed, drawn]);
            u32::try_from(interlock_machine::draw::evenly(bits, low, high)).unwrap_or(0)
        };
        let (processes, resources) = (number(1, 5), number(1, 4));
        let mut row = |_| (0..resources).map(|_| number(0, 3)).collect::<Vec<u32>>();
        let free = row(0);
        let held = (0..processes).map(&mut row).collect();
        Self { free, held, needed: (0..processes).map(row).collect() }
    }

    fn some_order_works(&self, free: &[u32], left: &[usize]) -> bool {
        left.is_empty()
            || left.iter().any(|&process| {
                let fits = self.needed[process].iter().zip(free).all(|(needed, free)| needed <= free);
                let after: Vec<u32> = free.iter().zip(&self.held[process]).map(|(free, held)| free + held).collect();
                let others: Vec<usize> = left.iter().copied().filter(|&other| other != process).collect();
                fits && self.some_order_works(&after, &others)
            })
    }
}
