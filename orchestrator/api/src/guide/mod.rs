//! The guide under `docs/` as a book of HTML pages with a search. The server serves the book under `/docs/`, and
//! `interlock guide` writes the same bytes to a folder. The pages also work if a browser opens them as files,
//! because all links are relative, and all scripts are classic scripts.

mod anchors;
mod book;
mod contents;
mod index;
mod layout;
mod links;
mod markdown;
mod sources;

#[cfg(test)]
mod tests;

use axum::Router;
use axum::extract::Path;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use sha2::{Digest, Sha256};
use tokio::task::spawn_blocking;

pub use self::book::{File, files};
use super::assets::cached;
use super::problem::{Problem, kinds};

/// The first page.
const FIRST: &str = "/docs/index.html";
/// The page that describes the problems of the API. Each kind of problem has a heading on this page.
const PROBLEMS: &str = "/docs/reference/problems.html";

/// Serves the guide under `/docs/`.
pub fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new()
        .route("/docs", get(async || Redirect::temporary(FIRST)))
        .route("/docs/", get(async || Redirect::temporary(FIRST)))
        .route("/docs/{*path}", get(served))
        .route("/problems/{kind}", get(explained))
}

/// Serves a file of the book. The first request creates the book on another thread. Otherwise, the thread that
/// serves all connections would be blocked for too long.
async fn served(Path(path): Path<String>, request: HeaderMap) -> Response {
    let files = spawn_blocking(files).await.unwrap_or_else(|_| files());
    let Some(file) = files.get(&path) else {
        return Problem::not_found(format!("the guide has no page `{path}`; {FIRST} lists all pages")).into_response();
    };
    let kind = [(header::CONTENT_TYPE, file.kind)];
    cached(&Sha256::digest(&file.content), &request, || (kind, file.content.as_slice()))
}

/// Redirects from the URI of a kind of problem to its description in the guide.
async fn explained(Path(kind): Path<String>) -> Response {
    if kinds().any(|known| known == kind) {
        return Redirect::temporary(&format!("{PROBLEMS}#{kind}")).into_response();
    }
    Problem::not_found(format!("there is no problem `{kind}`; {PROBLEMS} lists all")).into_response()
}
