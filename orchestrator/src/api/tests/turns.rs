//! Who asks for much waits for others who do so, and keeps nobody else waiting.

use std::sync::Arc;

use axum::Router;
use futures_util::FutureExt;
use tokio::sync::OwnedSemaphorePermit;

use super::{PORT, Server, registry, router};

#[tokio::test]
async fn little_is_answered_while_much_is_read() {
    let mut server = Server::start().await;
    let run = server.failed_run().await;
    // The folder has one owner at a time.
    server.router = Router::new();
    let registry = registry(&server.folder).await;
    server.router = router(Arc::clone(&registry), PORT, None);
    let mut turns = all_of(async || registry.reading().await).await;
    let mut pages = all_of(async || registry.paging().await).await;
    let path = |what: &str| format!("/api/v1/runs/{run}/{what}");
    let little = async || {
        for usual in ["events", "events?limit=2000"] {
            assert_eq!(server.get(&path(usual)).await.status, 200, "{usual}");
        }
    };
    for (much, is_page) in [
        ("events?limit=2001", true),
        ("events?kind=created", true),
        ("events?node=1", true),
        ("state?at=1", false),
        ("history", false),
        ("trace?as=shiviz", false),
    ] {
        let path = path(much);
        let mut asked = Box::pin(server.get(&path));
        tokio::select! {
            biased;
            answer = &mut asked => panic!("{much} has not waited: {}", answer.text),
            () = little() => {}
        }
        // One of its own kind, while all of the other are taken.
        let freed = if is_page { pages.pop() } else { turns.pop() };
        drop(freed.expect("all turns are taken"));
        assert_eq!(asked.await.status, 200, "{much}");
        if is_page {
            pages.push(registry.paging().await.expect("a turn"));
        } else {
            turns.push(registry.reading().await.expect("a turn"));
        }
    }
}

/// All turns of a kind that there are.
async fn all_of(turn: impl AsyncFn() -> Option<OwnedSemaphorePermit>) -> Vec<OwnedSemaphorePermit> {
    let mut turns = vec![turn().await.expect("a turn")];
    while let Some(turn) = turn().now_or_never() {
        turns.push(turn.expect("a turn"));
    }
    turns
}
