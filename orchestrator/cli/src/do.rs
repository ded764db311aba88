//! `interlock do`: manual actions on a run of the open playground.

use std::io::Write;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use reqwest::Method;
use serde::Deserialize;
use serde_json::{Value, json};

use super::playground::{Address, Api, AskError, ended};
use super::terminal::{self, PipeTolerant};

/// Meanings of the exit codes.
const EXIT_CODES: &str = "Exit codes:
  0  the action was executed for all nodes or messages
  2  the action makes no sense in this run, or names something that does not exist
  3  the action cannot be executed now, or no playground answers

Several nodes or messages are handled one after the other. The first failure ends the command.";

/// Options of `interlock do`: the run, and the action on it.
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub struct DoOptions {
    /// Address of the playground
    #[command(flatten)]
    address: Address,
    /// Run: its id, its name if no other run has that name, or `latest`
    #[arg(value_name = "RUN")]
    run: String,
    /// Action
    #[command(subcommand)]
    deed: Deed,
}

#[derive(Debug, Subcommand)]
enum Deed {
    /// Kill the process of a node
    Crash(Nodes),
    /// Pause the process of a node
    Pause {
        #[command(flatten)]
        nodes: Nodes,
        /// Length of the pause, such as `500ms` or `2s` [default: until the node is resumed]
        #[arg(long = "for", value_name = "TIME")]
        span: Option<String>,
    },
    /// Resume a paused node
    Resume(Nodes),
    /// Start a new process for a crashed node
    Restart {
        #[command(flatten)]
        nodes: Nodes,
        /// State that the new process starts with: `stored` (what the node had stored) or `none`
        #[arg(long, value_name = "STATE", default_value = "stored")]
        state: String,
    },
    /// Make a node request a lock
    Acquire {
        #[command(flatten)]
        nodes: Nodes,
        /// Lock, by its number
        #[arg(long, value_name = "LOCK", default_value_t = 0)]
        lock: u32,
        /// Time after which the node leaves the critical section by itself, such as `500ms` or `2s` [default: when it
        /// is released]
        #[arg(long, value_name = "TIME")]
        hold: Option<String>,
        /// Maximum time to wait for the entry into the critical section, at most one minute
        #[arg(long, value_name = "TIME", default_value = "0")]
        wait: String,
    },
    /// Make a node leave the critical section
    Release {
        #[command(flatten)]
        nodes: Nodes,
        /// Lock, by its number
        #[arg(long, value_name = "LOCK", default_value_t = 0)]
        lock: u32,
    },
    /// Make a node call an election
    Elect(Nodes),
    /// Make a node propose a value
    Propose {
        /// Node, by its number or by its present role
        node: String,
        /// Value to propose
        value: String,
        /// Number of the agreement instance
        #[arg(long, value_name = "NUMBER", default_value_t = 0)]
        instance: u64,
    },
    /// Overwrite the state of a node, if the algorithm is self-stabilising
    Corrupt {
        /// Node, by its number or by its present role
        node: String,
        /// Number of the new state, from 0
        #[arg(value_name = "STATE")]
        choice: u64,
    },
    /// Make the failure detector of a node suspect another node, rightly or wrongly
    Suspect {
        /// Node whose failure detector suspects the other, by its number or by its present role
        node: String,
        /// Node to suspect
        whom: String,
    },
    /// Make the failure detector of a node trust another node again
    Trust {
        /// Node whose failure detector trusts the other again, by its number or by its present role
        node: String,
        /// Node to trust
        whom: String,
    },
    /// Write to the resource that a lock protects
    Put(Put),
    /// Remove all faults: end loss, duplication and holding, remove partitions, rules and settings of single links,
    /// deliver held messages, and resume paused nodes
    Heal,
    /// Deliver a message at once, whether it is held or in transit
    Deliver(Messages),
    /// Lose a message
    Drop(Messages),
    /// Hold a message that is in transit
    Hold(Messages),
    /// Duplicate a message and hold the duplicate
    Duplicate(Messages),
}

#[derive(Debug, Args)]
struct Put {
    /// Resource to write to, such as `account`
    resource: String,
    /// Value to write
    #[arg(allow_negative_numbers = true)]
    value: i64,
    /// Node for which to write, by its number or by its present role; it should be in the critical section
    #[arg(long)]
    node: Option<String>,
    /// Fencing token of that node's entry
    #[arg(long, value_name = "TOKEN")]
    fence: Option<u64>,
    /// Value that was read before and from which the new value was computed; writes since that read count as lost
    /// updates
    #[arg(long, value_name = "VALUE", allow_negative_numbers = true)]
    read: Option<i64>,
    /// Version that the resource must still have
    #[arg(long, value_name = "NUMBER")]
    version: Option<u64>,
}

#[derive(Debug, Args)]
struct Nodes {
    /// Nodes, by their numbers or by their present roles: holder, leader, waiting, token
    #[arg(value_name = "NODE", required = true)]
    nodes: Vec<String>,
}

#[derive(Debug, Args)]
struct Messages {
    /// Messages, by their names, such as `0.1.12`, or by a description: `REPLY from holder to 2`
    #[arg(value_name = "MESSAGE", required = true)]
    messages: Vec<String>,
}

/// HTTP request to the playground for one node, message or resource.
struct Asked<'a> {
    method: Method,
    /// Path segments below the path of the run.
    path: Vec<&'a str>,
    body: Value,
    /// Returns the sentence that reports the response to the user.
    told: Box<dyn Fn(&Answer) -> String + 'a>,
}

