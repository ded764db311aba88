//! Macros for lists of messages, reasons, choices and timers. Each list is written once. From it, the macros derive
//! the types, their JSON and their catalogue entries.

/// Defines the messages of an algorithm: `"KIND" Name { field: Type, … }: "meaning"`, with the kind as in the paper.
/// The macro makes the enum, which is serialized as JSON with its `kind` and its fields in `body`. It also makes
/// `KINDS` for the catalogue. A field without a doc comment gets the text that [`word`] has for its name; without such
/// a text, the macro does not compile. The name of a field also determines whether the field is a clock time
/// ([`show_time`]). If all fields are `Copy`, `#[derive(Copy)]` precedes the enum.
macro_rules! messages {
    (
        $(#[$meta:meta])*
        $vis:vis enum $name:ident {
            $(
                $kind:literal $variant:ident
                $({ $($(#[$($about:tt)*])* $field:ident: $type:ty),* $(,)? })?
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
                $({ $($(#[$($about)*])* #[doc = $crate::said::word!($([$($about)*])* $field)] $field: $type),* })?
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
                        $variant $({ $($(#[$($about)*])* $field: $type),* })? $(($inner))?
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

/// Passes a field of a message to `show` if the field's name shows that it is a time of a logical clock.
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

/// Defines the reasons of an algorithm: `Name { field: Type, … }: "sentence"`, serialized as JSON with the `code` of
/// the reason. A field without a doc comment gets the text that [`word`] has for its name; without such a text, the
/// macro does not compile.
macro_rules! reasons {
    (
        $(#[$meta:meta])*
        $vis:vis enum $name:ident {
            $(
                $variant:ident $({ $($(#[$about:meta])* $field:ident: $type:ty),* $(,)? })?: $doc:literal
            ),+ $(,)?
        }
    ) => {
        /// The reasons for the decisions of a process.
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

/// Defines the choices of a user: `Name = "name": "summary"`. A faulty choice is followed by `; broken: "…"`, which
/// names the violated property. The first choice is the default. The macro makes the enum, the names in a
/// configuration and the variants in the catalogue.
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
            $(#[doc = concat!("\n\nFaulty: ", $first_why)])?
            $first,
            $(
                #[doc = $summary]
                $(#[doc = concat!("\n\nFaulty: ", $why)])?
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

/// Defines the configuration of a run: `|configuration| field: Type = value, …`. A value may use the fields before it.
/// The macro makes the struct `Setting`, which also has the number of nodes, and its function `configure`.
macro_rules! setting {
    (|$configuration:ident| $($(#[$about:meta])* $vis:vis $field:ident: $type:ty = $value:expr),+ $(,)?) => {
        /// The configuration of a run.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Setting {
            pub(crate) nodes: u32,
            $($(#[$about])* $vis $field: $type),+
        }

        impl Setting {
            pub(super) fn configure($configuration: &Configuration<'_>) -> Result<Self, Refusal> {
                $(let $field: $type = $value;)+
                Ok(Self { nodes: $configuration.nodes, $($field),+ })
            }
        }
    };
}

/// Defines the timers of an algorithm: `Name = "name": "meaning"`. The macro makes the enum, which is serialized as
/// JSON by name.
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

/// Returns the text, by field name, that documents a field of a message or reason if the field has no doc comment.
#[rustfmt::skip] // A table: a word a line.
macro_rules! word {
    ([serde $($about:tt)*] $($rest:tt)*) => { $crate::said::word!($($rest)*) };
    ([$($about:tt)*] $($rest:tt)*) => { "" };
    (applied) => { "The number of instances that the sender has applied." };
    (ballot) => { "The number of the proposal, or of the leader." };
    (beat) => { "The number of times that its client has asked." };
    (because) => { "Its reason." };
    (behind) => { "The number of requests that wait behind it." };
    (better) => { "A better request." };
    (blocked) => { "The blocked process that began the probe." };
    (by) => { "The process that did it." };
    (candidate) => { "The process whose id it is." };
    (claim) => { "The request or the grant of a client." };
    (clock) => { "The sender's clock." };
    (coordinator) => { "The coordinator." };
    (copy) => { "The copy of the predecessor's flag." };
    (dead) => { "The crashed process." };
    (edges) => { "The number of waits." };
    (father) => { "The process that this process asks." };
    (fence) => { "The fencing token: greater at each entry." };
    (first) => { "The first in the queue." };
    (flag) => { "The flag." };
    (free) => { "The number of free units." };
    (from) => { "The sender." };
    (generation) => { "The generation of the token." };
    (holder) => { "The process that has what is asked for." };
    (home) => { "The process that manages the resource." };
    (instance) => { "The instance of agreement." };
    (known) => { "The latest known number." };
    (leader) => { "The coordinator." };
    (life) => { "The incarnation of the sender." };
    (lock) => { "The lock, or the resource." };
    (missing) => { "The number of missing processes." };
    (next) => { "The next process." };
    (node) => { "The process." };
    (num) => { "The number of the request among those of its process." };
    (number) => { "The number." };
    (older) => { "An older request." };
    (operation) => { "The operation." };
    (ours) => { "The process's own request." };
    (place) => { "The process whose place it is." };
    (process) => { "The process that it is about." };
    (promised) => { "The number promised." };
    (request) => { "The request that it is about." };
    (round) => { "The number of the inquiry." };
    (sent) => { "The time at which it was sent." };
    (size) => { "The number of processes." };
    (table) => { "The table." };
    (term) => { "The term." };
    (theirs) => { "The other request." };
    (ticket) => { "The ticket of the request." };
    (timestamp) => { "The time at which the request or transaction began that it is about." };
    (to) => { "The recipient." };
    (to_life) => { "The incarnation of the recipient." };
    (token) => { "The token." };
    (unit) => { "The unit." };
    (units) => { "The units, or their number." };
    (value) => { "Its value." };
    (variable) => { "The variable." };
    (victim) => { "The process that must give up." };
}

pub(crate) use {choices, messages, reasons, setting, show_time, timers, word};
