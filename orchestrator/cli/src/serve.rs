//! `interlock serve`: opens the playground, serves its API and page, and ends all of its processes when it closes.

use std::error::Error;
use std::ffi::OsString;
use std::fs;
use std::io::{self, BufReader, Write};
use std::net::{AddrParseError, IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use tokio::net::TcpListener;
use tokio::runtime::Builder;
use tokio::signal::unix::{SignalKind, signal};
use tokio::task::spawn_blocking;
use tokio::time::{sleep, timeout};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::layer;
use tracing_subscriber::prelude::*;
use uuid::Uuid;

use super::node_bounds::NodeBounds;
use super::playground::TOKEN_VARIABLE;
use super::terminal::{self, fail};
use super::{COULD_NOT, OK, USAGE};
use interlock_api::{self as api, NoToken, Token};
use interlock_evidence::claims::{self, Counterexample};
use interlock_heap::Peaks;
use interlock_model::network::LinkPatch;
use interlock_model::size::{Size, SizeError};
use interlock_model::specification::{Draft, WorkloadDraft};
use interlock_orchestrator::journal::{Folder, FolderError};
use interlock_orchestrator::run::{Hub, HubError, Limits, Registry, RunSummary};
use interlock_orchestrator::supervisor::{Supervisor, SupervisorError, raise_descriptor_limit};
use interlock_simulation::example::{self, Example};

/// Minimum value of the options that limit the size of journals. Even a journal with empty tables needs this much
/// space.
const LEAST_FILES: Size = Size { bytes: 1 << 20 };
/// Maximum value of the options that limit the size of journals.
const MOST_FILES: Size = Size { bytes: 1 << 40 };
/// Interval between two checks of whether the oldest journals must be deleted.
const TIDIED: Duration = Duration::from_secs(20);
/// Interval between two measurements of the resident memory.
const MEMORY_LOOK: Duration = Duration::from_secs(5);

/// Maximum time to end the runs. After the runs have ended, pending reads and writes have at most
/// `PATIENCE_AT_THE_END` to finish. Both together are shorter than the time that a service manager waits between
/// SIGTERM and SIGKILL.
const PATIENCE_WITH_RUNS: Duration = Duration::from_secs(3);
const PATIENCE_AT_THE_END: Duration = Duration::from_secs(1);

/// Value of the option `--token` without a text: the playground draws a token when it opens.
const DRAWN: &str = "drawn";

/// Meanings of the exit codes.
const EXIT_CODES: &str = "Exit codes:
  0  a signal or Ctrl-C ended the playground
  2  the token is invalid, or there is no home folder
  3  the playground cannot be opened, for example because the port is in use";

/// How to open the playground.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub struct ServeOptions {
    /// Address to listen on; must be a loopback address
    #[arg(long, default_value = "127.0.0.1", value_parser = loopback)]
    pub host: IpAddr,
    /// Port to listen on; 0 chooses any free port
    #[arg(long, default_value_t = 7700)]
    pub port: u16,
    /// Folder for the journals of the runs [default: `~/.local/share/interlock`, or below `$XDG_DATA_HOME`]
    #[arg(long, value_name = "DIR")]
    pub data_dir: Option<PathBuf>,
    /// Show the runs of the folder without starting any, not even the demonstration; another playground may own the
    /// folder
    #[arg(long, conflicts_with_all = ["load", "example"])]
    pub read_only: bool,
    /// Token that clients must present; without a text, the playground draws one. Without this option, every user of
    /// this machine may look and command
    #[arg(long, env = TOKEN_VARIABLE, hide_env_values = true, value_name = "TEXT", num_args = 0..=1, require_equals = true,
        default_missing_value = DRAWN)]
    pub token: Option<String>,
    /// File for the base URL, written once the playground is open
    #[arg(long, value_name = "FILE")]
    pub ready_file: Option<PathBuf>,
    /// Start no demonstration (five processes that contend for one lock)
    #[arg(long)]
    pub no_demo: bool,
    /// Files of events to load as runs, written by `simulate --events` or the API; there is no demonstration then
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub load: Vec<PathBuf>,
    /// Examples to start (see `interlock examples`); there is no demonstration then
    #[arg(long, value_name = "NAME", num_args = 1.., value_parser = example::find)]
    pub example: Vec<Example>,
    /// Open the dashboard in the browser
    #[arg(long)]
    pub open: bool,
    /// Bounds of the nodes
    #[command(flatten)]
    pub bounds: NodeBounds,
    /// Maximum size of the journal of one run, such as 512MiB; a run that reaches it fails
    #[arg(long, value_name = "SIZE", default_value = "4GiB", value_parser = file_size)]
    pub journal_limit: Size,
    /// Maximum size of all journals together; above it, the oldest ended runs are deleted
    #[arg(long, value_name = "SIZE", default_value = "16GiB", value_parser = file_size)]
    pub folder_limit: Size,
    /// Maximum number of runs in progress at the same time
    #[arg(long, value_name = "COUNT", default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub max_runs: u16,
}