/// Response of the playground. `seq` is the sequence number of the latest event that the request caused. Which of
/// the other fields are present depends on the request.
#[derive(Debug, Deserialize)]
struct Answer {
    seq: u64,
    /// Number of the node. The user may have named the node by its role.
    node: Option<u32>,
    /// Number of the lock request.
    request: Option<u64>,
    /// Whether the node is in the critical section.
    #[serde(default)]
    entered: bool,
    /// Whether the node has accepted the command. A paused node accepts the command only when it is resumed.
    #[serde(default)]
    taken: bool,
    /// Name of the message. After a duplication, name of the duplicate.
    message: Option<String>,
}

impl Answer {
    /// Returns the number of the node. If the response contains no number, returns `name`, with which the user named
    /// the node.
    fn node_called(&self, name: &str) -> String {
        self.node.map_or_else(|| name.to_owned(), |node| node.to_string())
    }

    /// Returns the name of the message. If the response contains no name, returns `description`, with which the user
    /// described the message.
    fn named<'a>(&'a self, description: &'a str) -> &'a str {
        self.message.as_deref().unwrap_or(description)
    }
}

/// Executes the action and prints the result.
pub fn run(options: &DoOptions) -> ExitCode {
    ended(done(options))
}

fn done(DoOptions { address, run, deed }: &DoOptions) -> Result<(), AskError> {
    let api = Api::at(&address.playground)?;
    for Asked { method, path, body, told } in deed.asked() {
        let path: Vec<&str> = ["runs", run.as_str()].into_iter().chain(path).collect();
        let answer: Answer = api.order(method, &path, &body)?;
        writeln!(PipeTolerant(terminal::text()), "{} (event {})", told(&answer), answer.seq)?;
    }
    Ok(())
}

impl Deed {
    fn asked(&self) -> Vec<Asked<'_>> {
        match self {
            Self::Crash(nodes) => nodes.each("crash", &json!({}), |node, _| format!("node {node} is crashed")),
            Self::Pause { nodes, span } => {
                nodes.each("pause", &json!({ "for_ms": span }), |node, _| format!("node {node} is paused"))
            }
            Self::Resume(nodes) => nodes.each("resume", &json!({}), |node, _| format!("node {node} is resumed")),
            Self::Restart { nodes, state } => {
                let told = |node: &str, _: &Answer| match state.as_str() {
                    "none" => format!("node {node} is restarted without stored state"),
                    _ => format!("node {node} is restarted with its stored state"),
                };
                nodes.each("restart", &json!({ "state": state }), told)
            }
            Self::Acquire { nodes, lock, hold, wait } => {
                let body = json!({ "lock": lock, "hold": hold, "wait_ms": wait });
                nodes.each("acquire", &body, move |node, answer| match (answer.entered, answer.request) {
                    (true, _) => format!("node {node} is in the critical section of lock {lock}"),
                    (false, Some(request)) => format!("node {node} has requested lock {lock} (request {request})"),
                    (false, None) => not_taken(node),
                })
            }
            Self::Release { nodes, lock } => {
                nodes.each("release", &json!({ "lock": lock }), move |node, answer| match answer.request {
                    Some(_) => format!("node {node} has left the critical section of lock {lock}"),
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
                    if answer.taken { format!("node {node} is now in state {choice}") } else { not_taken(node) }
                }),
            }],
            Self::Suspect { node, whom } => vec![believed((node, "suspect", whom), "suspects")],
            Self::Trust { node, whom } => vec![believed((node, "trust", whom), "trusts")],
            Self::Put(put) => vec![put.asked()],
            Self::Heal => {
                let told = Box::new(|_: &Answer| "all faults are removed, and paused nodes are resumed".to_owned());
                vec![Asked { method: Method::POST, path: vec!["heal"], body: json!({}), told }]
            }
            Self::Deliver(messages) => {
                messages.each("deliver", |message, answer| format!("message {} is delivered", answer.named(message)))
            }
            Self::Drop(messages) => {
                messages.each("drop", |message, answer| format!("message {} is lost", answer.named(message)))
            }
            Self::Hold(messages) => {
                messages.each("hold", |message, answer| format!("message {} is held", answer.named(message)))
            }
            Self::Duplicate(messages) => messages.each("duplicate", |message, answer| {
                let copy = answer.message.as_deref().unwrap_or("a copy");
                format!("message {message} is duplicated: {copy} is held")
            }),
        }
    }
}

impl Nodes {
    /// Returns one request for each node, all with the same verb and body.
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
        let told = Box::new(move |_: &Answer| format!("{resource} is now {value}"));
        Asked { method: Method::PUT, path: vec!["resources", resource], body: Value::Object(body), told }
    }
}

impl Messages {
    /// Returns one request for each message, all with the same verb.
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

/// Converts the user's reference to a node to JSON. A number becomes a number, and any other text is the name of a
/// role.
fn numbered(node: &str) -> Value {
    node.parse::<u32>().map_or_else(|_| json!(node), Value::from)
}

/// Returns the request that makes the failure detector of a node suspect or trust another node.
fn believed<'a>((node, path, whom): (&'a str, &'static str, &'a str), now: &'static str) -> Asked<'a> {
    let body = json!({ "whom": numbered(whom) });
    let told = Box::new(move |answer: &Answer| {
        let node = &answer.node_called(node);
        if answer.taken { format!("node {node} {now} {whom}") } else { not_taken(node) }
    });
    Asked { method: Method::POST, path: vec!["nodes", node, path], body, told }
}

/// Returns the sentence for a command that is still pending: a paused node accepts commands only after it is
/// resumed.
fn not_taken(node: &str) -> String {
    format!("node {node} is paused: it executes the command when it is resumed")
}
