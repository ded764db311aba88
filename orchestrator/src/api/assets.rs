//! The dashboard: its files are part of the program; while developing they are read from the folder as they are.

use axum::Router;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use rust_embed::{Embed, EmbeddedFile};

use super::problem::Problem;

/// The files under `web/`; without optimisation they are read from there at every request.
#[derive(Embed)]
#[folder = "../web"]
#[exclude = "*config.json"]
struct Files;

/// The pages, which have addresses of their own besides those of their files.
const PAGES: [(&str, &str); 2] = [("/", "index.html"), ("/reference", "reference.html")];

/// Serves the dashboard under `/`. Each file has a route, so every other path is unknown, whatever the method.
pub fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    let files = Files::iter().map(|name| (format!("/{name}"), name.into_owned()));
    let pages = PAGES.into_iter().map(|(path, name)| (path.to_owned(), name.to_owned()));
    files.chain(pages).fold(Router::new(), |router, (path, name)| router.route(&path, get(async move || file(&name))))
}

fn file(name: &str) -> Response {
    Files::get(name).map_or_else(
        || {
            Problem::not_found(
                "cannot serve this file: it was removed after the playground was opened; restart the playground",
            )
            .into_response()
        },
        served,
    )
}

fn served(file: EmbeddedFile) -> Response {
    let kind = file.metadata.mimetype().to_owned();
    let headers = [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-cache".to_owned())];
    (headers, file.data.into_owned()).into_response()
}
