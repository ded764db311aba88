//! Test of the limit on the total size of journals: if it is exceeded, the oldest runs are deleted.

use std::sync::Arc;

use interlock_model::event::{Ending, Json};
use interlock_model::specification::{Draft, Specification};
use jiff::Timestamp;
use serde_json::json;
use tempfile::TempDir;
use uuid::Uuid;

use crate::journal::{self, Folder, Header, Journal, Origin};
use crate::run::{Hub, Limits, Registry};
use crate::supervisor::Supervisor;

async fn registry(folder: &TempDir, folder_bytes: Option<u64>) -> Registry {
    let folder = Folder::claim(folder.path(), "a test").expect("a folder of its own");
    let supervisor = Supervisor::start("/nowhere/interlock".into(), Vec::new(), None).expect("a supervisor");
    let hub = Hub::start().await.expect("a port");
    Registry::new(folder, Limits { folder_bytes, ..Limits::default() }, supervisor, hub)
}

fn specification() -> Specification {
    let draft: Draft = serde_json::from_value(json!({ "algorithm": "lamport" })).expect("a draft");
    draft.complete().expect("a specification")
}

/// Creates a run that has ended, and returns its id.
fn past(registry: &Registry) -> Uuid {
    let created = json!({ "seq": 1, "at_us": 0, "kind": "created", "specification": specification() }).to_string();
    registry.load(created.as_bytes()).expect("a run").id
}

#[tokio::test]
async fn the_oldest_runs_go_until_the_others_have_room() {
    let folder = TempDir::new().expect("a folder");
    let unlimited = registry(&folder, None).await;
    let ids: Vec<Uuid> = (0..4).map(|_| past(&unlimited)).collect();
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

#[tokio::test]
async fn a_run_under_way_stays_however_old_it_is_and_however_little_room_there_is() {
    let folder = TempDir::new().expect("a folder");
    let registry = registry(&folder, Some(1)).await;
    let before = past(&registry);
    let running = registry.register(Arc::new(specification()), None).await.expect("a run");
    let after = past(&registry);
    assert_eq!(registry.tidy(), [before, after], "the oldest first");
    assert!(running.journal().path().exists() && registry.find(running.id).is_some());
    running.with(|core| core.note("it goes on"));
    let latest = running.with(|core| core.latest());
    running.journal().flushed(latest).await.expect("it can still be written");

    running.end(Ending::Stopped).await;
    assert_eq!(registry.tidy(), [running.id], "one that is over goes");
    assert!(registry.find(running.id).is_none() && registry.list().is_empty());
}

#[tokio::test]
async fn a_run_that_is_just_being_started_stays() {
    let folder = TempDir::new().expect("a folder");
    let registry = registry(&folder, Some(1)).await;
    let id = Uuid::now_v7();
    let place = registry.reserve(id, 5).expect("a place");
    let specification = Json::of(&specification()).expect("JSON");
    let header =
        Header { id, name: "coming".to_owned(), specification, created_at: Timestamp::now(), origin: Origin::Live };
    let journal = Journal::create(registry.directory(), &header, None).expect("a journal");
    assert!(registry.tidy().is_empty());
    assert!(journal.path().exists());
    assert!(registry.list().is_empty(), "nobody has been told of it");
    drop((place, journal));
    assert_eq!(registry.tidy(), [id], "nothing else has kept it");
}

#[tokio::test]
async fn only_the_latest_that_have_ended_stay_at_hand_and_the_others_read_as_before() {
    let folder = TempDir::new().expect("a folder");
    let registry = registry(&folder, None).await;
    let specification = Arc::new(specification());
    let running = registry.register(Arc::clone(&specification), None).await.expect("a run");
    let mut ended = Vec::new();
    for _ in 0..34 {
        let run = registry.register(Arc::clone(&specification), None).await.expect("a run");
        run.end(Ending::Stopped).await;
        ended.push((run.id, json!(registry.summary(run.id).expect("a summary"))));
    }
    assert!(registry.tidy().is_empty(), "no journal goes");
    let at_hand: Vec<Uuid> = registry.at_hand().iter().map(|run| run.id).collect();
    let latest: Vec<Uuid> = ended[2..].iter().map(|(id, _)| *id).collect();
    assert_eq!(at_hand, [&[running.id][..], &latest].concat());
    for (id, summary) in ended {
        assert_eq!(json!(registry.summary(id).expect("a summary")), summary);
    }
    running.end(Ending::Stopped).await;
}
