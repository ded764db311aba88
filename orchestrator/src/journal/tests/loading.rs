//! Tests of journals whose events are loaded from another source, and of journals with earlier layouts.

use rusqlite::Connection;

use super::super::{EventQuery, Loading, Origin, PastRun, Reader, Status};
use super::{Folder, begun, events, header, outcome, past_runs};

#[test]
fn a_journal_is_seen_when_it_is_published() {
    let folder = Folder::new();
    let wanted = super::super::Header { origin: Origin::Loaded, ..header() };
    let loading = Loading::create(folder.path(), wanted.clone(), None).expect("a journal can be created");
    loading.journal().append(&mut events(1..=2_500));
    let past = past_runs(&folder);
    assert!(past.runs.is_empty() && past.unreadable.is_empty(), "{past:?}");

    let published = loading.publish(outcome(2_500)).expect("it can be published");
    assert_eq!((&published.header, published.status), (&wanted, Status::Stopped));
    let past = past_runs(&folder);
    assert_eq!(past.runs, [PastRun { outcome: None, ..published }], "what came of it is told by its events");
    let reader = Reader::open(folder.path(), wanted.id).expect("a journal");
    assert_eq!((reader.oldest().expect("a seq"), reader.latest().expect("a seq")), (1, 2_500));
    assert_eq!(folder.path().read_dir().expect("a folder").count(), 1);
}

#[test]
fn what_is_not_published_leaves_nothing_behind() {
    let folder = Folder::new();
    let loading = Loading::create(folder.path(), header(), None).expect("a journal can be created");
    loading.journal().append(&mut events(1..=2_500));
    assert!(folder.path().read_dir().expect("a folder").count() > 0);
    drop(loading);
    assert_eq!(folder.path().read_dir().expect("a folder").count(), 0);

    let loading = Loading::create(folder.path(), header(), None).expect("a journal can be created");
    loading.journal().append(&mut events(2..=3));
    let refused = loading.publish(outcome(2)).expect_err("event 1 is missing");
    assert!(refused.to_string().contains("event 2 is in the place of event 1"), "{refused}");
    assert_eq!(folder.path().read_dir().expect("a folder").count(), 0);
}

#[test]
fn what_is_not_whole_without_its_log_is_not_published() {
    let folder = Folder::new();
    let loading = Loading::create(folder.path(), header(), None).expect("a journal can be created");
    loading.journal().append(&mut events(1..=2_500));
    // The open transaction of a reader prevents SQLite from merging the log into the file. A full disk has the
    // same effect.
    let reader = Connection::open(loading.journal().path()).expect("a database");
    reader.execute_batch("BEGIN; SELECT count(*) FROM run").expect("it is read");
    let refused = loading.publish(outcome(2_500)).expect_err("some of it is only in the log");
    assert!(refused.to_string().contains("cannot be merged into one file"), "{refused}");
    assert_eq!(folder.path().read_dir().expect("a folder").count(), 0);
}

#[test]
fn runs_of_before_were_live() {
    let folder = Folder::new();
    let (header, journal) = begun(&folder);
    journal.append(&mut events(1..=3));
    journal.finish(Status::Stopped, None).expect("it can be finished");
    let connection = Connection::open(journal.path()).expect("a database");
    // A column with a constraint cannot be dropped from a STRICT table, so the table is created again in its old
    // form.
    let page = Reader::open(folder.path(), header.id).and_then(|reader| reader.page(&EventQuery::default()));
    connection.execute("CREATE TABLE event (seq, at_us, kind, node, event)", []).expect("a table");
    for event in page.expect("a page").items {
        let columns = "?1 ->> 'seq', ?1 ->> 'at_us', ?1 ->> 'kind', ?1 ->> 'node', ?1";
        connection.execute(&format!("INSERT INTO event VALUES ({columns})"), [event]).expect("a row");
    }
    let before =
        "DROP TABLE block; CREATE TABLE old AS SELECT id, name, specification, created_at, status, because FROM run;
        DROP TABLE run; ALTER TABLE old RENAME TO run; PRAGMA user_version = 1;";
    connection.execute_batch(before).expect("it can be made old");
    let reader = Reader::open(folder.path(), header.id).expect("a journal");
    assert_eq!(reader.run().expect("its head").header, header);
    assert_eq!((reader.oldest().expect("a seq"), reader.latest().expect("a seq")), (1, 3));
    assert_eq!(reader.events_after(0).collect::<Result<Vec<_>, _>>().expect("its events"), events(1..=3));
    assert_eq!(reader.page(&EventQuery::default()).expect("a page").items.len(), 3);
}
