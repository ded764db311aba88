//! Nodes: what can be done to each with its buttons, and how the lock follows.

use serde_json::json;

use crate::page::Page;
use crate::support::Playground;

#[tokio::test(flavor = "multi_thread")]
async fn a_node_is_paused_and_goes_on() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 3, "workload": null })).await;
    let Some(page) = Page::open_run(&run).await else { return };

    page.order(2, "pause").await;
    page.sees("[data-node='2'][data-process=paused]").await;
    assert_eq!(run.state().await["nodes"][2]["process"], "paused");
    page.order(2, "resume").await;
    page.sees("[data-node='2'][data-process=running]").await;
    assert_eq!(run.state().await["nodes"][2]["process"], "running");
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_crashes_and_is_started_again() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 3, "workload": null })).await;
    let Some(page) = Page::open_run(&run).await else { return };

    page.order(1, "crash").await;
    page.sees("[data-node='1'][data-process=crashed]").await;
    assert_eq!(run.state().await["nodes"][1]["process"], "crashed");
    page.order(1, "restart-none").await;
    page.sees("[data-node='1'][data-process=running]").await;
    assert_eq!(run.state().await["nodes"][1]["incarnation"], 2);
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_lock_follows_who_enters_and_leaves() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 3, "workload": null })).await;
    let Some(page) = Page::open_run(&run).await else { return };

    page.reads("#lock-state[data-holders='']", "FREE").await;
    page.order(0, "acquire").await;
    page.reads("#lock-state[data-holders='0']", "P0").await;
    page.reads("#lock-state", "held by").await;
    page.sees("[data-node='0'][data-phase=in-section]").await;
    page.order(1, "acquire").await;
    page.sees("[data-node='1'][data-phase=wanting]").await;
    page.sees("#waiting [data-waiting='1']").await;
    page.pictures("held-and-wanted").await;
    page.order(0, "release").await;
    page.reads("#lock-state[data-holders='1']", "P1").await;
    page.order(1, "release").await;
    page.reads("#lock-state[data-holders='']", "FREE").await;
    assert_eq!(run.state().await["locks"][0]["entries"], 2);
    page.close().await;
}
