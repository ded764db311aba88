//! Tests of the names that types have in the OpenAPI document.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Returns the names that the types in the source text `source` have in the OpenAPI document.
fn names(source: &str) -> Vec<String> {
    let mut names = Vec::new();
    for item in source.split("#[derive(").skip(1) {
        let Some((head, rest)) =
            ["struct ", "enum "].iter().filter_map(|word| item.split_once(word)).min_by_key(|(head, _)| head.len())
        else {
            continue;
        };
        let name = match head.split_once("schema(as = ") {
            Some((_, own)) => own.split([',', ')']).next(),
            None => rest.split(|sign: char| !sign.is_alphanumeric()).next(),
        };
        if head.split(']').next().is_some_and(|derived| derived.contains("ToSchema")) {
            names.extend(name.map(str::to_owned));
        }
    }
    names
}

fn sources(folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        if entry.path().is_dir() {
            if !entry.path().ends_with("tests") {
                sources(&entry.path(), found);
            }
        } else if entry.path().extension().is_some_and(|kind| kind == "rs") {
            found.extend(names(&fs::read_to_string(entry.path()).expect("a source")));
        }
    }
}

/// If two types have the same name, the document describes only the second type. References to the first type
/// would then lead to the wrong schema.
#[test]
fn no_two_types_have_the_same_name_in_the_document() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all = Vec::new();
    for folder in ["src", "../src", "../model/src", "../observation/src", "../simulation/src", "../exploration/src"] {
        sources(&root.join(folder), &mut all);
    }
    assert!(all.len() > 150 && all.contains(&"RunStatus".to_owned()), "{all:?}");
    let mut known = BTreeSet::new();
    let twice: Vec<_> = all.iter().filter(|name| !known.insert(*name)).collect();
    assert!(twice.is_empty(), "{twice:?}");
    let same = "#[derive(ToSchema)]\npub struct A;\n#[derive(Clone, ToSchema)]\n#[schema(as = A)]\nenum B {}\n#[derive(Clone)]\nstruct A;";
    assert_eq!(names(same), ["A", "A"]);
}
