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
                write!(formatter, "the processes differ from the model at action {}, {choice}", self.position)?;
            }
            None if self.position == 0 => write!(formatter, "the processes differ from the model at the beginning")?,
            None => write!(formatter, "after {} actions, an event happened that no action causes", self.position)?,
        }
        if let Some(because) = &self.because {
            write!(formatter, "; the action was not possible: {because}")?;
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
    #[error("the run does not follow a schedule")]
    NoReplay,
    /// The requested action is not the next one of the schedule.
    #[error("the run follows a schedule, so no other action is possible; continue the schedule instead")]
    Following,
    /// The run has left its schedule and continues by itself.
    #[error("the run has left its schedule and continues by itself")]
    Forked,
    /// The processes differ from the model.
    #[error("cannot continue the schedule: {0}")]
    Differs(Box<Difference>),
    /// The requested position is not reachable.
    #[error("cannot continue the schedule to {to}: it has {of} actions, of which {position} have happened")]
    NoSuchPlace {
        /// Requested position.
        to: usize,
        /// Present position.
        position: usize,
        /// Number of all actions.
        of: usize,
    },
}
