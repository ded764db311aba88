//! Tests of the promises that `docs/reference/confinement.md` makes about a confined program. A program tries the
//! acts: each forbidden act must fail, for root and for another user, and each allowed act must succeed. Without
//! confinement, each act must succeed.

use std::fs::{self, Permissions};
use std::net::TcpListener;
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::net::{UnixDatagram, UnixListener};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use libtest_mimic::{Failed, Trial};
use rustix::fs::{XattrFlags, setxattr};
use rustix::process::getuid;
use serde_json::{Map, Value, json};
use tempfile::TempDir;

use crate::support::{leave_out, program};

/// A user who owns no files.
const NOBODY: u32 = 65_534;
/// Value of `PATH` for the user [`NOBODY`].
const PATH_OF_NOBODY: &str = "/usr/local/bin:/usr/bin:/bin";
const UNCONFINED: &[&str] = &["--unconfined"];
/// Options that give the probe less memory than it requests.
const BOUNDED: &[&str] = &["--node-memory", "200MiB"];

pub fn trials() -> Vec<Trial> {
    let trial = |name: &str, user, words: &'static [&'static str], judge: fn(&str, &str) -> bool| {
        Trial::test(format!("conformance::walls::{name}"), move || {
            tried(user, words, judge);
            Ok(())
        })
    };
    vec![
        trial("a_confined_program_of_this_user_can_do_only_what_the_guide_says", None, BOUNDED, confined),
        trial("a_confined_program_of_nobody_can_do_only_what_the_guide_says", Some(NOBODY), BOUNDED, confined),
        trial("an_unconfined_program_of_this_user_can_do_all_that_is_tried", None, UNCONFINED, unconfined),
        trial("an_unconfined_program_of_nobody_can_do_all_that_is_tried", Some(NOBODY), UNCONFINED, unconfined),
        Trial::test("conformance::walls::doctor_and_run_name_the_wall_that_is_missing", names_a_missing_wall),
    ]
}

/// A confined process cannot create a mount namespace. If it confines a second process, the second process
/// therefore has no private mounts, but has all other walls. `doctor` and `run` must report exactly this missing
/// wall.
fn names_a_missing_wall() -> Result<(), Failed> {
    let here = TempDir::new()?;
    let within = |words: &[&str]| {
        let mut command = Command::new(program());
        command.args(["node", "exec", &std::process::id().to_string(), "--confined", "--own-folder"]).arg(here.path());
        command.arg("--").arg(program()).args(words).env("TMPDIR", here.path()).stdin(Stdio::null());
        let output = command.output().expect("it runs");
        [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat()
    };
    let missing = "the kernel has no private mounts: programs can change the mode and the times";
    let scenario = here.path().join("own.json");
    fs::write(&scenario, json!({ "algorithm": "own", "nodes": [{ "command": ["true"], "count": 1 }] }).to_string())?;
    for words in [&["doctor"][..], &["run", scenario.to_str().expect("a path")]] {
        let told = within(words);
        assert!(told.contains(missing) && told.matches("the kernel has").count() == 1, "{words:?}: {told}");
    }
    Ok(())
}

/// Returns whether the result of an act is correct with confinement: forbidden acts fail, and allowed acts succeed.
fn confined(what: &str, how: &str) -> bool {
    (how == "done") == what.starts_with("can: ")
}

/// Returns whether the result of an act is correct without confinement: every act succeeds. This shows that acts
/// fail in the other tests only because of the confinement.
fn unconfined(_: &str, how: &str) -> bool {
    how == "done"
}

fn tried(user: Option<u32>, words: &[&str], judge: fn(&str, &str) -> bool) {
    if user.is_some() && !getuid().is_root() {
        return leave_out("mount", "root, who becomes another user");
    }
    let command = || as_user(user);
    let doctor = command().arg("doctor").output();
    let Some(doctor) = doctor.ok().filter(|doctor| !doctor.stdout.is_empty()) else {
        return leave_out("confinement", "a folder of the program that other users can read");
    };
    if !String::from_utf8_lossy(&doctor.stdout).contains("ok        confinement") {
        return leave_out("confinement", "Linux 6.12 with seccomp and namespaces");
    }
    let found = found(command(), user, words);
    let wrong: Vec<_> = found.iter().filter(|(what, how)| !judge(what, how.as_str().unwrap_or_default())).collect();
    assert!(wrong.is_empty() && found.len() > 50, "{wrong:?} of {}", found.len());
}

/// Returns a command that runs the program under test as `user`; without `user`, as the user of the tests.
fn as_user(user: Option<u32>) -> Command {
    let mut command = Command::new(program());
    command.stdin(Stdio::null());
    if let Some(user) = user {
        command.uid(user).gid(user).env("PATH", PATH_OF_NOBODY).env("HOME", "/");
    }
    command
}

/// Plays a run of the probe program, and returns the results of its acts.
fn found(mut command: Command, user: Option<u32>, words: &[&str]) -> Map<String, Value> {
    let here = TempDir::new().expect("a folder");
    let at = |name: &str| here.path().join(name);
    fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance/probe.py"), at("probe.py")).expect("copied");
    fs::write(at("outside"), "x").expect("written");
    setxattr(at("outside"), "user.present", b"x", XattrFlags::empty()).expect("an attribute");
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port().to_string();
    let _stream = UnixListener::bind(at("stream")).expect("a socket");
    let _datagram = UnixDatagram::bind(at("datagram")).expect("a socket");
    let [stream, datagram, outside] = ["stream", "datagram", "outside"].map(at);
    let scenario = json!({
        "algorithm": "own",
        "nodes": [{ "command": ["python3", "probe.py", port, stream, datagram, outside], "count": 1 }],
        "workload": { "idle": "const:3600000" },
        "steps": [{ "wait": { "event": { "kind": "initialized" } }, "within": "60s" }],
        "expect": [{ "metric": "entries == 1" }],
    });
    fs::write(at("probe.json"), scenario.to_string()).expect("written");
    if user.is_some() {
        for path in [here.path().to_owned(), at("probe.py"), at("probe.json"), stream, datagram, outside] {
            chown(path, user, user).expect("given away");
        }
    }
    fs::set_permissions(here.path(), Permissions::from_mode(0o755)).expect("readable");
    let words = [&["run", "probe.json", "--artifacts", "kept"], words].concat();
    let played = command.args(words).current_dir(here.path()).output().expect("played");
    view_in(&at("kept")).unwrap_or_else(|| panic!("{played:?}"))
}

/// Returns the latest view of the node, from the files that a run has kept.
fn view_in(kept: &Path) -> Option<Map<String, Value>> {
    let run = fs::read_dir(kept).ok()?.next()?.ok()?.path();
    let events = fs::read_to_string(run.join("events.ndjson")).ok()?;
    let events = events.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    events.filter_map(|event| event.pointer("/view/variables")?.as_object().cloned()).next_back()
}
