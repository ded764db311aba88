//! Tests of the book: all links lead to an existing target, and no source file is missing.

use std::collections::BTreeSet;

use super::anchors::Anchors;
use super::book::files;
use super::links::{in_book, page_of, resolve};
use super::markdown::render;
use crate::problem::kinds;

/// Maximum size of the index of the search, in bytes.
const LARGEST_INDEX: usize = 1024 * 1024;
/// The head of a table column without a name, as HTML.
const EMPTY_HEAD: &str = "<th></th>";

fn text(path: &str) -> &'static str {
    std::str::from_utf8(&files()[path].content).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn is_page(path: &str) -> bool {
    files()[path].kind.starts_with("text/html")
}

fn pages() -> impl Iterator<Item = (&'static str, &'static str)> {
    files().keys().filter(|path| is_page(path)).map(|path| (path.as_str(), text(path)))
}

/// Returns all values that an attribute has in a page.
fn values<'a>(page: &'a str, attribute: &str) -> Vec<&'a str> {
    let start = format!(" {attribute}=\"");
    page.split(&start).skip(1).filter_map(|rest| rest.split_once('"').map(|(value, _)| value)).collect()
}

/// Returns the links and references of a page whose targets do not exist.
fn lost<'a>(path: &str, page: &'a str) -> Vec<&'a str> {
    let targets = values(page, "href").into_iter().chain(values(page, "src"));
    targets.filter(|target| !target.contains("://") && !leads_somewhere(path, page, target)).collect()
}

fn leads_somewhere(path: &str, page: &str, target: &str) -> bool {
    let (file, anchor) = target.split_once('#').map_or((target, None), |(file, anchor)| (file, Some(anchor)));
    let has_anchor = |page: &str| anchor.is_none_or(|anchor| values(page, "id").contains(&anchor));
    match resolve(path, file) {
        _ if file.is_empty() => has_anchor(page),
        Some(file) if !files().contains_key(&file) => false,
        Some(file) => {
            if is_page(&file) {
                has_anchor(text(&file))
            } else {
                anchor.is_none()
            }
        }
        None => false,
    }
}

#[test]
fn every_link_of_every_page_leads_somewhere() {
    for (path, page) in pages() {
        assert_eq!(lost(path, page), [""; 0], "{path}");
    }
}

/// No table column may have an empty head, because screen readers read the head before each cell of the column.
#[test]
fn no_column_has_an_empty_head() {
    assert!(render("a.md", "| | b |\n|---|---|\n| 1 | 2 |\n").html.contains(EMPTY_HEAD), "the look finds one");
    for (path, page) in pages() {
        assert!(!page.contains(EMPTY_HEAD), "{path}");
    }
}

#[test]
fn a_link_that_leads_nowhere_is_noticed() {
    let page = "<a href=\"explore.html\"></a><a href=\"#here\"></a><h2 id=\"here\"></h2><img src=\"none.png\">\
                <a href=\"#there\"></a><a href=\"explore.html#none\"></a><a href=\"/docs/\"></a>";
    assert_eq!(lost("how-to/replay.html", page), ["#there", "explore.html#none", "/docs/", "none.png"]);
}

#[test]
fn every_page_is_in_the_contents_or_a_decision() {
    let listed: BTreeSet<String> = values(text("index.html"), "href").into_iter().map(str::to_owned).collect();
    for (path, page) in pages() {
        assert!(listed.contains(path) || path.starts_with("decisions/") || path == "index.html", "{path}");
        assert_eq!(page.matches("aria-current=\"").count(), usize::from(path != "index.html"), "{path}");
        assert_eq!(page.matches("<h1").count(), 1, "{path}");
        let is_end = path == "index.html" || !page.contains("rel=\"next\"");
        assert_eq!(
            page.matches("rel=\"prev\"").count() + page.matches("rel=\"next\"").count(),
            2 - usize::from(is_end)
        );
    }
    let ends = pages().filter(|(_, page)| !page.contains("rel=\"next\""));
    assert_eq!(ends.count(), 1, "only the last page has no next one");
}

