//! Converts a Markdown file to HTML, and extracts its sections as plain text for the search.

use std::mem::take;

use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, html};

use super::anchors::Anchors;
use super::links::in_book;

/// The content of a page, without the table of contents and the links to other pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    pub html: String,
    /// The sections in order. The heading of the first section is the title of the page.
    pub sections: Vec<Section>,
}

/// A heading with the text up to the next heading.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Section {
    pub heading: String,
    pub anchor: String,
    pub text: String,
}

impl Page {
    /// Returns the text of the first heading.
    pub fn title(&self) -> &str {
        self.sections.first().map_or("", |section| &section.heading)
    }
}

/// Renders the Markdown file at `path` below `docs/`.
pub fn render(path: &str, markdown: &str) -> Page {
    let events: Vec<Event> = Parser::new_ext(markdown, Options::ENABLE_TABLES).filter(|one| !is_comment(one)).collect();
    let sections = sections(&events);
    let mut anchors = sections.iter().map(|section| section.anchor.clone());
    let mut left_out = Vec::new();
    let shown = events.into_iter().filter_map(|event| match event {
        Event::Start(Tag::Heading { level, classes, attrs, .. }) => {
            Some(Event::Start(Tag::Heading { level, id: anchors.next().map(CowStr::from), classes, attrs }))
        }
        Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
            let link = in_book(path, &dest_url);
            left_out.push(link.is_none());
            Some(Event::Start(Tag::Link { link_type, dest_url: link?.into(), title, id }))
        }
        Event::End(TagEnd::Link) if left_out.pop() == Some(true) => None,
        event => Some(event),
    });
    let mut html = String::new();
    html::push_html(&mut html, shown.flat_map(in_a_frame));
    Page { html, sections }
}

/// Returns whether an event is part of an HTML comment. In the guide, every block of HTML is a comment, which the
/// tests of the guide evaluate.
fn is_comment(event: &Event) -> bool {
    match event {
        Event::Html(_) => true,
        Event::InlineHtml(html) => html.starts_with("<!--"),
        _ => false,
    }
}

/// Wraps a table in an element that scrolls horizontally.
fn in_a_frame(event: Event<'_>) -> impl Iterator<Item = Event<'_>> {
    let html = |html: &'static str| Some(Event::Html(html.into()));
    let (before, after) = match event {
        Event::Start(Tag::Table(_)) => (html("<div class=\"table\">"), None),
        Event::End(TagEnd::Table) => (None, html("</div>\n")),
        _ => (None, None),
    };
    before.into_iter().chain([event]).chain(after)
}

/// Returns the sections of a page as plain text.
fn sections(events: &[Event]) -> Vec<Section> {
    let mut anchors = Anchors::default();
    let mut sections: Vec<Section> = Vec::new();
    let mut text = String::new();
    for event in events {
        match event {
            Event::Start(Tag::Heading { .. }) => finish(&mut sections, &take(&mut text)),
            Event::End(TagEnd::Heading(_)) => {
                let heading = take(&mut text);
                let anchor = anchors.next(&heading);
                sections.push(Section { heading, anchor, text: String::new() });
            }
            Event::Text(part) | Event::Code(part) => text.push_str(part),
            Event::End(TagEnd::TableCell) => text.push_str(" · "),
            Event::SoftBreak | Event::HardBreak => text.push(' '),
            Event::End(end) if is_block(end) => text.push('\n'),
            _ => {}
        }
    }
    finish(&mut sections, &text);
    sections
}

fn is_block(end: &TagEnd) -> bool {
    matches!(
        end,
        TagEnd::Paragraph
            | TagEnd::Item
            | TagEnd::CodeBlock
            | TagEnd::TableHead
            | TagEnd::TableRow
            | TagEnd::BlockQuote(_)
    )
}

/// Stores `text` as the text of the last section. Each sequence of white space becomes a single space.
fn finish(sections: &mut [Section], text: &str) {
    if let Some(last) = sections.last_mut() {
        last.text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    }
}
