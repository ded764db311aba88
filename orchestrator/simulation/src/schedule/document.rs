//! Schedule documents, as input.

use std::io;

use interlock_algorithm::catalogue;
use serde::{Deserialize, Serialize};
use serde_json::ser::{Formatter, Serializer};
use utoipa::ToSchema;

use super::{Repeat, Schedule, Scheduled, VERSION, is_in_parts};
use interlock_model::event::Ending;
use interlock_model::field_error::FieldError;
use interlock_model::specification::{Draft, KnownAlgorithm};
use interlock_model::strict;

/// A schedule in the form in which it is read. Only the run and the actions are required.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ScheduleDraft {
    /// The version of the document format; 1.
    pub version: Option<u32>,
    /// The version of the program that wrote the document.
    pub program: Option<String>,
    /// The run, as in `POST /runs`. Its script is not executed: the actions of the schedule replace it.
    pub specification: Draft,
    /// Maximum number of rounds that all clients together start by themselves. Default: as the workload specifies.
    pub rounds: Option<u64>,
    /// The actions, in order.
    pub choices: Vec<Scheduled>,
    /// The part of the actions that is repeated, if any.
    pub repeat: Option<Repeat>,
    /// How the run ended.
    pub ended: Option<Ending>,
}

impl Schedule {
    /// Writes the schedule as JSON, with one action a line, so that users can read and edit it.
    ///
    /// # Errors
    /// Returns an error if `out` cannot be written.
    pub fn write(&self, out: impl io::Write) -> serde_json::Result<()> {
        self.serialize(&mut Serializer::with_formatter(out, ALineEach::default()))
    }
}

/// A JSON formatter that writes each item of a top-level list on its own line, and everything else without line
/// breaks.
#[derive(Default)]
struct ALineEach {
    depth: usize,
}

impl Formatter for ALineEach {
    fn begin_object<W: io::Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.depth += 1;
        out.write_all(b"{")
    }

    fn end_object<W: io::Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.depth -= 1;
        out.write_all(if self.depth == 0 { b"}\n" } else { b"}" })
    }

    fn begin_array<W: io::Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.depth += 1;
        out.write_all(b"[")
    }

    fn end_array<W: io::Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.depth -= 1;
        out.write_all(if self.depth == 1 { b"\n]" } else { b"]" })
    }

    fn begin_array_value<W: io::Write + ?Sized>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        let comma: &[u8] = if first { b"" } else { b"," };
        out.write_all(comma)?;
        out.write_all(if self.depth == 2 { b"\n  " } else { b"" })
    }
}

impl ScheduleDraft {
    /// Reads a draft from a document. Other crates call this function, so that the deserializer is compiled only
    /// once.
    ///
    /// # Errors
    /// Returns the first error of the document, with a pointer to its location.
    pub fn read(document: &serde_json::Value) -> Result<Self, FieldError> {
        strict::deserialize(document)
    }

    /// Adds the defaults to the draft, and unrolls the repeated part.
    ///
    /// # Errors
    /// Returns all errors of the draft, each with a pointer to its location.
    pub fn complete(self) -> Result<Schedule, Vec<FieldError>> {
        let below = |error: FieldError| FieldError { pointer: format!("/specification{}", error.pointer), ..error };
        let completed = self.specification.complete_simulated();
        let specification = completed.map_err(|errors| errors.into_iter().map(below).collect::<Vec<FieldError>>())?;
        let mut errors = Vec::new();
        if let Some(version) = self.version.filter(|version| *version != VERSION) {
            let detail = format!("version {version} is unknown; this program reads {VERSION}");
            errors.push(FieldError::new("/version", detail));
        }
        let entry = catalogue::find(&specification.algorithm).map_err(|refusal| vec![below(refusal.into())])?;
        let (known, nodes, locks) = (KnownAlgorithm::from(entry), specification.nodes, specification.locks);
        let was_done = is_in_parts(&self.choices);
        errors.extend(self.choices.iter().enumerate().flat_map(|(place, Scheduled { choice, .. })| {
            let pointer = format!("/choices/{place}/do");
            if was_done {
                choice.errors_of_what_was_done(&pointer, &known, nodes)
            } else {
                choice.errors(&pointer, &known, nodes, locks)
            }
        }));
        errors.extend(self.repeat.map(|repeat| repeat.errors(&self.choices)).into_iter().flatten());
        if !errors.is_empty() {
            return Err(errors);
        }
        let Self { rounds, choices, repeat, ended, .. } = self;
        let program = env!("CARGO_PKG_VERSION").to_owned();
        Ok(Schedule { version: VERSION, program, specification, rounds, choices, repeat, ended }.unrolled())
    }
}
