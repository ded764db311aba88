//! A golden file: the lines that a test writes are compared with the stored lines, or replace them.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

/// Environment variable. If its value is `renew`, the tests write the golden files anew. [`RENEWAL`] is the command
/// that renews them.
const VARIABLE: &str = "INTERLOCK_GOLDEN";
const RENEWAL: &str = "INTERLOCK_GOLDEN=renew cargo test --workspace --test program -- golden:: --test-threads 1";

/// The lines for one golden file.
pub struct Golden {
    name: &'static str,
    text: String,
}

impl Golden {
    /// Creates a golden file without lines.
    pub const fn new(name: &'static str) -> Self {
        Self { name, text: String::new() }
    }

    /// Appends a line.
    pub fn line(&mut self, line: &str) {
        assert!(!line.contains('\n'), "more than one line: {line}");
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Appends a line with the digest of `content`, followed by `name`.
    pub fn digest(&mut self, name: &str, content: impl AsRef<[u8]>) {
        self.line(&format!("{}  {name}", digest(content)));
    }

    /// Panics if the stored file does not have exactly these lines. If the environment variable is `renew`, stores
    /// the lines first.
    pub fn check(&self) {
        check(&path(self.name), &self.text);
    }
}

/// Panics if the content of the file at `path` is not exactly `text`. If the environment variable is `renew`,
/// stores the text first.
pub fn check(path: &Path, text: &str) {
    if std::env::var(VARIABLE).is_ok_and(|value| value == "renew") {
        std::fs::write(path, text).expect("the golden file is written");
    }
    let kept = std::fs::read_to_string(path).unwrap_or_default();
    if let Some(difference) = difference(&kept, text) {
        panic!("{} differs: {difference}\nIf the change is wanted: {RENEWAL}", path.display());
    }
}

/// Returns the path of a golden file.
pub fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/kept").join(name)
}

/// Returns the first 128 bits of the SHA-256 of `content`, in hexadecimal.
pub fn digest(content: impl AsRef<[u8]>) -> String {
    Sha256::digest(content).iter().take(16).fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a string takes all");
        text
    })
}

/// Returns a description of the first line that differs, with its number.
pub fn difference(kept: &str, found: &str) -> Option<String> {
    if kept == found {
        return None;
    }
    let mut lines = (kept.split_inclusive('\n'), found.split_inclusive('\n'));
    let mut number = 0;
    loop {
        number += 1;
        let (kept, found) = (lines.0.next(), lines.1.next());
        if kept != found {
            let shown = |line: Option<&str>| line.map_or_else(|| "no line".to_owned(), |line| format!("{line:?}"));
            return Some(format!("line {number}\n  kept  {}\n  found {}", shown(kept), shown(found)));
        }
    }
}

#[test]
fn the_first_different_line_is_named() {
    assert_eq!(difference("a\nb\n", "a\nb\n"), None);
    for (kept, found) in [("a\nb\n", "a\nc\n"), ("a\nb\n", "a\nb"), ("a\n", "a\nb\n"), ("a\nb\n", "a\n")] {
        assert!(difference(kept, found).is_some_and(|text| text.starts_with("line 2")), "{kept:?} {found:?}");
    }
}
