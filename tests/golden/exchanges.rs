//! Golden exchanges with nodes: inputs and step records as text, for each variant of each algorithm.

use std::collections::BTreeSet;
use std::fmt::Write;

use interlock_algorithm::catalogue::ENTRIES;
use interlock_algorithm::{Entry, LockUse};
use interlock_machine::{LiveNode, Steps, catalogue_node};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::kept::Golden;

const NODES: usize = 4;
/// Number of random events in one exchange.
const HAPPENINGS: usize = 120;

/// Layers between the nodes. Each entry has a name, a channel and a failure detector.
const LAYERS: [(&str, &str, &str); 3] = [
    ("raw", r#"{"channel":"raw","again_after_us":0}"#, r#""none""#),
    ("fifo", r#"{"channel":"fifo","again_after_us":0}"#, r#""perfect""#),
    (
        "reliable",
        r#"{"channel":"reliable","again_after_us":10000}"#,
        r#"{"heartbeat":{"interval_us":20000,"patience":3,"adaptive":true}}"#,
    ),
];

/// Kinds of messages that no algorithm sends: those of channels, of failure detectors and of the application.
const OF_LAYERS: [&str; 3] = ["CHANNEL-ACK", "DETECTOR-HEARTBEAT", "TELL"];

/// A generator of random numbers that depends on no crate of the project (`SplitMix64`).
struct Dice(u64);

impl Dice {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % count as u64).expect("a small number")
    }
}

/// A step record. Its parts are the exact texts that the node wrote.
#[derive(Deserialize)]
struct Step<'a> {
    #[serde(borrow)]
    input: &'a RawValue,
    #[serde(default, borrow)]
    effects: Vec<&'a RawValue>,
    #[serde(default, borrow)]
    because: Vec<&'a RawValue>,
    #[serde(default, borrow)]
    view: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Report<'a> {
    #[serde(borrow)]
    steps: Vec<Step<'a>>,
}

/// One incarnation of a node.
struct Process {
    node: Box<dyn LiveNode>,
    incarnation: u32,
    batch: u64,
    stored: Option<Value>,
}

/// Several nodes, and the messages in transit between them.
struct Exchange<'a> {
    initialization: Value,
    processes: Vec<Process>,
    under_way: Vec<(usize, Value)>,
    messages: u64,
    commands: u64,
    now_us: u64,
    /// All inputs and reports, one in each line.
    transcript: String,
    samples: &'a mut Samples,
}

/// The first sample of each form of JSON that the nodes write.
#[derive(Default)]
struct Samples {
    algorithm: &'static str,
    seen: BTreeSet<String>,
    lines: Vec<String>,
}

impl Samples {
    fn take(&mut self, part: &str, piece: &RawValue) {
        let value: Value = serde_json::from_str(piece.get()).expect("JSON");
        // Messages, reasons and views differ between algorithms. Everything else has the same form for all
        // algorithms.
        let own = match (part, &value["send"]["kind"]) {
            ("effect", Value::String(kind)) if value["send"].get("header").is_none() => !OF_LAYERS.contains(&&**kind),
            ("effect" | "input", _) => false,
            _ => value.get("lock").is_none(),
        };
        let owner = if own { self.algorithm } else { "any" };
        let form = if part == "because" { value["code"].to_string() } else { form(&value) };
        if self.seen.insert(format!("{owner} {part} {form}")) {
            self.lines.push(format!("{owner} {part} {}", piece.get()));
        }
    }
}

/// Returns the form of a JSON value: its keys on two levels, and the kind of a message.
fn form(value: &Value) -> String {
    let keys = |value: &Value| {
        let fields = value.as_object().into_iter().flatten();
        fields.map(|(key, _)| key.as_str()).collect::<Vec<_>>().join(",")
    };
    let fields = value.as_object().into_iter().flatten();
    let inner = fields.map(|(key, inner)| format!("{key}:{{{}}}", keys(inner)));
    format!("{} {}", inner.collect::<Vec<_>>().join(" "), value["send"]["kind"])
}

