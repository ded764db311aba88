//! Writes the events of a run as NDJSON, in the format of the API.

use std::fs::File;
use std::io::{self, BufWriter, Write};

use interlock_model::event::Event;
use interlock_observation::trace::write_lines;

/// Writes the events, each on its own line.
pub fn write(file: File, events: &[Event]) -> io::Result<()> {
    let mut out = BufWriter::new(file);
    write_lines(events, &mut out)?;
    out.flush()
}
