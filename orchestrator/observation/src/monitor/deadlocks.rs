//! Monitor of deadlocks, and of the reports by processes that detect deadlocks.
//!
//! A cycle of waits ([`WaitForGraph`]) is a deadlock if nothing ends it. If no process gives up and no lease expires,
//! the monitor reports it at once. Some algorithms make a process give up, or take back a lock whose lease has
//! expired. A cycle may then last for as long as that takes. The monitor reports it when nothing can move, or when it
//! has lasted longer than [`Deadlocks::patience_us`]. If the algorithm exists only in users' own programs, the
//! monitor does not know what ends a cycle, or how long that takes. It then reports a cycle when nothing can move.
//!
//! A process that reports a cycle ([`What::Reported`]) is right if the cycle exists. The report may be late: the
//! cycle existed a while ago and has been broken since. Or the report is a phantom: the cycle never existed, and its
//! victim gives up for nothing. The monitor reports both late reports and phantoms, since a victim loses the work
//! that it has done. But both are the price of detection with message delays, and no algorithm promises to avoid
//! them: see [`is_about_detection`]. For a phantom the monitor names the processes of the cycle that have given up
//! since the victim began to wait. Messages about their ended waits may still be in transit, and a detector may
//! combine these waits with later ones.

use std::collections::VecDeque;

use super::finding::{Finding, finding, names};
use super::interventions::Interventions;
use crate::state::{Capacities, State, WaitEdge, WaitForGraph};
use interlock_algorithm::catalogue::{self, conduct};
use interlock_algorithm::conduct::Detection;
use interlock_algorithm::range::{Pace, Times};
use interlock_algorithm::{Configuration, FlatMap, NodeId, Range, Ticks};
use interlock_model::event::{Event, Violation, What};
use interlock_model::specification::Specification;

/// The name of this monitor.
pub const NAME: &str = "deadlocks";

finding! {
    /// Processes wait for each other in a cycle. Arguments: `circle`, a list of edges: the waiting `node`, the
    /// `lock`, and the holder `on` which it waits.
    pub const CYCLE = "cycle";
    Cycle { circle: Vec<WaitEdge> } => format!("Deadlock: {}. All four conditions hold: {CONDITIONS}.", waits(circle))
}

finding! {
    /// A process reports a cycle that never existed. Arguments: `node` (the reporting process), `cycle`, `victim`,
    /// `gave_up` (the processes of the cycle that have given something up since the victim began to wait).
    pub const PHANTOM = "phantom-deadlock";
    Phantom { node: NodeId, cycle: Vec<NodeId>, victim: NodeId, #[serde(default)] gave_up: Vec<NodeId> } => {
        let circle = names(cycle);
        let why = if gave_up.is_empty() { String::new() } else { format!(": {} had already given up", names(gave_up)) };
        format!("{node} reports a deadlock of {circle} that never existed, and {victim} must give up needlessly{why}.")
    }
}

finding! {
    /// A process reports a cycle that was already broken. Arguments: `node` (the reporting process), `cycle`,
    /// `victim`.
    pub const LATE = "late-report";
    LateReport { node: NodeId, cycle: Vec<NodeId>, victim: NodeId } => {
        let circle = names(cycle);
        format!("{node} reports a deadlock of {circle} that was already broken, and {victim} must give up as well.")
    }
}

/// The four conditions that are necessary for a deadlock (Coffman, Elphick and Shoshani 1971).
const CONDITIONS: &str = "mutual exclusion, hold and wait, no preemption, circular wait";

/// Describes the waits of a cycle in words.
pub(super) fn waits(circle: &[WaitEdge]) -> String {
    let wait = |WaitEdge { node, lock, on }: &WaitEdge| format!("{node} waits for lock {lock}, held by {on}");
    circle.iter().map(wait).collect::<Vec<_>>().join("; ")
}

/// The parameter that sets the length of a lease.
const LEASE: &str = "lease";
/// Maximum number of broken cycles that are remembered.
const MOST_BROKEN: usize = 1_000;

/// Returns whether a violation is about mistaken detection, and not about a property that the algorithm promises.
#[must_use]
pub fn is_about_detection(violation: &Violation) -> bool {
    *violation.monitor == *NAME && [PHANTOM, LATE].contains(&&*violation.code)
}

