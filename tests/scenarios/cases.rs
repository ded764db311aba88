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

// Witnesses and the protocol of foreign programs.

// Explorer and monitors; elections.

// Steps and waits of scenarios.
cases! {
    refused_step: "refused-step.yaml", [LIVE, SIMULATED], 1, "step 3: cannot release: P2 refused";
    deliver_then_wait: "deliver-then-wait.yaml", [LIVE, SIMULATED], 0, "met";
    entries_after_acquire: "entries-after-acquire.yaml", [LIVE, SIMULATED], 0, "met";
    slow_behind_a_pause: "slow-behind-a-pause.yaml", [LIVE, SIMULATED], 0, "met";
    slow_behind_a_held_message: "slow-behind-a-held-message.yaml", [LIVE, SIMULATED], 0, "met";
    slow_holder: "slow-holder.yaml", [LIVE, SIMULATED], 0, "met";
    kinds_in_metrics: "kinds-in-metrics.yaml", [LIVE, SIMULATED], 2, "possible: COORD, ELECT, INQUIRE, OK, TERM";
    wrong_reply: "wrong-reply.yaml", [LIVE], 1, "whose `in_reply_to` is the text \"1\" and not the number 1";
}
