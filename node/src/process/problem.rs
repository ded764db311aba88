//! Answers to refused requests, as problem details (RFC 9457).

use axum::extract::rejection::BytesRejection;
use axum::http::StatusCode;
use axum::http::header::{CONTENT_TYPE, HeaderValue};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use super::exchange::BatchError;

/// The reason why a request was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    status: StatusCode,
    /// Last part of the type's URI.
    code: &'static str,
    detail: String,
}

impl Problem {
    /// Creates a problem of the type `code`.
    pub fn new(status: StatusCode, code: &'static str, detail: &impl ToString) -> Self {
        Self { status, code, detail: detail.to_string() }
    }
}

impl From<BatchError> for Problem {
    fn from(error: BatchError) -> Self {
        let (status, code) = match error {
            BatchError::Unreadable(_) => (StatusCode::BAD_REQUEST, "unreadable-batch"),
            BatchError::Incarnation { .. } => (StatusCode::CONFLICT, "wrong-incarnation"),
            BatchError::Number { .. } => (StatusCode::CONFLICT, "unexpected-batch"),
            BatchError::Different(_) => (StatusCode::CONFLICT, "different-batch"),
            BatchError::Full => (StatusCode::SERVICE_UNAVAILABLE, "reports-not-taken"),
        };
        Self::new(status, code, &error)
    }
}

impl From<BytesRejection> for Problem {
    fn from(rejection: BytesRejection) -> Self {
        Self::new(rejection.status(), "unreadable-body", &rejection.body_text())
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        #[derive(Serialize)]
        struct Body<'a> {
            r#type: String,
            title: &'a str,
            status: u16,
            detail: &'a str,
        }
        let body = Body {
            r#type: format!("/problems/{}", self.code),
            title: self.status.canonical_reason().unwrap_or("refused"),
            status: self.status.as_u16(),
            detail: &self.detail,
        };
        let text = serde_json::to_vec(&body).unwrap_or_default();
        let kind = HeaderValue::from_static("application/problem+json");
        (self.status, [(CONTENT_TYPE, kind)], text).into_response()
    }
}
