//! Routes that report the health of the playground, for people and for Prometheus.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::exposition::{self, Sample};
use interlock_orchestrator::run::Registry;

/// The answer of a healthy playground.
#[derive(Serialize, ToSchema)]
struct Health {
    /// Always `ok`: a playground that is not healthy does not answer at all.
    status: &'static str,
    /// Version of the program.
    version: &'static str,
}

/// Returns the routes for health and metrics.
pub fn routes() -> OpenApiRouter<Arc<Registry>> {
    OpenApiRouter::new().routes(routes!(health)).routes(routes!(metrics))
}

/// Reports that the playground is healthy.
#[utoipa::path(get, path = "/healthz", tag = "health", responses((status = 200, body = Health)))]
async fn health() -> Json<Health> {
    Json(Health { status: "ok", version: env!("CARGO_PKG_VERSION") })
}

/// Returns counters and histograms of all runs in memory, in the text format of Prometheus.
#[utoipa::path(get, operation_id = "export_metrics", path = "/metrics", tag = "health", responses((status = 200, body = String)))]
async fn metrics(State(registry): State<Arc<Registry>>) -> impl IntoResponse {
    let runs: Vec<Sample> = registry.at_hand().iter().map(|run| Sample::of(run)).collect();
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], exposition::text(&runs))
}
