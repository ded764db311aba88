//! Languages, themes, and the appearance of the page with many nodes.

use std::collections::BTreeSet;

use serde_json::json;

use crate::page::Page;
use crate::support::Playground;

#[tokio::test(flavor = "multi_thread")]
async fn three_languages() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 2, "workload": null })).await;
    let Some(page) = Page::open_run(&run).await else { return };
    for (language, new_run, free) in
        [("de", "Neuer Lauf", "FREI"), ("cs", "Nový běh", "VOLNO"), ("en", "New run", "FREE")]
    {
        page.choose("#language", language).await;
        page.sees(&format!("html[lang={language}]")).await;
        page.reads("#new-run", new_run).await;
        page.reads("#lock-state", free).await;
        // Changing the language rebuilds the page. Afterwards, the page still responds to events.
        run.enter(0).await;
        page.sees("#lock-state[data-holders='0']").await;
        page.pictures(&format!("language-{language}")).await;
        for (width, height) in [(1280, 800), (1024, 768), (390, 844)] {
            page.resize((width, height)).await;
            page.drawn().await;
            assert_eq!(page.script(TOO_LARGE).await, json!([]), "{language}, {width} px");
        }
        page.resize((1280, 800)).await;
        run.release(0).await;
        page.sees("#lock-state[data-holders='']").await;
    }
    page.choose("#language", "cs").await;
    page.reload().await;
    page.sees("html[lang=cs]").await;
    page.close().await;
}

/// Returns what is too large for the window: a header of several rows, a page that is wider than the window, and a
/// button for a new run that a click does not reach.
const TOO_LARGE: &str = "const header = document.querySelector('il-header').offsetHeight;
    const row = document.querySelector('#new-run').offsetHeight;
    const { scrollWidth, clientWidth } = document.documentElement;
    const button = document.querySelector('#new-run');
    const { left, right, top } = button.getBoundingClientRect();
    const isReached = [left + 2, right - 2].every((x) => document.elementFromPoint(x, top + row / 2) === button);
    return [
      ...(isReached ? [] : [`the new run is at ${left} … ${right} px`]),
      ...(header < 2 * row ? [] : [`the header is ${header} px high`]),
      ...(scrollWidth <= clientWidth ? [] : [`the page is ${scrollWidth} px wide`]),
    ];";

/// The texts of a language take a while to arrive. If the page is reloaded meanwhile, it must keep the selected
/// language, even if another part of the address has changed.
#[tokio::test(flavor = "multi_thread")]
async fn a_language_is_in_the_address_before_its_texts_have_come() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 2, "workload": null })).await;
    let Some(page) = Page::open_run(&run).await else { return };
    let texts = json!({ "patterns": [{ "urlPattern": "*/strings/cs.js" }] });
    page.browser.develop("Fetch.enable", texts).await;
    page.choose("#language", "cs").await;
    page.until("location.hash.includes('language=cs')").await;
    // While a list has the focus, the list receives the keys. The test removes the focus, so that the page receives
    // them.
    page.script("document.activeElement.blur()").await;
    page.press('1').await;
    page.until("location.hash.includes('node=1')").await;
    page.press('o').await;
    page.until("location.hash.includes('show=alone')").await;
    let address = page.script("return location.hash").await;
    assert!(address.as_str().is_some_and(|address| address.contains("language=cs")), "{address}");
    assert_eq!(page.script("return document.documentElement.lang").await, "en", "its texts are on the way still");
    page.browser.develop("Fetch.disable", json!({})).await;
    page.sees("html[lang=cs]").await;
    page.close().await;
}

/// The user selects two languages, one after the other. If the texts of the first language never arrive, the page
/// must still store the second language.
#[tokio::test(flavor = "multi_thread")]
async fn a_language_that_does_not_come_leaves_a_later_one_remembered() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    page.browser.develop("Network.enable", json!({})).await;
    page.browser.develop("Network.setBlockedURLs", json!({ "urls": ["*/strings/de.js"] })).await;
    page.browser.develop("Fetch.enable", json!({ "patterns": [{ "urlPattern": "*/strings/cs.js" }] })).await;
    let choose =
        "for (const detail of ['de', 'cs']) document.body.dispatchEvent(new CustomEvent('language', { detail }))";
    page.script(choose).await;
    page.sees("il-toast > *").await;
    page.browser.develop("Fetch.disable", json!({})).await;
    page.sees("html[lang=cs]").await;
    assert_eq!(page.script("return localStorage.getItem('interlock-language')").await, "cs");
    page.close_forgiving(|complaint| complaint.contains("strings/de.js")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn themes_differ_and_are_remembered() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    let mut colours = BTreeSet::new();
    for theme in ["light", "dark", "contrast"] {
        page.choose("#theme", theme).await;
        page.sees(&format!("html[data-theme={theme}]")).await;
        let colour = page.script("return getComputedStyle(document.body).backgroundColor").await;
        assert!(colours.insert(colour.to_string()), "{theme} looks like another: {colour}");
    }
    page.reload().await;
    page.sees("html[data-theme=contrast]").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_shows_others_the_same() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 3, "workload": null })).await;
    let Some(page) = Page::open_run(&run).await else { return };
    page.press('2').await;
    page.press('o').await;
    page.choose("#log-kind", "group faults").await;
    page.choose("#log-node", "1").await;
    let plain = format!("#run={}", run.id);
    let link = format!("{plain}&node=2&kind=faults&of=1&show=alone");
    page.until(&format!("location.hash === '{link}'")).await;
    // An address without settings shows the default view. The link with settings then restores the selected view.
    page.go(&format!("/{plain}")).await;
    page.sees("il-header").await;
    page.sees("[data-node='0'][data-chosen]").await;
    page.go(&format!("/{link}&theme=contrast&language=cs")).await;
    page.misses("il-header").await;
    page.sees("html[lang=cs][data-theme=contrast]").await;
    page.sees("[data-node='2'][data-chosen]").await;
    page.until("document.querySelector('#log-kind').value === 'group faults'").await;
    page.until("document.querySelector('#log-node').value === '1'").await;
    page.go(&format!("/{plain}&show=diagram")).await;
    page.sees("#diagram-dialog[open] canvas").await;
    // The page applies the settings in the link, but does not store them as the user's preferences.
    page.sees("html[lang=en][data-theme=auto]").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn many_nodes_fit() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    for nodes in [10, 30] {
        all_are_seen(&playground, &page, nodes).await;
    }
    page.close().await;
}

async fn all_are_seen(playground: &Playground, page: &Page, nodes: u32) {
    let work = json!({ "idle": "exp:400", "hold": "const:100" });
    let network = json!({ "delay": "uniform:100..400" });
    let run = playground
        .run(json!({ "algorithm": "ricart-agrawala", "nodes": nodes, "network": network, "workload": work }))
        .await;
    page.show(&run).await;
    page.sees(&format!("[data-node='{}'][data-process=running]", nodes - 1)).await;
    page.until("Number(document.querySelector('#entries').value) > 1").await;
    // With this number of nodes, neither the page nor the grid of cards needs to scroll, and no card is cut off.
    for scrolling in ["html", "il-nodes .grid"] {
        let fits = format!(
            "const is = document.querySelector('{scrolling}');
             return is.scrollWidth <= is.clientWidth && is.scrollHeight <= is.clientHeight"
        );
        assert_eq!(page.script(&fits).await, true, "{scrolling} with {nodes} nodes");
    }
    page.pictures(&format!("nodes-{nodes}")).await;
}
