//! Tests of `interlock simulate` in the way that people and scripts call it: the real program, its output and its
//! exit codes.

mod cases;
mod figures;
mod output;
mod refusals;
mod replay;
mod warnings;

use std::process::{Command, Output};

use serde_json::Value;

/// Runs `interlock` with the arguments `words`.
fn interlock(words: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_interlock")).args(words.split_whitespace()).output().expect("it runs")
}

/// Runs `interlock simulate` with the arguments `words`.
fn simulate(words: &str) -> Output {
    interlock(&format!("simulate {words}"))
}

/// Runs a simulation, which must succeed. Returns its JSON.
fn figures(words: &str) -> Value {
    let output = simulate(&format!("{words} --format json"));
    assert_eq!(output.status.code(), Some(0), "{words}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}
