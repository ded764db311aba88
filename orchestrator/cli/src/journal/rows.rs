//! The result of an SQL query, row by row, in each of the output formats.

use std::fmt::Write as _;
use std::io::{self, Write};

use clap::ValueEnum;
use interlock_observation::trace::words::on_one_line;
use interlock_orchestrator::journal::{Answer, SqlValue};
use serde_json::Value;
use textwrap::core::display_width;

use crate::terminal;

/// Number of rows that determine the widths of the columns. All further rows are printed at once, so that a long
/// result needs no memory.
const MEASURED: usize = 1_000;

/// Output format of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Table for people
    Table,
    /// JSON for scripts: a list with an object for each row
    Json,
    /// CSV for spreadsheets
    Csv,
}

/// The rows of a result, which are printed to standard output.
pub enum Rows {
    /// Rows with aligned columns.
    Table(Table),
    /// Objects, with the names of the columns, and whether a row has been printed.
    Json { columns: Vec<String>, has_rows: bool, out: Box<dyn Write> },
    /// Lines with separators.
    Csv(Box<csv::Writer<Box<dyn Write>>>),
}

impl Rows {
    /// Creates a result without rows.
    pub fn new(format: Format) -> Self {
        match format {
            Format::Table => Self::Table(Table::new(Box::new(terminal::text()))),
            Format::Json => Self::Json { columns: Vec::new(), has_rows: false, out: Box::new(terminal::json()) },
            Format::Csv => Self::Csv(Box::new(csv::Writer::from_writer(Box::new(terminal::document())))),
        }
    }

    /// Prints the stored rows and the end of the result.
    pub fn end(&mut self) -> io::Result<()> {
        match self {
            Self::Table(table) => table.end(),
            Self::Json { has_rows, out, .. } => {
                out.write_all(if *has_rows { b"\n]\n" } else { b"]\n" })?;
                out.flush()
            }
            Self::Csv(out) => out.flush(),
        }
    }
}

impl Answer for Rows {
    fn begin(&mut self, names: &[&str]) -> io::Result<()> {
        match self {
            Self::Table(table) => table.push(names.iter().map(|name| Cell::text(name)).collect()),
            Self::Json { columns, out, .. } => {
                *columns = names.iter().map(|name| (*name).to_owned()).collect();
                out.write_all(b"[")
            }
            Self::Csv(out) => Ok(out.write_record(names)?),
        }
    }

    fn row(&mut self, row: &[SqlValue<'_>]) -> io::Result<()> {
        match self {
            Self::Table(table) => table.push(row.iter().map(Cell::of).collect()),
            Self::Json { columns, has_rows, out } => {
                out.write_all(if std::mem::replace(has_rows, true) { b",\n  {" } else { b"\n  {" })?;
                for (place, (column, value)) in columns.iter().zip(row).enumerate() {
                    let comma = if place > 0 { ", " } else { "" };
                    write!(out, "{comma}{}: {}", Value::from(column.as_str()), json(value))?;
                }
                out.write_all(b"}")
            }
            Self::Csv(out) => Ok(out.write_record(row.iter().map(text))?),
        }
    }
}

/// Rows of a table. The first rows determine the widths of the columns.
pub struct Table {
    out: Box<dyn Write>,
    rows: Vec<Vec<Cell>>,
    /// Widths of the columns; none while rows are stored.
    widths: Option<Vec<usize>>,
}

struct Cell {
    text: String,
    is_number: bool,
}

impl Cell {
    fn text(text: &str) -> Self {
        Self { text: on_one_line(text), is_number: false }
    }

    fn of(value: &SqlValue<'_>) -> Self {
        let is_number = matches!(value, SqlValue::Integer(_) | SqlValue::Real(_));
        Self { text: on_one_line(&text(value)), is_number }
    }
}

impl Table {
    const fn new(out: Box<dyn Write>) -> Self {
        Self { out, rows: Vec::new(), widths: None }
    }

    fn push(&mut self, row: Vec<Cell>) -> io::Result<()> {
        if let Some(widths) = &self.widths {
            return print(&mut self.out, widths, &row);
        }
        self.rows.push(row);
        if self.rows.len() > MEASURED { self.measure() } else { Ok(()) }
    }

    /// Determines the widths of the columns and prints the stored rows.
    fn measure(&mut self) -> io::Result<()> {
        let columns = self.rows.first().map_or(0, Vec::len);
        let width = |column: usize| self.rows.iter().map(|row| display_width(&row[column].text)).max().unwrap_or(0);
        let widths: Vec<usize> = (0..columns).map(width).collect();
        for row in self.rows.drain(..) {
            print(&mut self.out, &widths, &row)?;
        }
        self.widths = Some(widths);
        Ok(())
    }

