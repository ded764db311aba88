//! Damages journals: the API must return the parts that are still readable, and report errors for the unreadable
//! parts.

use std::fs;
use std::path::Path;

use axum::body::to_bytes;
use axum::http::{HeaderValue, Method, StatusCode, header};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use rusqlite::types::Value as Cell;
use rusqlite::{Connection, params};
use serde_json::Value;
use tokio::runtime::Builder;
use tower::ServiceExt;
use uuid::Uuid;

use super::arbitrary::{lines_of_a_run, written};
use super::{Server, request};
use crate::arbitrary::{Change, changed, changes, each};

/// Paths of the API that return data of a run, each with its format, such as NDJSON or CSV.
pub const READ: [(&str, &str); 14] = [
    ("", "application/json"),
    ("/state", "application/json"),
    ("/state?at=5", "application/json"),
    ("/nodes", "application/json"),
    ("/events?limit=10000", "application/json"),
    ("/events", "application/x-ndjson"),
    ("/events", "text/csv"),
    ("/history?limit=1000", "application/json"),
    ("/violations", "application/json"),
    ("/metrics", "application/json"),
    ("/schedule", "application/json"),
    ("/choices", "application/json"),
    ("/trace?as=story", "*/*"),
    ("/trace?as=shiviz", "*/*"),
];

/// A kind of damage to a journal.
#[derive(Clone, Debug)]
enum Damage {
    /// One byte is changed.
    Byte(Index, u8),
    /// The file is truncated at an arbitrary position.
    End(Index),
    /// A field of a table has another value.
    Field(Index, Index, Cell),
    /// The JSON document in a field has changes.
    Document(Index, Index, Vec<Change>),
    /// A row is deleted.
    Row(Index),
}

fn damages() -> impl Strategy<Value = Vec<Damage>> {
    let cell = prop_oneof![
        Just(Cell::Null),
        select(vec![0, 1, -1, i64::MAX, i64::MIN, 4_000_000_000]).prop_map(Cell::Integer),
        any::<f64>().prop_map(Cell::Real),
        "\\PC{0,20}".prop_map(Cell::Text),
        vec(any::<u8>(), 0..8).prop_map(Cell::Blob),
    ];
    let index = any::<Index>;
    let damage = prop_oneof![
        2 => (index(), any::<u8>()).prop_map(|(place, byte)| Damage::Byte(place, byte)),
        1 => index().prop_map(Damage::End),
        4 => (index(), index(), cell).prop_map(|(row, field, cell)| Damage::Field(row, field, cell)),
        6 => (index(), index(), changes()).prop_map(|(row, field, changes)| Damage::Document(row, field, changes)),
        1 => index().prop_map(Damage::Row),
    ];
    vec(damage, 1..4)
}

/// Returns the table and the row id of each row of a journal.
fn rows(connection: &Connection) -> Vec<(String, i64)> {
    let mut rows = Vec::new();
    for table in ["run", "kind", "kept", "snapshot"] {
        let Ok(mut select) = connection.prepare(&format!("SELECT rowid FROM {table}")) else { continue };
        let Ok(found) = select.query_map([], |row| row.get(0)) else { continue };
        rows.extend(found.flatten().map(|row| (table.to_owned(), row)));
    }
    rows
}

/// Returns the names of a table's columns. A name that is not text, which a damaged schema can contain, is
/// omitted.
fn columns(connection: &Connection, table: &str) -> Vec<String> {
    let Ok(mut select) = connection.prepare("SELECT name FROM pragma_table_info(?1)") else { return Vec::new() };
    let Ok(names) = select.query_map([table], |row| row.get(0)) else { return Vec::new() };
    names.filter_map(Result::ok).collect()
}

