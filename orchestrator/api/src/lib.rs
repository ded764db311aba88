//! The REST and WebSocket API, and the dashboard.
//!
//! The dashboard uses only this API. Requests from other machines, from other origins or for other hosts are
//! rejected: see `guard`.

mod algorithms;
mod assets;
mod body;
pub mod catalogue;
mod claims;
mod connections;
mod counterexamples;
mod events;
mod examples;
mod explorations;
pub mod exploring;
mod exposition;
mod guard;
pub mod guide;
mod health;
mod history;
pub mod lesson;
mod lessons;
mod links;
mod load;
mod matrix;
mod messages;
mod network;
mod nodes;
mod nothing_here;
mod observing;
mod openapi;
mod path;
mod pretty;
mod problem;
mod ranges;
mod recorded;
mod reference;
mod replay;
mod resources;
mod responses;
mod runs;
mod scenario_form;
mod scenarios;
mod schemas;
mod shares;
mod simulations;
mod source;
mod stream;
mod token;
mod trace;
mod waiting;
mod words;
mod zip;

#[cfg(test)]
#[path = "../../../tests/support/arbitrary.rs"]
mod arbitrary;
#[cfg(test)]
mod tests;

use std::any::Any;
use std::panic::resume_unwind;
use std::sync::Arc;

use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Router, middleware};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::set_header::SetResponseHeaderLayer;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;

pub use self::connections::serve;
pub use self::counterexamples::Counterexample;
use self::exploring::Explorations;
use self::guard::Doors;
use self::problem::Problem;
pub use self::token::{NoToken, Token, address};
use interlock_model::schema::NodeName;
use interlock_orchestrator::run::{Registry, RunError};

/// Maximum size of a request's body, in bytes.
const LARGEST_BODY: usize = 1024 * 1024;
/// Maximum size of an import, in bytes.
const LARGEST_LOAD: u64 = 1024 * 1024 * 1024;
/// Path prefix of the API. Routes for monitoring tools have no prefix.
const BASE: &str = "/api/v1";

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Interlock",
        description = "A playground for distributed mutual exclusion: real processes, one network with faults, one lock."
    ),
    // Utoipa does not collect schemas from path parameters, and `NodeName` occurs only in path parameters.
    components(schemas(NodeName))
)]
struct Document;

/// Returns the server of a playground that listens on `port` of the loopback interface. With a token, only clients
/// that send the token have access. Without a token, all programs on this machine have access.
pub fn router(
    registry: Arc<Registry>,
    counterexamples: Vec<Counterexample>,
    port: u16,
    token: Option<Token>,
) -> Router {
    let explorations = Arc::new(Explorations::default());
    let api = OpenApiRouter::new()
        .merge(algorithms::routes())
        .merge(matrix::routes())
        .merge(examples::routes())
        .merge(explorations::routes(Arc::clone(&explorations)))
        .merge(counterexamples::routes(counterexamples, explorations))
        .merge(runs::routes())
        .merge(scenarios::routes())
        .merge(simulations::routes())
        .merge(lessons::routes())
        .merge(claims::routes())
        .merge(recorded::routes())
        .merge(replay::routes())
        .merge(load::routes())
        .merge(nodes::routes())
        .merge(network::routes())
        .merge(messages::routes())
        .merge(resources::routes())
        .merge(observing::routes())
        .merge(history::routes())
        .merge(events::routes())
        .merge(trace::routes())
        .merge(stream::routes());
    let (router, document) =
        OpenApiRouter::with_openapi(Document::openapi()).nest(BASE, api).merge(health::routes()).split_for_parts();
    let document = openapi::complete(&document);
    let router = openapi::closed_to_unknown_queries(router, &document)
        .merge(openapi::routes(&document))
        .with_state(registry)
        .merge(reference::routes())
        .merge(guide::routes())
        .merge(assets::routes())
        .merge(words::routes());
    let router = router.route_layer(middleware::from_fn(guard::accept));
    closed(nothing_here::answered(router, &document), port, token)
}

/// Adds the access checks to all routes of `router`, and the security headers to all answers.
fn closed(router: Router, port: u16, token: Option<Token>) -> Router {
    router
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .layer(middleware::from_fn(pretty::indent))
        .layer(middleware::from_fn_with_state(waiting::Budget::new(), waiting::bound))
        .layer(middleware::from_fn_with_state(Doors::new(port, token), guard::check))
        .layer(CatchPanicLayer::custom(broken))
        .layer(header("content-security-policy", POLICY))
        .layer(header("x-content-type-options", "nosniff"))
        .layer(header("referrer-policy", "no-referrer"))
        .layer(header("cross-origin-opener-policy", "same-origin"))
        .layer(header("cross-origin-resource-policy", "same-origin"))
        .layer(SetResponseHeaderLayer::if_not_present(header::CACHE_CONTROL, HeaderValue::from_static("no-store")))
}

/// Executes a task completely, even if its client disconnects.
async fn to_the_end<T: Send + 'static>(
    task: impl Future<Output = Result<T, RunError>> + Send + 'static,
) -> Result<T, RunError> {
    match tokio::spawn(task).await {
        Ok(result) => result,
        Err(error) if error.is_panic() => resume_unwind(error.into_panic()),
        Err(error) => Err(error.into()),
    }
}

/// Content security policy of the dashboard: only content from this server.
const POLICY: &str = "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'";

fn header(name: &'static str, value: &'static str) -> SetResponseHeaderLayer<HeaderValue> {
    SetResponseHeaderLayer::overriding(HeaderName::from_static(name), HeaderValue::from_static(value))
}

fn broken(_: Box<dyn Any + Send>) -> Response {
    let detail = "unexpected internal error; the playground continues";
    Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "broken", detail).into_response()
}
