//! Converts links between Markdown files to links between the pages of the book.

/// Returns the path of a page in the book, given the path of its Markdown file below `docs/`.
pub fn page_of(source: &str) -> String {
    let page = source.strip_suffix(".md").unwrap_or(source);
    match page.strip_suffix("README") {
        Some(folder) if folder.is_empty() || folder.ends_with('/') => format!("{folder}index.html"),
        _ => format!("{page}.html"),
    }
}

/// Converts `link`, a link in the Markdown file at `source`, to a link between pages of the book. Returns none if the
/// target is not part of the book.
pub fn in_book(source: &str, link: &str) -> Option<String> {
    if link.contains("://") || link.starts_with('#') {
        return Some(link.to_owned());
    }
    let (path, heading) = link.split_once('#').map_or((link, None), |(path, heading)| (path, Some(heading)));
    resolve(source, path)?;
    let page = if is_markdown(path) { page_of(path) } else { path.to_owned() };
    Some(heading.map_or_else(|| page.clone(), |heading| format!("{page}#{heading}")))
}

/// Returns the relative path from the page at `path` to the folder of the first page.
pub fn to_root(path: &str) -> String {
    "../".repeat(path.matches('/').count())
}

/// Resolves the path `relative`, which is relative to the folder of the file `from`. Paths of files begin at the root
/// folder. Returns none if `relative` leads out of the root folder.
pub fn resolve(from: &str, relative: &str) -> Option<String> {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in relative.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}

/// Returns whether the file at `path` is a Markdown file, and so a page of the book.
pub fn is_markdown(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, end)| end == "md")
}
