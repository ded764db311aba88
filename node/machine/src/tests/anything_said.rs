//! Tests that nodes of every algorithm handle arbitrary messages, through every kind of channel. Each input must be
//! exactly one step, in which the node handles or refuses the input. Afterwards the node must still accept inputs.

use interlock_algorithm::{Configuration, Entry, NodeId, Parameters, catalogue};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Value, json};

use crate::arbitrary::{Change, changed, changes, each};
use crate::channel::{Channel, ChannelSetting};
use crate::detector::{Beating, DetectorSetting};
use crate::test_support::{initialization, read};
use crate::wire::{Initialization, StepEffect, StepInput};
use crate::{LiveNode, Steps, catalogue_node};

const NODES: u32 = 3;
/// Maximum number of effects that one input may have in these tests.
const MOST_EFFECTS: usize = 1_000;

/// Three nodes, and the messages in transit between them.
struct Talk {
    nodes: Vec<Box<dyn LiveNode>>,
    /// Messages in transit, each with its receiver.
    under_way: Vec<(usize, Value)>,
    messages: u64,
    now_us: u64,
}

impl Talk {
    fn begin(entry: &Entry, channel: Channel, detector: DetectorSetting) -> Self {
        let client_loop = entry.commands.contains(&"acquire").then_some(r#"{"idle":"1","hold":"1","entries":null}"#);
        let parameters = Parameters::new();
        let configuration =
            Configuration { algorithm: entry.name, variant: None, parameters: &parameters, nodes: NODES, locks: 1 };
        let locks = catalogue::default_locks(&configuration);
        let nodes = NodeId::all(NODES).map(|node| {
            let client_loop = client_loop.map(|text| serde_json::from_str(text).expect("a loop"));
            let channel = ChannelSetting { channel, again_after_us: 10_000 };
            let setting =
                Initialization { node, client_loop, locks, channel, detector, ..initialization(entry.name, NODES) };
            catalogue_node(&setting).expect("a node")
        });
        let mut talk = Self { nodes: nodes.collect(), under_way: Vec::new(), messages: 0, now_us: 0 };
        for node in 0..talk.nodes.len() {
            talk.tell(node, r#"{"start":{}}"#);
        }
        talk
    }

    /// Passes an input to a node, and checks that the node executes exactly one step. Returns the cause of the step.
    fn tell(&mut self, node: usize, item: &str) -> StepInput<Value> {
        let mut steps = Steps::default();
        self.nodes[node].take(item, self.now_us, &mut steps);
        let [cause] = <[_; 1]>::try_from(self.note(node, &mut steps)).expect("one step");
        cause
    }

    /// Advances time to the next due time of a node's timers, and makes the due timer expire.
    fn pass(&mut self, node: usize) {
        let Some(due_us) = self.nodes[node].due_us() else { return };
        self.now_us = self.now_us.max(due_us);
        let mut steps = Steps::default();
        self.nodes[node].fire(self.now_us, &mut steps);
        self.note(node, &mut steps);
    }

    /// Removes the unreported steps from `steps`, and adds the messages that these steps have sent to `under_way`.
    /// Returns the causes of the steps.
    fn note(&mut self, node: usize, steps: &mut Steps) -> Vec<StepInput<Value>> {
        let steps = read(steps, &*self.nodes[node]);
        for step in &steps {
            assert!(step.effects.len() <= MOST_EFFECTS, "{step:?}");
            for effect in &step.effects {
                let StepEffect::Send { to, kind, body, header } = effect else { continue };
                for to in to {
                    self.messages += 1;
                    let id = format!("{node}.{}.{}", to.0, self.messages);
                    let mut message = json!({ "id": id, "from": node, "kind": kind, "body": body });
                    if let Some(header) = header {
                        message["header"] = json!(header);
                    }
                    self.under_way.push((to.index(), json!({ "message": message })));
                }
            }
        }
        steps.into_iter().map(|step| step.input).collect()
    }
}

/// A random event of a test.
#[derive(Clone, Debug)]
enum Happening {
    /// Time passes until the next timer of a random node expires.
    Time(Index),
    /// A random node receives the main order of its algorithm, for example to request a lock.
    Order(Index),
    /// A message in transit arrives, with or without changes to its content.
    Arrival(Index, Option<Vec<Change>>),
    /// A random node receives a message in transit, which is truncated.
    Piece(Index, Index, Index),
}

fn happenings() -> impl Strategy<Value = Vec<Happening>> {
    let index = any::<Index>;
    let happening = prop_oneof![
        2 => index().prop_map(Happening::Time),
        1 => index().prop_map(Happening::Order),
        4 => (index(), option::of(changes())).prop_map(|(which, changes)| Happening::Arrival(which, changes)),
        1 => (index(), index(), index()).prop_map(|(which, to, end)| Happening::Piece(which, to, end)),
    ];
    vec(happening, 1..60)
}

#[test]
fn anything_that_is_said_is_taken_or_refused() {
    let beating = Beating { interval_us: 20_000, patience: 3, adaptive: true };
    let detectors = vec![DetectorSetting::None, DetectorSetting::Heartbeat(beating)];
    let channels = vec![Channel::Raw, Channel::Fifo, Channel::Reliable];
    each((select(catalogue::ENTRIES), select(channels), select(detectors), happenings()), |drawn| {
        let (entry, channel, detector, happenings) = drawn;
        let mut talk = Talk::begin(&entry, channel, detector);
        for happening in happenings {
            match happening {
                Happening::Time(node) => talk.pass(node.index(talk.nodes.len())),
                Happening::Order(node) => {
                    let mut command = if entry.commands.contains(&"elect") {
                        json!({ "elect": {} })
                    } else if entry.commands.contains(&"propose") {
                        json!({ "propose": { "instance": 1, "value": "a" } })
                    } else {
                        json!({ "acquire": { "lock": 0, "hold_us": null } })
                    };
                    command["id"] = json!(1);
                    talk.tell(node.index(talk.nodes.len()), &json!({ "command": command }).to_string());
                }
                Happening::Arrival(..) | Happening::Piece(..) if talk.under_way.is_empty() => {}
                Happening::Arrival(which, changes) => {
                    let (to, item) = talk.under_way.swap_remove(which.index(talk.under_way.len()));
                    let is_intact = changes.is_none();
                    let cause = talk.tell(to, &changed(item, &changes.unwrap_or_default()).to_string());
                    assert!(!is_intact || matches!(cause, StepInput::Message(_)), "{cause:?}");
                }
                Happening::Piece(which, to, end) => {
                    let text = which.get(&talk.under_way).1.to_string();
                    let end = (0..=end.index(text.len() + 1)).rev().find(|&end| text.is_char_boundary(end));
                    talk.tell(to.index(talk.nodes.len()), &text[..end.unwrap_or_default()]);
                }
            }
        }
    });
}
