//! The table of claims, as text for users.

use std::io::{self, Write};

use textwrap::core::display_width;

use super::examination::Examined;

/// Heading and width of each column. With two spaces between columns, a line has 120 characters.
const COLUMNS: [(&str, usize); 7] =
    [("id", 6), ("claim", 32), ("how", 3), ("expected", 27), ("measured", 28), ("verdict", 7), ("s", 5)];

/// A table that is written row by row.
#[derive(Debug, Default)]
pub struct Table {
    last: Option<&'static str>,
}

impl Table {
    /// Writes the headings of the columns.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn head(&self, out: &mut impl Write) -> io::Result<()> {
        write_row(out, &COLUMNS.map(|(head, _)| head.to_owned()))?;
        write_row(out, &COLUMNS.map(|(_, width)| "─".repeat(width)))
    }

    /// Writes a row. If a claim has several checks, only the row of the first check shows the name and the statement
    /// of the claim.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn row(&mut self, out: &mut impl Write, examined: &Examined) -> io::Result<()> {
        let Examined { id, claim, how, expected, measured, verdict, seconds } = examined;
        let again = self.last.replace(id) == Some(id);
        let once = |text: &str| if again { String::new() } else { text.to_owned() };
        let or_dash = |text: &Option<String>| text.clone().unwrap_or_else(|| "–".to_owned());
        write_row(
            out,
            &[
                once(id),
                once(claim),
                how.letter().to_owned(),
                or_dash(expected),
                measured.clone(),
                verdict.words().to_owned(),
                format!("{seconds:>5.1}"),
            ],
        )
    }
}

/// Writes the cells of one row side by side, on as many lines as the longest cell needs.
fn write_row(out: &mut impl Write, cells: &[String; COLUMNS.len()]) -> io::Result<()> {
    let cells: Vec<_> =
        cells.iter().zip(COLUMNS).map(|(cell, (_, width))| (textwrap::wrap(cell, width), width)).collect();
    let lines = cells.iter().map(|(lines, _)| lines.len()).max().unwrap_or_default();
    for number in 0..lines {
        let mut line = String::new();
        for (cell, width) in &cells {
            let text = cell.get(number).map_or("", AsRef::as_ref);
            line.push_str(text);
            line.extend(std::iter::repeat_n(' ', width.saturating_sub(display_width(text)) + 2));
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::claim::How;
    use super::super::examination::Verdict;
    use super::*;

    #[test]
    fn no_line_is_wider_than_120_columns_and_nothing_is_left_out() {
        let long = "3(N−1) messages per entry, and so on, ".repeat(5);
        let mut examined = Examined {
            id: "LAM-1",
            claim: "a sentence of some length, as they come, with more words than fit into a cell",
            how: How::Live,
            expected: Some(long.clone()),
            measured: long.clone(),
            verdict: Verdict::CouldNotRun,
            seconds: 12.3,
        };
        let (mut table, mut out) = (Table::default(), Vec::new());
        table.head(&mut out).expect("it is written");
        table.row(&mut out, &examined).expect("it is written");
        examined.how = How::Simulation;
        table.row(&mut out, &examined).expect("it is written");
        let text = String::from_utf8(out).expect("text");
        assert!(text.lines().all(|line| display_width(line) <= 120), "{text}");
        assert_eq!(text.matches("LAM-1").count(), 1, "{text}");
        assert_eq!(text.matches("3(N−1)").count(), 4 * 5, "{text}");
    }
}
