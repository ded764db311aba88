//! Swagger UI, which displays the reference of the API from its OpenAPI document. The page `reference/index.html`
//! loads the files of Swagger UI. These files are embedded in the program from a crate, so the page needs no other
//! server.

use axum::Router;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use rawzip::{CompressionMethod, ZipArchive};
use sha2::{Digest, Sha256};
use utoipa_swagger_ui_vendored::SWAGGER_UI_VENDORED;

use super::assets::cached;
use super::problem::Problem;

/// Files of Swagger UI that the page loads, with their media types.
const FILES: [(&str, &str); 2] = [("swagger-ui-bundle.js", "text/javascript"), ("swagger-ui.css", "text/css")];
/// Header of a gzip file without a file name and a time (RFC 1952, section 2.3).
const GZIP: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];

/// Serves the files under `/swagger-ui/`.
pub fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    FILES.into_iter().fold(Router::new(), |router, (name, kind)| {
        router.route(&format!("/swagger-ui/{name}"), get(async move |request: HeaderMap| served(name, kind, &request)))
    })
}

fn served(name: &str, kind: &'static str, request: &HeaderMap) -> Response {
    let headers = [(header::CONTENT_TYPE, kind), (header::CONTENT_ENCODING, "gzip")];
    match gzipped(name) {
        Some(file) => cached(&Sha256::digest(&file), request, || (headers, file)),
        None => Problem::not_found("this program was built without this file").into_response(),
    }
}

/// Returns a file of the crate, which is a zip archive, as a gzip file. Both formats contain the same compressed
/// data, so the data is copied without decompression.
fn gzipped(name: &str) -> Option<Vec<u8>> {
    let archive = ZipArchive::from_slice(SWAGGER_UI_VENDORED).ok()?;
    let ending = format!("/dist/{name}");
    let mut entries = archive.entries();
    while let Some(entry) = entries.next_entry().ok()? {
        if entry.file_path().as_ref().ends_with(ending.as_bytes())
            && entry.compression_method() == CompressionMethod::DEFLATE
        {
            let file = archive.get_entry(entry.wayfinder()).ok()?;
            let length = u32::try_from(entry.uncompressed_size_hint()).ok()?;
            return Some([&GZIP, file.data(), &entry.crc32().to_le_bytes(), &length.to_le_bytes()].concat());
        }
    }
    None
}
