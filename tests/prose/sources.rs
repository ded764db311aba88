//! Collection of the sentences in the repository.

use std::fs;
use std::path::{Path, PathBuf};

use super::rules::Kind;

/// A sentence, without the code in it.
#[derive(Debug)]
pub struct Sentence {
    /// Path of the file in the repository.
    pub file: String,
    /// Line on which the paragraph of the sentence begins.
    pub line: usize,
    pub text: String,
}

/// Folders with sources and documents.
const FOLDERS: [&str; 5] = ["docs", "node", "orchestrator", "tests", "web"];

/// Returns the sentences of a kind in all files of the repository.
pub fn sentences(root: &Path, kind: Kind) -> Vec<Sentence> {
    let mut names = files(root, false);
    names.extend(FOLDERS.iter().flat_map(|folder| files(&root.join(folder), true)));
    let mut found = Vec::new();
    for path in names {
        let name = path.strip_prefix(root).expect("a file below the root").to_string_lossy().into_owned();
        if !is_of(kind, &name) {
            continue;
        }
        let Ok(source) = fs::read_to_string(&path) else { continue };
        let paragraphs = match kind {
            Kind::Comment => comments(&source, has_extension(&name, &["js"])),
            Kind::Document => documents(&source),
            Kind::Text => texts(&source),
        };
        for (line, paragraph) in paragraphs {
            let text = without_code(&paragraph);
            let sentences = if kind == Kind::Text { vec![text] } else { split(&text) };
            found.extend(sentences.into_iter().map(|text| Sentence { file: name.clone(), line, text }));
        }
    }
    found
}

/// Returns the files of a folder, sorted. If `is_deep` is true, also returns the files of all folders that it
/// contains.
fn files(folder: &Path, is_deep: bool) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    let inner = |path: PathBuf| {
        if !path.is_dir() {
            return vec![path];
        }
        if is_deep { files(&path, true) } else { Vec::new() }
    };
    entries.into_iter().flat_map(inner).collect()
}

fn is_of(kind: Kind, name: &str) -> bool {
    let is_test = name.starts_with("tests/") || name.contains("tests");
    match kind {
        Kind::Comment => has_extension(name, &["rs", "js"]),
        Kind::Document => has_extension(name, &["md"]),
        Kind::Text => !is_test && has_extension(name, &["rs", "js"]),
    }
}

fn has_extension(name: &str, extensions: &[&str]) -> bool {
    Path::new(name).extension().is_some_and(|found| extensions.iter().any(|extension| found == *extension))
}

/// Collects lines into paragraphs, each with the number of its first line.
#[derive(Default)]
struct Paragraphs {
    found: Vec<(usize, String)>,
    open: Option<(usize, String)>,
}

impl Paragraphs {
    fn add(&mut self, line: usize, text: &str) {
        let (_, paragraph) = self.open.get_or_insert_with(|| (line, String::new()));
        paragraph.push(' ');
        paragraph.push_str(text);
    }

    fn end(&mut self) {
        self.found.extend(self.open.take());
    }

    /// Adds a line of prose. An empty line ends a paragraph, and a list item begins a paragraph.
    fn prose(&mut self, line: usize, text: &str) {
        let begins =
            ["- ", "* ", "#", "|", "@", "1. ", "2. ", "3. ", "4. ", "5. "].iter().any(|mark| text.starts_with(mark));
        if text.is_empty() || begins {
            self.end();
        }
        // Tables and tags of JSDoc are not sentences.
        if !text.is_empty() && !text.starts_with(['|', '@', '#']) {
            self.add(line, text.trim_start_matches(['-', '*']).trim());
        }
    }
}

