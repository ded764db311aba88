//! Tests of blocks: how events come to be in them, and what happens if they are damaged.

use std::path::PathBuf;

use flate2::{Compress, Compression, FlushCompress};
use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, params};

use super::super::block::unpack;
use super::super::{Cause, Damage, EventQuery, Journal, Reader, Status};
use super::{Folder, begun, events};
use interlock_model::event::{Event, Json, What};

/// Writes each of the events `first..=last` in a transaction of its own.
async fn one_by_one(journal: &Journal, first: u64, last: u64) {
    for seq in first..=last {
        journal.append(&mut events(seq..=seq));
        journal.flushed(seq).await.expect("it is written");
    }
}

/// Returns the blocks of a journal: the last event, the number of events, and the type of the text.
fn blocks(journal: &Journal) -> Vec<(u64, u64, String)> {
    let connection = Connection::open(journal.path()).expect("a database");
    let mut select = connection.prepare("SELECT last, events, typeof(text) FROM block ORDER BY last").expect("SQL");
    let rows = select.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).expect("rows");
    rows.collect::<Result<_, _>>().expect("rows")
}

#[tokio::test]
async fn few_events_stay_loose_until_they_are_packed_together() {
    let folder = Folder::new();
    let (header, journal) = begun(&folder);
    let reader = Reader::open(folder.path(), header.id).expect("a journal");
    one_by_one(&journal, 1, 63).await;
    assert_eq!(blocks(&journal).len(), 63);
    assert!(blocks(&journal).iter().all(|(_, events, kind)| (*events, &**kind) == (1, "text")));
    one_by_one(&journal, 64, 66).await;
    let (text, blob) = ("text".to_owned(), "blob".to_owned());
    assert_eq!(blocks(&journal), [(64, 64, blob.clone()), (65, 1, text.clone()), (66, 1, text)]);
    let read: Vec<_> = reader.events_after(0).collect::<Result<_, _>>().expect("events");
    assert_eq!(read, events(1..=66));

    journal.append(&mut events(67..=1_066));
    journal.finish(Status::Stopped, None).expect("it can be finished");
    let blocks = blocks(&journal);
    assert!(blocks.iter().all(|(_, events, kind)| (*events <= 256 && *kind == blob) || *events < 64), "{blocks:?}");
    assert_eq!(blocks.iter().map(|(_, events, _)| events).sum::<u64>(), 1_066);
    let read: Vec<_> = reader.events_after(0).collect::<Result<_, _>>().expect("events");
    assert_eq!(read, events(1..=1_066));
}

/// Blocks are limited in bytes as well, so that a reader of one event need not decompress many large events.
#[test]
fn large_events_make_blocks_of_few_events() {
    let folder = Folder::new();
    let (_, journal) = begun(&folder);
    let noted = |seq| Event { seq, at_us: seq, what: What::Noted { detail: "x".repeat(100_000).into() } };
    journal.append(&mut (1..=9).map(noted).collect());
    journal.finish(Status::Stopped, None).expect("it can be finished");
    let found: Vec<u64> = blocks(&journal).into_iter().map(|(_, events, _)| events).collect();
    assert_eq!(found, [3, 3, 3]);
}

/// JSON may contain white space between its parts, and any character in escaped form.
#[test]
fn events_come_back_byte_for_byte() {
    let folder = Folder::new();
    let (header, journal) = begun(&folder);
    let specification: Json =
        serde_json::from_str::<&serde_json::value::RawValue>("{\n\t\"a\" :\r\n1}").map(Json::from).expect("JSON");
    let mut all = vec![Event { seq: 1, at_us: 0, what: What::Created { specification, warnings: Vec::new() } }];
    let details = ["", ",\"step\":", "\u{1}\u{1e}\u{1f}\u{0}", "a,\"node\":7", "\\", "čau, 世界", "\n\t\r\u{7f}\u{85}"];
    all.extend((2..).zip(details).map(|(seq, detail)| Event {
        seq,
        at_us: 1,
        what: What::Noted { detail: detail.into() },
    }));
    let count = all.len() as u64;
    all.extend(events(count + 1..=count + 400));
    let expected: Vec<String> = all
        .iter()
        .map(|event| {
            let mut json = Vec::new();
            event.write_json(&mut json).expect("JSON");
            String::from_utf8(json).expect("UTF-8")
        })
        .collect();
    journal.append(&mut all.drain(..5).collect());
    journal.append(&mut all);
    journal.finish(Status::Stopped, None).expect("it can be finished");
    let page = Reader::open(folder.path(), header.id).and_then(|reader| reader.page(&EventQuery::default()));
    assert_eq!(page.expect("a page").items, expected);
}

/// A journal with 300 events in blocks of 256 and 44 events.
fn finished(folder: &Folder) -> PathBuf {
    let (_, journal) = begun(folder);
    journal.append(&mut events(1..=300));
    journal.finish(Status::Stopped, None).expect("it can be finished");
    let found = blocks(&journal);
    assert_eq!(found.iter().map(|(last, ..)| *last).collect::<Vec<_>>(), [256, 300], "{found:?}");
    journal.path().to_owned()
}

fn zlib(text: &[u8]) -> Vec<u8> {
    let mut packed = Vec::with_capacity(text.len() + 1_000);
    Compress::new(Compression::fast(), true).compress_vec(text, &mut packed, FlushCompress::Finish).expect("packed");
    packed
}

