//! What draws the reference of the API from its OpenAPI document: the files of Swagger UI that the page `reference.html`
//! loads. They come with a crate and are part of the program, so nothing is asked of anybody else.

use axum::Router;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use utoipa_swagger_ui::{Config, SwaggerFile, serve};

use super::problem::Problem;

/// The files that the page needs, of all that the crate has.
const FILES: [&str; 2] = ["swagger-ui-bundle.js", "swagger-ui.css"];

/// Serves them under `/swagger-ui/`.
pub fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    FILES
        .into_iter()
        .fold(Router::new(), |router, name| router.route(&format!("/swagger-ui/{name}"), get(async move || file(name))))
}

fn file(name: &str) -> Response {
    match serve(name, Config::default().into()) {
        Ok(Some(file)) => served(file),
        _ => Problem::not_found("this program was built without it").into_response(),
    }
}

fn served(file: SwaggerFile<'static>) -> Response {
    let encoding = if file.gzpipped { "gzip" } else { "identity" };
    let headers = [
        (header::CONTENT_TYPE, file.content_type),
        (header::CONTENT_ENCODING, encoding.to_owned()),
        (header::CACHE_CONTROL, "no-cache".to_owned()),
    ];
    (headers, file.bytes.into_owned()).into_response()
}