    fn end(&mut self) -> io::Result<()> {
        self.measure()?;
        self.out.flush()
    }
}

/// Prints a row. Numbers are aligned to the right.
fn print(out: &mut impl Write, widths: &[usize], row: &[Cell]) -> io::Result<()> {
    let mut line = String::new();
    for (cell, width) in row.iter().zip(widths) {
        let space = " ".repeat(width.saturating_sub(display_width(&cell.text)));
        // Writing to a string does not fail.
        let _ = if cell.is_number {
            write!(line, "{space}{}  ", cell.text)
        } else {
            write!(line, "{}{space}  ", cell.text)
        };
    }
    writeln!(out, "{}", line.trim_end())
}

/// Returns a value as text. `NULL` is the empty text, and a blob is hexadecimal.
fn text(value: &SqlValue<'_>) -> String {
    match value {
        SqlValue::Null => String::new(),
        SqlValue::Integer(number) => number.to_string(),
        SqlValue::Real(number) => number.to_string(),
        SqlValue::Text(text) => String::from_utf8_lossy(text).into_owned(),
        SqlValue::Blob(bytes) => bytes.iter().fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        }),
    }
}

fn json(value: &SqlValue<'_>) -> Value {
    match value {
        SqlValue::Null => Value::Null,
        SqlValue::Integer(number) => Value::from(*number),
        SqlValue::Real(number) => Value::from(*number),
        SqlValue::Text(_) | SqlValue::Blob(_) => Value::from(text(value)),
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::rc::Rc;

    use super::*;

    /// Output that a test can read.
    #[derive(Clone, Default)]
    struct Shared(Rc<RefCell<Vec<u8>>>);

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.borrow_mut().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn printed(new: impl FnOnce(Box<dyn Write>) -> Rows, rows: &[&[SqlValue<'_>]]) -> String {
        let out = Shared::default();
        let mut result = new(Box::new(out.clone()));
        result.begin(&["kind", "n"]).expect("printed");
        rows.iter().try_for_each(|row| result.row(row)).and_then(|()| result.end()).expect("printed");
        let bytes = out.0.take();
        String::from_utf8(bytes).expect("text")
    }

    const ROWS: [&[SqlValue<'_>]; 3] = [
        &[SqlValue::Text(b"sent\nto"), SqlValue::Integer(12)],
        &[SqlValue::Text("ž,\"".as_bytes()), SqlValue::Real(0.5)],
        &[SqlValue::Blob(&[1, 0xAB]), SqlValue::Null],
    ];

    #[test]
    fn every_format_shows_every_value() {
        let table = |rows: &[&[SqlValue<'_>]]| printed(|out| Rows::Table(Table::new(out)), rows);
        let expected = ["kind         n", "sent\\u{a}to   12", "ž,\"          0.5", "01ab"];
        assert_eq!(table(&ROWS).lines().count(), expected.len(), "{}", table(&ROWS));
        assert!(table(&ROWS).lines().all(|line| line == line.trim_end()), "{}", table(&ROWS));
        assert_eq!(table(&[]), "kind  n\n");
        let json =
            |rows: &[&[SqlValue<'_>]]| printed(|out| Rows::Json { columns: Vec::new(), has_rows: false, out }, rows);
        let read: Value = serde_json::from_str(&json(&ROWS)).expect("JSON");
        let expected = serde_json::json!([
            { "kind": "sent\nto", "n": 12 }, { "kind": "ž,\"", "n": 0.5 }, { "kind": "01ab", "n": null },
        ]);
        assert_eq!(read, expected);
        assert_eq!(json(&[]), "[]\n");
        let csv = printed(|out| Rows::Csv(Box::new(csv::Writer::from_writer(out))), &ROWS);
        assert_eq!(csv, "kind,n\n\"sent\nto\",12\n\"ž,\"\"\",0.5\n01ab,\n");
    }

    #[test]
    fn a_long_table_is_printed_as_it_comes() {
        let out = Shared::default();
        let mut table = Table::new(Box::new(out.clone()));
        for number in 0..5_000 {
            table.push(vec![Cell::of(&SqlValue::Integer(number))]).expect("printed");
            assert!(table.rows.len() <= MEASURED);
        }
        table.end().expect("printed");
        let printed = String::from_utf8(out.0.take()).expect("text");
        let numbers: Vec<i64> = printed.lines().map(|line| line.trim().parse().expect("a number")).collect();
        assert_eq!(numbers, (0..5_000).collect::<Vec<_>>());
        assert!(printed.starts_with("   0\n"), "numbers are aligned to the right");
    }
}
