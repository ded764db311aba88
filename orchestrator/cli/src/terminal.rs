//! Standard output and standard error, in which dangerous characters are escaped.
//!
//! Names, notes and the output of programs are untrusted. They may contain characters that control a terminal or
//! reorder the text. Such characters are written as visible escapes.

use std::fmt::Display;
use std::io::{self, IsTerminal, StderrLock, StdoutLock, Write, stderr, stdout};
use std::process::ExitCode;

use interlock_observation::trace::words::{json_on_one_line, on_one_line};
use rustix::termios::tcgetwinsize;
use textwrap::core::display_width;
use textwrap::{Options, wrap};

/// Returns the number of columns of the terminal. If standard output is not a terminal, or the number is unknown,
/// returns none.
pub fn width() -> Option<usize> {
    let size = if stdout().is_terminal() { tcgetwinsize(stdout()).ok() } else { None };
    size.map(|size| usize::from(size.ws_col)).filter(|&columns| columns > 0)
}

/// Returns standard output for text, with visible escapes.
pub fn text() -> Visible<StdoutLock<'static>> {
    Visible::new(stdout().lock(), Some(on_one_line))
}

/// Returns standard output for JSON. Characters are escaped as JSON prescribes, so that the values in the documents
/// stay the same.
pub fn json() -> Visible<StdoutLock<'static>> {
    Visible::new(stdout().lock(), Some(json_on_one_line))
}

/// Returns standard output for a document that other tools read. Characters are escaped only if standard output is a
/// terminal. Otherwise, the document is written byte for byte.
pub fn document() -> Visible<StdoutLock<'static>> {
    let escape = stdout().is_terminal().then_some(json_on_one_line as fn(&str) -> String);
    Visible::new(stdout().lock(), escape)
}

/// Returns standard error for log messages, with visible escapes.
pub fn log() -> Visible<StderrLock<'static>> {
    Visible::new(stderr().lock(), Some(on_one_line))
}

/// Writer that escapes the characters of each line. Without an escape function, it writes all bytes unchanged.
pub struct Visible<W> {
    out: W,
    escape: Option<fn(&str) -> String>,
    /// First bytes of a character whose last bytes have not been written yet.
    rest: Vec<u8>,
}

impl<W> Visible<W> {
    const fn new(out: W, escape: Option<fn(&str) -> String>) -> Self {
        Self { out, escape, rest: Vec::new() }
    }
}

impl<W: Write> Write for Visible<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(escape) = self.escape else { return self.out.write(bytes) };
        self.rest.extend_from_slice(bytes);
        let whole = match str::from_utf8(&self.rest) {
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            _ => self.rest.len(),
        };
        let lines = String::from_utf8_lossy(&self.rest[..whole]).split('\n').map(escape).collect::<Vec<_>>().join("\n");
        self.rest.drain(..whole);
        self.out.write_all(lines.as_bytes()).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Writer that ignores a broken pipe. If the reader closes the pipe early, the command continues, and the exit
/// code still depends on its verdict.
pub struct PipeTolerant<W>(pub W);

impl<W: Write> Write for PipeTolerant<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0.write(bytes) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(bytes.len()),
            written => written,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self.0.flush() {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            flushed => flushed,
        }
    }
}

/// Writes an error to standard error. Each line begins with the name of the program.
pub fn complain(why: &str) {
    why.lines().for_each(|line| eprintln!("interlock: {}", on_one_line(line)));
}

/// Writes an error as [`complain`] does, and returns the exit code.
pub fn fail(why: &impl Display, code: u8) -> ExitCode {
    complain(&why.to_string());
    ExitCode::from(code)
}

/// Clips a line to `columns` columns. If the line was too long, the clipped line ends with `…`.
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

/// Indents a sentence by `columns` columns. If the width of the terminal is known, wraps the sentence at that width.
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
    fn text_and_json_command_no_terminal_and_a_document_is_as_it_is() {
        let hostile = "a\u{1b}[31m\u{202e}ž\nb\u{9b}\n";
        for (escape, expected) in [
            (Some(on_one_line as fn(&str) -> String), "a\\u{1b}[31m\\u{202e}ž\nb\\u{9b}\n"),
            (Some(json_on_one_line), "a\\u001b[31m\\u202ež\nb\\u009b\n"),
            (None, hostile),
        ] {
            // A single write may end in the middle of a character.
            for size in 1..=hostile.len() {
                let mut visible = Visible::new(Vec::new(), escape);
                hostile.as_bytes().chunks(size).for_each(|part| visible.write_all(part).expect("written"));
                assert_eq!(String::from_utf8_lossy(&visible.out), expected, "{size}");
            }
        }
        let mut visible = Visible::new(Vec::new(), Some(on_one_line));
        visible.write_all(b"a\xffb").expect("written");
        assert_eq!(String::from_utf8_lossy(&visible.out), "a\u{fffd}b");
    }

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
