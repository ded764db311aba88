//! What processes say to each other for a new generation of the token, and why they did what they did.

use crate::prelude::*;

/// A generation of the token, in a message that says nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Generation {
    /// Its number.
    pub generation: u64,
}

/// A life of a process, in a message that says nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Life {
    /// Which of the lives of who is back, from 1.
    pub life: u32,
}

/// What a process knows that is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// The generation that it is asked about.
    pub generation: u64,
    /// Of which generation the token is that it has.
    pub token: Option<u64>,
    /// The number of its latest request; 0 where requests have none.
    #[serde(default)]
    pub newest: u64,
    /// Up to which number its requests need nothing any more.
    #[serde(default)]
    pub served: u64,
}

/// A process that takes part in a generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Member {
    /// Which.
    pub process: NodeId,
    /// The number of its latest request.
    pub newest: u64,
    /// Up to which number its requests need nothing any more.
    pub served: u64,
}

/// How it goes on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resumption {
    /// In which generation.
    pub generation: u64,
    /// Who has the token.
    pub holder: NodeId,
    /// Who takes part.
    pub members: Vec<Member>,
}

/// What is said for a new generation.
pub(in crate::mutual_exclusion) enum Said {
    Join(Life),
    Welcome(Life),
    Consult(Generation),
    Answer(Answer),
    Refuse(Generation),
    Resume(Resumption),
}

reasons! {
    /// Why a process did what it did to make a token anew, or did not.
    pub enum Why {
        Joins: "Tells all that it is back, and takes part when all know it.",
        Welcomed { node: NodeId }: "Took note: a process is back after a crash.",
        AnswersLater { to: NodeId, generation: u64 }: "Answers when all know that it is back.",
        AskedAll { generation: u64 }: "Asked all who are alive: one of them is dead, or back, and the token may be lost.",
        Answered { to: NodeId, generation: u64 }: "Said what it has, and hands no token on until it is told to resume.",
        Refused { from: NodeId, generation: u64 }: "Refused: a later generation is known here.",
        MadeToken { generation: u64 }: "Made a token: nobody who is alive has one.",
        FoundToken { holder: NodeId, generation: u64 }: "Made no token: there is one.",
        Resumed { holder: NodeId, generation: u64 }: "Goes on: where the token is, is known.",
        OldToken { from: NodeId, generation: u64 }: "Ignored: a token of this generation does not count here.",
        OldRequest { from: NodeId, generation: u64 }: "Ignored: who waits asks again in the new generation.",
        OfTheDead { from: NodeId, generation: u64 }: "Ignored: who has asked is dead, and others ask in its place.",
        NotAsked { from: NodeId, generation: u64 }: "Ignored: it belongs to no question that is open.",
        KeptUntilResumed: "Kept the token: it is not handed on until it is known who takes part.",
    }
}
