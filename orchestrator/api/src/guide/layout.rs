//! The HTML document of a page: search, table of contents, and links to the previous and the next page.

use std::fmt::Write as _;

use super::contents::{Entry, Group};
use super::links::to_root;

/// The parts of a document around the content of the page: table of contents, and links to other pages.
pub struct Frame<'a> {
    /// Path of the page in the book.
    pub path: &'a str,
    pub title: &'a str,
    pub contents: &'a [Group],
    /// Path of the page that the table of contents marks as the current page.
    pub marked: &'a str,
    pub before: Option<&'a Entry>,
    pub after: Option<&'a Entry>,
}

/// Returns the document of a page whose content is `html`.
pub fn document(frame: &Frame, html: &str) -> String {
    let root = to_root(frame.path);
    let title = escaped(frame.title);
    let contents = contents(frame, &root);
    let neighbours = neighbours(frame, &root);
    format!(
        r##"<!doctype html>
<html lang="en" data-theme="auto">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title} – Interlock</title>
<link rel="icon" href="{root}icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="{root}tokens.css">
<link rel="stylesheet" href="{root}theme.css">
<link rel="stylesheet" href="{root}guide.css">
<script src="{root}theme.js"></script>
<script src="{root}search.js" defer></script>
<script src="{root}guide.js" defer></script>
</head>
<body>
<a class="skip" href="#page">Skip to the page</a>
<header>
<a class="book" href="{root}index.html">Interlock: the guide</a>
<div role="search" class="search" hidden>
<input id="search" type="search" role="combobox" placeholder="Search (key /)" aria-label="Search the guide"
 aria-expanded="false" aria-controls="results" aria-autocomplete="list" autocomplete="off" spellcheck="false">
<div id="results" role="listbox" aria-label="Results of the search" hidden></div>
<p id="found" role="status" class="unseen"></p>
</div>
</header>
<nav class="contents" aria-label="Contents"><details open><summary>Contents</summary>
{contents}</details></nav>
<main id="page">
<article>
{html}</article>
{neighbours}</main>
</body>
</html>
"##
    )
}

fn contents(frame: &Frame, root: &str) -> String {
    let mut html = String::from("<ul>\n");
    for group in frame.contents {
        let _ = writeln!(html, "<li><span>{}</span><ul>", escaped(&group.title));
        for entry in &group.entries {
            let mark = if entry.page == frame.path {
                " aria-current=\"page\""
            } else if entry.page == frame.marked {
                " aria-current=\"true\""
            } else {
                ""
            };
            let _ = writeln!(html, "<li><a href=\"{root}{}\"{mark}>{}</a></li>", entry.page, escaped(&entry.title));
        }
        html.push_str("</ul></li>\n");
    }
    html + "</ul>\n"
}

fn neighbours(frame: &Frame, root: &str) -> String {
    let link = |entry: Option<&Entry>, kind: &str, word: &str| {
        entry.map_or_else(String::new, |entry| {
            let (page, title) = (&entry.page, escaped(&entry.title));
            format!("<a rel=\"{kind}\" href=\"{root}{page}\"><small>{word}</small> {title}</a>\n")
        })
    };
    let (before, after) = (link(frame.before, "prev", "Previous"), link(frame.after, "next", "Next"));
    format!("<nav class=\"neighbours\" aria-label=\"Previous and next page\">\n{before}{after}</nav>\n")
}

/// Returns a text in which the special characters of HTML are escaped.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
