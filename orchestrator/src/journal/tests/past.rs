//! Tests of the list of a folder's runs.

use std::fs;

use rusqlite::Connection;
use uuid::Uuid;

use super::super::{Cause, Index, Status, delete};
use super::{Folder, begun, events, past_runs};

#[test]
fn runs_are_listed_newest_first() {
    let folder = Folder::new();
    let ids = [Status::Stopped, Status::Failed, Status::Stopped].map(|status| {
        let (header, journal) = begun(&folder);
        journal.append(&mut events(1..=3));
        journal.finish(status, Some("so")).expect("it can be finished");
        header.id
    });
    let past = past_runs(&folder);
    assert!(past.unreadable.is_empty(), "{:?}", past.unreadable);
    let listed: Vec<_> = past.runs.iter().map(|run| (run.header.id, run.status)).collect();
    assert_eq!(listed, [(ids[2], Status::Stopped), (ids[1], Status::Failed), (ids[0], Status::Stopped)]);
    assert!(past.runs.iter().all(|run| run.because.as_deref() == Some("so")));
}

#[test]
fn a_run_without_an_end_is_running_only_if_it_lives() {
    let folder = Folder::new();
    let (live, _journal) = begun(&folder);
    let (_, dead) = begun(&folder);
    drop(dead);
    let runs = past_runs(&folder).runs.into_iter().map(|run| {
        let is_live = run.header.id == live.id;
        run.settled(is_live)
    });
    let listed: Vec<_> = runs.map(|run| (run.status, run.because)).collect();
    let ended = (Status::Stopped, Some("the orchestrator ended without stopping the run".to_owned()));
    assert_eq!(listed, [ended, (Status::Running, None)]);
}

#[test]
fn what_cannot_be_read_is_reported_beside_the_rest() {
    let folder = Folder::new();
    let (good, journal) = begun(&folder);
    journal.finish(Status::Stopped, None).expect("it can be finished");
    let (damaged, journal) = begun(&folder);
    journal.finish(Status::Stopped, None).expect("it can be finished");
    let connection = Connection::open(journal.path()).expect("a database");
    connection.execute("UPDATE run SET created_at = 'yesterday'", []).expect("it can be damaged");
    let file = |name: &str| folder.path().join(name);
    fs::write(file("garbage.sqlite"), [0xFF; 5_000]).expect("a file can be written");
    fs::copy(file(&format!("{}.sqlite", good.id)), file("copy.sqlite")).expect("a file can be copied");
    fs::write(file("notes.txt"), "not ours").expect("a file can be written");

    let past = past_runs(&folder);
    assert_eq!(past.runs.iter().map(|run| run.header.id).collect::<Vec<_>>(), [good.id]);
    let said: Vec<_> = past.unreadable.iter().map(ToString::to_string).collect();
    let expected = [
        (damaged.id.to_string(), "created_at is invalid"),
        ("copy.sqlite".to_owned(), "which does not match its name"),
        ("garbage.sqlite".to_owned(), "file is not a database"),
    ];
    assert_eq!(said.len(), expected.len(), "{said:?}");
    for (file, detail) in expected {
        assert!(said.iter().any(|said| said.contains(&file) && said.contains(detail)), "{detail}: {said:?}");
    }
}

#[test]
fn a_folder_that_is_not_there_is_reported() {
    let folder = Folder::new();
    let missing = folder.path().join("missing");
    fs::create_dir(&missing).expect("a folder");
    let mut index = Index::open(&super::super::Folder::read_only(&missing).expect("it is there"));
    fs::remove_dir(&missing).expect("it is empty");
    let past = index.runs(|_| false, &|_| None);
    assert!(past.runs.is_empty());
    let errors: Vec<_> = past.unreadable.iter().map(|error| (&error.path, &error.cause)).collect();
    assert!(matches!(errors[..], [(path, Cause::List(_))] if path.ends_with("missing")), "{errors:?}");
}

#[test]
fn a_deleted_run_leaves_nothing_behind() {
    let folder = Folder::new();
    let (header, journal) = begun(&folder);
    journal.finish(Status::Stopped, None).expect("it can be finished");
    for suffix in ["-wal", "-shm"] {
        fs::write(folder.path().join(format!("{}.sqlite{suffix}", header.id)), "").expect("a file can be written");
    }
    delete(folder.path(), header.id).expect("it can be removed");
    assert_eq!(folder.path().read_dir().expect("a folder").count(), 0);

    let error = delete(folder.path(), Uuid::now_v7()).expect_err("there is no such run");
    assert!(matches!(&error.cause, Cause::Delete(cause) if cause.kind() == std::io::ErrorKind::NotFound), "{error}");
}
