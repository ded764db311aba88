//! The HTTP server of a node. It has one endpoint, `POST /inbox`, which only the hub may use.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, FromRequest, Request, State};
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE, HOST, HeaderMap, HeaderName, HeaderValue};
use axum::http::{Method, StatusCode, Uri};
use axum::response::IntoResponse;
use axum::routing::post;
use axum::{Extension, Router};

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
    /// Creates the required values for a server with this address and secret.
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

/// Returns the routes of the node's server.
pub fn router(shell: Arc<Shell>, door: Door) -> Router {
    Router::new()
        .route("/inbox", post(inbox))
        .method_not_allowed_fallback(wrong_method)
        .fallback(unknown)
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .with_state((shell, Arc::new(door)))
}

async fn inbox(
    State((shell, door)): State<(Arc<Shell>, Arc<Door>)>,
    Extension(trust): Extension<Trust>,
    request: Request,
) -> Result<impl IntoResponse, Problem> {
    door.check(request.headers())?;
    trust.earn();
    let body = Bytes::from_request(request, &()).await?;
    let answer = shell.answer(&body);
    let answer = answer.map_err(|error| Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "no-timers", &error))??;
    Ok(([(CONTENT_TYPE, HeaderValue::from_static("application/json"))], answer))
}

async fn unknown(uri: Uri) -> Problem {
    Problem::new(StatusCode::NOT_FOUND, "unknown-path", &format_args!("nothing at {}", uri.path()))
}

async fn wrong_method(method: Method) -> Problem {
    let detail = format_args!("this path does not allow {method}");
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, "wrong-method", &detail)
}
