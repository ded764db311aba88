//! Results of scenarios as `JUnit` XML, which systems for continuous integration read.

use std::fmt::Write;

use interlock_observation::trace::words::on_one_line;
use interlock_simulation::scenario::Outcome;

use super::played::Summary;

/// Returns the XML document with the results of all runs. The type of a failure is the phenomenon that the run shows.
pub fn document(all: &[Summary]) -> String {
    let count = |outcomes: &[Outcome]| all.iter().filter(|summary| outcomes.contains(&summary.outcome)).count();
    let failures = count(&[Outcome::NotMet]);
    let errors = count(&[Outcome::CouldNotRun, Outcome::CutShort]);
    let time: f64 = all.iter().map(|summary| summary.lasted.as_secs_f64()).sum();
    let mut written = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"interlock\" tests=\"{}\" \
         failures=\"{failures}\" errors=\"{errors}\" time=\"{time:.3}\">\n",
        all.len()
    );
    for summary in all {
        let (name, file, time) = (escaped(&summary.name), escaped(&summary.file), summary.lasted.as_secs_f64());
        // Writing to a string cannot fail.
        let _ =
            write!(written, "<testcase classname=\"{file}\" name=\"{name}, seed {}\" time=\"{time:.3}\"", summary.seed);
        let element = match summary.outcome {
            Outcome::Met => None,
            Outcome::NotMet => Some("failure"),
            Outcome::CouldNotRun | Outcome::CutShort => Some("error"),
        };
        let _ = match element {
            None => writeln!(written, "/>"),
            Some(element) => {
                let first = escaped(summary.complaints.first().map_or("", String::as_str));
                let all = escaped(&summary.complaints.join("\n"));
                let shown = summary.phenomenon.map(|phenomenon| format!(" type=\"{}\"", phenomenon.name()));
                let shown = shown.unwrap_or_default();
                writeln!(written, "><{element} message=\"{first}\"{shown}>{all}</{element}></testcase>")
            }
        };
    }
    written + "</testsuite>\n</testsuites>\n"
}

/// Escapes text for XML. Control characters are replaced by visible escapes.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        match character {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\n' | '\t' => escaped.push(character),
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            other => escaped += &on_one_line(other.encode_utf8(&mut [0; 4])),
        }
    }
    escaped
}
