//! All files of the book.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::contents::{self, Entry, Group};
use super::index::{self, Indexed};
use super::layout::{Frame, document};
use super::links::{is_markdown, page_of};
use super::markdown::{Page, render};
use super::sources;

/// Markdown file that contains the table of contents.
const CONTENTS: &str = "README.md";
/// Folder of the decisions. The table of contents does not list the decisions themselves, but only the page that
/// lists them.
const DECISIONS: &str = "decisions/";
/// The page with the list of decisions.
const LIST_OF_DECISIONS: &str = "decisions/index.html";
/// The script that contains the index of the search.
const INDEX: &str = "search-index.js";

/// A file of the book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Media type.
    pub kind: &'static str,
    /// Content of the file. The server and `interlock guide` use the same bytes.
    pub content: Vec<u8>,
}

/// Returns all files of the book, indexed by their paths, with `/` as the separator.
#[must_use]
pub fn files() -> &'static BTreeMap<String, File> {
    static FILES: LazyLock<BTreeMap<String, File>> = LazyLock::new(made);
    &FILES
}

/// Creates the files of the book from the sources.
fn made() -> BTreeMap<String, File> {
    let (texts, others): (Vec<_>, Vec<_>) = sources::docs().partition(|(path, _)| is_markdown(path));
    let texts: BTreeMap<String, String> =
        texts.into_iter().map(|(path, text)| (path, String::from_utf8_lossy(&text).into_owned())).collect();
    let groups = contents::read(texts.get(CONTENTS).map_or("", String::as_str));
    let pages: BTreeMap<String, Page> = texts.iter().map(|(path, text)| (page_of(path), render(path, text))).collect();
    let order = order(&groups, &pages);
    let mut files: BTreeMap<String, File> =
        pages.iter().map(|(path, page)| (path.clone(), page_file(path, page, &groups, &order))).collect();
    files.insert(INDEX.to_owned(), file(INDEX, index::script(&indexed(&pages, &order)).into_bytes()));
    files.extend(others.into_iter().chain(sources::assets()).map(|(path, content)| {
        let made = file(&path, content.into_owned());
        (path, made)
    }));
    files
}

/// Returns all pages in reading order: the pages of the table of contents, with the decisions directly after the
/// page that lists them.
fn order(groups: &[Group], pages: &BTreeMap<String, Page>) -> Vec<Entry> {
    let first = Entry { page: page_of(CONTENTS), title: "The guide".to_owned(), about: String::new() };
    let mut order = vec![first];
    for entry in groups.iter().flat_map(|group| &group.entries) {
        order.push(entry.clone());
        if entry.page == LIST_OF_DECISIONS {
            let decisions = pages.iter().filter(|(path, _)| path.starts_with(DECISIONS) && *path != LIST_OF_DECISIONS);
            order.extend(decisions.map(|(path, page)| Entry {
                page: path.clone(),
                title: page.title().to_owned(),
                about: String::new(),
            }));
        }
    }
    order
}

fn page_file(path: &str, page: &Page, contents: &[Group], order: &[Entry]) -> File {
    let place = order.iter().position(|entry| entry.page == path);
    let frame = Frame {
        path,
        title: page.title(),
        contents,
        marked: if path.starts_with(DECISIONS) { LIST_OF_DECISIONS } else { path },
        before: place.and_then(|place| order.get(place.checked_sub(1)?)),
        after: place.and_then(|place| order.get(place + 1)),
    };
    file(path, document(&frame, &page.html).into_bytes())
}

fn indexed<'a>(pages: &'a BTreeMap<String, Page>, order: &'a [Entry]) -> Vec<Indexed<'a>> {
    let with_its_page = order.iter().filter_map(|entry| Some((entry, pages.get(&entry.page)?)));
    // The search omits the first page, since that page only repeats the titles of the other pages.
    let content = with_its_page.filter(|(entry, _)| entry.page != page_of(CONTENTS));
    content.map(|(entry, page)| Indexed::new(&entry.page, page.title(), &entry.about, &page.sections)).collect()
}

/// Returns a file whose media type is derived from the extension of its name.
fn file(path: &str, content: Vec<u8>) -> File {
    let kind = match path.rsplit_once('.').map_or("", |(_, end)| end) {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css",
        "js" => "text/javascript",
        "json" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        _ => "application/octet-stream",
    };
    File { kind, content }
}
