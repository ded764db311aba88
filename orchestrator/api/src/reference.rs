//! The program that draws the reference of the API from its OpenAPI document: files of Swagger UI, which the page
//! `reference/index.html` loads. They come from a crate and are part of the program, so the page needs no other server.

use axum::Router;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use sha2::{Digest, Sha256};
use utoipa_swagger_ui::{Config, SwaggerFile, serve};

use super::assets::cached;
use super::problem::Problem;

/// The files of the crate that the page needs.
const FILES: [&str; 2] = ["swagger-ui-bundle.js", "swagger-ui.css"];

/// Serves them under `/swagger-ui/`.
pub fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    FILES.into_iter().fold(Router::new(), |router, name| {
        router.route(&format!("/swagger-ui/{name}"), get(async move |request: HeaderMap| file(name, &request)))
    })
}

fn file(name: &str, request: &HeaderMap) -> Response {
    match serve(name, Config::default().into()) {
        Ok(Some(file)) => served(file, request),
        _ => Problem::not_found("this program was built without it").into_response(),
    }
}

fn served(file: SwaggerFile<'static>, request: &HeaderMap) -> Response {
    let encoding = if file.gzpipped { "gzip" } else { "identity" };
    let headers = [(header::CONTENT_TYPE, file.content_type), (header::CONTENT_ENCODING, encoding.to_owned())];
    cached(&Sha256::digest(&file.bytes), request, || (headers, file.bytes.into_owned()))
}
