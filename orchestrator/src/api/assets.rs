//! The dashboard: its files are part of the program; while developing they are read from the folder as they are.

use axum::Router;
use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use rust_embed::{Embed, EmbeddedFile};

use super::problem::Problem;

/// The files under `web/`; without optimisation they are read from there at every request.
#[derive(Embed)]
#[folder = "../web"]
#[exclude = "*config.json"]
struct Files;

/// Serves the dashboard under `/`.
pub fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new().route("/", get(file)).route("/{*path}", get(file))
}

async fn file(uri: Uri) -> Response {
    let path = match uri.path().trim_start_matches('/') {
        "" => "index.html",
        "reference" => "reference.html",
        path => path,
    };
    Files::get(path).map_or_else(|| absent(uri.path()), served)
}

fn absent(path: &str) -> Response {
    Problem::new(StatusCode::NOT_FOUND, "not-found", format!("there is nothing at {path}")).into_response()
}

fn served(file: EmbeddedFile) -> Response {
    let kind = file.metadata.mimetype().to_owned();
    let headers = [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-cache".to_owned())];
    (headers, file.data.into_owned()).into_response()
}
