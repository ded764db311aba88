//! Tests of the page's files. If a browser already has the current version of a file, the server must not send the
//! file again.

use reqwest::{Client, Response};

use crate::support::Playground;

async fn ask(playground: &Playground, path: &str, tags: Option<&str>) -> Response {
    let client = Client::builder().no_proxy().build().expect("a client");
    let mut request = client.get(format!("{}{path}", playground.url));
    if let Some(tags) = tags {
        request = request.header("if-none-match", tags);
    }
    request.send().await.expect("an answer")
}

fn tag_of(response: &Response) -> String {
    response.headers()["etag"].to_str().expect("a readable tag").to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_that_has_a_file_gets_304_without_a_body() {
    let playground = Playground::open();
    let pages = ["/", "/reference", "/index.html", "/strings/en.js", "/strings/de.json", "/icon.svg"];
    for path in pages.into_iter().chain(["/swagger-ui/swagger-ui-bundle.js", "/swagger-ui/swagger-ui.css"]) {
        let first = ask(&playground, path, None).await;
        let tag = tag_of(&first);
        assert_eq!(first.status(), 200, "{path}");
        for tags in [tag.clone(), format!("W/{tag}"), format!("\"other\", {tag}"), "*".to_owned()] {
            let again = ask(&playground, path, Some(&tags)).await;
            assert_eq!((again.status().as_u16(), tag_of(&again)), (304, tag.clone()), "{path} {tags}");
            assert!(again.headers().contains_key("content-security-policy"), "{path}");
            assert_eq!(again.bytes().await.expect("no body").len(), 0, "{path} {tags}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_that_has_another_version_gets_the_file() {
    let playground = Playground::open();
    let current = tag_of(&ask(&playground, "/strings/en.js", None).await);
    let other = tag_of(&ask(&playground, "/strings/de.js", None).await);
    assert_ne!(current, other);
    for tags in [other.as_str(), current.trim_matches('"'), "", "W/"] {
        let response = ask(&playground, "/strings/en.js", Some(tags)).await;
        assert_eq!((response.status().as_u16(), tag_of(&response)), (200, current.clone()), "{tags}");
        assert!(!response.bytes().await.expect("a body").is_empty(), "{tags}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn files_for_those_who_work_on_the_page_are_not_served() {
    let playground = Playground::open();
    for (path, status) in [("/main.js", 200), ("/README.md", 404), ("/jsconfig.json", 404), ("/tsconfig.json", 404)] {
        assert_eq!(ask(&playground, path, None).await.status(), status, "{path}");
    }
}
