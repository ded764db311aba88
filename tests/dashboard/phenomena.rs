//! Phenomena: the headline names what the run shows, and the stage and the diagram draw it.

use serde_json::json;

use crate::page::Page;
use crate::support::{Playground, Run};

// Codes with which WebDriver represents keys that produce no character.
const HOME: char = '\u{e011}';
const END: char = '\u{e010}';

/// Starts the run of an example.
pub async fn example<'a>(playground: &'a Playground, name: &str) -> Run<'a> {
    let offered = playground.get("/examples").await;
    let offered = offered["items"].as_array().expect("examples");
    let example = offered.iter().find(|one| one["name"] == name).expect("an example");
    playground.run(example["specification"].clone()).await
}

/// Starts the run of an example and shows it. Returns none if there is no browser.
async fn shown(playground: &Playground, name: &str) -> Option<Page> {
    let page = Page::open(playground).await?;
    let run = example(playground, name).await;
    page.show(&run).await;
    Some(page)
}

/// Names of the messages whose lines in the diagram are bold, because they are the cause of a violation.
const CAUSES: &str = "const [done] = arguments;
    import('/run/events-at-cursor.js').then(({ cursorEvents }) => {
      const { all } = cursorEvents.record.diagram.messages;
      done(all.filter(({ isCause }) => isCause).map(({ name }) => name));
    });";

#[tokio::test(flavor = "multi_thread")]
async fn the_headline_names_the_message_that_overtook_another() {
    let playground = Playground::open();
    let Some(page) = shown(&playground, "lamport-without-fifo").await else { return };
    page.reads("#verdict[data-phenomenon=two-in-section] strong", "P0 · P1: the ACK overtook the REQUEST").await;
    page.reads("#steps [data-kind=violated]", "The ACK overtook the REQUEST.").await;
    let causes = page.browser.client.execute_async(CAUSES, Vec::new()).await.expect("names");
    assert_eq!(causes, json!(["0.1.1", "0.1.2"]));
    page.click("#verdict button").await;
    page.reads("#violations [data-violation]", "The ACK overtook the REQUEST.").await;
    // In the meantime, both processes have left. The verdict leads back to the moment at which both were inside.
    page.sees("#lock-state[data-holders='']").await;
    page.until("/^◀ at \\d+\\.\\d\\d s$/u.test(document.querySelector('#verdict .moment').textContent)").await;
    page.click("#verdict .moment").await;
    page.sees("#lock-state[data-holders='0,1']").await;
    page.misses("#verdict .moment:not([hidden])").await;
    page.sees("#cursor-live:not([hidden])").await;
    page.pictures("overtaking").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_an_overtaking_the_headline_names_none() {
    let playground = Playground::open();
    let Some(page) = shown(&playground, "lease-unfenced").await else { return };
    page.sees("#verdict[data-status=violated][data-phenomenon]").await;
    assert_eq!(page.script("return document.querySelector('#verdict').innerText.includes('overtook')").await, false);
    let causes = page.browser.client.execute_async(CAUSES, Vec::new()).await.expect("names");
    assert_eq!(causes, json!([]));
    page.close().await;
}

const GHOST: &str = "il-picture .held [data-envelope='2.3.2'][data-fate=lost]";

#[tokio::test(flavor = "multi_thread")]
async fn the_lost_token_stays_on_its_link_as_a_ghost() {
    let playground = Playground::open();
    let Some(page) = shown(&playground, "suzuki-kasami-lost-token").await else { return };
    page.sees("#verdict[data-phenomenon=token-lost]").await;
    page.sees(GHOST).await;
    page.pictures("token-lost").await;
    page.press(HOME).await;
    page.misses(GHOST).await;
    page.sees("#verdict:not([data-phenomenon])").await;
    // The last event before the loss.
    let before = "const [done] = arguments;
        Promise.all(['/run/store.js', '/run/events-at-cursor.js'].map((one) => import(one))).then(([{ store }, { cursorEvents }]) => {
          const lost = cursorEvents.record.events.find(({ kind }) => kind === 'dropped');
          done(store.travel(lost.seq - 1).then(() => lost.seq));
        });";
    let lost = page.browser.client.execute_async(before, Vec::new()).await.expect("a number").as_u64().expect("a seq");
    page.sees(&format!("il-cursor[data-seq='{}']", lost - 1)).await;
    page.misses(GHOST).await;
    page.press(END).await;
    page.sees(GHOST).await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_account_is_on_the_stage_with_what_each_machine_read_and_wrote() {
    let playground = Playground::open();
    let Some(page) = shown(&playground, "cash-machines-unprotected").await else { return };
    page.until("document.querySelector('.account').textContent === 'Account 1,000'").await;
    // The same words are below both machines.
    let below_both = async |words: &str| {
        let notes = "[...document.querySelectorAll('il-picture .notes text')]";
        page.until(&format!("{notes}.filter(({{ textContent }}) => textContent === '{words}').length === 2")).await;
    };
    below_both("read 1,000").await;
    below_both("read 1,000 → wrote 11,000").await;
    page.reads("#verdict strong", "10,000 MISSING").await;
    page.until("document.querySelector('.account .missing').textContent.includes('21,000')").await;
    for (language, words) in [("de", "las 1.000 → schrieb 11.000"), ("cs", "četl 1\u{a0}000 → zapsal 11\u{a0}000")]
    {
        page.choose("#language", language).await;
        below_both(words).await;
    }
    page.choose("#language", "en").await;
    page.sees("html[lang=en]").await;
    page.pictures("account-on-the-stage").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_formula_of_the_catalogue_is_beside_the_measured_number_of_messages() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    for (algorithm, words) in [("ricart-agrawala", "8.00 · 2(N−1) = 8"), ("centralised", "3.00")] {
        let run = playground.run(json!({ "algorithm": algorithm, "nodes": 5, "workload": null })).await;
        page.show(&run).await;
        run.enter(1).await;
        run.release(1).await;
        let shown = "document.querySelector('[data-metric=messages_per_entry]').textContent";
        page.until(&format!("{shown} === '{words}'")).await;
    }
    page.close().await;
}
