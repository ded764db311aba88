//! The orchestrator exits and is started again while the page is open.

use rustix::process::Signal;
use serde_json::json;
use tempfile::TempDir;

use crate::page::Page;
use crate::support::Playground;

/// Returns whether a complaint of the browser is about the network.
fn is_of_the_network(complaint: &str) -> bool {
    complaint.contains("net::ERR_")
}

/// In the next response about this run, replaces the status of the run with `running`.
const SAID_TO_RUN: &str = "const [run] = arguments;
    const ask = window.fetch;
    window.fetch = async (...request) => {
        const answer = await ask(...request);
        if (!String(request[0]).endsWith(`/runs/${run}`)) return answer;
        window.fetch = ask;
        return Response.json({ ...(await answer.json()), status: 'running' });
    };";

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_ends_while_it_is_opened_is_shown_to_its_end() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 3, "workload": null })).await;
    run.enter(1).await;
    run.post("/stop", json!({})).await;
    let latest = run.state().await["seq"].as_u64().expect("a seq");
    page.browser.client.execute(SAID_TO_RUN, vec![json!(run.id)]).await.expect("it runs");
    page.go(&format!("/#run={}", run.id)).await;
    page.sees("#connection[data-state=ended]").await;
    page.until(&format!("document.querySelector('il-cursor').dataset.seq === '{latest}'")).await;
    page.sees("#events [data-kind=ended]").await;
    page.close().await;
}

/// While the page fetches a run that was just selected, the page must not report a lost connection.
#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_is_opened_is_not_said_to_be_lost() {
    let playground = Playground::open();
    let first = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 3, "workload": null })).await;
    let second = playground.run(json!({ "algorithm": "suzuki-kasami", "nodes": 3, "workload": null })).await;
    let Some(page) = Page::open_run(&first).await else { return };
    // The browser would complain if the test closed a stream before the stream is open.
    page.until("document.querySelector('#connection').dataset.state === 'live'").await;
    page.script(
        "window.said = [];
         const badge = document.querySelector('#connection');
         new MutationObserver(() => window.said.push(badge.dataset.state)).observe(badge, { attributeFilter: ['data-state'] });",
    )
    .await;
    page.go(&format!("/#run={}", second.id)).await;
    page.until("window.said.at(-1) === 'live'").await;
    assert_eq!(page.script("return window.said").await, json!(["opening", "live"]));
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_orchestrator_is_told_and_found_again() {
    let folder = TempDir::new().expect("a folder");
    let mut playground = Playground::open_in(folder.path(), &["--no-demo"]);
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 3, "workload": null })).await;
    let Some(page) = Page::open_run(&run).await else { return };
    run.enter(1).await;
    page.sees("#lock-state[data-holders='1']").await;
    page.script("window.openedOnce = true").await;

    playground.end(Signal::KILL);
    page.reads("#connection[data-state=disconnected]", "DISCONNECTED").await;
    page.reads("#verdict[data-status=stale]", "last known").await;
    page.press('M').await;
    for order in
        ["#stop", "#heal", "#hold", "[data-node='0'] [data-action=acquire]", "[data-node='1'] [data-action=pause]"]
    {
        page.sees(&format!("{order}:disabled")).await;
    }
    page.pictures("disconnected").await;

    let again = playground.open_again();
    // The run ended when its orchestrator exited, but its events are still available.
    page.reads("#connection[data-state=ended]", "ENDED").await;
    page.click("#new-run").await;
    page.click("#start-run").await;
    page.sees("#connection[data-state=live]").await;
    assert_eq!(again.get("/runs").await["items"].as_array().map(Vec::len), Some(2));
    assert_eq!(page.script("return window.openedOnce").await, true, "all that without loading the page again");
    page.close_forgiving(is_of_the_network).await;
}
