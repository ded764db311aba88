//! Tests of the map of the sources: claims by source, counterexamples and questions.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::Playground;

fn items(answer: &Value) -> &Vec<Value> {
    answer["items"].as_array().unwrap_or_else(|| panic!("a list of items: {answer}"))
}

fn is_of(claim: &Value, source: &str) -> bool {
    claim["sources"].as_array().is_some_and(|passages| passages.iter().any(|passage| passage["source"] == source))
}

#[tokio::test(flavor = "multi_thread")]
async fn claims_are_listed_by_source() {
    let playground = Playground::open();
    let all = playground.get("/claims").await;
    let of_one = playground.get("/claims?source=logische-zeit").await;
    assert_eq!(of_one["sources"], all["sources"]);
    let expected: Vec<&Value> = items(&all).iter().filter(|claim| is_of(claim, "logische-zeit")).collect();
    assert!((1..items(&all).len()).contains(&expected.len()), "{} of {}", expected.len(), items(&all).len());
    assert_eq!(items(&of_one).iter().collect::<Vec<_>>(), expected);
    let claim = playground.get("/claims/LAM-8").await;
    assert_eq!((&claim["id"], &claim["verdict"]), (&"LAM-8".into(), &"sharpened".into()), "{claim}");
    assert!(items(&all).contains(&claim));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_source_or_claim_is_refused_with_a_similar_name() {
    let playground = Playground::open();
    for (path, status, meant) in [
        ("/claims?source=logische-zeiten", 400, "did you mean `logische-zeit`?"),
        ("/claims/LAM-88", 404, "did you mean `LAM-8`?"),
    ] {
        let problem = playground.refused(Method::GET, path, None, status).await;
        assert!(problem["detail"].as_str().is_some_and(|detail| detail.contains(meant)), "{path}: {problem}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_counterexample_is_found_again_and_played() {
    let playground = Playground::open();
    let listed = playground.get("/counterexamples").await;
    let of_no_ack: Vec<&Value> = items(&listed).iter().filter(|one| one["claim"] == "LAM-6").collect();
    let names: Vec<&Value> = of_no_ack.iter().map(|one| &one["name"]).collect();
    assert_eq!(names, ["LAM-6.1", "LAM-6.2"]);
    assert!(of_no_ack[0]["configuration"].as_str().is_some_and(|words| words.starts_with("lamport/no-ack")));
    let (status, begun) = playground.request(Method::POST, "/counterexamples/lam-6.1", None).await;
    assert_eq!(status, 202, "{begun}");
    let id = begun["id"].as_str().expect("an id");
    let found = playground.get(&format!("/explorations/{id}?wait_ms=60000")).await;
    assert_eq!((&found["verdict"], &found["property"]), (&json!("violated"), &json!("mutual-exclusion")), "{found}");
    let run = playground.run(json!({ "replay": found["schedule"], "until": 2 })).await;
    let violations = run.get("/violations").await;
    assert_eq!(items(&violations)[0]["monitor"], "mutual-exclusion", "{violations}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_counterexample_is_refused() {
    let playground = Playground::open();
    let problem = playground.refused(Method::POST, "/counterexamples/LAM-66", None, 404).await;
    assert!(problem["detail"].as_str().is_some_and(|detail| detail.contains("`LAM-66`")), "{problem}");
}

#[tokio::test(flavor = "multi_thread")]
async fn each_question_has_one_right_answer() {
    let playground = Playground::open();
    let questions = playground.get("/questions").await;
    assert_eq!(items(&questions).len(), 14);
    for question in items(&questions) {
        let choices = question["choices"].as_array().expect("choices");
        assert_eq!(choices.iter().filter(|choice| choice["right"] == true).count(), 1, "{question}");
    }
}
