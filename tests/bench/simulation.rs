//! Benchmark `cargo bench --bench simulation`: speed of the simulator. A bare binary heap is measured in the same
//! run for comparison.
//!
//! - `ring`: circulating tokens, with 10 and with 1,000 pending messages. It is measured without observers, with
//!   metrics, and with all monitors.
//! - `tree`: Raymond's algorithm with a million processes on a binary tree. Its memory is also measured.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hint::black_box;
use std::time::Instant;

use interlock_algorithm::{
    Algorithm, Assumptions, Configuration, Effects, Entry, Input, LockUse, Message, NodeId, Refusal, Variant, View,
};
use interlock_model::specification::Draft;
use interlock_simulation::simulation::{Simulation, Watch};
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Number of messages in each measurement. The number of measurements is odd, and their median is printed.
const MESSAGES: u64 = 20_000_000;
const MEASUREMENTS: usize = 5;

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let wants = |name: &str| wanted.is_empty() || wanted.iter().any(|word| word == name);
    if wants("ring") {
        ring(10);
        ring(1_000);
    }
    if wants("tree") {
        tree();
    }
}

/// Measures a ring with one token for each node: a node that receives a token forwards it at once.
fn ring(pending: u32) {
    let bare = median(|| bare_heap(pending, MESSAGES));
    println!("ring, {pending} messages pending: bare binary heap {:.1} M messages/s", millions(bare));
    for (name, watch, messages) in [
        ("nothing watched", Watch::Nothing, MESSAGES),
        ("metrics", Watch::Metrics, MESSAGES / 4),
        ("all monitors", Watch::Monitors, MESSAGES / 4),
    ] {
        let speed = median(|| simulated(pending, watch, messages));
        println!("  {name}: {:.2} M messages/s, {:.2} of the bare heap", millions(speed), speed / bare);
    }
}

fn millions(per_second: f64) -> f64 {
    per_second / 1e6
}

fn median(mut measure: impl FnMut() -> f64) -> f64 {
    let mut speeds: Vec<f64> = (0..MEASUREMENTS).map(|_| measure()).collect();
    speeds.sort_by(f64::total_cmp);
    speeds[MEASUREMENTS / 2]
}

/// Measures the minimum work of any discrete-event simulation: the earliest event is removed, and the next event is
/// inserted.
#[expect(clippy::cast_precision_loss, reason = "small numbers")]
fn bare_heap(pending: u32, messages: u64) -> f64 {
    let mut heap: BinaryHeap<Reverse<(u64, u64, u32)>> =
        (0..pending).map(|node| Reverse((1_000, u64::from(node), node))).collect();
    let begin = Instant::now();
    for order in (u64::from(pending)..).take(usize::try_from(messages).unwrap_or(usize::MAX)) {
        let Some(Reverse((now, _, node))) = heap.pop() else { break };
        let to = if node + 1 == pending { 0 } else { node + 1 };
        heap.push(Reverse((black_box(now + 1_000), order, to)));
    }
    messages as f64 / begin.elapsed().as_secs_f64()
}

#[expect(clippy::cast_precision_loss, reason = "small numbers")]
fn simulated(pending: u32, watch: Watch, messages: u64) -> f64 {
    let draft: Draft = serde_json::from_value(json!({
        "algorithm": "ricart-agrawala", "nodes": pending, "seed": 1, "network": { "delay": "const:1" },
    }))
    .expect("a draft");
    let specification = draft.complete_simulated().expect("a specification");
    let limits = Simulation { most_steps_without_progress: u64::MAX, ..Simulation::new(specification, 0) };
    let simulation = Simulation { most_steps: messages, watch, ..limits };
    let begin = Instant::now();
    let report = simulation.run_with::<Ring>(&pending);
    let elapsed = begin.elapsed();
    assert!(report.messages >= messages, "every step sends one on");
    messages as f64 / elapsed.as_secs_f64()
}

fn tree() {
    let draft: Draft = serde_json::from_value(json!({
        "algorithm": "raymond", "nodes": 1_000_000, "seed": 1, "parameters": { "tree": "binary" },
        "network": { "delay": "const:1" }, "workload": { "idle": "exp:3600000", "hold": "const:1" },
    }))
    .expect("a draft");
    let specification = draft.complete_simulated().expect("a specification");
    let simulation = Simulation { watch: Watch::Metrics, ..Simulation::new(specification, 100_000) };
    let begin = Instant::now();
    let report = simulation.run().expect("a run");
    let elapsed = begin.elapsed();
    assert_eq!((report.entries, report.cut), (100_000, None));
    let per_entry = report.metrics.and_then(|metrics| metrics.messages_per_entry).expect("entries");
    println!(
        "tree: Raymond, 1,000,000 processes on a binary tree, 100,000 entries: {:.1} s, {per_entry:.2} messages an \
         entry, {} MB at most",
        elapsed.as_secs_f64(),
        peak_kb().map_or_else(|| "?".to_owned(), |kb| (kb / 1_000).to_string()),
    );
}

/// Returns the peak memory of this process, in kB.
fn peak_kb() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// A process that forwards every message that it receives.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
struct Ring;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", content = "body")]
enum RingMessage {
    #[serde(rename = "TOKEN")]
    Token {},
}

impl Message for RingMessage {
    fn kind(&self) -> &'static str {
        "TOKEN"
    }
}

impl Algorithm for Ring {
    /// The setting of the algorithm: the number of nodes.
    type Setting = u32;
    type Message = RingMessage;
    type Timer = ();
    type Stored = ();
    type Reason = ();

    const ENTRY: Entry = Entry {
        name: "ring",
        title: "Ring",
        family: "benchmark",
        summary: "Sends on whatever comes.",
        variants: &[Variant { name: "original", summary: "", broken: None }],
        assumes: Assumptions {
            fifo: false,
            no_loss: true,
            no_duplication: true,
            no_crash: true,
            ..Assumptions::ASYNCHRONOUS
        },
        commands: &["acquire", "release"],
        locks: LockUse::Instances,
        message_kinds: &["TOKEN"],
        ..Entry::BLANK
    };

    fn configure(configuration: &Configuration<'_>) -> Result<u32, Refusal> {
        Ok(configuration.nodes)
    }

    fn new(_: &u32, _: NodeId) -> Self {
        Self
    }

    fn step(&mut self, nodes: &u32, me: NodeId, input: Input<Self>, out: &mut Effects<Self>) {
        if matches!(input, Input::Start | Input::Message { .. }) {
            let next = if me.0 + 1 == *nodes { 0 } else { me.0 + 1 };
            out.send(NodeId(next), RingMessage::Token {});
        }
    }

    fn view(&self, _: &u32, _: NodeId) -> View {
        View::default()
    }
}
