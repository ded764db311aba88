//! The modules of a crate, and the modules to which their paths lead.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::{fs, iter};

use super::source::{self, Source};

/// Maximum number of imports that are followed from a name to its item. This bound ends the search if an import
/// leads to itself.
const IMPORTS: usize = 8;

/// One module: a file, or a block in a file.
struct Module {
    name: String,
    parent: Option<usize>,
    children: BTreeMap<String, usize>,
    uses: BTreeMap<String, source::Path>,
    paths: Vec<source::Path>,
}

/// All modules of a crate except those of its tests. The first module is the root.
pub struct Tree {
    modules: Vec<Module>,
}

/// A path in one module that leads to another module. Neither module contains the other.
pub struct Reference {
    /// The innermost module that contains both modules.
    pub within: String,
    /// The child of `within` that contains the module with the path.
    pub from: String,
    /// The child of `within` to which the path leads.
    pub to: String,
    /// The module with the path, and the path itself, as text.
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

    /// Adds a module, and all modules that it contains. The files of these modules are in `folder`.
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
            // If no file exists at the usual places, the module has a `path` attribute. Only modules with helpers
            // for tests have one.
            if let Some(file) = file {
                self.add(&name, Some(index), read(&file), &below);
            }
        }
        for (name, source) in source.inline {
            self.add(&name, Some(index), source, &folder.join(&name));
        }
    }

    /// Returns every path that leads from one module to another, unless one module contains the other.
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

    /// Returns the modules from the root to module `index`, both included.
    fn line(&self, index: usize) -> Vec<usize> {
        let mut line: Vec<_> = iter::successors(Some(index), |index| self.modules[*index].parent).collect();
        line.reverse();
        line
    }

    /// Collects the modules through which `path` leads, if module `from` contains this path.
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

    /// Collects `module`, and the modules through which the rest of the path leads.
    fn descend(&self, module: usize, path: &[String], imports: usize, reached: &mut BTreeSet<usize>) {
        reached.insert(module);
        self.enter(module, path, imports, reached);
    }

    /// Follows the first name of `path` in module `module`. This name is a child of the module, or a `use` brings
    /// it into scope.
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
