//! The page must respond to the user while a run produces thousands of events per second.

use std::time::Instant;

use serde_json::json;

use crate::page::Page;
use crate::support::{Playground, Run};

/// Number of events that the run produces in this test.
const MANY: u64 = 12_000;
/// Records the duration of each click, from the press of the button until the frame after it. Also records the
/// longest time for which the page did not respond.
const WATCH_ANSWERS: &str = "
    window.answers = [];
    window.busiest = 0;
    const note = ({ timeStamp }) => requestAnimationFrame(() => setTimeout(() => answers.push(performance.now() - timeStamp)));
    addEventListener('click', note, { capture: true });
    let last = performance.now();
    setInterval(() => {
      const now = performance.now();
      busiest = Math.max(busiest, now - last);
      last = now;
    }, 20);
";
/// Counts the frames in which the position of a tab has changed.
const WATCH_PLACE: &str = "
    window.moves = 0;
    const place = () => document.querySelector('#tab-messages').getBoundingClientRect().top;
    let before = place();
    const look = () => {
      const now = place();
      moves += now === before ? 0 : 1;
      before = now;
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
";
/// Maximum number of rows that the log may create at a time.
const MOST_ROWS: u64 = 200;

#[tokio::test(flavor = "multi_thread")]
async fn under_load_a_click_is_answered_and_the_list_stays_short() {
    let playground = Playground::open();
    let work = json!({ "idle": "const:0", "hold": "const:0" });
    let network = json!({ "delay": "const:0" });
    let Some(page) = Page::open(&playground).await else { return };
    let run = playground
        .run(json!({ "algorithm": "ricart-agrawala", "nodes": 10, "network": network, "workload": work }))
        .await;
    page.show(&run).await;

    page.script(WATCH_ANSWERS).await;
    // The first click also scrolls to the tabs, so it is not measured.
    page.click("#tab-messages").await;
    page.script(WATCH_PLACE).await;
    let (start, first) = (Instant::now(), newest(&run).await);
    while newest(&run).await < first + MANY {
        for tab in ["faults", "violations", "messages"] {
            page.click(&format!("#tab-{tab}")).await;
            page.sees(&format!("#panel-{tab}")).await;
        }
    }
    let (events, time) = (newest(&run).await - first, start.elapsed());
    let answers = page.script("return window.answers").await;
    let busiest = page.script("return window.busiest").await;
    eprintln!("{events} events in {time:?}; clicks answered after {answers} ms; busy for {busiest} ms at most");
    let answers = answers.as_array().expect("a list");
    assert!(answers.len() >= 3, "each click is noticed");
    assert_eq!(
        page.script("return window.moves").await,
        0,
        "what is clicked stays under the pointer, whatever goes on above"
    );
    // The test reads the number of the newest event. The log must soon show this event, which proves that the page
    // keeps up with the run.
    let now = newest(&run).await;
    page.until(&format!("Number([...document.querySelectorAll('#events [data-seq]')].at(-1)?.dataset.seq) >= {now}"))
        .await;
    assert!(page.count("#events [data-seq]").await <= MOST_ROWS);

    page.pictures("load").await;
    page.close().await;
}

async fn newest(run: &Run<'_>) -> u64 {
    run.get("/events?limit=1").await["latest"].as_u64().expect("a seq")
}
