//! Tests of SQL queries, and of plain copies of journals.

use std::io;
use std::path::Path;

use rusqlite::Connection;

use super::super::{Answer, EventQuery, Queryable, Reader, SqlError, SqlValue, Status, copy_plain};
use super::{Folder, begun, events};
use interlock_model::event::Event;

/// Returns a journal with events of several kinds, with and without nodes.
fn journal(folder: &Folder) -> Reader {
    let (header, journal) = begun(folder);
    let others = [
        r#"{"seq":201,"at_us":0,"kind":"noted","detail":",\"step\":it's \u0001 \u001f"}"#,
        r#"{"seq":202,"at_us":7,"kind":"misbehaved","node":0,"detail":"\n"}"#,
        r#"{"seq":203,"at_us":9007199254740991,"kind":"put","resource":"r","value":1,"node":3}"#,
        r#"{"seq":204,"at_us":8,"kind":"held","message":"0.1.2","from":0,"to":1,"message_kind":"\u007fASK"}"#,
    ];
    let others = others.map(|text| serde_json::from_str::<Event>(text).expect("an event"));
    journal.append(&mut events(1..=200).into_iter().chain(others).collect());
    journal.finish(Status::Failed, Some("so")).expect("it can be finished");
    Reader::open(folder.path(), header.id).expect("a journal")
}

/// An event as an SQL query returns it: its JSON, its number and time, its kind, its node.
type Told = (String, (u64, u64), String, Option<u32>);

fn rows(path: &Path) -> Vec<Told> {
    let connection = Connection::open(path).expect("a database");
    let mut select = connection.prepare("SELECT event, seq, at_us, kind, node FROM event ORDER BY seq").expect("SQL");
    let row = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, (row.get(1)?, row.get(2)?), row.get(3)?, row.get(4)?));
    select.query_map([], row).expect("an answer").collect::<Result<_, _>>().expect("rows")
}

#[test]
fn a_plain_copy_is_a_journal_with_the_same_events() {
    let folder = Folder::new();
    let reader = journal(&folder);
    let path = folder.path().join("plain.sqlite");
    copy_plain(&reader, &path).expect("a copy");
    let told = rows(&path);
    let page = reader.page(&EventQuery::default()).expect("a page");
    assert_eq!(told.iter().map(|(text, ..)| text).collect::<Vec<_>>(), page.items.iter().collect::<Vec<_>>());
    for (text, numbers, kind, node) in &told {
        let event: Event = serde_json::from_str(text).expect("an event");
        let node_of = event.node().map(|node| node.0);
        assert_eq!((*numbers, &**kind, *node), ((event.seq, event.at_us), event.kind(), node_of));
    }
    assert_eq!(told.len(), 204);

    let copy = Reader::open_file(&path).expect("a journal");
    let facts = |reader: &Reader| reader.run().map(|run| (run.header, run.status, run.because)).expect("facts");
    assert_eq!(facts(&copy), facts(&reader));
    assert_eq!(copy.page(&EventQuery::default()).expect("a page"), page);
    let again = folder.path().join("again.sqlite");
    copy_plain(&copy, &again).expect("a copy of the copy");
    assert_eq!(rows(&again), told);
    let refused = copy_plain(&reader, &path).expect_err("the file exists").to_string();
    assert!(refused.contains("plain.sqlite: cannot be created: File exists"), "{refused}");
    assert_eq!(rows(&path), told, "it is as before");
}

#[test]
fn a_copy_of_a_damaged_journal_is_removed() {
    let folder = Folder::new();
    let reader = journal(&folder);
    let connection = Connection::open(folder.path().join(format!("{}.sqlite", reader.header().expect("a head").id)));
    connection.expect("a database").execute("UPDATE block SET text = x'00'", []).expect("it can be damaged");
    let path = folder.path().join("plain.sqlite");
    let refused = copy_plain(&reader, &path).expect_err("it is damaged").to_string();
    assert!(refused.contains("is damaged") && !path.exists(), "{refused}");
}

/// The lines of an answer: the names of the columns, and the values of each row.
#[derive(Default)]
struct Lines(Vec<String>);

impl Answer for Lines {
    fn begin(&mut self, columns: &[&str]) -> io::Result<()> {
        self.0.push(columns.join(" "));
        Ok(())
    }

    fn row(&mut self, values: &[SqlValue<'_>]) -> io::Result<()> {
        self.0.push(format!("{values:?}"));
        Ok(())
    }
}

fn asked(journal: &Queryable, query: &str) -> Result<Vec<String>, SqlError> {
    let mut lines = Lines::default();
    journal.query(query, &mut lines).map(|()| lines.0)
}

#[test]
fn a_query_that_reads_is_answered_and_no_other() {
    let folder = Folder::new();
    let journal = Queryable::new(&journal(&folder)).expect("a copy");
    let told = asked(&journal, "SELECT kind, count(*) AS n FROM event GROUP BY kind ORDER BY n DESC LIMIT 1; -- all\n");
    let text = format!("[{:?}, Integer(100)]", SqlValue::Text(b"sent"));
    let other = format!("[{:?}, Integer(100)]", SqlValue::Text(b"delivered"));
    let told = told.expect("rows");
    assert!(told == ["kind n", &*text] || told == ["kind n", &*other], "{told:?}");
    assert_eq!(asked(&journal, "SELECT node FROM event WHERE seq > 202").expect("rows").len(), 3);
    assert_eq!(asked(&journal, "SELECT 1 WHERE 0").expect("no rows"), ["1"]);

    let file = folder.path().join("written.sqlite");
    for change in [
        "DELETE FROM event".to_owned(),
        "CREATE TABLE t (x)".to_owned(),
        "PRAGMA user_version = 7".to_owned(),
        "PRAGMA journal_mode = WAL".to_owned(),
        format!("VACUUM INTO '{}'", file.display()),
        format!("ATTACH '{}' AS other", file.display()),
        "SELECT 1; DELETE FROM event".to_owned(),
        "SELECT knid FROM event".to_owned(),
        String::new(),
        "-- nothing".to_owned(),
    ] {
        let refused = asked(&journal, &change).expect_err(&change);
        assert!(matches!(refused, SqlError::NotReading | SqlError::Query(_)), "{change}: {refused}");
    }
    assert!(!file.exists());
    for change in ["DELETE FROM event RETURNING seq", "PRAGMA journal_mode = WAL"] {
        let refused = asked(&journal, change).expect_err(change);
        assert!(matches!(refused, SqlError::NotReading), "{change}: {refused}");
    }
    assert_eq!(asked(&journal, "SELECT count(*) FROM event").expect("rows")[1], "[Integer(204)]");
}
