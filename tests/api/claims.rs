//! Tests of the map of the sources: claims by source, and questions.

use reqwest::Method;
use serde_json::Value;

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
async fn each_question_has_one_right_answer() {
    let playground = Playground::open();
    let questions = playground.get("/questions").await;
    assert_eq!(items(&questions).len(), 14);
    for question in items(&questions) {
        let choices = question["choices"].as_array().expect("choices");
        assert_eq!(choices.iter().filter(|choice| choice["right"] == true).count(), 1, "{question}");
    }
}
