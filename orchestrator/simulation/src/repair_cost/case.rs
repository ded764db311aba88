//! A repair of a fault among so many processes: who is where, and the scenario.

use interlock_algorithm::catalogue::{self, ENTRIES};
use interlock_algorithm::structure::coterie::Coterie;
use interlock_algorithm::{Entry, NodeId};
use serde_json::{Map, Value, json};

use super::fault::{FAULTS, RepairedFault, regenerates};
use super::special::{Special, special};
use crate::matrix::{self, Contender};

/// The fewest processes: one in the section, one that waits, one that is neither on either side.
pub const FEWEST: u32 = 4;
/// The most processes.
pub const MOST: u32 = 500;
/// How long the holder has been inside when the fault comes, in units of time: all requests have arrived by then.
pub const SETTLED: u64 = 20;

/// Who is in the section.
pub(super) const HOLDER: NodeId = NodeId(1);
/// Who is the coordinator, the leader or the idle holder of the token where nobody is named.
pub(super) const FIRST: NodeId = NodeId(0);
/// The mark in the scenario at which costs begin to be counted.
pub(super) const MARK: &str = "fault";
/// For how long an entry is waited for: no time-out is longer.
const PATIENCE: &str = "20s";

/// All that repair something, over raw links, told of the dead at once or by nobody: those of the matrix, and those that make
/// anew a token that is lost and need nothing else for it, so that the matrix does not have them.
pub fn repairs() -> impl Iterator<Item = Contender> {
    let in_matrix = || matrix::contenders().filter(|row| row.channel == "raw" && row.detector != "heartbeat");
    let all = ENTRIES.iter().flat_map(|entry| entry.variants.iter().map(move |variant| (entry, variant)));
    let others = all.filter(|(_, variant)| variant.broken.is_none()).filter_map(|(entry, variant)| {
        let assumes = catalogue::assumptions(entry.name, variant.name)?;
        Some(Contender { entry, variant, assumes, channel: "raw", detector: "none" })
    });
    let is_new = move |one: &Contender| {
        !in_matrix().any(|row| (row.entry.name, row.variant.name) == (one.entry.name, one.variant.name))
    };
    let mut all: Vec<Contender> = in_matrix().chain(others.filter(regenerates).filter(is_new)).collect();
    all.retain(|contender| FAULTS.iter().any(|fault| fault.is_repaired_by(contender)));
    all.sort_by_key(|contender| contender.entry.name);
    all.into_iter()
}

/// A repair of a fault among so many processes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Case<'a> {
    pub contender: &'a Contender,
    pub fault: RepairedFault,
    pub nodes: u32,
}

impl Case<'_> {
    /// Who waits: neither the last, who wins elections, nor a neighbour of the holder in a ring.
    pub const fn waiter(&self) -> NodeId {
        NodeId(self.nodes - 2)
    }

    /// Who dies on whom the others depend.
    pub fn victim(&self) -> NodeId {
        match special(self.contender.entry) {
            Some(Special::Arbiter) => self.arbiter(),
            _ => FIRST,
        }
    }

    /// The first arbiter of who waits, but for itself.
    fn arbiter(&self) -> NodeId {
        let coterie = Coterie::grid(self.nodes);
        let others = coterie.set(self.waiter()).iter().copied().find(|node| *node != self.waiter());
        others.unwrap_or(FIRST)
    }

    /// The scenario in which the fault comes; or does not, and who is in the section leaves it.
    pub fn scenario(&self, comes: bool) -> Value {
        let Contender { entry, variant, assumes, channel, detector } = self.contender;
        let mut steps = self.before();
        steps.push(json!({ "mark": MARK }));
        steps.extend(if comes { self.fault_steps() } else { self.usual_steps() });
        steps.push(json!({ "wait": { "entered": { "node": self.waiter() } }, "within": PATIENCE }));
        json!({
            "name": format!("{}: {}", self.contender.name(), self.fault.words()),
            "algorithm": entry.name,
            "variant": variant.name,
            "nodes": self.nodes,
            "channel": channel,
            "detector": detector,
            "network": { "delay": "1ms", "fifo": assumes.fifo },
            "workload": { "nodes": [] },
            "parameters": rests(entry),
            "steps": steps,
            "expect": [{ "never": { "violation": "mutual-exclusion" } }],
            "stop": { "after": "60s", "when": "decided" },
        })
    }

    /// What is done until the fault: a token that goes round has been round twice; and where one dies on whom the others depend,
    /// the first has been in the section, so that a leader leads already.
    fn before(&self) -> Vec<Value> {
        let settle = || json!({ "sleep": format!("{SETTLED}ms") });
        let mut steps = vec![json!({ "sleep": format!("{}ms", 2 * self.nodes) })];
        if self.fault == RepairedFault::CrashOfSpecial {
            steps.push(json!({ "acquire": { "node": FIRST, "hold": "1ms" } }));
            steps.push(json!({ "wait": { "exited": { "node": FIRST } }, "within": PATIENCE }));
            steps.push(settle());
        }
        if self.is_inside() {
            steps.push(json!({ "acquire": HOLDER }));
            steps.push(json!({ "wait": { "entered": { "node": HOLDER } }, "within": PATIENCE }));
        }
        steps.push(json!({ "acquire": self.waiter() }));
        if self.is_inside() {
            steps.push(settle());
        }
        steps
    }

    /// Whether somebody is in the section when the fault comes.
    const fn is_inside(&self) -> bool {
        matches!(self.fault, RepairedFault::CrashOfHolder | RepairedFault::ReturnOfHolder)
    }

    fn fault_steps(&self) -> Vec<Value> {
        match self.fault {
            RepairedFault::CrashOfHolder => vec![json!({ "crash": HOLDER })],
            RepairedFault::ReturnOfHolder => {
                vec![json!({ "crash": HOLDER }), json!({ "restart": { "node": HOLDER, "state": "stored" } })]
            }
            RepairedFault::CrashOfSpecial => vec![json!({ "crash": self.victim() })],
            RepairedFault::LossOfToken => {
                // Of two tokens it is the one that lets in.
                let kind = if self.contender.variant.name == "two-tokens" { "PING" } else { "TOKEN" };
                vec![json!({ "lose": kind })]
            }
        }
    }

    fn usual_steps(&self) -> Vec<Value> {
        if self.is_inside() { vec![json!({ "release": HOLDER })] } else { Vec::new() }
    }
}

/// Parameters by which nothing is said again meanwhile that goes on whatever happens.
fn rests(entry: &Entry) -> Map<String, Value> {
    let says_again = entry.parameters.iter().filter(|parameter| parameter.name == "period");
    says_again.map(|parameter| (parameter.name.to_owned(), json!("60s"))).collect()
}
