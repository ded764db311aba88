//! The rows of the fault matrix. A row is an algorithm as its source describes it, or one of its repairs, with one
//! channel.

use interlock_algorithm::catalogue::{self, ENTRIES};
use interlock_algorithm::{Assumptions, Entry, FailureDetector, Variant};
use serde_json::{Value, json};

/// The kinds of channel between the algorithm and the links, in table order.
pub const CHANNELS: [&str; 3] = ["raw", "fifo", "reliable"];

/// Number of processes.
pub const NODES: u32 = 4;

/// A row of the fault matrix: an algorithm with a channel and a failure detector.
#[derive(Clone, Copy, Debug)]
pub struct Contender {
    /// The algorithm.
    pub entry: &'static Entry,
    /// The variant of the algorithm.
    pub variant: &'static Variant,
    /// The assumptions under which the variant is correct with this failure detector.
    pub assumes: Assumptions,
    /// The channel between the algorithm and the links: `raw`, `fifo` or `reliable`.
    pub channel: &'static str,
    /// The failure detector: `none`, `perfect` or `heartbeat`.
    pub detector: &'static str,
}

/// Returns all rows. They contain the first variant of each algorithm. They also contain every other correct
/// variant that tolerates different faults from the first variant.
pub fn contenders() -> impl Iterator<Item = Contender> {
    ENTRIES.iter().filter(|entry| entry.family == "mutual-exclusion").flat_map(rows)
}

fn rows(entry: &'static Entry) -> Vec<Contender> {
    let mut rows = Vec::new();
    for (place, variant) in entry.variants.iter().enumerate().filter(|(_, variant)| variant.broken.is_none()) {
        let assumes = catalogue::assumptions(entry.name, variant.name).unwrap_or(entry.assumes);
        if place == 0 || differ(&assumes, &entry.assumes) {
            rows.extend(of_variant(entry, variant, assumes));
        }
    }
    rows
}

/// Returns whether two sets of assumptions differ in crashes, losses or the failure detector.
fn differ(one: &Assumptions, other: &Assumptions) -> bool {
    (one.no_crash, one.no_loss, one.failure_detector) != (other.no_crash, other.no_loss, other.failure_detector)
}

fn of_variant(entry: &'static Entry, variant: &'static Variant, assumes: Assumptions) -> Vec<Contender> {
    let heeds = heeds(entry, variant);
    // Suspicions require FIFO order. Suppose that process P has sent a message to a later incarnation of process Q.
    // Then P must not receive a message of an earlier incarnation of Q.
    let told = Assumptions { fifo: true, no_crash: false, failure_detector: FailureDetector::Perfect, ..assumes };
    let mut beliefs = Vec::new();
    if assumes.failure_detector != FailureDetector::Perfect {
        beliefs.push(("none", assumes));
    }
    if heeds || assumes.failure_detector == FailureDetector::Perfect {
        beliefs.extend(["perfect", "heartbeat"].map(|detector| (detector, if heeds { told } else { assumes })));
    }
    let over = |channel| {
        let with = move |&(detector, assumes): &_| Contender { entry, variant, assumes, channel, detector };
        beliefs.iter().map(with)
    };
    CHANNELS.into_iter().flat_map(over).collect()
}

/// Returns whether the variant continues without the processes that it suspects. For some variants this is true
/// although their source does not mention failure detectors.
fn heeds(entry: &Entry, variant: &Variant) -> bool {
    entry.conduct.heeds_suspicions.contains(&variant.name)
}

impl Contender {
    /// Returns whether the variant continues without the processes that it suspects. The result is the same for all
    /// failure detectors.
    pub(super) fn heeds_suspicions(&self) -> bool {
        heeds(self.entry, self.variant)
    }

    /// Returns the name of the row for messages and documents.
    #[must_use]
    pub fn name(&self) -> String {
        let Self { entry, variant, channel, detector, .. } = self;
        format!("{}/{} over {channel}, detector {detector}", entry.name, variant.name)
    }

    /// Returns a process on which the other processes depend, as a role or a number.
    pub(super) fn special(&self) -> Value {
        if self.entry.token_kinds.is_empty() { json!(0) } else { json!("token") }
    }

    /// Returns whether the algorithm stabilises from any state. Only for such an algorithm does the matrix have a
    /// fault that overwrites variables.
    pub(crate) fn stabilises(&self) -> bool {
        self.entry.commands.contains(&"corrupt")
    }
}
