//! Faults of the network, and messages by hand.

use serde::Deserialize;
use serde_json::{Value, json};
use ureq::http::Method;

use crate::error::Error;
use crate::run::Run;

/// A message in the network.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Message {
    /// Its name: `0.1.12`.
    #[serde(rename = "message")]
    pub name: String,
    /// Who sent it.
    pub from: u32,
    /// Whom it is for.
    pub to: u32,
    /// Its kind, as in the paper.
    #[serde(rename = "message_kind")]
    pub kind: String,
    /// Its fields, as in the paper.
    pub body: Value,
    /// `held` or `on-the-way`.
    pub status: String,
}

impl AsRef<str> for Message {
    fn as_ref(&self) -> &str {
        &self.name
    }
}

/// A partition, a rule, or a link of its own. It lasts until it is removed, the run is healed, or the run ends.
#[derive(Debug)]
pub struct Fault<'a> {
    run: &'a Run,
    path: String,
}

impl Fault<'_> {
    /// Takes it away.
    ///
    /// # Errors
    /// When it is gone already, since the run was healed.
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

/// Faults of the network.
impl Run {
    /// Cuts the links between groups of nodes, in both directions.
    ///
    /// # Errors
    /// When there are no such groups.
    pub fn partition(&self, groups: &[&[u32]]) -> Result<Fault<'_>, Error> {
        self.fault("/network/partitions", &json!({ "groups": groups }))
    }

    /// Cuts the links between groups in words, where a member can be what a node is at the time: `"holder|others"`,
    /// `"0,1|2,3"`.
    ///
    /// # Errors
    /// When the groups make no sense, or nobody is what is named.
    pub fn partition_named(&self, groups: &str) -> Result<Fault<'_>, Error> {
        self.fault("/network/partitions", &json!({ "groups": groups }))
    }

    /// Cuts the link from one node to another, and not that of the other way.
    ///
    /// # Errors
    /// When there is no such link.
    pub fn cut(&self, from: u32, to: u32) -> Result<Fault<'_>, Error> {
        self.fault("/network/partitions", &json!({ "groups": [[from], [to]], "direction": "forward" }))
    }

    /// Does something to all messages that match; the rule is the body of `POST …/rules`:
    /// `json!({ "match": { "message_kind": "REPLY", "to": 0 }, "action": "drop", "count": 1 })`.
    ///
    /// # Errors
    /// When there can be no such rule.
    #[expect(clippy::needless_pass_by_value, reason = "it is written where it is passed, as `json!({ … })`")]
    pub fn rule(&self, rule: Value) -> Result<Fault<'_>, Error> {
        self.fault("/network/rules", &rule)
    }

    /// Makes one link behave differently from the others: `json!({ "delay": "const:50", "loss": 0.1 })`.
    ///
    /// # Errors
    /// When there is no such link, or it cannot behave so.
    #[expect(clippy::needless_pass_by_value, reason = "it is written where it is passed, as `json!({ … })`")]
    pub fn link(&self, from: u32, to: u32, setting: Value) -> Result<Fault<'_>, Error> {
        let path = format!("/network/links/{from}/{to}");
        let _: Value = self.ask(&Method::PUT, &path, Some(&setting))?;
        Ok(Fault { run: self, path })
    }

    /// Changes how links behave unless told otherwise: `json!({ "loss": 0.1 })`.
    ///
    /// # Errors
    /// When they cannot behave so.
    #[expect(clippy::needless_pass_by_value, reason = "it is written where it is passed, as `json!({ … })`")]
    pub fn set_network(&self, setting: Value) -> Result<(), Error> {
        self.ask(&Method::PATCH, "/network/default", Some(&setting)).map(|_: Value| ())
    }

    /// How the network is set up: `default`, `links`, `partitions`, `rules`.
    ///
    /// # Errors
    /// When the run has ended.
    pub fn network(&self) -> Result<Value, Error> {
        self.get("/network")
    }

    /// Takes all faults away: nothing is lost, copied, held or cut any more, and paused nodes go on. The dead stay so.
    ///
    /// # Errors
    /// When the run has ended.
    pub fn heal(&self) -> Result<(), Error> {
        self.post("/heal", &json!({})).map(|_: Value| ())
    }

    fn fault(&self, path: &str, body: &Value) -> Result<Fault<'_>, Error> {
        let Numbered { id } = self.post(path, body)?;
        Ok(Fault { run: self, path: format!("{path}/{id}") })
    }
}

/// Messages by hand.
impl Run {
    /// The messages in the network, by link and number.
    ///
    /// # Errors
    /// When the run has ended.
    pub fn messages(&self) -> Result<Vec<Message>, Error> {
        self.items("/network/messages")
    }

    /// Those of them that are held.
    ///
    /// # Errors
    /// When the run has ended.
    pub fn held(&self) -> Result<Vec<Message>, Error> {
        self.items("/network/messages?status=held")
    }

    /// Hands a message over at once, held or on its way.
    ///
    /// # Errors
    /// When there is no such message.
    pub fn deliver(&self, message: impl AsRef<str>) -> Result<(), Error> {
        self.handle(message.as_ref(), "deliver").map(drop)
    }

    /// Loses a message.
    ///
    /// # Errors
    /// When there is no such message.
    pub fn lose(&self, message: impl AsRef<str>) -> Result<(), Error> {
        self.handle(message.as_ref(), "drop").map(drop)
    }

    /// Holds a message that is on its way, until it is delivered or lost.
    ///
    /// # Errors
    /// When there is no such message, or it is held already.
    pub fn hold(&self, message: impl AsRef<str>) -> Result<(), Error> {
        self.handle(message.as_ref(), "hold").map(drop)
    }

    /// Makes a copy of a message, which is held, and returns its name.
    ///
    /// # Errors
    /// When there is no such message.
    pub fn duplicate(&self, message: impl AsRef<str>) -> Result<String, Error> {
        self.handle(message.as_ref(), "duplicate")
    }

    /// Delivers all held messages, in the order in which they were held.
    ///
    /// # Errors
    /// When the run has ended.
    pub fn release_messages(&self) -> Result<(), Error> {
        self.post("/network/messages/release", &json!({})).map(|_: Value| ())
    }

    fn handle(&self, name: &str, verb: &str) -> Result<String, Error> {
        self.post(&format!("/network/messages/{name}/{verb}"), &json!({})).map(|Handled { message }| message)
    }
}
