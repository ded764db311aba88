//! Nodes: the actions of the buttons on their cards, and the effect on the lock.

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
    page.order(0, "acquire").await;
    page.reads("#messages-on-the-way li", "waits for P2").await;
    page.order(2, "resume").await;
    page.sees("[data-node='2'][data-process=running]").await;
    assert_eq!(run.state().await["nodes"][2]["process"], "running");
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chosen_event_is_seen_beside_its_detail() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 3, "workload": null })).await;
    let Some(page) = Page::open_run(&run).await else { return };
    page.order(0, "acquire").await;
    page.sees("#events [data-kind=entered]").await;
    // The test stops the log from following the newest event. From then on, the selected event is visible only if
    // the page scrolls to this event.
    page.press('l').await;
    page.until("!document.querySelector('#follow').checked").await;
    page.click("#events [data-kind=entered]").await;
    page.reads("#event-detail", "ENTERED").await;
    page.until(
        "(() => {
           const [event, list] = ['#events [aria-selected=true]', '#events'].map((selector) =>
             document.querySelector(selector)?.getBoundingClientRect());
           return event !== undefined && event.top >= list.top - 1 && event.bottom <= list.bottom + 1;
         })()",
    )
    .await;
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
    page.reads("#lock-state", "HOLDS THE LOCK").await;
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
    // The run produces no further events. The metrics must nevertheless reach their last values.
    page.reads("[data-metric=entries]", "2").await;
    page.sees("[data-metric=messages_per_entry][data-value='4'], [data-metric=messages_per_entry][data-value='4.0']")
        .await;
    page.close().await;
}

/// If the algorithm is self-stabilising, a user can overwrite the state of a node from its card.
#[tokio::test(flavor = "multi_thread")]
async fn the_state_of_a_node_is_overwritten_by_its_number() {
    let playground = Playground::open();
    // All messages are held, so the ring makes no progress and the state stays the same.
    let (parameters, network) = (json!({ "k": 4, "period": "1m" }), json!({ "hold": true }));
    let ring = json!({ "algorithm": "dijkstra-ring", "nodes": 3, "parameters": parameters, "network": network });
    let run = playground.run(ring).await;
    let Some(page) = Page::open_run(&run).await else { return };
    page.order(1, "corrupt").await;
    page.fill("dialog.ask [name=state]", "14").await;
    page.pictures("overwrite").await;
    page.click("#ask-yes").await;
    page.reads("#events [data-kind=commanded]", "corrupt").await;
    let told = run.events("commanded").await;
    assert_eq!((&told[0]["node"], &told[0]["command"]["corrupt"]["choice"]), (&json!(1), &json!(14)), "{told:?}");
    let run = playground.run(json!({ "algorithm": "lamport", "nodes": 3 })).await;
    page.close().await;
    let Some(page) = Page::open_run(&run).await else { return };
    page.misses("[data-node='1'] button[data-action='corrupt']:not([hidden])").await;
    page.close().await;
}

/// If the algorithm uses a failure detector, a user can cause a wrong suspicion from the card of a node.
#[tokio::test(flavor = "multi_thread")]
async fn a_failure_detector_is_made_to_err_and_to_see_it() {
    let playground = Playground::open();
    let ring = json!({ "algorithm": "lamport", "variant": "remove-dead", "nodes": 3, "network": { "hold": true } });
    let run = playground.run(ring).await;
    let Some(page) = Page::open_run(&run).await else { return };
    page.sees("[data-node='1'] button[data-action='suspect']:not([disabled])").await;
    page.sees("[data-node='1'] button[data-action='trust'][disabled]").await;
    page.order(1, "suspect").await;
    page.misses("dialog.ask option[value='1']").await;
    page.choose("dialog.ask [name=whom]", "2").await;
    page.pictures("suspect").await;
    page.click("#ask-yes").await;
    page.sees("#events [data-kind=suspected]").await;
    page.order(1, "trust").await;
    page.misses("dialog.ask option[value='0']").await;
    page.click("#ask-yes").await;
    page.sees("#events [data-kind=trusted]").await;
    let told = run.events("suspected,trusted").await;
    let told: Vec<_> = told.iter().map(|event| (&event["kind"], &event["node"], &event["whom"])).collect();
    let (suspected, trusted) = (json!("suspected"), json!("trusted"));
    assert_eq!(told, [(&suspected, &json!(1), &json!(2)), (&trusted, &json!(1), &json!(2))]);
    page.sees("[data-node='1'] button[data-action='trust'][disabled]").await;
    let run = playground.run(json!({ "algorithm": "lamport", "nodes": 3 })).await;
    page.close().await;
    let Some(page) = Page::open_run(&run).await else { return };
    page.misses("[data-node='1'] button[data-action='suspect']:not([hidden])").await;
    page.close().await;
}
