//! Traces of a run, for people and for tools. The formats are sentences, ShiViz logs, states for the viewers of
//! Apalache and Quint, Perfetto records, and a picture.
//!
//! Each trace is computed from the events alone. Simulated and live runs therefore have the same traces, during the
//! run and afterwards.

mod clocks;
mod itf;
mod moment;
mod perfetto;
#[cfg(test)]
mod perfetto_tests;
mod shiviz;
mod space_time;
#[cfg(test)]
mod space_time_tests;
mod story;
#[cfg(test)]
mod tests;
pub mod words;
#[cfg(test)]
mod words_tests;

use std::io;
use std::str::FromStr;

use serde::Deserialize;
use utoipa::ToSchema;

use interlock_model::event::{Event, What};
use interlock_model::nearest::did_you_mean;
use interlock_model::specification::Specification;

pub use story::{Story, Told};

/// The format of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// A sentence for each step, with the reason, and with the state of the process before and after the step.
    Story,
    /// The events, one per line, as JSON.
    Events,
    /// A log for ShiViz, with vector clocks. The first two lines are instructions for ShiViz's parser.
    Shiviz,
    /// The states, in the Informal Trace Format of Apalache and Quint.
    Itf,
    /// Slices and arrows for Perfetto, and for any other tool that reads Chrome's trace events.
    Perfetto,
    /// A space-time diagram.
    Svg,
}

impl Form {
    /// All forms, with their names.
    pub const ALL: [(&'static str, Self); 6] = [
        ("story", Self::Story),
        ("events", Self::Events),
        ("shiviz", Self::Shiviz),
        ("itf", Self::Itf),
        ("perfetto", Self::Perfetto),
        ("svg", Self::Svg),
    ];

    /// Returns the media type of the format.
    #[must_use]
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Story | Self::Shiviz => "text/plain; charset=utf-8",
            Self::Events => "application/x-ndjson",
            Self::Itf | Self::Perfetto => "application/json",
            Self::Svg => "image/svg+xml",
        }
    }

    /// Writes the events of a run in this format. `events` begins with the first event of the run.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written, or if the first event is not the creation of a run.
    pub fn write(self, events: &[Event], out: &mut impl io::Write) -> io::Result<()> {
        match self {
            Self::Story => story::write(events, out),
            Self::Events => write_lines(events, out),
            Self::Shiviz => shiviz::write(events, nodes(events)?, out),
            Self::Itf => itf::write(events, &specification(events)?, None, out),
            Self::Perfetto => perfetto::write(events, &specification(events)?, out),
            Self::Svg => space_time::write(events, nodes(events)?, out),
        }
    }

    /// Writes a run that could continue forever by repeating all events after the event `again`. Only [`Form::Itf`]
    /// shows the repetition. For all other formats the output is the same as the output of [`Form::write`].
    ///
    /// # Errors
    ///
    /// If `out` cannot be written, or if the first event is not the creation of a run.
    pub fn write_endless(self, events: &[Event], again: u64, out: &mut impl io::Write) -> io::Result<()> {
        match self {
            Self::Itf => itf::write(events, &specification(events)?, Some(again), out),
            _ => self.write(events, out),
        }
    }
}

/// The error for a word that is not the name of a format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no form `{0}`{1}; possible: story, events, shiviz, itf, perfetto, svg")]
pub struct UnknownForm(String, String);

impl FromStr for Form {
    type Err = UnknownForm;

    fn from_str(text: &str) -> Result<Self, UnknownForm> {
        let found = Self::ALL.iter().find(|(name, _)| *name == text).map(|(_, form)| *form);
        let meant = || did_you_mean(text, Self::ALL.iter().map(|(name, _)| *name));
        found.ok_or_else(|| UnknownForm(text.to_owned(), meant()))
    }
}

/// Writes events as NDJSON: one event per line, in the same JSON as the API.
///
/// # Errors
/// If `out` cannot be written.
pub fn write_lines(events: &[Event], out: &mut impl io::Write) -> io::Result<()> {
    let mut line = Vec::new();
    events.iter().try_for_each(|event| {
        line.clear();
        event.write_json(&mut line)?;
        line.push(b'\n');
        out.write_all(&line)
    })
}

/// Returns the specification of the run, which its first event contains.
fn specification(events: &[Event]) -> io::Result<Specification> {
    let refuse = |why: String| io::Error::new(io::ErrorKind::InvalidData, why);
    match events.first().map(|event| &event.what) {
        Some(What::Created { specification, .. }) => Specification::from_json(specification.as_str())
            .map_err(|why| refuse(format!("cannot read the run: {why}"))),
        _ => Err(refuse("cannot read the run: the first event is not `created`".to_owned())),
    }
}

fn nodes(events: &[Event]) -> io::Result<u32> {
    specification(events).map(|specification| specification.nodes)
}