#[test]
fn pages_are_what_files_and_the_content_security_policy_allow() {
    for (path, page) in pages() {
        for forbidden in ["<!--", "<style", " style=", "type=\"module\"", "<script>", " onclick=", ".md\"", ".md#"] {
            assert!(!page.contains(forbidden), "{path} has {forbidden}");
        }
    }
}

#[test]
fn the_index_is_small_and_has_every_section() {
    let index = text("search-index.js");
    assert!(index.len() <= LARGEST_INDEX, "{} bytes", index.len());
    assert!(index.starts_with("guidePages = [{") && !index.contains("<!--"));
    for (path, page) in pages().filter(|(path, _)| *path != "index.html") {
        assert!(index.contains(&format!("\"path\":\"{path}\"")), "{path}");
        for anchor in values(page, "id").into_iter().filter(|id| !["page", "search", "results", "found"].contains(id)) {
            assert!(index.contains(&format!(",\"{anchor}\",")), "{path}#{anchor}");
        }
    }
}

#[test]
fn links_of_the_sources_become_links_of_the_book() {
    for (link, expected) in [
        ("replay.md", Some("replay.html")),
        ("../reference/steps.md#random-faults", Some("../reference/steps.html#random-faults")),
        ("../README.md", Some("../index.html")),
        ("../decisions/README.md", Some("../decisions/index.html")),
        ("#here", Some("#here")),
        ("https://jepsen.io", Some("https://jepsen.io")),
        ("../pictures/why-held.png", Some("../pictures/why-held.png")),
        ("../node.schema.json", Some("../node.schema.json")),
        ("../../ARCHITECTURE.md", None),
        ("../../tests/scenarios", None),
    ] {
        assert_eq!(in_book("how-to/explore.md", link).as_deref(), expected, "{link}");
    }
    assert_eq!((page_of("README.md"), page_of("a/b.md")), ("index.html".to_owned(), "a/b.html".to_owned()));
}

#[test]
fn anchors_are_those_of_github() {
    let mut anchors = Anchors::default();
    for (heading, expected) in [
        ("Random faults", "random-faults"),
        ("`POST /runs` answers: when?", "post-runs-answers-when"),
        ("Live & simulated", "live--simulated"),
        ("slow_after_ms, in ms", "slow_after_ms-in-ms"),
        ("Random faults", "random-faults-1"),
        ("Random faults", "random-faults-2"),
    ] {
        assert_eq!(anchors.next(&heading.replace('`', "")), expected);
    }
}

#[test]
fn a_page_is_rendered_without_notes_and_without_links_that_leave_the_guide() {
    let page = render(
        "how-to/x.md",
        "# A *new* `page`\n\nSee [the map](../../ARCHITECTURE.md) and [b](b.md).\n\n<!-- check\nprints: x\n-->\n```sh\na < b\n```\n\n\
         ## Table\n\n| a | b |\n|---|---|\n| c | d |\n",
    );
    assert!(page.html.starts_with("<h1 id=\"a-new-page\">A <em>new</em> <code>page</code></h1>"), "{}", page.html);
    assert!(page.html.contains("See the map and <a href=\"b.html\">b</a>."), "{}", page.html);
    assert!(page.html.contains("<code class=\"language-sh\">a &lt; b\n</code>"), "{}", page.html);
    assert!(
        page.html.contains("<div class=\"table\"><table>") && page.html.ends_with("</table>\n</div>\n"),
        "{}",
        page.html
    );
    let texts: Vec<_> = page.sections.iter().map(|section| (section.heading.as_str(), section.text.as_str())).collect();
    assert_eq!(texts, [("A new page", "See the map and b. a < b"), ("Table", "a · b · c · d ·")]);
    assert!(!page.html.contains("prints"));
}

#[test]
fn each_problem_of_the_api_has_its_heading_and_no_other_is_described() {
    let described: Vec<&str> = values(text("reference/problems.html"), "id")
        .into_iter()
        .filter(|id| !["page", "search", "results", "found", "problems-of-the-api"].contains(id))
        .collect();
    assert_eq!(described, kinds().collect::<Vec<_>>());
}