fn initialization(entry: &Entry, variant: &str, locks: u32, layers: (&str, &str, &str)) -> Value {
    let acquires = entry.commands.contains(&"acquire");
    let client_loop = acquires.then(|| json!({ "idle": "uniform:1..30", "hold": "const:3", "entries": 6 }));
    json!({ "hub": "http://127.0.0.1:1", "secret": "s", "parent": 1, "node": 0, "incarnation": 1, "nodes": NODES,
        "algorithm": entry.name, "variant": variant, "parameters": {}, "seed": 42, "epoch_ns": 0,
        "client_loop": client_loop, "timers": true, "next_request": 1, "entries": 0, "locks": locks,
        "channel": serde_json::from_str::<Value>(layers.1).expect("JSON"),
        "detector": serde_json::from_str::<Value>(layers.2).expect("JSON") })
}

fn process(initialization: &Value, node: usize, incarnation: u32) -> Result<Process, String> {
    let mut document = initialization.clone();
    document["node"] = json!(node);
    document["incarnation"] = json!(incarnation);
    // After a restart, the numbers of the requests continue the numbers of the earlier incarnations.
    document["next_request"] = json!(u64::from(incarnation) * 100 - 99);
    let parsed = serde_json::from_value(document).map_err(|error| error.to_string())?;
    let node = catalogue_node(&parsed).map_err(|refusal| format!("{refusal:?}"))?;
    Ok(Process { node, incarnation, batch: 0, stored: None })
}

