//! Closed doors: who asks from elsewhere, or for somebody else, is turned away before anything is read.
//!
//! A page of another origin can make a browser on this machine send requests here (forged requests), and can point a
//! name of its own at this address (DNS rebinding). The first shows in `Origin`, the second in `Host`.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::problem::Problem;

/// The names under which this playground may be asked for.
#[derive(Clone, Debug)]
pub struct Doors {
    hosts: Arc<[String]>,
}

impl Doors {
    /// Those of a playground that listens on this port of the loopback interface.
    pub fn new(port: u16) -> Self {
        let hosts = ["127.0.0.1", "localhost", "[::1]"].map(|name| format!("{name}:{port}"));
        Self { hosts: Arc::new(hosts) }
    }

    fn admit(&self, method: &Method, headers: &HeaderMap) -> Result<(), Problem> {
        let mut hosts = headers.get_all(header::HOST).iter();
        let host = hosts.next().and_then(|host| host.to_str().ok());
        if hosts.next().is_some() || !host.is_some_and(|host| self.hosts.iter().any(|known| known == host)) {
            let detail = format!("the Host header must be one of {}", self.hosts.join(", "));
            return Err(Problem::new(StatusCode::MISDIRECTED_REQUEST, "wrong-host", detail));
        }
        if !headers.get_all(header::ORIGIN).iter().all(|origin| self.is_ours(origin.to_str().ok())) {
            let detail = "only pages of this playground may ask; programs send no Origin header";
            return Err(Problem::new(StatusCode::FORBIDDEN, "foreign-origin", detail));
        }
        if carries_body(method, headers) && !is_json(headers) {
            let detail = "send the body as application/json";
            return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported-media-type", detail));
        }
        Ok(())
    }

    fn is_ours(&self, origin: Option<&str>) -> bool {
        let host = origin.and_then(|origin| origin.strip_prefix("http://"));
        host.is_some_and(|host| self.hosts.iter().any(|known| known == host))
    }
}

/// Requests with a body, and those that usually have one: a form of another page has another type.
fn carries_body(method: &Method, headers: &HeaderMap) -> bool {
    let length = headers.get(header::CONTENT_LENGTH).is_some_and(|length| length != "0");
    let usual = matches!(*method, Method::POST | Method::PUT | Method::PATCH);
    usual || length || headers.contains_key(header::TRANSFER_ENCODING)
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or("");
    kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
}

/// Turns away who should not be here.
pub async fn check(State(doors): State<Doors>, request: Request, next: Next) -> Response {
    match doors.admit(request.method(), request.headers()) {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    }
}
