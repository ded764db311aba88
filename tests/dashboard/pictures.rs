//! The pictures of the guide. `just pictures` writes them to `docs/pictures`. `just nightly` only checks that the page
//! shows the subject of each picture.

mod encoding;

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::page::Page;
use crate::support::{PATIENCE_MS, Playground, Run, program};
use encoding::{Frame, encode, play};

/// Width and height of most pictures. In a narrower window, the buttons at the top would need two rows.
const SIZE: (u32, u32) = (1280, 720);
/// Width and height of the window in the animation. With the scale `SCALE`, the picture has 960 by 540 pixels.
const SMALL: (u32, u32) = (1138, 640);
const SCALE: f64 = 0.84375;

/// Draws a numbered circle for each callout. A callout is the selector of an element, and the position of the
/// circle as fractions of the element's width and height. Returns the numbers whose elements are missing or whose
/// circles are outside the window.
const NUMBERED: &str = "
    const missing = [];
    callouts.forEach(([selector, x, y], index) => {
      const element = [...document.querySelectorAll(selector)].find((one) => one.checkVisibility());
      const { left, top, width, height } = element?.getBoundingClientRect() ?? { left: -1, top: -1, width: 0, height: 0 };
      const [across, down] = [left + x * width, top + y * height];
      if (across < 16 || down < 16 || across > innerWidth - 16 || down > innerHeight - 16) missing.push(index + 1);
      const circle = document.createElement('b');
      circle.textContent = index + 1;
      Object.assign(circle.style, { position: 'fixed', left: `${across - 16}px`, top: `${down - 16}px`, zIndex: 100,
        width: '32px', height: '32px', boxSizing: 'border-box', borderRadius: '50%', border: '2px solid white',
        background: '#a3195b', color: 'white', font: 'bold 18px/28px sans-serif', textAlign: 'center',
        boxShadow: '0 0 0 2px #a3195b' });
      document.body.append(circle);
    });
    return missing;";

/// Shows texts as a terminal would, each in its colour. Returns the height of the terminal in pixels.
const TERMINAL: &str = "
    const part = (words, colour) => {
      const element = document.createElement('pre');
      element.textContent = words;
      Object.assign(element.style, { color: colour, margin: '0 0 14px', font: 'inherit', whiteSpace: 'pre-wrap' });
      document.body.append(element);
    };
    Object.assign(document.body.style, { margin: 0, padding: '20px 24px 6px', background: '#14181f',
      font: '15px/1.45 monospace' });
    parts.forEach(([words, colour]) => part(words, colour));
    return Math.ceil(document.body.lastElementChild.getBoundingClientRect().bottom) + 20;";

/// Returns whether this run writes the pictures to the guide.
fn are_kept() -> bool {
    std::env::var_os("INTERLOCK_PICTURES").is_some()
}

fn keep(name: &str, file: &[u8]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("docs/pictures/{name}.png"));
    std::fs::write(path, file).expect("the picture is written");
}

/// Sets the size of the window, without scroll bars, and the scale of the picture.
async fn size(page: &Page, (width, height): (u32, u32), scale: f64) {
    let size = json!({ "width": width, "height": height, "deviceScaleFactor": scale, "mobile": false });
    page.browser.develop("Emulation.setDeviceMetricsOverride", size).await;
    page.browser.develop("Emulation.setScrollbarsHidden", json!({ "hidden": true })).await;
}

/// Takes the picture `name` of the guide.
async fn take(page: &Page, name: &str) {
    if are_kept() {
        keep(name, &encode(&[frame(page, 0).await]));
    }
}

async fn frame(page: &Page, shown_ms: u16) -> Frame {
    page.drawn().await;
    Frame::read(&page.browser.client.screenshot().await.expect("a screenshot"), shown_ms)
}

/// Returns the specification of a run of Ricart and Agrawala's algorithm without clients. `delay` is the delay of
/// each message, in milliseconds.
fn asking_all(nodes: u32, delay: &str) -> Value {
    json!({ "algorithm": "ricart-agrawala", "nodes": nodes, "workload": null, "network": { "delay": delay } })
}

