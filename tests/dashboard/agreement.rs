//! Agreement: a click proposes a value, and a table shows the state of each node.

use serde_json::json;

use crate::page::Page;
use crate::support::Playground;

/// Text below the nodes of the stage (`NOTES`), and text above the third node (`PROPOSAL`).
const NOTES: &str = "document.querySelector('il-picture .notes').textContent";
const PROPOSAL: &str = "document.querySelector(\".nodes [data-at='2'] [data-sign=proposal]\")?.textContent ?? ''";

#[tokio::test(flavor = "multi_thread")]
async fn a_value_is_proposed_and_learnt() {
    let playground = Playground::open();
    // On a busy machine, answers may be slow. The time-out is long enough that no process tries a higher ballot
    // meanwhile.
    let patience = json!({ "proposers": "none", "retry": 5_000 });
    let run = playground.run(json!({ "algorithm": "paxos", "nodes": 5, "parameters": patience })).await;
    let Some(page) = Page::open_run(&run).await else { return };
    page.reads("il-agreement", "Nothing has been proposed yet.").await;

    page.order(1, "propose").await;
    page.fill("dialog.ask [name=value]", "blue").await;
    page.pictures("propose").await;
    page.click("#ask-yes").await;
    page.until("document.querySelectorAll('[data-row=decided] td:not(:empty)').length === 5").await;
    page.reads("[data-instance='0'][data-decided=one] [data-row=decided]", "blue").await;
    page.reads("[data-instance='0'] [data-row=promised]", "⟨1, P1⟩").await;
    // The number of a ballot is not broken across two lines.
    page.until("getComputedStyle(document.querySelector('[data-row=promised] td > span')).whiteSpace === 'nowrap'")
        .await;
    page.reads("[data-instance='0'] .instance", "proposed: blue").await;
    page.reads("[data-node='4']", "learnt blue").await;
    page.until(&format!("{NOTES}.includes('promised ⟨1, P1⟩')")).await;
    page.until(&format!("{NOTES}.includes('accepted blue ⟨1, P1⟩')")).await;

    // The value has been chosen. A later proposal of another value does not change it.
    page.press('0').await;
    page.press('v').await;
    page.fill("dialog.ask [name=value]", "red").await;
    page.click("#ask-yes").await;
    page.reads("[data-instance='0'] .instance", "blue, red").await;
    page.sees("[data-instance='0'][data-decided=one]").await;
    page.choose("#log-kind", "group agreement").await;
    page.reads("#events [data-kind=decided]", "LEARNT that “blue” is chosen").await;
    page.pictures("decided").await;

    // Above a process that requests promises, the stage shows the ballot of this process, and the numbers of
    // received and needed promises.
    run.post("/network/rules", json!({ "match": { "message_kind": "PROMISE" }, "action": "hold" })).await;
    run.post("/nodes/2/propose", json!({ "value": "green" })).await;
    page.until(&format!("({PROPOSAL}).includes('Proposer ⟨')")).await;
    page.until(&format!("({PROPOSAL}).includes(', P2⟩ 1/3')")).await;
    page.pictures("proposer").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_lock_is_agreed_upon_with_has_a_tab() {
    let playground = Playground::open();
    // The lease must not expire while the test takes screenshots, so it is longer than usual.
    let parameters = json!({ "lease": "60000", "retry": "100" });
    let document = json!({ "algorithm": "replicated-lock", "nodes": 3, "workload": null, "parameters": parameters });
    let run = playground.run(document).await;
    let Some(page) = Page::open_run(&run).await else { return };
    page.misses("#tab-agreement").await;
    page.order(1, "acquire").await;
    page.sees("#lock-state[data-holders='1']").await;
    page.click("#tab-agreement").await;
    page.sees("#panel-agreement [data-decided=one]").await;
    page.pictures("replicated-lock").await;
    page.order(1, "release").await;
    page.sees("#lock-state[data-holders='']").await;
    page.close().await;
}
