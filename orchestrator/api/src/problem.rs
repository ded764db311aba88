//! Errors of the API as RFC 9457 problem details.

use std::time::Duration;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use super::LARGEST_BODY;
use interlock_model::field_error::FieldError;
use interlock_model::impossible::Impossible;
use interlock_observation::document::VerdictDocument;
use interlock_orchestrator::run::{LoadError, NotDone, RunError};
use interlock_simulation::scenario::role::Missing;
use interlock_simulation::schedule::Misplaced;

/// Kind of problem whose answer has a `Retry-After` header.
const NOT_READY: &str = "not-ready";

/// Kinds of problems with their titles.
const TITLES: &[(&str, &str)] = &[
    ("invalid-run", "cannot start the run"),
    ("invalid-scenario", "cannot play the scenario"),
    ("invalid-exploration", "cannot start the exploration"),
    ("invalid-document", "the document is invalid"),
    ("invalid-events", "cannot load the events"),
    ("malformed", "cannot read the request"),
    ("invalid-query", "the query is invalid"),
    ("not-found", "not found"),
    ("no-scenario", "the run does not play a scenario"),
    ("method-not-allowed", "method not allowed"),
    ("upgrade-required", "upgrade required"),
    ("too-large", "the request is too large"),
    ("too-slow", "the request is too slow"),
    ("unsupported-media-type", "unsupported media type"),
    ("wrong-host", "wrong host"),
    ("unauthorized", "a token is required"),
    ("foreign-origin", "the request comes from another origin"),
    ("conflict", "not possible now"),
    ("write-refused", "the write is rejected"),
    ("not-in-time", "the condition was not met in time"),
    ("in-vain", "the condition can no longer be met"),
    ("too-many", "a limit is reached"),
    ("no-process", "processes are not available"),
    (NOT_READY, "the answer is not ready yet"),
    ("journal", "cannot use the journal"),
    ("broken", "internal error of the playground"),
];

/// Returns all kinds of problems.
pub fn kinds() -> impl Iterator<Item = &'static str> {
    TITLES.iter().map(|(kind, _)| *kind)
}

/// An error of the API (RFC 9457 problem details).
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Problem {
    /// Kind of the problem, as a path of this server that leads to its description.
    #[serde(rename = "type")]
    kind: String,
    /// Title of this kind of problem.
    title: &'static str,
    /// HTTP status.
    status: u16,
    /// The error, the invalid value, and the valid form.
    detail: String,
    /// Line of the error, from 1, if the body has several lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    /// All errors of the document, each with a pointer to the invalid value.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    errors: Vec<FieldError>,
    /// Verdict of the run, if the request waited for a condition.
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<Box<VerdictDocument>>,
}

impl Problem {
    /// Returns a problem whose kind is in the table of titles.
    pub fn new(status: StatusCode, kind: &str, detail: impl Into<String>) -> Self {
        let title = TITLES.iter().find(|(known, _)| *known == kind).map_or("", |(_, title)| title);
        let kind = format!("/problems/{kind}");
        Self {
            kind,
            title,
            status: status.as_u16(),
            detail: detail.into(),
            line: None,
            errors: Vec::new(),
            verdict: None,
        }
    }

    /// Returns the problem for a document that contains `errors`.
    pub fn invalid(kind: &str, errors: Vec<FieldError>) -> Self {
        let say = |error: &FieldError| match error.pointer.as_str() {
            "" => error.detail.clone(),
            pointer => format!("{pointer}: {}", error.detail),
        };
        let detail = errors.iter().map(say).collect::<Vec<_>>().join("; ");
        Self { errors, ..Self::new(StatusCode::UNPROCESSABLE_ENTITY, kind, detail) }
    }

    /// Returns the problem for a schedule that contains an action which is impossible at its position.
    fn misplaced(misplaced: &Misplaced) -> Self {
        let pointer = format!("/replay/choices/{}/do", misplaced.place());
        let allowed = misplaced.possible().iter().map(|choice| serde_json::to_string(choice).unwrap_or_default());
        let error = FieldError { pointer, detail: misplaced.to_string(), allowed: allowed.collect() };
        Self::invalid("invalid-run", vec![error])
    }

