//! What can be written in more than one way, as the OpenAPI document tells of it.

use serde_json::Value;
use utoipa::ToSchema;

/// A length of time: a number of ms, or a text such as `500ms`, `2s` or `1m`.
#[derive(Clone, Debug, ToSchema)]
#[serde(untagged)]
pub enum Time {
    /// In ms.
    Number(f64),
    /// With its unit.
    Text(String),
}

/// A distribution of times in ms: `0`, `const:5`, `uniform:1..20`, `exp:200`, `normal:20,5`, `pareto:1,2`, where a time
/// may have a unit (`const:2s`); or a number, which is a constant.
#[derive(Clone, Debug, ToSchema)]
#[serde(untagged)]
pub enum Times {
    /// A distribution.
    Text(String),
    /// Always the same.
    Number(f64),
}

/// A probability: a number of 0 … 1, or a text such as `10%`.
#[derive(Clone, Debug, ToSchema)]
#[serde(untagged)]
pub enum Likelihood {
    /// 0 … 1.
    Number(f64),
    /// Per cent.
    Text(String),
}

/// Numbers: a list, or a text such as `0,2`.
#[derive(Clone, Debug, ToSchema)]
#[serde(untagged)]
pub enum NumberList {
    /// A list.
    List(Vec<u32>),
    /// A text.
    Text(String),
}

/// Words: a list, or a text such as `REQUEST,REPLY`.
#[derive(Clone, Debug, ToSchema)]
#[serde(untagged)]
pub enum WordList {
    /// A list.
    List(Vec<String>),
    /// A text.
    Text(String),
}

/// Groups of nodes: a list of lists or texts, or a text such as `0,1|2`.
#[derive(Clone, Debug, ToSchema)]
#[serde(untagged)]
pub enum Groups {
    /// A group each.
    Lists(Vec<NumberList>),
    /// A text.
    Text(String),
}

/// Which locks a client takes in a round: a word such as `first`, or the locks as a list or a text.
#[derive(Clone, Debug, ToSchema)]
#[serde(untagged)]
pub enum LocksTaken {
    /// A word, or a text such as `0,3,1`.
    Text(String),
    /// A list.
    List(Vec<u32>),
}

/// Some or all nodes: `all`, or a list of them, which may be a text such as `0,2`.
#[derive(Clone, Debug, ToSchema)]
#[serde(untagged)]
pub enum ClientNodes {
    /// `all`, or a text such as `0,2`.
    All(String),
    /// These.
    These(Vec<u32>),
}

/// How many times each client asks: one number for all, a list whose last number counts for all further ones, its text such
/// as `2,0`, or `unlimited`.
#[derive(Clone, Debug, ToSchema)]
#[serde(untagged)]
pub enum RequestCounts {
    /// A number for all.
    Each(u8),
    /// A list.
    List(Vec<u8>),
    /// A text such as `2,0`, or `unlimited`.
    Text(String),
}

/// In which states processes begin: `usual`, `arbitrary`, or the numbers of the states, one for each node, as a list or a
/// text such as `0,1,0`.
#[derive(Clone, Debug, ToSchema)]
#[serde(untagged)]
pub enum FirstStates {
    /// `usual`, `arbitrary`, or a text such as `0,1,0`.
    Text(String),
    /// A list.
    List(Vec<u64>),
}

/// A node: its number, or what it is at the time: `holder`, `leader`, `waiting` or `token`.
#[derive(Clone, Debug, ToSchema)]
#[serde(untagged)]
pub enum NodeName {
    /// Its number.
    Number(u32),
    /// What it is.
    Role(String),
}

/// The value of a parameter of an algorithm: a number, a text, or a list in the place of its text; times are in ms, or have
/// a unit as in `2s`.
#[derive(Clone, Debug, ToSchema)]
#[serde(untagged)]
pub enum WordOrNumber {
    /// A number.
    Number(f64),
    /// A text.
    Text(String),
    /// A list, such as `[0, 2]` for `0,2` and `[[1, 0], [0, 1]]` for `1,0;0,1`.
    List(Vec<Value>),
}

/// What clients ask for in each round in the place of a lock: the workloads of Maelstrom.
#[derive(Clone, Debug, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ServiceName {
    /// A text comes back.
    Echo,
    /// Names, of which none is given twice.
    UniqueIds,
    /// Values that come to all nodes.
    Broadcast,
    /// A linearizable store of keys and values.
    LinKv,
}
