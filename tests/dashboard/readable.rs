//! The stories of the lectures must be readable from the last row of a lecture hall: the texts are large enough, and
//! nothing hides them.

use serde_json::json;

use crate::page::Page;
use crate::phenomena::example;
use crate::sources::look_for;
use crate::stories::{STORIES, stand_still, stands_at};
use crate::support::Playground;

const PROJECTOR: (u32, u32) = (1920, 1080);

/// Lists texts that are hard to read: too small, hidden by another element of the stage, cut off, or too long.
/// Does not list a sign that covers the lower edge of its own node, because the node's name is above the sign.
const UNREADABLE: &str = "const found = [];
    const svg = document.querySelector('il-picture > svg');
    const scale = svg.getScreenCTM().a;
    const atLeast = (pixels, selector) => {
      for (const one of svg.querySelectorAll(selector)) {
        const height = Number(one.getAttribute('font-size')) * scale;
        if (one.textContent !== '' && height < pixels) found.push(`${one.textContent} is ${height} px high`);
      }
    };
    atLeast(48, '.nodes > [data-at]:not([data-dot]) > .name');
    atLeast(24, '.nodes [data-sign] text, .notes text');
    atLeast(28, '[data-envelope][data-labelled] text');
    const areas = [];
    const take = (what, owner, element) => areas.push({ what, owner, ...element.getBoundingClientRect().toJSON() });
    for (const node of svg.querySelectorAll('.nodes > [data-at]:not([data-dot])')) {
      const name = `P${node.dataset.at}`;
      const outline = node.querySelector('.outline');
      take(name, name, outline);
      if (outline.getBoundingClientRect().width < 110) found.push(`${name} is small`);
      for (const sign of node.querySelectorAll('[data-sign]')) take(sign.textContent, name, sign.querySelector('rect'));
    }
    for (const note of svg.querySelectorAll('.notes text')) if (note.textContent !== '') take(note.textContent, '', note);
    for (const one of svg.querySelectorAll('[data-envelope][data-labelled]')) {
      take(one.textContent, one.dataset.envelope, one.querySelector('.paper'));
    }
    const SLACK = 2;
    const meet = (a, b, from, to) => Math.min(a[to], b[to]) - Math.max(a[from], b[from]) > SLACK;
    const overlap = (a, b) => meet(a, b, 'left', 'right') && meet(a, b, 'top', 'bottom');
    areas.forEach((one, place) => {
      for (const other of areas.slice(place + 1)) {
        if (one.owner === other.owner || !overlap(one, other)) continue;
        found.push(`${one.what} and ${other.what} overlap`);
      }
    });
    const why = document.querySelector('il-why');
    const { fontSize, lineHeight } = getComputedStyle(why);
    if (parseFloat(fontSize) < 28) found.push(`why is ${fontSize} high`);
    if (why.clientHeight > 3.5 * parseFloat(lineHeight)) found.push('why has more than three lines');
    const because = document.querySelector('#verdict .because');
    if (parseFloat(getComputedStyle(because).fontSize) < 24) found.push('the verdict is small');
    if (because.scrollHeight > because.clientHeight + 1) found.push('the verdict is cut off');
    return found;";

#[tokio::test(flavor = "multi_thread")]
async fn the_stories_are_read_from_the_last_row() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    page.resize(PROJECTOR).await;
    stand_still(&page).await;
    for (lesson, stop, cause, _) in STORIES {
        page.go(&format!("/#lesson={lesson}&stop={stop}")).await;
        page.sees(&format!("il-lesson[data-lesson='{lesson}']")).await;
        stands_at(&page, stop).await;
        page.sees(&format!("il-why[data-cause='{cause}']")).await;
        page.drawn().await;
        assert_eq!(page.script(UNREADABLE).await, json!([]), "{lesson}");
    }
    page.close().await;
}

/// Lists texts beside the stage or among the locks that are cut off. A difference of one pixel does not count.
const CUT_OFF: &str = "const found = [];
    const within = (box, selector) => {
      for (const inner of box.querySelectorAll(selector)) {
        if (inner.textContent === '' || inner.getClientRects().length === 0) continue;
        const [is, may] = [inner, box].map((one) => one.getBoundingClientRect());
        const isWhole = is.left >= may.left - 1 && is.right <= may.right + 1 && is.top >= may.top - 1 && is.bottom <= may.bottom + 1;
        if (!isWhole) found.push(`${selector} in ${box.localName} ${box.id}: ${inner.textContent}`);
        if (parseFloat(getComputedStyle(inner).fontSize) < 16) found.push(`${inner.textContent} is small`);
      }
    };
    for (const box of document.querySelectorAll('#lock-state, #leader-state')) within(box, '.said > *');
    for (const box of document.querySelectorAll('il-locks')) within(box, '.tile .who');
    within(document.querySelector('il-lock'), 'il-why');
    within(document.querySelector('#verdict'), '.out');
    return found;";

