//! The improvements of Raymond's paper, compared with its main algorithm: what they save, and what they cost.

use interlock_algorithm::NodeId;
use interlock_algorithm::structure::tree::Tree;
use std::fmt;

use super::super::explored::{Scene, Scenes, hold};
use super::super::simulated::{Rules, heavy, is_about, jittery, metrics, run, simulation, variant};
use super::raymond_figures::{on, ratio};
use super::{CouldNotRun, Finding, Measurement};
use interlock_simulation::simulation::Simulation;

/// All schedules of four processes that request twice each.
pub(super) fn all_schedules() -> Scenes {
    hold(
        &["greedy tree=line", "greedy tree=star", "piggyback tree=line", "piggyback tree=star"]
            .map(|improved| Scene::new(format!("raymond/{improved}"), 4, &[2]).overtaking()),
    )
}

/// Negative control: a PRIVILEGE on which the REQUEST is missing.
pub(super) fn all_schedules_without_request() -> Scenes {
    hold(&[Scene::new("raymond/no-further-request tree=line", 4, &[2]).overtaking()])
}

/// Number of processes.
const NODES: u32 = 10;
/// Number of measured entries.
const ENTRIES: u64 = 3_000;
const TREES: [&str; 4] = ["line", "star", "binary", "random:4"];

/// A run at heavy load on one tree.
struct Busy {
    tree: &'static str,
    /// Number of processes with one neighbour.
    leaves: u32,
    /// Messages for each entry.
    requests: f64,
    privileges: f64,
    bypass_max: u64,
    /// Whether random delays violate no property.
    kept: bool,
}

impl Busy {
    fn of(variant_name: &str, tree: &'static str) -> Result<Self, CouldNotRun> {
        let edges = Tree::parse(tree, NODES).map_err(CouldNotRun::because)?;
        let document = variant(on(heavy("raymond", NODES), tree, 0), variant_name);
        let report = run(&Simulation { warm_up: 100, ..simulation(document, 100 + ENTRIES)? })?;
        let of = metrics(&report)?;
        let sent = |kind| of.messages_by_kind.get(kind).copied().unwrap_or_default();
        let random = variant(on(jittery("raymond", NODES), tree, 3), variant_name);
        let is_leaf = |node: &NodeId| edges.neighbours(*node).len() == 1;
        Ok(Self {
            tree,
            leaves: NodeId::all(NODES).filter(is_leaf).map(|_| 1).sum(),
            requests: ratio(sent("REQUEST"), ENTRIES),
            privileges: ratio(sent("PRIVILEGE"), ENTRIES),
            bypass_max: of.bypass_max,
            kept: Rules::of(&random, 5, 60)?.kept() && report.violations.is_empty(),
        })
    }

    fn on_trees(variant_name: &str) -> Result<Vec<Self>, CouldNotRun> {
        TREES.into_iter().map(|tree| Self::of(variant_name, tree)).collect()
    }

    /// Returns whether each entry costs one REQUEST and one PRIVILEGE, and a process is overtaken more often than if
    /// it were served in the order of arrival.
    fn is_greedy(&self) -> bool {
        let others = u64::from(NODES - 1);
        self.kept
            && is_about(self.requests, 1.0)
            && is_about(self.privileges, 1.0)
            && (others + 1..=2 * others).contains(&self.bypass_max)
    }

    /// Returns whether the privilege crosses each edge twice in N entries, as in the main algorithm, but only the
    /// leaves send a REQUEST of their own. No process is overtaken more often than by each other process once.
    fn is_piggybacked(&self) -> bool {
        let (nodes, others, leaves) = (f64::from(NODES), f64::from(NODES - 1), f64::from(self.leaves));
        self.kept
            && is_about(self.privileges, 2.0 * others / nodes)
            && is_about(self.requests, leaves / nodes)
            && self.bypass_max < u64::from(NODES)
    }
}

impl fmt::Display for Busy {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tree, leaves, requests, privileges, bypass_max, kept } = self;
        write!(
            formatter,
            "{tree} with {leaves} leaves: {requests:.2} REQUEST and {privileges:.2} PRIVILEGE per entry, "
        )?;
        write!(formatter, "overtaken {bypass_max} times")?;
        if *kept { Ok(()) } else { write!(formatter, ", a property violated") }
    }
}

/// Checks both improvements.
pub(super) fn cost() -> Measurement {
    let busy = Improved::of("greedy", "piggyback")?;
    Ok(busy.found(busy.is_greedy && busy.is_piggybacked))
}

/// Negative control: the main algorithm instead of both improvements. The control holds if one of them is not needed.
pub(super) fn cost_without() -> Measurement {
    let busy = Improved::of("original", "original")?;
    Ok(busy.found(busy.is_greedy || busy.is_piggybacked))
}

/// Both improvements at heavy load, where the main algorithm costs 4(N−1)/N messages per entry.
struct Improved {
    measured: String,
    is_greedy: bool,
    is_piggybacked: bool,
}

impl Improved {
    fn of(greedy: &str, piggyback: &str) -> Result<Self, CouldNotRun> {
        let [one, other] = [Busy::on_trees(greedy)?, Busy::on_trees(piggyback)?];
        let words = |runs: &[Busy]| runs.iter().map(Busy::to_string).collect::<Vec<_>>().join("; ");
        Ok(Self {
            measured: format!("{greedy}: {}. {piggyback}: {}", words(&one), words(&other)),
            is_greedy: one.iter().all(Busy::is_greedy),
            is_piggybacked: other.iter().all(Busy::is_piggybacked),
        })
    }

    fn found(&self, holds: bool) -> Finding {
        Finding {
            expected:
                "N = 10 at heavy load, on each tree. greedy: 2 messages per entry instead of 4(N−1)/N = 3.6, and \
                       a process is overtaken 10 … 18 times instead of at most 9. piggyback: 2(N−1)/N = 1.8 PRIVILEGE \
                       per entry, as in the main algorithm, but for each leaf only 1/N REQUEST; overtaken at most 9 \
                       times. With delays of 0 … 9 T no property violated"
                    .into(),
            measured: self.measured.clone(),
            holds,
        }
    }
}
