//! Types that a document may write in more than one form, as the OpenAPI document describes them.

use serde_json::Value;
use utoipa::ToSchema;

/// A length of time, 0 … 1 h: a number in ms, or a text such as `500ms`, `2s` or `1m`.
#[derive(Clone, Debug, ToSchema)]
#[serde(untagged)]
pub enum Time {
    /// A number in ms.
    Number(f64),
    /// A text: a number with a unit (`us`, `ms`, `s` or `m`), or a number without a unit, in ms.
    Text(String),
}

/// A distribution of times in ms: `0`, `const:5`, `uniform:1..20`, `exp:200`, `normal:20,5` or `pareto:1,2`. A time
/// may have a unit, as in `const:2s`. A number is a constant time.
#[derive(Clone, Debug, ToSchema)]
#[serde(untagged)]
pub enum Times {
    /// A distribution.
    Text(String),
    /// A constant time in ms.
    Number(f64),
}

/// A number of bytes: a whole number, or a text such as `100kB`, `64KiB` or `1MB`.
#[derive(Clone, Debug, ToSchema)]
#[serde(untagged)]
pub enum Bytes {
    /// A number.
    Number(u64),
    /// A text: a whole number with a unit (`B`, `kB`, `MB`, `GB`, `KiB`, `MiB` or `GiB`).
    Text(String),
}

/// A probability: a number 0 … 1, or a text such as `10%`.
#[derive(Clone, Debug, ToSchema)]
#[serde(untagged)]
pub enum Likelihood {
    /// A number 0 … 1.
    Number(f64),
    /// A percentage, such as `10%`.
    Text(String),
}

/// Numbers, as a list or as a text such as `0,2`.
#[derive(Clone, Debug, ToSchema)]
#[serde(untagged)]
pub enum NumberList {
    /// A list.
    List(Vec<u32>),
    /// A text.
    Text(String),
}

/// Words, as a list or as a text such as `REQUEST,REPLY`.
#[derive(Clone, Debug, ToSchema)]
#[serde(untagged)]
pub enum WordList {
    /// A list.
    List(Vec<String>),
    /// A text.
    Text(String),
}

/// Groups of nodes: a list of lists, a list of texts, or one text such as `0,1|2`.
#[derive(Clone, Debug, ToSchema)]
#[serde(untagged)]
pub enum Groups {
    /// A list. Each item is one group.
    Lists(Vec<NumberList>),
    /// A text.
    Text(String),
}

/// Locks that a client acquires in a round: a word such as `first`, or the locks as a list or a text.
#[derive(Clone, Debug, ToSchema)]
#[serde(untagged)]
pub enum LocksTaken {
    /// A word, or a text such as `0,3,1`.
    Text(String),
    /// A list.
    List(Vec<u32>),
}

/// All nodes or some of them: `all`, a list, or a text such as `0,2`.
#[derive(Clone, Debug, ToSchema)]
#[serde(untagged)]
pub enum ClientNodes {
    /// `all`, or a text such as `0,2`.
    All(String),
    /// A list of nodes.
    These(Vec<u32>),
}

/// Number of requests of each client: one number for all clients, a list, a text such as `2,0`, or `unlimited`.
/// Clients beyond the end of a list have the last number of the list.
#[derive(Clone, Debug, ToSchema)]
#[serde(untagged)]
pub enum RequestCounts {
    /// One number for all clients.
    Each(u8),
    /// A list.
    List(Vec<u8>),
    /// A text such as `2,0`, or `unlimited`.
    Text(String),
}

/// Initial states of the processes: `usual`, `arbitrary`, or the numbers of the states. The numbers, one for each
/// node, are a list or a text such as `0,1,0`.
#[derive(Clone, Debug, ToSchema)]
#[serde(untagged)]
pub enum FirstStates {
    /// `usual`, `arbitrary`, or a text such as `0,1,0`.
    Text(String),
    /// A list.
    List(Vec<u64>),
}

/// A node: its number, or a role such as `holder`, `leader`, `waiting` or `token`. A role means the node that has
/// this role at the time of the action.
#[derive(Clone, Debug, ToSchema)]
#[serde(untagged)]
pub enum NodeName {
    /// Number of the node.
    Number(u32),
    /// Role of the node.
    Role(String),
}

/// Value of an algorithm's parameter: a number, a text, or a list instead of its text. Times are in ms unless they
/// have a unit, as in `2s`.
#[derive(Clone, Debug, ToSchema)]
#[serde(untagged)]
pub enum WordOrNumber {
    /// A number.
    Number(f64),
    /// A text.
    Text(String),
    /// A list in place of a text, such as `[0, 2]` for `0,2` and `[[1, 0], [0, 1]]` for `1,0;0,1`.
    List(Vec<Value>),
}

/// Service that clients use in each round instead of a lock. Each service is one of the workloads of Maelstrom.
#[derive(Clone, Debug, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ServiceName {
    /// The service sends back the text that it received.
    Echo,
    /// The service generates unique names.
    UniqueIds,
    /// The service distributes values to all nodes.
    Broadcast,
    /// A linearizable key-value store.
    LinKv,
}
