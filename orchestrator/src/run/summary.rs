//! Summary of a run in progress or a past run.

use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::past::{self, PastView, specification_in};
use super::{Run, lock};
use crate::journal::{Header, JournalSize, Origin, Outcome, PastRun, Reader, Status};
use interlock_model::event::{Ending, Json, Warning};
use interlock_observation::state;

/// Summary of a run, as the API lists it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct RunSummary {
    /// Identifier of the run in the API.
    pub id: Uuid,
    /// Name for people.
    pub name: String,
    /// Status of the run.
    pub status: Status,
    /// Reason for the status, if there is one.
    pub because: Option<String>,
    /// Origin of the run's events.
    pub origin: Origin,
    /// Time at which the run was created or loaded.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    /// Verdict of the monitors: the present verdict, or the verdict at the end of the run. None if the events have
    /// not been read yet or cannot be read.
    pub verdict: Option<state::Status>,
    /// Number of events; none if there is no verdict.
    pub events: Option<u64>,
    /// Number of entries into critical sections; none if there is no verdict.
    pub entries: Option<u64>,
    /// Size of the journal.
    pub journal: JournalSize,
    /// Complete specification, including all defaults.
    pub specification: Json,
    /// Warnings about the specification, such as time-outs that are shorter than the delays.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub warnings: Vec<Warning>,
    /// Whether the run follows a schedule. Until such a run is forked, only the actions of its schedule are
    /// executed. False if absent.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub follows_schedule: bool,
}

impl From<PastRun> for RunSummary {
    fn from(past: PastRun) -> Self {
        let Header { id, name, specification, created_at, origin } = past.header;
        let warnings =
            specification_in(&specification).map(|specification| specification.warnings()).unwrap_or_default();
        let PastRun { status, because, bytes, outcome, .. } = past;
        Self {
            id,
            name,
            status,
            because,
            origin,
            created_at,
            verdict: outcome.map(|outcome| outcome.verdict),
            events: outcome.map(|outcome| outcome.events),
            entries: outcome.map(|outcome| outcome.entries),
            journal: JournalSize { bytes, limit_bytes: None },
            specification,
            warnings,
            follows_schedule: false,
        }
    }
}

impl Run {
    /// Returns the summary of the run for the API.
    #[must_use]
    pub fn summary(&self) -> RunSummary {
        let summary = RunSummary::from(self.past());
        let limit_bytes = self.journal.size().limit_bytes.filter(|_| summary.status == Status::Running);
        let journal = JournalSize { limit_bytes, ..summary.journal };
        RunSummary { journal, follows_schedule: self.replay().is_ok(), ..summary }
    }

    /// Returns the facts about the run that its journal contains, or will contain when the run has ended.
    pub(super) fn past(&self) -> PastRun {
        let (status, because) = standing(self.ending().as_ref());
        let header = Header {
            id: self.id,
            name: lock(&self.name).clone(),
            specification: self.document.clone(),
            created_at: self.created_at,
            origin: Origin::Live,
        };
        let outcome = self.with(|core| core.outcome());
        PastRun { header, status, because, bytes: self.journal.size().bytes, outcome: Some(outcome) }
    }
}

/// Returns the outcome of a run, computed from its journal; none if the journal cannot be read.
pub(super) fn outcome(reader: &Reader) -> Option<Outcome> {
    let view = PastView::at(reader, None);
    view.inspect_err(|error| tracing::warn!("{error}")).ok().map(|view| past::outcome(&view.state))
}

/// Returns the status of a run with the ending `ending`, and the reason for the status. Without an ending, the run is
/// in progress.
pub(super) fn standing(ending: Option<&Ending>) -> (Status, Option<String>) {
    match ending {
        None => (Status::Running, None),
        Some(Ending::Stopped) => (Status::Stopped, None),
        Some(Ending::Shutdown) => (Status::Stopped, Some("the orchestrator was shut down".to_owned())),
        Some(Ending::Failed(reason)) => (Status::Failed, Some(reason.clone())),
    }
}
