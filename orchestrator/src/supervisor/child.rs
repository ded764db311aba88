//! One child process, from its first input to its exit. It is signalled and reaped only here, so a signal never reaches
//! another process with a reused id.

use std::fmt;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use tokio::io::AsyncWriteExt;
use tokio::process::{Child, ChildStdin};
use tokio::signal::unix::Signal;
use tokio::sync::{mpsc, oneshot, watch};

use super::SupervisorError;
use super::linux::{Group, await_keepers};

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// By itself, with this exit code.
    Code(i32),
    /// By this signal.
    Signal(i32),
    /// Unknown to the operating system.
    Unknown,
}

impl fmt::Display for Exit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(formatter, "code {code}"),
            Self::Signal(signal) => write!(formatter, "signal {signal}"),
            Self::Unknown => formatter.write_str("unknown"),
        }
    }
}

impl From<io::Result<ExitStatus>> for Exit {
    fn from(status: io::Result<ExitStatus>) -> Self {
        let Ok(status) = status else { return Self::Unknown };
        let signal = status.signal().map(Self::Signal);
        status.code().map(Self::Code).or(signal).unwrap_or(Self::Unknown)
    }
}

/// An action on a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    Kill,
    Pause,
    Resume,
}

/// An action, and the channel that reports its completion.
pub(super) struct Order {
    pub(super) action: Action,
    pub(super) done: oneshot::Sender<Result<(), SupervisorError>>,
}

/// A child process, its input and its observers.
pub(super) struct Tending {
    pub(super) child: Child,
    pub(super) group: Group,
    /// First line of its input, which stays open afterwards.
    pub(super) line: Vec<u8>,
    pub(super) orders: mpsc::Receiver<Order>,
    /// Closed when all children must end.
    pub(super) end: watch::Receiver<()>,
    pub(super) exit: watch::Sender<Option<Exit>>,
    /// Whether a process outside this supervisor has stopped the child.
    pub(super) stands: watch::Sender<bool>,
    /// Notifies when any child has ended, stopped or continued.
    pub(super) turns: Signal,
    pub(super) on_exit: Box<dyn FnOnce(Exit) + Send>,
    /// Whether the child starts a program, of which nothing may be left when its exit is reported.
    pub(super) has_program: bool,
}

impl Tending {
    /// Handles the child until it has ended and been reaped.
    pub(super) async fn tend(mut self) {
        // An error here is ignored: a child that does not read its input is about to end, and its exit is reported
        // below.
        let lifeline = initialize(&mut self.child, &self.line).await;
        let pid = self.child.id();
        let status = self.watch().await;
        drop(lifeline);
        if let Some(pid) = pid.filter(|_| self.has_program) {
            // If the process table cannot be read, the exit is reported at once. The keepers end by themselves.
            let _ = tokio::task::spawn_blocking(move || await_keepers(pid)).await;
        }
        let exit = Exit::from(status);
        (self.on_exit)(exit);
        self.exit.send_replace(Some(exit));
    }

    async fn watch(&mut self) -> io::Result<ExitStatus> {
        // Last known status of the child: stopped (true) or not.
        let mut stands = false;
        loop {
            tokio::select! {
                status = self.child.wait() => return status,
                Some(()) = self.turns.recv() => self.notice(&mut stands),
                Some(order) = self.orders.recv() => {
                    let done = obey(self.group, order.action, stands).await;
                    if done.is_ok() {
                        stands = order.action == Action::Pause;
                    }
                    // The receiver may have given up waiting.
                    let _ = order.done.send(done);
                }
                _ = self.end.changed() => {
                    // An error means that the child has ended already. In both cases its exit follows.
                    let _ = self.group.kill();
                    return self.child.wait().await;
                }
            }
        }
    }

    /// Notices whether another process has stopped or continued the child.
    fn notice(&self, stands: &mut bool) {
        while let Some(turned) = self.group.turned() {
            if std::mem::replace(stands, turned) != turned {
                self.stands.send_replace(turned);
            }
        }
    }
}

/// Writes the first line. If that fails, the input is closed, which ends a node.
async fn initialize(child: &mut Child, line: &[u8]) -> Option<ChildStdin> {
    let mut input = child.stdin.take()?;
    input.write_all(line).await.ok().map(|()| input)
}

/// Executes an action on a child. `stands` tells whether the child is already stopped.
async fn obey(group: Group, action: Action, stands: bool) -> Result<(), SupervisorError> {
    match action {
        Action::Kill => group.kill()?,
        Action::Resume => group.go_on()?,
        Action::Pause => {
            group.stop()?;
            // For a child that is already stopped, the system does not report the stop again.
            if stands {
                return Ok(());
            }
            // The child cannot be reaped meanwhile, since only this task waits for it.
            let stopped = tokio::task::spawn_blocking(move || group.stopped()).await;
            if !stopped.map_err(io::Error::from)?? {
                return Err(SupervisorError::Gone);
            }
        }
    }
    Ok(())
}
