//! The events of a run as NDJSON: the lines that the API writes, too.

use std::fs::File;
use std::io::{self, BufWriter, Write};

use interlock_model::event::Event;
use interlock_observation::trace::write_lines;

/// Writes an event a line.
pub fn write(file: File, events: &[Event]) -> io::Result<()> {
    let mut out = BufWriter::new(file);
    write_lines(events, &mut out)?;
    out.flush()
}
