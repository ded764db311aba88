//! Monitor of deadlocks, and of the reports by processes that detect deadlocks.
//!
//! A cycle of waits ([`WaitForGraph`]) is a deadlock if nothing ends the cycle. The monitor's report depends on the
//! algorithm:
//!
//! - If no process gives up and no lease expires, the monitor reports a cycle as soon as its waits count.
//! - In some algorithms a process gives up, or takes back a lock whose lease has expired, and thereby ends the
//!   cycle. A cycle may last until then. The monitor reports the cycle when nothing can move, or when the cycle has
//!   lasted longer than [`Deadlocks::patience_us`].
//! - If the algorithm exists only in users' own programs, the monitor does not know what ends a cycle. It reports a
//!   cycle when nothing can move.
//!
//! A wait counts when its request has arrived: it is then a black edge of the wait-for graph, and before a grey one
//! (Chandy and Misra 1982, "A Distributed Algorithm for Detecting Resource Deadlocks in Distributed Systems"). Until
//! then, no other process can know of the wait, so the monitor does not report the cycle yet. A request that was lost
//! counts as well. A cycle in a run in which nothing can move is reported in any case.
//!
//! A process that reports a cycle ([`Outcome::Reported`]) is right if the cycle exists. There are two kinds of
//! wrong reports. A late report names a cycle that existed but was broken before the report. A phantom report names
//! a cycle that never existed. The monitor reports a violation for both kinds, since the victim loses the work that
//! it has done. However, no algorithm promises to avoid wrong reports, because messages take time: see
//! [`is_about_detection`].
//!
//! For a phantom the monitor also names the processes of the cycle that have given up since the victim began to wait.
//! Messages about their ended waits may still have been in transit, and the detector may have combined these waits
//! with later ones.

use std::collections::VecDeque;

use super::announcements::Announcements;
use super::finding::{Finding, Monitor, Property, findings, names};
use super::interventions::Interventions;
use crate::state::{Capacities, State, WaitEdge, WaitForGraph};
use interlock_algorithm::catalogue::{self, conduct};
use interlock_algorithm::conduct::Detection;
use interlock_algorithm::range::{Pace, Times};
use interlock_algorithm::{Configuration, FlatMap, NodeId, Outcome, Range, Ticks};
use interlock_model::event::{Event, StepId, Violation, What};
use interlock_model::specification::Specification;

/// The name of this monitor.
pub const NAME: &str = "deadlocks";

findings! {
    /// Processes wait for each other in a cycle. Arguments: `circle`, a list of edges. Each edge names the waiting
    /// `node`, the `lock`, and `on`, the holder of the lock.
    pub const CYCLE = "cycle";
    Cycle { circle: Vec<WaitEdge> } => format!("Deadlock: {}. All four conditions hold: {CONDITIONS}.", waits(circle));

    /// A process reports a cycle that never existed. Arguments: `node` (the reporting process), `cycle`, `victim`,
    /// `gave_up` (the processes of the cycle that have given up since the victim began to wait).
    pub const PHANTOM = "phantom-deadlock";
    Phantom { node: NodeId, cycle: Vec<NodeId>, victim: NodeId, #[serde(default)] gave_up: Vec<NodeId> } => {
        let circle = names(cycle);
        let why = if gave_up.is_empty() { String::new() } else { format!(": {} had already given up", names(gave_up)) };
        format!("{node} reports a deadlock of {circle} that never existed, and {victim} must give up needlessly{why}.")
    };

    /// A process reports a cycle that existed but was broken before the report. Arguments: `node` (the reporting
    /// process), `cycle`, `victim`.
    pub const LATE = "late-report";
    LateReport { node: NodeId, cycle: Vec<NodeId>, victim: NodeId } => {
        let circle = names(cycle);
        format!("{node} reports a deadlock of {circle} that was already broken, and {victim} must give up as well.")
    }
}

/// The four necessary conditions for a deadlock (Coffman, Elphick and Shoshani 1971).
const CONDITIONS: &str = "mutual exclusion, hold and wait, no preemption, circular wait";

/// Returns a clause in words for the waits of a cycle.
pub(super) fn waits(circle: &[WaitEdge]) -> String {
    let wait = |WaitEdge { node, lock, on }: &WaitEdge| format!("{node} waits for lock {lock}, held by {on}");
    circle.iter().map(wait).collect::<Vec<_>>().join("; ")
}

/// Name of the parameter that sets the length of a lease.
const LEASE: &str = "lease";
/// Maximum number of broken cycles that are stored.
const MOST_BROKEN: usize = 1_000;

/// Returns whether a violation is a wrong report by a process that detects deadlocks. No algorithm promises to avoid
/// such reports.
#[must_use]
pub fn is_about_detection(violation: &Violation) -> bool {
    *violation.monitor == *NAME && [PHANTOM, LATE].contains(&&*violation.code)
}

