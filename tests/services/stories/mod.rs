//! Stories: scenarios in which well-known clients use real servers as locks. Each folder has one story: scenarios in
//! which the lock fails, and scenarios as similar as possible in which it does not. A scenario is met if the run ends
//! as its comment says.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use crate::support::concurrently::concurrently;
use crate::support::{leave_out, program};

/// Environment variable with the number of runs of each scenario. If there are several, busy processes run beside them.
const REPEAT: &str = "INTERLOCK_STORIES_REPEAT";

fn folder(story: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/services/stories").join(story)
}

fn succeeds(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// Returns whether the client libraries and a server are installed. If not, reports that the test is left out.
/// `server` is a file or a program of the server, and `package` its package in Debian.
fn is_installed(server: &str, package: &str) -> bool {
    if !succeeds(Command::new("python3").args(["-c", "import kazoo, psycopg, redis"])) {
        leave_out("services", "a `python3` with tests/services/stories/requirements.txt");
        return false;
    }
    if !succeeds(Command::new("sh").args(["-c", &format!("test -e {server} || command -v {server}")])) {
        leave_out("services", package);
        return false;
    }
    true
}

/// A process that computes without an end, with low priority.
struct Burner(Child);

impl Burner {
    fn start() -> Self {
        let mut command = Command::new("nice");
        command.args(["python3", "-c", "while True: pass"]).stdin(Stdio::null());
        Self(command.spawn().expect("it starts"))
    }
}

impl Drop for Burner {
    fn drop(&mut self) {
        // The process is a child of this one, and only this call ends it.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Returns the command that starts a program. `PostgreSQL` does not run as root, so root starts it as another user, who
/// may read all files.
fn command(story: &str) -> Command {
    const OTHER_USER: [&str; 5] = [
        "--reuid=nobody",
        "--regid=nogroup",
        "--clear-groups",
        "--inh-caps=+dac_read_search",
        "--ambient-caps=+dac_read_search",
    ];
    if story == "postgres" && rustix::process::getuid().is_root() {
        let mut command = Command::new("setpriv");
        command.args(OTHER_USER).arg(program());
        command
    } else {
        Command::new(program())
    }
}

/// Plays a scenario `repeat` times. Returns the number of runs that were met, and everything that was printed.
fn met(mut command: Command, scenario: &Path, repeat: usize) -> (usize, String) {
    command.args(["run", "--format", "json", "--repeat", &repeat.to_string()]).arg(scenario).stdin(Stdio::null());
    let output = command.output().expect("the program runs");
    let documents = String::from_utf8_lossy(&output.stdout).into_owned();
    let is_met =
        |line: &&str| serde_json::from_str(line).is_ok_and(|document: Value| document["findings"]["outcome"] == "met");
    (documents.lines().filter(is_met).count(), documents + &String::from_utf8_lossy(&output.stderr))
}

/// Plays all scenarios of a story. Those in `failing` show how the lock fails. They must be met 19 times of 20, because
/// a busy machine may delay the fault. All others must always be met.
fn is_as_told(story: &str, failing: &[&str]) {
    let repeat = std::env::var(REPEAT).map_or(1, |number| number.parse().expect("a number"));
    let entries = fs::read_dir(folder(story)).expect("a folder").map(|entry| entry.expect("a file").path());
    let scenarios: Vec<_> = entries.filter(|path| path.extension() == Some(OsStr::new("yaml"))).collect();
    let fails = |scenario: &Path| failing.iter().any(|name| scenario.file_stem() == Some(OsStr::new(name)));
    let count = scenarios.iter().filter(|scenario| fails(scenario)).count();
    assert!(count == failing.len() && count < scenarios.len(), "{story}: {count} of {} scenarios", scenarios.len());
    let burners: Vec<_> = (1..repeat).take(2).map(|_| Burner::start()).collect();
    concurrently(2, &scenarios, |scenario| {
        let (times, told) = met(command(story), scenario, repeat);
        println!("{}: met {times} of {repeat}", scenario.display());
        let allowed = if fails(scenario) { repeat / 20 } else { 0 };
        assert!(times + allowed >= repeat, "{}: met {times} of {repeat}: {told}", scenario.display());
    });
    drop(burners);
}

#[test]
fn a_missing_server_is_named_with_its_package() {
    let python = Command::new("python3").args(["-c", "import sys; print(sys.executable)"]).output().expect("python3");
    // On this path, there is Python and no server.
    let path = TempDir::new().expect("a folder");
    symlink(String::from_utf8_lossy(&python.stdout).trim(), path.path().join("python3")).expect("a link");
    for (scenario, package) in
        [("redis-lease/correct.yaml", "apt-get install redis-server"), ("etcd-lease/correct.yaml", "etcd-server")]
    {
        let mut command = Command::new(program());
        command.env("PATH", path.path());
        let (times, told) = met(command, &folder(scenario), 1);
        assert_eq!(times, 0, "{told}");
        assert!(told.contains(package), "{told}");
    }
}

#[test]
fn a_lease_in_redis_fails_with_a_paused_holder() {
    if is_installed("redis-server", "redis-server") {
        is_as_told("redis-lease", &["no-token", "paused-holder"]);
    }
}

#[test]
fn a_repeated_request_loses_its_own_lock() {
    if is_installed("redis-server", "redis-server") {
        is_as_told("redis-retry", &["default-retry"]);
    }
}

#[test]
fn redlock_fails_with_a_paused_holder_and_with_a_server_that_forgets() {
    if is_installed("redis-server", "redis-server") {
        is_as_told("redlock", &["paused-holder", "crash-forgets"]);
    }
}

#[test]
fn a_replica_that_has_not_heard_of_the_lock_grants_it_again() {
    if is_installed("redis-server", "redis-server") {
        is_as_told("redis-replica", &["not-replicated"]);
    }
}

#[test]
fn a_lock_in_postgresql_ends_with_its_session() {
    if !succeeds(command("postgres").arg("--version")) {
        return leave_out("services", "a repository that the user `nobody` can read");
    }
    if is_installed("/usr/lib/postgresql", "postgresql") {
        is_as_told("postgres", &["idle-session", "server-restarts"]);
    }
}

#[test]
fn a_lease_in_etcd_fails_if_its_holder_is_cut_off() {
    if is_installed("etcd", "etcd-server") {
        is_as_told("etcd-lease", &["cut-off"]);
    }
}

#[test]
fn a_lock_in_zookeeper_ends_with_its_session() {
    if is_installed("/usr/share/java/zookeeper.jar", "zookeeper and libslf4j-java") {
        is_as_told("zookeeper", &["session-lost", "herd"]);
    }
}

#[test]
fn a_lock_on_a_file_fails_if_the_file_is_replaced() {
    if is_installed("flock", "util-linux") {
        is_as_told("flock", &["replaced"]);
    }
}
