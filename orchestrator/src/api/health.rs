//! Whether the playground is well, for people and for Prometheus.

use std::fmt::Write;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::run::Registry;

/// It is well.
#[derive(Serialize, ToSchema)]
struct Health {
    /// Always `ok`: who is not well does not answer.
    status: &'static str,
    /// The version of the program.
    version: &'static str,
}

/// The routes of this file.
pub fn routes() -> OpenApiRouter<Arc<Registry>> {
    OpenApiRouter::new().routes(routes!(health)).routes(routes!(metrics))
}

/// Whether the playground is well.
#[utoipa::path(get, path = "/healthz", tag = "health", responses((status = 200, body = Health)))]
async fn health() -> Json<Health> {
    Json(Health { status: "ok", version: env!("CARGO_PKG_VERSION") })
}

/// Counts of the runs at hand, in the text format of Prometheus.
#[utoipa::path(get, operation_id = "export_metrics", path = "/metrics", tag = "health", responses((status = 200, body = String)))]
async fn metrics(State(registry): State<Arc<Registry>>) -> impl IntoResponse {
    let mut text = String::new();
    let mut family = |name: &str, help: &str, kind: &str, value: &dyn Fn(&crate::run::Run) -> u64| {
        // Writing to memory does not fail.
        let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}");
        for run in registry.at_hand() {
            let _ = writeln!(text, "{name}{{run=\"{}\"}} {}", run.id, value(&run));
        }
    };
    let under_way = |run: &crate::run::Run| u64::from(run.ending().is_none());
    family("interlock_run_under_way", "Whether the run goes on.", "gauge", &under_way);
    family("interlock_events_total", "Events of the run.", "counter", &|run| run.with(|core| core.latest()));
    let entries = |run: &crate::run::Run| run.with(|core| core.metrics_document().entries);
    family("interlock_entries_total", "Entries to the critical section.", "counter", &entries);
    let messages = |run: &crate::run::Run| run.with(|core| core.metrics_document().messages);
    family("interlock_messages_total", "Messages sent by the algorithm.", "counter", &messages);
    let violations = |run: &crate::run::Run| run.with(|core| core.metrics_document().violations);
    family("interlock_violations_total", "Violations found.", "counter", &violations);
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text)
}
