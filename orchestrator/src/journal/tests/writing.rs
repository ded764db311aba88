//! Tests that all events are stored in order and read again, with any number of producers.

use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use super::super::queue::{Batch, Closing, Limits, Queue};
use super::super::{EventQuery, Journal, LARGEST_PAGE, Reader, Status};
use super::{Folder, begun, events};

#[test]
fn what_is_appended_is_read() {
    let folder = Folder::new();
    let (header, journal) = begun(&folder);
    let mut appended = events(1..=2_500);
    let expected = appended.clone();
    journal.append(&mut appended);
    assert!(appended.is_empty());
    journal.finish(Status::Stopped, Some("somebody asked for it")).expect("it can be finished");

    let reader = Reader::open(folder.path(), header.id).expect("it can be opened");
    let read: Vec<_> = reader.events_after(0).collect::<Result<_, _>>().expect("it can be read");
    assert_eq!(read, expected);
    let run = reader.run().expect("it has a head");
    assert_eq!((run.header, run.status), (header, Status::Stopped));
    assert_eq!(run.because.as_deref(), Some("somebody asked for it"));
}

#[test]
fn a_finished_journal_is_one_file() {
    let folder = Folder::new();
    let (_, journal) = begun(&folder);
    journal.append(&mut events(1..=10));
    journal.finish(Status::Stopped, None).expect("it can be finished");
    let files: Vec<_> =
        folder.path().read_dir().expect("a folder").map(|entry| entry.expect("a file").path()).collect();
    assert_eq!(files, [journal.path()]);
}

#[test]
fn a_journal_can_be_finished_under_a_reader() {
    let folder = Folder::new();
    let (header, journal) = begun(&folder);
    journal.append(&mut events(1..=10));
    let reader = Reader::open(folder.path(), header.id).expect("it can be opened");
    journal.finish(Status::Stopped, None).expect("it can be finished");
    assert_eq!(reader.latest().expect("it can be read"), 10);
    assert_eq!(reader.run().expect("it has a head").status, Status::Stopped);
}

#[test]
fn finishing_twice_changes_nothing() {
    let folder = Folder::new();
    let (header, journal) = begun(&folder);
    journal.finish(Status::Stopped, Some("first")).expect("it can be finished");
    journal.clone().finish(Status::Failed, Some("second")).expect("it is finished");
    journal.append(&mut events(1..=200_000));
    let run = Reader::open(folder.path(), header.id).and_then(|reader| reader.run()).expect("it has a head");
    assert_eq!((run.status, run.because.as_deref()), (Status::Stopped, Some("first")));
}

#[test]
fn concurrent_producers_leave_no_gap() {
    let folder = Folder::new();
    let (header, journal) = begun(&folder);
    let next = Arc::new(Mutex::new(1));
    let producers: Vec<_> = (1..=4_u64)
        .map(|size| {
            let (journal, next) = (journal.clone(), Arc::clone(&next));
            thread::spawn(move || {
                for _ in 0..500 {
                    let mut next = next.lock().expect("no producer panics");
                    journal.append(&mut events(*next..=*next + size));
                    *next += size + 1;
                }
            })
        })
        .collect();
    for producer in producers {
        producer.join().expect("no producer panics");
    }
    journal.finish(Status::Stopped, None).expect("it can be finished");
    let reader = Reader::open(folder.path(), header.id).expect("it can be opened");
    let seqs: Vec<_> = reader.events_after(0).map(|event| event.expect("it can be read").seq).collect();
    assert_eq!(seqs, (1..=500 * (2 + 3 + 4 + 5)).collect::<Vec<_>>());
}

#[test]
fn a_million_events_are_read_back_in_order() {
    const MILLION: u64 = 1_000_000;
    let folder = Folder::new();
    let (header, journal) = begun(&folder);
    let mut batch = events(1..=500);
    for first in (1..MILLION).step_by(500) {
        for (seq, event) in (first..).zip(&mut batch) {
            event.seq = seq;
        }
        journal.append(&mut batch.clone());
    }
    journal.finish(Status::Stopped, None).expect("it can be finished");

    let reader = Reader::open(folder.path(), header.id).expect("it can be opened");
    let mut query = EventQuery { limit: LARGEST_PAGE, ..EventQuery::default() };
    while query.since < MILLION {
        let page = reader.page(&query).expect("it can be read");
        for (seq, item) in (query.since + 1..).zip(&page.items) {
            assert!(item.starts_with(&format!("{{\"seq\":{seq},")), "{item} is not event {seq}");
        }
        assert_eq!(page.next_since, query.since + 10_000);
        query.since = page.next_since;
    }
    assert_eq!((reader.oldest().expect("readable"), reader.latest().expect("readable")), (1, MILLION));
}

#[tokio::test]
async fn what_is_flushed_is_readable() {
    let folder = Folder::new();
    let (header, journal) = begun(&folder);
    let reader = Reader::open(folder.path(), header.id).expect("it can be opened");
    for seq in 1..=50 {
        journal.append(&mut events(seq..=seq));
        journal.flushed(seq).await.expect("it is written");
        assert_eq!(reader.latest().expect("it can be read"), seq);
        assert_eq!(*journal.committed().borrow(), seq);
    }
}

