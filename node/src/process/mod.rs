//! The process of a node. It reads its initialization from its standard input, and runs until this input is closed.

mod connections;
mod exchange;
mod http_client;
mod hub;
mod problem;
mod server;
mod shell;
#[cfg(test)]
mod tests;

use std::io::{self, BufRead, Write};
use std::net::Ipv4Addr;
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;

use interlock_algorithm::Refusal;
use tokio::net::TcpListener;
use tokio::sync::Notify;

pub use self::connections::{Trust, serve};
use self::exchange::Exchange;
pub(crate) use self::http_client::get;
pub use self::http_client::{HttpClient, HttpError};
use self::hub::{Hub, HubError};
use self::server::Door;
use self::shell::{ReportError, Shell};
use crate::confinement::{ConfinementError, confine_node};
use crate::date::{ImpossibleDate, check_date};
use crate::linux::{Clock, die_with_parent, give_way};
use interlock_machine::LiveNode;
use interlock_machine::visible::on_one_line;
use interlock_machine::wire::{Hello, Initialization};

/// Maximum length of an initialization, in bytes.
const LONGEST_INITIALIZATION: u64 = 1 << 20;
/// Stack size of the thread that waits for the end of the standard input, in bytes.
const LIFELINE_STACK: usize = 64 << 10;
/// Exit code of a process that panicked: the usual exit code of Rust programs after a panic.
const PANICKED: i32 = 101;
/// Maximum number of open connections that have not sent the secret of the node. The hub needs one connection, and
/// a second one while it closes the first.
const MOST_STRANGERS: usize = 64;

/// The reason why a node ended, although its standard input was still open.
#[derive(Debug, thiserror::Error)]
enum NodeError {
    #[error("cannot read the initialization: {0}")]
    Initialization(#[source] io::Error),
    #[error("the initialization is invalid: {0}")]
    Nonsense(#[from] serde_json::Error),
    #[error("there is no node {node} among {nodes} nodes")]
    Unknown { node: u32, nodes: u32 },
    #[error("process {0} is not the parent")]
    Parent(u32),
    #[error("cannot run the algorithm: {0}")]
    Refused(#[from] Refusal),
    #[error("operating system error: {0}")]
    System(#[from] io::Error),
    #[error("cannot confine the process: {0}")]
    Confinement(#[from] ConfinementError),
    #[error(transparent)]
    Date(#[from] ImpossibleDate),
    #[error(transparent)]
    Hub(#[from] HubError),
    #[error(transparent)]
    Report(#[from] ReportError),
}

/// Runs one node. `make` creates the node from the initialization, which is the first line of the standard input.
/// When this input is closed, the process exits at once with exit code 0.
///
/// This function must be called from the main thread of a process that has no other task. It returns exit code 2 if
/// the initialization is invalid, and 3 if the node cannot run or the hub refuses its reports. It prints the cause
/// on standard error.
pub fn run<F>(make: F) -> ExitCode
where
    F: FnOnce(&Initialization) -> Result<Box<dyn LiveNode>, Refusal>,
{
    let initialized = read_initialization(io::stdin().lock());
    conclude(initialized.and_then(|initialization| try_run(initialization, make)))
}

/// Runs one node as [`run`] does. The caller has already read the initialization from the standard input.
pub fn run_initialized<F>(initialization: Initialization, make: F) -> ExitCode
where
    F: FnOnce(&Initialization) -> Result<Box<dyn LiveNode>, Refusal>,
{
    conclude(try_run(initialization, make))
}

fn conclude(ended: Result<(), NodeError>) -> ExitCode {
    // If the run has ended, there is nothing to report: the process that ended the run also ends this process.
    let over = |error: &NodeError| {
        matches!(error, NodeError::Hub(HubError::Over) | NodeError::Report(ReportError::Hub(HubError::Over)))
    };
    let Some(error) = ended.err().filter(|error| !over(error)) else { return ExitCode::SUCCESS };
    // If standard error is closed, the error cannot be reported anywhere.
    let _ = writeln!(io::stderr(), "interlock node: {}", on_one_line(&error.to_string()));
    match error {
        NodeError::Initialization(_) | NodeError::Nonsense(_) | NodeError::Unknown { .. } | NodeError::Refused(_) => {
            ExitCode::from(2)
        }
        NodeError::Parent(_)
        | NodeError::System(_)
        | NodeError::Confinement(_)
        | NodeError::Date(_)
        | NodeError::Hub(_)
        | NodeError::Report(_) => ExitCode::from(3),
    }
}

fn try_run<F>(initialization: Initialization, make: F) -> Result<(), NodeError>
where
    F: FnOnce(&Initialization) -> Result<Box<dyn LiveNode>, Refusal>,
{
    end_with_any_panic();
    give_way();
    check_date()?;
    confine_node(&initialization)?;
    // The system clears the parent-death signal when the privileges of a process change. So the process is confined
    // first, and then requests the signal.
    if !die_with_parent(initialization.parent)? {
        return Err(NodeError::Parent(initialization.parent));
    }
    hold_lifeline()?;
    let node = make(&initialization)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(live(initialization, node))
}

/// Makes every panic end the process. If the algorithm of a node panics, the node then counts as crashed, even if
/// the process could continue.
fn end_with_any_panic() {
    let tell = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        tell(panic);
        std::process::exit(PANICKED);
    }));
}

fn read_initialization(input: impl BufRead) -> Result<Initialization, NodeError> {
    let mut line = String::new();
    input.take(LONGEST_INITIALIZATION).read_line(&mut line).map_err(NodeError::Initialization)?;
    let initialization: Initialization = serde_json::from_str(&line)?;
    let (node, nodes) = (initialization.node.0, initialization.nodes);
    if node < nodes { Ok(initialization) } else { Err(NodeError::Unknown { node, nodes }) }
}

/// Makes the process end when its standard input is closed, even if the algorithm is in an endless loop.
fn hold_lifeline() -> io::Result<()> {
    let wait = || {
        // The content of the input is ignored.
        let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
        std::process::exit(0);
    };
    thread::Builder::new().name("lifeline".to_owned()).stack_size(LIFELINE_STACK).spawn(wait)?;
    Ok(())
}

/// Serves requests, makes timers expire, and reports steps, until one of these activities fails.
async fn live(initialization: Initialization, mut node: Box<dyn LiveNode>) -> Result<(), NodeError> {
    let Initialization { incarnation, epoch_ns, .. } = initialization;
    let mut hub = Hub::new(&initialization)?;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let address = listener.local_addr()?;
    let due = Arc::new(Notify::new());
    let wake = Arc::clone(&due);
    node.wake_with(Arc::new(move || wake.notify_one()));
    let shell = Arc::new(Shell::new(Exchange::new(node, incarnation), Clock::new(epoch_ns))?);
    let door = Arc::new(Door::new(address, &initialization.secret));
    let server = serve(listener, |trust| server::service(&shell, &door, trust), MOST_STRANGERS);
    let tell = async {
        hub.hello(&Hello { incarnation, url: format!("http://{address}") }).await?;
        shell.keep_reporting(&mut hub).await.map_err(NodeError::from)
    };
    tokio::select! {
        never = server => match never {},
        ended = shell.keep_time(&due) => ended?,
        ended = tell => ended?,
    }
    Ok(())
}
