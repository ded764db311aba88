//! `interlock do`: something is done by hand to a run of the open playground.

use std::io::Write;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use reqwest::Method;
use serde::Deserialize;
use serde_json::{Value, json};

use super::playground::{Address, Api, AskError, ended};
use super::terminal;

/// To what something is done, and what.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit code: 0 it is done, 2 it makes no sense in this run or is about what is not there, 3 it cannot \
                        be done now or no playground answers. Of several nodes or messages one comes after the other, and \
                        none after the first with which it cannot be done."
)]
pub struct DoOptions {
    /// Which playground is asked
    #[command(flatten)]
    address: Address,
    /// The run: by its id, by its name if no other has it, or as `latest`
    #[arg(value_name = "RUN")]
    run: String,
    /// What is done
    #[command(subcommand)]
    deed: Deed,
}

#[derive(Debug, Subcommand)]
enum Deed {
    /// Kill the process of a node
    Crash(Nodes),
    /// Stop the process of a node in its tracks
    Pause {
        #[command(flatten)]
        nodes: Nodes,
        /// For how long, such as `500ms` or `2s` [default: until somebody resumes it]
        #[arg(long = "for", value_name = "TIME")]
        span: Option<String>,
    },
    /// Let a paused node go on
    Resume(Nodes),
    /// Start a new process for a crashed node
    Restart {
        #[command(flatten)]
        nodes: Nodes,
        /// With what: `stored`, what it had stored, or `none`, nothing
        #[arg(long, value_name = "STATE", default_value = "stored")]
        state: String,
    },
    /// Have a node ask for a lock
    Acquire {
        #[command(flatten)]
        nodes: Nodes,
        /// Which lock
        #[arg(long, value_name = "LOCK", default_value_t = 0)]
        lock: u32,
        /// After how long it leaves by itself, such as `500ms` or `2s` [default: when it is told to]
        #[arg(long, value_name = "TIME")]
        hold: Option<String>,
        /// How long to wait for its entry, a minute at most
        #[arg(long, value_name = "TIME", default_value = "0")]
        wait: String,
    },
    /// Have a node leave the critical section
    Release {
        #[command(flatten)]
        nodes: Nodes,
        /// Of which lock
        #[arg(long, value_name = "LOCK", default_value_t = 0)]
        lock: u32,
    },
    /// Have a node call an election
    Elect(Nodes),
    /// Have a node propose a value
    Propose {
        /// The node, by its number or by what it is now
        node: String,
        /// The value
        value: String,
        /// In which instance of agreement
        #[arg(long, value_name = "NUMBER", default_value_t = 0)]
        instance: u64,
    },
    /// Overwrite the state of a node, where the algorithm stabilises
    Corrupt {
        /// The node, by its number or by what it is now
        node: String,
        /// The number of the state, from 0
        #[arg(value_name = "STATE")]
        choice: u64,
    },
    /// Have the failure detector of a node take another for dead, rightly or not
    Suspect {
        /// The node, by its number or by what it is now
        node: String,
        /// Whom it takes for dead
        whom: String,
    },
    /// Have the failure detector of a node take another for dead no more
    Trust {
        /// The node, by its number or by what it is now
        node: String,
        /// Whom it takes for dead no more
        whom: String,
    },
    /// Write into what a lock protects
    Put(Put),
    /// Take all faults away: nothing is lost, copied, held or cut any more, and paused nodes go on
    Heal,
    /// Hand a message over at once, held or on its way
    Deliver(Messages),
    /// Lose a message
    Drop(Messages),
    /// Hold a message that is on its way
    Hold(Messages),
    /// Make a copy of a message; the copy is held
    Duplicate(Messages),
}

#[derive(Debug, Args)]
struct Put {
    /// What is written to, such as `account`
    resource: String,
    /// What is to be in it
    #[arg(allow_negative_numbers = true)]
    value: i64,
    /// On behalf of which node, by its number or by what it is now, which should be in the section
    #[arg(long)]
    node: Option<String>,
    /// The fencing token of that node's entry
    #[arg(long, value_name = "TOKEN")]
    fence: Option<u64>,
    /// The value that was read before and from which this one is made: what was written meanwhile counts as lost
    #[arg(long, value_name = "VALUE", allow_negative_numbers = true)]
    read: Option<i64>,
    /// The version that it must still have
    #[arg(long, value_name = "NUMBER")]
    version: Option<u64>,
}

