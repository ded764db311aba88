//! Processes: the supervisor starts, watches, pauses, kills and awaits them, and leaves no process behind.
//!
//! A single thread starts and reaps all children. It runs until the last handle of the supervisor is dropped,
//! because the kernel signals a child when the thread that started it ends.

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
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinSet;

use self::child::{Action, Order, Tending};
use self::linux::{Group, adopt_orphans, has_any_turned};

pub use self::child::Exit;
pub use self::linux::{DescriptorLimit, raise_descriptor_limit};

/// Maximum number of queued orders for the supervisor's thread, and for each child.
const MOST_ORDERS: usize = 64;

/// Error if a process cannot be started or controlled.
#[derive(Debug, thiserror::Error)]
pub enum SupervisorError {
    /// The operating system refuses the operation.
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

/// The parent of all nodes' processes. When the last handle is dropped, all processes are killed.
#[derive(Clone, Debug)]
pub struct Supervisor {
    orders: mpsc::Sender<Request>,
    confinement: Option<Confinement>,
}

/// A request to the supervisor's thread.
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
    /// Starts the supervisor's thread. Each process will run `program` with `arguments`, in an empty environment, in
    /// its own process group, and under the confinement `confinement`.
    ///
    /// # Errors
    /// If the operating system cannot provide a thread or the resources of a runtime.
    pub fn start(
        program: PathBuf,
        arguments: Vec<OsString>,
        confinement: Option<Confinement>,
    ) -> Result<Self, SupervisorError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (orders, requests) = mpsc::channel(MOST_ORDERS);
        let (end, turns) = (watch::Sender::new(()), watch::Sender::new(()));
        let spawner = Spawner { program, arguments, children: JoinSet::new(), end, turns };
        let within = runtime.enter();
        let changes = signal(SignalKind::child())?;
        drop(within);
        let serve = move || runtime.block_on(spawner.serve(requests, changes));
        thread::Builder::new().name("supervisor".to_owned()).spawn(serve)?;
        Ok(Self { orders, confinement })
    }

    /// Starts a process and sends it the initialization. In the initialization, sets the parent to the orchestrator's
    /// process, and sets the confinement. `on_exit` is called once, when the process has ended. It runs on the
    /// supervisor's thread, so it must not block.
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
            // If the supervisor is shut down while the request is queued, the request gets no answer.
            () = self.orders.closed() => Err(SupervisorError::ShutDown),
        }
    }

    /// Kills all processes and waits until they have been reaped. Afterwards, no process can be started.
    pub async fn shut_down(&self) {
        let (done, answer) = oneshot::channel();
        if self.orders.send(Request::ShutDown(done)).await.is_ok() {
            // If there is no answer, the thread has already ended, which it does only when it has no children
            // left.
            let _ = answer.await;
        }
    }
}

/// A process that the supervisor has started. After it has been reaped, its id is never used for a signal.
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

    /// Returns a channel that reports whether another program on this machine has stopped this process. The
    /// channel closes when this process has ended.
    #[must_use]
    pub fn stands(&self) -> watch::Receiver<bool> {
        self.stands.clone()
    }

    /// Whether the process has ended or is ending, even if its exit has not been reported yet. With this function,
    /// a caller can check whether a broken connection means that the process has crashed.
    #[must_use]
    pub fn is_ending(&self) -> bool {
        self.exit.borrow().is_some() || Group::led_by(self.pid).is_none_or(Group::is_ending)
    }

    /// Kills the process, even if it is paused, and waits until it has been reaped. Returns how it ended, even if
    /// it ended before the kill.
    pub async fn kill(&self) -> Exit {
        // An error means that the process has already ended; its exit is then available at once.
        let _ = self.order(Action::Kill).await;
        let mut exit = self.exit.clone();
        exit.wait_for(Option::is_some).await.ok().and_then(|exit| *exit).unwrap_or(Exit::Unknown)
    }

    /// Pauses the process. Returns when the operating system has confirmed that the process is stopped.
    ///
    /// # Errors
    /// If the process has ended.
    pub async fn pause(&self) -> Result<(), SupervisorError> {
        self.order(Action::Pause).await
    }

    /// Resumes the process.
    ///
    /// # Errors
    /// If the process has ended.
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
            // If an order is sent at the moment at which the queue is closed, it stays in the queue without an
            // answer. So the exit of the process also ends this wait.
            _ = exit.wait_for(Option::is_some) => Err(SupervisorError::Gone),
        }
    }
}

/// The state of the supervisor's thread.
struct Spawner {
    program: PathBuf,
    arguments: Vec<OsString>,
    children: JoinSet<()>,
    /// Signals that every child must end.
    end: watch::Sender<()>,
    /// Signals that some child has stopped or continued.
    turns: watch::Sender<()>,
}

impl Spawner {
    /// Executes the requests. `changes` reports that some child has ended, stopped or continued.
    async fn serve(mut self, mut requests: mpsc::Receiver<Request>, mut changes: Signal) {
        let told = loop {
            tokio::select! {
                request = requests.recv() => match request {
                    Some(Request::Spawn(Spawning { line, has_program, on_exit, done })) => {
                        // An error means that the caller no longer waits. The handle of the process is then
                        // dropped, and the process ends with the supervisor.
                        let _ = done.send(self.spawn(line, has_program, on_exit));
                    }
                    Some(Request::ShutDown(done)) => break Some(done),
                    None => break None,
                },
                Some(_) = self.children.join_next() => {}
                // When a run ends, all of its processes end. If each end woke all children, the work would grow with
                // the square of their number.
                Some(()) = changes.recv() => if has_any_turned() {
                    self.turns.send_replace(());
                },
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
        // The child is observed before it exists, so that even an immediate change of its status is detected.
        let turns = self.turns.subscribe();
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
