//! Tests of queries for events, and of files that are not journals.

use std::fs;
use std::path::{Path, PathBuf};

use interlock_algorithm::NodeId;
use rusqlite::Connection;

use super::super::{Cause, EventQuery, MOST_EXAMINED, Reader, Status};
use super::{Folder, begun, events};
use interlock_model::event::{Event, What};

/// Creates a finished journal with `count` events, and returns its path.
fn journal_of(folder: &Folder, count: u64) -> PathBuf {
    let (_, journal) = begun(folder);
    for first in (1..=count).step_by(10_000) {
        journal.append(&mut events(first..=count.min(first + 9_999)));
    }
    journal.finish(Status::Stopped, None).expect("it can be finished");
    journal.path().to_owned()
}

fn opened(path: &Path) -> Reader {
    Reader::open_file(path).expect("it can be opened")
}

fn seqs(reader: &Reader, query: &EventQuery) -> (Vec<u64>, u64) {
    let page = reader.page(query).expect("it can be read");
    let seq = |item: &String| serde_json::from_str::<Event>(item).expect("an event").seq;
    (page.items.iter().map(seq).collect(), page.next_since)
}

/// A page has a maximum size, however large the events are. The next page continues with the first event that the
/// previous page does not contain.
#[test]
fn a_page_is_bounded_by_bytes_unless_one_event_is_larger() {
    let folder = Folder::new();
    let (_, journal) = begun(&folder);
    let lengths = [3, 3, 3, 9, 1, 1].map(|mib| mib << 20);
    let noted = |(seq, bytes)| {
        let detail = "x".repeat(bytes).into();
        Event { seq, at_us: seq, what: What::Noted { detail } }
    };
    journal.append(&mut (1..).zip(lengths).map(noted).collect());
    journal.finish(Status::Stopped, None).expect("it can be finished");
    let reader = opened(journal.path());
    let mut query = EventQuery::default();
    let mut pages = Vec::new();
    while query.since < 6 {
        let (found, next_since) = seqs(&reader, &query);
        assert_eq!(found.last(), Some(&next_since), "nothing is passed over");
        query.since = next_since;
        pages.push(found);
    }
    assert_eq!(pages, [vec![1, 2], vec![3], vec![4], vec![5, 6]]);
    assert_eq!(reader.events_after(0).count(), 6, "who reads all gets all");
}

#[test]
fn every_filter_filters() {
    let folder = Folder::new();
    let reader = opened(&journal_of(&folder, 20));
    let all = EventQuery::default();
    let kinds = |kinds: &[&str]| kinds.iter().map(|&kind| kind.to_owned()).collect::<Vec<_>>();
    let cases = [
        (all.clone(), (1..=20).collect(), 20),
        (EventQuery { since: 17, ..all.clone() }, vec![18, 19, 20], 20),
        (EventQuery { until: Some(3), ..all.clone() }, vec![1, 2, 3], 3),
        (EventQuery { since: 4, until: Some(6), ..all.clone() }, vec![5, 6], 6),
        (EventQuery { since: 4, until: Some(4), ..all.clone() }, vec![], 4),
        (EventQuery { limit: 2, ..all.clone() }, vec![1, 2], 2),
        (EventQuery { limit: 0, ..all.clone() }, vec![1], 1),
        (EventQuery { bytes: 0, ..all.clone() }, vec![1], 1),
        (EventQuery { bytes: 400, ..all.clone() }, vec![1, 2], 2),
        (EventQuery { bytes: 400, kinds: kinds(&["sent"]), ..all.clone() }, vec![2, 4], 5),
        (EventQuery { kinds: kinds(&["sent"]), until: Some(7), ..all.clone() }, vec![2, 4, 6], 7),
        (EventQuery { kinds: kinds(&["sent", "delivered"]), since: 18, ..all.clone() }, vec![19, 20], 20),
        (EventQuery { kinds: kinds(&["entered"]), ..all.clone() }, vec![], 20),
        (EventQuery { node: Some(NodeId(3)), ..all.clone() }, vec![3, 8, 13, 18], 20),
        (EventQuery { node: Some(NodeId(3)), kinds: kinds(&["sent"]), limit: 1, ..all.clone() }, vec![8], 8),
        (EventQuery { node: Some(NodeId(9)), ..all.clone() }, vec![], 20),
        (EventQuery { since: 20, ..all.clone() }, vec![], 20),
        (EventQuery { since: u64::MAX, until: Some(u64::MAX), ..all }, vec![], u64::MAX),
    ];
    for (query, found, next_since) in cases {
        assert_eq!(seqs(&reader, &query), (found, next_since), "{query:?}");
    }
}

#[test]
fn a_rare_kind_makes_progress() {
    let folder = Folder::new();
    let count = MOST_EXAMINED + 10;
    let reader = opened(&journal_of(&folder, count));
    let query = EventQuery { kinds: vec!["violated".to_owned()], ..EventQuery::default() };
    assert_eq!(seqs(&reader, &query), (vec![], MOST_EXAMINED));
    let rest = EventQuery { since: MOST_EXAMINED, ..query };
    assert_eq!(seqs(&reader, &rest), (vec![], count));
}