#[derive(Debug, Args)]
struct Nodes {
    /// The nodes, by their numbers or by what they are now: holder, leader, waiting, token
    #[arg(value_name = "NODE", required = true)]
    nodes: Vec<String>,
}

#[derive(Debug, Args)]
struct Messages {
    /// The messages, by their names, such as `0.1.12`, or described: `REPLY from holder to 2`
    #[arg(value_name = "MESSAGE", required = true)]
    messages: Vec<String>,
}

/// One thing that is asked of the playground.
struct Asked<'a> {
    method: Method,
    /// The path below that of the run.
    path: Vec<&'a str>,
    body: Value,
    /// What came of it, in words.
    told: Box<dyn Fn(&Answer) -> String + 'a>,
}

/// What the playground answers: the latest event that followed, and what else it tells.
#[derive(Debug, Deserialize)]
struct Answer {
    seq: u64,
    /// The number of the node.
    node: Option<u32>,
    /// The number of the request.
    request: Option<u64>,
    /// Whether the node is in the section.
    #[serde(default)]
    entered: bool,
    /// Whether the node has taken the order.
    #[serde(default)]
    taken: bool,
    /// The message, or the copy that was made of it.
    message: Option<String>,
}

impl Answer {
    /// The number of the node that was called so.
    fn node_called(&self, name: &str) -> String {
        self.node.map_or_else(|| name.to_owned(), |node| node.to_string())
    }

    /// The name of the message that was described so.
    fn named<'a>(&'a self, description: &'a str) -> &'a str {
        self.message.as_deref().unwrap_or(description)
    }
}

/// Does it, and says what came of it.
pub fn run(options: &DoOptions) -> ExitCode {
    ended(done(options))
}

fn done(DoOptions { address, run, deed }: &DoOptions) -> Result<(), AskError> {
    let api = Api::at(&address.playground)?;
    for Asked { method, path, body, told } in deed.asked() {
        let path: Vec<&str> = ["runs", run.as_str()].into_iter().chain(path).collect();
        let answer: Answer = api.order(method, &path, &body)?;
        writeln!(terminal::text(), "{} (event {})", told(&answer), answer.seq)?;
    }
    Ok(())
}

impl Deed {
    fn asked(&self) -> Vec<Asked<'_>> {
        match self {
            Self::Crash(nodes) => nodes.each("crash", &json!({}), |node, _| format!("node {node} is dead")),
            Self::Pause { nodes, span } => {
                nodes.each("pause", &json!({ "for_ms": span }), |node, _| format!("node {node} stands still"))
            }
            Self::Resume(nodes) => nodes.each("resume", &json!({}), |node, _| format!("node {node} goes on")),
            Self::Restart { nodes, state } => {
                let told = |node: &str, _: &Answer| match state.as_str() {
                    "none" => format!("node {node} is back, with nothing"),
                    _ => format!("node {node} is back, with what it had stored"),
                };
                nodes.each("restart", &json!({ "state": state }), told)
            }
            Self::Acquire { nodes, lock, hold, wait } => {
                let body = json!({ "lock": lock, "hold": hold, "wait_ms": wait });
                nodes.each("acquire", &body, move |node, answer| match (answer.entered, answer.request) {
                    (true, _) => format!("node {node} is in the section of lock {lock}"),
                    (false, Some(request)) => format!("node {node} has asked for lock {lock}, request {request}"),
                    (false, None) => not_taken(node),
                })
            }
            Self::Release { nodes, lock } => {
                nodes.each("release", &json!({ "lock": lock }), move |node, answer| match answer.request {
                    Some(_) => format!("node {node} has left the section of lock {lock}"),
                    None => not_taken(node),
                })
            }
            Self::Elect(nodes) => nodes.each("elect", &json!({}), |node, answer| {
                if answer.taken { format!("node {node} calls an election") } else { not_taken(node) }
            }),
            Self::Propose { node, value, instance } => vec![Asked {
                method: Method::POST,
                path: vec!["nodes", node, "propose"],
                body: json!({ "value": value, "instance": instance }),
                told: Box::new(move |answer| {
                    let node = &answer.node_called(node);
                    if answer.taken {
                        format!("node {node} proposes {value} in instance {instance}")
                    } else {
                        not_taken(node)
                    }
                }),
            }],
            Self::Corrupt { node, choice } => vec![Asked {
                method: Method::POST,
                path: vec!["nodes", node, "corrupt"],
                body: json!({ "choice": choice }),
                told: Box::new(move |answer| {
                    let node = &answer.node_called(node);
                    if answer.taken { format!("node {node} finds itself in state {choice}") } else { not_taken(node) }
                }),
            }],
            Self::Suspect { node, whom } => vec![believed((node, "suspect", whom), "dead")],
            Self::Trust { node, whom } => vec![believed((node, "trust", whom), "dead no more")],
            Self::Put(put) => vec![put.asked()],
            Self::Heal => {
                let told = Box::new(|_: &Answer| "all faults are taken away, and paused nodes go on".to_owned());
                vec![Asked { method: Method::POST, path: vec!["heal"], body: json!({}), told }]
            }
            Self::Deliver(messages) => {
                messages.each("deliver", |message, answer| format!("message {} is handed over", answer.named(message)))
            }
            Self::Drop(messages) => {
                messages.each("drop", |message, answer| format!("message {} is lost", answer.named(message)))
            }
            Self::Hold(messages) => {
                messages.each("hold", |message, answer| format!("message {} is held", answer.named(message)))
            }
            Self::Duplicate(messages) => messages.each("duplicate", |message, answer| {
                let copy = answer.message.as_deref().unwrap_or("a copy");
                format!("message {message} is copied: {copy}, which is held")
            }),
        }
    }
}

