//! Tests of the program on a machine whose clock shows a date before 1970. HTTP cannot represent such a date.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{Playground, leave_out, program};

/// Source of a library that replaces the date with a date of 1969. It does so as long as the file exists whose path
/// is in the environment variable `EARLY`.
const SHIM: &str = r#"
    #define _GNU_SOURCE
    #include <stdlib.h>
    #include <sys/syscall.h>
    #include <time.h>
    #include <unistd.h>
    int clock_gettime(clockid_t clock, struct timespec *time) {
        long failed = syscall(SYS_clock_gettime, clock, time);
        const char *early = getenv("EARLY");
        if (!failed && clock == CLOCK_REALTIME && early && !access(early, F_OK)) time->tv_sec = -86400;
        return (int)failed;
    }
"#;
const REFUSAL: &str =
    "cannot serve HTTP: the clock of this machine shows a date before 1970 or after 9999; set the clock\n";

/// A machine whose date the test controls.
struct Machine {
    folder: TempDir,
}

impl Machine {
    /// Compiles the library. Returns none if there is no compiler.
    fn build() -> Option<Self> {
        let folder = TempDir::new().expect("a folder");
        let source = folder.path().join("shim.c");
        fs::write(&source, SHIM).expect("written");
        let words = ["-shared", "-fPIC", "-o"];
        let built = Command::new("cc").args(words).arg(folder.path().join("shim.so")).arg(source).output();
        let Ok(built) = built else {
            leave_out("cc", "a C compiler, which replaces the clock");
            return None;
        };
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        Some(Self { folder })
    }

    fn early(&self) -> PathBuf {
        self.folder.path().join("early")
    }

    fn set_clock_before_1970(&self) {
        fs::write(self.early(), "").expect("written");
    }

    /// Returns a command that runs `program` on this machine.
    fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command.env("LD_PRELOAD", self.folder.path().join("shim.so")).env("EARLY", self.early());
        command
    }

    fn output(&self, words: &[&str], input: Stdio) -> Output {
        // If the program does not refuse the wrong date, its server may run without end. `timeout` therefore kills the
        // program after 60 seconds.
        let mut limited = self.command("timeout");
        limited.args(["--signal=KILL", "60"]).arg(program()).args(words);
        limited.current_dir(self.folder.path()).stdin(input).output().expect("it runs")
    }
}

/// Writes `text` to the file at `path`, and returns the file as input for a program.
fn file(path: &Path, text: &str) -> Stdio {
    fs::write(path, text).expect("written");
    fs::File::open(path).expect("a file").into()
}

#[test]
fn whatever_serves_http_refuses_a_date_before_1970() {
    let Some(machine) = Machine::build() else { return };
    machine.set_clock_before_1970();
    let scenario = machine.folder.path().join("two.yaml");
    fs::write(scenario, "algorithm: lamport\nnodes: 2\nsteps: [{ sleep: 1ms }]\n").expect("written");
    for words in [
        &["--no-demo", "--port", "0", "--data-dir", "data"][..],
        &["run", "two.yaml"],
        &["fuzz", "lamport", "--chaos", "--live", "--for", "1s"],
    ] {
        let Output { status, stdout, stderr } = machine.output(words, Stdio::null());
        let said = String::from_utf8_lossy(&stderr);
        assert_eq!(status.code(), Some(3), "{words:?}: {said}");
        assert!(said.ends_with(REFUSAL) && !said.contains("panicked"), "{words:?}: {said}");
        assert!(stdout.is_empty(), "{words:?}: {}", String::from_utf8_lossy(&stdout));
    }
    let doctor = machine.output(&["doctor"], Stdio::null());
    let found = String::from_utf8_lossy(&doctor.stdout);
    assert_eq!(doctor.status.code(), Some(3), "{found}");
    assert!(found.contains("missing   clock             cannot serve HTTP: "), "{found}");
}

#[test]
fn a_node_refuses_a_date_before_1970() {
    let Some(machine) = Machine::build() else { return };
    let initialization = json!({
        "algorithm": "lamport", "node": 0, "nodes": 2, "locks": 1, "seed": 1, "incarnation": 1,
        "parent": std::process::id(), "secret": "a secret", "hub": "http://127.0.0.1:1", "epoch_ns": 0, "parameters": {},
        "timers": true, "next_request": 1, "entries": 0,
    });
    let path = machine.folder.path().join("initialization");
    machine.set_clock_before_1970();
    let Output { status, stderr, .. } = machine.output(&["node"], file(&path, &format!("{initialization}\n")));
    let said = String::from_utf8_lossy(&stderr);
    assert_eq!((status.code(), &*said), (Some(3), &*format!("interlock node: {REFUSAL}")));
}

#[test]
fn commands_that_serve_nothing_work_before_1970() {
    let Some(machine) = Machine::build() else { return };
    machine.set_clock_before_1970();
    let words = ["simulate", "--algorithm", "lamport", "--nodes", "2", "--entries", "5"];
    let Output { status, stderr, .. } = machine.output(&words, Stdio::null());
    assert!(status.success(), "{}", String::from_utf8_lossy(&stderr));
}

#[tokio::test]
async fn a_playground_survives_a_clock_that_is_set_back_before_1970() {
    let Some(machine) = Machine::build() else { return };
    let folder = TempDir::new().expect("a folder");
    let playground = Playground::start(machine.command(program()), folder.path(), &["--no-demo"]);
    let run = playground.run(json!({ "algorithm": "lamport", "nodes": 2 })).await;
    run.enter(0).await;
    run.release(0).await;
    machine.set_clock_before_1970();
    run.enter(1).await;
    // The HTTP library writes the date again for each new connection. This request therefore uses a new client,
    // which opens a new connection.
    let client = Client::builder().no_proxy().build().expect("a client");
    let answer = client.get(playground.api("/runs")).send().await.expect("an answer");
    assert_eq!(answer.status(), StatusCode::OK);
    let other = playground.run(json!({ "algorithm": "lamport", "nodes": 2 })).await;
    other.enter(0).await;
    let runs: Value = playground.get("/runs").await;
    assert_eq!(runs["items"].as_array().map(Vec::len), Some(2), "{runs}");
    let listed = machine.output(&["ps", "--playground", &playground.url], Stdio::null());
    assert!(listed.status.success(), "{}", String::from_utf8_lossy(&listed.stderr));
}
