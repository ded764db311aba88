//! Start and end of runs: the dialog that starts a run, and the button that stops the run.

use fantoccini::key::Key;
use serde_json::{Value, json};

use crate::page::Page;
use crate::support::{Playground, Run};

#[tokio::test(flavor = "multi_thread")]
async fn a_run_is_started_in_the_dialog() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    page.sees("#empty").await;
    page.pictures("empty").await;

    page.click("#new-run").await;
    page.sees("#new-run-dialog[open]").await;
    page.choose("#new-run-dialog [name=algorithm]", "ricart-agrawala").await;
    page.fill("#new-run-dialog [name=nodes]", "3").await;
    page.fill("#new-run-dialog [name='network/delay']", "const:20").await;
    page.pictures("new-run").await;
    page.click("#start-run").await;

    page.reads("#connection[data-state=live]", "LIVE").await;
    page.sees("[data-node='2'][data-process=running]").await;
    page.sees("#events [data-seq]").await;
    assert_eq!(page.count("[data-node]").await, 3);
    let runs = playground.get("/runs").await;
    let made: Vec<&Value> = runs["items"].as_array().expect("runs").iter().collect();
    assert_eq!(made.len(), 1, "{runs}");
    let specification = &made[0]["specification"];
    assert_eq!(
        (&specification["algorithm"], &specification["nodes"], &specification["network"]["delay"]),
        (&json!("ricart-agrawala"), &json!(3), &json!("const:20")),
    );
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_server_refuses_is_said_at_the_field() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    page.click("#new-run").await;
    page.fill("#new-run-dialog [name='network/delay']", "constantly").await;
    page.click("#start-run").await;
    page.reads("#new-run-dialog[open] label:has([name='network/delay']) .wrong", "constantly").await;
    // The error is shown at its field. A toast must not repeat the error, because the toast would cover the
    // buttons.
    assert_eq!(page.count(".toast").await, 0);
    page.pictures("refused").await;
    page.click("#start-run").await;
    page.sees("#new-run-dialog[open] label .wrong").await;
    assert_eq!(playground.get("/runs").await["items"], json!([]));
    // The test expects a 422 response, which the browser reports as a network error.
    page.close_forgiving(|complaint| complaint.contains("422")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn parameters_are_chosen_and_wrong_variants_are_marked() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    page.click("#new-run").await;
    page.choose("#new-run-dialog [name=algorithm]", "lamport").await;
    page.choose("#new-run-dialog [name='parameters/release']", "request").await;
    page.misses("#new-run-dialog .broken").await;
    page.choose("#new-run-dialog [name=variant]", "no-ack").await;
    page.reads("#new-run-dialog .broken", "mutual exclusion can be violated").await;
    page.click("#start-run").await;
    page.reads("#connection[data-state=live]", "LIVE").await;
    let runs = playground.get("/runs").await;
    let specification = &runs["items"][0]["specification"];
    assert_eq!(
        (&specification["variant"], &specification["parameters"]["release"]),
        (&json!("no-ack"), &json!("request")),
        "{runs}"
    );
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stopped_run_shows_that_it_has_ended() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 2, "workload": null })).await;
    let Some(page) = Page::open_run(&run).await else { return };
    run.enter(0).await;
    page.sees("#lock-state[data-holders='0']").await;

    page.click("#stop").await;
    page.click("#ask-yes").await;
    page.reads("#connection[data-state=ended]", "ENDED").await;
    page.sees("[data-node='0'] button[data-action=acquire]:disabled").await;
    page.pictures("ended").await;
    assert_eq!(status(&run).await, "stopped");

    page.reload().await;
    page.reads("#connection[data-state=ended]", "ENDED").await;
    page.sees("#events [data-seq]").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_is_found_opened_and_deleted_in_the_list() {
    let playground = Playground::open();
    let ended = playground.run(json!({ "algorithm": "lamport", "nodes": 2, "name": "Přednáška" })).await;
    ended.post("/stop", json!({})).await;
    let going = playground.run(json!({ "algorithm": "maekawa", "nodes": 3, "name": "lecture" })).await;
    let Some(page) = Page::open_run(&going).await else { return };
    let (first, second) =
        (format!("#runs-dialog [data-run='{}']", ended.id), format!("#runs-dialog [data-run='{}']", going.id));

    page.press('R').await;
    page.sees(&format!("{second}[aria-current=true] button.danger:disabled")).await;
    page.sees(&format!("{first} button.danger:enabled")).await;
    page.pictures("runs").await;
    page.reads(&format!("{second} .verdict[data-verdict=ok]"), "OK").await;
    page.click(&format!("{first} button.rename")).await;
    page.fill(".ask [name=name]", "Přednáška 2").await;
    page.click("#ask-yes").await;
    page.reads(&format!("{first} [data-open]"), "Přednáška 2").await;
    assert_eq!(ended.get("").await["name"], "Přednáška 2");
    page.fill("#runs-search", "LAMPORT prednaska").await;
    page.misses(&second).await;
    page.press(char::from(Key::Enter)).await;
    page.misses("#runs-dialog[open]").await;
    page.until(&format!("location.hash === '#run={}'", ended.id)).await;
    page.sees("#connection[data-state=ended]").await;

    page.press('R').await;
    page.sees(&format!("{first} button.danger:disabled")).await;
    page.click(&format!("{second} [data-open]")).await;
    page.sees("#connection[data-state=live]").await;
    page.press('R').await;
    page.click(&format!("{first} button.danger")).await;
    page.click("#ask-yes").await;
    page.misses(&first).await;
    page.sees(&second).await;
    let left = playground.get("/runs").await;
    let left: Vec<&Value> = left["items"].as_array().expect("runs").iter().map(|run| &run["name"]).collect();
    assert_eq!(left, ["lecture"]);

    let other = playground.run(json!({ "algorithm": "lamport", "nodes": 2 })).await;
    page.click("#stop-all").await;
    page.reads(".ask", "Stop all 2 running runs?").await;
    page.click("#ask-yes").await;
    page.sees(&format!("{second} .status[data-status=stopped]")).await;
    page.sees("#stop-all:disabled").await;
    assert_eq!((status(&going).await, status(&other).await), (json!("stopped"), json!("stopped")));
    page.close().await;
}

async fn status(run: &Run<'_>) -> Value {
    run.get("").await["status"].clone()
}
