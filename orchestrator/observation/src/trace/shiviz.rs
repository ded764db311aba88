//! A log for ShiViz (Beschastnikh et al. 2016, "Debugging distributed systems: challenges and options for validation and
//! debugging"), which draws executions by their vector clocks.

use std::io;

use serde_json::{Map, Value, json};

use super::clocks::{Clock, Clocks};
use super::words;
use interlock_model::event::Event;

/// The regular expression with which ShiViz parses the log. ShiViz expects the expression in the first line. It
/// expects a separator of executions in the second line, which is empty here because the log contains only one
/// execution.
const EXPRESSION: &str = r"(?<host>\S*) (?<clock>\{.*\})\n(?<event>.*)";

/// Writes two lines for each event of a process: first the process with its clock, then the event.
pub(super) fn write(events: &[Event], nodes: u32, out: &mut impl io::Write) -> io::Result<()> {
    writeln!(out, "{EXPRESSION}\n")?;
    let mut clocks = Clocks::new(nodes);
    for Event { what, .. } in events {
        let said = words::sentence(what);
        if let (Some((host, clock)), Some(said)) = (clocks.observe(what, said.is_some()), said) {
            writeln!(out, "{host} {}\n{said}", Value::Object(heard_of(clock)))?;
        }
    }
    Ok(())
}

/// Returns a clock as JSON.
fn heard_of(clock: &Clock) -> Map<String, Value> {
    clock.iter().map(|(node, count)| (format!("P{}", node.0), json!(count))).collect()
}
