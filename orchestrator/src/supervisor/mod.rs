//! Processes: spawned, watched, paused, killed and awaited; none is ever left behind.
//!
//! One thread spawns all children and reaps them. It runs as long as the supervisor has a handle. The reason: the
//! signal that ends a child with its parent is tied to the thread that spawned it.

mod child;
mod linux;
#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::Stdio;
use std::thread;

use interlock_machine::wire::{Confinement, Initialization};
use tokio::process::Command;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinSet;

use self::child::{Action, Order, Tending};
use self::linux::{Group, adopt_orphans};

pub use self::child::Exit;
pub use self::linux::{DescriptorLimit, raise_descriptor_limit};

/// Maximum number of waiting orders of the spawning thread, and of each child.
const MOST_ORDERS: usize = 64;

/// Error if a process is not available, or cannot be controlled.
#[derive(Debug, thiserror::Error)]
pub enum SupervisorError {
    /// The operating system refuses.
    #[error("operating system error: {0}")]
    System(#[from] io::Error),
    /// The initialization cannot be written as JSON.
    #[error("cannot write the initialization: {0}")]
    Initialization(#[from] serde_json::Error),
    /// The process has ended.
    #[error("the process has ended")]
    Gone,
    /// The supervisor has been shut down.
    #[error("cannot start a process: the supervisor has been shut down")]
    ShutDown,
}

/// The parent of all nodes. When the last handle is dropped, all processes are killed.
#[derive(Clone, Debug)]
pub struct Supervisor {
    orders: mpsc::Sender<Request>,
    confinement: Option<Confinement>,
}

/// A request to the spawning thread.
enum Request {
    Spawn(Spawning),
    ShutDown(oneshot::Sender<()>),
}

struct Spawning {
    line: Vec<u8>,
    has_program: bool,
    on_exit: Box<dyn FnOnce(Exit) + Send>,
    done: oneshot::Sender<Result<Process, SupervisorError>>,
}

impl Supervisor {
    /// Starts the spawning thread. Each process will run `program` with `arguments`, in an empty environment and a
    /// process group of its own, and under this confinement.
    ///
    /// # Errors
    /// If no further thread or runtime is available.
    pub fn start(
        program: PathBuf,
        arguments: Vec<OsString>,
        confinement: Option<Confinement>,
    ) -> Result<Self, SupervisorError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (orders, requests) = mpsc::channel(MOST_ORDERS);
        let spawner = Spawner { program, arguments, children: JoinSet::new(), end: watch::Sender::new(()) };
        let serve = move || runtime.block_on(spawner.serve(requests));
        thread::Builder::new().name("supervisor".to_owned()).spawn(serve)?;
        Ok(Self { orders, confinement })
    }

    /// Starts a process and sends it the initialization, completed with the id of this process as its parent and
    /// with the confinement. `on_exit` is called once, when the process has ended, on the spawning thread: it must
    /// not block.
    ///
    /// # Errors
    /// If the program cannot be started, or the supervisor has been shut down.
    pub async fn spawn(
        &self,
        initialization: &Initialization,
        on_exit: impl FnOnce(Exit) + Send + 'static,
    ) -> Result<Process, SupervisorError> {
        let initialization =
            Initialization { parent: std::process::id(), confinement: self.confinement, ..initialization.clone() };
        let mut line = serde_json::to_vec(&initialization)?;
        line.push(b'\n');
        let (done, answer) = oneshot::channel();
        let has_program = initialization.program.is_some();
        let spawning = Spawning { line, has_program, on_exit: Box::new(on_exit), done };
        self.orders.send(Request::Spawn(spawning)).await.map_err(|_| SupervisorError::ShutDown)?;
        tokio::select! {
            biased;
            answer = answer => answer.map_err(|_| SupervisorError::ShutDown)?,
            // A request sent at this moment gets no answer.
            () = self.orders.closed() => Err(SupervisorError::ShutDown),
        }
    }

    /// Kills all processes and waits until they have been reaped. No further one can be started afterwards.
    pub async fn shut_down(&self) {
        let (done, answer) = oneshot::channel();
        if self.orders.send(Request::ShutDown(done)).await.is_ok() {
            // If there is no answer, the thread has ended, and it does so only without children.
            let _ = answer.await;
        }
    }
}

/// A process that was started. Its id is never signalled after it has been reaped.
#[derive(Clone, Debug)]
pub struct Process {
    pid: u32,
    orders: mpsc::Sender<Order>,
    exit: watch::Receiver<Option<Exit>>,
    stands: watch::Receiver<bool>,
}

impl Process {
    /// Returns the process id.
    #[must_use]
    pub const fn pid(&self) -> u32 {
        self.pid
    }