    /// Returns the problem for a query in which the value of the parameter `name` is invalid.
    pub fn query(name: &str, detail: impl AsRef<str>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "invalid-query", format!("{name}: {}", detail.as_ref()))
    }

    /// Returns the problem for a query that contains an unknown or invalid parameter.
    pub fn invalid_query(error: FieldError) -> Self {
        let detail = format!("{}: {}", error.pointer, error.detail);
        Self { errors: vec![error], ..Self::new(StatusCode::BAD_REQUEST, "invalid-query", detail) }
    }

    /// In each error about an unknown field at the top level of the document, adds `name` to the allowed fields.
    pub fn allowing(mut self, name: &str) -> Self {
        let is_of_the_whole = |error: &&mut FieldError| error.pointer.matches('/').count() == 1;
        for error in self.errors.iter_mut().filter(is_of_the_whole) {
            if error.detail.starts_with("unknown field") {
                error.allowed.push(name.to_owned());
            }
        }
        self
    }

    /// Adds the verdict of the run, for a request that waited for a condition.
    pub fn in_a_run_that_stands(self, verdict: VerdictDocument) -> Self {
        Self { verdict: Some(Box::new(verdict)), ..self }
    }

    /// Returns the problem for a request that concerns a resource which does not exist.
    pub fn not_found(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not-found", detail)
    }

    /// Returns the problem for a request whose answer is still being computed. The client can repeat the request
    /// after one second.
    pub fn not_ready(detail: &str) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, NOT_READY, format!("{detail}; ask again in 1 s"))
    }

    /// Returns the problem for a request whose body is larger than `LARGEST_BODY`.
    pub fn too_large() -> Self {
        Self::larger_than(LARGEST_BODY as u64)
    }

    /// Returns the problem for a request whose body is larger than `most` bytes.
    pub fn larger_than(most: u64) -> Self {
        let detail = format!("the body is larger than {} MiB", most / 1024 / 1024);
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", detail)
    }

    /// Returns the problem for a request whose body arrives too slowly: its next piece or its end did not arrive
    /// within `patience`.
    pub fn too_slow(patience: Duration) -> Self {
        let detail = format!(
            "cannot read the body: nothing more of it, or not all of it, arrived within {} s",
            patience.as_secs()
        );
        Self::new(StatusCode::REQUEST_TIMEOUT, "too-slow", detail)
    }

    /// Returns the problem for a request with a method that the path does not accept. The `Allow` header of the
    /// answer names `allowed`, the methods that the path accepts.
    pub fn method_not_allowed(allowed: &str) -> Self {
        let detail = format!("this path does not allow the method; allowed: {allowed}");
        Self::new(StatusCode::METHOD_NOT_ALLOWED, "method-not-allowed", detail)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let is_not_ready = self.kind.ends_with(NOT_READY);
        let mut response = (status, axum::Json(self)).into_response();
        if is_not_ready {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        let kind = HeaderValue::from_static("application/problem+json");
        response.headers_mut().insert(header::CONTENT_TYPE, kind);
        response
    }
}

impl From<LoadError> for Problem {
    fn from(error: LoadError) -> Self {
        let detail = error.to_string();
        match error {
            LoadError::Refused { line, error } => {
                let problem = Self::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid-events", detail);
                Self { line: Some(line), errors: vec![error], ..problem }
            }
            LoadError::ReadOnly(_) => Self::new(StatusCode::CONFLICT, "conflict", detail),
            LoadError::Read(_) => Self::new(StatusCode::BAD_REQUEST, "malformed", detail),
            LoadError::Journal(_) | LoadError::Publish(_) => {
                Self::new(StatusCode::INSUFFICIENT_STORAGE, "journal", detail)
            }
        }
    }
}

impl From<Missing> for Problem {
    fn from(missing: Missing) -> Self {
        Self::new(StatusCode::CONFLICT, "conflict", missing.to_string())
    }
}

impl From<RunError> for Problem {
    fn from(error: RunError) -> Self {
        let (status, kind) = match error {
            RunError::Invalid(errors) => return Self::invalid("invalid-document", errors),
            RunError::Misplaced(misplaced) => return Self::misplaced(&misplaced),
            RunError::Replay(NotDone::NoSuchPlace { .. }) => (StatusCode::UNPROCESSABLE_ENTITY, "invalid-document"),
            RunError::Replay(NotDone::NoReplay)
            | RunError::UnknownRun(_)
            | RunError::UnknownEvent(..)
            | RunError::Impossible(
                Impossible::UnknownNode(..) | Impossible::UnknownMessage(_) | Impossible::Unknown(_),
            ) => (StatusCode::NOT_FOUND, "not-found"),
            RunError::Impossible(
                Impossible::WrongCondition { .. }
                | Impossible::FiredAlready(_)
                | Impossible::NotDue { .. }
                | Impossible::Held(_)
                | Impossible::NotInParts
                | Impossible::InParts
                | Impossible::HeldAlready(_)
                | Impossible::Stream(_)
                | Impossible::Service(_)
                | Impossible::Endless(_)
                | Impossible::TooLong(_),
            )
            | RunError::Unrecordable(_)
            | RunError::TooManyEvents(_)
            | RunError::Replay(NotDone::Following | NotDone::Forked | NotDone::Differs(_))
            | RunError::Refused(..)
            | RunError::Died(_)
            | RunError::ReadOnly(_)
            | RunError::Ended => (StatusCode::CONFLICT, "conflict"),
            RunError::Impossible(Impossible::TooMany(_))
            | RunError::TooManyNodes { .. }
            | RunError::TooManyRuns(_)
            | RunError::TooManyLoads(_)
            | RunError::TooManyChanges(..)
            | RunError::NoRoom
            | RunError::TooManyClients(_) => (StatusCode::TOO_MANY_REQUESTS, "too-many"),
            RunError::NotUp(..)
            | RunError::DiedAtOnce(..)
            | RunError::NotReady(..)
            | RunError::Links(_)
            | RunError::Supervisor(_)
            | RunError::Timer(_) => (StatusCode::SERVICE_UNAVAILABLE, "no-process"),
            RunError::Journal(_) | RunError::Unreadable(_) => (StatusCode::INSUFFICIENT_STORAGE, "journal"),
            RunError::Interrupted(_) => (StatusCode::INTERNAL_SERVER_ERROR, "broken"),
        };
        Self::new(status, kind, error.to_string())
    }
}
