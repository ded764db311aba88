//! Tests of the fault matrix through the API. Real processes also play one cell of the matrix.

use reqwest::Method;
use serde_json::Value;

use crate::support::Playground;

fn cell<'a>(matrix: &'a Value, [variant, channel, detector, fault]: [&str; 4]) -> &'a Value {
    let rows = matrix["rows"].as_array().expect("rows");
    let is_it = |row: &&Value| row["variant"] == variant && row["channel"] == channel && row["detector"] == detector;
    let row = rows.iter().find(is_it).expect("a row");
    let cells = row["cells"].as_array().expect("cells");
    cells.iter().find(|cell| cell["fault"] == fault).expect("a cell")
}

/// Requests a matrix repeatedly until all its runs have been played. The server answers each request after a time
/// limit at the latest.
async fn matrix(playground: &Playground, query: &str) -> Value {
    loop {
        let path = format!("/algorithms/ricart-agrawala/matrix{query}");
        let (status, answer) = playground.request(Method::GET, &path, None).await;
        if status != 503 {
            assert_eq!(status, 200, "{answer}");
            return answer;
        }
        assert_eq!(answer["type"], "/problems/not-ready", "{answer}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cell_says_what_came_of_it_and_its_example_is_played() {
    let playground = Playground::open();
    let matrix = matrix(&playground, "").await;
    let stuck = cell(&matrix, ["lamport-clock", "raw", "none", "crash-of-holder"]);
    assert_eq!((&stuck["fate"], &stuck["expected"]), (&"safe-but-stuck".into(), &"safe-but-stuck".into()), "{stuck}");
    assert_eq!(stuck["lost"], serde_json::json!(["no-crash"]), "{stuck}");
    assert_eq!((&stuck["unsafe"], &stuck["stuck"]), (&0.into(), &stuck["runs"]), "{stuck}");
    let live = cell(&matrix, ["remove-dead", "raw", "perfect", "crash-of-holder"]);
    assert_eq!((&live["fate"], &live["lost"]), (&"safe-and-live".into(), &serde_json::json!([])), "{live}");
    for cell in [stuck, live] {
        let begun = playground.post("/scenarios", cell["example"]["scenario"].clone()).await;
        let id = begun["id"].as_str().expect("an id");
        let played = playground.get(&format!("/scenarios/{id}?wait_ms=60000")).await;
        assert_eq!(played["outcome"], "met", "{played}");
    }
    assert_eq!(self::matrix(&playground, "").await, matrix, "it is the same always");
    let mut over_raw = matrix.clone();
    over_raw["rows"].as_array_mut().expect("rows").retain(|row| row["channel"] == "raw");
    assert_eq!(self::matrix(&playground, "?channel=raw").await, over_raw);
    let problem = playground.refused(Method::GET, "/algorithms/lamport/matrix?channel=row", None, 400).await;
    assert!(problem["detail"].as_str().is_some_and(|why| why.contains("did you mean `raw`?")), "{problem}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_has_no_row_is_told() {
    let playground = Playground::open();
    let election = playground.refused(Method::GET, "/algorithms/bully/matrix", None, 404).await;
    assert!(election["detail"].as_str().is_some_and(|why| why.contains("for mutual exclusion")), "{election}");
    let unknown = playground.refused(Method::GET, "/algorithms/lamprot/matrix", None, 404).await;
    assert!(unknown["detail"].as_str().is_some_and(|why| why.contains("lamport")), "{unknown}");
}
