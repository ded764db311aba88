//! Elections: a click calls an election, and the winner gets a crown.

use serde_json::json;

use crate::page::Page;
use crate::support::Playground;

#[tokio::test(flavor = "multi_thread")]
async fn the_crown_goes_from_the_dead_to_the_elected() {
    let playground = Playground::open();
    // The time-outs are so long that the answers arrive in time even on a busy machine.
    let patience = json!({ "initiators": "none", "answer": 1_000, "coordinator": 5_000 });
    let run = playground.run(json!({ "algorithm": "bully", "nodes": 4, "parameters": patience })).await;
    let Some(page) = Page::open_run(&run).await else { return };
    page.misses("[data-node='0'] [data-action=acquire]").await;

    page.order(0, "elect").await;
    page.reads("#leader-state[data-leader='3']", "P3").await;
    page.sees("[data-node='3'][data-crowned]").await;
    page.sees(".nodes [data-at='3'][data-crowned]").await;
    page.choose("#log-kind", "elected").await;
    page.reads("#events [data-kind=elected]", "COORDINATOR").await;
    page.reads("[data-metric=messages_by_kind]", "COORD").await;
    page.pictures("elected").await;

    page.order(3, "crash").await;
    page.sees("[data-node='3'][data-process=crashed]").await;
    page.sees("#leader-state[data-leader='3'][data-dead]").await;
    page.misses(".nodes [data-at='3'][data-crowned]").await;
    page.press('1').await;
    page.press('e').await;
    page.reads("#leader-state[data-leader='2']", "P2").await;
    page.sees(".nodes [data-at='2'][data-crowned]").await;
    page.misses(".nodes [data-at='3'][data-crowned] .crown").await;
    page.pictures("elected-again").await;

    // Below a process that gave way, the stage names the process with the higher number, until the result is
    // announced.
    run.post("/network/rules", json!({ "match": { "message_kind": "COORD" }, "action": "hold" })).await;
    run.post("/nodes/1/elect", json!({})).await;
    let sign = "document.querySelector(\".nodes [data-at='1'] [data-sign=part]\")?.textContent";
    page.until(&format!("({sign} ?? '').includes('▽ gave way to P2')")).await;
    page.pictures("gave-way").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn those_who_disagree_are_seen_to() {
    let playground = Playground::open();
    let patience = json!({ "initiators": "none", "answer": 1_000, "coordinator": 5_000 });
    let run = playground.run(json!({ "algorithm": "bully", "nodes": 3, "parameters": patience })).await;
    let Some(page) = Page::open_run(&run).await else { return };
    page.reads("#leader-state[data-agreed=none]", "NO COORDINATOR").await;
    let cut = json!({ "groups": [[0, 1], [2]], "direction": "both" });
    run.post("/network/partitions", cut).await;
    page.order(0, "elect").await;
    page.order(2, "elect").await;
    page.reads("#leader-state[data-agreed=false]", "THEY DISAGREE").await;
    page.reads("[data-opinion='2']", "P2").await;
    page.reads("[data-opinion='1']", "P0 P1").await;
    page.pictures("disagreement").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_time_out_that_delays_exceed_is_warned_of_in_every_language() {
    let playground = Playground::open();
    let parameters = json!({ "initiators": "none", "answer": 50, "coordinator": 60_000 });
    let bully = |delay: &str| json!({ "algorithm": "bully", "nodes": 3, "network": { "delay": delay }, "parameters": parameters.clone() });
    let run = playground.run(bully("const:500")).await;
    let Some(page) = Page::open_run(&run).await else { return };
    for (language, words) in [
        ("en", "answer = 50 ms is too short: 2 messages of up to 500 ms need 1000 ms."),
        ("de", "brauchen 1000 ms."),
        ("cs", "potřebuje 1000 ms."),
    ] {
        page.choose("#language", language).await;
        page.reads("#warnings [data-warning=answer]", words).await;
    }
    page.pictures("too-short").await;
    page.close().await;

    let timely = playground.run(bully("const:1")).await;
    let Some(page) = Page::open_run(&timely).await else { return };
    page.sees("#verdict[data-status=ok]").await;
    page.misses("#warnings [data-warning]").await;
    page.close().await;
}
