//! Checks of blocks, according to their language. A block is executed as a reader of the document would execute it,
//! and must have the stated result.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::block::{Block, Need, Wrong, blocks};
use super::session::{Outcome, Session};

/// Executes the blocks of a document from beginning to end.
pub struct Reader<'a> {
    document: &'a str,
    pub session: Session,
    /// Output of the last command.
    printed: Option<String>,
    /// Number of commands whose results were checked.
    held: usize,
    /// Program files in the folder that no command has used so far, each with the line of its block.
    unused: Vec<(usize, String)>,
}

/// Checks the blocks of a document in order, and stops at the first block with an error.
pub fn follow(document: &str) -> Result<(), Wrong> {
    Reader::new(document).follow()
}

impl<'a> Reader<'a> {
    pub fn new(document: &'a str) -> Self {
        Self { document, session: Session::begin(), printed: None, held: 0, unused: Vec::new() }
    }

    pub fn follow(&mut self) -> Result<(), Wrong> {
        let blocks = blocks(self.document)?;
        for block in &blocks {
            let held = self.held;
            self.check(block).map_err(|what| Wrong::new(block.line, what))?;
            if self.held == held && block.check.promises() {
                return Err(Wrong::new(block.line, "what is promised here is promised of nothing that is run"));
            }
        }
        match self.unused.pop() {
            Some((line, name)) => Err(Wrong::new(line, format!("nothing that follows names the file {name}"))),
            None => Ok(()),
        }
    }

    fn check(&mut self, block: &Block) -> Result<(), String> {
        self.unused.retain(|(_, name)| !block.text.contains(name));
        self.prepare(block)?;
        match (block.language.as_str(), block.check.kind.as_deref()) {
            _ if block.check.exempt.is_some() => Ok(()),
            _ if block.check.stands_in.is_some() => stands_in(block),
            ("sh", None) => self.shell(block),
            ("yaml", None) => self.scenario(block),
            ("python", None) if block.check.file.is_some() => Ok(()),
            ("python", None) => self.comes_to(block, self.session.python(&block.text)),
            ("sql", None) => self.query(block),
            ("text", None) => self.is_printed(block),
            ("json", Some("specification")) => self.given(block, "interlock simulate --specification"),
            ("json", Some("schedule")) => self.given(block, "interlock replay"),
            ("json", Some("protocol")) => keeps_to_the_protocol(&block.text),
            ("json", None) => Err("a block of json says `as`: specification, schedule or protocol".to_owned()),
            (language, None) => Err(format!("nothing checks a block of {language}")),
            (language, Some(kind)) => Err(format!("nothing checks a block of {language} as {kind}")),
        }
    }

    /// Opens the playground, and writes the files, that a block needs.
    fn prepare(&mut self, block: &Block) -> Result<(), String> {
        if block.check.playground == Some(Need::Opens) && block.language != "sh" {
            return Err("a playground is opened by a block of sh".to_owned());
        }
        if block.check.playground == Some(Need::Open) && self.session.playground.is_none() {
            self.session.open(&["--no-demo"]);
        }
        for path in &block.check.brings {
            self.session.bring(path).map_err(|error| format!("{path}: {error}"))?;
        }
        if let Some(name) = &block.check.file {
            self.session.write(name, &block.text);
            // A scenario is checked without a command. A program is checked only if a later command uses it. It is
            // therefore recorded as unused until then.
            if block.language == "python" {
                self.unused.push((block.line, name.clone()));
            }
        }
        Ok(())
    }

    fn shell(&mut self, block: &Block) -> Result<(), String> {
        if block.check.playground != Some(Need::Opens) {
            return self.comes_to(block, self.session.shell(&block.text));
        }
        let command = block.text.split(" #").next().unwrap_or_default();
        match command.split_whitespace().collect::<Vec<_>>()[..] {
            ["cargo", "run", "--release"] => self.session.open(&[]),
            ["interlock", ref options @ ..] | ["cargo", "run", "--release", "--", ref options @ ..] => {
                self.session.open(options);
            }
            _ => return Err(format!("a playground is opened by `interlock` and its options, not by `{command}`")),
        }
        Ok(())
    }

