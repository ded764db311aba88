//! The sources of the guide: the Markdown files with their pictures, and the files under `web/` that its pages
//! load. All of them are embedded in the program; a development build reads them from the folders.

use std::borrow::Cow;

use rust_embed::Embed;

use crate::assets;

/// The files under `docs/`.
#[derive(Embed)]
#[folder = "../../docs"]
struct Docs;

/// Files outside `web/guide/` that the guide shares with the dashboard: name in the book, and path under `web/`.
const SHARED: [(&str, &str); 3] =
    [("tokens.css", "styles/tokens.css"), ("theme.css", "styles/theme.css"), ("icon.svg", "icon.svg")];

/// The content of one file of the sources.
pub type Content = Cow<'static, [u8]>;

/// Returns the paths and contents of all files under `docs/`.
pub fn docs() -> impl Iterator<Item = (String, Content)> {
    Docs::iter().filter_map(|path| Docs::get(&path).map(|file| (path.into_owned(), file.data)))
}

/// Returns the style sheets, scripts and pictures that pages load, with their paths in the book.
pub fn assets() -> impl Iterator<Item = (String, Content)> {
    let own = assets::Files::iter().filter_map(|path| {
        let name = path.strip_prefix(assets::GUIDE)?.to_owned();
        Some((name, path.into_owned()))
    });
    let shared = SHARED.map(|(name, path)| (name.to_owned(), path.to_owned()));
    own.chain(shared).filter_map(|(name, path)| assets::Files::get(&path).map(|file| (name, file.data)))
}