/// Error if the playground cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The playground cannot listen on the address.
    #[error("cannot listen on {0}: {1}")]
    Listen(SocketAddr, io::Error),
    /// The folder for the journals cannot be used.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The token is invalid.
    #[error("--token: {0}")]
    Token(#[from] NoToken),
    /// The ready file cannot be written.
    #[error("cannot write the ready file {0}: {1}")]
    ReadyFile(PathBuf, io::Error),
    /// The user has not given a folder for the journals, and there is no home folder for the default.
    #[error("cannot find a folder for the journals: there is no home folder; name a folder with --data-dir")]
    NoHome,
    /// The operating system has refused a thread, a socket or a signal handler.
    #[error("operating system error: {0}")]
    System(#[from] io::Error),
    /// The network between the nodes cannot be started.
    #[error(transparent)]
    Hub(#[from] HubError),
    /// The supervisor, which starts the processes of nodes, cannot be started.
    #[error(transparent)]
    Supervisor(#[from] SupervisorError),
}

/// An open playground.
pub struct Playground {
    registry: Arc<Registry>,
    listener: TcpListener,
    address: SocketAddr,
    token: Option<Token>,
}

/// Error for an address on which a playground cannot listen.
#[derive(Debug, thiserror::Error)]
enum HostError {
    #[error("a playground listens only on this machine; write 127.0.0.1, ::1 or localhost")]
    Remote,
    #[error("not an address; write 127.0.0.1, ::1 or localhost")]
    Malformed(#[from] AddrParseError),
}

fn loopback(text: &str) -> Result<IpAddr, HostError> {
    let address: IpAddr = if text == "localhost" { "127.0.0.1" } else { text }.parse()?;
    if address.is_loopback() { Ok(address) } else { Err(HostError::Remote) }
}

/// Error for a size outside the range of the options that limit the size of journals.
#[derive(Debug, thiserror::Error)]
enum FileSizeError {
    #[error("not between {LEAST_FILES} and {MOST_FILES}")]
    OutOfRange,
    #[error(transparent)]
    Malformed(#[from] SizeError),
}

fn file_size(text: &str) -> Result<Size, FileSizeError> {
    let size = text.parse()?;
    if (LEAST_FILES..=MOST_FILES).contains(&size) { Ok(size) } else { Err(FileSizeError::OutOfRange) }
}

/// Starts writing log messages to standard error: warnings and errors, or the messages that `levels` selects, such
/// as `info,interlock_orchestrator=debug`.
fn write_log(levels: Option<&str>) {
    let levels = levels.and_then(|levels| levels.parse::<Targets>().ok());
    let levels = levels.unwrap_or_else(|| Targets::new().with_default(LevelFilter::WARN));
    tracing_subscriber::registry().with(layer().with_writer(terminal::log)).with(levels).init();
}

/// Opens the playground, and serves it until a signal asks the process to end.
pub(super) fn run(options: &ServeOptions) -> ExitCode {
    interlock_heap::map_large_blocks();
    write_log(std::env::var("RUST_LOG").ok().as_deref());
    let served = std::env::current_exe().map_err(ServeError::from).and_then(|program| {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let served = runtime.block_on(serve(options, program, vec!["node".into()]));
        // Pending reads and writes of files have this much time to finish. Data that is already committed to a
        // journal is safe.
        runtime.shutdown_timeout(PATIENCE_AT_THE_END);
        served
    });
    match served {
        Ok(()) => ExitCode::from(OK),
        Err(error @ (ServeError::NoHome | ServeError::Token(_))) => fail(&error, USAGE),
        Err(error) => fail(&error, COULD_NOT),
    }
}

async fn serve(options: &ServeOptions, program: PathBuf, arguments: Vec<OsString>) -> Result<(), ServeError> {
    // The signal handlers are installed before anything else starts. Otherwise, a signal could end the program
    // while the playground is only partly open.
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut hangup = signal(SignalKind::hangup())?;
    let playground = Playground::open(options, program, arguments).await?;
    let url = playground.url();
    let opened = playground.opened_at();
    let to_whom =
        if playground.token.is_some() { "programs that have the token" } else { "every program on this machine" };
    if std::env::args_os().any(|option| option.as_encoded_bytes().starts_with(b"--token=")) {
        terminal::complain(
            "warning: other users of this machine can read --token=TEXT with `ps`: set INTERLOCK_TOKEN instead",
        );
    }
    // If standard output is closed, the playground still opens.
    let _ = writeln!(io::stdout(), "Interlock is open at {opened} for {to_whom} (stop it with Ctrl-C)");
    let _ = writeln!(terminal::text(), "The guide is at {url}/docs/");
    if options.open {
        open_browser(&opened);
    }
    let (journal, folder) = (options.journal_limit, options.folder_limit);
    let directory = playground.registry.directory().display();
    let _ = writeln!(
        terminal::text(),
        "Journals are in {directory}: at most {journal} per run (--journal-limit) and {folder} in all \
         (--folder-limit); above that, the oldest finished runs are deleted"
    );
    let registry = Arc::clone(&playground.registry);
    tokio::spawn(tidy(Arc::clone(&registry)));
    tokio::spawn(return_memory());
    let demo = !options.no_demo && !options.read_only && options.load.is_empty() && options.example.is_empty();
    let ready = Ready {
        file: options.ready_file.clone(),
        url,
        demo,
        examples: options.example.clone(),
        load: options.load.clone(),
    };
    tokio::spawn(ready.announce(registry));
    playground
        .serve(async move {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
                _ = hangup.recv() => {}
            }
        })
        .await;
    Ok(())
}

impl Playground {
    /// Opens a playground whose nodes are started as `program` with `arguments`.
    ///
    /// # Errors
    /// If a port, a folder or a thread is not available.
    pub async fn open(options: &ServeOptions, program: PathBuf, arguments: Vec<OsString>) -> Result<Self, ServeError> {
        let token = match options.token.as_deref() {
            Some(DRAWN) => Some(Token::draw()),
            given => given.map(str::parse).transpose()?,
        };
        let directory = directory_of(options.data_dir.as_ref()).ok_or(ServeError::NoHome)?;
        let wanted = SocketAddr::new(options.host, options.port);
        let listener = TcpListener::bind(wanted).await.map_err(|error| ServeError::Listen(wanted, error))?;
        let address = listener.local_addr()?;
        let folder = if options.read_only {
            Folder::read_only(&directory)?
        } else {
            Folder::claim(&directory, &format!("http://{address}"))?
        };
        let descriptors = raise_descriptor_limit()?;
        let supervisor = Supervisor::start(program, arguments, options.bounds.confinement())?;
        let hub = Hub::start().await?;
        let limits = Limits {
            runs: usize::from(options.max_runs),
            nodes: descriptors.nodes(),
            journal_bytes: Some(options.journal_limit.bytes),
            folder_bytes: Some(options.folder_limit.bytes),
        };
        let registry = Arc::new(Registry::new(folder, limits, supervisor, hub));
        Ok(Self { registry, listener, address, token })
    }

    /// Returns the base URL of the playground.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns the URL of the page. If the playground has a token, the URL contains the token.
    fn opened_at(&self) -> String {
        api::address(&self.url(), self.token.as_ref())
    }

    /// Serves the playground until `end` completes. Then ends all runs and their processes.
    pub async fn serve(self, end: impl Future<Output = ()> + Send + 'static) {
        let Self { registry, listener, address, token } = self;
        let router = api::router(Arc::clone(&registry), counterexamples(), address.port(), token);
        // Streams and long polls do not end by themselves. They are aborted when the runs have ended.
        tokio::select! {
            never = api::serve(listener, router) => match never {},
            () = end => {
                // The shutdown begins with killing the processes, which is quick. The time limit is for the
                // journals, which may be on a slow disk.
                let _ = timeout(PATIENCE_WITH_RUNS, registry.shutdown()).await;
            }
        }
    }
}

/// Returns the counterexamples of the claims, for the API. The claims tests find each of them.
fn counterexamples() -> Vec<api::Counterexample> {
    let served = |counterexample: Counterexample| {
        Some(api::Counterexample {
            name: counterexample.name.clone(),
            claim: counterexample.claim.id.to_owned(),
            configuration: counterexample.in_words(),
            exploration: counterexample.exploration().ok()?,
        })
    };
    claims::counterexamples().filter_map(served).collect()
}

/// Deletes the oldest ended runs whenever all journals together exceed their maximum size.
async fn tidy(registry: Arc<Registry>) {
    loop {
        let registry = Arc::clone(&registry);
        for id in spawn_blocking(move || registry.tidy()).await.unwrap_or_default() {
            terminal::complain(&format!("deleted run {id}: all journals together were larger than --folder-limit"));
        }
        sleep(TIDIED).await;
    }
}

/// Returns freed memory to the operating system after each peak of the resident memory.
async fn return_memory() {
    let Some(mut peaks) = interlock_heap::resident().map(Peaks::from) else { return };
    loop {
        sleep(MEMORY_LOOK).await;
        let Some(resident) = interlock_heap::resident() else { return };
        if peaks.are_over(resident) && spawn_blocking(interlock_heap::trim).await.is_ok() {
            peaks.trimmed(interlock_heap::resident().unwrap_or(resident));
        }
    }
}

/// Work that remains when the playground is open: load runs from files, start examples, and write the ready file.
struct Ready {
    file: Option<PathBuf>,
    url: String,
    demo: bool,
    examples: Vec<Example>,
    load: Vec<PathBuf>,
}

impl Ready {
    async fn announce(self, registry: Arc<Registry>) {
        for file in &self.load {
            match load(Arc::clone(&registry), file.clone()).await {
                Ok(run) => {
                    let _ = writeln!(terminal::text(), "loaded {}: {}/#run={}", file.display(), self.url, run.id);
                }
                Err(reason) => terminal::complain(&format!("cannot load {}: {reason}", file.display())),
            }
        }
        for example in &self.examples {
            match start(&registry, example).await {
                Ok(id) => drop(writeln!(terminal::text(), "started {}: {}/#run={id}", example.name, self.url)),
                Err(reason) => terminal::complain(&format!("cannot start {}: {reason}", example.name)),
            }
        }
        if self.demo
            && let Err(error) = registry.create(demonstration()).await
        {
            terminal::complain(&format!("cannot start the demonstration: {error}"));
        }
        if let Some(file) = &self.file
            && let Err(error) = write_whole(file, &format!("{}\n", self.url))
        {
            terminal::complain(&ServeError::ReadyFile(file.clone(), error).to_string());
        }
    }
}

/// Error if an example or a file does not result in a run.
type NoRun = Box<dyn Error + Send + Sync>;

/// Starts a run from an example, and returns its id.
async fn start(registry: &Registry, example: &Example) -> Result<Uuid, NoRun> {
    Ok(registry.create(example.draft()?).await?.id)
}

/// Loads a run from the events in a file.
async fn load(registry: Arc<Registry>, file: PathBuf) -> Result<RunSummary, NoRun> {
    let loading = spawn_blocking(move || registry.load(BufReader::new(fs::File::open(file)?)));
    Ok(loading.await??)
}

/// Returns the demonstration: five processes that contend for one lock, slowly enough to watch.
fn demonstration() -> Draft {
    Draft {
        name: Some("demonstration".to_owned()),
        algorithm: "ricart-agrawala".to_owned(),
        nodes: Some(5),
        network: LinkPatch { delay: "uniform:600..1000".parse().ok(), ..LinkPatch::default() },
        workload: Some(WorkloadDraft {
            idle: "exp:8000".parse().ok(),
            hold: "const:2000".parse().ok(),
            ..WorkloadDraft::default()
        }),
        ..Draft::default()
    }
}

/// Replaces a file such that a reader never sees an incomplete text: writes a new file first, and then renames it.
fn write_whole(file: &Path, text: &str) -> io::Result<()> {
    let mut aside = file.as_os_str().to_owned();
    aside.push(format!(".{}", std::process::id()));
    let aside = PathBuf::from(aside);
    fs::write(&aside, text)?;
    fs::rename(&aside, file)
}

/// Returns the given folder for the journals, or the default folder. Returns none if no folder is given and there is
/// no home folder.
pub(super) fn directory_of(given: Option<&PathBuf>) -> Option<PathBuf> {
    given.cloned().or_else(default_directory)
}

fn default_directory() -> Option<PathBuf> {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = set("XDG_DATA_HOME").or_else(|| set("HOME").map(|home| home.join(".local/share")));
    base.map(|base| base.join("interlock"))
}

fn open_browser(url: &str) {
    let opened = Command::new("xdg-open").arg(url).stdin(Stdio::null()).stdout(Stdio::null()).spawn();
    if let Err(error) = opened {
        terminal::complain(&format!("cannot open a browser ({error}); open {url}"));
    }
}
