//! Cycles of references between modules.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::tree::Reference;

/// A cycle: modules with the same parent. Each of them refers to all others, directly or through other modules of
/// the cycle.
pub struct Cycle {
    /// Path of the parent module.
    pub within: String,
    /// The names of the modules.
    pub modules: Vec<String>,
    /// For each pair of modules of which the first refers to the second: the number of references, and an example
    /// of them.
    witnesses: Vec<String>,
}

type Graph<'a> = BTreeMap<&'a str, BTreeMap<&'a str, Vec<&'a str>>>;

/// Returns the cycles that `references` form.
pub fn cycles(references: &[Reference]) -> Vec<Cycle> {
    let mut graphs: BTreeMap<&str, Graph> = BTreeMap::new();
    for reference in references {
        let graph = graphs.entry(&reference.within).or_default();
        graph.entry(&reference.from).or_default().entry(&reference.to).or_default().push(&reference.witness);
    }
    graphs.into_iter().flat_map(|(within, graph)| cycles_within(within, &graph)).collect()
}

fn cycles_within(within: &str, graph: &Graph) -> Vec<Cycle> {
    let reached: BTreeMap<_, _> = graph.keys().map(|from| (*from, reached(graph, from))).collect();
    let leads = |from: &str, to: &str| reached.get(from).is_some_and(|reached| reached.contains(to));
    let components: BTreeSet<Vec<&str>> = graph
        .keys()
        .filter(|module| leads(module, module))
        .map(|module| graph.keys().copied().filter(|other| leads(module, other) && leads(other, module)).collect())
        .collect();
    let cycle = |modules: Vec<&str>| Cycle {
        within: within.to_owned(),
        witnesses: witnesses(graph, &modules),
        modules: modules.into_iter().map(str::to_owned).collect(),
    };
    components.into_iter().map(cycle).collect()
}

/// Returns the modules that can be reached from `start` by following one or more references.
fn reached<'a>(graph: &Graph<'a>, start: &str) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut ahead: Vec<&str> = vec![start];
    while let Some(module) = ahead.pop() {
        for next in graph.get(module).into_iter().flat_map(BTreeMap::keys) {
            if reached.insert(*next) {
                ahead.push(next);
            }
        }
    }
    reached
}

fn witnesses(graph: &Graph, modules: &[&str]) -> Vec<String> {
    let pairs = modules.iter().flat_map(|from| modules.iter().map(move |to| (*from, *to)));
    let found = pairs.filter_map(|(from, to)| {
        let paths = graph.get(from)?.get(to)?;
        Some(format!("{from} → {to} ({}, such as {})", paths.len(), paths.first()?))
    });
    found.collect()
}

impl fmt::Display for Cycle {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}\n  {}", self.within, self.modules.join(", "), self.witnesses.join("\n  "))
    }
}
