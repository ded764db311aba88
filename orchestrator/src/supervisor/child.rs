//! One child process, from its start to its exit. Only this task signals and reaps the process. So a signal never
//! reaches another process that has the same id.

use std::fmt;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use tokio::io::AsyncWriteExt;
use tokio::process::{Child, ChildStdin};
use tokio::sync::{mpsc, oneshot, watch};

use super::SupervisorError;
use super::linux::{Group, await_keepers};

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// The process ended with this exit code.
    Code(i32),
    /// This signal ended the process.
    Signal(i32),
    /// The operating system does not report how the process ended.
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

/// An action on a child process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    Kill,
    Pause,
    Resume,
}

/// An action, and the channel on which its completion is reported.
pub(super) struct Order {
    pub(super) action: Action,
    pub(super) done: oneshot::Sender<Result<(), SupervisorError>>,
}

/// A child process, its input, and the channels of its observers.
pub(super) struct Tending {
    pub(super) child: Child,
    pub(super) group: Group,
    /// First line of the child's input. The input stays open after this line.
    pub(super) line: Vec<u8>,
    pub(super) orders: mpsc::Receiver<Order>,
    /// Signals that all children must end.
    pub(super) end: watch::Receiver<()>,
    pub(super) exit: watch::Sender<Option<Exit>>,
    /// Reports whether another program on this machine has stopped the child.
    pub(super) stands: watch::Sender<bool>,
    /// Reports that some child has stopped or continued.
    pub(super) turns: watch::Receiver<()>,
    pub(super) on_exit: Box<dyn FnOnce(Exit) + Send>,
    /// Whether the child starts a user's program. All processes of that program must have ended before the exit of
    /// the child is reported.
    pub(super) has_program: bool,
}

impl Tending {
    /// Executes the orders for the child until it has ended and been reaped.
    pub(super) async fn tend(mut self) {
        // An error is ignored here: if a child does not read its input, the child is about to end, and its exit is
        // reported below.
        let lifeline = initialize(&mut self.child, &self.line).await;
        let pid = self.child.id();
        let status = self.watch().await;
        drop(lifeline);
        if let Some(pid) = pid.filter(|_| self.has_program) {
            // If the process table cannot be read, the exit is reported without this wait. The keepers of the
            // program end automatically.
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
                Ok(()) = self.turns.changed() => self.notice(&mut stands),
                Some(order) = self.orders.recv() => {
                    let done = obey(self.group, order.action, stands).await;
                    if done.is_ok() {
                        stands = order.action == Action::Pause;
                    }
                    // An error means that the receiver no longer waits for the completion.
                    let _ = order.done.send(done);
                }
                _ = self.end.changed() => {
                    // An error means that the child has already ended. Whether or not it has ended, the next line
                    // waits for its exit.
                    let _ = self.group.kill();
                    return self.child.wait().await;
                }
            }
        }
    }

    /// Reports if another program on this machine has stopped or continued the child.
    fn notice(&self, stands: &mut bool) {
        while let Some(turned) = self.group.turned() {
            if std::mem::replace(stands, turned) != turned {
                self.stands.send_replace(turned);
            }
        }
    }
}

/// Writes the first line of the input, and returns the open input. If that fails, the input is closed, which makes
/// a node end.
async fn initialize(child: &mut Child, line: &[u8]) -> Option<ChildStdin> {
    let mut input = child.stdin.take()?;
    input.write_all(line).await.ok().map(|()| input)
}

/// Executes an action on a child. `stands` is true if the child is already stopped.
async fn obey(group: Group, action: Action, stands: bool) -> Result<(), SupervisorError> {
    match action {
        Action::Kill => group.kill()?,
        Action::Resume => group.go_on()?,
        Action::Pause => {
            group.stop()?;
            // If the child is already stopped, the operating system does not report a second stop.
            if stands {
                return Ok(());
            }
            // Only this task reaps the child, so its id stays valid during the wait.
            let stopped = tokio::task::spawn_blocking(move || group.stopped()).await;
            if !stopped.map_err(io::Error::from)?? {
                return Err(SupervisorError::Gone);
            }
        }
    }
    Ok(())
}