/// Returns the number of the first event in the block that contains event `seq`.
fn first_of_block(connection: &Connection, seq: u64) -> u64 {
    let select = "SELECT min(last) - events + 1 FROM block WHERE last >= ?1";
    connection.query_row(select, [seq], |row| row.get(0)).expect("a block")
}

#[test]
fn a_missing_event_is_noticed() {
    let folder = Folder::new();
    let path = journal_of(&folder, 3_000);
    let connection = Connection::open(&path).expect("a database");
    let first = first_of_block(&connection, 2_500);
    let last: u64 = connection
        .query_row("DELETE FROM block WHERE last - events + 1 = ?1 RETURNING last", [first], |row| row.get(0))
        .expect("a block can be removed");
    let reader = opened(&path);

    let read: Vec<_> = reader.events_after(0).collect();
    assert_eq!(read.iter().filter(|event| event.is_ok()).count(), 2_000);
    assert_eq!(read.len(), 2_001, "it ends at the first error");
    let after_gap = EventQuery { since: first - 10, ..EventQuery::default() };
    let error = reader.page(&after_gap).expect_err("there is a gap");
    let is_gap = matches!(error.cause, Cause::Gap { expected, found } if (expected, found) == (first, last + 1));
    assert!(is_gap, "{error}");
    assert_eq!(seqs(&reader, &EventQuery { since: last, limit: 1, ..after_gap }).0, [last + 1]);
}

/// If a reader did not report such a gap as an error, a client that reads page by page would repeat the same request
/// endlessly.
#[test]
fn a_gap_longer_than_what_is_looked_at_together_is_noticed() {
    let folder = Folder::new();
    let path = journal_of(&folder, 300);
    let connection = Connection::open(&path).expect("a database");
    let first = first_of_block(&connection, 300);
    let later = "UPDATE block SET last = 4000000000 WHERE last = 300 RETURNING last - events + 1";
    let found: u64 = connection.query_row(later, [], |row| row.get(0)).expect("it can be moved");
    let reader = opened(&path);
    let is_gap =
        |cause: &Cause| matches!(*cause, Cause::Gap { expected, found: next } if (expected, next) == (first, found));
    for since in [0, first - 1] {
        let error = reader.page(&EventQuery { since, ..EventQuery::default() }).expect_err("there is a gap");
        assert!(is_gap(&error.cause), "{error}");
    }
    let error = reader.events_after(first - 1).next().expect("an end").expect_err("there is a gap");
    assert!(is_gap(&error.cause), "{error}");
    let before = EventQuery { until: Some(first - 1), ..EventQuery::default() };
    assert_eq!(seqs(&reader, &before).1, first - 1, "what is before it can be read");
}

#[test]
fn what_is_no_journal_is_refused() {
    let folder = Folder::new();
    let path = folder.path().join("other.sqlite");
    let refusal = || Reader::open_file(&path).and_then(|reader| reader.run()).expect_err("it is no journal");

    assert!(matches!(refusal().cause, Cause::Open(_)), "{}", refusal());
    assert!(refusal().to_string().contains("other.sqlite: cannot be opened: No such file"), "{}", refusal());
    fs::create_dir(&path).expect("a folder can be made");
    assert!(refusal().to_string().contains("is a directory"), "{}", refusal());
    fs::remove_dir(&path).expect("it can be removed");
    fs::write(&path, "this is a text of some length and no database at all").expect("a file can be written");
    assert!(refusal().to_string().contains("file is not a database"), "{}", refusal());
    fs::remove_file(&path).expect("it can be removed");

    let connection = Connection::open(&path).expect("a database");
    assert!(matches!(refusal().cause, Cause::UnknownVersion { found: 0, known: 4 }), "{}", refusal());
    connection.pragma_update(None, "user_version", 5).expect("a version can be given");
    assert!(matches!(refusal().cause, Cause::UnknownVersion { found: 5, known: 4 }), "{}", refusal());
    connection.pragma_update(None, "user_version", 3).expect("a version can be given");
    assert!(refusal().to_string().contains("no such table: kind"), "{}", refusal());
}

/// Without compression, an event takes about 160 bytes.
#[test]
fn an_event_takes_less_than_a_sixth_of_its_json() {
    let folder = Folder::new();
    let path = journal_of(&folder, 20_000);
    let reader = opened(&path);
    let mut query = EventQuery { limit: 10_000, ..EventQuery::default() };
    let mut said = 0;
    while query.since < 20_000 {
        let page = reader.page(&query).expect("a page");
        said += page.items.iter().map(String::len).sum::<usize>();
        query.since = page.next_since;
    }
    let kept = usize::try_from(fs::metadata(&path).expect("a file").len()).expect("a size");
    assert!(6 * kept < said, "{kept} bytes are kept of {said}");
}
