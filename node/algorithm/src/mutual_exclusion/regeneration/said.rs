//! Messages and reasons of regeneration.

use crate::prelude::*;

/// The body of a message that names a generation of the token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Generation {
    /// Number of the generation.
    pub generation: u64,
}

/// The body of a message that names an incarnation of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Life {
    /// Incarnation of the process that is back, counted from 1.
    pub life: u32,
}

/// The body of an ANSWER.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// Generation of the CONSULT.
    pub generation: u64,
    /// Generation of the token that the process has.
    pub token: Option<u64>,
    /// Number of the process's latest request; 0 if requests have no numbers.
    #[serde(default)]
    pub newest: u64,
    /// Number up to which the process's requests are served.
    #[serde(default)]
    pub served: u64,
}

/// A member of a generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Member {
    /// The process.
    pub process: NodeId,
    /// Number of the process's latest request.
    pub newest: u64,
    /// Number up to which the process's requests are served.
    pub served: u64,
}

/// The body of a RESUME, which begins a generation.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resumption {
    /// Number of the generation.
    pub generation: u64,
    /// Holder of the token.
    pub holder: NodeId,
    /// Members of the generation.
    pub members: Vec<Member>,
}

/// A message of regeneration.
pub(in crate::mutual_exclusion) enum Said {
    Join(Life),
    Welcome(Life),
    Consult(Generation),
    Answer(Answer),
    Refuse(Generation),
    Resume(Resumption),
}

reasons! {
    /// These reasons concern the regeneration of a lost token.
    pub enum Why {
        Joins: "Notifies all that it is back, and takes part when all know it.",
        Welcomed { node: NodeId }: "Took note: a process is back after a crash.",
        AnswersLater { to: NodeId, generation: u64 }: "Answers when all know that it is back.",
        AskedAll { generation: u64 }:
            "Asked all live processes: one has crashed or is back, and the token may be lost.",
        Answered { to: NodeId, generation: u64 }: "Reported what it has, and passes no token on until it may resume.",
        Refused { from: NodeId, generation: u64 }: "Refused: a later generation is known here.",
        MadeToken { generation: u64 }: "Made a token: no live process has one.",
        FoundToken { holder: NodeId, generation: u64 }: "Made no token: one exists.",
        Resumed { holder: NodeId, generation: u64 }: "Resumes: it is known where the token is.",
        OldToken { from: NodeId, generation: u64 }: "Ignored: a token of this generation does not count here.",
        OldRequest { from: NodeId, generation: u64 }: "Ignored: waiting processes ask again in the new generation.",
        OfTheDead { from: NodeId, generation: u64 }:
            "Ignored: the process that asked has crashed, and others ask in its place.",
        NotAsked { from: NodeId, generation: u64 }: "Ignored: it belongs to no open inquiry.",
        KeptUntilResumed: "Kept the token: it is not passed on until it is known which processes take part.",
    }
}

/// Defines the message enum of an algorithm: its own messages, and the messages that regenerate a lost token.
macro_rules! messages_with_regeneration {
    ($(#[$meta:meta])* $vis:vis enum $name:ident { $($own:tt)* }) => {
        $crate::said::messages! {
            $(#[$meta])*
            $vis enum $name {
                $($own)*
                "JOIN" Join($crate::mutual_exclusion::regeneration::Life): "Joins again after a crash.",
                "WELCOME" Welcome($crate::mutual_exclusion::regeneration::Life): "Answers a JOIN: it is known here that this incarnation has begun.",
                "CONSULT" Consult($crate::mutual_exclusion::regeneration::Generation):
                    "Begins a new generation: asks what all processes have.",
                "ANSWER" Answer($crate::mutual_exclusion::regeneration::Answer):
                    "Reports what this process has, and promises to take no earlier token.",
                "REFUSE" Refuse($crate::mutual_exclusion::regeneration::Generation): "Answers a CONSULT that comes too late: a later generation is known.",
                "RESUME" Resume($crate::mutual_exclusion::regeneration::Resumption):
                    "Announces where the token of the generation is, which processes take part, and which ones wait.",
            }
        }

        $crate::mutual_exclusion::regeneration::messages_with_regeneration!(@convert $name Join Welcome Consult Answer Refuse Resume);

        impl From<$crate::mutual_exclusion::regeneration::Why> for Reason {
            fn from(because: $crate::mutual_exclusion::regeneration::Why) -> Self {
                Self::Regeneration { because }
            }
        }
    };
    (@convert $name:ident $($kind:ident)+) => {
        impl From<$crate::mutual_exclusion::regeneration::Said> for $name {
            fn from(said: $crate::mutual_exclusion::regeneration::Said) -> Self {
                use $crate::mutual_exclusion::regeneration::Said;
                match said {
                    $(Said::$kind(said) => Self::$kind(said),)+
                }
            }
        }

        impl TryFrom<$name> for $crate::mutual_exclusion::regeneration::Said {
            type Error = ();

            fn try_from(message: $name) -> Result<Self, ()> {
                match message {
                    $($name::$kind(said) => Ok(Self::$kind(said)),)+
                    _ => Err(()),
                }
            }
        }
    };
}

pub(in crate::mutual_exclusion) use messages_with_regeneration;
