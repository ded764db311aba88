//! Layers of modules: references lead to modules of the same layer or of a lower one.

use super::tree::Reference;

/// Returns the modules at the root of a crate that are in no layer or in several, and the references to a higher layer.
pub fn violations(modules: &[String], references: &[Reference], layers: &[&[&str]]) -> Vec<String> {
    let layer = |name: &str| layers.iter().position(|layer| layer.contains(&name));
    let in_layers = |name: &str| layers.iter().filter(|layer| layer.contains(&name)).count();
    let misplaced = modules.iter().filter(|name| in_layers(name) != 1);
    let misplaced = misplaced.map(|name| format!("{name} is in {} layers", in_layers(name)));
    let upward = references
        .iter()
        .filter(|reference| reference.within == "crate" && layer(&reference.from) < layer(&reference.to));
    let upward = upward.map(|reference| format!("{} refers to a higher layer", reference.witness));
    misplaced.chain(upward).collect()
}
