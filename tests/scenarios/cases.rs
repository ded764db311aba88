//! Cases from the field: small inputs made after bug reports, exercises and questions, each with the right result. A case
//! runs as a user would run it: `interlock run FILE`, live, simulated or both.

use super::{library, said};

const LIVE: &str = "--live";
const SIMULATED: &str = "--simulate";

/// Runs a case in each of these ways and compares its exit code and a part of its output.
fn check(file: &str, drives: &[&str], code: i32, part: &str) {
    let path = library().join("cases").join(file).display().to_string();
    for drive in drives {
        let output = said(&[&path, drive], code);
        assert!(output.contains(part), "{drive} {file} does not print {part:?}: {output}");
    }
}

/// Declares one test per case: its name, file, drives, exit code and a part of the output.
macro_rules! cases {
    ($($name:ident: $file:literal, $drives:expr, $code:literal, $part:literal;)*) => {
        $(#[test]
        fn $name() {
            check($file, &$drives, $code, $part);
        })*
    };
}

// Correct before the third audit; they stay so.
cases! {
    banker_textbook: "banker-textbook.yaml", [LIVE, SIMULATED], 0, "met";
    bully_eight: "bully-eight.yaml", [LIVE, SIMULATED], 0, "met";
    dead_waiters: "dead-waiters.yaml", [LIVE, SIMULATED], 0, "met";
    stale_session: "stale-session.yaml", [LIVE], 0, "met";
}

// Interventions and patience.
cases! {
    outage_nobody_enters: "outage-nobody-enters.yaml", [LIVE, SIMULATED], 0, "met";
    outage_partition: "outage-partition.yaml", [LIVE, SIMULATED], 0, "met";
    starves_by_aborts: "starves-by-aborts.yaml", [SIMULATED], 0, "met";
}

// Witnesses and the protocol of foreign programs.

// Explorer and monitors; elections.

// Steps and waits of scenarios.
