//! The table of contents, read from `docs/README.md`: groups, each with its pages in order.

use pulldown_cmark::{Event, Parser, Tag, TagEnd};

use super::links::{page_of, resolve};

/// One page in the table of contents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// Path of the page in the book.
    pub page: String,
    pub title: String,
    /// Description of the page, in one line.
    pub about: String,
}

/// A heading of the table of contents, with the pages below the heading.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Group {
    pub title: String,
    pub entries: Vec<Entry>,
}

/// Reads the groups of `docs/README.md`. Each list item is a link, followed by the description of the page.
pub fn read(readme: &str) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut place = Place::Elsewhere;
    for event in Parser::new(readme) {
        match event {
            Event::Start(Tag::Heading { .. }) => {
                groups.push(Group::default());
                place = Place::Heading;
            }
            Event::Start(Tag::Item) => place = Place::About,
            Event::Start(Tag::Link { dest_url, .. }) if place == Place::About => {
                let page = resolve("README.md", &dest_url).map(|path| page_of(&path)).unwrap_or_default();
                let entry = Entry { page, ..Entry::default() };
                if let Some(group) = groups.last_mut() {
                    group.entries.push(entry);
                }
                place = Place::Title;
            }
            Event::End(TagEnd::Link) if place == Place::Title => place = Place::About,
            Event::End(TagEnd::Heading(_) | TagEnd::Item) => place = Place::Elsewhere,
            Event::Text(text) | Event::Code(text) => add(&mut groups, place, &text),
            Event::SoftBreak => add(&mut groups, place, " "),
            _ => {}
        }
    }
    groups.retain(|group| !group.entries.is_empty());
    for entry in groups.iter_mut().flat_map(|group| &mut group.entries) {
        entry.about = entry.about.trim_start_matches([':', ' ']).to_owned();
    }
    groups
}

/// The element of the table of contents that the current text belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Heading,
    Title,
    About,
    Elsewhere,
}

fn add(groups: &mut [Group], place: Place, text: &str) {
    let Some(group) = groups.last_mut() else { return };
    let field = match place {
        Place::Heading => Some(&mut group.title),
        Place::Title => group.entries.last_mut().map(|entry| &mut entry.title),
        Place::About => group.entries.last_mut().map(|entry| &mut entry.about),
        Place::Elsewhere => None,
    };
    if let Some(field) = field {
        field.push_str(text);
    }
}
