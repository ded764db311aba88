//! Checks of links in documents: each file or heading of the repository to which a link points must exist.

use std::fs;
use std::path::{Path, PathBuf};

use pulldown_cmark::{Event, Parser, Tag, TagEnd};

use super::block::Wrong;

/// Checks each link of the document at `path`.
pub fn check(path: &Path, document: &str) -> Result<(), Wrong> {
    for (event, range) in Parser::new(document).into_offset_iter() {
        if let Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) = event {
            let line = document[..range.start].matches('\n').count() + 1;
            lead(path, document, &dest_url).map_err(|what| Wrong::new(line, what))?;
        }
    }
    Ok(())
}

fn lead(path: &Path, document: &str, link: &str) -> Result<(), String> {
    if link.contains("://") {
        return Ok(());
    }
    let (file, heading) = link.split_once('#').map_or((link, None), |(file, heading)| (file, Some(heading)));
    let target: PathBuf = path.parent().unwrap_or(path).join(file);
    let text = match file {
        "" => document.to_owned(),
        _ if !target.exists() => return Err(format!("there is no {file} to lead to")),
        _ if heading.is_none() => return Ok(()),
        _ => fs::read_to_string(&target).map_err(|error| format!("{file}: {error}"))?,
    };
    match heading {
        Some(heading) if !headings(&text).iter().any(|found| found == heading) => {
            Err(format!("{link} leads to no heading"))
        }
        _ => Ok(()),
    }
}

/// Returns the headings of a document, in the form in which links name them.
fn headings(document: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut inside = false;
    for event in Parser::new(document) {
        match event {
            Event::Start(Tag::Heading { .. }) => {
                inside = true;
                found.push(String::new());
            }
            Event::End(TagEnd::Heading(_)) => inside = false,
            Event::Text(text) | Event::Code(text) if inside => found.last_mut().expect("a heading").push_str(&text),
            _ => {}
        }
    }
    let named = |c: char| match c {
        ' ' => Some('-'),
        c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c),
        _ => None,
    };
    found.iter().map(|heading| heading.to_lowercase().chars().filter_map(named).collect()).collect()
}
