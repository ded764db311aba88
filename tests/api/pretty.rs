//! Tests of `?pretty`: answers with line breaks and indentation, for people who use `curl`.

use reqwest::header::CONTENT_TYPE;
use serde_json::{Value, json};

use crate::support::Playground;

async fn text(playground: &Playground, path: &str) -> (u16, String, String) {
    let answer = reqwest::get(playground.api(path)).await.expect("an answer");
    let kind = answer.headers()[CONTENT_TYPE].to_str().expect("a type").to_owned();
    (answer.status().as_u16(), kind, answer.text().await.expect("a text"))
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_asked_for_in_lines_says_the_same_in_lines() {
    let playground = Playground::open();
    let run = playground.post("/runs", json!({ "algorithm": "lamport", "nodes": 2, "workload": null })).await;
    let path = format!("/runs/{}", run["id"].as_str().expect("an id"));
    let (_, _, plain) = text(&playground, &path).await;
    assert_eq!(plain.lines().count(), 1);
    for word in ["pretty", "pretty=1", "pretty=true"] {
        let (status, kind, lines) = text(&playground, &format!("{path}?{word}")).await;
        assert_eq!((status, kind.as_str(), lines.ends_with("}\n")), (200, "application/json", true));
        assert!(lines.starts_with("{\n  \"id\": \""), "{lines}");
        let read = |text: &str| serde_json::from_str::<Value>(text).expect("JSON");
        assert_eq!(read(&lines), read(&plain));
    }
    let (_, _, events) = text(&playground, &format!("{path}/events?limit=2&pretty&kind=started")).await;
    let events: Value = serde_json::from_str(&events).expect("JSON");
    assert_eq!(events["items"].as_array().map(Vec::len), Some(2), "the rest of the query counts: {events}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_problem_is_told_in_lines_and_what_is_no_document_as_it_is() {
    let playground = Playground::open();
    let (status, kind, lines) = text(&playground, "/runs/nobody?pretty").await;
    assert_eq!((status, kind.as_str()), (404, "application/problem+json"));
    assert!(lines.lines().count() > 3, "{lines}");
    for path in ["//?pretty", "//metrics?pretty"] {
        let (status, _, lines) = text(&playground, path).await;
        assert_eq!((status, lines), {
            let (status, _, plain) = text(&playground, path.trim_end_matches("?pretty")).await;
            (status, plain)
        });
    }
    let (status, _, _) = text(&playground, "/runs?prety").await;
    assert_eq!(status, 400, "another word is none");
}
