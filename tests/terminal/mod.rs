//! Tests of the commands that people use in a terminal while a playground is open: with real processes and the real
//! program.

mod clock;
mod completions;
mod r#do;
mod doctor;
mod export;
mod hostile;
mod journal;
mod matrix;
mod pipe;
mod prune;
mod ps;
mod repairs;
mod watch;
mod why;

use std::process::{Command, Output};

use crate::support::{Playground, program};

/// Id of a run that does not exist.
const NOBODY: &str = "01890a5d-ac96-774b-bcce-b302099a8057";
/// An address without a server.
const NOWHERE: &str = "http://127.0.0.1:1";

fn interlock(words: &str) -> Output {
    Command::new(program()).args(words.split_whitespace()).output().expect("it runs")
}

/// Runs `interlock` with the arguments `words`, which must end with exit code `code`. Returns the standard output
/// and the standard error.
fn said(words: &str, code: i32) -> (String, String) {
    let output = interlock(words);
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{words}: {out}{err}");
    (out.into_owned(), err.into_owned())
}

/// Runs a command as [`said`] does, and also passes the address of the playground to it.
fn told(playground: &Playground, words: &str, code: i32) -> (String, String) {
    said(&format!("{words} --playground {}", playground.url), code)
}

/// Runs a command as [`told`] does. The command must fail with exit code `code` and print nothing on standard
/// output. Returns the standard error.
fn refused(playground: &Playground, words: &str, code: i32) -> String {
    let (out, err) = told(playground, words, code);
    assert_eq!(out, "", "{words}");
    err
}

/// If a run does not exist, the error of the playground names the run.
#[test]
fn a_run_that_is_not_there_is_told() {
    let playground = Playground::open();
    for words in ["do RUN heal", "why RUN", "watch RUN", "export RUN --to ndjson"] {
        for (run, shown) in [
            (NOBODY, format!("there is no run {NOBODY}")),
            ("nobody", "there is no run `nobody`: write the id or the name of a run, or `latest`".to_owned()),
            ("latest", "there is no run".to_owned()),
        ] {
            let err = refused(&playground, &words.replace("RUN", run), 2);
            assert_eq!(err, format!("interlock: {shown}\n"), "{words}");
        }
    }
}

/// If no playground is open, every command that needs one reports this.
#[test]
fn nobody_answers_where_no_playground_is_open() {
    for words in ["ps", "do latest crash 1", "why latest", "watch", "prune --keep 3", "export latest --to csv"] {
        let (_, err) = said(&format!("{words} --playground {NOWHERE}"), 3);
        let shown = ["no playground answers at http://127.0.0.1:1/", "open one with `interlock`", "--playground"];
        assert!(shown.iter().all(|part| err.contains(part)), "{words}: {err}");
        let (_, err) = said(&format!("{words} --playground localhost:7700"), 2);
        let refusal = "this is not the address of a playground; write one such as http://127.0.0.1:7700";
        assert!(err.contains(refusal), "{words}: {err}");
    }
}
