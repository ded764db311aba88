//! Prints the results as CSV, with one row for each algorithm and number of nodes. The first columns contain the
//! configuration. Each figure that occurs in at least one row has a column.

use std::io::{self, Write};

use interlock_observation::trace::words::in_a_cell;
use serde_json::Value;

use super::row::Row;

/// Names of the first columns.
const FIRST: [&str; 5] = ["algorithm", "variant", "nodes", "seed", "messages_per_entry"];
/// Fields that have no column, because they are lists of single runs, or sentences.
const LEFT_OUT: [&str; 2] = ["runs", "found"];

/// Writes all rows in CSV format.
pub fn write(out: &mut impl Write, rows: &[Row]) -> io::Result<()> {
    let rows: Vec<Vec<(String, String)>> = rows.iter().map(cells).collect();
    let mut columns: Vec<&str> = FIRST.to_vec();
    let mut others: Vec<&str> = rows.iter().flatten().map(|(column, _)| column.as_str()).collect();
    others.sort_unstable();
    others.dedup();
    columns.extend(others.into_iter().filter(|column| !FIRST.contains(column)));
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(&columns)?;
    for row in &rows {
        let cell = |column: &&str| row.iter().find(|(name, _)| name == column).map_or("", |(_, text)| text);
        writer.write_record(columns.iter().map(cell))?;
    }
    writer.flush()
}

/// Returns the values in a row, each with the path of its field, such as `client_delay.mean`.
fn cells(row: &Row) -> Vec<(String, String)> {
    let mut cells = Vec::new();
    for (name, value) in row.document.iter().filter(|(name, _)| !LEFT_OUT.contains(&name.as_str())) {
        flatten(name, value, &mut cells);
    }
    cells
}

fn flatten(path: &str, value: &Value, cells: &mut Vec<(String, String)>) {
    let text = match value {
        Value::Object(map) => {
            map.iter().for_each(|(name, value)| flatten(&format!("{path}.{name}"), value, cells));
            return;
        }
        Value::Null => String::new(),
        Value::String(text) => in_a_cell(text),
        // A list, such as the numbers of messages that each node has handled, becomes one cell.
        Value::Array(list) => list.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
    };
    cells.push((path.to_owned(), text));
}
