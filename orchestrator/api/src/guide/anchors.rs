//! Anchors of headings, as GitHub derives them from their texts. A link therefore leads to the same heading on GitHub
//! and in the book.

use std::collections::HashMap;

/// The anchors of one page.
#[derive(Debug, Default)]
pub struct Anchors(HashMap<String, usize>);

impl Anchors {
    /// Returns the anchor of the next heading. A text that occurs again gets a number.
    pub fn next(&mut self, heading: &str) -> String {
        let anchor: String = heading.to_lowercase().chars().filter_map(kept).collect();
        let count = self.0.entry(anchor.clone()).or_insert(0);
        *count += 1;
        if *count == 1 { anchor } else { format!("{anchor}-{}", *count - 1) }
    }
}

/// Returns the character of an anchor for a character of a heading.
fn kept(c: char) -> Option<char> {
    match c {
        ' ' => Some('-'),
        c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c),
        _ => None,
    }
}
