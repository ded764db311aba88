//! The terminal that standard output may be.

use std::fmt::Display;
use std::io::{IsTerminal, stdout};
use std::process::ExitCode;

use interlock_observation::trace::words::on_one_line;
use rustix::termios::tcgetwinsize;
use textwrap::core::display_width;
use textwrap::{Options, wrap};

/// How many columns it has; none if standard output goes elsewhere, or nobody knows.
pub fn width() -> Option<usize> {
    let size = if stdout().is_terminal() { tcgetwinsize(stdout()).ok() } else { None };
    size.map(|size| usize::from(size.ws_col)).filter(|&columns| columns > 0)
}

/// Writes what is wrong to standard error, each line with the name of the program before it. Escapes what could command the
/// terminal: names and words of programs come from outside.
pub fn complain(why: &str) {
    why.lines().for_each(|line| eprintln!("interlock: {}", on_one_line(line)));
}

/// Writes what is wrong as [`complain`] does, and returns the exit code.
pub fn fail(why: &impl Display, code: u8) -> ExitCode {
    complain(&why.to_string());
    ExitCode::from(code)
}

/// What of a line fits into so many columns: if not all of it does, that is shown.
pub fn clipped(line: &str, columns: usize) -> String {
    if display_width(line) <= columns {
        return line.to_owned();
    }
    let mut clipped = String::new();
    for character in line.chars() {
        clipped.push(character);
        if display_width(&clipped) >= columns {
            clipped.pop();
            break;
        }
    }
    clipped + "…"
}

/// A sentence that is indented by so many columns, on as many lines as it needs.
pub fn indented(sentence: &str, columns: usize, width: Option<usize>) -> String {
    let indent = " ".repeat(columns);
    let Some(width) = width else { return format!("{indent}{sentence}") };
    let further = format!("{indent}  ");
    wrap(sentence, Options::new(width).initial_indent(&indent).subsequent_indent(&further)).join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_clipped_and_that_is_shown() {
        for (columns, clip) in [(20, "Zwei Läufe"), (10, "Zwei Läufe"), (9, "Zwei Läu…"), (1, "…")] {
            assert_eq!(clipped("Zwei Läufe", columns), clip);
        }
    }

    #[test]
    fn a_sentence_is_wrapped_only_where_there_is_a_width() {
        assert_eq!(indented("one two three", 2, None), "  one two three");
        assert_eq!(indented("one two three", 2, Some(10)), "  one two\n    three");
    }
}
