//! The difference between live processes and the model, and the progress of a replay.

use std::fmt;

use serde::Serialize;
use utoipa::ToSchema;

use interlock_model::choice::Choice;
use interlock_model::event::Event;

/// The first event in which live processes differ from the model.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Difference {
    /// Number of actions before it.
    pub position: usize,
    /// Action in progress; none at the beginning of the run, or if something happened without an action of the
    /// schedule.
    #[serde(rename = "do")]
    pub choice: Option<Choice>,
    /// Event of the model; none if the model has no further event here.
    pub expected: Option<Event>,
    /// Observed event; none if no further event was observed.
    pub seen: Option<Event>,
    /// Reason why the action was impossible live, if it was.
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

/// Progress of a run that follows a schedule.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ReplayDocument {
    /// Number of actions that have happened.
    pub position: usize,
    /// Number of all actions.
    pub of: usize,
    /// Next action; none at the end.
    pub next: Option<Choice>,
    /// First difference from the model. After it, the schedule does not continue.
    pub difference: Option<Difference>,
    /// Whether the run has left the schedule since then and continues by itself.
    pub forked: bool,
}

/// Reason why a schedule does not continue.
#[derive(Clone, Debug, thiserror::Error)]
pub enum NotDone {
    /// The run follows no schedule.
    #[error("the run follows no schedule")]
    NoReplay,
    /// The requested action is not the next one of the schedule.
    #[error("the run follows a schedule, and nothing happens to it but what that says: let the schedule go on instead")]
    Following,
    /// The run has left its schedule and continues by itself.
    #[error("the run has left its schedule, and lives by itself")]
    Forked,
    /// The processes differ from the model.
    #[error("the schedule cannot go on: {0}")]
    Differs(Box<Difference>),
    /// The requested position is not reachable.
    #[error("the schedule has {of} choices, of which {position} have happened: it cannot go on to {to}")]
    NoSuchPlace {
        /// Requested position.
        to: usize,
        /// Present position.
        position: usize,
        /// Number of all actions.
        of: usize,
    },
}