impl Nodes {
    /// The same for each node.
    fn each<'a>(
        &'a self,
        verb: &'static str,
        body: &Value,
        told: impl Fn(&str, &Answer) -> String + Copy + 'a,
    ) -> Vec<Asked<'a>> {
        let asked = |node: &'a String| Asked {
            method: Method::POST,
            path: vec!["nodes", node, verb],
            body: body.clone(),
            told: Box::new(move |answer| told(&answer.node_called(node), answer)),
        };
        self.nodes.iter().map(asked).collect()
    }
}

impl Put {
    fn asked(&self) -> Asked<'_> {
        let Self { resource, value, node, fence, read, version } = self;
        let given = [
            ("value", Some(json!(value))),
            ("node", node.as_deref().map(numbered)),
            ("fence", fence.map(Value::from)),
            ("read", read.map(Value::from)),
            ("version", version.map(Value::from)),
        ];
        let body = given.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect();
        let told = Box::new(move |_: &Answer| format!("{resource} is {value} now"));
        Asked { method: Method::PUT, path: vec!["resources", resource], body: Value::Object(body), told }
    }
}

impl Messages {
    /// The same for each message.
    fn each<'a>(&'a self, verb: &'static str, told: impl Fn(&str, &Answer) -> String + Copy + 'a) -> Vec<Asked<'a>> {
        let asked = |message: &'a String| Asked {
            method: Method::POST,
            path: vec!["network", "messages", message, verb],
            body: json!({}),
            told: Box::new(move |answer| told(message, answer)),
        };
        self.messages.iter().map(asked).collect()
    }
}

/// A node as it is called: by its number, or by what it is.
fn numbered(node: &str) -> Value {
    node.parse::<u32>().map_or_else(|_| json!(node), Value::from)
}

/// What the failure detector of a node is told to believe of another, who is taken for this from then on.
fn believed<'a>((node, path, whom): (&'a str, &'static str, &'a str), now: &'static str) -> Asked<'a> {
    let body = json!({ "whom": numbered(whom) });
    let told = Box::new(move |answer: &Answer| {
        let node = &answer.node_called(node);
        if answer.taken { format!("node {node} takes {whom} for {now}") } else { not_taken(node) }
    });
    Asked { method: Method::POST, path: vec!["nodes", node, path], body, told }
}

/// A paused node takes nothing before it goes on.
fn not_taken(node: &str) -> String {
    format!("node {node} has not taken it yet: it does when it goes on")
}
