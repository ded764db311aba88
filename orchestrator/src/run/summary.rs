//! A run as it is listed, under way or over.

use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::past::{self, PastView, specification_in};
use super::{Run, lock};
use crate::journal::{Header, JournalSize, Origin, Outcome, PastRun, Reader, Status};
use interlock_model::event::{Ending, Json, Warning};
use interlock_observation::state;

/// A run as the API lists it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct RunSummary {
    /// Its name in the API.
    pub id: Uuid,
    /// What people call it.
    pub name: String,
    /// How it stands.
    pub status: Status,
    /// Why it stands so, if there is a reason.
    pub because: Option<String>,
    /// Where its events come from.
    pub origin: Origin,
    /// When it was created, or loaded.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    /// How it stands by the rules, or stood when it ended; none if its events cannot be read, or have not been yet.
    pub verdict: Option<state::Status>,
    /// How many events it has; none where there is no verdict.
    pub events: Option<u64>,
    /// How often locks were entered; none where there is no verdict.
    pub entries: Option<u64>,
    /// How large its journal is.
    pub journal: JournalSize,
    /// What it is, with nothing left open.
    pub specification: Json,
    /// What to know of it before it starts: time-outs that are shorter than its delays.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub warnings: Vec<Warning>,
    /// Whether it follows a schedule: nothing happens to it but what that says, until it is forked. No if absent.
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
    /// What the API says of it.
    #[must_use]
    pub fn summary(&self) -> RunSummary {
        let summary = RunSummary::from(self.past());
        let limit_bytes = self.journal.size().limit_bytes.filter(|_| summary.status == Status::Running);
        let journal = JournalSize { limit_bytes, ..summary.journal };
        RunSummary { journal, follows_schedule: self.replay().is_ok(), ..summary }
    }

    /// What its journal says of it, or will say when it has ended.
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

/// What came of a run, by its journal.
pub(super) fn outcome(reader: &Reader) -> Option<Outcome> {
    let view = PastView::at(reader, None);
    view.inspect_err(|error| tracing::warn!("{error}")).ok().map(|view| past::outcome(&view.state))
}

/// How a run stands that has ended so, or not yet.
pub(super) fn standing(ending: Option<&Ending>) -> (Status, Option<String>) {
    match ending {
        None => (Status::Running, None),
        Some(Ending::Stopped) => (Status::Stopped, None),
        Some(Ending::Shutdown) => (Status::Stopped, Some("the orchestrator was shut down".to_owned())),
        Some(Ending::Failed(reason)) => (Status::Failed, Some(reason.clone())),
    }
}
