//! A schedule in a file: the user selects it in the dialog or drops it on the page, and the page plays it step by
//! step.

use std::path::PathBuf;

use fantoccini::Locator;
use fantoccini::key::Key;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::page::Page;
use crate::support::Playground;

/// Returns a schedule of a faulty variant: two processes request, and the second enters without waiting for an
/// answer.
fn two_inside() -> Value {
    json!({
        "specification": { "algorithm": "lamport", "variant": "no-ack", "nodes": 2, "name": "by hand" },
        "choices": [{ "do": { "acquire": { "node": 0 } } }, { "do": { "acquire": { "node": 1 } } }],
    })
}

/// Returns the schedule of [`two_inside`] with `value` at the JSON pointer `pointer`.
fn with(pointer: &str, value: Value) -> Value {
    let mut document = two_inside();
    *document.pointer_mut(pointer).expect("a place") = value;
    document
}

/// A folder for the files that a user selects.
struct Files(TempDir);

impl Files {
    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, text).expect("a file");
        path
    }

    /// Writes `text` to a file, and selects the file in the dialog.
    async fn choose(&self, page: &Page, name: &str, text: &str) {
        let path = self.write(name, text);
        page.sees("#open-schedule").await;
        let field = page.browser.client.find(Locator::Css("#schedule-file")).await.expect("the field of the file");
        field.send_keys(path.to_str().expect("a path")).await.expect("a file is chosen");
    }
}

