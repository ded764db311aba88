//! The rows: each algorithm as its source has it, and each repair of it, over each channel.

use interlock_algorithm::catalogue::{self, ENTRIES};
use interlock_algorithm::{Assumptions, Entry, FailureDetector, Variant};
use serde_json::{Value, json};

/// What lies above the links, in the order of the table.
pub const CHANNELS: [&str; 3] = ["raw", "fifo", "reliable"];

/// How many processes there are.
pub const NODES: u32 = 4;

/// An algorithm with what lies around it.
#[derive(Clone, Copy, Debug)]
pub struct Contender {
    /// The algorithm.
    pub entry: &'static Entry,
    /// Its variant.
    pub variant: &'static Variant,
    /// What it needs in order to be right, with what it is told of the dead.
    pub assumes: Assumptions,
    /// What lies above the links: `raw`, `fifo` or `reliable`.
    pub channel: &'static str,
    /// How processes know of each other's crashes: `none`, `perfect` or `heartbeat`.
    pub detector: &'static str,
}

/// All rows: of each algorithm the first variant, and those that need something else in order to be right.
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

/// Whether one survives what the other does not.
fn differ(one: &Assumptions, other: &Assumptions) -> bool {
    (one.no_crash, one.no_loss, one.failure_detector) != (other.no_crash, other.no_loss, other.failure_detector)
}

fn of_variant(entry: &'static Entry, variant: &'static Variant, assumes: Assumptions) -> Vec<Contender> {
    let heeds = heeds(entry, variant);
    // What an earlier life has said must not come after what was said to a later one.
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

/// Whether it goes on without who is suspected, whatever its source knows of that.
fn heeds(entry: &Entry, variant: &Variant) -> bool {
    entry.conduct.heeds_suspicions.contains(&variant.name)
}

impl Contender {
    /// Whether it goes on without who is suspected, also where nobody is told of the dead.
    pub(super) fn heeds_suspicions(&self) -> bool {
        heeds(self.entry, self.variant)
    }

    /// Its row, as it is named in messages and documents.
    #[must_use]
    pub fn name(&self) -> String {
        let Self { entry, variant, channel, detector, .. } = self;
        format!("{}/{} over {channel}, detector {detector}", entry.name, variant.name)
    }

    /// Who is meant by one on whom the others depend.
    pub(super) fn special(&self) -> Value {
        if self.entry.token_kinds.is_empty() { json!(0) } else { json!("token") }
    }

    /// Whether it finds its way from any state: only such an algorithm knows states that its variables may be overwritten with.
    pub(crate) fn stabilises(&self) -> bool {
        self.entry.commands.contains(&"corrupt")
    }
}
