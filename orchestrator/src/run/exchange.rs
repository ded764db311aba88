//! Exchange with a node: posts batches of inputs, one at a time, and handles the reports with which the node
//! answers.

use std::error::Error;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::http::{StatusCode, Uri};
use interlock_algorithm::NodeId;
use interlock_machine::wire::Report;
use interlock_machine::wording::complaint;
use interlock_node::{HttpClient, HttpError};
use serde_json::value::RawValue;

use super::delivery::Handing;
use super::end::NodeEnd;
use super::{Core, ReportError, Run, lock};
use interlock_model::event::Ending;

/// Maximum number of attempts to post a batch if the connection breaks. Repeating is safe, because batches are
/// numbered: a node that has already handled the batch repeats its answer.
const ATTEMPTS: u32 = 4;
/// Pause before the next attempt; it is multiplied by the number of attempts so far.
const BACK_OFF: Duration = Duration::from_millis(50);
/// Pause after a node has answered that it is busy. The node accepts inputs again when the run has received its
/// reports.
const BUSY: Duration = Duration::from_millis(10);
/// Maximum size of an answer of a node, in bytes.
const LARGEST_ANSWER: usize = 64 * 1024 * 1024;

/// Reason why a batch has no valid answer.
enum Unanswered {
    /// The node has crashed. The supervisor has already reported the crash, or will soon.
    Dead,
    /// The node cannot be reached, but has not crashed.
    Unreachable(String),
    /// The node's answer is not a report.
    Garbage(String),
}

impl Run {
    /// Whether `secret` is the secret of `node`.
    pub(super) fn knows(&self, node: NodeId, secret: &str) -> bool {
        lock(&self.core).nodes.get(node).is_some_and(|end| !secret.is_empty() && end.secret() == secret)
    }

    /// Handles the hello of a node, which can then receive its inputs at the address `inbox`. Returns false if the
    /// hello is invalid.
    pub(super) fn greeted(self: &Arc<Self>, node: NodeId, incarnation: u32, inbox: SocketAddr) -> bool {
        let known = self.with(|core| core.hello(node, incarnation));
        if known {
            let run = Arc::clone(self);
            self.hub.spawn(async move { run.feed(node, incarnation, inbox).await });
            self.changed.notify_waiters();
        }
        known
    }

    /// Posts the inputs of a node, until the incarnation of the node ends.
    async fn feed(self: &Arc<Self>, node: NodeId, incarnation: u32, inbox: SocketAddr) {
        let (wake, client) = {
            let core = lock(&self.core);
            let end = &core.nodes[node];
            (end.inputs.signal(), HttpClient::new(inbox, end.secret()))
        };
        let Ok(mut client) = client else { return };
        loop {
            match self.with(|core| core.next_batch(node, incarnation)) {
                Handing::Over => return,
                Handing::Nothing => wake.notified().await,
                Handing::Batch(batch) => {
                    let over = || lock(&self.core).is_ending(node, incarnation);
                    let answer = post(&mut client, &batch.into(), over).await;
                    if matches!(answer, Err(Unanswered::Dead)) {
                        return;
                    }
                    self.answered(node, incarnation, answer);
                }
            }
        }
    }

    /// Handles the report of a node, and notifies all tasks that wait for its content.
    ///
    /// # Errors
    /// If the report belongs to another incarnation, or too many earlier reports are missing.
    pub(super) fn take_report(
        self: &Arc<Self>,
        node: NodeId,
        report: &Report<&RawValue>,
        bytes: &Bytes,
    ) -> Result<(), ReportError> {
        let (taken, broken) =
            self.with(|core| (core.take_report(node, report, bytes), core.nodes.broken().map(str::to_owned)));
        self.changed.notify_waiters();
        if let Some(why) = broken.filter(|_| self.ending().is_none()) {
            let run = Arc::clone(self);
            self.hub.spawn(async move { run.end(Ending::Failed(why)).await });
        }
        taken
    }

    fn answered(self: &Arc<Self>, node: NodeId, incarnation: u32, answer: Result<Bytes, Unanswered>) {
        let taken = answer.and_then(|bytes| {
            let report = serde_json::from_slice::<Report<&RawValue>>(&bytes)
                .map_err(|error| Unanswered::Garbage(format!("its answer is not a report: {}", complaint(&error))))?;
            self.take_report(node, &report, &bytes).map_err(|error| match error {
                ReportError::Over | ReportError::OtherLife(..) => Unanswered::Dead,
                ReportError::Missing(..) => Unanswered::Garbage(format!("cannot use its answer: {error}")),
            })
        });
        match taken {
            Ok(()) | Err(Unanswered::Dead) => {}
            Err(Unanswered::Garbage(detail)) => self.unanswered(node, incarnation, &detail),
            Err(Unanswered::Unreachable(detail)) => {
                let detail = format!("it received a batch and did not answer: {detail}");
                self.unanswered(node, incarnation, &detail);
            }
        }
    }

    fn unanswered(&self, node: NodeId, incarnation: u32, detail: &str) {
        self.with(|core| core.batch_unanswered(node, incarnation, detail));
        self.changed.notify_waiters();
    }

    /// Each time a message becomes due, delivers the due messages. Also checks the waiting requests whose time has
    /// come. Returns when the run ends.
    pub(super) async fn keep_deadlines(self: Arc<Self>) {
        let Some(alarm) = lock(&self.armed).alarm.clone() else { return };
        while alarm.rang().await.is_ok() {
            lock(&self.armed).due_us = None;
            self.with(Core::look_again);
            if self.ending().is_some() {
                return;
            }
        }
    }
}

impl Core {
    /// Delivers due messages and records the events. Then answers the requests whose condition the mere passing of
    /// time has met.
    pub(super) fn look_again(&mut self) {
        self.deliver_due();
        self.settle();
        self.tell_waiters();
    }

    /// Records an event about an unreadable report of a node.
    pub(super) fn garbage(&mut self, node: NodeId, detail: &str) {
        let incarnation = self.nodes.get(node).map_or(0, NodeEnd::incarnation);
        if !self.is_over(node, incarnation) {
            self.misbehaved(node, detail);
            self.settle();
        }
    }
}

async fn post(client: &mut HttpClient, batch: &Bytes, is_over: impl Fn() -> bool) -> Result<Bytes, Unanswered> {
    let inbox = Uri::from_static("/inbox");
    let mut attempt = 1;
    loop {
        // There is no time-out: a paused node answers after it is resumed, and a crash is detected by the end of the
        // process.
        match client.post(&inbox, batch.clone(), LARGEST_ANSWER).await {
            Ok((StatusCode::OK, answer)) => return Ok(answer),
            Ok((StatusCode::SERVICE_UNAVAILABLE, _)) => tokio::time::sleep(BUSY).await,
            Ok((status, _)) => return Err(Unanswered::Garbage(format!("it answered {status}"))),
            Err(HttpError::TooLarge(most)) => {
                return Err(Unanswered::Garbage(format!("its answer is larger than {} MiB", most / 1024 / 1024)));
            }
            Err(_) if is_over() => return Err(Unanswered::Dead),
            Err(error) if attempt == ATTEMPTS => return Err(Unanswered::Unreachable(cause(&error))),
            Err(_) => {
                tokio::time::sleep(BACK_OFF * attempt).await;
                attempt += 1;
            }
        }
    }
}

/// Returns the text of the innermost cause of an error, which is the most specific cause.
fn cause(error: &dyn Error) -> String {
    let mut error = error;
    while let Some(source) = error.source() {
        error = source;
    }
    error.to_string()
}
