//! Tests of README.md and of the guide under `docs/`. Each block is executed or checked, in order, in a separate
//! folder for the document. A block that has no check is a failure. A comment before a block, `<!-- check … -->`,
//! may have further instructions; `block.rs` lists their keys.

mod block;
mod check;
mod links;
mod session;
mod wrong;

use std::fs;
use std::path::{Path, PathBuf};

use block::{Wrong, blocks};
use libtest_mimic::{Failed, Trial};

/// Number of blocks that cannot be checked. The comment before each of them states the reason.
const EXEMPT: usize = 5;

/// Returns the tests of this folder.
pub fn trials() -> Vec<Trial> {
    let mut trials = vec![Trial::test("documents::the_number_of_exempt_blocks_is_known", so_many_are_exempt)];
    let followed = |path: PathBuf| Trial::test(format!("documents::{}", name(&path)), move || is_as_it_says(&path));
    trials.extend(documents().into_iter().map(followed));
    trials.push(Trial::test("documents::links_of_the_map_and_of_the_decisions_lead_somewhere", lead_somewhere));
    trials.extend(wrong::trials());
    trials
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the documents whose blocks are checked.
fn documents() -> Vec<PathBuf> {
    let readme = root().join("README.md");
    pages(&root().join("docs")).into_iter().chain([readme]).collect()
}

/// Returns the pages of the guide in a folder and in all folders that it contains. The decisions do not belong to
/// the guide.
fn pages(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file").path());
    let (folders, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
    let below = folders.iter().filter(|path| !path.ends_with("docs/decisions")).flat_map(|path| pages(path));
    below.chain(files.into_iter().filter(|path| is_document(path))).collect()
}

/// Returns the documents for developers. Only the links of these documents are checked.
fn map() -> impl Iterator<Item = PathBuf> {
    [".", "docs/decisions", "node", "orchestrator", "tests", "web"].into_iter().flat_map(in_folder)
}

fn in_folder(folder: &str) -> impl Iterator<Item = PathBuf> + use<> {
    let files = fs::read_dir(root().join(folder)).expect("a folder").map(|entry| entry.expect("a file").path());
    files.filter(|path| is_document(path))
}

fn is_document(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "md")
}

fn lead_somewhere() -> Result<(), Failed> {
    map().try_for_each(|path| links::check(&path, &read(&path)?).map_err(|wrong| told(&path, &wrong)))
}

fn name(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

fn read(path: &Path) -> Result<String, Failed> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", name(path)).into())
}

/// Describes an error, with its file and line.
fn told(path: &Path, wrong: &Wrong) -> Failed {
    format!("{}:{}: {}", name(path), wrong.line, wrong.what).into()
}

fn is_as_it_says(path: &Path) -> Result<(), Failed> {
    let document = read(path)?;
    links::check(path, &document).and_then(|()| check::follow(&document)).map_err(|wrong| told(path, &wrong))
}

fn so_many_are_exempt() -> Result<(), Failed> {
    let mut exempt = Vec::new();
    for path in documents() {
        for block in blocks(&read(&path)?).map_err(|wrong| told(&path, &wrong))? {
            let because = |reason| format!("{}:{}: {reason}", name(&path), block.line);
            exempt.extend(block.check.exempt.as_ref().map(because));
        }
    }
    let found = format!("{} blocks are exempt, and {EXEMPT} are counted:\n{}", exempt.len(), exempt.join("\n"));
    if exempt.len() == EXEMPT { Ok(()) } else { Err(found.into()) }
}
