//! The exchange of a node with the network, as a pure machine: numbered batches of inputs arrive, and numbered
//! reports of steps leave.
//!
//! Steps are collected until a report contains them. A report is either the answer to the next batch or sent
//! separately. A report is numbered when it is created, so the numbers follow the order of the steps.

use hyper::body::Bytes;
use serde_json::value::RawValue;

use interlock_machine::wire::InputBatch;
use interlock_machine::wording::complaint;
use interlock_machine::{LiveNode, Steps};

/// Maximum number of timer steps that a node executes before it handles inputs again.
const MOST_FIRED: usize = 64;
/// Limit of the data that is not reported yet, in bytes. If there is more, the node handles no inputs until the hub
/// has accepted reports.
const MOST_WAITING: usize = 1 << 20;

/// The reason why the node refuses a batch.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BatchError {
    /// The body is not a batch.
    #[error("the body is not a batch of inputs: {0}")]
    Unreadable(String),
    /// The batch is for another incarnation of the node.
    #[error("the batch is for incarnation {theirs} of the node, which is in incarnation {ours}")]
    Incarnation {
        /// The incarnation of this node.
        ours: u32,
        /// Incarnation for which the batch is meant.
        theirs: u32,
    },
    /// The batch is neither the next batch nor a repetition of the last batch.
    #[error("expected batch {expected}, not {received}")]
    Number {
        /// The number of the next batch.
        expected: u64,
        /// The number of the received batch.
        received: u64,
    },
    /// The batch has the number of the last batch, but different content.
    #[error("batch {0} was received before with other content")]
    Different(u64),
    /// The hub accepts no reports at the moment.
    #[error("cannot take the batch: too many steps of the node are not reported yet")]
    Full,
}

/// A node, with the steps that are not reported yet.
pub struct Exchange {
    node: Box<dyn LiveNode>,
    incarnation: u32,
    steps: Steps,
    /// Number of the last report.
    reports: u64,
    /// Size of the report that is being posted, in bytes.
    posting: Option<usize>,
    last: Answered,
}

/// The last batch and its answer, in case the batch is repeated.
#[derive(Default)]
struct Answered {
    batch: u64,
    request: Vec<u8>,
    answer: Bytes,
}

impl Exchange {
    /// Creates the exchange of `node`, whose incarnation is `incarnation`.
    pub fn new(node: Box<dyn LiveNode>, incarnation: u32) -> Self {
        Self { node, incarnation, steps: Steps::default(), reports: 0, posting: None, last: Answered::default() }
    }

    /// Handles a batch, and returns the report of all steps that are not reported yet. If the batch repeats the
    /// last batch, returns the same answer again.
    pub fn answer(&mut self, request: &[u8], clock: impl Fn() -> u64) -> Result<Bytes, BatchError> {
        if self.last.batch > 0 && self.last.request == request {
            return Ok(self.last.answer.clone());
        }
        let batch: InputBatch<&RawValue> =
            serde_json::from_slice(request).map_err(|error| BatchError::Unreadable(complaint(&error).to_string()))?;
        self.check(&batch)?;
        let mut most = MOST_FIRED;
        self.node.exhaust(batch.exhausted);
        for item in &batch.items {
            self.node.take(item.get(), clock(), &mut self.steps);
            self.fire_due(&clock, &mut most);
        }
        let answer = self.report();
        self.last.batch = batch.batch;
        self.last.request.clear();
        self.last.request.extend_from_slice(request);
        self.last.answer = answer.clone();
        Ok(answer)
    }

    /// Executes the steps of the timers that are due, up to a maximum number of steps. The remaining timers stay
    /// due.
    pub fn fire(&mut self, clock: impl Fn() -> u64) {
        if !self.is_full() {
            self.fire_due(&clock, &mut MOST_FIRED.clone());
        }
    }

    /// Returns the time at which the next timer expires. Returns `None` while there is too much unreported data.
    pub fn due_us(&self) -> Option<u64> {
        if self.is_full() { None } else { self.node.due_us() }
    }

    /// Returns a report of the steps that are not reported yet. Returns `None` if there are no such steps, or if
    /// another report is being posted.
    pub fn post(&mut self) -> Option<Bytes> {
        if self.steps.is_empty() || self.posting.is_some() {
            return None;
        }
        let report = self.report();
        self.posting = Some(report.len());
        Some(report)
    }

    /// Records that the hub has accepted the report that was being posted.
    pub fn posted(&mut self) {
        self.posting = None;
    }

    /// Whether there are steps that are not reported yet.
    pub const fn has_steps(&self) -> bool {
        !self.steps.is_empty()
    }

    fn check<I>(&self, batch: &InputBatch<I>) -> Result<(), BatchError> {
        let (ours, theirs) = (self.incarnation, batch.incarnation);
        if ours != theirs {
            return Err(BatchError::Incarnation { ours, theirs });
        }
        let (expected, received) = (self.last.batch.saturating_add(1), batch.batch);
        if received == self.last.batch && received > 0 {
            return Err(BatchError::Different(received));
        }
        if received != expected {
            return Err(BatchError::Number { expected, received });
        }
        if self.is_full() { Err(BatchError::Full) } else { Ok(()) }
    }

    fn fire_due(&mut self, clock: &impl Fn() -> u64, most: &mut usize) {
        while *most > 0 && self.node.due_us().is_some_and(|due_us| due_us <= clock()) {
            self.node.fire(clock(), &mut self.steps);
            *most -= 1;
        }
    }

    fn report(&mut self) -> Bytes {
        self.reports += 1;
        self.steps.report(self.incarnation, self.reports, &*self.node).into()
    }