impl<'a> Exchange<'a> {
    fn begin(initialization: Value, samples: &'a mut Samples) -> Result<Self, String> {
        let processes = (0..NODES).map(|node| process(&initialization, node, 1)).collect::<Result<_, _>>()?;
        let mut exchange = Self {
            initialization,
            processes,
            under_way: Vec::new(),
            messages: 0,
            commands: 0,
            now_us: 0,
            transcript: String::new(),
            samples,
        };
        (0..NODES).for_each(|node| exchange.give(node, r#"{"start":{}}"#));
        Ok(exchange)
    }

    /// Passes an input to a node, and records the report of the step that the input causes.
    fn give(&mut self, node: usize, item: &str) {
        let mut steps = Steps::default();
        self.processes[node].node.take(item, self.now_us, &mut steps);
        self.note(node, item, &mut steps);
    }

    fn note(&mut self, node: usize, item: &str, steps: &mut Steps) {
        let process = &mut self.processes[node];
        process.batch += 1;
        let report = steps.report(process.incarnation, process.batch, &*process.node);
        let report = String::from_utf8(report).expect("text");
        writeln!(self.transcript, "{node} < {item}\n{node} > {report}").expect("a text takes all");
        let read: Report<'_> = serde_json::from_str(&report).unwrap_or_else(|error| panic!("{error}: {report}"));
        for step in read.steps {
            self.samples.take("input", step.input);
            step.because.iter().for_each(|reason| self.samples.take("because", reason));
            for effect in step.effects {
                self.samples.take("effect", effect);
                self.follow(node, &serde_json::from_str(effect.get()).expect("JSON"));
            }
            step.view.iter().for_each(|view| self.samples.take("view", view));
        }
    }

    fn follow(&mut self, node: usize, effect: &Value) {
        if let Some(stored) = effect.get("store") {
            self.processes[node].stored = Some(stored.clone());
        }
        let Some(send) = effect.get("send") else { return };
        for to in send["to"].as_array().expect("recipients") {
            self.messages += 1;
            let mut message = json!({ "id": format!("{node}.{to}.{}", self.messages), "from": node,
                "kind": send["kind"], "body": send["body"] });
            if let Some(header) = send.get("header") {
                message["header"] = header.clone();
            }
            let to = usize::try_from(to.as_u64().expect("a node")).expect("a node");
            self.under_way.push((to, json!({ "message": message })));
        }
    }

    fn command(&mut self, node: usize, mut order: Value) {
        self.commands += 1;
        order["id"] = json!(self.commands);
        self.give(node, &json!({ "command": order }).to_string());
    }

    /// Makes the next timer of a node fire.
    fn pass(&mut self, node: usize) {
        let Some(due_us) = self.processes[node].node.due_us() else { return };
        self.now_us = self.now_us.max(due_us);
        let mut steps = Steps::default();
        self.processes[node].node.fire(self.now_us, &mut steps);
        self.note(node, "time", &mut steps);
    }

    fn restart(&mut self, node: usize, keeps: bool) {
        let stored = self.processes[node].stored.clone();
        let incarnation = self.processes[node].incarnation + 1;
        self.processes[node] = process(&self.initialization, node, incarnation).expect("as before");
        self.processes[node].stored.clone_from(&stored);
        self.give(node, &json!({ "restart": { "stored": stored.filter(|_| keeps) } }).to_string());
    }

    /// Executes one random event, drawn by `dice`.
    fn happen(&mut self, entry: &Entry, locks: u32, faulty: bool, dice: &mut Dice) {
        let node = dice.below(NODES);
        match dice.below(24) {
            0..=4 => self.pass(node),
            5..=7 => {
                let order = order(entry, node, locks, dice);
                self.command(node, order);
            }
            8 if faulty && dice.below(6) == 0 => self.restart(node, dice.below(2) == 0),
            9 if faulty && !self.under_way.is_empty() => {
                let which = dice.below(self.under_way.len());
                if dice.below(2) == 0 {
                    self.under_way.swap_remove(which);
                } else {
                    let again = self.under_way[which].clone();
                    self.under_way.push(again);
                }
            }
            10 if faulty && dice.below(10) == 0 => self.give(node, r#"{"message":{"id":"0.1.1"}}"#),
            _ if self.under_way.is_empty() => self.pass(node),
            _ => {
                let which = if faulty { dice.below(self.under_way.len()) } else { 0 };
                let (to, item) = self.under_way.remove(which);
                self.now_us += 700;
                self.give(to, &item.to_string());
            }
        }
    }
}

/// Returns a random command for a node: a command that only the algorithm `entry` accepts, or a command that every
/// node accepts.
fn order(entry: &Entry, node: usize, locks: u32, dice: &mut Dice) -> Value {
    let lock = dice.below(locks as usize);
    let other = (node + 1) % NODES;
    let hold = [Value::Null, json!(5_000)][dice.below(2)].clone();
    let mut orders = vec![
        json!({ "tell": { "to": other, "asks": true, "hold_us": hold } }),
        json!({ "suspect": { "whom": other } }),
        json!({ "trust": { "whom": other } }),
    ];
    for command in entry.commands {
        let own = match *command {
            "elect" => json!({ "elect": {} }),
            "propose" => json!({ "propose": { "instance": 1, "value": format!("v{node}") } }),
            "acquire" if entry.locks == LockUse::Many && dice.below(3) == 0 => {
                json!({ "acquire_together": { "locks": [lock, (lock + 1) % locks as usize], "hold_us": hold } })
            }
            "acquire" => json!({ "acquire": { "lock": lock, "hold_us": hold } }),
            "release" => json!({ "release": { "lock": lock } }),
            "corrupt" => json!({ "corrupt": { "choice": dice.below(9) } }),
            other => panic!("no order is known for the command {other}"),
        };
        // Commands that only this algorithm accepts are drawn more often than commands that every node accepts.
        orders.extend([own.clone(), own.clone(), own]);
    }
    orders.swap_remove(dice.below(orders.len()))
}

/// Plays one exchange, and returns its transcript.
fn played(entry: &Entry, variant: &str, layers: (&str, &str, &str), samples: &mut Samples) -> String {
    // If an algorithm has several resources, this run has five, so that a command can name two different
    // resources.
    let locks = if entry.locks == LockUse::Many { 5 } else { 1 + u32::from(layers.0 == "fifo") };
    let document = initialization(entry, variant, locks, layers);
    let mut exchange = match Exchange::begin(document, samples) {
        Ok(exchange) => exchange,
        Err(refusal) => return refusal,
    };
    let mut dice = Dice(7);
    for _ in 0..HAPPENINGS {
        exchange.happen(entry, locks, layers.0 == "reliable", &mut dice);
    }
    exchange.transcript
}

#[test]
fn nodes_answer_every_exchange_as_before() {
    let mut table = Golden::new("exchanges.txt");
    let mut pieces = Golden::new("pieces.txt");
    let mut samples = Samples::default();
    for entry in ENTRIES {
        samples.algorithm = entry.name;
        for variant in entry.variants {
            for layers in LAYERS {
                let transcript = played(entry, variant.name, layers, &mut samples);
                let steps = transcript.lines().count() / 2;
                table.digest(&format!("{}/{} {} {steps} steps", entry.name, variant.name, layers.0), transcript);
            }
        }
    }
    samples.lines.iter().for_each(|line| pieces.line(line));
    table.check();
    pieces.check();
}
