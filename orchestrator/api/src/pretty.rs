//! `?pretty`: indented answers for people who read them in a terminal.

use axum::body::{Body, HttpBody, to_bytes};
use axum::extract::Request;
use axum::http::uri::PathAndQuery;
use axum::http::{HeaderValue, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde_json::de::Deserializer;
use serde_json::ser::Serializer;

use super::problem::Problem;
use super::shares::SHARE;

/// Maximum size of an answer that is indented, in bytes. Larger answers are meant for programs, so they are not
/// indented.
const LONGEST: u64 = 4 << 20;
/// Accepted forms of the query parameter.
const WORDS: [&str; 3] = ["pretty", "pretty=1", "pretty=true"];

/// Removes `pretty` from the query of a request before it is answered. If the query had it, indents a JSON answer.
pub async fn indent(mut request: Request, next: Next) -> Response {
    let Some(uri) = without_the_word(request.uri()) else { return next.run(request).await };
    *request.uri_mut() = uri;
    let mut response = next.run(request).await;
    let is_json = response.headers().get(header::CONTENT_TYPE).is_some_and(says_json);
    if !is_json || response.body().size_hint().upper().is_none_or(|size| size > LONGEST) {
        return response;
    }
    let body = std::mem::take(response.body_mut());
    let Ok(bytes) = to_bytes(body, usize::MAX).await else {
        let detail = "the answer is incomplete; ask again without `pretty`";
        return Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "broken", detail).into_response();
    };
    let indented = indented(&bytes).filter(|lines| lines.len() <= SHARE).unwrap_or_else(|| bytes.to_vec());
    response.headers_mut().insert(header::CONTENT_LENGTH, HeaderValue::from(indented.len()));
    *response.body_mut() = Body::from(indented);
    response
}

/// Returns the address without `pretty`; none if the query does not contain `pretty`.
fn without_the_word(uri: &Uri) -> Option<Uri> {
    let query = uri.query()?;
    let rest: Vec<&str> = query.split('&').filter(|part| !WORDS.contains(part)).collect();
    if rest.len() == query.split('&').count() {
        return None;
    }
    let path = if rest.is_empty() { uri.path().to_owned() } else { format!("{}?{}", uri.path(), rest.join("&")) };
    let mut parts = uri.clone().into_parts();
    parts.path_and_query = Some(PathAndQuery::try_from(path).ok()?);
    Uri::from_parts(parts).ok()
}

fn says_json(kind: &HeaderValue) -> bool {
    let kind = kind.to_str().unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    kind == "application/json" || kind == "application/problem+json"
}

/// Returns a JSON document with each value on its own line; none if the bytes are not JSON.
fn indented(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut lines = Vec::with_capacity(bytes.len() * 2);
    let mut from = Deserializer::from_slice(bytes);
    serde_transcode::transcode(&mut from, &mut Serializer::pretty(&mut lines)).ok()?;
    lines.push(b'\n');
    Some(lines)
}