/// The monitor of deadlocks.
#[derive(Debug)]
pub struct Deadlocks {
    graph: WaitForGraph,
    /// Whether cycles, and reports of cycles, are possible. With a single exclusive lock no cycle is possible, since a
    /// waiting process holds nothing.
    is_watched: bool,
    /// Whether the catalogue contains the algorithm, so that the monitor knows what ends a cycle.
    is_known: bool,
    /// Whether the algorithm ends every cycle: a process gives up, or a lease expires.
    ends: bool,
    nodes: u64,
    /// Time that the algorithm needs to end a cycle, in addition to message delays: the period of reports, and the
    /// length of a lease.
    period_us: Ticks,
    standing: Vec<Standing>,
    announcements: Announcements,
    /// The cycles that were broken last, each with the time at which it was broken.
    broken: VecDeque<(Vec<NodeId>, u64)>,
    /// For each node, the event with which it last gave up.
    gave_up: FlatMap<NodeId, u64>,
}

/// A cycle of waits that exists now.
#[derive(Debug)]
struct Standing {
    circle: Vec<WaitEdge>,
    since_us: u64,
    told: bool,
}

impl Standing {
    /// Returns whether all requests of the cycle have arrived. `step` is the step of the current event.
    fn is_known_to_others(&self, announcements: &Announcements, step: Option<&StepId>) -> bool {
        self.circle.iter().all(|edge| announcements.have_arrived(edge.node, step))
    }
}

/// Returns whether a variant takes back a granted lock once its lease has expired.
fn has_leases(Specification { algorithm, variant, .. }: &Specification) -> bool {
    let assumes = catalogue::assumptions(algorithm, variant);
    assumes.is_some_and(|assumes| assumes.time_outs.iter().any(|time_out| time_out.parameter == LEASE))
}

/// Returns whether processes of this algorithm may report cycles. If the catalogue does not contain the algorithm,
/// returns true.
fn may_report(algorithm: &str) -> bool {
    catalogue::find(algorithm).map_or(true, |entry| entry.conduct.detection != Detection::None)
}

/// Returns the sum of the reporting periods, plus the length of a lease. Parameters that the algorithm does not
/// have count as 0.
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

impl Monitor for Deadlocks {
    const PROPERTIES: &'static [Property] = &[PROPERTY];

    fn new(specification: &Specification) -> Self {
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
            announcements: Announcements::default(),
            broken: VecDeque::new(),
            gave_up: FlatMap::new(),
        }
    }

    fn reads(&self, event: &Event, _: &Interventions) -> bool {
        self.is_watched && (!event.what.is_exchange() || !self.standing.is_empty() || self.announcements.concern(event))
    }

    fn observe(&mut self, event: &Event, interventions: &Interventions, found: &mut Vec<Violation>) {
        self.announcements.observe(event);
        match &event.what {
            What::Outcome { at, outcome } => match outcome {
                Outcome::Reported { cycle, victim } => {
                    found.extend(self.judge(at.node, cycle, *victim, event, interventions));
                }
                Outcome::Requested { .. }
                | Outcome::Entered { .. }
                | Outcome::Exited { .. }
                | Outcome::Expired { .. } => self.moved(event),
                Outcome::Aborted { .. } => {
                    self.gave_up.insert(at.node, event.seq);
                    self.moved(event);
                }
                _ => {}
            },
            What::Commanded { .. } | What::Crashed { .. } => self.moved(event),
            _ => {}
        }
        if self.is_known && !self.standing.is_empty() {
            self.tell_overdue(event, interventions, found);
        }
    }

    fn settle(&mut self, state: &State, pending_inputs: usize, _: &Interventions, found: &mut Vec<Violation>) {
        if self.standing.iter().all(|standing| standing.told) {
            return;
        }
        let stands_still = state.standstill(pending_inputs).is_some();
        let (announcements, is_final) = (&self.announcements, self.is_known && !self.ends);
        for standing in self.standing.iter_mut().filter(|standing| !standing.told) {
            if stands_still || is_final && standing.is_known_to_others(announcements, None) {
                standing.told = true;
                found.push(deadlock(&self.graph, &standing.circle));
            }
        }
    }
}

impl Deadlocks {
    /// Returns the longest time for which a cycle may last if the algorithm ends every cycle, in microseconds. During
    /// this time the last request arrives, the processes learn which of them wait, and the victim learns that it must
    /// give up. In the worst order this takes two hops for each node. The reporting period or the length of a lease is
    /// added.
    #[must_use]
    pub const fn patience_us(&self, interventions: &Interventions) -> u64 {
        let hops = self.nodes.saturating_mul(2).saturating_add(4);
        interventions.longest_us().saturating_mul(hops).saturating_add(self.period_us)
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
        let (announcements, step) = (&self.announcements, event.what.step());
        for standing in self.standing.iter_mut().filter(|standing| !standing.told) {
            let is_overdue = !self.ends || interventions.outlasts(standing.since_us, event.at_us, patience_us);
            if is_overdue && standing.is_known_to_others(announcements, step) {
                standing.told = true;
                found.push(deadlock(&self.graph, &standing.circle));
            }
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
        // A process that waits for several locks may be in several cycles. The monitor tracks only a shortest one of
        // these cycles. The process may therefore report a cycle that exists although the monitor does not track it.
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

/// Returns the processes of a cycle in the order of the cycle, starting with the lowest id.
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
