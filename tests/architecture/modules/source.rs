//! The modules, `use` declarations and paths of one file. Test code is left out.

use std::str::FromStr;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// A path as it is written in a file, such as `super::clock::Time`.
pub type Path = Vec<String>;

/// Contents of one module.
#[derive(Default)]
pub struct Source {
    /// Modules that are separate files.
    pub files: Vec<String>,
    /// Modules that are blocks in this module.
    pub inline: Vec<(String, Source)>,
    /// Names that `use` brings into scope, each with its path.
    pub uses: Vec<(String, Path)>,
    /// All paths, including those of `use`.
    pub paths: Vec<Path>,
}

impl Source {
    /// Parses the source text of a file.
    pub fn read(text: &str) -> Result<Self, proc_macro2::LexError> {
        let mut source = Self::default();
        source.items(TokenStream::from_str(text)?, true);
        Ok(source)
    }

    /// Collects everything from `tokens`. If `outermost` is true, `tokens` are the items of a module; otherwise,
    /// they are the content of an item.
    fn items(&mut self, tokens: TokenStream, outermost: bool) {
        let tokens: Vec<_> = tokens.into_iter().collect();
        let mut at = 0;
        while at < tokens.len() {
            at = self.next(&tokens, at, outermost);
        }
    }

    /// Collects the item that begins at index `at`, and returns the index after it.
    fn next(&mut self, tokens: &[TokenTree], at: usize, outermost: bool) -> usize {
        match &tokens[at] {
            TokenTree::Punct(mark) if mark.as_char() == '#' => self.attribute(tokens, at),
            TokenTree::Group(group) => {
                self.items(group.stream(), false);
                at + 1
            }
            TokenTree::Ident(word) if word == "mod" && outermost => self.module(tokens, at),
            TokenTree::Ident(word) if word == "use" => {
                let end = end_of_item(tokens, at);
                self.use_tree(&tokens[at + 1..end], &[]);
                end
            }
            TokenTree::Ident(_) => {
                let (path, end) = path(tokens, at);
                if path.len() > 1 && !follows_path(tokens, at) {
                    self.paths.push(path);
                }
                end
            }
            _ => at + 1,
        }
    }

    /// If an attribute marks an item for tests only, skips the item. Otherwise, collects the paths in the
    /// attribute, including those in quotes.
    fn attribute(&mut self, tokens: &[TokenTree], at: usize) -> usize {
        let inner = is_mark(tokens.get(at + 1), '!');
        let Some(TokenTree::Group(group)) = tokens.get(at + 1 + usize::from(inner)) else { return at + 1 };
        let end = at + 2 + usize::from(inner);
        if is_for_tests(group) {
            return if inner { tokens.len() } else { end_of_item(tokens, end) };
        }
        self.quoted(group.stream());
        end
    }

    fn quoted(&mut self, tokens: TokenStream) {
        let tokens: Vec<_> = tokens.into_iter().collect();
        if tokens.first().is_some_and(|first| first.to_string() == "doc") {
            return;
        }
        for token in &tokens {
            match token {
                TokenTree::Group(group) => self.quoted(group.stream()),
                TokenTree::Literal(literal) => {
                    let text = literal.to_string();
                    if let Some(Ok(path)) =
                        text.strip_prefix('"').map(|rest| TokenStream::from_str(rest.trim_end_matches('"')))
                    {
                        self.items(path, false);
                    }
                }
                _ => {}
            }
        }
        self.items(tokens.into_iter().collect(), false);
    }

    fn module(&mut self, tokens: &[TokenTree], at: usize) -> usize {
        let Some(TokenTree::Ident(name)) = tokens.get(at + 1) else { return at + 1 };
        match tokens.get(at + 2) {
            Some(TokenTree::Group(group)) => {
                let mut inline = Self::default();
                inline.items(group.stream(), true);
                self.inline.push((name.to_string(), inline));
            }
            _ => self.files.push(name.to_string()),
        }
        at + 3
    }

    /// Collects the branches of a `use` declaration. All of them begin with `prefix`.
    fn use_tree(&mut self, tokens: &[TokenTree], prefix: &[String]) {
        for branch in tokens.split(|token| is_mark(Some(token), ',')) {
            let (rest, end) = path(branch, 0);
            let whole: Path = prefix.iter().cloned().chain(rest).collect();
            match branch.get(end) {
                Some(TokenTree::Group(group)) => {
                    let inside: Vec<_> = group.stream().into_iter().collect();
                    self.use_tree(&inside, &whole);
                }
                last => self.use_leaf(whole, last.and(branch.get(end + 1))),
            }
        }
    }

    fn use_leaf(&mut self, mut path: Path, alias: Option<&TokenTree>) {
        if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
            path.pop();
        }
        let Some(last) = path.last() else { return };
        let name = alias.map_or_else(|| last.clone(), ToString::to_string);
        self.uses.push((name, path.clone()));
        self.paths.push(path);
    }
}

/// Reads the path that begins at index `at`. Returns the path, and the index after its last token. In a `use`
/// declaration with a group or a star after `::`, the returned index is the index of this group or star.
fn path(tokens: &[TokenTree], mut at: usize) -> (Path, usize) {
    let mut path = Path::new();
    while let Some(TokenTree::Ident(word)) = tokens.get(at) {
        path.push(word.to_string());
        at += 1;
        if !(is_mark(tokens.get(at), ':') && is_mark(tokens.get(at + 1), ':')) {
            break;
        }
        at += 2;
    }
    (path, at)
}

/// Returns whether `::` precedes the word at index `at`. If so, the word is not the beginning of a path.
fn follows_path(tokens: &[TokenTree], at: usize) -> bool {
    at > 1 && is_mark(tokens.get(at - 1), ':') && is_mark(tokens.get(at - 2), ':')
}

fn is_mark(token: Option<&TokenTree>, mark: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == mark)
}

/// Returns whether an attribute is `test`, or a `cfg` that is true only in builds of tests.
fn is_for_tests(attribute: &Group) -> bool {
    let words: Vec<_> = words(attribute.stream());
    let has = |word: &str| words.iter().any(|found| found == word);
    words.first().is_some_and(|first| first == "test") || has("cfg") && has("test") && !has("not")
}

fn words(tokens: TokenStream) -> Vec<String> {
    let words = tokens.into_iter().flat_map(|token| match token {
        TokenTree::Group(group) => words(group.stream()),
        TokenTree::Ident(word) => vec![word.to_string()],
        _ => Vec::new(),
    });
    words.collect()
}

/// Returns the index after the item that begins at `at`. The item ends with its braces or, if it is a `use`,
/// `const`, `static` or `type`, with its semicolon.
fn end_of_item(tokens: &[TokenTree], at: usize) -> usize {
    let braces_end = !tokens[at..].iter().take(4).any(|token| {
        matches!(token, TokenTree::Ident(word) if ["use", "const", "static", "type"].iter().any(|kind| word == kind))
    });
    let ends = |token: &TokenTree| match token {
        TokenTree::Group(group) => braces_end && group.delimiter() == Delimiter::Brace,
        _ => is_mark(Some(token), ';'),
    };
    tokens[at..].iter().position(ends).map_or(tokens.len(), |length| at + length + 1)
}