    fn is_full(&self) -> bool {
        self.steps.len() + self.posting.unwrap_or(0) > MOST_WAITING
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use interlock_machine::test_support::{Text, echo, initialization};
    use interlock_machine::wire::{Initialization, Report};

    const LOOP: &str = r#"{"idle":"0","hold":"0","entries":null}"#;

    fn exchange(client_loop: &str) -> Exchange {
        let client_loop = serde_json::from_str(client_loop).expect("a loop");
        Exchange::new(echo(&Initialization { client_loop, ..initialization("echo", 1) }), 1)
    }

    fn batch(number: u64, items: &str) -> Vec<u8> {
        format!(r#"{{"incarnation":1,"batch":{number},"items":[{items}]}}"#).into_bytes()
    }

    fn start() -> Vec<u8> {
        batch(1, r#"{"start":{}}"#)
    }

    fn read(report: &Bytes) -> Report<Text> {
        serde_json::from_slice(report).expect("a report")
    }

    #[test]
    fn a_repeated_batch_is_answered_as_before_and_not_taken_again() {
        let mut exchange = exchange("null");
        let first = exchange.answer(&start(), || 5).expect("taken");
        assert_eq!(exchange.answer(&start(), || 9), Ok(first));
        let next = read(&exchange.answer(&batch(2, ""), || 10).expect("taken"));
        assert_eq!((next.batch, next.steps.len()), (2, 0));
    }

    #[test]
    fn a_batch_out_of_line_is_refused_and_changes_nothing() {
        let mut exchange = exchange("null");
        let number = |expected, received| Err(BatchError::Number { expected, received });
        assert_eq!(exchange.answer(&batch(0, ""), || 5), number(1, 0));
        assert_eq!(exchange.answer(&batch(2, ""), || 5), number(1, 2));
        exchange.answer(&start(), || 5).expect("taken");
        exchange.answer(&batch(2, "1"), || 5).expect("taken");
        assert_eq!(exchange.answer(&batch(4, ""), || 5), number(3, 4));
        assert_eq!(exchange.answer(&start(), || 5), number(3, 1));
        assert_eq!(exchange.answer(&batch(2, "2"), || 5), Err(BatchError::Different(2)));
        let old = br#"{"incarnation":7,"batch":3,"items":[]}"#;
        assert_eq!(exchange.answer(old, || 5), Err(BatchError::Incarnation { ours: 1, theirs: 7 }));
        for garbage in [&b"garbage"[..], b"{}", b"{\"incarnation\":1,\"batch\":3,\"items\":[", b"\xff"] {
            assert!(matches!(exchange.answer(garbage, || 5), Err(BatchError::Unreadable(_))));
        }
        assert_eq!(read(&exchange.answer(&batch(3, ""), || 5).expect("taken")).batch, 3);
    }

    #[test]
    fn reports_are_numbered_in_the_order_of_their_steps_whichever_way_they_go() {
        let mut exchange = exchange("null");
        exchange.answer(&start(), || 0).expect("taken");
        exchange.fire(|| 1000);
        let posted = read(&exchange.post().expect("a report"));
        assert_eq!((posted.batch, posted.steps[0].step), (2, 2));
        let answered = read(&exchange.answer(&batch(2, "0,0"), || 1500).expect("taken"));
        assert_eq!((answered.batch, answered.steps[0].step), (3, 3));
        assert_eq!(exchange.post(), None, "nothing has happened since");
    }

    #[test]
    fn one_report_is_posted_at_a_time_and_what_happens_meanwhile_goes_in_the_next() {
        let mut exchange = exchange(r#"{"idle":"1","hold":"1","entries":2}"#);
        exchange.answer(&start(), || 0).expect("taken");
        exchange.fire(|| 1000);
        assert_eq!(read(&exchange.post().expect("a report")).steps.len(), 2, "a timer of each");
        exchange.fire(|| 2000);
        exchange.fire(|| 3000);
        assert_eq!(exchange.post(), None);
        exchange.posted();
        let next = read(&exchange.post().expect("a report"));
        assert_eq!((next.batch, next.steps.len()), (3, 2));
        let views: Vec<bool> = next.steps.iter().map(|step| step.view.is_some()).collect();
        assert_eq!(views, [false, true]);
    }

    #[test]
    fn timers_without_delay_run_out_in_the_same_turn_but_not_for_ever() {
        let mut exchange = exchange(LOOP);
        let answer = read(&exchange.answer(&start(), || 0).expect("taken"));
        assert_eq!(answer.steps.len(), 1 + MOST_FIRED);
        assert_eq!(exchange.due_us(), Some(0), "the loop goes on in the next turn");
        exchange.fire(|| 0);
        assert_eq!(read(&exchange.post().expect("a report")).steps.len(), MOST_FIRED);
    }

    #[test]
    fn a_node_whose_reports_are_not_taken_stops_taking_inputs_until_they_are() {
        let mut exchange = exchange(LOOP);
        exchange.answer(&start(), || 0).expect("taken");
        let mut turns = 0;
        while exchange.due_us().is_some() {
            exchange.fire(|| 0);
            exchange.post();
            turns += 1;
            assert!(turns < 10_000, "it never stops");
        }
        let waiting = exchange.steps.len();
        exchange.fire(|| 0);
        assert_eq!(exchange.steps.len(), waiting);
        assert_eq!(exchange.answer(&batch(2, ""), || 0), Err(BatchError::Full));
        exchange.posted();
        exchange.post().expect("a report");
        exchange.posted();
        assert!(exchange.answer(&batch(2, ""), || 0).is_ok());
    }
}
