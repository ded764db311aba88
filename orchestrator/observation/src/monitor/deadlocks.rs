//! Deadlocks, and what those say of them who look for them.
//!
//! A cycle of waits ([`WaitForGraph`]) is a deadlock if nothing ends it. Where nobody gives up and no lease runs out,
//! the monitor reports it at once. Where an algorithm makes a process give up, or takes back a lock whose lease has run
//! out, a cycle may last for as long as that takes. The monitor then reports it when nothing moves any more, or when it
//! has lasted longer than [`Deadlocks::patience_us`]. Of an algorithm that only programs know, the monitor does not know
//! what ends a cycle, or how long that takes. It reports a cycle of such an algorithm when nothing moves any more.
//!
//! Who reports a circle ([`What::Reported`]) is right if it stands. It may be late: the circle stood a while ago, and
//! somebody else has broken it. Or it never stood: a phantom, and somebody gives up for nothing. Both are told of, since
//! whoever is made to give up loses what it has done; but they are what detection among delays comes to, and not rules
//! that an algorithm promises to keep: see [`is_about_detection`]. Of a phantom it is said who of it had given up since
//! the victim began to wait: news of a wait that ended so may still be on its way, and is joined to waits that began
//! later.

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
    /// Some wait for each other in a circle. Arguments: `circle`, a list of who waits for which `lock` `on` whom.
    pub const CYCLE = "cycle";
    Cycle { circle: Vec<WaitEdge> } => format!("Deadlock: {}. All four conditions hold: {CONDITIONS}.", waits(circle))
}

finding! {
    /// A circle is reported that never stood. Arguments: `node` (who says so), `cycle`, `victim`, `gave_up` (who of the cycle
    /// has given something up since the victim began to wait).
    pub const PHANTOM = "phantom-deadlock";
    Phantom { node: NodeId, cycle: Vec<NodeId>, victim: NodeId, #[serde(default)] gave_up: Vec<NodeId> } => {
        let circle = names(cycle);
        let why = if gave_up.is_empty() { String::new() } else { format!(": {} had given up", names(gave_up)) };
        format!("{node} reports a deadlock of {circle} that never was, and {victim} is to give up for nothing{why}.")
    }
}

finding! {
    /// A circle is reported that was broken already. Arguments: `node` (who says so), `cycle`, `victim`.
    pub const LATE = "late-report";
    LateReport { node: NodeId, cycle: Vec<NodeId>, victim: NodeId } => {
        let circle = names(cycle);
        format!("{node} reports a deadlock of {circle} that was broken already, and {victim} is to give up, too.")
    }
}

/// The four conditions that are necessary for a deadlock (Coffman, Elphick and Shoshani 1971).
const CONDITIONS: &str = "one at a time has a lock, each keeps what it has while it waits, nothing is taken away, and \
                          they wait in a circle";

/// Returns the waits of a circle in words.
pub(super) fn waits(circle: &[WaitEdge]) -> String {
    let wait = |WaitEdge { node, lock, on }: &WaitEdge| format!("{node} waits for lock {lock}, which {on} has");
    circle.iter().map(wait).collect::<Vec<_>>().join("; ")
}

/// The parameter that says how long a lease lasts.
const LEASE: &str = "lease";
/// The most broken circles that are remembered.
const MOST_BROKEN: usize = 1_000;

/// Whether a code tells of detection that was mistaken, and of no rule that the algorithm broke.
#[must_use]
pub fn is_about_detection(violation: &Violation) -> bool {
    *violation.monitor == *NAME && [PHANTOM, LATE].contains(&&*violation.code)
}

/// Watches who waits for whom.
#[derive(Debug)]
pub struct Deadlocks {
    graph: WaitForGraph,
    /// Whether there can be a cycle or a report of one: with one exclusive lock, no waiting process has anything.
    is_watched: bool,
    /// Whether the catalogue knows what ends a cycle.
    is_known: bool,
    /// Whether something ends every cycle: a process gives up, or a lease runs out.
    ends: bool,
    nodes: u64,
    /// How long a report, or the end of a lease, may take besides the messages.
    period_us: Ticks,
    standing: Vec<Standing>,
    /// Circles that stood until not long ago, and when they were broken.
    broken: VecDeque<(Vec<NodeId>, u64)>,
    /// The event in which each node gave up last.
    gave_up: FlatMap<NodeId, u64>,
}

/// A circle that stands.
#[derive(Debug)]
struct Standing {
    circle: Vec<WaitEdge>,
    since_us: u64,
    told: bool,
}

/// Returns whether a variant takes back what it has granted once a lease has run out.
fn has_leases(Specification { algorithm, variant, .. }: &Specification) -> bool {
    let assumes = catalogue::assumptions(algorithm, variant);
    assumes.is_some_and(|assumes| assumes.time_outs.iter().any(|time_out| time_out.parameter == LEASE))
}

/// Returns whether processes report cycles, as far as the catalogue knows.
fn may_report(algorithm: &str) -> bool {
    catalogue::find(algorithm).map_or(true, |entry| entry.conduct.detection != Detection::None)
}

/// Returns the sum of the periods after which processes report, and of the length of a lease; 0 where there are none.
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
    /// The monitor of a run, before the first event.
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

    /// How long a cycle may last where something ends it, in microseconds: until the last request has arrived, all
    /// concerned processes know who waits, over a hop for each node, twice in the worst order, and the victim knows that
    /// it must give up. The period of a report, or the length of a lease, is added.
    #[must_use]
    pub const fn patience_us(&self, interventions: &Interventions) -> u64 {
        let hops = self.nodes.saturating_mul(2).saturating_add(4);
        interventions.longest_us().saturating_mul(hops).saturating_add(self.period_us)
    }

    /// Takes the next event.
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

    /// Looks whether nothing moves any more while a circle stands. To be called between steps.
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
        // Who waits for several at once is in several circles, of which a shortest one is watched.
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

    /// Who of a circle has given up since the victim began to wait, from the lowest on.
    fn gave_up_meanwhile(&self, cycle: &[NodeId], victim: NodeId) -> Vec<NodeId> {
        let Some(since) = self.graph.waits_since(victim) else { return Vec::new() };
        let gave_up = self.gave_up.iter().filter(|(node, seq)| cycle.contains(node) && **seq > since);
        gave_up.map(|(node, _)| *node).collect()
    }
}

/// Who is in a circle, from the lowest on.
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