/// Returns the paragraphs of those comments that are whole lines.
fn comments(source: &str, is_script: bool) -> Vec<(usize, String)> {
    let mut paragraphs = Paragraphs::default();
    let (mut in_block, mut in_code) = (false, false);
    for (number, line) in (1..).zip(source.lines()) {
        let line = line.trim();
        let text = if is_script && (in_block || line.starts_with("/*")) {
            in_block = !line.contains("*/");
            let text = line.split("*/").next().unwrap_or_default();
            Some(text.trim_start_matches("/*").trim_start_matches('*'))
        } else {
            line.strip_prefix("//").map(|rest| rest.trim_start_matches(['/', '!']))
        };
        match text.map(str::trim) {
            Some(fence) if fence.starts_with("```") => {
                in_code = !in_code;
                paragraphs.end();
            }
            Some(text) if !in_code => paragraphs.prose(number, text),
            Some(_) => {}
            None => {
                in_code = false;
                paragraphs.end();
            }
        }
    }
    paragraphs.end();
    paragraphs.found
}

/// Returns the paragraphs of a Markdown document, without code blocks, tables and comments.
fn documents(source: &str) -> Vec<(usize, String)> {
    let mut paragraphs = Paragraphs::default();
    let (mut in_code, mut in_comment) = (false, false);
    for (number, line) in (1..).zip(source.lines()) {
        let line = line.trim();
        if line.starts_with("```") {
            in_code = !in_code;
            paragraphs.end();
        } else if in_comment || line.starts_with("<!--") {
            in_comment = !line.contains("-->");
            paragraphs.end();
        } else if !in_code {
            paragraphs.prose(number, line);
        }
    }
    paragraphs.end();
    paragraphs.found
}

/// Returns the string literals with at least four words. Literals that extend over several lines are left out.
fn texts(source: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (number, line) in (1..).zip(source.lines()) {
        if line.trim_start().starts_with(['/', '*']) {
            continue;
        }
        let parts = line.split('"').skip(1).step_by(2);
        let texts = parts.filter(|text| text.split_whitespace().count() >= 4);
        found.extend(texts.map(|text| (number, text.to_owned())));
    }
    found
}

/// Replaces each piece of code and each placeholder by one word.
fn without_code(text: &str) -> String {
    let mut plain = String::new();
    let mut end = None;
    for one in text.chars() {
        match (end, one) {
            (Some(close), _) if one == close => end = None,
            (Some(_), _) => {}
            (None, '`') => {
                end = Some('`');
                plain.push_str("CODE");
            }
            (None, '{') => {
                end = Some('}');
                plain.push_str("VALUE");
            }
            (None, _) => plain.push(one),
        }
    }
    plain
}

/// Splits a paragraph into sentences.
fn split(paragraph: &str) -> Vec<String> {
    let mut sentences = vec![String::new()];
    for word in paragraph.split_whitespace() {
        let last = sentences.last_mut().expect("at least one");
        if !last.is_empty() {
            last.push(' ');
        }
        last.push_str(word);
        if word.trim_end_matches([')', '"']).ends_with(['.', '?', '!', ':']) {
            sentences.push(String::new());
        }
    }
    sentences.retain(|sentence| !sentence.is_empty());
    sentences
}

#[test]
fn sentences_are_found_where_they_are() {
    let source = "/// First of `x y`. Second\n/// line.\nfn f() { let s = \"a text of words\"; }\n// - item one\n// - item two\n";
    let found: Vec<(usize, String)> = comments(source, false)
        .into_iter()
        .flat_map(|(line, text)| split(&without_code(&text)).into_iter().map(move |text| (line, text)))
        .collect();
    let expected = [(1, "First of CODE."), (1, "Second line."), (4, "item one"), (5, "item two")];
    assert_eq!(found.iter().map(|(line, text)| (*line, text.as_str())).collect::<Vec<_>>(), expected);
    assert_eq!(texts(source), [(3, "a text of words".to_owned())]);
    let script = "/**\n * A list.\n * @param {string} a The name.\n */\nconst a = 1;\n";
    assert_eq!(comments(script, true), [(2, " A list.".to_owned())]);
    let page = "# Title\n\nOne.\n<!-- check: so -->\n```sh\nno prose\n```\n| a | b |\n";
    assert_eq!(documents(page), [(3, " One.".to_owned())]);
}
