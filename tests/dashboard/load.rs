//! Thousands of events a second.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::browser::Notes;
use crate::page::Page;
use crate::support::{Playground, Run};

/// How many events the page is to get through.
const MANY: u64 = 30_000;
/// How soon a click is answered.
const SOON: Duration = Duration::from_secs(1);
/// More rows than this are in no view.
const MOST_ROWS: u64 = 200;

#[tokio::test(flavor = "multi_thread")]
async fn under_load_a_click_is_answered_and_the_list_stays_short() {
    let playground = Playground::open();
    let work = json!({ "idle": "const:0", "hold": "const:0" });
    let network = json!({ "delay": "const:0" });
    let Some(page) = Page::open_with(&playground, Notes::Console).await else { return };
    let run = playground
        .run(json!({ "algorithm": "ricart-agrawala", "nodes": 10, "network": network, "workload": work }))
        .await;
    page.show(&run).await;

    let (start, first) = (Instant::now(), newest(&run).await);
    let mut slowest = Duration::ZERO;
    while newest(&run).await < first + MANY {
        for tab in ["faults", "violations", "messages"] {
            slowest = slowest.max(answer(&page, &format!("#tab-{tab}"), &format!("#panel-{tab}")).await);
        }
    }
    let events = newest(&run).await - first;
    eprintln!("{events} events in {:?}, the slowest click was answered in {slowest:?}", start.elapsed());
    assert!(slowest < SOON, "a click was answered after {slowest:?}");
    // What the page shows is what goes on: it is not far behind.
    let now = newest(&run).await;
    page.until(&format!("Number([...document.querySelectorAll('#events [data-seq]')].at(-1)?.dataset.seq) >= {now}"))
        .await;
    assert!(page.count("#events [data-seq]").await <= MOST_ROWS);

    let paused =
        answer(&page, "[data-node='3'] button[data-action=pause]", "[data-node='3'][data-process=paused]").await;
    assert!(paused < SOON, "a node was seen to be paused after {paused:?}");
    page.pictures("load").await;
    page.close().await;
}

/// How long it takes from a click until its effect is seen.
async fn answer(page: &Page, control: &str, effect: &str) -> Duration {
    let start = Instant::now();
    page.click(control).await;
    page.sees(effect).await;
    start.elapsed()
}

async fn newest(run: &Run<'_>) -> u64 {
    run.get("/events?limit=1").await["latest"].as_u64().expect("a seq")
}

#[tokio::test(flavor = "multi_thread")]
async fn the_oldest_events_are_forgotten() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    let script = "const [done] = arguments;
        import('/buffer.js').then(({ EventBuffer, LIMIT }) => {
          const buffer = new EventBuffer();
          const batch = (from) => Array.from({ length: 1000 }, (_, i) => ({ seq: from + i, at_us: 0, kind: 'sent' }));
          let most = 0;
          for (let seq = 1; seq < 3 * LIMIT; seq += 1000) {
            buffer.append(batch(seq));
            most = Math.max(most, buffer.items.length);
          }
          done({ limit: LIMIT, most, oldest: buffer.find(1) ?? null, newest: buffer.newest, forgotten: buffer.forgotten });
        });";
    let found: Value = page.browser.client.execute_async(script, Vec::new()).await.expect("an answer");
    let number = |name: &str| found[name].as_u64().expect("a number");
    assert!(number("most") <= number("limit") * 11 / 10, "{found}");
    assert!(found["oldest"].is_null() && number("newest") == 3 * number("limit"), "{found}");
    assert!(number("forgotten") >= 2 * number("limit") - number("limit") / 10, "{found}");
    page.close().await;
}
