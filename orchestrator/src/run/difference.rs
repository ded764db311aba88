//! The first difference between live processes and the model, and the progress of a replay.

use std::fmt;

use serde::Serialize;
use utoipa::ToSchema;

use interlock_model::choice::Choice;
use interlock_model::event::Event;

/// The first event in which the behaviour of live processes differs from the model.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Difference {
    /// Number of actions that were executed before the difference.
    pub position: usize,
    /// Action during which the difference occurred. None at the beginning of the run, or if an event occurred
    /// outside of any action.
    #[serde(rename = "do")]
    pub choice: Option<Choice>,
    /// Event that the model expects here; none if the model expects no further event.
    pub expected: Option<Event>,
    /// Event that occurred live; none if no further event occurred.
    pub seen: Option<Event>,
    /// Reason why the action was impossible with live processes. Absent if the action was possible.
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
    /// Number of actions that have been executed.
    pub position: usize,
    /// Total number of actions of the schedule.
    pub of: usize,
    /// Next action; none at the end of the schedule.
    pub next: Option<Choice>,
    /// First difference between the processes and the model. After a difference, the run cannot continue its
    /// schedule.
    pub difference: Option<Difference>,
    /// Whether the run has been forked: it has left the schedule and continues without it.
    pub forked: bool,
}

/// Reason why a run does not continue its schedule.
#[derive(Clone, Debug, thiserror::Error)]
pub enum NotDone {
    /// The run follows no schedule.
    #[error("the run does not follow a schedule")]
    NoReplay,
    /// A manual action was requested, but the run executes only the actions of its schedule.
    #[error("the run follows a schedule, so no other action is possible; continue the schedule instead")]
    Following,
    /// The run has left its schedule and continues without it.
    #[error("the run has left its schedule and continues by itself")]
    Forked,
    /// The behaviour of the processes differs from the model.
    #[error("cannot continue the schedule: {0}")]
    Differs(Box<Difference>),
    /// The requested position is before the present position or after the end of the schedule.
    #[error("cannot continue the schedule to action {to}: {position} of its {of} actions have already been executed")]
    NoSuchPlace {
        /// Requested number of executed actions.
        to: usize,
        /// Number of actions that have been executed.
        position: usize,
        /// Total number of actions of the schedule.
        of: usize,
    },
}
