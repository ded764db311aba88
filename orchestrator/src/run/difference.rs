//! The difference between live processes and the model, and the progress of a replay.

use std::fmt;

use serde::Serialize;
use utoipa::ToSchema;

use interlock_model::choice::Choice;
use interlock_model::event::Event;

/// Where live processes did otherwise than the model: the first event that is not the same.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Difference {
    /// How many choices had happened before.
    pub position: usize,
    /// What was happening; none where the run began, or where something happened although the schedule let nothing happen.
    #[serde(rename = "do")]
    pub choice: Option<Choice>,
    /// What the model tells; none if it tells nothing more of this.
    pub expected: Option<Event>,
    /// What was seen; none if nothing more was.
    pub seen: Option<Event>,
    /// Why it could not be done live, if that is so.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    pub because: Option<String>,
}

impl fmt::Display for Difference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let json = |event: &Option<Event>| {
            event.as_ref().map_or("nothing".to_owned(), |event| serde_json::to_string(event).unwrap_or_default())
        };
        match &self.choice {
            Some(choice) => {
                let choice = serde_json::to_string(choice).unwrap_or_default();
                write!(formatter, "the processes do otherwise than the model at choice {}, {choice}", self.position)?;
            }
            None if self.position == 0 => write!(formatter, "the processes begin otherwise than the model")?,
            None => write!(formatter, "something happened after {} choices that none of them says", self.position)?,
        }
        if let Some(because) = &self.because {
            write!(formatter, "; it could not be done: {because}")?;
        }
        write!(formatter, "\n  the model: {}\n  live:      {}", json(&self.expected), json(&self.seen))
    }
}

/// How far a run has come that follows a schedule.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ReplayDocument {
    /// How many choices have happened.
    pub position: usize,
    /// How many there are.
    pub of: usize,
    /// What happens next; none at the end.
    pub next: Option<Choice>,
    /// Where the processes did otherwise than the model; then nothing more of the schedule happens.
    pub difference: Option<Difference>,
    /// Whether the run lives by itself since then.
    pub forked: bool,
}

/// Why a schedule does not continue.
#[derive(Clone, Debug, thiserror::Error)]
pub enum NotDone {
    /// The run follows no schedule.
    #[error("the run follows no schedule")]
    NoReplay,
    /// Something else is done to the run than what its schedule says.
    #[error("the run follows a schedule, and nothing happens to it but what that says: let the schedule go on instead")]
    Following,
    /// It has left its schedule, and lives by itself.
    #[error("the run has left its schedule, and lives by itself")]
    Forked,
    /// The processes have done otherwise than the model.
    #[error("the schedule cannot go on: {0}")]
    Differs(Box<Difference>),
    /// That is no place to go on to.
    #[error("the schedule has {of} choices, of which {position} have happened: it cannot go on to {to}")]
    NoSuchPlace {
        /// Where it was to go on to.
        to: usize,
        /// Where it is.
        position: usize,
        /// How many choices there are.
        of: usize,
    },
}
