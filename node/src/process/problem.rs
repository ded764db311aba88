//! Answers to refused requests, as problem details (RFC 9457).

use std::error::Error;

use http_body_util::{Full, LengthLimitError};
use hyper::body::Bytes;
use hyper::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use hyper::{Response, StatusCode};
use serde::Serialize;

use super::exchange::BatchError;

/// The reason why a request was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    status: StatusCode,
    /// Last part of the type's URI.
    code: &'static str,
    detail: String,
    /// A further header of the answer.
    header: Option<(HeaderName, HeaderValue)>,
}

impl Problem {
    /// Creates a problem of the type `code`.
    pub fn new(status: StatusCode, code: &'static str, detail: &impl ToString) -> Self {
        Self { status, code, detail: detail.to_string(), header: None }
    }

    /// Creates the problem of a body that is larger than allowed, or that did not arrive completely.
    pub fn of_body(error: &(dyn Error + Send + Sync + 'static)) -> Self {
        let is_large = error.is::<LengthLimitError>();
        let status = if is_large { StatusCode::PAYLOAD_TOO_LARGE } else { StatusCode::BAD_REQUEST };
        Self::new(status, "unreadable-body", &format_args!("cannot read the body: {error}"))
    }

    /// Adds a header to the answer.
    pub fn with(self, name: HeaderName, value: HeaderValue) -> Self {
        Self { header: Some((name, value)), ..self }
    }

    /// Returns the answer that reports the problem.
    pub fn into_response(self) -> Response<Full<Bytes>> {
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
        let mut response = Response::new(Full::from(serde_json::to_vec(&body).unwrap_or_default()));
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        headers.extend(self.header);
        response
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
