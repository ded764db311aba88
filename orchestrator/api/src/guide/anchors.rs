//! Anchors of headings, derived from the texts of the headings in the same way as GitHub does. A link therefore
//! leads to the same heading on GitHub and in the book.

use std::collections::HashMap;

/// The anchors of one page.
#[derive(Debug, Default)]
pub struct Anchors(HashMap<String, usize>);

impl Anchors {
    /// Returns the anchor of the next heading. If an earlier heading of the page has the same text, the anchor
    /// gets a number.
    pub fn next(&mut self, heading: &str) -> String {
        let anchor: String = heading.to_lowercase().chars().filter_map(kept).collect();
        let count = self.0.entry(anchor.clone()).or_insert(0);
        *count += 1;
        if *count == 1 { anchor } else { format!("{anchor}-{}", *count - 1) }
    }
}

/// Returns the character of an anchor that corresponds to a character of a heading; none if the anchor omits the
/// character.
fn kept(c: char) -> Option<char> {
    match c {
        ' ' => Some('-'),
        c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c),
        _ => None,
    }
}
