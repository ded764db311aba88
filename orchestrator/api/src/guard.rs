//! Access checks: a request from another origin or for another host is rejected before any part of it is read.
//!
//! The checks prevent two attacks. First, a page of another origin can make a browser on this machine send
//! requests to the playground (forged requests). `Origin` and the Fetch Metadata headers reveal such requests.
//! Second, such a page can make its own host name resolve to this address (DNS rebinding). `Host` reveals such
//! requests. Only a token protects against other programs on this machine: see `token`.

use std::sync::Arc;

use axum::body::HttpBody;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::problem::Problem;
use super::token::{Lock, Token};
use super::{BASE, LARGEST_BODY, LARGEST_LOAD, load};

/// The host names that requests to this playground may use, and the token that they must contain, if any.
#[derive(Clone, Debug)]
pub struct Doors {
    hosts: Arc<[String]>,
    lock: Option<Lock>,
}

/// Media type of the bodies of all requests except imports.
const JSON: &str = "application/json";

/// Header in which a browser reports whether a request originates from the same site or another site (Fetch
/// Metadata, 2.3).
const SITE: &str = "sec-fetch-site";

impl Doors {
    /// Returns the checks of a playground that listens on `port` of the loopback interface. Without a token, all
    /// programs on this machine have access to the playground.
    pub fn new(port: u16, token: Option<Token>) -> Self {
        let hosts = ["127.0.0.1", "localhost", "[::1]"].map(|name| format!("{name}:{port}"));
        Self { hosts: Arc::new(hosts), lock: token.map(|token| Lock::new(token, port)) }
    }

    /// Checks the origin and the host of a request.
    fn admit(&self, request: &Request) -> Result<(), Problem> {
        let headers = request.headers();
        let mut hosts = headers.get_all(header::HOST).iter();
        let host = hosts.next().and_then(|host| host.to_str().ok());
        // If the request line contains a host (absolute form), this host takes precedence over the `Host` header,
        // so the host in the request line is checked.
        let target = request.uri().authority().is_none_or(|target| self.knows(target.as_str()));
        if hosts.next().is_some() || !target || !host.is_some_and(|host| self.knows(host)) {
            let detail = format!("the Host header must be one of {}", self.hosts.join(", "));
            return Err(Problem::new(StatusCode::MISDIRECTED_REQUEST, "wrong-host", detail));
        }
        if !headers.get_all(header::ORIGIN).iter().all(|origin| self.is_ours(origin.to_str().ok())) {
            let detail = "only pages of this playground have access; programs send no Origin header";
            return Err(Problem::new(StatusCode::FORBIDDEN, "foreign-origin", detail));
        }
        if headers.get_all(SITE).iter().any(|site| site == "cross-site") {
            let detail = "the request comes from a page of another site; open the address manually, or from a page of this \
                 playground";
            return Err(Problem::new(StatusCode::FORBIDDEN, "foreign-origin", detail));
        }
        Ok(())
    }

    fn is_ours(&self, origin: Option<&str>) -> bool {
        let host = origin.and_then(|origin| origin.strip_prefix("http://"));
        host.is_some_and(|host| self.knows(host))
    }

    fn knows(&self, host: &str) -> bool {
        self.hosts.iter().any(|known| known == host)
    }
}

/// Returns the media type of a request's body, and its maximum size in bytes.
fn expected(request: &Request) -> (&'static str, u64) {
    let loads = request.uri().path().strip_prefix(BASE) == Some(load::PATH);
    if loads { (load::TYPE, LARGEST_LOAD) } else { (JSON, LARGEST_BODY as u64) }
}

/// Checks the media type of a body. A page of another site can only submit forms, whose media types this check
/// rejects. An empty body needs no type.
fn check_type(expected: &str, kind: Option<&HeaderValue>, without_body: bool) -> Result<(), Problem> {
    match kind {
        None if without_body => Ok(()),
        Some(kind) if is(expected, kind) => Ok(()),
        _ => {
            let curl = if expected == JSON { "; with curl, write `--json BODY`" } else { "" };
            let detail = format!("send the body with the header `content-type: {expected}`{curl}");
            Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported-media-type", detail))
        }
    }
}

fn is(expected: &str, kind: &HeaderValue) -> bool {
    let essence = kind.to_str().unwrap_or_default().split(';').next().unwrap_or_default();
    essence.trim().eq_ignore_ascii_case(expected)
}

/// Checks the length and the type of a body before any part of the body is read.
fn check_body(request: &Request) -> Result<(), Problem> {
    let headers = request.headers();
    let length = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    let (kind, most) = expected(request);
    if length.is_some_and(|length| length > most) {
        return Err(Problem::larger_than(most));
    }
    check_type(kind, headers.get(header::CONTENT_TYPE), request.body().is_end_stream())
}

/// Rejects bodies that are too large or have the wrong type. The check runs only if a route accepts the request. A
/// request for an unknown path is therefore answered with 404, even if its body is wrong.
pub async fn accept(request: Request, next: Next) -> Response {
    match check_body(&request) {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    }
}

/// Rejects requests from another origin, requests for another host, and requests without the token.
pub async fn check(State(doors): State<Doors>, request: Request, next: Next) -> Response {
    if let Err(problem) = doors.admit(&request) {
        return problem.into_response();
    }
    if let Some(answer) = doors.lock.as_ref().and_then(|lock| lock.turn_away(&request)) {
        return answer;
    }
    next.run(request).await
}
