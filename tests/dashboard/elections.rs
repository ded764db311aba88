//! Elections: called by a click, and the crown goes to who wins.

use serde_json::json;

use crate::page::Page;
use crate::support::Playground;

#[tokio::test(flavor = "multi_thread")]
async fn the_crown_goes_from_the_dead_to_the_elected() {
    let playground = Playground::open();
    // On a busy machine, too, the answer is there before anybody stops to wait for it.
    let patience = json!({ "initiators": "none", "answer": 1_000_000, "coordinator": 5_000_000 });
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
    page.press('1').await;
    page.press('e').await;
    page.reads("#leader-state[data-leader='2']", "P2").await;
    page.sees(".nodes [data-at='2'][data-crowned]").await;
    page.misses(".nodes [data-at='3'][data-crowned] .crown").await;
    page.pictures("elected-again").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn those_who_disagree_are_seen_to() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "bully", "nodes": 3, "parameters": { "initiators": "none" } })).await;
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
