//! Reading requests: whatever is wrong with one is told as a problem, with a pointer to the place.

use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, PathRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::de::{DeserializeOwned, IgnoredAny};

use super::problem::Problem;
use crate::specification::FieldError;

/// A document that can be the body of a request.
pub trait Document: DeserializeOwned {
    /// What kind of problem it is when the document is wrong.
    const WRONG: &'static str = "invalid-document";
}

/// The body of a request, as JSON. No body at all is read as `{}`.
#[derive(Clone, Copy, Debug)]
pub struct Body<T>(pub T);

impl<T: Document, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let bytes = Bytes::from_request(request, state).await?;
        let text: &[u8] = if bytes.is_empty() { b"{}" } else { &bytes };
        read(text).map(Self)
    }
}

fn read<T: Document>(text: &[u8]) -> Result<T, Problem> {
    // Syntax first: what is no JSON is told as such, whatever else is wrong with it.
    serde_json::from_slice::<IgnoredAny>(text).map_err(|error| malformed(&error))?;
    // A struct could be read from a list as well; here it cannot.
    if text.trim_ascii_start().first() != Some(&b'{') {
        return Err(Problem::invalid(T::WRONG, vec![FieldError::new("", "an object is expected")]));
    }
    let mut deserializer = serde_json::Deserializer::from_slice(text);
    serde_path_to_error::deserialize(&mut deserializer).map_err(|error| {
        if error.inner().is_data() {
            Problem::invalid(T::WRONG, vec![FieldError::reading(&error)])
        } else {
            malformed(error.inner())
        }
    })
}

fn malformed(error: &serde_json::Error) -> Problem {
    Problem::new(StatusCode::BAD_REQUEST, "malformed", format!("the body is no JSON: {error}"))
}

/// The query of a request.
#[derive(Clone, Copy, Debug)]
pub struct Query<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let query = axum::extract::Query::<T>::from_request_parts(parts, state).await?;
        Ok(Self(query.0))
    }
}

/// The parts of a path that are filled in.
#[derive(Clone, Copy, Debug)]
pub struct Path<T>(pub T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let path = axum::extract::Path::<T>::from_request_parts(parts, state).await?;
        Ok(Self(path.0))
    }
}

impl From<BytesRejection> for Problem {
    fn from(rejection: BytesRejection) -> Self {
        match rejection.status() {
            StatusCode::PAYLOAD_TOO_LARGE => Self::too_large(),
            status => Self::new(status, "malformed", rejection.body_text()),
        }
    }
}

impl From<QueryRejection> for Problem {
    fn from(rejection: QueryRejection) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "invalid-query", rejection.body_text())
    }
}

impl From<PathRejection> for Problem {
    fn from(rejection: PathRejection) -> Self {
        // A path that cannot be read names nothing.
        Self::not_found(rejection.body_text())
    }
}
