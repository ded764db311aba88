//! Failure detectors. The detector of a process determines which other processes the process believes to have
//! crashed (Chandra and Toueg 1996, "Unreliable Failure Detectors for Reliable Distributed Systems", JACM 43(2)).
//!
//! Without a detector, no process suspects another process. A *perfect* detector is notified by the supervisor of
//! the processes, which observes each crash. A *heartbeat* detector sends a heartbeat at regular intervals, and
//! suspects a process from which no heartbeat has arrived for too long. The heartbeat detector reads no clock: it
//! measures time by the number of heartbeats that its own process has sent. So after a pause of its own process,
//! the detector does not suspect all other processes.

#[cfg(test)]
mod tests;

use interlock_algorithm::{NodeId, Ticks};
use serde::{Deserialize, Serialize};

/// Kind of heartbeat messages.
pub const HEARTBEAT: &str = "DETECTOR-HEARTBEAT";

/// The failure detectors of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DetectorSetting {
    /// No failure detector.
    #[default]
    None,
    /// The supervisor notifies the processes of each crash and restart.
    Perfect,
    /// A process is suspected if no heartbeat from it has arrived for too long.
    Heartbeat(Beating),
}

/// Parameters of the heartbeats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Beating {
    /// Interval between the heartbeats of a process, in microseconds.
    pub interval_us: Ticks,
    /// Number of intervals without a heartbeat after which a process is suspected, 1 or more.
    pub patience: u32,
    /// Whether each wrong suspicion of a process adds one interval to the patience for this process (Chandra and
    /// Toueg 1996, figure 10). If there is any bound on message delays, even an unknown one, live processes are
    /// eventually never suspected.
    pub adaptive: bool,
}

impl DetectorSetting {
    /// Returns the parameters of the heartbeats, if the detectors send heartbeats.
    #[must_use]
    pub const fn beating(&self) -> Option<Beating> {
        if let Self::Heartbeat(beating) = self { Some(*beating) } else { None }
    }

    /// Whether the run has no failure detector.
    #[must_use]
    pub const fn is_none(&self) -> bool {
        matches!(self, Self::None)
    }
}

/// A heartbeat of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Heartbeat {
    /// Incarnation of the process, from 1.
    pub life: u32,
}

/// A change of what a detector believes about a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Belief {
    /// The process is now suspected.
    Suspected(NodeId),
    /// The process is now trusted.
    Trusted(NodeId),
}

/// The data of a detector about one other process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Other {
    suspected: bool,
    /// Number of heartbeats that this process has sent since the last heartbeat of the other process arrived.
    silent: u32,
    /// Number of intervals by which the patience is increased: one for each wrong suspicion.
    leniency: u32,
    /// Latest incarnation of the other process from which a heartbeat has arrived, from 1; 0 before the first
    /// heartbeat.
    life: u32,
}

/// The failure detector of one incarnation of a process.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Detector(Vec<Other>);

impl Detector {
    /// Creates a detector for `nodes` processes, which suspects no process.
    #[must_use]
    pub fn new(nodes: u32) -> Self {
        Self(vec![Other::default(); nodes as usize])
    }

    /// Whether the detector suspects this process.
    #[must_use]
    pub fn suspects(&self, node: NodeId) -> bool {
        self.0.get(node.index()).is_some_and(|other| other.suspected)
    }

    /// Sets the belief about a process because of an order. Returns whether the belief has changed.
    pub fn believe(&mut self, belief: Belief) -> bool {
        let (node, suspected) = match belief {
            Belief::Suspected(node) => (node, true),
            Belief::Trusted(node) => (node, false),
        };
        let Some(other) = self.0.get_mut(node.index()) else { return false };
        let is_news = other.suspected != suspected;
        (other.suspected, other.silent) = (suspected, 0);
        is_news
    }

    /// Ends an interval between two heartbeats of this process, and returns the new suspicions.
    pub fn beat(&mut self, beating: Beating, me: NodeId) -> Vec<Belief> {
        let mut news = Vec::new();
        for (node, other) in (0..).map(NodeId).zip(&mut self.0).filter(|(node, _)| *node != me) {
            other.silent = other.silent.saturating_add(1);
            let patience = beating.patience.max(1).saturating_add(other.leniency);
            if other.silent > patience && !other.suspected {
                other.suspected = true;
                news.push(Belief::Suspected(node));
            }
        }
        news
    }

    /// Handles a heartbeat of a process, and returns the changes in belief. If the heartbeat is from a later
    /// incarnation, the process has crashed since the previous heartbeat, even if it was not suspected.
    pub fn hear(&mut self, beating: Beating, from: NodeId, heartbeat: Heartbeat) -> Vec<Belief> {
        let Some(other) = self.0.get_mut(from.index()) else { return Vec::new() };
        if heartbeat.life < other.life {
            return Vec::new();
        }
        let is_another_life = other.life != 0 && other.life != heartbeat.life;
        let was_suspected = other.suspected;
        if was_suspected && !is_another_life && beating.adaptive {
            other.leniency = other.leniency.saturating_add(1);
        }
        (other.life, other.silent, other.suspected) = (heartbeat.life, 0, false);
        match (was_suspected, is_another_life) {
            (true, _) => vec![Belief::Trusted(from)],
            (false, true) => vec![Belief::Suspected(from), Belief::Trusted(from)],
            (false, false) => Vec::new(),
        }
    }
}
