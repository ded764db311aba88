//! The index of the search. The index is a classic script, because a page that was opened as a file cannot load
//! data in any other form.

use serde::Serialize;

use super::markdown::Section;

/// A page in the index of the search.
#[derive(Debug, Serialize)]
pub struct Indexed<'a> {
    pub path: &'a str,
    pub title: &'a str,
    /// Description of the page in the table of contents.
    pub about: &'a str,
    /// Heading, anchor and text of each section.
    pub sections: Vec<[&'a str; 3]>,
}

impl<'a> Indexed<'a> {
    /// Returns the entry of a page in the index.
    pub fn new(path: &'a str, title: &'a str, about: &'a str, sections: &'a [Section]) -> Self {
        let sections = sections.iter().map(|one| [one.heading.as_str(), &one.anchor, &one.text]).collect();
        Self { path, title, about, sections }
    }
}

/// Returns the script that sets the global variable `guidePages`.
pub fn script(pages: &[Indexed]) -> String {
    let pages = serde_json::to_string(pages).unwrap_or_default();
    format!("guidePages = {pages};\n")
}
