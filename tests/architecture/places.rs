//! Test of the section "How to add …" of `ARCHITECTURE.md`: each path leads to exactly one file or folder, and the
//! lists that the section names are complete.

use std::fs;
use std::path::Path;

/// Title of the section, which is the last section of the document.
const TITLE: &str = "## How to add …";
/// Extensions of the files that the section names.
const EXTENSIONS: [&str; 7] = ["js", "json", "md", "py", "rs", "txt", "yaml"];
/// Folders that contain no sources.
const PRODUCTS: [&str; 3] = ["__pycache__", "node_modules", "target"];
/// Each folder of documents, with the file that contains the list of all documents in the folder.
const LISTS: [(&str, &str); 3] = [
    ("tests/scenarios/examples/", "orchestrator/simulation/src/example/mod.rs"),
    ("tests/lessons/", "orchestrator/api/src/lesson/mod.rs"),
    ("node/algorithm/src/", "orchestrator/api/src/words/mod.rs"),
];
/// Files with a list of kinds of events that are not shown to people: the last two have the same list.
const DETAILS: [&str; 3] =
    ["orchestrator/cli/src/watch.rs", "tests/harness/rust/src/told.rs", "tests/harness/python/interlock.py"];
const MONITORS: &str = "orchestrator/observation/src/monitor/";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn text(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Returns the paths of all files and folders of the repository, relative to its root. The path of a folder ends with
/// a slash.
fn paths() -> Vec<String> {
    let mut all = Vec::new();
    add(root(), "", &mut all);
    all
}

fn add(folder: &Path, prefix: &str, all: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if name.starts_with('.') || PRODUCTS.contains(&name.as_str()) {
            continue;
        }
        let named = format!("{prefix}{name}");
        if path.is_dir() {
            let inside = format!("{named}/");
            add(&path, &inside, all);
            all.push(inside);
        } else {
            all.push(named);
        }
    }
}

/// Returns the paths that a text names. A path is in back-ticks, and has a slash or the extension of a file. `NAME` is
/// a new name, so its paths do not exist.
fn named(text: &str) -> impl Iterator<Item = &str> {
    let is_path = |code: &&str| {
        let extension = Path::new(code).extension().and_then(|extension| extension.to_str());
        code.contains('/') || extension.is_some_and(|extension| EXTENSIONS.contains(&extension))
    };
    text.split('`').skip(1).step_by(2).filter(is_path).filter(|code| !code.contains("NAME"))
}

/// Returns the paths named in `text` that do not match exactly one path in `all`, each with its number of matches.
/// A named path matches the paths that end with it. If `all` contains the named path itself, only this path counts
/// as a match.
fn astray<'a>(text: &'a str, all: &[String]) -> Vec<(&'a str, usize)> {
    let leads = |path: &str| {
        if all.iter().any(|one| one == path) {
            return 1;
        }
        let end = format!("/{path}");
        all.iter().filter(|one| one.ends_with(&end)).count()
    };
    named(text).map(|path| (path, leads(path))).filter(|(_, places)| *places != 1).collect()
}

/// Returns the documents in `folder`, at any depth, that `list` does not name.
fn unlisted(folder: &str, list: &str, all: &[String]) -> Vec<String> {
    let names = all.iter().filter_map(|path| path.strip_prefix(folder)?.strip_suffix(".yaml"));
    names.filter(|name| !list.contains(&format!("\"{name}\","))).map(str::to_owned).collect()
}

/// Returns the modules that have a monitor and that a list does not contain.
fn unlisted_monitors(list: &str, all: &[String]) -> Vec<String> {
    let files = all.iter().filter_map(|path| path.strip_prefix(MONITORS)?.strip_suffix(".rs"));
    let monitors = files.filter(|file| text(&format!("{MONITORS}{file}.rs")).contains("\nimpl Monitor for "));
    let modules = monitors.map(|file| file.strip_suffix("/mod").unwrap_or(file));
    modules.filter(|module| !list.contains(&format!("    {module}::"))).map(str::to_owned).collect()
}

/// Returns the kinds of events in the string at the beginning of a text.
fn kinds(text: &str) -> Vec<&str> {
    let list = text.split('"').nth(1).expect("a string");
    list.split(',').map(|kind| kind.trim_matches(|letter: char| !letter.is_ascii_lowercase())).collect()
}

#[test]
fn the_places_for_additions_exist() {
    let document = text("ARCHITECTURE.md");
    let (_, section) = document.split_once(TITLE).expect("the section");
    assert!(named(section).count() > 80, "the section names its places in back-ticks");
    assert_eq!(astray(section, &paths()), []);
}

#[test]
fn a_place_that_is_wrong_or_ambiguous_is_found() {
    let text = "Add `NAME.rs`, a line in `web/no-such.js`, in `mod.rs` and in `web/page/commands.js`, and `opens`.";
    let found = astray(text, &paths());
    assert_eq!(found.iter().map(|(path, _)| *path).collect::<Vec<_>>(), ["web/no-such.js", "mod.rs"]);
    assert!(found[0].1 == 0 && found[1].1 > 1, "{found:?}");
}

#[test]
fn the_lists_name_all_that_exists() {
    let all = paths();
    for (folder, list) in LISTS {
        assert_eq!(unlisted(folder, &text(list), &all), [""; 0], "{list}");
    }
    assert_eq!(unlisted_monitors(&text(&format!("{MONITORS}mod.rs")), &all), [""; 0]);
}

#[test]
fn a_list_without_an_entry_is_found() {
    let all = paths();
    let (folder, list) = LISTS[1];
    assert_eq!(unlisted(folder, &text(list).replace("\"paxos\",", ""), &all), ["paxos"]);
    let monitors = text(&format!("{MONITORS}mod.rs")).replace("    service::ServiceMonitor,", "");
    assert_eq!(unlisted_monitors(&monitors, &all), ["service"]);
}

#[test]
fn the_lists_of_details_name_kinds_of_events_and_those_of_the_harnesses_are_alike() {
    let documented = text("docs/reference/events.md");
    let [watch, rust, python] = DETAILS.map(text);
    let [watch, rust, python] =
        [&watch, &rust, &python].map(|text| kinds(text.split_once("DETAILS").expect("a list").1));
    assert_eq!(rust, python);
    for kind in watch.iter().chain(&rust) {
        assert!(documented.contains(&format!("| `{kind}` |")), "{kind}");
    }
}
