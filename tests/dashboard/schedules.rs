//! All schedules of a small run: the user requests the exploration, and real processes play the schedule that it
//! finds step by step.

use fantoccini::key::Key;
use serde_json::json;

use crate::page::Page;
use crate::support::Playground;

const DIALOG: &str = "#schedules-dialog";

async fn ask(page: &Page, algorithm: &str, nodes: &str) {
    page.until("document.querySelectorAll('#schedules-dialog [name=\"specification/algorithm\"] option').length > 0")
        .await;
    page.choose(&format!("{DIALOG} [name='specification/algorithm']"), algorithm).await;
    page.fill(&format!("{DIALOG} [name='specification/nodes']"), nodes).await;
}

/// A demonstration for a class: it shows why Lamport's algorithm needs FIFO links.
#[tokio::test(flavor = "multi_thread")]
async fn the_shortest_counterexample_is_found_and_played_between_real_processes() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    page.press('s').await;
    page.sees(&format!("{DIALOG}[open]")).await;
    ask(&page, "lamport", "3").await;
    page.until("document.querySelector('#schedules-dialog [name=fifo]').checked").await;
    page.click(&format!("{DIALOG} [name=fifo]")).await;
    page.click("#explore").await;
    page.sees("#exploration[data-verdict=violated]").await;
    page.reads("#exploration", "a lock never has more processes in its critical section than it has units").await;
    page.reads("#exploration", "has 7 actions").await;
    assert_eq!(page.count("#exploration li").await, 7);
    page.pictures("schedules-violated").await;

    page.click("#play-schedule").await;
    page.misses(&format!("{DIALOG}[open]")).await;
    page.sees("il-replay[data-position='0']").await;
    page.reads("#replay-next", "next: P").await;
    page.press(char::from(Key::PageDown)).await;
    page.sees("il-replay[data-position='1']").await;
    page.press('j').await;
    page.sees("il-replay[data-position='2']").await;
    assert_eq!(page.count("[data-verdict=violated]").await, 1, "only what the exploration found is violated so far");
    page.pictures("replay-under-way").await;
    page.click("#replay-end").await;
    page.sees("il-replay[data-position='7'][data-state=follows]").await;
    page.reads("#replay-next", "The schedule has ended.").await;
    page.reads("#verdict", "TWO IN THE CRITICAL SECTION").await;
    page.until("document.querySelector('#replay-step').disabled").await;
    page.pictures("replay-violated").await;
    page.click("#replay-fork").await;
    page.sees("il-replay[data-state=forked]").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_holds_says_so_and_what_is_ended_does_not() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    page.click("#schedules").await;
    ask(&page, "ricart-agrawala", "2").await;
    page.click("#explore").await;
    page.sees("#exploration[data-verdict=holds]").await;
    page.reads("#exploration .word", "HOLDS").await;
    page.reads("#exploration", "no process waits in a state").await;
    page.until("!document.querySelector('#exploration').innerText.includes('coordinator')").await;
    page.pictures("schedules-hold").await;
    ask(&page, "ricart-agrawala", "7").await;
    page.click("#explore").await;
    page.sees("#exploration[data-verdict=running]").await;
    page.reads("#exploration", "states per second").await;
    assert_eq!(page.count("#exploration .word").await, 0);
    page.click("#end-exploration").await;
    page.misses("#end-exploration:not([hidden])").await;
    assert_eq!(playground.get("/explorations").await["items"].as_array().map(Vec::len), Some(1));
    page.choose(&format!("{DIALOG} [name=timers]"), "any-time:1").await;
    page.fill(&format!("{DIALOG} [name='specification/nodes']"), "2").await;
    page.click("#explore").await;
    page.sees("#exploration[data-verdict=holds]").await;
    page.close().await;
}

/// Like the dialog for runs, this dialog must have fields for the parameters of an algorithm. An error must be
/// shown at its field.
#[tokio::test(flavor = "multi_thread")]
async fn an_algorithm_is_explored_with_the_parameters_that_are_put_in() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    page.press('s').await;
    page.sees(&format!("{DIALOG}[open]")).await;
    ask(&page, "chang-roberts", "3").await;
    page.click("#explore").await;
    page.reads("#exploration", "11,780 states").await;
    page.fill(&format!("{DIALOG} [name='specification/parameters/initiators']"), "0").await;
    page.click("#explore").await;
    page.reads("#exploration", "4,541 states").await;
    page.fill(&format!("{DIALOG} [name='specification/parameters/initiators']"), "7").await;
    page.click("#explore").await;
    page.reads(&format!("{DIALOG} label:has([name='specification/parameters/initiators']) .wrong"), "7").await;
    page.misses("#exploration:not([hidden])").await;
    page.pictures("schedules-parameters").await;
    // The test expects a rejected exploration, which the browser reports as a failed request.
    page.close_forgiving(|complaint| complaint.contains("422")).await;
}