#[tokio::test]
async fn waiting_for_what_never_comes_ends_with_the_journal() {
    let folder = Folder::new();
    let (_, journal) = begun(&folder);
    journal.append(&mut events(1..=3));
    let waiting = tokio::spawn({
        let journal = journal.clone();
        async move { journal.flushed(4).await }
    });
    journal.finish(Status::Stopped, None).expect("it can be finished");
    let failure = waiting.await.expect("no panic").expect_err("event 4 was never appended");
    assert!(failure.to_string().ends_with("was finished without event 4"), "{failure}");
    assert_eq!(journal.flushed(3).await, Ok(()));
}

#[test]
fn a_forgotten_journal_is_still_written() {
    let folder = Folder::new();
    let (header, journal) = begun(&folder);
    let committed = journal.committed();
    journal.append(&mut events(1..=1_000));
    drop(journal);
    while committed.has_changed().is_ok() {
        thread::yield_now();
    }
    let reader = Reader::open(folder.path(), header.id).expect("it can be opened");
    assert_eq!(reader.latest().expect("it can be read"), 1_000);
    assert_eq!(reader.run().expect("it has a head").status, Status::Running);
}

#[test]
fn snapshots_stand_with_their_events() {
    let folder = Folder::new();
    let (header, journal) = begun(&folder);
    for seq in [10, 20, 30] {
        journal.append(&mut events(seq - 9..=seq));
        journal.snapshot(seq, format!("{{\"seq\":{seq}}}"));
    }
    journal.finish(Status::Stopped, None).expect("it can be finished");
    let reader = Reader::open(folder.path(), header.id).expect("it can be opened");
    let before = |seq| reader.snapshot_before(seq).expect("it can be read").map(|(seq, _)| seq);
    assert_eq!([9, 10, 19, 29, u64::MAX].map(before), [None, Some(10), Some(10), Some(20), Some(30)]);
    assert_eq!(reader.snapshot_before(20).expect("it can be read"), Some((20, "{\"seq\":20}".to_owned())));
}

/// Appends events on another thread, and sends a signal when all of them are in the queue.
fn appending(queue: &Arc<Queue>, count: u64) -> mpsc::Receiver<()> {
    let (done, receiver) = mpsc::channel();
    let queue = Arc::clone(queue);
    thread::spawn(move || {
        queue.append(&mut events(1..=count));
        done.send(())
    });
    receiver
}

fn taken(queue: &Queue) -> usize {
    let mut batch = Batch::default();
    queue.take(&mut batch, Instant::now());
    batch.events.len()
}

const LATER: Duration = Duration::from_hours(1);
const SOON: Duration = Duration::from_millis(50);

#[test]
fn a_full_queue_makes_its_producers_wait() {
    let queue = Arc::new(Queue::new(Limits { events: 8, snapshots: 1, age: LATER }));
    let done = appending(&queue, 20);
    let mut taken_in_all = 0;
    while taken_in_all < 12 {
        done.recv_timeout(SOON).expect_err("there is no room for the rest");
        let taken = taken(&queue);
        assert!(taken <= 8, "{taken} events in a queue for 8");
        taken_in_all += taken;
    }
    done.recv().expect("there is room for the rest");
    assert_eq!(taken_in_all + taken(&queue), 20);
}

#[test]
fn a_writer_that_lags_behind_makes_its_producers_wait() {
    let queue = Arc::new(Queue::new(Limits { events: 1_000_000, snapshots: 1, age: Duration::ZERO }));
    queue.append(&mut events(1..=1));
    let done = appending(&queue, 1);
    done.recv_timeout(SOON).expect_err("an event waits already");
    assert_eq!(taken(&queue), 1);
    done.recv_timeout(SOON).expect_err("it is taken, but not committed");
    queue.committed();
    done.recv().expect("all is committed");
}

#[test]
fn a_closed_queue_keeps_nobody_waiting() {
    let queue = Arc::new(Queue::new(Limits { events: 8, snapshots: 1, age: LATER }));
    let done = appending(&queue, 20);
    done.recv_timeout(SOON).expect_err("there is no room for all");
    queue.close(Closing::Abandoned);
    done.recv().expect("the rest is discarded");
    let mut batch = Batch::default();
    assert_eq!(queue.take(&mut batch, Instant::now() + LATER), Some(Closing::Abandoned));
    assert_eq!(batch.events.len(), 8);
}

#[test]
fn light_load_is_readable_soon() {
    let folder = Folder::new();
    let (_, journal) = begun(&folder);
    let lags: Vec<Duration> = (1..=200).map(|seq| lag(&journal, seq)).collect();
    let mut sorted = lags.clone();
    sorted.sort();
    assert!(sorted[100] < Duration::from_millis(20), "half of the events took longer than {:?}", sorted[100]);
}

/// Returns the time from appending an event until it is committed.
fn lag(journal: &Journal, seq: u64) -> Duration {
    let mut one = events(seq..=seq);
    let committed = journal.committed();
    let begin = Instant::now();
    journal.append(&mut one);
    while *committed.borrow() < seq {
        thread::yield_now();
    }
    begin.elapsed()
}
