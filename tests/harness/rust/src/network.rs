//! Network faults, and manual delivery of messages.

use serde::Deserialize;
use serde_json::{Value, json};
use ureq::http::Method;

use crate::error::Error;
use crate::run::Run;

/// A message in the network.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Message {
    /// Name of this copy, such as `0.1.12`.
    #[serde(rename = "message")]
    pub name: String,
    /// Number of the sender.
    pub from: u32,
    /// Number of the receiver.
    pub to: u32,
    /// Kind of the message, with the name of the paper.
    #[serde(rename = "message_kind")]
    pub kind: String,
    /// Fields of the message, with the names of the paper.
    pub body: Value,
    /// `held` or `on-the-way`.
    pub status: String,
}

impl AsRef<str> for Message {
    fn as_ref(&self) -> &str {
        &self.name
    }
}

/// A fault of the network: a partition, a rule, or the settings of one link. The fault lasts until it is removed,
/// until the run is healed, or until the run ends.
#[derive(Debug)]
pub struct Fault<'a> {
    run: &'a Run,
    path: String,
}

impl Fault<'_> {
    /// Removes the fault.
    ///
    /// # Errors
    /// If the fault no longer exists, because the run was healed.
    pub fn remove(self) -> Result<(), Error> {
        self.run.ask(&Method::DELETE, &self.path, None)
    }
}

#[derive(Deserialize)]
struct Numbered {
    id: u64,
}

#[derive(Deserialize)]
struct Handled {
    message: String,
}

/// Network faults.
impl Run {
    /// Partitions groups of nodes from one another, in both directions.
    ///
    /// # Errors
    /// If a node of the groups does not exist.
    pub fn partition(&self, groups: &[&[u32]]) -> Result<Fault<'_>, Error> {
        self.fault("/network/partitions", &json!({ "groups": groups }))
    }

    /// Partitions groups of nodes, given as a text. A member of a group may be the current role of a node:
    /// `"holder|others"`, `"0,1|2,3"`.
    ///
    /// # Errors
    /// If the groups are invalid, or if no node has a named role.
    pub fn partition_named(&self, groups: &str) -> Result<Fault<'_>, Error> {
        self.fault("/network/partitions", &json!({ "groups": groups }))
    }

    /// Cuts the link from one node to another, but not the link in the other direction.
    ///
    /// # Errors
    /// If the link does not exist.
    pub fn cut(&self, from: u32, to: u32) -> Result<Fault<'_>, Error> {
        self.fault("/network/partitions", &json!({ "groups": [[from], [to]], "direction": "forward" }))
    }

    /// Adds a rule: an action on all messages that match. The rule is the body of `POST …/rules`: `json!({ "match":
    /// { "message_kind": "REPLY", "to": 0 }, "action": "drop", "count": 1 })`.
    ///
    /// # Errors
    /// If the rule is invalid.
    #[expect(clippy::needless_pass_by_value, reason = "it is written where it is passed, as `json!({ … })`")]
    pub fn rule(&self, rule: Value) -> Result<Fault<'_>, Error> {
        self.fault("/network/rules", &rule)
    }

    /// Sets the settings of one link: `json!({ "delay": "const:50", "loss": 0.1 })`.
    ///
    /// # Errors
    /// If the link does not exist, or if the settings are invalid.
    #[expect(clippy::needless_pass_by_value, reason = "it is written where it is passed, as `json!({ … })`")]
    pub fn link(&self, from: u32, to: u32, setting: Value) -> Result<Fault<'_>, Error> {
        let path = format!("/network/links/{from}/{to}");
        let _: Value = self.ask(&Method::PUT, &path, Some(&setting))?;
        Ok(Fault { run: self, path })
    }

    /// Changes the default settings of all links: `json!({ "loss": 0.1 })`.
    ///
    /// # Errors
    /// If the settings are invalid.
    #[expect(clippy::needless_pass_by_value, reason = "it is written where it is passed, as `json!({ … })`")]
    pub fn set_network(&self, setting: Value) -> Result<(), Error> {
        self.ask(&Method::PATCH, "/network/default", Some(&setting)).map(|_: Value| ())
    }

    /// Returns the setup of the network: `default`, `links`, `partitions`, `rules`.
    ///
    /// # Errors
    /// If the run has ended.
    pub fn network(&self) -> Result<Value, Error> {
        self.get("/network")
    }

    /// Removes all faults that can be healed: no message is lost, duplicated, held or blocked any longer, and
    /// paused nodes are resumed. Crashed nodes stay crashed.
    ///
    /// # Errors
    /// If the run has ended.
    pub fn heal(&self) -> Result<(), Error> {
        self.post("/heal", &json!({})).map(|_: Value| ())
    }

    fn fault(&self, path: &str, body: &Value) -> Result<Fault<'_>, Error> {
        let Numbered { id } = self.post(path, body)?;
        Ok(Fault { run: self, path: format!("{path}/{id}") })
    }
}

/// Manual delivery of messages.
impl Run {
    /// Returns the messages in the network, ordered by link and number.
    ///
    /// # Errors
    /// If the run has ended.
    pub fn messages(&self) -> Result<Vec<Message>, Error> {
        self.items("/network/messages")
    }

    /// Returns the held messages.
    ///
    /// # Errors
    /// If the run has ended.
    pub fn held(&self) -> Result<Vec<Message>, Error> {
        self.items("/network/messages?status=held")
    }

    /// Delivers a message immediately. The message may be held or in transit.
    ///
    /// # Errors
    /// If the message does not exist.
    pub fn deliver(&self, message: impl AsRef<str>) -> Result<(), Error> {
        self.handle(message.as_ref(), "deliver").map(drop)
    }

    /// Drops a message.
    ///
    /// # Errors
    /// If the message does not exist.
    pub fn lose(&self, message: impl AsRef<str>) -> Result<(), Error> {
        self.handle(message.as_ref(), "drop").map(drop)
    }

    /// Holds a message in transit. It stays held until it is delivered or dropped.
    ///
    /// # Errors
    /// If the message does not exist, or if it is already held.
    pub fn hold(&self, message: impl AsRef<str>) -> Result<(), Error> {
        self.handle(message.as_ref(), "hold").map(drop)
    }

    /// Duplicates a message, and returns the name of the copy. The copy is held.
    ///
    /// # Errors
    /// If the message does not exist.
    pub fn duplicate(&self, message: impl AsRef<str>) -> Result<String, Error> {
        self.handle(message.as_ref(), "duplicate")
    }

    /// Delivers all held messages, in the order in which they were held.
    ///
    /// # Errors
    /// If the run has ended.
    pub fn release_messages(&self) -> Result<(), Error> {
        self.post("/network/messages/release", &json!({})).map(|_: Value| ())
    }

    fn handle(&self, name: &str, verb: &str) -> Result<String, Error> {
        self.post(&format!("/network/messages/{name}/{verb}"), &json!({})).map(|Handled { message }| message)
    }
}