/// Holds the next REPLY of one process to another.
async fn hold_reply(run: &Run<'_>, (from, to): (u32, u32)) {
    let rule = json!({ "match": { "message_kind": "REPLY", "from": from, "to": to }, "action": "hold", "count": 1 });
    run.post("/network/rules", rule).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "`just nightly` takes the pictures"]
async fn parts_of_the_dashboard_are_numbered() {
    let playground = Playground::open();
    let mut asking = asking_all(3, "300");
    // P2 receives the request of P1 before P0 does, so the last event is the held REPLY.
    asking["links"] = json!([{ "from": 1, "to": 2, "delay": "150" }]);
    let run = playground.run(asking).await;
    run.enter(2).await;
    hold_reply(&run, (0, 1)).await;
    run.acquire(1, json!({})).await;
    let Some(page) = Page::open_run(&run).await else { return };
    size(&page, SIZE, 1.0).await;
    page.sees(".held [data-envelope][data-fate=held]").await;
    page.sees(".nodes [data-at='2'] [data-sign=in-section]").await;
    page.reads("il-why", "P1 waits for P0 and P2. The REPLY from P0 to P1 is held.").await;
    page.reads("#strip-words", "REPLY 0.1.1 is held").await;
    let callouts = json!([
        ["il-header .what", 0.5, 0.5],
        [".nodes [data-at='2'] .outline", 1.0, 0.0],
        [".held [data-envelope]", 1.08, 0.0],
        ["#lock-state", 0.1, 0.1],
        ["il-why", 0.97, 0.25],
        ["il-steps .tables", 0.5, -0.7],
        ["il-strip canvas", 0.5, 0.5],
    ]);
    let missing = page.script(&format!("const callouts = {callouts}; {NUMBERED}")).await;
    assert_eq!(missing, json!([]), "these circles have no place");
    take(&page, "dashboard").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "`just nightly` takes the pictures"]
async fn five_processes_share_a_lock() {
    let playground = Playground::open();
    let run = playground.run(asking_all(5, "300")).await;
    run.enter(2).await;
    run.acquire(1, json!({})).await;
    let Some(page) = Page::open_run(&run).await else { return };
    size(&page, SIZE, 1.0).await;
    page.reads("il-why", "P1 waits for P2. P2 is in the critical section.").await;
    page.sees(".relations [data-relation=waits][data-from='1'][data-to='2']").await;
    page.misses(".moving [data-envelope]").await;
    take(&page, "stage-five").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "`just nightly` takes the pictures"]
async fn a_reply_is_held_and_the_page_says_why_nobody_enters() {
    let playground = Playground::open();
    let run = playground.run(asking_all(3, "300")).await;
    hold_reply(&run, (2, 0)).await;
    run.acquire(0, json!({})).await;
    let Some(page) = Page::open_run(&run).await else { return };
    size(&page, SIZE, 1.0).await;
    page.reads("il-why[data-cause=held]", "P0 waits for P2. The REPLY from P2 to P0 is held.").await;
    page.reads("#verdict", "WAITING FOR YOU").await;
    page.misses(".moving [data-envelope]").await;
    take(&page, "why-held").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "`just nightly` takes the pictures"]
async fn a_lesson_stops_at_a_question() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    size(&page, SIZE, 1.0).await;
    page.go("/#lesson=centralised&stop=8").await;
    page.reads("#lesson-position", "8 of 9").await;
    page.reads("il-lesson", "Question: ").await;
    page.sees("il-why[data-cause=dead]").await;
    take(&page, "lesson").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "`just nightly` takes the pictures"]
async fn the_fault_matrix_shows_what_a_suspicion_does() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    size(&page, SIZE, 1.0).await;
    page.press('f').await;
    page.choose("#matrix-algorithm", "ricart-agrawala").await;
    page.click("#matrix-table tbody tr:last-child [data-fault=wrong-suspicion][data-fate=unsafe]").await;
    page.reads("#matrix-cell", "violated mutual exclusion").await;
    take(&page, "fault-matrix").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "`just nightly` takes the pictures"]
