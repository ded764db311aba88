//! Test that each Rust file belongs to the modules of a target. Cargo ignores a file that no `mod` names.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::crates::packages;

/// The files that belong to a target of Cargo.
#[derive(Default)]
struct Named(BTreeSet<PathBuf>);

impl Named {
    /// Adds `file`, and the files of the modules that it declares. If `beside` is true, the files of these modules
    /// are in the same folder as `file`.
    fn add(&mut self, file: &Path, beside: bool) {
        if !self.0.insert(file.canonicalize().expect("a file")) {
            return;
        }
        let folder = file.parent().expect("a file is in a folder");
        let below = if beside || file.ends_with("mod.rs") { folder.to_owned() } else { file.with_extension("") };
        let text = fs::read_to_string(file).expect("a text");
        let mut path = None;
        for line in text.lines().map(str::trim) {
            if let Some(given) = line.strip_prefix("#[path = \"") {
                path = given.strip_suffix("\"]");
            } else if let Some(name) = module(line) {
                let usual = [below.join(format!("{name}.rs")), below.join(name).join("mod.rs")];
                let given = path.take().map(|path| folder.join(path));
                if let Some(file) = given.iter().chain(&usual).find(|file| file.is_file()) {
                    self.add(file, given.is_some());
                }
            }
        }
    }
}

/// Returns the name of the module that a line declares, if the module is a file of its own.
fn module(line: &str) -> Option<&str> {
    let (before, name) = line.strip_suffix(';')?.split_once("mod ")?;
    (before.is_empty() || before.starts_with("pub")).then(|| name.trim_start_matches("r#"))
}

/// Returns the files in `folder` that belong to no target. `roots` contains the root file of each target.
fn forgotten(folder: &Path, roots: &[PathBuf]) -> Vec<PathBuf> {
    let mut named = Named::default();
    for root in roots {
        named.add(root, true);
    }
    let mut all = Vec::new();
    list(&folder.canonicalize().expect("a folder"), &mut all);
    all.retain(|file| !named.0.contains(file));
    all.sort_unstable();
    all
}

/// Lists the Rust files in a folder, at any depth. Leaves out hidden folders and the products of Cargo.
fn list(folder: &Path, all: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy();
        if path.is_dir() && !name.starts_with('.') && name != "target" {
            list(&path, all);
        } else if name.ends_with(".rs") {
            all.push(path);
        }
    }
}

fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/architecture/samples")
}

#[test]
fn each_file_belongs_to_a_target() {
    let packages = packages();
    let targets = packages.iter().flat_map(|package| package["targets"].as_array().expect("a list"));
    let roots: Vec<PathBuf> = targets.map(|target| target["src_path"].as_str().expect("a path").into()).collect();
    let mut found = forgotten(Path::new(env!("CARGO_MANIFEST_DIR")), &roots);
    found.retain(|file| !file.starts_with(samples()));
    assert_eq!(found, [""; 0].map(PathBuf::from));
}

#[test]
fn a_file_that_no_module_names_is_forgotten() {
    let folder = samples().join("layered");
    assert_eq!(forgotten(&folder, &[folder.join("lib.rs")]), [""; 0].map(PathBuf::from));
    let found = forgotten(&folder, &[folder.join("monitor/mod.rs")]);
    assert_eq!(found, ["event.rs", "lib.rs", "state.rs"].map(|name| folder.join(name)));
}
