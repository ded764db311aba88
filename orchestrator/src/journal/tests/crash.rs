//! Test of a writer that is killed in the middle of a write.

use std::env;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use super::super::{Journal, Reader, Status};
use super::{Folder, events, header, past_runs};

/// Environment variable that contains the folder for the child process of
/// [`a_killed_writer_leaves_a_prefix_without_a_gap`].
const DIRECTORY: &str = "INTERLOCK_TEST_JOURNAL_DIRECTORY";

#[test]
#[ignore = "writes until it is killed: the test below starts it as a process"]
fn write_until_killed() {
    let directory = env::var_os(DIRECTORY).expect("the test below says where to write");
    let journal = Journal::create(Path::new(&directory), &header(), None).expect("it can be created");
    let committed = journal.committed();
    for first in (1..).step_by(100) {
        journal.append(&mut events(first..=first + 99));
        eprintln!("committed {}", *committed.borrow());
    }
}

/// Starts a writer as a child process, and kills it once it has committed `least` events. Returns the last event
/// that it reported as committed.
fn kill_writer(directory: &Path, least: u64) -> u64 {
    let mut writer = Command::new(env::current_exe().expect("a test is a program"))
        .args(["--ignored", "--exact", "--nocapture", "journal::tests::crash::write_until_killed"])
        .env(DIRECTORY, directory)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the writer can be started");
    let lines = BufReader::new(writer.stderr.take().expect("it is piped")).lines();
    let mut said = 0;
    for line in lines.map_while(Result::ok) {
        let committed = line.strip_prefix("committed ").and_then(|number| number.parse().ok());
        said = committed.unwrap_or(said);
        if said >= least && committed.is_some() {
            // Until the writer ends, it may report further events as committed. These reports are read as well.
            writer.kill().expect("it can be killed");
        }
    }
    writer.wait().expect("it can be awaited");
    said
}

#[test]
fn a_killed_writer_leaves_a_prefix_without_a_gap() {
    for least in [1, 5_000, 40_000] {
        let folder = Folder::new();
        let committed = kill_writer(folder.path(), least);
        assert!(committed >= least, "the writer ended by itself after {committed} events");
        let past = past_runs(&folder);
        assert!(past.unreadable.is_empty(), "{:?}", past.unreadable);
        assert_eq!(past.runs[0].status, Status::Running, "nobody has said that it ended");

        let reader = Reader::open(folder.path(), past.runs[0].header.id).expect("it can be opened");
        let latest = reader.latest().expect("it can be read");
        assert!(latest >= committed, "event {committed} was committed, and {latest} is the last");
        let seqs: Result<Vec<_>, _> = reader.events_after(0).map(|event| event.map(|event| event.seq)).collect();
        assert_eq!(seqs.expect("it can be read"), (1..=latest).collect::<Vec<_>>());
    }
}