async fn the_shortest_counterexample_is_listed() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    size(&page, SIZE, 1.0).await;
    page.press('s').await;
    page.choose("#schedules-dialog [name='specification/algorithm']", "lamport").await;
    page.fill("#schedules-dialog [name='specification/nodes']", "2").await;
    page.until("document.querySelector('#schedules-dialog [name=fifo]').checked").await;
    page.click("#schedules-dialog [name=fifo]").await;
    page.click("#explore").await;
    page.sees("#exploration[data-verdict=violated] li").await;
    page.reads("#exploration", "actions").await;
    take(&page, "counterexample").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "`just nightly` takes the pictures"]
async fn the_diagram_shows_what_led_to_a_violation() {
    let playground = Playground::open();
    // The ACK of P0 overtakes the REQUEST of P0.
    let network = json!({ "delay": "240", "delays": { "ACK": "120" }, "fifo": false });
    let links = json!([{ "from": 0, "to": 1, "delay": "800", "delays": { "ACK": "120" } }]);
    let run = json!({ "algorithm": "lamport", "nodes": 2, "workload": null, "network": network, "links": links });
    let run = playground.run(run).await;
    run.acquire(0, json!({})).await;
    run.acquire(1, json!({})).await;
    run.wait(json!({ "event": { "kind": "delivered", "message": "1.0.2" } })).await;
    let Some(page) = Page::open_run(&run).await else { return };
    size(&page, SIZE, 1.0).await;
    page.reads("#verdict[data-status=violated]", "TWO IN THE CRITICAL SECTION P0 · P1").await;
    page.press('t').await;
    page.sees("#diagram-violation").await;
    page.reads("#diagram-words", "VIOLATED").await;
    // The whole run fills the view.
    page.press('W').await;
    take(&page, "diagram-violation").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "`just nightly` takes the pictures"]
async fn two_runs_are_below_each_other() {
    let playground = Playground::open();
    let of = |algorithm: &str| json!({ "algorithm": algorithm, "nodes": 3, "network": { "delay": "150" } });
    let first = playground.run(of("centralised")).await;
    let second = playground.run(of("ricart-agrawala")).await;
    for run in [&first, &second] {
        for node in [1, 2] {
            run.acquire(node, json!({ "hold": 150, "wait_ms": PATIENCE_MS })).await;
        }
        run.wait(json!({ "event": { "kind": "exited", "node": 2 } })).await;
    }
    let Some(page) = Page::open_run(&first).await else { return };
    size(&page, SIZE, 1.0).await;
    page.press('t').await;
    page.sees("#diagram-dialog[open] canvas").await;
    page.press('S').await;
    page.click(&format!("#diagram-second [data-second='{}']", second.id)).await;
    page.reads("#diagram-second-words", "ricart-agrawala").await;
    page.reads("#diagram-entry", "entry 1").await;
    take(&page, "two-runs").await;
    page.close().await;
}

const SCENARIO: &str = "algorithm: ricart-agrawala
nodes: 3
steps:
  - crash: 2
  - acquire: 0
  - wait: { entered: { node: 0 } }
expect:
  - never: violation
";

#[tokio::test(flavor = "multi_thread")]
#[ignore = "`just nightly` takes the pictures"]
async fn a_failing_scenario_names_its_line_and_the_reason() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("crashed.yaml"), SCENARIO).expect("a scenario");
    let listing = Command::new("cat").args(["-n", "crashed.yaml"]).current_dir(&folder).output().expect("a listing");
    let command = ["run", "crashed.yaml"];
    let output = Command::new(program()).args(command).current_dir(&folder).output().expect("the program runs");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let report = String::from_utf8(output.stdout).expect("text");
    assert!(report.contains("P0 waits forever") && report.contains("P2 has crashed."), "{report}");
    let parts = json!([
        ["$ cat -n crashed.yaml", "#7fd88f"],
        [String::from_utf8_lossy(&listing.stdout), "#d7dde6"],
        [format!("$ interlock {}", command.join(" ")), "#7fd88f"],
        [report, "#d7dde6"],
    ]);
    page.browser.client.goto("about:blank").await.expect("an empty page");
    let height = page.script(&format!("const parts = {parts}; {TERMINAL}")).await;
    let height = height.as_u64().and_then(|height| u32::try_from(height).ok()).expect("a height");
    size(&page, (SIZE.0, height), 1.0).await;
    page.reads("pre", "NOT MET").await;
    take(&page, "failing-scenario").await;
    page.close().await;
}