/// Applies a kind of damage to a journal, unless earlier damage makes that impossible.
fn damage(path: &Path, damage: &Damage) {
    match damage {
        Damage::Byte(place, byte) => {
            let mut bytes = fs::read(path).expect("the journal");
            if !bytes.is_empty() {
                let place = place.index(bytes.len());
                bytes[place] = *byte;
            }
            fs::write(path, bytes).expect("the journal");
        }
        Damage::End(end) => {
            let mut bytes = fs::read(path).expect("the journal");
            bytes.truncate(end.index(bytes.len() + 1));
            fs::write(path, bytes).expect("the journal");
        }
        Damage::Field(row, field, cell) => within(path, *row, |connection, table, row| {
            let columns = columns(connection, table);
            let column = field.get(&columns);
            let _ =
                connection.execute(&format!("UPDATE {table} SET {column} = ?1 WHERE rowid = ?2"), params![cell, row]);
        }),
        Damage::Document(row, field, changes) => within(path, *row, |connection, table, row| {
            let columns = columns(connection, table);
            let column = field.get(&columns);
            let select = format!("SELECT {column} FROM {table} WHERE rowid = ?1");
            let Ok(text) = connection.query_row(&select, [row], |row| row.get::<_, String>(0)) else { return };
            let Ok(document) = serde_json::from_str::<Value>(&text) else { return };
            let text = changed(document, changes).to_string();
            let _ =
                connection.execute(&format!("UPDATE {table} SET {column} = ?1 WHERE rowid = ?2"), params![text, row]);
        }),
        Damage::Row(row) => within(path, *row, |connection, table, row| {
            let _ = connection.execute(&format!("DELETE FROM {table} WHERE rowid = ?1"), [row]);
        }),
    }
}

/// Applies an action to one of the rows of a journal, if the journal can be opened and has rows.
fn within(path: &Path, row: Index, action: impl FnOnce(&Connection, &str, i64)) {
    let Ok(connection) = Connection::open(path) else { return };
    let rows = rows(&connection);
    if !rows.is_empty() {
        let (table, row) = row.get(&rows);
        action(&connection, table, *row);
    }
}

/// Returns the status and the body of an answer. Returns no body if a stream ends early because the server cannot
/// read the next part.
pub async fn read_as(server: &Server, run: Uuid, path: &str, accept: &'static str) -> (StatusCode, Option<Value>) {
    let mut request = request(Method::GET, &format!("/api/v1/runs/{run}{path}"), None);
    request.headers_mut().insert(header::ACCEPT, HeaderValue::from_static(accept));
    let response = server.router.clone().oneshot(request).await.expect("a router always answers");
    let status = response.status();
    let is_streamed = accept.starts_with("text/") || accept.ends_with("x-ndjson");
    match to_bytes(response.into_body(), usize::MAX).await {
        Ok(bytes) => (status, Some(serde_json::from_slice(&bytes).unwrap_or_default())),
        Err(error) => {
            assert!(is_streamed, "{path}: {error}");
            (status, None)
        }
    }
}

#[test]
fn any_journal_is_read_or_said_to_be_unreadable() {
    let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
    let (server, id, whole) = runtime.block_on(async {
        let server = Server::start().await;
        let mut import = request(Method::POST, "/api/v1/runs/import", Some(written(&lines_of_a_run())));
        import.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/x-ndjson"));
        let loaded = server.send(import).await;
        assert_eq!(loaded.status, 201, "{}", loaded.text);
        let id: Uuid = loaded.json()["id"].as_str().expect("an id").parse().expect("a UUID");
        let whole = fs::read(server.folder.join(format!("{id}.sqlite"))).expect("the journal");
        (server, id, whole)
    });
    for (read, accept) in READ {
        let (status, answer) = runtime.block_on(read_as(&server, id, read, accept));
        assert!(status == 200 && answer.is_some(), "{read}: {status}");
    }
    let path = server.folder.join(format!("{id}.sqlite"));
    each((damages(), option::of(any::<Index>())), |(damages, at)| {
        fs::write(&path, &whole).expect("the journal");
        for what in &damages {
            damage(&path, what);
        }
        runtime.block_on(async {
            let at = at.map(|at| format!("/state?at={}", at.index(200)));
            for (read, accept) in READ.into_iter().chain(at.as_deref().map(|at| (at, "*/*"))) {
                let (status, answer) = read_as(&server, id, read, accept).await;
                let problem = answer.unwrap_or_default();
                let is_said = status.as_u16() < 500 || problem["type"] != "/problems/broken";
                assert!(is_said && status != 400, "{read}: {status} {problem}");
            }
            let listed = server.get("/api/v1/runs").await;
            assert_eq!(listed.status, 200, "{}", listed.text);
        });
        for file in fs::read_dir(&server.folder).expect("the folder").flatten() {
            let name = file.file_name().to_string_lossy().into_owned();
            if name.contains("-wal") || name.contains("-shm") || name.contains("-journal") {
                let _ = fs::remove_file(file.path());
            }
        }
    });
    let gone = runtime.block_on(server.send(request(Method::DELETE, &format!("/api/v1/runs/{id}"), None)));
    assert_eq!(gone.status, 204, "{}", gone.text);
}
