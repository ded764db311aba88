//! Who asks for much waits for others who do so, and keeps nobody else waiting.

use std::sync::Arc;

use axum::Router;
use futures_util::FutureExt;

use super::{PORT, Server, registry, router};

#[tokio::test]
async fn little_is_answered_while_much_is_read() {
    let mut server = Server::start().await;
    let run = server.failed_run().await;
    // The folder has one owner at a time.
    server.router = Router::new();
    let registry = registry(&server.folder).await;
    server.router = router(Arc::clone(&registry), PORT, None);
    let mut turns = vec![registry.reading().await.expect("a turn")];
    while let Some(turn) = registry.reading().now_or_never() {
        turns.push(turn.expect("a turn"));
    }
    let path = |what: &str| format!("/api/v1/runs/{run}/{what}");
    let little = async || {
        for usual in ["events", "events?limit=1000"] {
            assert_eq!(server.get(&path(usual)).await.status, 200, "{usual}");
        }
    };
    for much in
        ["events?limit=1001", "events?kind=created", "events?node=1", "state?at=1", "history", "trace?as=shiviz"]
    {
        let path = path(much);
        let mut asked = Box::pin(server.get(&path));
        tokio::select! {
            biased;
            answer = &mut asked => panic!("{much} has not waited: {}", answer.text),
            () = little() => {}
        }
        drop(turns.pop().expect("all turns are taken"));
        assert_eq!(asked.await.status, 200, "{much}");
        turns.push(registry.reading().await.expect("a turn"));
    }
}
