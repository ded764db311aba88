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

#[test]
fn a_missing_event_is_noticed() {
    let folder = Folder::new();
    let path = journal_of(&folder, 3_000);
    let connection = Connection::open(&path).expect("a database");
    connection.execute("DELETE FROM kept WHERE seq = 2500", []).expect("an event can be removed");
    let reader = opened(&path);

    let read: Vec<_> = reader.events_after(0).collect();
    assert_eq!(read.iter().filter(|event| event.is_ok()).count(), 2_000);
    assert_eq!(read.len(), 2_001, "it ends at the first error");
    let after_gap = EventQuery { since: 2_400, ..EventQuery::default() };
    let error = reader.page(&after_gap).expect_err("there is a gap");
    assert!(matches!(error.cause, Cause::Gap { expected: 2_500, found: 2_501 }), "{error}");
    assert_eq!(seqs(&reader, &EventQuery { since: 2_500, limit: 1, ..after_gap }).0, [2_501]);
}

/// If a reader did not report such a gap as an error, a client that reads page by page would repeat the same request
/// endlessly.
#[test]
fn a_gap_longer_than_what_is_looked_at_together_is_noticed() {
    let folder = Folder::new();
    let path = journal_of(&folder, 30);
    let connection = Connection::open(&path).expect("a database");
    connection.execute("UPDATE kept SET seq = 4000000000 WHERE seq = 30", []).expect("it can be called otherwise");
    let reader = opened(&path);
    let is_gap = |cause: &Cause| matches!(cause, Cause::Gap { expected: 30, found: 4_000_000_000 });
    for since in [0, 29] {
        let error = reader.page(&EventQuery { since, ..EventQuery::default() }).expect_err("there is a gap");
        assert!(is_gap(&error.cause), "{error}");
    }
    let error = reader.events_after(29).next().expect("an end").expect_err("there is a gap");
    assert!(is_gap(&error.cause), "{error}");
    let before = EventQuery { until: Some(29), ..EventQuery::default() };
    assert_eq!(seqs(&reader, &before).1, 29, "what is before it can be read");
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
    assert!(matches!(refusal().cause, Cause::UnknownVersion { found: 0, known: 3 }), "{}", refusal());
    connection.pragma_update(None, "user_version", 4).expect("a version can be given");
    assert!(matches!(refusal().cause, Cause::UnknownVersion { found: 4, known: 3 }), "{}", refusal());
    connection.pragma_update(None, "user_version", 3).expect("a version can be given");
    assert!(refusal().to_string().contains("no such table: kind"), "{}", refusal());
}

/// An event as an SQL query returns it: its JSON, its number and time, its kind, its node.
type Told = (String, (u64, u64), String, Option<u32>);

/// SQL queries with the view return the same events as the API.
#[test]
fn the_view_shows_every_event_as_it_is_read() {
    let folder = Folder::new();
    let (_, journal) = begun(&folder);
    let others = [
        r#"{"seq":21,"at_us":0,"kind":"noted","detail":",\"step\":it's \u0001 \u001f"}"#,
        r#"{"seq":22,"at_us":7,"kind":"misbehaved","node":0,"detail":"\n"}"#,
        r#"{"seq":23,"at_us":9007199254740991,"kind":"started","node":3,"incarnation":1,"pid":14479}"#,
        r#"{"seq":24,"at_us":8,"kind":"held","message":"0.1.2","from":0,"to":1,"message_kind":"\u007fASK"}"#,
    ];
    let others = others.map(|text| serde_json::from_str::<Event>(text).expect("an event"));
    journal.append(&mut events(1..=20).into_iter().chain(others).collect());
    journal.finish(Status::Stopped, None).expect("it can be finished");
    let connection = Connection::open(journal.path()).expect("a database");
    let mut select = connection.prepare("SELECT event, seq, at_us, kind, node FROM event ORDER BY seq").expect("SQL");
    let row = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, (row.get(1)?, row.get(2)?), row.get(3)?, row.get(4)?));
    let told = select.query_map([], row).expect("an answer").collect::<Result<Vec<Told>, _>>().expect("rows");
    let page = opened(journal.path()).page(&EventQuery::default()).expect("a page");
    assert_eq!(told.iter().map(|(text, ..)| text).collect::<Vec<_>>(), page.items.iter().collect::<Vec<_>>());
    for (text, numbers, kind, node) in &told {
        let event: Event = serde_json::from_str(text).expect("an event");
        let node_of = event.node().map(|node| node.0);
        assert_eq!((*numbers, &**kind, *node), ((event.seq, event.at_us), event.kind(), node_of));
    }
    assert_eq!(told.len(), 24);
}

/// The compact form is short, since each frequent text takes only one byte.
#[test]
fn an_event_takes_less_than_half_of_what_is_said_of_it() {
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
    assert!(2 * kept < said, "{kept} bytes are kept of {said}");
}
