//! A case of the repair costs: a repair, a fault, a number of processes with their roles, and the scenario.

use interlock_algorithm::catalogue::{self, ENTRIES};
use interlock_algorithm::structure::coterie::Coterie;
use interlock_algorithm::{Entry, NodeId};
use serde_json::{Map, Value, json};

use super::fault::{FAULTS, RepairedFault, regenerates};
use super::special::{Special, special};
use crate::matrix::{self, Contender};

/// Minimum number of processes: the holder, the waiting process, and one further process on each side of them.
pub const FEWEST: u32 = 4;
/// Maximum number of processes.
pub const MOST: u32 = 500;
/// Time between the entry of the holder and the fault, in units of time. All requests arrive within this time.
pub const SETTLED: u64 = 20;

/// The process in the critical section.
pub(super) const HOLDER: NodeId = NodeId(1);
/// The process that is the coordinator, the leader or the idle holder of the token, unless the case names another
/// process.
pub(super) const FIRST: NodeId = NodeId(0);
/// The mark in the scenario from which messages and time are counted.
pub(super) const MARK: &str = "fault";
/// Maximum wait for an entry. It exceeds every time-out.
const PATIENCE: &str = "20s";

/// Returns all repairs, with raw links and with a perfect failure detector or none. They are the repairs of the
/// fault matrix, and the repairs that only regenerate a lost token.
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

/// A fault and an algorithm that repairs it, with a number of processes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Case<'a> {
    pub contender: &'a Contender,
    pub fault: RepairedFault,
    pub nodes: u32,
}

impl Case<'_> {
    /// Returns the waiting process. It is neither the last process, which wins elections, nor a neighbour of the
    /// holder in a ring.
    pub const fn waiter(&self) -> NodeId {
        NodeId(self.nodes - 2)
    }

    /// Returns the process that crashes in the fault [`RepairedFault::CrashOfSpecial`]. Other processes depend on it.
    pub fn victim(&self) -> NodeId {
        match special(self.contender.entry) {
            Some(Special::Arbiter) => self.arbiter(),
            _ => FIRST,
        }
    }

    /// Returns the first arbiter of the waiting process other than the waiting process itself.
    fn arbiter(&self) -> NodeId {
        let coterie = Coterie::grid(self.nodes);
        let others = coterie.set(self.waiter()).iter().copied().find(|node| *node != self.waiter());
        others.unwrap_or(FIRST)
    }

    /// Returns the scenario. If `comes` is true, the scenario contains the fault. Otherwise the holder, if there is
    /// one, leaves the critical section instead.
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

    /// Returns the steps before the fault. During the first step, a circulating token makes two rounds. If a process
    /// on which the others depend is going to crash, P0 enters and leaves the critical section first. Because of this
    /// entry, a leader has been elected before the fault.
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

    /// Returns whether a process is in the critical section when the fault occurs.
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
                // Of the two tokens, PING grants the entry.
                let kind = if self.contender.variant.name == "two-tokens" { "PING" } else { "TOKEN" };
                vec![json!({ "lose": kind })]
            }
        }
    }

    fn usual_steps(&self) -> Vec<Value> {
        if self.is_inside() { vec![json!({ "release": HOLDER })] } else { Vec::new() }
    }
}

/// Returns parameters that suppress periodic messages. Periodic messages are sent with and without a fault, so they
/// are not part of the cost.
fn rests(entry: &Entry) -> Map<String, Value> {
    let says_again = entry.parameters.iter().filter(|parameter| parameter.name == "period");
    says_again.map(|parameter| (parameter.name.to_owned(), json!("60s"))).collect()
}
