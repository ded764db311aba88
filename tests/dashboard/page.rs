//! The dashboard in a browser, with helpers that act as a user does.

use std::path::PathBuf;
use std::time::Duration;

use fantoccini::Locator;
use fantoccini::actions::{InputSource, KeyAction, KeyActions, MouseActions, PointerAction};
use serde_json::{Value, json};

use crate::browser::{Browser, Notes};
use crate::findings::{complaints, foreign_requests, requests};
use crate::support::{PATIENCE_MS, Playground, Run};

/// Width and height of a laptop and of a projector screen.
const SIZES: [(u32, u32); 2] = [(1280, 800), (1920, 1080)];

/// A browser that shows the page of one playground.
pub struct Page {
    pub browser: Browser,
    origin: String,
}

impl Page {
    /// Opens the page of the playground in a new browser. Returns none if there is no browser. The content security
    /// policy forbids all requests to other hosts, and the console reports such requests.
    pub async fn open(playground: &Playground) -> Option<Self> {
        Self::open_with(playground, Notes::Console).await
    }

    /// Opens the page in a new browser that records the logs in `notes`.
    pub async fn open_with(playground: &Playground, notes: Notes) -> Option<Self> {
        let browser = Browser::open(notes).await?;
        let page = Self { browser, origin: playground.url.clone() };
        page.resize(SIZES[0]).await;
        page.go("/").await;
        page.sees("#new-run").await;
        Some(page)
    }

    /// Opens the page of a run, and waits until it shows that run live.
    pub async fn open_run(run: &Run<'_>) -> Option<Self> {
        let page = Self::open(run.playground).await?;
        page.show(run).await;
        Some(page)
    }

    pub async fn show(&self, run: &Run<'_>) {
        self.go(&format!("/#run={}", run.id)).await;
        self.sees("#connection[data-state=live]").await;
        // A node on the stage, because what is out of view, such as the list of nodes, is drawn once a second.
        self.sees("[data-at='0'][data-process=running]").await;
    }

    pub async fn go(&self, path: &str) {
        self.browser.client.goto(&format!("{}{path}", self.origin)).await.expect("the page opens");
    }

    pub async fn reload(&self) {
        self.browser.client.refresh().await.expect("the page opens again");
    }

    /// Runs a script in the page. Returns the value that the script returns.
    pub async fn script(&self, script: &str) -> Value {
        let value = self.browser.client.execute(script, Vec::new()).await;
        value.unwrap_or_else(|error| panic!("{script}: {error}"))
    }

    /// Waits until the JavaScript expression `condition` is true in the page.
    pub async fn until(&self, condition: &str) {
        let script = format!(
            "const [patience_ms, done] = arguments;
             const end_ms = performance.now() + patience_ms;
             const met = () => ({condition});
             const look = () => {{
               if (met()) done(true);
               else if (performance.now() > end_ms) done(false);
               else setTimeout(look, 10);
             }};
             look();"
        );
        let met = self.browser.client.execute_async(&script, vec![json!(PATIENCE_MS)]).await;
        if !met.as_ref().is_ok_and(|met| met == true) {
            self.picture("failed").await;
            let text = self.script("return document.body.innerText").await;
            panic!("{condition} did not come about ({met:?}): {}", text.as_str().unwrap_or_default());
        }
    }

    /// Waits until an element is visible.
    pub async fn sees(&self, selector: &str) {
        self.until(&format!("{}.some((one) => one.checkVisibility())", all(selector))).await;
    }

    /// Waits until no matching element is visible.
    pub async fn misses(&self, selector: &str) {
        self.until(&format!("!{}.some((one) => one.checkVisibility())", all(selector))).await;
    }

    /// Waits until a visible element that matches `selector` contains `text`.
    pub async fn reads(&self, selector: &str, text: &str) {
        let text = json!(text);
        self.until(&format!(
            "{}.some((one) => one.checkVisibility() && one.innerText.includes({text}))",
            all(selector)
        ))
        .await;
    }

    /// Returns the number of elements that match the selector.
    pub async fn count(&self, selector: &str) -> u64 {
        self.script(&format!("return {}.length", all(selector))).await.as_u64().expect("a number")
    }

    async fn find(&self, selector: &str) -> fantoccini::elements::Element {
        let found = self.browser.client.find(Locator::Css(selector)).await;
        found.unwrap_or_else(|error| panic!("{selector}: {error}"))
    }

    /// Opens the menu that contains an element, if the menu is closed.
    async fn reach(&self, selector: &str) {
        let script = format!(
            "const menu = {}[0]?.closest('[popover]:not(:popover-open)');
             if (menu) document.querySelector(`[popovertarget=${{menu.id}}]`).click();",
            all(selector)
        );
        self.script(&script).await;
    }

    /// Clicks an element as with a mouse. If another element covers the element, the click hits the other element,
    /// and the test fails.
    pub async fn click(&self, selector: &str) {
        self.reach(selector).await;
        self.until(&format!("{}.some((one) => one.checkVisibility() && !one.disabled)", all(selector))).await;
        // The driver would scroll the element to the very edge of the window, where the timeline covers the
        // element. The test scrolls by means of the page instead, which respects its scroll padding.
        let hidden = format!(
            "const one = {}.find((one) => one.checkVisibility());
             const {{ x, y, width, height }} = one.getBoundingClientRect();
             const hit = document.elementFromPoint(x + width / 2, y + height / 2);
             if (!one.contains(hit)) one.scrollIntoView({{ block: 'nearest' }});",
            all(selector)
        );
        self.script(&hidden).await;
        self.find(selector).await.click().await.unwrap_or_else(|error| panic!("click {selector}: {error}"));
    }

