//! Quality of failure detectors: how soon they suspect a crashed process (completeness), and how often they suspect
//! a live process (accuracy).

use std::collections::BTreeMap;

use interlock_algorithm::{FlatMap, FlatSet, NodeId};
use serde::Serialize;
use utoipa::ToSchema;

use super::delays::{DelayDocument, Delays};
use interlock_model::event::{Event, What};

/// The quality of failure detectors (Chandra and Toueg 1996).
#[derive(Clone, Debug, Default, PartialEq, Serialize, ToSchema)]
pub struct DetectorDocument {
    /// Number of heartbeats sent.
    pub heartbeats: u64,
    /// Number of suspicions.
    pub suspicions: u64,
    /// Number of wrong suspicions: suspicions of a live process, which may be paused or partitioned. A suspicion with
    /// which a process notices an earlier crash late is not wrong, even if the crashed process has restarted.
    pub wrong_suspicions: u64,
    /// Time from a crash until a live process first suspects the crashed process, once for each live process.
    pub time_to_detect: DelayDocument,
    /// Number of pairs of a live and a crashed process in which the live process has not yet noticed the crash.
    pub undetected: u64,
}

/// The counts from which [`DetectorDocument`] is computed.
#[derive(Clone, Debug, Default)]
pub(super) struct DetectorQuality {
    heartbeats: u64,
    suspicions: u64,
    wrong_suspicions: u64,
    time_to_detect: Delays,
    /// For each process that has crashed, the number of its crashes and the time of the latest crash, in
    /// microseconds since the run began.
    deaths: FlatMap<NodeId, (u64, u64)>,
    dead: FlatSet<NodeId>,
    living: FlatSet<NodeId>,
    /// For each pair of an observing and an observed process: number of crashes of the observed process that the
    /// observing process has noticed.
    noticed: BTreeMap<(NodeId, NodeId), u64>,
}

impl DetectorQuality {
    /// Processes the next event.
    pub fn observe(&mut self, event: &Event) {
        match &event.what {
            What::Sent { .. } if event.what.is_heartbeat() => self.heartbeats += 1,
            What::Suspected { at, whom } => self.suspected(at.node, *whom, event.at_us),
            What::Crashed { node, .. } => {
                let (count, _) = self.deaths.get(node).copied().unwrap_or_default();
                self.deaths.insert(*node, (count + 1, event.at_us));
                self.dead.insert(*node);
                self.living.remove(node);
            }
            What::Started { node, .. } => self.started(*node),
            _ => {}
        }
    }

    /// Records the start of an incarnation. All earlier crashes count as noticed by the new incarnation. The exception
    /// is the last crash of each process that is still crashed.
    fn started(&mut self, node: NodeId) {
        self.dead.remove(&node);
        self.living.insert(node);
        for (whom, (count, _)) in &self.deaths {
            let missed = u64::from(self.dead.contains(whom));
            self.noticed.insert((node, *whom), count - missed);
        }
    }

    fn suspected(&mut self, node: NodeId, whom: NodeId, at_us: u64) {
        self.suspicions += 1;
        let (deaths, since_us) = self.deaths.get(&whom).copied().unwrap_or_default();
        let noticed = self.noticed.entry((node, whom)).or_default();
        if *noticed < deaths {
            *noticed = deaths;
            self.time_to_detect.record(at_us.saturating_sub(since_us));
        } else if !self.dead.contains(&whom) {
            self.wrong_suspicions += 1;
        }
    }

    pub fn document(&self) -> DetectorDocument {
        let misses = |node: NodeId, whom: NodeId| {
            let noticed = self.noticed.get(&(node, whom)).copied().unwrap_or_default();
            noticed < self.deaths.get(&whom).map_or(0, |(count, _)| *count)
        };
        let pairs = self.living.iter().flat_map(|node| self.dead.iter().map(move |whom| (*node, *whom)));
        DetectorDocument {
            heartbeats: self.heartbeats,
            suspicions: self.suspicions,
            wrong_suspicions: self.wrong_suspicions,
            time_to_detect: self.time_to_detect.document(),
            undetected: pairs.filter(|(node, whom)| misses(*node, *whom)).count() as u64,
        }
    }
}
