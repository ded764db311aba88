//! Tests of the reference of the API. The playground serves all files of the reference itself.

use std::io::Read;

use flate2::read::GzDecoder;
use reqwest::{Client, Response};

use crate::support::Playground;

/// All files that a browser loads for the page of the reference, with their media types.
const LOADED: [(&str, &str); 5] = [
    ("/reference", "text/html"),
    ("/reference/reference.js", "text/javascript"),
    ("/styles/reference.css", "text/css"),
    ("/swagger-ui/swagger-ui-bundle.js", "text/javascript"),
    ("/swagger-ui/swagger-ui.css", "text/css"),
];

async fn ask(playground: &Playground, path: &str) -> Response {
    let client = Client::builder().no_proxy().build().expect("a client");
    client.get(format!("{}{path}", playground.url)).send().await.expect("an answer")
}

fn header<'a>(response: &'a Response, name: &str) -> &'a str {
    response.headers().get(name).map_or("", |value| value.to_str().expect("a readable header"))
}

/// Returns whether a page, or a file that it loads, refers to another host.
fn is_foreign(text: &str) -> bool {
    ["http://", "https://", "\"//", "'//", "(//"].iter().any(|mark| text.contains(mark))
}

#[tokio::test(flavor = "multi_thread")]
async fn the_reference_is_served_with_the_types_that_a_browser_needs_and_names_no_other_place() {
    let playground = Playground::open();
    for (path, kind) in LOADED {
        let response = ask(&playground, path).await;
        assert_eq!((response.status().as_u16(), header(&response, "content-type")), (200, kind), "{path}");
        assert!(header(&response, "content-security-policy").starts_with("default-src 'self'"), "{path}");
        let is_library = path.starts_with("/swagger-ui/");
        assert_eq!(header(&response, "content-encoding") == "gzip", is_library, "{path}");
        let body = response.bytes().await.expect("a body");
        if is_library {
            let mut text = String::new();
            GzDecoder::new(&*body).read_to_string(&mut text).expect("a complete gzip file with its checksum");
            assert!(text.len() > 100_000, "{path} has {} bytes", text.len());
        } else {
            let text = String::from_utf8_lossy(&body);
            assert!(!is_foreign(&text), "{path}: {text}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_loads_what_is_served_and_nothing_else_of_the_library_is() {
    let playground = Playground::open();
    let page = ask(&playground, "/reference").await.text().await.expect("a page");
    for (path, _) in &LOADED[1..] {
        assert!(page.contains(path.trim_start_matches('/')), "{path} is not loaded: {page}");
    }
    // The library's default page shows the API of another project, so the playground must not serve it.
    for path in ["/swagger-ui/", "/swagger-ui/index.html", "/swagger-ui/swagger-initializer.js"] {
        assert_eq!(ask(&playground, path).await.status().as_u16(), 404, "{path}");
    }
}

#[test]
fn a_page_that_names_another_place_is_noticed() {
    for page in ["<script src=\"https://cdn.example/x.js\">", "<link href='//cdn.example/x.css'>", "url(//x.example)"] {
        assert!(is_foreign(page), "{page}");
    }
    assert!(!is_foreign("// a comment, and <script src=\"reference.js\">"));
}