/// The monitor of the wait-for graph.
#[derive(Debug)]
pub struct Deadlocks {
    graph: WaitForGraph,
    /// Whether cycles and reports of cycles are possible. They are not with one exclusive lock: a waiting process
    /// then holds nothing.
    is_watched: bool,
    /// Whether the catalogue knows what ends a cycle of this algorithm.
    is_known: bool,
    /// Whether something ends every cycle: a process gives up, or a lease runs out.
    ends: bool,
    nodes: u64,
    /// Time that a report, or the end of a lease, may take beyond the delays of the messages.
    period_us: Ticks,
    standing: Vec<Standing>,
    /// Cycles that existed until recently, with the time at which each was broken.
    broken: VecDeque<(Vec<NodeId>, u64)>,
    /// The event with which each node last gave up.
    gave_up: FlatMap<NodeId, u64>,
}

/// A cycle of waits that exists now.
#[derive(Debug)]
struct Standing {
    circle: Vec<WaitEdge>,
    since_us: u64,
    told: bool,
}

/// Returns whether a variant takes back what it has granted once a lease has expired.
fn has_leases(Specification { algorithm, variant, .. }: &Specification) -> bool {
    let assumes = catalogue::assumptions(algorithm, variant);
    assumes.is_some_and(|assumes| assumes.time_outs.iter().any(|time_out| time_out.parameter == LEASE))
}

/// Returns whether processes report cycles, as far as the catalogue knows.
fn may_report(algorithm: &str) -> bool {
    catalogue::find(algorithm).map_or(true, |entry| entry.conduct.detection != Detection::None)
}

/// Returns the sum of the periods after which processes report, and of the length of a lease; 0 if there are none.
fn period_us(specification: &Specification) -> Ticks {
    let configuration = specification.configuration();
    let Ok(in_force) = catalogue::parameters_in_force(&configuration) else { return 0 };
    let Ok(entry) = catalogue::find(&specification.algorithm) else { return 0 };
    let in_force = Configuration { parameters: &in_force, ..configuration };
    let leased = has_leases(specification);
    let periods = entry.parameters.iter().filter(|parameter| {
        matches!(parameter.range, Range::Time(_, Pace::Again)) || leased && parameter.name == LEASE
    });
    periods.filter_map(|parameter| in_force.time_parameter(parameter.name, Times::ANY.all()).ok().flatten()).sum()
}

impl Deadlocks {
    /// Returns the monitor of a run, before the first event.
    #[must_use]
    pub fn new(specification: &Specification) -> Self {
        let Specification { algorithm, variant, nodes, .. } = specification;
        Self {
            graph: WaitForGraph::new(specification),
            is_watched: specification.locks > 1
                || !Capacities::of(specification).are_exclusive()
                || may_report(algorithm),
            is_known: *algorithm != *catalogue::OWN.name,
            ends: conduct(algorithm).aborts.contains(&variant.as_str()) || has_leases(specification),
            nodes: u64::from(*nodes),
            period_us: period_us(specification),
            standing: Vec::new(),
            broken: VecDeque::new(),
            gave_up: FlatMap::new(),
        }
    }

    /// Returns the longest time for which a cycle may last if something ends it, in microseconds. In this time the
    /// last request arrives, the processes learn which of them wait, and the victim learns that it must give up. This
    /// takes a hop for each node, twice in the worst order. The period of a report, or the length of a lease, is
    /// added.
    #[must_use]
    pub const fn patience_us(&self, interventions: &Interventions) -> u64 {
        let hops = self.nodes.saturating_mul(2).saturating_add(4);
        interventions.longest_us().saturating_mul(hops).saturating_add(self.period_us)
    }

    /// Processes the next event.
    pub fn observe(&mut self, event: &Event, interventions: &Interventions, found: &mut Vec<Violation>) {
        if !self.is_watched {
            return;
        }
        match &event.what {
            What::Reported { at, cycle, victim } => {
                found.extend(self.judge(at.node, cycle, *victim, event, interventions));
            }
            What::Commanded { .. }
            | What::Requested { .. }
            | What::Entered { .. }
            | What::Exited { .. }
            | What::Expired { .. }
            | What::Crashed { .. } => self.moved(event),
            What::Aborted { at, .. } => {
                self.gave_up.insert(at.node, event.seq);
                self.moved(event);
            }
            _ => {}
        }
        if self.is_known && !self.standing.is_empty() {
            self.tell_overdue(event, interventions, found);
        }
    }