    /// Plays the scenario in a block: in virtual time, or with live processes if it has programs of a user.
    fn scenario(&mut self, block: &Block) -> Result<(), String> {
        let how = if block.text.contains("command:") { "--live" } else { "--simulate" };
        self.given(block, &format!("interlock run {how}"))
    }

    /// Writes the block to a file, and passes this file to a command.
    fn given(&mut self, block: &Block, command: &str) -> Result<(), String> {
        let name = block.check.file.clone().unwrap_or_else(|| format!("line-{}.{}", block.line, block.language));
        self.session.write(&name, &block.text);
        self.comes_to(block, self.session.shell(&format!("{command} {name}")))
    }

    fn comes_to(&mut self, block: &Block, outcome: Outcome) -> Result<(), String> {
        let Outcome { code, printed } = outcome;
        if code != Some(block.check.exit) {
            let code = code.map_or("a signal".to_owned(), |code| format!("exit code {code}"));
            return Err(format!("it ends with {code} instead of {}:\n{printed}", block.check.exit));
        }
        for promise in &block.check.prints {
            find(&printed, promise)?;
        }
        self.printed = Some(printed);
        self.held += 1;
        Ok(())
    }

    /// Checks a block that shows output: the last command before the block must have printed the text of the block.
    fn is_printed(&self, block: &Block) -> Result<(), String> {
        let printed = self.printed.as_ref().ok_or("no command stands before it that could print this")?;
        find(printed, &block.text)
    }

    /// Executes the query of a block, on the journal of the latest run.
    fn query(&mut self, block: &Block) -> Result<(), String> {
        if self.session.playground.is_none() {
            return Err("there is no journal: no playground has had a run".to_owned());
        }
        let command = format!("interlock journal sql latest <<'END_OF_QUERY'\n{}\nEND_OF_QUERY", block.text);
        self.comes_to(block, self.session.shell(&command))
    }
}

/// Replaces each sequence of white space with one space. Otherwise, a comparison would depend on the width of the
/// terminal.
fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Searches the output for the expected text `promise`. In this text, `…` separates parts that must occur in the
/// output in the same order.
fn find(printed: &str, promise: &str) -> Result<(), String> {
    let all = squeezed(printed);
    let mut rest = all.as_str();
    for part in promise.split('…') {
        let wanted = squeezed(part);
        let place = rest.find(&wanted).ok_or_else(|| missing(rest, part, printed))?;
        rest = &rest[place + wanted.len()..];
    }
    Ok(())
}

/// Returns the error for a part that the output lacks. The error shows the first line of the part that was not
/// printed.
fn missing(rest: &str, part: &str, printed: &str) -> String {
    let line = part.lines().map(squeezed).find(|line| !rest.contains(line)).unwrap_or_else(|| squeezed(part));
    format!("this is not printed: {line}\nbut this is:\n{printed}")
}

fn read(path: &str) -> Result<String, String> {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).map_err(|error| format!("{path}: {error}"))
}

/// Checks that the file of the repository that the block names contains a copy of the block, possibly as a comment.
/// The copy is compiled and executed in that file.
fn stands_in(block: &Block) -> Result<(), String> {
    let path = block.check.stands_in.as_deref().unwrap_or_default();
    let uncommented = |line: &str| line.trim_start_matches("//!").trim_end().to_owned();
    let lines = |text: &str| text.lines().map(|line| squeezed(&uncommented(line))).collect::<Vec<_>>();
    let (file, block) = (lines(&read(path)?), lines(&block.text));
    let found = file.windows(block.len().max(1)).any(|part| part == block);
    found.then_some(()).ok_or_else(|| format!("it does not stand in {path} in these words"))
}

fn keeps_to_the_protocol(lines: &str) -> Result<(), String> {
    let schema = serde_json::from_str(&read("docs/node.schema.json")?).map_err(|error| error.to_string())?;
    let schema = jsonschema::draft202012::new(&schema).map_err(|error| error.to_string())?;
    for line in lines.lines() {
        let document: Value = serde_json::from_str(line).map_err(|error| format!("{line}: {error}"))?;
        schema.validate(&document).map_err(|error| format!("{line}: {error}"))?;
    }
    Ok(())
}