/// The budget of pauses limits the exploration: with no pauses, no process is ever suspected.
#[tokio::test(flavor = "multi_thread")]
async fn who_stands_still_is_taken_for_dead() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    page.press('s').await;
    page.sees(&format!("{DIALOG}[open]")).await;
    ask(&page, "centralised-failover", "3").await;
    page.click("#explore").await;
    page.sees("#exploration[data-verdict=holds]").await;
    page.fill(&format!("{DIALOG} [name=pause]"), "1").await;
    page.click("#explore").await;
    page.sees("#exploration[data-verdict=violated]").await;
    page.reads("#exploration", "has 8 actions").await;
    page.reads("#exploration", "is paused").await;
    page.pictures("schedules-paused").await;
    page.close().await;
}

/// The user opens the dialog before the list of algorithms has arrived.
#[tokio::test(flavor = "multi_thread")]
async fn the_dialog_that_is_opened_at_once_is_filled_when_the_algorithms_are_known() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    page.until("document.querySelectorAll('#empty .example').length > 0").await;
    let later = "const [done] = arguments;
        import('/run/store.js').then(({ store }) => {
          window.come = () => { Object.assign(store, { algorithms: window.all }); store.changed('examples'); };
          window.all = store.algorithms;
          store.algorithms = [];
          done();
        });";
    page.browser.client.execute_async(later, Vec::new()).await.expect("they are not there yet");
    page.press('s').await;
    page.sees(&format!("{DIALOG}[open]")).await;
    assert_eq!(page.count(&format!("{DIALOG} [name='specification/algorithm'] option")).await, 0);
    page.script("come()").await;
    ask(&page, "lamport", "2").await;
    page.until("document.querySelector('#schedules-dialog [name=fifo]').checked").await;
    page.close().await;
}

/// An exploration from arbitrary states shows its counterexample as a table, because a schedule cannot express the
/// initial state.
#[tokio::test(flavor = "multi_thread")]
async fn what_no_schedule_can_say_is_a_table() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    page.until("!document.querySelector('#empty').hidden").await;
    page.click("#schedules").await;
    ask(&page, "dijkstra-ring", "2").await;
    page.fill(&format!("{DIALOG} [name=requests]"), "0").await;
    page.click(&format!("{DIALOG} summary")).await;
    assert!(page.script("return document.querySelector('[name=contents]').disabled").await == true);
    page.choose(&format!("{DIALOG} [name=beginning]"), "arbitrary").await;
    page.click("#explore").await;
    page.sees("#exploration[data-verdict=holds]").await;
    assert_eq!(page.count(".configurations").await, 0);

    // If more messages may be in transit than the ring has numbers, some schedules never stabilise.
    page.fill(&format!("{DIALOG} [name=contents]"), "1").await;
    page.click("#explore").await;
    page.sees("#exploration[data-verdict=violated] .configurations").await;
    page.reads("#exploration", "every schedule reaches exactly one privilege").await;
    page.reads("#exploration", "The last row repeats row 0: the run continues this way forever.").await;
    let heads =
        page.script("return [...document.querySelectorAll('.configurations thead th')].map((one) => one.innerText)");
    assert_eq!(heads.await, json!(["", "after", "P0", "P1", "in transit", "privileges"]));
    let last = page.script(
        "const rows = [...document.querySelectorAll('.configurations tbody tr')];
         const words = (row) => [...row.cells].slice(2).map((cell) => cell.innerText);
         return { again: rows.filter((row) => row.matches('[data-again]')).map((row) => rows.indexOf(row)),
           first: words(rows[0]), last: words(rows.at(-1)), after: rows.at(-1).cells[1].innerText, of: rows.length };",
    );
    let last = last.await;
    assert_eq!(last["first"], last["last"], "{last}");
    assert_eq!(last["again"], json!([0, last["of"].as_u64().expect("a number") - 1]));
    assert!(last["after"].as_str().is_some_and(|after| after.contains("reaches P")), "{last}");
    assert!(last["first"][2].as_str().is_some_and(|under_way| under_way.starts_with("P1→P0: FLAG flag ")), "{last}");
    assert_eq!(page.count("#play-schedule").await, 0, "there is nothing to play");
    page.pictures("schedules-table").await;
    page.close().await;
}

/// A run without a schedule has no bar for steps, so `PageDown` scrolls the page.
#[tokio::test(flavor = "multi_thread")]
async fn a_run_of_its_own_follows_no_schedule() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "lamport", "nodes": 2, "workload": null })).await;
    let Some(page) = Page::open_run(&run).await else { return };
    page.sees("#lock-state").await;
    page.misses("il-replay").await;
    page.press('j').await;
    assert_eq!(page.count(".toast").await, 0);
    page.close().await;
}
