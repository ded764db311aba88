//! Tests of the test helpers in this folder: they must notice a complaint of the browser, and each browser must
//! end with its test.

use serde_json::json;

use crate::browser::{Browser, Notes};
use crate::findings::{complaints, foreign_requests, requests};
use crate::page::Page;
use crate::support::{PATIENCE, Playground, is_alive, time_until_gone};

#[tokio::test(flavor = "multi_thread")]
async fn errors_warnings_and_what_the_policy_forbids_are_noticed() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    let (console, _) = page.browser.take_notes().await;
    assert_eq!(complaints(&console), Vec::<String>::new());

    page.script("console.warn('a warning')").await;
    page.script("console.error('an error')").await;
    page.script("setTimeout(() => { throw new Error('not caught'); })").await;
    page.script("void Promise.reject(new Error('not awaited'))").await;
    page.script("fetch('http://127.0.0.1:9/elsewhere').catch(() => {})").await;
    page.script("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=alert(1)>')").await;
    let noticed = ["a warning", "an error", "not caught", "not awaited", "connect-src", "script-src"];
    let mut found = Vec::new();
    let all_in = |found: &[String]| noticed.iter().all(|one| found.iter().any(|complaint| complaint.contains(one)));
    let start = std::time::Instant::now();
    while !all_in(&found) {
        assert!(start.elapsed() < PATIENCE, "only {found:#?}");
        found.extend(complaints(&page.browser.take_notes().await.0));
    }
    page.browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_to_others_are_noticed() {
    let (ours, other) = (Playground::open(), Playground::open());
    let Some(browser) = Browser::open(Notes::Everything).await else { return };
    browser.client.goto(&ours.url).await.expect("our page");
    let (_, network) = browser.take_notes().await;
    assert!(requests(&network).iter().any(|url| url.ends_with("/main.js")), "{:?}", requests(&network));
    assert_eq!(foreign_requests(&network, &ours.url), Vec::<String>::new());
    browser.client.goto(&other.url).await.expect("the other page");
    let (_, network) = browser.take_notes().await;
    assert!(foreign_requests(&network, &ours.url).contains(&format!("{}/main.js", other.url)));
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_of_a_page_is_left_for_the_next() {
    let playground = Playground::open();
    let Some(browser) = Browser::open(Notes::Console).await else { return };
    let look = "return [localStorage.getItem('interlock-theme'), document.cookie, innerWidth]";
    browser.client.goto(&playground.url).await.expect("the page");
    let untouched = browser.client.execute(look, Vec::new()).await.expect("how it is");
    let small = json!({ "width": 400, "height": 300, "deviceScaleFactor": 1, "mobile": false });
    browser.develop("Emulation.setDeviceMetricsOverride", small).await;
    let leave = "localStorage.setItem('interlock-theme', 'dark'); document.cookie = 'left=1'; console.error('said')";
    browser.client.execute(leave, Vec::new()).await.expect("something is left");
    let touched = browser.client.execute(look, Vec::new()).await.expect("how it is");
    assert_eq!(touched, json!(["dark", "left=1", 400]));

    browser.empty().await.expect("it is emptied");
    assert_eq!(complaints(&browser.take_notes().await.0), Vec::<String>::new());
    assert_eq!(browser.client.windows().await.expect("what is open").len(), 1);
    browser.client.goto(&playground.url).await.expect("the page");
    assert_eq!(browser.client.execute(look, Vec::new()).await.expect("how it is"), untouched);
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_left_of_a_browser_whose_test_has_ended() {
    let Some(browser) = Browser::open(Notes::Console).await else { return };
    let (members, folder) = (members(browser.group()), browser.folder().to_owned());
    assert!(members.len() > 2, "the driver, the browser and its helpers: {members:?}");
    assert!(folder.join("profile").is_dir(), "{} is where it writes", folder.display());
    drop(browser);
    time_until_gone(&members);
    assert!(!folder.exists(), "{} is left", folder.display());
}

/// Returns the ids of the processes in a process group.
fn members(group: u32) -> Vec<u32> {
    let processes = std::fs::read_dir("/proc").expect("the processes");
    let ids = processes.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    ids.filter(|&id| is_alive(id) && group_of(id) == Some(group)).collect()
}

fn group_of(process: u32) -> Option<u32> {
    let status = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // In `/proc/PID/stat`, the fields state, parent and group follow the name of the process, which is in
    // parentheses.
    status.rsplit(')').next()?.split_whitespace().nth(2)?.parse().ok()
}
