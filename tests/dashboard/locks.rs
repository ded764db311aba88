//! Several locks: the page shows each lock separately, requests can name a lock, and the page draws the wait-for
//! graph.

use serde_json::{Value, json};

use crate::page::Page;
use crate::support::Playground;

#[tokio::test(flavor = "multi_thread")]
async fn each_lock_is_shown_and_asked_for_by_itself() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 3, "locks": 4, "workload": null })).await;
    let Some(page) = Page::open_run(&run).await else { return };
    assert_eq!(page.count("[data-tile]").await, 4, "those that nobody has wanted are there, too");

    page.click("[data-tile='2']").await;
    page.reads("[data-node='0'] [data-action=acquire]", "Acquire 2").await;
    page.order(0, "acquire").await;
    page.reads("[data-tile='2'][data-holders='0']", "P0").await;
    page.reads("#events [data-kind=entered]", "lock 2").await;
    page.order(1, "acquire").await;
    page.reads("[data-tile='2'] .waiters", "P1").await;
    page.sees("[data-wait='1-0']").await;
    page.misses("#circle").await;
    // The + key selects the next lock after the selected one.
    page.press('>').await;
    page.sees("[data-tile='3'][aria-pressed=true]").await;
    page.press('1').await;
    page.press('a').await;
    page.sees("[data-tile='3'][data-holders='1']").await;
    page.reads("[data-node='1'] .locks", "has 3 · wants 2").await;
    page.pictures("locks").await;
    page.press('<').await;
    page.press('0').await;
    page.press('r').await;
    page.sees("[data-tile='2'][data-holders='1']").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_circle_is_drawn_and_told() {
    let playground = Playground::open();
    let run =
        playground.run(json!({ "algorithm": "prevention", "variant": "none", "nodes": 3, "workload": null })).await;
    let Some(page) = Page::open_run(&run).await else { return };
    // Each philosopher first takes the fork whose number is the philosopher's own, and then the next fork.
    for (turn, kind) in [(0, "held"), (1, "wanted")] {
        for node in 0..3 {
            let fork = (node + turn) % 3;
            page.click(&format!("[data-tile='{fork}']")).await;
            page.reads(&format!("[data-node='{node}'] [data-action=acquire]"), &format!("Acquire {fork}")).await;
            page.order(node, "acquire").await;
            if kind == "held" {
                page.sees(&format!("[data-tile='{fork}'][data-holders='{node}']")).await;
            } else {
                page.reads(&format!("[data-tile='{fork}'] .waiters"), &format!("P{node}")).await;
            }
        }
    }
    page.reads("il-why[data-cause=circle]", "P2, P0 and P1 wait in a cycle, each for the next.").await;
    // The reason already names the cycle, so `#circle` must be hidden.
    page.misses("#circle").await;
    page.reads("#verdict[data-status=violated]", "P2 waits for lock 0, held by P0").await;
    page.reads("#verdict", "All four conditions hold").await;
    // Each fork has an edge to its holder, and each waiting process has an edge to the fork it waits for. All these
    // edges belong to the cycle.
    page.until("document.querySelectorAll('.claims [data-relation=has][data-circle]').length === 3").await;
    page.until("document.querySelectorAll('.claims [data-relation=wants][data-circle]').length === 3").await;
    page.sees(".claims [data-relation=wants][data-lock='0'][data-process='2']").await;
    page.sees("il-picture .circle").await;
    page.pictures("circle").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_circle_that_is_broken_goes_away() {
    let playground = Playground::open();
    let workload =
        json!({ "idle": "const:50", "hold": "const:50", "entries": 1, "locks": "neighbours", "between": "const:500" });
    let network = json!({ "hold": true });
    let run = playground
        .run(json!({ "algorithm": "edge-chasing", "nodes": 3, "network": network, "workload": workload }))
        .await;
    let Some(page) = Page::open_run(&run).await else { return };
    // Each process acquires its own fork without a message. The request for the next fork is a message, which the
    // network holds. A wait is part of a cycle when its request has arrived. The probes of the processes are held then.
    page.until("document.querySelectorAll('#held-messages [data-message]').length === 3").await;
    page.misses("#circle:not([hidden])").await;
    page.click("il-messages .bar button").await;
    page.reads("#circle[data-circle='0,1,2']", "P0 for P1, P1 for P2, P2 for P0").await;
    // The button delivers the messages that the page shows, so it must show the answers first.
    let held = "[...document.querySelectorAll('#held-messages [data-message]')]";
    page.until(&format!("{held}.filter((one) => one.innerText.includes('WAIT')).length === 3")).await;
    page.click("#hold").await;
    page.until("!document.querySelector('#hold').checked").await;
    page.click("il-messages .bar button").await;
    page.choose("#log-kind", "aborted").await;
    page.reads("#events [data-kind=aborted]", "it was chosen to break a deadlock").await;
    page.misses("#circle").await;
    page.misses("il-picture .circle").await;
    page.misses(".claims [data-relation=wants]").await;
    page.close().await;
}

/// Returns the wait-for graph that `wait-for-graph.js` computes for `locks`.
async fn waits(page: &Page, locks: Value) -> Value {
    let script = format!(
        "const [done] = arguments;
         import('/stage/wait-for-graph.js').then(({{ waitsIn }}) => done(waitsIn({locks})), (error) => done(String(error)));"
    );
    page.browser.client.execute_async(&script, Vec::new()).await.expect("an answer")
}

fn lock(lock: u32, holders: &[u32], waiting: &[u32]) -> Value {
    let waiting: Vec<Value> = waiting.iter().map(|node| json!({ "node": node, "keeps": [0, 1, 2, 3] })).collect();
    json!({ "lock": lock, "holders": holders, "waiting": waiting, "entries": 0 })
}

#[tokio::test(flavor = "multi_thread")]
async fn circles_are_found_where_they_are() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    let circle_of = async |locks: Value| waits(&page, locks).await["circle"].clone();
    assert_eq!(circle_of(json!([])).await, json!([]));
    let chain = json!([lock(0, &[0], &[1]), lock(1, &[1], &[2]), lock(2, &[2], &[])]);
    assert_eq!(circle_of(chain).await, json!([]));
    // One process waits for a process of the cycle, but is not itself in the cycle.
    let with_tail = json!([lock(0, &[3], &[2]), lock(1, &[2], &[3]), lock(2, &[2], &[0]), lock(3, &[0], &[1])]);
    assert_eq!(circle_of(with_tail.clone()).await, json!([2, 3]));
    let marked = waits(&page, with_tail).await["waits"].as_array().cloned().unwrap_or_default();
    let marks: Vec<Value> = marked.iter().map(|wait| json!([wait["from"], wait["to"], wait["circle"]])).collect();
    assert_eq!(json!(marks), json!([[2, 3, true], [3, 2, true], [0, 2, false], [1, 0, false]]));
    // A process may wait for one lock but release its other locks before it acquires that lock. Such a process
    // does not block other processes, so the graph must have no edge for it.
    let mut apart = json!([lock(0, &[0], &[1]), lock(1, &[1], &[0])]);
    assert_eq!(circle_of(apart.clone()).await, json!([0, 1]));
    apart[1]["waiting"][0]["keeps"] = json!([]);
    assert_eq!(circle_of(apart).await, json!([]));
    // A process that waits for a lock that it holds itself waits for no other process. If a lock has two holders,
    // either of them can release it, so neither blocks the waiting process alone.
    assert_eq!(circle_of(json!([lock(0, &[0], &[0])])).await, json!([]));
    assert_eq!(circle_of(json!([lock(0, &[0, 2], &[1]), lock(1, &[1], &[0])])).await, json!([]));
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_tables_of_the_banker_tell_why_a_request_waits() {
    let playground = Playground::open();
    let parameters = json!({ "banker": 0, "existing": "2,1", "claims": "0,0;2,0;2,1" });
    let document = json!({ "algorithm": "banker", "nodes": 3, "workload": null, "parameters": parameters });
    let run = playground.run(document).await;
    let Some(page) = Page::open_run(&run).await else { return };
    page.reads("il-banker [data-row=free]", "free\t2\t1").await;
    run.acquire(1, json!({ "lock": 0 })).await;
    // The table shows the units of each of the two resources: held, maximum claim, and still needed.
    page.reads("il-banker [data-process='1']", "P1\t1\t0\t2\t0\t1\t0").await;
    page.reads("il-banker [data-row=free]", "free\t1\t1").await;
    page.reads("il-banker .order[data-safe=true]", "P1 → P2").await;
    run.acquire(2, json!({ "lock": 0 })).await;
    page.reads("il-why[data-cause=unsafe]", "P2 requests 1 0: then no safe order would be left.").await;
    page.sees("il-banker [data-process='2'] [data-asked='1']").await;
    page.pictures("banker").await;
    // The user can select a resource in the banker's table as well.
    page.click("il-banker [data-tile='1']").await;
    page.sees("il-banker [data-tile='1'][aria-pressed=true]").await;
    page.reads("[data-node='2'] [data-action=acquire]", "Acquire 1").await;
    page.close().await;
}