    fn moved(&mut self, event: &Event) {
        let is_news = self.graph.apply(event);
        let (graph, broken) = (&self.graph, &mut self.broken);
        self.standing.retain(|standing| {
            let stands = standing.circle.iter().all(|edge| graph.stands(*edge));
            if !stands {
                broken.push_back((nodes(&standing.circle), event.at_us));
                if broken.len() > MOST_BROKEN {
                    broken.pop_front();
                }
            }
            stands
        });
        if let Some(circle) = event.node().filter(|_| is_news).and_then(|node| self.graph.deadlock_of(node))
            && !self.standing.iter().any(|standing| nodes(&standing.circle) == nodes(&circle))
        {
            self.standing.push(Standing { circle, since_us: event.at_us, told: false });
        }
    }

    fn tell_overdue(&mut self, event: &Event, interventions: &Interventions, found: &mut Vec<Violation>) {
        let patience_us = self.patience_us(interventions);
        for standing in self.standing.iter_mut().filter(|standing| !standing.told) {
            if !self.ends || interventions.outlasts(standing.since_us, event.at_us, patience_us) {
                standing.told = true;
                found.push(deadlock(&self.graph, &standing.circle));
            }
        }
    }

    /// Reports the cycles that exist when nothing can move. Call it between steps.
    pub fn settle(&mut self, state: &State, pending_inputs: usize, found: &mut Vec<Violation>) {
        if self.standing.iter().all(|standing| standing.told) || state.standstill(pending_inputs).is_none() {
            return;
        }
        for standing in self.standing.iter_mut().filter(|standing| !standing.told) {
            standing.told = true;
            found.push(deadlock(&self.graph, &standing.circle));
        }
    }

    fn judge(
        &mut self,
        node: NodeId,
        cycle: &[NodeId],
        victim: NodeId,
        event: &Event,
        interventions: &Interventions,
    ) -> Option<Violation> {
        let patience_us = self.patience_us(interventions);
        while self.broken.front().is_some_and(|(_, at_us)| interventions.outlasts(*at_us, event.at_us, patience_us)) {
            self.broken.pop_front();
        }
        let reported = turned(cycle.to_vec());
        // A process that waits for several locks is in several cycles. The monitor follows only one of them, a
        // shortest one.
        let is_watched = || self.standing.iter().any(|standing| nodes(&standing.circle) == reported);
        if is_watched() || self.graph.wait_in_circle(&reported) {
            return None;
        }
        let is_late = self.broken.iter().any(|(circle, _)| *circle == reported);
        Some(if is_late {
            LateReport { node, cycle: cycle.to_vec(), victim }.violation([event.seq])
        } else {
            let gave_up = self.gave_up_meanwhile(cycle, victim);
            Phantom { node, cycle: cycle.to_vec(), victim, gave_up }.violation([event.seq])
        })
    }

    /// Returns the processes of a cycle that have given up since the victim began to wait, in ascending order.
    fn gave_up_meanwhile(&self, cycle: &[NodeId], victim: NodeId) -> Vec<NodeId> {
        let Some(since) = self.graph.waits_since(victim) else { return Vec::new() };
        let gave_up = self.gave_up.iter().filter(|(node, seq)| cycle.contains(node) && **seq > since);
        gave_up.map(|(node, _)| *node).collect()
    }
}

/// Returns the processes of a cycle in its order, starting with the lowest.
fn nodes(circle: &[WaitEdge]) -> Vec<NodeId> {
    turned(circle.iter().map(|edge| edge.node).collect())
}

fn turned(mut circle: Vec<NodeId>) -> Vec<NodeId> {
    let lowest = (0..circle.len()).min_by_key(|&place| circle[place]).unwrap_or(0);
    circle.rotate_left(lowest);
    circle
}

fn deadlock(graph: &WaitForGraph, circle: &[WaitEdge]) -> Violation {
    Cycle { circle: circle.to_vec() }.violation(graph.asked(circle))
}
