//! Of what is kept the oldest goes when there is too much of it.

use interlock_model::specification::Draft;
use serde_json::json;
use tempfile::TempDir;
use uuid::Uuid;

use crate::journal::{self, Folder};
use crate::run::{Hub, Limits, Registry};
use crate::supervisor::Supervisor;

async fn registry(folder: &TempDir, folder_bytes: Option<u64>) -> Registry {
    let folder = Folder::claim(folder.path(), "a test").expect("a folder of its own");
    let supervisor = Supervisor::start("/nowhere/interlock".into(), Vec::new(), None).expect("a supervisor");
    let hub = Hub::start().await.expect("a port");
    Registry::new(folder, Limits { folder_bytes, ..Limits::default() }, supervisor, hub)
}

#[tokio::test]
async fn the_oldest_runs_go_until_the_others_have_room() {
    let draft: Draft = serde_json::from_value(json!({ "algorithm": "lamport" })).expect("a draft");
    let specification = draft.complete().expect("a specification");
    let created = json!({ "seq": 1, "at_us": 0, "kind": "created", "specification": specification }).to_string();
    let folder = TempDir::new().expect("a folder");
    let unlimited = registry(&folder, None).await;
    let ids: Vec<Uuid> = (0..4).map(|_| unlimited.load(created.as_bytes()).expect("a run").id).collect();
    assert!(unlimited.tidy().is_empty());
    drop(unlimited);
    let sizes = journal::sizes(folder.path()).expect("sizes");
    assert_eq!(sizes.iter().map(|(id, _)| *id).collect::<Vec<_>>(), ids);
    let newest_two: u64 = sizes[2..].iter().map(|(_, bytes)| bytes).sum();
    let limited = registry(&folder, Some(newest_two)).await;
    assert_eq!(limited.tidy(), ids[..2]);
    assert!(limited.tidy().is_empty());
    assert_eq!(limited.list().iter().map(|run| run.id).collect::<Vec<_>>(), [ids[3], ids[2]]);
}
