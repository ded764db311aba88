//! One child, from its first input to its exit. Only here is it signalled and only here reaped, so a signal never
//! reaches a process that has taken over its id.

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
    /// Whether it stands still by the doing of somebody else.
    pub(super) stands: watch::Sender<bool>,
    /// Comes when any child has ended, has been stopped or goes on.
    pub(super) turns: Signal,
    pub(super) on_exit: Box<dyn FnOnce(Exit) + Send>,
    /// Whether it starts a program, of which nothing must be left when its exit is reported.
    pub(super) has_program: bool,
}

impl Tending {
    /// Looks after the child until it is gone and has been reaped.
    pub(super) async fn tend(mut self) {
        // A child that does not read is a child that dies: the broken pipe is told by its exit.
        let lifeline = initialize(&mut self.child, &self.line).await;
        let pid = self.child.id();
        let status = self.watch().await;
        drop(lifeline);
        if let Some(pid) = pid.filter(|_| self.has_program) {
            // Where the process table cannot be read, the keepers end no less.
            let _ = tokio::task::spawn_blocking(move || await_keepers(pid)).await;
        }
        let exit = Exit::from(status);
        (self.on_exit)(exit);
        self.exit.send_replace(Some(exit));
    }

    async fn watch(&mut self) -> io::Result<ExitStatus> {
        // Whether it stands still, as far as is known here.
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

    /// Somebody else may have stopped it, or let it go on.
    fn notice(&self, stands: &mut bool) {
        while let Some(turned) = self.group.turned() {
            if std::mem::replace(stands, turned) != turned {
                self.stands.send_replace(turned);
            }
        }
    }
}

/// Writes the first line. If that breaks, the input ends, and with it a node.
async fn initialize(child: &mut Child, line: &[u8]) -> Option<ChildStdin> {
    let mut input = child.stdin.take()?;
    input.write_all(line).await.ok().map(|()| input)
}

/// Does what is ordered to a child that stands still already, or not.
async fn obey(group: Group, action: Action, stands: bool) -> Result<(), SupervisorError> {
    match action {
        Action::Kill => group.kill()?,
        Action::Resume => group.go_on()?,
        Action::Pause => {
            group.stop()?;
            // Of who stands still the system has said so, and does not say it again.
            if stands {
                return Ok(());
            }
            // The child cannot be reaped meanwhile: nobody else waits for it.
            let stopped = tokio::task::spawn_blocking(move || group.stopped()).await;
            if !stopped.map_err(io::Error::from)?? {
                return Err(SupervisorError::Gone);
            }
        }
    }
    Ok(())
}
