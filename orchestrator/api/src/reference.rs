//! Swagger UI, which displays the reference of the API from its OpenAPI document. The page `reference/index.html`
//! loads the files of Swagger UI. These files are embedded in the program from a crate, so the page needs no other
//! server.

use axum::Router;
use axum::http::{HeaderMap, header};
use axum::response::Response;
use axum::routing::get;
use sha2::{Digest, Sha256};
use utoipa_swagger_ui_vendored::SWAGGER_UI_VENDORED;

use super::assets::cached;
use super::zip::Entry;

const SCRIPT_ENTRY: Entry = Entry::find(SWAGGER_UI_VENDORED, b"/dist/swagger-ui-bundle.js");
const STYLES_ENTRY: Entry = Entry::find(SWAGGER_UI_VENDORED, b"/dist/swagger-ui.css");
static SCRIPT: [u8; SCRIPT_ENTRY.size] = SCRIPT_ENTRY.data(SWAGGER_UI_VENDORED);
static STYLES: [u8; STYLES_ENTRY.size] = STYLES_ENTRY.data(SWAGGER_UI_VENDORED);

/// Files of Swagger UI that the page loads: name, media type, place in the archive, compressed data.
static FILES: [(&str, &str, Entry, &[u8]); 2] = [
    ("swagger-ui-bundle.js", "text/javascript", SCRIPT_ENTRY, &SCRIPT),
    ("swagger-ui.css", "text/css", STYLES_ENTRY, &STYLES),
];
/// Header of a gzip file without a file name and a time (RFC 1952, section 2.3).
const GZIP: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];

/// Serves the files under `/swagger-ui/`.
pub fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    FILES.iter().fold(Router::new(), |router, (name, kind, entry, data)| {
        let answer = async move |request: HeaderMap| served(kind, gzipped(entry, data), &request);
        router.route(&format!("/swagger-ui/{name}"), get(answer))
    })
}

fn served(kind: &'static str, file: Vec<u8>, request: &HeaderMap) -> Response {
    let headers = [(header::CONTENT_TYPE, kind), (header::CONTENT_ENCODING, "gzip")];
    cached(&Sha256::digest(&file), request, || (headers, file))
}

/// Returns a file of the crate, which is a zip archive, as a gzip file. Both formats contain the same compressed
/// data, so the data is copied without decompression.
fn gzipped(entry: &Entry, data: &[u8]) -> Vec<u8> {
    [&GZIP, data, &entry.crc32.to_le_bytes(), &entry.length.to_le_bytes()].concat()
}
