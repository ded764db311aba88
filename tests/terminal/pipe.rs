//! Test of a reader that stops reading early, such as `head`. It must not change the exit code.

use std::process::{Command, Stdio};

use crate::support::program;

#[test]
fn a_closed_pipe_does_not_hide_a_verdict() {
    // With only one seed, the faulty variant is not caught. The exit code for this result is 4.
    let words = ["fuzz", "bakery/no-choosing", "--seeds", "1"];
    let mut fuzz = Command::new(program()).args(words).stdout(Stdio::piped()).spawn().expect("the program starts");
    drop(fuzz.stdout.take());
    assert_eq!(fuzz.wait().expect("the program ends").code(), Some(4));
    let read = Command::new(program()).args(words).output().expect("the program runs");
    assert_eq!(read.status.code(), Some(4), "the same with a reader");
}