    /// Clicks the button for an action on the card of a node.
    pub async fn order(&self, node: u32, action: &str) {
        self.click(&format!("[data-node='{node}'] button[data-action='{action}']")).await;
    }

    /// Clicks the button that delivers a held message, and waits until the message is no longer held.
    pub async fn deliver(&self, message: &str) {
        let row = format!("#held-messages [data-message='{message}']");
        self.click(&format!("{row} button[data-action='deliver']")).await;
        self.misses(&row).await;
    }

    /// Fills a field with `text`.
    pub async fn fill(&self, selector: &str, text: &str) {
        self.sees(selector).await;
        let field = self.find(selector).await;
        field.clear().await.expect("an empty field");
        field.send_keys(text).await.expect("a full field");
    }

    /// Selects an option of a list. If the option does not exist yet, waits for it.
    pub async fn choose(&self, selector: &str, value: &str) {
        self.reach(selector).await;
        self.sees(selector).await;
        let listed = json!(value);
        self.until(&format!(
            "{}.some((one) => [...one.options].some((option) => option.value === {listed}))",
            all(selector)
        ))
        .await;
        self.find(selector).await.select_by_value(value).await.unwrap_or_else(|error| panic!("{value}: {error}"));
    }

    /// Moves the pointer to a place, in pixels, and clicks there. The pointer arrives after `way`.
    pub async fn click_at(&self, (x, y): (f64, f64), way: Duration) {
        const LEFT: u64 = 0;
        let pointer = MouseActions::new("pointer".to_owned())
            .then(PointerAction::MoveTo { duration: Some(way), x, y })
            .then(PointerAction::Down { button: LEFT })
            .then(PointerAction::Up { button: LEFT });
        self.browser.client.perform_actions(pointer).await.expect("the pointer clicks");
    }

    /// Presses and releases a key.
    pub async fn press(&self, key: char) {
        let keys = KeyActions::new("keyboard".to_owned());
        let keys = keys.then(KeyAction::Down { value: key }).then(KeyAction::Up { value: key });
        self.browser.client.perform_actions(keys).await.expect("the key is pressed");
    }

    /// Sets the size of the page, in pixels.
    pub async fn resize(&self, (width, height): (u32, u32)) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.browser.develop("Emulation.setDeviceMetricsOverride", size).await;
    }

    /// Takes screenshots in two sizes, each in the light and the dark theme. Without `INTERLOCK_PICTURES`, takes
    /// only one screenshot, because screenshots take longer than the tests.
    pub async fn pictures(&self, name: &str) {
        if std::env::var_os("INTERLOCK_PICTURES").is_none() {
            self.resize(SIZES[0]).await;
            return self.picture(name).await;
        }
        for (width, height) in SIZES {
            self.resize((width, height)).await;
            for theme in ["light", "dark"] {
                let features = json!([{ "name": "prefers-color-scheme", "value": theme }]);
                self.browser.develop("Emulation.setEmulatedMedia", json!({ "features": features })).await;
                self.drawn().await;
                self.picture(&format!("{name}-{width}x{height}-{theme}")).await;
            }
        }
        self.browser.develop("Emulation.setEmulatedMedia", json!({ "features": [] })).await;
        self.resize(SIZES[0]).await;
    }

    /// Waits until the browser has drawn the page again.
    pub async fn drawn(&self) {
        let script = "const [done] = arguments; requestAnimationFrame(() => requestAnimationFrame(done))";
        self.browser.client.execute_async(script, Vec::new()).await.expect("a frame");
    }

    async fn picture(&self, name: &str) {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).with_file_name("screenshots");
        std::fs::create_dir_all(&folder).expect("a folder");
        let picture = self.browser.client.screenshot().await.expect("a picture");
        std::fs::write(folder.join(format!("{name}.png")), picture).expect("the picture is kept");
    }

    /// Closes the page. Fails if the console has complaints, or if the page sent requests to other hosts.
    pub async fn close(self) {
        self.close_forgiving(|_| false).await;
    }

    /// Closes the page. Fails as [`Self::close`] does, but ignores the complaints for which `is_forgiven` returns
    /// true.
    pub async fn close_forgiving(self, is_forgiven: impl Fn(&str) -> bool) {
        let (console, network) = self.browser.take_notes().await;
        let is_forgiven = |one: &String| is_forgiven(one) || is_of_a_matrix_in_progress(one);
        let complaints: Vec<String> = complaints(&console).into_iter().filter(|one| !is_forgiven(one)).collect();
        assert!(complaints.is_empty(), "the console complains: {complaints:#?}");
        let foreign = foreign_requests(&network, &self.origin);
        assert!(foreign.is_empty(), "the page asks others: {foreign:#?}");
        assert!(network.is_empty() || !requests(&network).is_empty(), "requests are noted");
        self.browser.close().await;
    }
}

/// Returns whether a complaint is about a 503 response to a request for the fault matrix. On a busy machine,
/// computing the matrix may take longer than a request may wait. The page then repeats the request.
fn is_of_a_matrix_in_progress(complaint: &str) -> bool {
    complaint.contains("/matrix") && complaint.contains("503")
}

/// Returns a JavaScript expression for an array of all elements that match the selector.
fn all(selector: &str) -> String {
    format!("[...document.querySelectorAll({})]", json!(selector))
}