fn files() -> Files {
    Files(TempDir::new().expect("a folder"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_schedule_in_a_file_is_played_step_by_step() {
    let (playground, files) = (Playground::open(), files());
    let Some(page) = Page::open(&playground).await else { return };
    page.press('s').await;
    page.sees("#schedules-dialog[open]").await;
    page.pictures("open-schedule").await;
    files.choose(&page, "two.schedule", &two_inside().to_string()).await;
    page.misses("#schedules-dialog[open]").await;
    page.sees("il-replay[data-position='0'][data-state=follows]").await;
    page.reads("#replay-position", "0 of 2").await;
    page.reads("#replay-next", "next: P0 requests lock 0").await;
    page.press('j').await;
    page.sees("il-replay[data-position='1']").await;
    page.reads("#lock-state[data-holders='0']", "").await;
    page.pictures("open-schedule-under-way").await;
    page.press('j').await;
    page.sees("il-replay[data-position='2']").await;
    page.reads("#verdict", "TWO IN THE CRITICAL SECTION").await;
    page.close().await;
}

/// The page plays a schedule that the program recorded from a live run. Such a schedule contains the times of the
/// actions.
#[tokio::test(flavor = "multi_thread")]
async fn what_a_live_run_recorded_is_played_again() {
    let (playground, files) = (Playground::open(), files());
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 2, "workload": null })).await;
    run.enter(1).await;
    let recorded = run.get("/schedule").await.to_string();
    let Some(page) = Page::open_run(&run).await else { return };
    page.press('s').await;
    files.choose(&page, "lived.json", &recorded).await;
    page.sees("il-replay[data-position='0']").await;
    page.reads("#replay-next", "next: the process of P").await;
    page.click("#replay-end").await;
    page.sees("#lock-state[data-holders='1']").await;
    page.reads("#replay-next", "The schedule has ended.").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_schedule_that_cannot_be_is_refused_with_its_place_in_the_file() {
    let (playground, files) = (Playground::open(), files());
    let Some(page) = Page::open(&playground).await else { return };
    page.click("#schedules").await;
    let impossible = with("/choices/1", json!({ "do": { "deliver": "1.0.1" } }));
    for (name, document, why) in [
        ("impossible.json", impossible, "/choices/1/do: action 1, {\"deliver\":\"1.0.1\"}: message 1.0.1 is"),
        ("edited.json", with("/choices/1", json!({ "do": { "aquire": { "node": 1 } } })), "did you mean `acquire`?"),
        ("other.json", with("/specification/algorithm", json!("lamprot")), "there is no algorithm `lamprot`"),
        ("newer.json", with("/specification", json!({ "algorithm": "lamport", "version": 7 })), "version 7 is unknown"),
    ] {
        files.choose(&page, name, &document.to_string()).await;
        page.reads(".toast:last-child", &format!("{name}: cannot start the run (422)")).await;
        page.reads(".toast:last-child", why).await;
        let told = page.script("return document.querySelector('.toast:last-child').innerText").await.to_string();
        assert!(!told.contains("/replay"), "the places are those of the file: {told}");
        if name == "impossible.json" {
            assert_eq!(told.matches("acquire").count(), 1, "what is possible is said once: {told}");
            page.pictures("open-schedule-impossible").await;
        }
    }
    assert_eq!(playground.get("/runs").await["items"], json!([]));
    page.sees("#schedules-dialog[open]").await;
    // The user corrects the schedule in the same file, and opens the file again.
    files.choose(&page, "edited.json", &two_inside().to_string()).await;
    page.sees("il-replay[data-position='0']").await;
    page.close_forgiving(|complaint| complaint.contains("422")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_schedule_is_told_what_it_is() {
    let (playground, files) = (Playground::open(), files());
    let Some(page) = Page::open(&playground).await else { return };
    page.click("#schedules").await;
    let events = "{\"seq\":1,\"at_us\":0,\"kind\":\"created\"}\n{\"seq\":2,\"at_us\":0,\"kind\":\"ended\"}\n";
    let example = json!({ "algorithm": "bully", "nodes": 3, "script": [] }).to_string();
    let explored = json!({ "environment": {}, "verdict": "holds", "schedule": null }).to_string();
    let states = json!({ "vars": [], "states": [] }).to_string();
    let whole = two_inside().to_string();
    let large = format!("{}{}", " ".repeat(1 << 20), whole);
    for (name, text, why) in [
        ("events.ndjson", events, "It contains the events of a run, not a schedule"),
        ("example.json", &*example, "It is the specification of a run, not a schedule"),
        ("explored.json", &*explored, "It is the result of an exploration"),
        ("states.itf.json", &*states, "It contains the states of a run"),
        ("list.json", "[1, 2]", "It is not a schedule: a schedule is an object"),
        ("null.json", "null", "It is not a schedule: a schedule is an object"),
        ("words.txt", "once upon a time", "It is not JSON: "),
        ("cut.json", &whole[..whole.len() / 2], "It is not JSON: "),
        ("large.json", &*large, "It is larger than 1 MiB"),
    ] {
        files.choose(&page, name, text).await;
        page.reads(".toast:last-child", &format!("{name} cannot be replayed")).await;
        page.reads(".toast:last-child", why).await;
    }
    assert_eq!(playground.get("/runs").await["items"], json!([]));
    page.close().await;
}

/// Drags a file over the page, and then ends the drag with the event `then`: a drop, or leaving the page.
async fn drag(page: &Page, text: &str, then: &str) {
    let text = json!(text);
    let script = format!(
        "const dataTransfer = new DataTransfer();
         dataTransfer.items.add(new File([{text}], 'dropped.schedule'));
         const tell = (name) => document.querySelector('il-header').dispatchEvent(
           new DragEvent(name, {{ dataTransfer, bubbles: true, cancelable: true }}));
         const taken = !tell('dragover');
         const shown = document.body.hasAttribute('data-drop');
         tell('{then}');
         return [taken, shown, document.body.hasAttribute('data-drop')];"
    );
    assert_eq!(page.script(&script).await, json!([true, true, false]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_schedule_is_dropped_on_the_page() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    let schedule = two_inside().to_string();
    drag(&page, &schedule, "dragleave").await;
    assert_eq!(playground.get("/runs").await["items"], json!([]), "it was taken away again");
    drag(&page, &schedule, "drop").await;
    page.sees("il-replay[data-position='0']").await;
    // Changing the language rebuilds the page. After that, dropping one file must still start only one run.
    page.choose("#language", "de").await;
    page.sees("html[lang=de]").await;
    let first = page.script("return location.hash.match(/run=([^&]+)/)[1]").await;
    drag(&page, &schedule, "drop").await;
    page.until(&format!("!location.hash.includes({first})")).await;
    assert_eq!(playground.get("/runs").await["items"].as_array().map(Vec::len), Some(2));
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_button_is_reached_by_keys() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    page.press('s').await;
    page.sees("#schedules-dialog[open]").await;
    for _ in 0..40 {
        if page.script("return document.activeElement.id").await == "open-schedule" {
            break;
        }
        page.press(char::from(Key::Tab)).await;
    }
    page.until("document.activeElement.matches('#open-schedule:focus-visible')").await;
    // A test cannot operate the browser's file dialog, so this script counts how often the page requests one.
    page.script(
        "window.asked = 0;
         document.querySelector('#schedule-file').addEventListener('click', (event) => {
           event.preventDefault();
           asked += 1;
         });",
    )
    .await;
    page.press(char::from(Key::Enter)).await;
    page.until("window.asked === 1").await;
    assert_eq!(page.count("#exploration[data-verdict]").await, 0, "the form was not sent");
    page.close().await;
}
