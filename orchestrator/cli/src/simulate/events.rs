//! The events of a run as NDJSON: the lines that the API writes, too.

use std::fs::File;
use std::io::{self, BufWriter, Write};

use interlock_model::event::Event;

/// Writes an event a line.
pub fn write(file: File, events: &[Event]) -> io::Result<()> {
    let mut out = BufWriter::new(file);
    for event in events {
        event.write_json(&mut out)?;
        out.write_all(b"\n")?;
    }
    out.flush()
}
