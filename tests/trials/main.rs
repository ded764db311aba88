//! Tests that need their own main function. Each document is a separate test. Faulty nodes are processes of this
//! test program itself. The tests of claims about time run alone.

#[path = "../conformance/mod.rs"]
mod conformance;
#[path = "../delays/mod.rs"]
mod delays;
#[path = "../documents/mod.rs"]
mod documents;
#[path = "../support/mod.rs"]
mod support;

use std::process::ExitCode;

use libtest_mimic::Arguments;

fn main() -> ExitCode {
    if std::env::args().nth(1).as_deref() == Some("node") {
        return conformance::node();
    }
    let arguments = Arguments::from_args();
    let one_at_a_time = Arguments { test_threads: Some(1), ..arguments.clone() };
    // These tests run one at a time, so that no other test affects the measured times.
    let alone = libtest_mimic::run(&one_at_a_time, delays::trials());
    let others = conformance::trials().into_iter().chain(documents::trials()).collect();
    let together = libtest_mimic::run(&arguments, others);
    if alone.has_failed() { alone.exit_code() } else { together.exit_code() }
}
