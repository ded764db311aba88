//! The HTTP server of a node. It has one endpoint, `POST /inbox`, which only the hub may use.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;

use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{ALLOW, AUTHORIZATION, CONTENT_TYPE, HOST, HeaderMap, HeaderName, HeaderValue};
use hyper::service::{Service, service_fn};
use hyper::{Method, Request, Response, StatusCode};

use super::connections::Trust;
use super::problem::Problem;
use super::shell::Shell;
use interlock_machine::wire::LARGEST_BODY;

/// The values that the headers of a request must have, so that the node admits the request.
pub struct Door {
    host: String,
    authorization: String,
}

impl Door {
    /// Creates the required values for a server with the address `address` and the secret `secret`.
    pub fn new(address: SocketAddr, secret: &str) -> Self {
        Self { host: address.to_string(), authorization: format!("Bearer {secret}") }
    }

    fn check(&self, headers: &HeaderMap) -> Result<(), Problem> {
        let is = |name: HeaderName, value: &str| headers.get(name).is_some_and(|header| header == value);
        if !is(HOST, &self.host) {
            return Err(Problem::new(
                StatusCode::MISDIRECTED_REQUEST,
                "wrong-host",
                &"the Host header does not name this node",
            ));
        }
        if !is(AUTHORIZATION, &self.authorization) {
            return Err(Problem::new(
                StatusCode::UNAUTHORIZED,
                "wrong-secret",
                &"the secret does not belong to this node",
            ));
        }
        Ok(())
    }
}

/// Returns the service of one connection.
pub fn service(
    shell: &Arc<Shell>,
    door: &Arc<Door>,
    trust: Trust,
) -> impl Service<Request<Incoming>, Response = Response<Full<Bytes>>, Error = Infallible, Future: Send> + use<> {
    let (shell, door) = (Arc::clone(shell), Arc::clone(door));
    service_fn(move |request| {
        let (shell, door, trust) = (Arc::clone(&shell), Arc::clone(&door), trust.clone());
        async move { Ok(respond(&shell, &door, &trust, request).await.unwrap_or_else(Problem::into_response)) }
    })
}

async fn respond(
    shell: &Shell,
    door: &Door,
    trust: &Trust,
    request: Request<Incoming>,
) -> Result<Response<Full<Bytes>>, Problem> {
    if request.uri().path() != "/inbox" {
        let detail = format_args!("nothing at {}", request.uri().path());
        return Err(Problem::new(StatusCode::NOT_FOUND, "unknown-path", &detail));
    }
    if request.method() != Method::POST {
        let detail = format_args!("this path does not allow {}", request.method());
        let problem = Problem::new(StatusCode::METHOD_NOT_ALLOWED, "wrong-method", &detail);
        return Err(problem.with(ALLOW, HeaderValue::from_static("POST")));
    }
    door.check(request.headers())?;
    trust.earn();
    let body = Limited::new(request.into_body(), LARGEST_BODY).collect().await;
    let body = body.map_err(|error| Problem::of_body(&*error))?.to_bytes();
    let answer = shell.answer(&body);
    let answer = answer.map_err(|error| Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "no-timers", &error))??;
    let mut response = Response::new(Full::new(answer));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    Ok(response)
}
