//! One child, from its first input to its exit. Only here is it signalled and only here reaped, so a signal never
//! reaches a process that has taken over its id.

use std::fmt;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use tokio::io::AsyncWriteExt;
use tokio::process::{Child, ChildStdin};
use tokio::sync::{mpsc, oneshot, watch};

use super::SupervisorError;
use super::linux::Group;

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// By itself, with this exit code.
    Code(i32),
    /// By this signal.
    Signal(i32),
    /// The operating system cannot say.
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

/// What can be done to a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    Kill,
    Pause,
    Resume,
}

/// An action, and where to say that it is done.
pub(super) struct Order {
    pub(super) action: Action,
    pub(super) done: oneshot::Sender<Result<(), SupervisorError>>,
}

/// What a child is to be told and how it is watched.
pub(super) struct Tending {
    pub(super) child: Child,
    pub(super) group: Group,
    /// What it reads first; its input then stays open.
    pub(super) line: Vec<u8>,
    pub(super) orders: mpsc::Receiver<Order>,
    /// Closed when all children are to die.
    pub(super) end: watch::Receiver<()>,
    pub(super) exit: watch::Sender<Option<Exit>>,
    pub(super) on_exit: Box<dyn FnOnce(Exit) + Send>,
}

impl Tending {
    /// Looks after the child until it is gone and has been reaped.
    pub(super) async fn tend(mut self) {
        // A child that does not read is a child that dies: the broken pipe is told by its exit.
        let lifeline = initialize(&mut self.child, &self.line).await;
        let status = self.watch().await;
        drop(lifeline);
        let exit = Exit::from(status);
        (self.on_exit)(exit);
        self.exit.send_replace(Some(exit));
    }

    async fn watch(&mut self) -> io::Result<ExitStatus> {
        loop {
            tokio::select! {
                status = self.child.wait() => return status,
                Some(order) = self.orders.recv() => {
                    let done = obey(self.group, order.action).await;
                    // Who has given up waiting need not be told.
                    let _ = order.done.send(done);
                }
                _ = self.end.changed() => {
                    // It dies now or it is dead already; either way its exit comes.
                    let _ = self.group.kill();
                    return self.child.wait().await;
                }
            }
        }
    }
}

/// Writes the first line. If that breaks, the input ends, and with it a node.
async fn initialize(child: &mut Child, line: &[u8]) -> Option<ChildStdin> {
    let mut input = child.stdin.take()?;
    input.write_all(line).await.ok().map(|()| input)
}

async fn obey(group: Group, action: Action) -> Result<(), SupervisorError> {
    match action {
        Action::Kill => group.kill()?,
        Action::Resume => group.go_on()?,
        Action::Pause => {
            group.stop()?;
            // The child cannot be reaped meanwhile: nobody else waits for it.
            let stopped = tokio::task::spawn_blocking(move || group.stopped()).await;
            if !stopped.map_err(io::Error::from)?? {
                return Err(SupervisorError::Gone);
            }
        }
    }
    Ok(())
}
