//! Tests of the guide as the server serves it.

use axum::body::Body;
use axum::http::{Method, Request, header};

use super::{HOST, Server, request};
use crate::guide::files;
use crate::problem::kinds;

#[tokio::test]
async fn each_file_of_the_guide_is_served_as_it_would_be_written() {
    let server = Server::start().await;
    let texts = files().iter().filter(|(_, file)| file.kind != "image/png");
    for (path, file) in texts {
        let answer = server.answer(request(Method::GET, &format!("/docs/{path}"), None)).await;
        assert_eq!((answer.status.as_u16(), answer.header("content-type")), (200, file.kind), "{path}");
        assert_eq!(answer.text.as_bytes(), file.content, "{path}");
        assert!(answer.header("content-security-policy").starts_with("default-src 'self'"), "{path}");
    }
}

#[tokio::test]
async fn a_browser_that_has_a_page_does_not_receive_it_again() {
    let server = Server::start().await;
    let first = server.answer(request(Method::GET, "/docs/index.html", None)).await;
    let known = Request::builder().uri("/docs/index.html").header(header::HOST, HOST);
    let known = known.header(header::IF_NONE_MATCH, first.header("etag")).body(Body::empty()).expect("a request");
    let again = server.answer(known).await;
    assert_eq!((again.status.as_u16(), again.text.as_str()), (304, ""));
}

#[tokio::test]
async fn the_addresses_of_the_guide_and_of_problems_lead_to_their_pages() {
    let server = Server::start().await;
    let problems = kinds().map(|kind| (format!("/problems/{kind}"), format!("/docs/reference/problems.html#{kind}")));
    let first = ["/docs", "/docs/"].map(|path| (path.to_owned(), "/docs/index.html".to_owned()));
    for (path, page) in first.into_iter().chain(problems) {
        let answer = server.answer(request(Method::GET, &path, None)).await;
        assert_eq!((answer.status.as_u16(), answer.header("location")), (307, page.as_str()), "{path}");
    }
}

#[tokio::test]
async fn a_page_and_a_problem_that_do_not_exist_are_not_found() {
    let server = Server::start().await;
    for path in ["/docs/none.html", "/docs/../docs/index.html", "/docs/how-to", "/docs/README.md", "/problems/none"] {
        server.answer(request(Method::GET, path, None)).await.problem(404, "not-found");
    }
    server.answer(request(Method::POST, "/docs/index.html", None)).await.problem(405, "method-not-allowed");
}