#[tokio::test(flavor = "multi_thread")]
async fn what_is_said_is_whole_in_every_size_and_language() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    stand_still(&page).await;
    let stories =
        [("maekawa", 7), ("ricart-agrawala", 5), ("lamport", 8), ("philosophers", 4), ("bully", 2), ("centralised", 9)];
    for (lesson, stop) in stories {
        for (size, language) in [((1280, 720), "de"), ((1024, 768), "cs"), ((1024, 768), "en"), (PROJECTOR, "de")] {
            page.resize(size).await;
            page.go(&format!("/#lesson={lesson}&stop={stop}&language={language}")).await;
            page.sees(&format!("html[lang='{language}'] il-lesson[data-lesson='{lesson}']")).await;
            page.until(&format!("/^{stop}\\b/u.test(document.querySelector('#lesson-position').textContent)")).await;
            page.sees("#verdict[data-status]").await;
            page.drawn().await;
            assert_eq!(page.script(CUT_OFF).await, json!([]), "{lesson}, {size:?}, {language}");
        }
    }
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_held_message_is_read_from_the_last_row() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 3 })).await;
    let Some(page) = Page::open_run(&run).await else { return };
    page.resize(PROJECTOR).await;
    stand_still(&page).await;
    let rule = json!({ "match": { "message_kind": "REPLY", "from": 2, "to": 0 }, "action": "hold", "count": 1 });
    run.post("/network/rules", rule).await;
    run.acquire(0, json!({})).await;
    page.sees("il-why[data-cause=held]").await;
    page.drawn().await;
    assert_eq!(page.script(UNREADABLE).await, json!([]));
    // The selected message is drawn with a line from its source to its destination.
    page.sees(".ways .shaft").await;
    page.close().await;
}

/// Lists visible texts of the page that are smaller than 24 pixels. A canvas draws its texts in its own font size.
pub const SMALL: &str = "const found = [];
    for (const one of document.querySelectorAll('body *')) {
      const says = [...one.childNodes].some(({ nodeType, data }) => nodeType === Node.TEXT_NODE && data.trim() !== '');
      const { left, top, right, bottom, width, height } = one.getBoundingClientRect();
      const isSeen = one.checkVisibility({ visibilityProperty: true }) && Math.min(width, height) > 1;
      if (!(says || one.matches('canvas')) || !isSeen || bottom < 0 || top > innerHeight) continue;
      // Texts that are scrolled out of their part of the page, or covered by another part, are not on the screen.
      const shown = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      if (shown === null || !(one.contains(shown) || shown.contains(one))) continue;
      const scale = one instanceof SVGGraphicsElement ? one.getScreenCTM().a : 1;
      const size = parseFloat(getComputedStyle(one).fontSize) * scale;
      if (size < 24) found.push(`${one.localName} ${one.className} ${one.textContent}: ${size}`);
    }
    return found;";

/// Stories that examples show: the name of the example, and what is on the screen when the story has been told.
const EXAMPLES: [(&str, &str); 9] = [
    ("maekawa-deadlock", "#verdict[data-phenomenon=deadlock]"),
    ("lamport-without-fifo", "#verdict[data-phenomenon=two-in-section]"),
    ("suzuki-kasami-lost-token", "#verdict[data-phenomenon=token-lost]"),
    ("bully", "#leader-state[data-leader='6']"),
    ("two-coordinators", "#verdict[data-phenomenon=two-coordinators]"),
    ("philosophers", "#verdict[data-phenomenon=deadlock]"),
    ("paxos-duel", "#verdict[data-phenomenon=no-value-chosen]"),
    ("banker", ".bank [data-group=has]:not([data-zero])"),
    ("cash-machines-unprotected", "#verdict[data-phenomenon=lost-update]"),
];

/// Checks that all texts on the screen are large enough.
async fn is_large(page: &Page, story: &str) {
    page.sees("html[data-big]").await;
    page.drawn().await;
    assert_eq!(page.script(SMALL).await, json!([]), "{story}");
}

#[tokio::test(flavor = "multi_thread")]
async fn all_texts_of_the_stories_are_large_in_projection() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    page.resize(PROJECTOR).await;
    stand_still(&page).await;
    page.press('B').await;
    // A held reply, lost requests, and a crashed holder.
    let asking = json!({ "algorithm": "ricart-agrawala", "nodes": 3, "workload": null });
    for (action, cause) in [("hold", "held"), ("drop", "lost"), ("crash", "dead")] {
        let run = playground.run(asking.clone()).await;
        if action == "crash" {
            run.enter(2).await;
            run.post("/nodes/2/crash", json!({})).await;
        } else {
            let rule = json!({ "match": { "message_kind": "REPLY", "to": 1 }, "action": action });
            run.post("/network/rules", rule).await;
        }
        run.acquire(1, json!({})).await;
        page.show(&run).await;
        page.sees(&format!("il-why[data-cause={cause}]")).await;
        is_large(&page, cause).await;
    }
    for (name, shown) in EXAMPLES {
        let run = example(&playground, name).await;
        page.show(&run).await;
        page.sees(shown).await;
        is_large(&page, name).await;
    }
    look_for(&page, "LAM-6").await;
    page.click("[data-counterexample='LAM-6.1']").await;
    page.sees("il-replay[data-position='0']").await;
    page.click("#replay-end").await;
    page.sees("#verdict[data-status=violated]").await;
    is_large(&page, "counterexample").await;
    page.close().await;
}