    /// Returns a channel that reports whether a process outside this supervisor has stopped this process. The
    /// channel closes when this process has ended.
    #[must_use]
    pub fn stands(&self) -> watch::Receiver<bool> {
        self.stands.clone()
    }

    /// Whether the process has ended or is ending, even if that has not been reported yet. A process that is no longer
    /// reachable may be dead, which its exit reports a moment later.
    #[must_use]
    pub fn is_ending(&self) -> bool {
        self.exit.borrow().is_some() || Group::led_by(self.pid).is_none_or(Group::is_ending)
    }

    /// Kills the process, paused or not, and waits until it has been reaped. Returns how it ended, even if that
    /// happened before the kill.
    pub async fn kill(&self) -> Exit {
        // A process that has ended cannot be killed; its exit is already available.
        let _ = self.order(Action::Kill).await;
        let mut exit = self.exit.clone();
        exit.wait_for(Option::is_some).await.ok().and_then(|exit| *exit).unwrap_or(Exit::Unknown)
    }

    /// Pauses the process, and returns when the operating system has confirmed that it is stopped.
    ///
    /// # Errors
    /// If it has ended.
    pub async fn pause(&self) -> Result<(), SupervisorError> {
        self.order(Action::Pause).await
    }

    /// Resumes the process.
    ///
    /// # Errors
    /// If it has ended.
    pub async fn resume(&self) -> Result<(), SupervisorError> {
        self.order(Action::Resume).await
    }

    async fn order(&self, action: Action) -> Result<(), SupervisorError> {
        let (done, answer) = oneshot::channel();
        self.orders.send(Order { action, done }).await.map_err(|_| SupervisorError::Gone)?;
        let mut exit = self.exit.clone();
        tokio::select! {
            biased;
            answer = answer => answer.map_err(|_| SupervisorError::Gone)?,
            // An order sent at the moment when the queue is closed would stay in it, without an answer, as long as a
            // handle exists.
            _ = exit.wait_for(Option::is_some) => Err(SupervisorError::Gone),
        }
    }
}

/// The spawning thread.
struct Spawner {
    program: PathBuf,
    arguments: Vec<OsString>,
    children: JoinSet<()>,
    /// Makes every child end.
    end: watch::Sender<()>,
}

impl Spawner {
    async fn serve(mut self, mut requests: mpsc::Receiver<Request>) {
        let told = loop {
            tokio::select! {
                request = requests.recv() => match request {
                    Some(Request::Spawn(Spawning { line, has_program, on_exit, done })) => {
                        // If the requester has given up waiting, the process is dropped, and ends with the supervisor.
                        let _ = done.send(self.spawn(line, has_program, on_exit));
                    }
                    Some(Request::ShutDown(done)) => break Some(done),
                    None => break None,
                },
                Some(_) = self.children.join_next() => {}
            }
        };
        requests.close();
        self.end.send_replace(());
        while self.children.join_next().await.is_some() {}
        if let Some(done) = told {
            let _ = done.send(());
        }
    }

    fn spawn(
        &mut self,
        line: Vec<u8>,
        has_program: bool,
        on_exit: Box<dyn FnOnce(Exit) + Send>,
    ) -> Result<Process, SupervisorError> {
        if has_program {
            adopt_orphans()?;
        }
        // Created before the child, so that even an immediate change of it is noticed.
        let turns = signal(SignalKind::child())?;
        let child = Command::new(&self.program)
            .args(&self.arguments)
            .env_clear()
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::inherit())
            .kill_on_drop(true)
            .spawn()?;
        let pid = child.id().ok_or(SupervisorError::Gone)?;
        let group = Group::led_by(pid).ok_or(SupervisorError::Gone)?;
        let (orders, received) = mpsc::channel(MOST_ORDERS);
        let exit = watch::Sender::new(None);
        let stands = watch::Sender::new(false);
        let process = Process { pid, orders, exit: exit.subscribe(), stands: stands.subscribe() };
        let end = self.end.subscribe();
        let tending = Tending { child, group, line, orders: received, end, exit, stands, turns, on_exit, has_program };
        self.children.spawn(tending.tend());
        Ok(process)
    }
}
