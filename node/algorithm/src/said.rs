//! Macros for lists of messages, reasons, choices and timers. Each list is written once; the macros derive the
//! types, their JSON and their catalogue entries from it.

/// Defines the messages of an algorithm: `"KIND" Name { field: Type, … }: "what it says"`, with the kind as in the
/// paper. The macro makes the enum, serialized as JSON with its `kind` and its fields in `body`, and `KINDS` for
/// the catalogue. A field without a comment must be in [`word`]. The name of a field decides whether it is a clock
/// time ([`show_time`]). If all fields are `Copy`, `#[derive(Copy)]` comes first.
macro_rules! messages {
    (
        $(#[$meta:meta])*
        $vis:vis enum $name:ident {
            $(
                $kind:literal $variant:ident
                $({ $($(#[$about:meta])* $field:ident: $type:ty),* $(,)? })?
                $(($inner:ty))?: $doc:literal
            ),+ $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
        #[serde(tag = "kind", content = "body")]
        $vis enum $name {
            $(
                #[doc = $doc]
                #[serde(rename = $kind)]
                $variant
                $({ $($(#[$about])* #[doc = $crate::said::word!($([$about])* $field)] $field: $type),* })?
                $(($inner))?
            ),+
        }

        impl $name {
            /// The kinds of all messages, as in the paper.
            pub const KINDS: &'static [&'static str] = &[$($kind),+];
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::tagged::deserialize(deserializer)
            }
        }

        impl $crate::contract::Message for $name {
            fn kind(&self) -> &'static str {
                match self {
                    $(Self::$variant { .. } => $kind,)+
                }
            }

            #[inline(never)]
            fn as_serialize(&self) -> &dyn erased_serde::Serialize {
                self
            }

            fn read(kind: &str, body: &serde_json::value::RawValue) -> serde_json::Result<Self> {
                type Read = $name;
                #[derive(serde::Deserialize)]
                #[serde(remote = "Read", deny_unknown_fields)]
                enum Fields {
                    $(
                        #[serde(rename = $kind)]
                        $variant $({ $($(#[$about])* $field: $type),* })? $(($inner))?
                    ),+
                }
                Fields::deserialize($crate::tagged::Tagged { kind, body })
            }

            fn show_times(&mut self, show: &mut $crate::clock::Show<'_>) {
                let _ = &show;
                match self {
                    $(Self::$variant { $($($field,)*)? .. } => {
                        $($($crate::said::show_time!($field $field, show);)*)?
                    })+
                }
            }
        }
    };
}

/// Passes a field of a message to `show` if its name says that it is a time of a logical clock.
macro_rules! show_time {
    (clock $time:ident, $show:ident) => {
        $crate::clock::Timed::show_times($time, $show)
    };
    (request $time:ident, $show:ident) => {
        $crate::clock::Timed::show_times($time, $show)
    };
    (timestamp $time:ident, $show:ident) => {
        $crate::clock::Timed::show_times($time, $show)
    };
    (token $times:ident, $show:ident) => {
        $crate::clock::Timed::show_times($times, $show)
    };
    ($name:ident $field:ident, $show:ident) => {
        _ = $field
    };
}

/// Defines the reasons of an algorithm: `Name { field: Type, … }: "why"`, serialized as JSON with the `code` of the
/// reason. A field without a comment must be in [`word`].
macro_rules! reasons {
    (
        $(#[$meta:meta])*
        $vis:vis enum $name:ident {
            $(
                $variant:ident $({ $($(#[$about:meta])* $field:ident: $type:ty),* $(,)? })?: $doc:literal
            ),+ $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        #[serde(tag = "code", rename_all = "kebab-case")]
        $vis enum $name {
            $(
                #[doc = $doc]
                $variant $({ $($(#[$about])* #[doc = $crate::said::word!($([$about])* $field)] $field: $type),* })?
            ),+
        }

        impl $name {
            /// The sentences that explain the reasons.
            pub const SENTENCES: &'static [$crate::sentence::Sentence] =
                &[$($crate::sentence::Sentence { name: stringify!($variant), text: $doc }),+];
        }
    };
}

/// Defines the choices of a user: `Name = "name": "summary"`. For a faulty choice, `; broken: "…"` says what
/// breaks. The first choice is the default. The macro makes the enum, the names in a configuration and the variants
/// in the catalogue.
macro_rules! choices {
    (
        $(#[$meta:meta])*
        $vis:vis enum $name:ident {
            $first:ident = $first_name:literal: $first_summary:literal $(; broken: $first_why:literal)?
            $(, $choice:ident = $other_name:literal: $summary:literal $(; broken: $why:literal)?)* $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $vis enum $name {
            #[doc = $first_summary]
            $(#[doc = concat!("\n\nWrong: ", $first_why)])?
            $first,
            $(
                #[doc = $summary]
                $(#[doc = concat!("\n\nWrong: ", $why)])?
                $choice
            ),*
        }

        impl $crate::choice::Choice for $name {
            const MEANINGS: &'static [(&'static str, Self)] =
                &[($first_name, Self::$first) $(, ($other_name, Self::$choice))*];
            const VARIANTS: &'static [$crate::choice::Variant] = &[
                $crate::choice::Variant::new($first_name, $first_summary)$(.broken($first_why))?
                $(, $crate::choice::Variant::new($other_name, $summary)$(.broken($why))?)*
            ];
        }
    };
}

/// Defines the timers of an algorithm: `Name = "name": "what it is"`. The macro makes the enum, serialized as JSON
/// by its name.
macro_rules! timers {
    ($(#[$meta:meta])* $vis:vis enum $name:ident { $($timer:ident = $word:literal: $doc:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        $vis enum $name {
            $(
                #[doc = $doc]
                #[serde(rename = $word)]
                $timer
            ),+
        }

        impl $crate::erased::Packed for $name {
            fn pack(self) -> u64 {
                self as u64
            }

            fn unpack(number: u64) -> Option<Self> {
                [$(Self::$timer),+].into_iter().find(|timer| timer.pack() == number)
            }
        }
    };
}

/// Returns the meaning of a field of a message or reason that has no comment of its own.
#[rustfmt::skip] // A table: a word a line.
macro_rules! word {
    ([$($about:tt)*] $($rest:tt)*) => { "" };
    (applied) => { "How many instances the sender has applied." };
    (ballot) => { "The number of the proposal, or of the leader." };
    (beat) => { "How often its client has asked." };
    (because) => { "Its reason." };
    (behind) => { "How many wait behind." };
    (better) => { "A better request." };
    (blocked) => { "Who began the probe, being blocked." };
    (by) => { "By whom." };
    (candidate) => { "Whose id it is." };
    (claim) => { "What a client wants or has." };
    (clock) => { "The sender's clock." };
    (coordinator) => { "The coordinator." };
    (copy) => { "The copy of the predecessor's flag." };
    (dead) => { "Who is dead." };
    (edges) => { "How many wait." };
    (father) => { "Whom this process asks." };
    (fence) => { "The fencing token: greater at each entry." };
    (first) => { "The first in the queue." };
    (flag) => { "The flag." };
    (free) => { "How many are free." };
    (from) => { "Who sent it." };
    (generation) => { "Which generation of the token." };
    (holder) => { "Who has what is asked for." };
    (home) => { "Who keeps the resource." };
    (instance) => { "The instance of agreement." };
    (known) => { "What is known already." };
    (leader) => { "The coordinator." };
    (lock) => { "The lock, or the resource." };
    (missing) => { "How many are missing." };
    (next) => { "Who is next." };
    (node) => { "Which process." };
    (num) => { "The number of the request, among those of its process." };
    (number) => { "The number." };
    (older) => { "An older request." };
    (operation) => { "The operation." };
    (ours) => { "One's own request." };
    (place) => { "Whose place it is." };
    (process) => { "The process that it is about." };
    (promised) => { "The number promised." };
    (request) => { "The request that it is about." };
    (round) => { "Which question it is." };
    (sent) => { "When it was sent." };
    (size) => { "How many wait for each other." };
    (table) => { "The table." };
    (term) => { "The term." };
    (theirs) => { "The other request." };
    (ticket) => { "By which ticket it is asked for." };
    (timestamp) => { "When the request or the transaction began that it is about." };
    (to) => { "To whom." };
    (token) => { "The token." };
    (unit) => { "The unit." };
    (units) => { "The units, or how many." };
    (value) => { "Its value." };
    (variable) => { "Which variable." };
    (victim) => { "Who is to give up." };
}

pub(crate) use {choices, messages, reasons, show_time, timers, word};
