//! The modules of a crate, and which of them each path leads to.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::{fs, iter};

use super::source::{self, Source};

/// Maximum number of imports between a name and its item. The bound ends a path that leads to itself.
const IMPORTS: usize = 8;

/// One module: a file, or a block within one.
struct Module {
    name: String,
    parent: Option<usize>,
    children: BTreeMap<String, usize>,
    uses: BTreeMap<String, source::Path>,
    paths: Vec<source::Path>,
}

/// All modules of a crate except those of its tests. The first is its root.
pub struct Tree {
    modules: Vec<Module>,
}

/// A path in one module that leads to another; neither contains the other.
pub struct Reference {
    /// The module that contains both.
    pub within: String,
    /// The child of `within` that contains the path.
    pub from: String,
    /// The child of `within` that the path leads to.
    pub to: String,
    /// The module with the path, and the path.
    pub witness: String,
}

impl Tree {
    /// Reads the crate with the given root file.
    pub fn read(root: &Path) -> Self {
        let mut tree = Self { modules: Vec::new() };
        let folder = root.parent().expect("a root file is in a folder");
        tree.add("crate", None, read(root), folder);
        tree
    }

    /// Adds a module and all modules within it, whose files are in `folder`.
    fn add(&mut self, name: &str, parent: Option<usize>, source: Source, folder: &Path) {
        let index = self.modules.len();
        let uses = source.uses.into_iter().collect();
        let children = BTreeMap::new();
        self.modules.push(Module { name: name.to_owned(), parent, children, uses, paths: source.paths });
        if let Some(parent) = parent {
            self.modules[parent].children.insert(name.to_owned(), index);
        }
        for name in source.files {
            let below = folder.join(&name);
            let file =
                [folder.join(format!("{name}.rs")), below.join("mod.rs")].into_iter().find(|file| file.is_file());
            // A module without a file at these paths has a `path` attribute. Only modules that support tests have
            // one.
            if let Some(file) = file {
                self.add(&name, Some(index), read(&file), &below);
            }
        }
        for (name, source) in source.inline {
            self.add(&name, Some(index), source, &folder.join(&name));
        }
    }

    /// Returns every path of one module that leads into another, unless one of the two contains the other.
    pub fn references(&self) -> Vec<Reference> {
        let mut references = Vec::new();
        for (index, module) in self.modules.iter().enumerate() {
            for path in &module.paths {
                let mut reached = BTreeSet::new();
                self.follow(index, path, IMPORTS, &mut reached);
                references.extend(reached.into_iter().filter_map(|target| self.reference(index, target, path)));
            }
        }
        references
    }

    fn reference(&self, from: usize, to: usize, path: &[String]) -> Option<Reference> {
        let (origin, target) = (self.line(from), self.line(to));
        let shared = iter::zip(&origin, &target).take_while(|(one, other)| one == other).count();
        let (from, to) = (origin.get(shared)?, target.get(shared)?);
        let name = |index: &usize| self.modules[*index].name.clone();
        let names = |line: &[usize]| line.iter().map(name).collect::<Vec<_>>().join("::");
        let witness = format!("{}: {}", names(&origin), path.join("::"));
        Some(Reference { within: names(&origin[..shared]), from: name(from), to: name(to), witness })
    }

    /// Returns the modules from the root to `index`.
    fn line(&self, index: usize) -> Vec<usize> {
        let mut line: Vec<_> = iter::successors(Some(index), |index| self.modules[*index].parent).collect();
        line.reverse();
        line
    }

    /// Collects the modules that `path` leads through, as written in module `from`.
    fn follow(&self, from: usize, path: &[String], imports: usize, reached: &mut BTreeSet<usize>) {
        let Some((first, rest)) = path.split_first() else { return };
        match first.as_str() {
            "crate" => self.descend(0, rest, imports, reached),
            "self" => self.descend(from, rest, imports, reached),
            "super" => self.ascend(from, rest, imports, reached),
            _ => self.enter(from, path, imports, reached),
        }
    }

    fn ascend(&self, from: usize, path: &[String], imports: usize, reached: &mut BTreeSet<usize>) {
        let Some(parent) = self.modules[from].parent else { return };
        match path.split_first() {
            Some((first, rest)) if first == "super" => self.ascend(parent, rest, imports, reached),
            _ => self.descend(parent, path, imports, reached),
        }
    }

    /// Collects `module` and the modules that the rest of the path leads through.
    fn descend(&self, module: usize, path: &[String], imports: usize, reached: &mut BTreeSet<usize>) {
        reached.insert(module);
        self.enter(module, path, imports, reached);
    }

    /// Follows the first name of `path` in module `module`: it is a child of that module, or comes from a `use`.
    fn enter(&self, module: usize, path: &[String], imports: usize, reached: &mut BTreeSet<usize>) {
        let Some((first, rest)) = path.split_first() else { return };
        if let Some(child) = self.modules[module].children.get(first) {
            self.descend(*child, rest, imports, reached);
        } else if let Some(target) = self.modules[module].uses.get(first)
            && imports > 0
            && target != path
        {
            let path: source::Path = target.iter().chain(rest).cloned().collect();
            self.follow(module, &path, imports - 1, reached);
        }
    }
}

fn read(file: &Path) -> Source {
    let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    Source::read(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}
