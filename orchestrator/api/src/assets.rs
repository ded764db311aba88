//! The dashboard. Its files are embedded in the program; a development build reads them from the folder `web/`
//! instead.

use axum::Router;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use rust_embed::{Embed, EmbeddedFile};

use super::problem::Problem;

/// The files under `web/`. A build without optimisation reads the current file from the folder at each request.
#[derive(Embed)]
#[folder = "../../web"]
pub struct Files;

/// Files for the developers of the page. The server does not serve these files.
const WORKSHOP: [&str; 3] = ["README.md", "jsconfig.json", "tsconfig.json"];

/// Folder of the guide's own files. The guide serves these files below `/docs/`, so the dashboard does not serve
/// them.
pub const GUIDE: &str = "guide/";

/// Pages that have a short address in addition to the path of their file.
const PAGES: [(&str, &str); 2] = [("/", "index.html"), ("/reference", "reference/index.html")];

/// Serves the dashboard under `/`. Each file has its own route, so a request for any other path, with any method,
/// is answered as a request for an unknown path.
pub fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    let files = Files::iter()
        .filter(|name| !WORKSHOP.contains(&name.as_ref()) && !name.starts_with(GUIDE))
        .map(|name| (format!("/{name}"), name.into_owned()));
    let pages = PAGES.into_iter().map(|(path, name)| (path.to_owned(), name.to_owned()));
    files.chain(pages).fold(Router::new(), |router, (path, name)| {
        router.route(&path, get(async move |request: HeaderMap| file(&name, &request)))
    })
}

fn file(name: &str, request: &HeaderMap) -> Response {
    Files::get(name).map_or_else(
        || {
            Problem::not_found(
                "cannot serve this file: it was removed after the playground was opened; restart the playground",
            )
            .into_response()
        },
        |file| served(file, request),
    )
}

fn served(file: EmbeddedFile, request: &HeaderMap) -> Response {
    let kind = [(header::CONTENT_TYPE, file.metadata.mimetype().to_owned())];
    cached(&file.metadata.sha256_hash(), request, || (kind, file.data.into_owned()))
}

/// Serves a file with its SHA-256 as its entity tag. If the browser already has this version of the file, the
/// answer is 304.
pub fn cached<R: IntoResponse>(sha256: &[u8], request: &HeaderMap, file: impl FnOnce() -> R) -> Response {
    let digits = sha256.iter().fold(String::new(), |digits, byte| format!("{digits}{byte:02x}"));
    let tag = format!("\"{digits}\"");
    let is_known = knows(request, &tag);
    let caching = [(header::CACHE_CONTROL, "no-cache".to_owned()), (header::ETAG, tag)];
    if is_known { (StatusCode::NOT_MODIFIED, caching).into_response() } else { (caching, file()).into_response() }
}

/// Returns whether the request's `If-None-Match` header contains a tag (RFC 9110, section 13.1.2: weak
/// comparison).
fn knows(request: &HeaderMap, tag: &str) -> bool {
    let values = request.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    values
        .flat_map(|value| value.split(','))
        .map(str::trim)
        .any(|one| one == "*" || one.trim_start_matches("W/") == tag)
}
