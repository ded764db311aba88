//! Test of the lengths of the best-known algorithms. The file of an algorithm reads like its paper, so it stays short.

use std::fs;
use std::path::Path;

/// Each algorithm with the maximum number of lines of its file.
const MARKS: [(&str, usize); 4] =
    [("lamport", 200), ("ricart_agrawala", 200), ("suzuki_kasami", 250), ("maekawa", 350)];

/// Returns the algorithms whose file is too long, with the number of its lines.
fn too_long(marks: &[(&'static str, usize)]) -> Vec<(&'static str, usize)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("node/algorithm/src/mutual_exclusion");
    let lines = |name: &str| fs::read_to_string(folder.join(name).join("mod.rs")).expect("a file").lines().count();
    let long = marks.iter().map(|&(name, most)| (name, lines(name), most)).filter(|(_, lines, most)| lines > most);
    long.map(|(name, lines, _)| (name, lines)).collect()
}

#[test]
fn the_best_known_algorithms_stay_short() {
    assert_eq!(too_long(&MARKS), []);
}

#[test]
fn an_algorithm_that_is_longer_than_its_mark_is_found() {
    assert_eq!(
        too_long(&[("lamport", 100), ("maekawa", 350)]).iter().map(|(name, _)| *name).collect::<Vec<_>>(),
        ["lamport"]
    );
}