/// If the first block is damaged, the error names the block, and the memory is limited.
#[test]
fn a_damaged_block_is_named() {
    type Is = fn(&Damage) -> bool;
    let folder = Folder::new();
    let path = finished(&folder);
    let connection = Connection::open(&path).expect("a database");
    let select = "SELECT events, bytes, text FROM block WHERE last = 256";
    let (events, bytes, whole): (i64, i64, Vec<u8>) =
        connection.query_row(select, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).expect("a block");
    let mut text = String::new();
    unpack(bytes.unsigned_abs(), ValueRef::Blob(&whole), &mut text).expect("a text");
    let changed = |change: fn(&mut Vec<u8>)| {
        let mut changed = whole.clone();
        change(&mut changed);
        Value::Blob(changed)
    };
    let of = |text: &str| (i64::try_from(text.len()).expect("small"), Value::Blob(zlib(text.as_bytes())));
    let is_compression: Is = |damage| matches!(damage, Damage::Compression(_));
    let is_length: Is = |damage| matches!(damage, Damage::Length);
    let is_sequence: Is = |damage| matches!(damage, Damage::Sequence(256));
    let is_columns: Is = |damage| matches!(damage, Damage::Columns);
    let is_large: Is = |damage| matches!(damage, Damage::Large(_));
    let stored = || Value::Blob(whole.clone());
    let with = |events: i64, (bytes, text): (i64, Value), is: Is| (events, bytes, text, is);
    let one_less = text.rfind('\u{1e}').expect("an event");
    let cases = [
        with(events, (bytes, changed(|text| text.truncate(text.len() / 2))), is_compression),
        with(events, (bytes, changed(Vec::clear)), is_compression),
        with(events, (bytes, changed(|text| text[0] = 0xFF)), is_compression),
        with(events, (bytes, changed(|text| *text.last_mut().expect("a byte") ^= 1)), is_compression),
        with(events, (bytes, Value::Blob(zlib(&[0xFF; 10]))), is_compression),
        // A small text that decompresses to much more than the journal says.
        with(events, (1_000, Value::Blob(zlib(&vec![b' '; 1 << 24]))), is_length),
        with(events, (bytes + 1, stored()), is_length),
        with(events, (bytes, Value::Text(text.clone() + " ")), is_length),
        with(events, (1 << 40, stored()), is_large),
        with(events, (bytes, Value::Integer(7)), is_columns),
        with(0, (bytes, stored()), is_columns),
        with(257, (bytes, stored()), is_columns),
        with(events, of(&text[..one_less]), is_sequence),
        with(events, of(&(text.clone() + &text[one_less..])), is_sequence),
        with(events, of(&format!(" {text}")), is_sequence),
        with(events, of(&text.replace('\n', "")), is_sequence),
        with(events, of(&text.replace("at_us", "AT_US")), is_sequence),
        with(events, of(""), is_sequence),
    ];
    for (place, (events, bytes, text, is_expected)) in cases.into_iter().enumerate() {
        let update = "UPDATE block SET events = ?1, bytes = ?2, text = ?3 WHERE last = 256";
        connection.execute(update, params![events, bytes, text]).expect("it can be damaged");
        let reader = Reader::open_file(&path).expect("a journal");
        let error = reader.page(&EventQuery::default()).expect_err("it is damaged");
        let Cause::Block { last: 256, damage } = &error.cause else { panic!("case {place}: {error}") };
        assert!(is_expected(damage), "case {place}: {error}");
        assert!(error.to_string().contains("the block of events that ends with event 256 is damaged: "), "{error}");
        let later = EventQuery { since: 256, ..EventQuery::default() };
        assert_eq!(reader.page(&later).expect("another block").items.len(), 44, "case {place}");
    }
}

#[test]
fn an_event_in_the_wrong_place_is_noticed() {
    let folder = Folder::new();
    let path = finished(&folder);
    let connection = Connection::open(&path).expect("a database");
    let gap = |change: &str| {
        connection.execute(change, []).expect("it can be changed");
        let reader = Reader::open_file(&path).expect("a journal");
        match reader.page(&EventQuery::default()).expect_err("it is out of order").cause {
            Cause::Gap { expected, found } => (expected, found),
            cause => panic!("{change}: {cause}"),
        }
    };
    // The blocks overlap, leave a gap, or contain other events than their columns say.
    assert_eq!(gap("UPDATE block SET events = 45 WHERE last = 300"), (257, 256));
    assert_eq!(gap("UPDATE block SET events = 43 WHERE last = 300"), (257, 258));
    assert_eq!(gap("UPDATE block SET events = 44, last = last + 1000 WHERE last = 300"), (257, 1_257));
    let other = "UPDATE block SET last = 44, text = (SELECT text FROM block WHERE last = 1300),
        bytes = (SELECT bytes FROM block WHERE last = 1300), events = 44 WHERE last = 256";
    assert_eq!(gap(other), (1, 257));
}

/// A block whose events all have other kinds is not read, so its text does not matter.
#[test]
fn blocks_without_the_wanted_kinds_are_passed_over() {
    let folder = Folder::new();
    let path = finished(&folder);
    let connection = Connection::open(&path).expect("a database");
    connection.execute("UPDATE block SET text = x'00' WHERE last = 256", []).expect("it can be damaged");
    let reader = Reader::open_file(&path).expect("a journal");
    let wanted = |kind: &str, until| {
        let kinds = vec![kind.to_owned()];
        reader.page(&EventQuery { until, kinds, ..EventQuery::default() })
    };
    assert_eq!(wanted("violated", None).expect("no event").next_since, 300);
    assert_eq!(wanted("violated", Some(100)).expect("no event").next_since, 100);
    assert!(wanted("sent", None).is_err());
}