/// Waits until a message has covered the fraction `part` of the distance between the two processes, or has arrived.
async fn goes(page: &Page, message: &str, (from, to): (u32, u32), part: f64) {
    let centre = |selector: &str| format!("centre(\"{selector}\")");
    let (from, to) =
        (centre(&format!(".nodes [data-at='{from}'] .outline")), centre(&format!(".nodes [data-at='{to}'] .outline")));
    let envelope = centre(&format!(".moving [data-envelope='{message}'] .paper"));
    page.script(
        "window.centre = (selector) => {
           const { x, y, width, height } = document.querySelector(selector)?.getBoundingClientRect() ?? {};
           return [x + width / 2, y + height / 2];
         };
         window.apart = ([x, y], [otherX, otherY]) => Math.hypot(x - otherX, y - otherY);",
    )
    .await;
    page.until(&format!("!(apart({from}, {envelope}) < {part} * apart({from}, {to}))")).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "`just nightly` takes the pictures"]
async fn an_animation_shows_a_reply_that_is_held_and_delivered() {
    let playground = Playground::open();
    let mut slow = asking_all(3, "3000");
    // Without this setting, the verdict would call the run slow.
    slow["slow_after_ms"] = json!(60_000);
    let run = playground.run(slow).await;
    let Some(page) = Page::open_run(&run).await else { return };
    size(&page, SMALL, SCALE).await;
    page.go(&format!("/#run={}&show=alone", run.id)).await;
    page.reload().await;
    page.reads("#lock-state[data-lock=free]", "FREE").await;
    page.sees("[data-node='2'][data-process=running]").await;
    page.until("!document.querySelector('il-picture').textContent.includes('starting')").await;
    let mut frames = vec![frame(&page, 1000).await];

    hold_reply(&run, (2, 0)).await;
    run.acquire(0, json!({})).await;
    page.sees(".nodes [data-at='0'] [data-sign=wanting]").await;
    page.sees(".moving [data-envelope='0.1.1']").await;
    for part in [0.3, 0.45, 0.6, 0.75] {
        goes(&page, "0.1.1", (0, 1), part).await;
        frames.push(frame(&page, 800).await);
    }
    page.sees(".held [data-envelope='2.0.1']").await;
    page.sees(".moving [data-envelope='1.0.1']").await;
    for part in [0.25, 0.45, 0.65] {
        goes(&page, "1.0.1", (1, 0), part).await;
        frames.push(frame(&page, 800).await);
    }
    page.misses(".moving [data-envelope]").await;
    page.reads("il-why[data-cause=held]", "P0 waits for P2. The REPLY from P2 to P0 is held.").await;
    page.reads("#verdict", "WAITING FOR YOU").await;
    frames.push(frame(&page, 1500).await);

    let held = run.held().await;
    run.deliver(&held[0].0).await;
    page.reads("#lock-state[data-lock=held]", "P0").await;
    page.sees(".nodes [data-at='0'][data-phase=in-section] [data-sign=in-section]").await;
    frames.push(frame(&page, 1500).await);
    page.close().await;

    let file = encode(&frames);
    let pictures = play(&file);
    assert!(pictures.len() == frames.len() && pictures.len() > 5, "{} pictures", pictures.len());
    assert!(pictures.windows(2).all(|pair| pair[0] != pair[1]), "each frame changes the picture");
    if are_kept() {
        keep("reply-held", &file);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pictures_are_in_the_guide_with_a_description() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    for (path, count) in [
        ("start/dashboard", 3),
        ("start/first-run", 1),
        ("tutorials/lecture", 1),
        ("how-to/explore", 1),
        ("how-to/fault-matrix", 1),
        ("how-to/run-scenarios", 1),
    ] {
        page.go(&format!("/docs/{path}.html")).await;
        let shown = "({ complete, naturalWidth, alt }) => complete && naturalWidth > 900 && alt.length > 20";
        page.until(&format!("[...document.querySelectorAll('article img')].filter({shown}).length === {count}")).await;
    }
    page.close().await;
}
