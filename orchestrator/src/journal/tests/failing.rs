//! Tests of journals that cannot be created, and of journals that fail later.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use rustix::process::geteuid;

use super::super::writer::exhausted;
use super::super::{Cause, EventQuery, Journal, Reader, Status};
use super::{Folder, begun, events, header};
use interlock_model::event::{Ending, What};

fn refusal(directory: &Path, limit_bytes: Option<u64>) -> (Cause, String) {
    let error = Journal::create(directory, &header(), limit_bytes).expect_err("it cannot be created");
    let text = error.to_string();
    assert!(error.path.starts_with(directory), "{text}");
    assert!(text.contains(&directory.display().to_string()), "{text}");
    (error.cause, text)
}

#[test]
fn a_path_that_cannot_be_is_named() {
    let folder = Folder::new();
    let missing = folder.path().join("missing");
    let file = folder.path().join("file");
    fs::write(&file, "").expect("a file can be written");
    let mut cases = vec![(missing.as_path(), "No such file or directory"), (&file, "Not a directory")];
    let locked = folder.path().join("locked");
    fs::create_dir(&locked).expect("a folder can be made");
    fs::set_permissions(&locked, Permissions::from_mode(0o500)).expect("it can be locked");
    // Permissions do not restrict root, so root uses `/proc`, where no program can create files.
    cases.push(if geteuid().is_root() { (Path::new("/proc"), "") } else { (&locked, "Permission denied") });
    for (directory, said) in cases {
        let (cause, text) = refusal(directory, None);
        assert!(matches!(cause, Cause::Create(_)), "{text}");
        assert!(text.contains(said), "{text}");
    }
}

#[test]
fn two_runs_cannot_share_a_journal() {
    let folder = Folder::new();
    let (header, journal) = begun(&folder);
    let error = Journal::create(folder.path(), &header, None).expect_err("it is there already");
    assert!(error.to_string().contains("File exists"), "{error}");
    journal.append(&mut events(1..=3));
    journal.finish(Status::Stopped, None).expect("the first is not disturbed");
}

#[test]
fn a_limit_that_leaves_no_room_for_the_head_leaves_no_file() {
    let folder = Folder::new();
    let (cause, text) = refusal(folder.path(), Some(0));
    assert!(matches!(cause, Cause::Sqlite(_)), "{text}");
    assert!(text.contains("database or disk is full"), "{text}");
    assert_eq!(folder.path().read_dir().expect("a folder").count(), 0);
}

#[tokio::test]
async fn a_full_journal_says_so_and_stays_readable() {
    let folder = Folder::new();
    let header = header();
    let journal = Journal::create(folder.path(), &header, Some(1_000_000)).expect("it can be created");
    let mut seq = 0;
    while journal.failure().borrow().is_none() {
        assert!(seq < 1_000_000, "200 MB of events fit into 1 MB");
        journal.append(&mut events(seq + 1..=seq + 100));
        seq += 100;
    }
    let reason = journal.failure().borrow().clone().expect("there is a reason");
    assert!(reason.contains(&journal.path().display().to_string()), "{reason}");
    let said = ["is full: it has 0.", "of at most 0.9 MiB (`--journal-limit`)"];
    assert!(said.iter().all(|said| reason.contains(said)), "{reason}");
    assert!(journal.size().bytes >= 600_000 && journal.size().limit_bytes == Some(1_000_000), "{:?}", journal.size());

    journal.append(&mut events(seq + 1..=seq + 200_000));
    let failure = journal.flushed(seq).await.expect_err("the last events found no place");
    assert_eq!(failure.reason(), &reason);
    assert_eq!(journal.finish(Status::Stopped, None), Err(failure));

    let reader = Reader::open(folder.path(), header.id).expect("it can be opened");
    let latest = reader.latest().expect("it can be read");
    assert_eq!(latest, *journal.committed().borrow());
    assert!(latest > 1_000, "only {latest} events fit into 1 MB");
    let read: Vec<_> = reader.events_after(0).collect::<Result<_, _>>().expect("it can be read");
    assert_eq!(read.len() as u64, latest);
    let ended = What::Ended { why: Ending::Failed(reason.to_string()) };
    assert_eq!(
        read.last().map(|event| &event.what),
        Some(&ended),
        "whoever reads the events finds why there are no more"
    );
    let run = reader.run().expect("it has a head");
    assert_eq!((run.status, run.because.as_deref()), (Status::Failed, Some(&*reason)));
}

/// SQLite reports the same error for a full disk and for a journal that has reached its limit. The error must name
/// the limit that was reached.
#[test]
fn a_full_disk_is_not_taken_for_a_full_journal() {
    const MIB: u64 = 1 << 20;
    let cases = [
        // The journal may grow by 1 MiB, but the disk has no free space.
        (99 * MIB, Some(100 * MIB), Some(0), "its disk has no room for more events; 0.0 MiB are free"),
        (99 * MIB, Some(100 * MIB), Some(MIB / 2), "its disk has no room for more events; 0.5 MiB are free"),
        (99 * MIB, None, Some(0), "its disk has no room"),
        (99 * MIB, Some(100 * MIB), Some(2 * MIB), "has 99.0 of at most 100.0 MiB (`--journal-limit`)"),
        (100 * MIB, Some(100 * MIB), Some(0), "`--journal-limit`"),
        (99 * MIB, Some(100 * MIB), None, "`--journal-limit`"),
    ];
    for (bytes, limit_bytes, free_bytes, expected) in cases {
        let cause = exhausted(bytes, limit_bytes, free_bytes).expect("a cause").to_string();
        assert!(cause.contains(expected), "{cause}");
    }
    assert!(exhausted(99 * MIB, None, None).is_none());
}

#[test]
fn a_limit_that_is_not_reached_does_not_matter() {
    let folder = Folder::new();
    let journal = Journal::create(folder.path(), &header(), Some(1_000_000)).expect("it can be created");
    journal.append(&mut events(1..=1_000));
    assert_eq!(journal.finish(Status::Stopped, None), Ok(()));
}

#[test]
fn a_gap_is_noticed() {
    let cases = [
        (vec![1, 2, 4], "event 4 is in the place of event 3"),
        (vec![2], "event 2 is in the place of event 1"),
        (vec![1, 1], "event 1 is in the place of event 2"),
        (vec![1, 3, 2], "event 3 is in the place of event 2"),
    ];
    for (seqs, said) in cases {
        let folder = Folder::new();
        let (header, journal) = begun(&folder);
        journal.append(&mut seqs.iter().flat_map(|&seq| events(seq..=seq)).collect());
        let failure = journal.finish(Status::Stopped, None).expect_err("there is a gap");
        assert!(failure.to_string().ends_with(said), "{failure}");
        let reader = Reader::open(folder.path(), header.id).expect("it can be opened");
        let page = reader.page(&EventQuery::default()).expect("it can be read");
        let [only] = page.items.as_slice() else { panic!("a batch with a gap is not written: {page:?}") };
        assert!(only.contains("ended") && only.contains(said), "{only}");
    }
}

#[test]
fn a_state_of_an_event_that_is_not_there_is_noticed() {
    let folder = Folder::new();
    let (_, journal) = begun(&folder);
    journal.append(&mut events(1..=3));
    journal.snapshot(4, "{}".to_owned());
    let failure = journal.finish(Status::Stopped, None).expect_err("there is no event 4");
    assert!(failure.to_string().contains("the last event is 3"), "{failure}");
}
