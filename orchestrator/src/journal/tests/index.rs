//! Tests of the index, which describes the runs of a folder without opening their journals.

use std::cell::Cell;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use uuid::Uuid;

use super::super::{Folder, Index, Origin, PastRun, Reader, Status, rename};
use super::{begun, events, outcome};

/// A folder with runs, and a counter of the journals that were read to determine outcomes.
struct Runs {
    folder: super::Folder,
    ids: Vec<Uuid>,
    read: Cell<usize>,
}

impl Runs {
    /// Creates `count` runs. The first run has one event, the second run two events, and so on.
    fn new(count: u64) -> Self {
        let folder = super::Folder::new();
        let ids = (1..=count).map(|last| {
            let (header, journal) = begun(&folder);
            journal.append(&mut events(1..=last));
            journal.finish(Status::Stopped, None).expect("it can be finished");
            header.id
        });
        Self { ids: ids.collect(), folder, read: Cell::new(0) }
    }

    fn path(&self, place: usize) -> PathBuf {
        self.folder.path().join(format!("{}.sqlite", self.ids[place]))
    }

    /// Claims the folder again, as a playground does after a restart.
    fn claimed(&self) -> Folder {
        Folder::claim(self.folder.path(), "a test").expect("it is free")
    }

    /// Returns the runs that the index lists, the newest first.
    fn listed(&self, index: &mut Index) -> Vec<PastRun> {
        self.read.set(0);
        let past = index.runs(|_| false, &|reader: &Reader| {
            self.read.set(self.read.get() + 1);
            Some(outcome(reader.latest().expect("a number")))
        });
        assert!(past.unreadable.is_empty(), "{:?}", past.unreadable);
        past.runs
    }

    fn counts(&self, index: &mut Index) -> Vec<u64> {
        self.listed(index).iter().map(|run| run.outcome.expect("it is told").events).collect()
    }
}

/// Makes a journal unreadable without a change of its size and modification time.
fn spoil(path: &Path) {
    let file = fs::metadata(path).expect("a file");
    fs::write(path, vec![0xFF; usize::try_from(file.len()).expect("a size")]).expect("it can be written");
    File::options()
        .write(true)
        .open(path)
        .expect("a file")
        .set_modified(file.modified().expect("a time"))
        .expect("a time");
}

#[test]
fn a_journal_that_is_known_is_not_opened_again() {
    let runs = Runs::new(3);
    let mut index = Index::open(&runs.claimed());
    assert_eq!((runs.counts(&mut index), runs.read.get()), (vec![3, 2, 1], 3));
    assert_eq!((runs.counts(&mut index), runs.read.get()), (vec![3, 2, 1], 0));
    (0..3).for_each(|place| spoil(&runs.path(place)));
    assert_eq!(runs.counts(&mut index), [3, 2, 1]);
    drop(index);
    // The index still describes the unreadable journal, so neither a restarted playground nor a read-only
    // playground opens it.
    assert_eq!((runs.counts(&mut Index::open(&runs.claimed())), runs.read.get()), (vec![3, 2, 1], 0));
    let reader = Folder::read_only(runs.folder.path()).expect("it is there");
    assert_eq!((runs.counts(&mut Index::open(&reader)), runs.read.get()), (vec![3, 2, 1], 0));

    let known = Index::open(&runs.claimed()).run(runs.ids[1], &|_| panic!("it is known")).expect("a run");
    assert_eq!((known.header.id, known.outcome), (runs.ids[1], Some(outcome(2))));
}

#[test]
fn a_journal_that_has_changed_is_believed_and_not_the_index() {
    let runs = Runs::new(3);
    let mut index = Index::open(&runs.claimed());
    runs.counts(&mut index);
    rename(runs.folder.path(), runs.ids[0], "another").expect("it can be renamed");
    let listed = runs.listed(&mut index);
    assert_eq!((listed[2].header.name.as_str(), runs.read.get()), ("another", 1));

    // The journal has the recorded size, but a later modification time, so it must be opened.
    spoil(&runs.path(1));
    File::options()
        .write(true)
        .open(runs.path(1))
        .expect("a file")
        .set_modified(std::time::SystemTime::now())
        .expect("a time");
    let past = index.runs(|_| false, &|_| None);
    assert_eq!((past.runs.len(), past.unreadable.len()), (2, 1), "{past:?}");

    fs::remove_file(runs.path(1)).expect("a file");
    fs::remove_file(runs.path(2)).expect("a file");
    assert_eq!(runs.counts(&mut index), [1]);
    assert!(index.run(runs.ids[2], &|_| None).expect_err("it is gone").is_not_there());
}

#[test]
fn an_index_that_is_damaged_or_of_another_version_is_made_anew() {
    let runs = Runs::new(2);
    let path = runs.folder.path().join("runs.index");
    let damages: [&dyn Fn(); 4] = [
        &|| fs::write(&path, [0xFF; 5_000]).expect("it can be written"),
        &|| {
            let connection = rusqlite::Connection::open(&path).expect("a database");
            connection.pragma_update(None, "user_version", 999).expect("a version");
        },
        &|| {
            let connection = rusqlite::Connection::open(&path).expect("a database");
            connection.execute("UPDATE entry SET entry = '{}'", []).expect("it can be damaged");
        },
        &|| fs::remove_file(&path).expect("it can be removed"),
    ];
    for damage in damages {
        runs.counts(&mut Index::open(&runs.claimed()));
        damage();
        let mut index = Index::open(&runs.claimed());
        assert_eq!((runs.counts(&mut index), runs.read.get()), (vec![2, 1], 2));
        drop(index);
        assert_eq!((runs.counts(&mut Index::open(&runs.claimed())), runs.read.get()), (vec![2, 1], 0));
    }
}

#[test]
fn what_would_take_too_long_to_be_told_is_told_by_a_later_list() {
    let runs = Runs::new(2);
    let (long, journal) = begun(&runs.folder);
    journal.append(&mut events(1..=60_000));
    journal.finish(Status::Stopped, None).expect("it can be finished");
    let mut index = Index::open(&runs.claimed());
    let told =
        |index: &mut Index| runs.listed(index).iter().map(|run| run.outcome.map(|it| it.events)).collect::<Vec<_>>();
    assert_eq!(told(&mut index), [Some(60_000), None, None]);
    assert_eq!(told(&mut index), [Some(60_000), Some(2), Some(1)]);
    assert!(index.run(long.id, &|_| None).is_ok());
}

#[test]
fn what_is_taken_down_at_the_end_of_a_run_need_not_be_read() {
    let runs = Runs::new(1);
    let (header, journal) = begun(&runs.folder);
    journal.append(&mut events(1..=7));
    journal.finish(Status::Stopped, None).expect("it can be finished");
    let mut index = Index::open(&runs.claimed());
    let run = PastRun {
        header: super::super::Header { origin: Origin::Live, ..header.clone() },
        status: Status::Stopped,
        because: None,
        bytes: journal.size().bytes,
        outcome: Some(outcome(7)),
    };
    index.note(header.id, || run.clone());
    index.note(header.id, || panic!("it is known"));
    assert_eq!((runs.counts(&mut index), runs.read.get()), (vec![7, 1], 1));
    assert_eq!(runs.listed(&mut index)[0], run);
    assert_eq!(run.bytes, fs::metadata(journal.path()).expect("a file").len());
}
