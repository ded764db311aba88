//! The shell around the exchange: the state that the server, the alarm and the reporter share.

use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

use hyper::body::Bytes;
use tokio::sync::Notify;

use super::exchange::{BatchError, Exchange};
use super::hub::{Hub, HubError};
use crate::linux::{Alarm, Clock};

/// A running node.
pub struct Shell {
    state: Mutex<State>,
    clock: Clock,
    alarm: Alarm,
    to_report: Notify,
}

struct State {
    exchange: Exchange,
    /// Time to which the alarm is set now.
    alarm_us: Option<u64>,
}

impl Shell {
    /// Creates a shell around a new exchange.
    pub fn new(exchange: Exchange, clock: Clock) -> io::Result<Self> {
        let state = Mutex::new(State { exchange, alarm_us: None });
        Ok(Self { state, clock, alarm: Alarm::new(clock)?, to_report: Notify::new() })
    }

    /// Handles a batch of inputs, and returns the answer.
    pub fn answer(&self, request: &[u8]) -> io::Result<Result<Bytes, BatchError>> {
        let mut state = self.state();
        let answer = state.exchange.answer(request, || self.clock.now_us());
        self.set_alarm(&mut state)?;
        Ok(answer)
    }

    /// Runs an endless loop that fires each timer when the timer is due. `due` is signalled when a timer may be
    /// due before the alarm rings.
    pub async fn keep_time(&self, due: &Notify) -> io::Result<()> {
        loop {
            tokio::select! {
                rang = self.alarm.rang() => rang?,
                () = due.notified() => {}
            }
            let mut state = self.state();
            state.exchange.fire(|| self.clock.now_us());
            state.alarm_us = None;
            self.set_alarm(&mut state)?;
            if state.exchange.has_steps() {
                self.to_report.notify_one();
            }
        }
    }

    /// Runs an endless loop that posts reports to the hub, one at a time. These are the reports that are not part
    /// of an answer.
    pub async fn keep_reporting(&self, hub: &mut Hub) -> Result<(), ReportError> {
        loop {
            self.to_report.notified().await;
            while let Some(report) = self.post() {
                hub.report(report).await?;
                self.posted()?;
            }
        }
    }

    fn post(&self) -> Option<Bytes> {
        self.state().exchange.post()
    }

    fn posted(&self) -> io::Result<()> {
        let mut state = self.state();
        state.exchange.posted();
        self.set_alarm(&mut state)
    }

    fn set_alarm(&self, state: &mut State) -> io::Result<()> {
        let due_us = state.exchange.due_us();
        if state.alarm_us != due_us {
            self.alarm.set(due_us)?;
            state.alarm_us = due_us;
        }
        Ok(())
    }

    // The lock is poisoned only if the algorithm panicked. Such a panic ends the process.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The reason why the node can no longer report its steps.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The hub cannot be reached.
    #[error(transparent)]
    Hub(#[from] HubError),
    /// The alarm cannot be set.
    #[error("cannot set the timers: {0}")]
    Alarm(#[from] io::Error),
}
