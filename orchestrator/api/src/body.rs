//! Extractors that read the body and the query of a request. Each error is reported as a problem, with a pointer
//! to the invalid value.

use std::time::Duration;

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::{Map, Value};
use tokio::time::timeout;

use super::problem::Problem;
use interlock_model::field_error::{FieldError, token};
use interlock_model::strict;
use interlock_orchestrator::run::Core;
use interlock_simulation::scenario::role;

/// Time limit for receiving a body, which is at most one MiB.
const PATIENCE: Duration = Duration::from_secs(20);

/// A document that can be the body of a request.
pub trait Document: DeserializeOwned {
    /// Type of the problem if the document is invalid.
    const WRONG: &'static str = "invalid-document";
    /// Example of a valid document, which is appended to the error of an invalid document. None if every valid
    /// document of this type is too long for an error.
    const FORM: Option<&'static str> = None;

    /// Reads the document. For types of the model, this function is overridden by a function that is compiled in
    /// the model's crate.
    ///
    /// # Errors
    /// The first error of the document, with a pointer to the invalid value.
    fn from_value(document: &Value) -> Result<Self, FieldError> {
        strict::deserialize(document)
    }
}

/// The body of a request, as JSON. An empty body is read as `{}`.
#[derive(Clone, Copy, Debug)]
pub struct Body<T>(pub T);

impl<T: Document, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        read(&text(request, state).await?).map(Self)
    }
}

/// The body of a request that may name nodes by roles, such as `holder`. The present state of the run determines
/// which node has a role.
#[derive(Clone, Debug)]
pub struct WithRoles(Bytes);

impl<S: Send + Sync> FromRequest<S> for WithRoles {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        text(request, state).await.map(Self)
    }
}

impl WithRoles {
    /// Reads the document, in which each role is replaced by the number of the node that has the role.
    ///
    /// # Errors
    /// If the document is invalid, or if no node has a role that the document names.
    pub fn read<T: Document>(&self, core: &Core) -> Result<T, Problem> {
        resolved(&self.0, core)
    }

    /// Reads the document as [`Self::read`] does. If the document has the field `name`, reads this field
    /// separately.
    ///
    /// # Errors
    /// If the document or the field is invalid, or if no node has a role that the document names.
    pub fn read_beside<T: Document, F: DeserializeOwned>(
        &self,
        core: &Core,
        name: &str,
    ) -> Result<(T, Option<F>), Problem> {
        read_apart(&self.0, name, |text| resolved(text, core))
    }
}

/// Reads a document, in which each role is replaced by the number of the node that has the role.
fn resolved<T: Document>(text: &[u8], core: &Core) -> Result<T, Problem> {
    let plain = read(text);
    let (Err(_), Ok(written)) = (&plain, serde_json::from_slice::<Value>(text)) else { return plain };
    let nodes = u32::try_from(core.state().nodes().len()).unwrap_or(u32::MAX);
    let wrong = core
        .specification()
        .known_algorithm()
        .map(|known| role::errors(&written, "", &known, nodes))
        .unwrap_or_default();
    if !wrong.is_empty() {
        return Err(Problem::invalid(T::WRONG, wrong));
    }
    let resolved = role::resolve(&written, core.state(), &|message| core.has(message))?;
    if resolved == written { plain } else { read(resolved.to_string().as_bytes()) }
}

/// Reads the field `name`, which is not part of the model's type, separately. Reads the rest of the document with
/// the function `document`.
///
/// # Errors
/// If the document or the field is invalid.
pub fn read_apart<T: Document, F: DeserializeOwned>(
    text: &[u8],
    name: &str,
    document: impl Fn(&[u8]) -> Result<T, Problem>,
) -> Result<(T, Option<F>), Problem> {
    let fields = serde_json::from_slice::<Map<String, Value>>(text).ok();
    let beside = fields.and_then(|mut fields| Some((fields.remove(name)?, fields)));
    let Some((field, rest)) = beside else {
        return Ok((document(text).map_err(|problem| problem.allowing(name))?, None));
    };
    let wrong = |error: FieldError| Problem::invalid(T::WRONG, vec![error.below(&token(name))]);
    let field = strict::deserialize(&field).map_err(wrong)?;
    let rest = Value::Object(rest).to_string();
    Ok((document(rest.as_bytes()).map_err(|problem| problem.allowing(name))?, field))
}

