//! Blocks of a document, with the comment before each block that describes how to check the block.

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};

/// A block of code in a document.
#[derive(Debug)]
pub struct Block {
    /// Line of the fence that begins the block, from 1.
    pub line: usize,
    /// The first word after the fence, which is the language.
    pub language: String,
    pub text: String,
    pub check: Check,
}

/// Instructions for checking a block, from the comment `<!-- check … -->` before it.
#[derive(Debug, Default)]
pub struct Check {
    /// The reason why the block cannot be checked; none if the block can be checked.
    pub exempt: Option<String>,
    /// Expected exit code.
    pub exit: i32,
    /// Parts that the output must contain. In a part, `…` matches any text.
    pub prints: Vec<String>,
    /// Name of the file to which the block is written, in the folder of the document.
    pub file: Option<String>,
    /// Files of the repository that are copied to the same folder before the block is checked.
    pub brings: Vec<String>,
    /// Kind of the block, if its language alone does not determine how to check the block.
    pub kind: Option<String>,
    /// File of the repository that contains a copy of the block, which is compiled and executed there. The check is
    /// that the copy has the same text as the block.
    pub stands_in: Option<String>,
    /// How the block uses a playground; none if it needs no playground.
    pub playground: Option<Need>,
}

impl Check {
    /// Returns whether the comment states an expected result of the block.
    pub fn promises(&self) -> bool {
        self.exit != 0 || !self.prints.is_empty()
    }
}

/// How a block uses a playground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// The block opens a playground, which stays open until the end of the document.
    Opens,
    /// The block needs an open playground. If the document has not opened a playground, an empty playground is
    /// opened.
    Open,
}

/// An error in a document, with its line.
#[derive(Debug)]
pub struct Wrong {
    pub line: usize,
    pub what: String,
}

impl Wrong {
    pub fn new(line: usize, what: impl Into<String>) -> Self {
        Self { line, what: what.into() }
    }
}

/// Returns all blocks of a document, in order.
pub fn blocks(document: &str) -> Result<Vec<Block>, Wrong> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut comment: Option<(usize, Check)> = None;
    let mut inside = false;
    for (event, range) in Parser::new(document).into_offset_iter() {
        let line = document[..range.start].matches('\n').count() + 1;
        match event {
            Event::Html(text) if text.starts_with("<!-- check") => {
                orphan(comment.take())?;
                // The parser reports each line of a comment separately. At the first line, this code therefore
                // reads the whole comment from the document.
                let (said, _) = document[range.start..].split_once("-->").unwrap_or((&document[range.start..], ""));
                comment = Some((line, check(said, line)?));
            }
            Event::Start(Tag::CodeBlock(kind)) => {
                inside = true;
                let language = language(&kind, line)?;
                let check = comment.take().map(|(_, check)| check).unwrap_or_default();
                blocks.push(Block { line, language, text: String::new(), check });
            }
            Event::End(TagEnd::CodeBlock) => inside = false,
            Event::Text(text) if inside => blocks.last_mut().expect("a block").text.push_str(&text),
            Event::Start(Tag::HtmlBlock) | Event::End(TagEnd::HtmlBlock) | Event::Html(_) => {}
            _ => orphan(comment.take())?,
        }
    }
    orphan(comment)?;
    Ok(blocks)
}

fn orphan(comment: Option<(usize, Check)>) -> Result<(), Wrong> {
    comment.map_or(Ok(()), |(line, _)| Err(Wrong::new(line, "no block follows what is to be checked here")))
}

fn language(kind: &CodeBlockKind<'_>, line: usize) -> Result<String, Wrong> {
    match kind {
        CodeBlockKind::Fenced(info) => match info.split_whitespace().next() {
            Some(language) => Ok(language.to_owned()),
            None => Err(Wrong::new(line, "the fence does not say what is in the block, such as sh or yaml")),
        },
        CodeBlockKind::Indented => Err(Wrong::new(line, "a block that is only indented does not say what is in it")),
    }
}

/// Parses a comment with `key: value` in each line. The first key may be on the same line as the word `check`.
fn check(comment: &str, line: usize) -> Result<Check, Wrong> {
    let mut check = Check::default();
    let said = comment.trim_start_matches("<!-- check");
    for (place, entry) in said.lines().enumerate().filter(|(_, entry)| !entry.trim().is_empty()) {
        let wrong = || Wrong::new(line + place, format!("`{}` says nothing of how to check a block", entry.trim()));
        let (key, value) = entry.trim().split_once(": ").ok_or_else(wrong)?;
        let value = value.trim().to_owned();
        match key {
            "exempt" => check.exempt = Some(value),
            "exit" => check.exit = value.parse().map_err(|_| wrong())?,
            "prints" => check.prints.push(value),
            "file" => check.file = Some(value),
            "brings" => check.brings.push(value),
            "as" => check.kind = Some(value),
            "stands in" => check.stands_in = Some(value),
            "playground" if value == "opens" => check.playground = Some(Need::Opens),
            "playground" if value == "open" => check.playground = Some(Need::Open),
            _ => return Err(wrong()),
        }
    }
    Ok(check)
}
