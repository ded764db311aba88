//! The user saves the current view as a picture, and the whole run as a file.

use serde_json::{Value, json};

use crate::page::Page;
use crate::support::Playground;

/// Intercepts the files that the page would save, and records them.
const WATCH: &str = "window.kept = [];
    const make = URL.createObjectURL;
    URL.createObjectURL = (blob) => { kept.push(blob); return make.call(URL, blob); };
    HTMLAnchorElement.prototype.click = function () { kept.push(this.download); };";

/// Reads the last saved picture. Returns whether it is an SVG, its words, and the number of its elements that only
/// work inside the page.
const READ_PICTURE: &str = "const [done] = arguments;
    kept.at(-2).text().then((text) => {
        const { documentElement: root } = new DOMParser().parseFromString(text, 'image/svg+xml');
        const words = [...root.querySelectorAll('text')].map((one) => one.textContent);
        const needy = [...root.querySelectorAll('*')].filter((one) =>
            one.matches('[class], [href], [style], image, style, use'));
        done({ root: root.localName, font: root.getAttribute('font-family'), words, needy: needy.length, file: kept.at(-1) });
    });";

async fn save(page: &Page, around: &str, what: &str) {
    page.script("window.kept = []").await;
    page.click(&format!("{around} il-save summary")).await;
    page.click(&format!("{around} il-save [data-save='{what}']")).await;
    page.until("kept.length === 2").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_stage_is_kept_as_a_picture_that_needs_no_page() {
    let playground = Playground::open();
    let held = json!({ "algorithm": "ricart-agrawala", "nodes": 3, "network": { "hold": true }, "workload": null });
    let run = playground.run(held).await;
    let Some(page) = Page::open_run(&run).await else { return };
    page.script(WATCH).await;
    run.acquire(1, json!({})).await;
    page.sees(".held [data-envelope='1.2.1']").await;

    save(&page, "il-picture", "svg").await;
    let picture = page.browser.client.execute_async(READ_PICTURE, Vec::new()).await.expect("an answer");
    assert_eq!(picture["root"], "svg", "{picture}");
    let words: Vec<&str> = picture["words"].as_array().expect("words").iter().filter_map(Value::as_str).collect();
    for word in ["P0", "P1", "P2", "REQUEST 1", "wanting"] {
        assert!(words.contains(&word), "{word} is not among {words:?}");
    }
    assert!(picture["font"].as_str().is_some_and(|font| font.contains("sans-serif")), "{picture}");
    assert_eq!(picture["needy"], 0, "{picture}");
    let file = picture["file"].as_str().expect("a name");
    assert!(file.starts_with("ricart-agrawala-stage-"), "{file}");
    assert_eq!(file.rsplit_once('.').map(|(_, ending)| ending), Some("svg"));

    save(&page, "il-picture", "png").await;
    page.until("kept[0].type === 'image/png' && kept[0].size > 1000 && kept[1].endsWith('.png')").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_diagram_and_the_whole_run_are_kept_too() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "centralised", "nodes": 3 })).await;
    let Some(page) = Page::open_run(&run).await else { return };
    page.script(WATCH).await;
    run.enter(1).await;
    page.sees("[data-node='1'][data-phase=in-section]").await;

    page.press('t').await;
    page.sees("#diagram-dialog[open] canvas").await;
    save(&page, "#diagram-dialog", "png").await;
    page.until("kept[0].type === 'image/png' && kept[0].size > 1000").await;
    save(&page, "#diagram-dialog", "csv").await;
    let read = "const [done] = arguments; kept[0].text().then(done)";
    let events = page.browser.client.execute_async(read, Vec::new()).await.expect("an answer");
    assert!(events.as_str().is_some_and(|events| events.contains("entered")), "{events}");

    // The menu contains a link to the open run.
    page.click("#diagram-dialog il-save summary").await;
    let link = "const link = document.querySelector(\"#diagram-dialog [data-save='run-story']\");
        link.addEventListener('click', (event) => event.preventDefault());
        link.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
        return `${new URL(link.href).pathname} ${link.download}`";
    let link = page.script(link).await;
    assert_eq!(link, format!("/api/v1/runs/{}/trace centralised-story.txt", run.id));
    page.close().await;
}