/// Returns the text of a body; the text is `{}` if the body is empty.
///
/// # Errors
/// If the body does not arrive in time, or if it is too large.
pub async fn text<S: Send + Sync>(request: Request, state: &S) -> Result<Bytes, Problem> {
    let whole = timeout(PATIENCE, Bytes::from_request(request, state)).await;
    let bytes = whole.map_err(|_| Problem::too_slow(PATIENCE))??;
    Ok(if bytes.is_empty() { Bytes::from_static(b"{}") } else { bytes })
}

/// Reads a document from a text.
///
/// # Errors
/// If the document is invalid.
pub fn read<T: Document>(text: &[u8]) -> Result<T, Problem> {
    // The syntax is checked first, so that a text which is not JSON is reported as malformed even if it has other
    // errors.
    serde_json::from_slice::<IgnoredAny>(text).map_err(|error| malformed(&error))?;
    // Serde would also accept a list of values in place of a struct, so only an object is accepted here.
    if text.trim_ascii_start().first() != Some(&b'{') {
        return Err(Problem::invalid(T::WRONG, vec![with_form::<T>(FieldError::new("", "expected an object"))]));
    }
    // The previous syntax check ignores the values. Parsing them can still fail: JSON with valid syntax may be
    // nested too deeply.
    let value: Value = serde_json::from_slice(text).map_err(|error| malformed(&error))?;
    let read = strict::repeated_field(text).map_or_else(|| T::from_value(&value), Err);
    read.map_err(|error| Problem::invalid(T::WRONG, vec![with_form::<T>(error.with_forms_in(&value))]))
}

/// Adds the example of a valid document to an error, unless the error already has a suggestion.
fn with_form<T: Document>(error: FieldError) -> FieldError {
    let is_clear = ["did you mean", "write `"].iter().any(|part| error.detail.contains(part));
    match T::FORM.filter(|_| !is_clear) {
        Some(form) => FieldError { detail: format!("{}; write `{form}`", error.detail), ..error },
        None => error,
    }
}

fn malformed(error: &serde_json::Error) -> Problem {
    Problem::new(StatusCode::BAD_REQUEST, "malformed", format!("the body is not JSON: {error}"))
}

/// The query of a request.
#[derive(Clone, Copy, Debug)]
pub struct Query<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        type Pairs = axum::extract::Query<Vec<(String, String)>>;
        let Ok(axum::extract::Query(pairs)) = Pairs::from_request_parts(parts, state).await else {
            let detail = "not a query; write ?name=value&name=value, in UTF-8";
            return Err(Problem::new(StatusCode::BAD_REQUEST, "invalid-query", detail));
        };
        let mut given = Map::new();
        for (name, text) in pairs {
            let value = text.parse().map_or_else(|_| number_or_text(text), Value::Bool);
            if given.insert(name.clone(), value).is_some() {
                return Err(Problem::invalid_query(FieldError::new(format!("?{name}"), "it is given twice")));
            }
        }
        strict::deserialize(&Value::Object(given)).map(Self).map_err(|error| {
            Problem::invalid_query(FieldError { pointer: error.pointer.replacen('/', "?", 1), ..error })
        })
    }
}

/// Converts `text`, a value in the query, to JSON: to a number if possible, otherwise to a string.
fn number_or_text(text: String) -> Value {
    text.parse::<u64>().map_or(Value::String(text), Value::from)
}

impl From<BytesRejection> for Problem {
    fn from(rejection: BytesRejection) -> Self {
        match rejection.status() {
            StatusCode::PAYLOAD_TOO_LARGE => Self::too_large(),
            status => Self::new(status, "malformed", rejection.body_text()),
        }
    }
}
