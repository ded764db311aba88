//! `interlock serve`: the playground, from the first process to the last.

use std::ffi::OsString;
use std::fs;
use std::io::{self, BufReader, Write};
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;

use axum::serve::ListenerExt;
use clap::Args;
use tokio::net::TcpListener;
use tokio::runtime::Builder;
use tokio::signal::unix::{SignalKind, signal};
use tokio::task::spawn_blocking;
use uuid::Uuid;

use super::{COULD_NOT, OK, USAGE};
use interlock_model::example::{self, Example};
use interlock_model::network::LinkPatch;
use interlock_model::specification::{Draft, WorkloadDraft};
use interlock_orchestrator::api;
use interlock_orchestrator::run::{Hub, Limits, LoadError, Registry, RunSummary};
use interlock_orchestrator::supervisor::{Supervisor, SupervisorError, raise_descriptor_limit};

/// How to open the playground.
#[derive(Clone, Debug, Args)]
pub struct ServeOptions {
    /// Where to listen; only addresses of this machine itself are possible
    #[arg(long, default_value = "127.0.0.1", value_parser = loopback)]
    pub host: IpAddr,
    /// The port; 0 takes any that is free
    #[arg(long, default_value_t = 7700)]
    pub port: u16,
    /// Where the journals of the runs are kept [default: `~/.local/share/interlock`, or below `$XDG_DATA_HOME`]
    #[arg(long, value_name = "DIR")]
    pub data_dir: Option<PathBuf>,
    /// Write the base URL to this file once the playground is open
    #[arg(long, value_name = "FILE")]
    pub ready_file: Option<PathBuf>,
    /// Do not start a demonstration: five processes that fight for one lock
    #[arg(long)]
    pub no_demo: bool,
    /// Load the events of these runs, as `simulate --events` or the API wrote them; there is no demonstration then
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub load: Vec<PathBuf>,
    /// Start these examples (see `interlock examples`); there is no demonstration then
    #[arg(long, value_name = "NAME", num_args = 1.., value_parser = example::find)]
    pub example: Vec<Example>,
    /// Open the dashboard in the browser
    #[arg(long)]
    pub open: bool,
    /// The most that the journal of one run may grow to, in MiB [default: until the disk is full]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=1_048_576))]
    pub journal_limit: Option<u64>,
    /// The most runs that may be under way at a time
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub max_runs: u16,
}

/// Why the playground cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Nobody can listen there.
    #[error("nobody can listen on {0}: {1}")]
    Listen(SocketAddr, io::Error),
    /// The folder for the journals cannot be had.
    #[error("the data folder {0} cannot be used: {1}")]
    DataDirectory(PathBuf, io::Error),
    /// The ready file cannot be written.
    #[error("the ready file {0} cannot be written: {1}")]
    ReadyFile(PathBuf, io::Error),
    /// There is no home to keep the journals in.
    #[error("there is no home folder to keep the journals in: say where with --data-dir")]
    NoHome,
    /// Threads, sockets or signals cannot be had.
    #[error("the operating system refuses: {0}")]
    System(#[from] io::Error),
    /// Processes cannot be started.
    #[error(transparent)]
    Supervisor(#[from] SupervisorError),
}

/// An open playground.
pub struct Playground {
    registry: Arc<Registry>,
    listener: TcpListener,
    address: SocketAddr,
}

fn loopback(text: &str) -> Result<IpAddr, String> {
    let address = if text == "localhost" { "127.0.0.1" } else { text };
    match address.parse::<IpAddr>() {
        Ok(address) if address.is_loopback() => Ok(address),
        Ok(_) => Err("the playground opens only to this machine: 127.0.0.1, ::1 or localhost".to_owned()),
        Err(_) => Err("this is no address: 127.0.0.1, ::1 or localhost".to_owned()),
    }
}

/// Opens the playground and keeps it open until somebody ends it.
pub(super) fn run(options: &ServeOptions) -> ExitCode {
    let filter = tracing_subscriber::EnvFilter::try_from_default_env().unwrap_or_else(|_| "warn".into());
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr).init();
    let served = std::env::current_exe().map_err(ServeError::from).and_then(|program| {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(serve(options, program, vec!["node".into()]))
    });
    match served {
        Ok(()) => ExitCode::from(OK),
        Err(error @ ServeError::NoHome) => fail(&error, USAGE),
        Err(error) => fail(&error, COULD_NOT),
    }
}

fn fail(error: &ServeError, code: u8) -> ExitCode {
    eprintln!("interlock: {error}");
    ExitCode::from(code)
}

async fn serve(options: &ServeOptions, program: PathBuf, arguments: Vec<OsString>) -> Result<(), ServeError> {
    // Armed before anything is started, so that no signal finds the playground half open.
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let playground = Playground::open(options, program, arguments).await?;
    let url = playground.url();
    println!("Interlock is open at {url}/ (end it with Ctrl-C)");
    if options.open {
        open_browser(&url);
    }
    let registry = Arc::clone(&playground.registry);
    let demo = !options.no_demo && options.load.is_empty() && options.example.is_empty();
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
            }
        })
        .await
}

impl Playground {
    /// Opens a playground whose nodes are started as `program` with `arguments`.
    ///
    /// # Errors
    /// When a port, a folder or a thread cannot be had.
    pub async fn open(options: &ServeOptions, program: PathBuf, arguments: Vec<OsString>) -> Result<Self, ServeError> {
        let directory = data_directory(options)?;
        let wanted = SocketAddr::new(options.host, options.port);
        let listener = TcpListener::bind(wanted).await.map_err(|error| ServeError::Listen(wanted, error))?;
        let address = listener.local_addr()?;
        let descriptors = raise_descriptor_limit()?;
        let supervisor = Supervisor::start(program, arguments)?;
        let hub = Hub::start().await?;
        let limits = Limits {
            runs: usize::from(options.max_runs),
            nodes: descriptors.nodes(),
            journal_bytes: options.journal_limit.map(|limit| limit * 1024 * 1024),
        };
        let registry = Arc::new(Registry::new(directory, limits, supervisor, hub));
        Ok(Self { registry, listener, address })
    }

    /// Where it can be reached.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Keeps the playground open until `end` is over, then ends all runs and leaves no process behind.
    ///
    /// # Errors
    /// When requests can no longer be taken.
    pub async fn serve(self, end: impl Future<Output = ()> + Send + 'static) -> Result<(), ServeError> {
        let Self { registry, listener, address } = self;
        let router = api::router(Arc::clone(&registry), address.port());
        let listener = listener.tap_io(|stream| drop(stream.set_nodelay(true)));
        // Streams and long waits have no end of their own, so they are broken off when the processes are gone.
        tokio::select! {
            served = axum::serve(listener, router) => served?,
            () = end => registry.shutdown().await,
        }
        Ok(())
    }
}

/// What remains to be done once the playground is open.
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
                    // Who reads no further than the first line is no reason to end.
                    let _ = writeln!(io::stdout(), "{} is loaded: {}/#run={}", file.display(), self.url, run.id);
                }
                Err(reason) => eprintln!("interlock: {} cannot be loaded: {reason}", file.display()),
            }
        }
        for example in &self.examples {
            match start(&registry, example).await {
                Ok(id) => drop(writeln!(io::stdout(), "{} is running: {}/#run={id}", example.name, self.url)),
                Err(reason) => eprintln!("interlock: {} cannot be started: {reason}", example.name),
            }
        }
        if self.demo
            && let Err(error) = registry.create(demonstration()).await
        {
            eprintln!("interlock: the demonstration cannot be started: {error}");
        }
        if let Some(file) = &self.file
            && let Err(error) = write_whole(file, &format!("{}\n", self.url))
        {
            eprintln!("interlock: {}", ServeError::ReadyFile(file.clone(), error));
        }
    }
}

/// Starts an example, or says why it cannot be.
async fn start(registry: &Registry, example: &Example) -> Result<Uuid, String> {
    let draft = example.draft().map_err(|error| error.to_string())?;
    registry.create(draft).await.map(|run| run.id).map_err(|error| error.to_string())
}

/// Makes a run of the events in a file, or says why there is none.
async fn load(registry: Arc<Registry>, file: PathBuf) -> Result<RunSummary, String> {
    let loading = spawn_blocking(move || {
        let events = fs::File::open(file).map_err(LoadError::from)?;
        registry.load(BufReader::new(events))
    });
    loading.await.map_err(|error| error.to_string())?.map_err(|error| error.to_string())
}

/// Five processes that fight for one lock, slowly enough to be watched.
fn demonstration() -> Draft {
    Draft {
        name: Some("demonstration".to_owned()),
        algorithm: "ricart-agrawala".to_owned(),
        nodes: Some(5),
        network: LinkPatch { delay: "uniform:50..250".parse().ok(), ..LinkPatch::default() },
        workload: Some(WorkloadDraft {
            idle: "exp:3000".parse().ok(),
            hold: "const:800".parse().ok(),
            ..WorkloadDraft::default()
        }),
        ..Draft::default()
    }
}

/// Writes a file so that it appears whole: aside first, then renamed.
fn write_whole(file: &Path, text: &str) -> io::Result<()> {
    let mut aside = file.as_os_str().to_owned();
    aside.push(format!(".{}", std::process::id()));
    let aside = PathBuf::from(aside);
    fs::write(&aside, text)?;
    fs::rename(&aside, file)
}

fn data_directory(options: &ServeOptions) -> Result<PathBuf, ServeError> {
    let directory = directory_of(options.data_dir.as_ref()).ok_or(ServeError::NoHome)?;
    let refused = |error| ServeError::DataDirectory(directory.clone(), error);
    fs::create_dir_all(&directory).map_err(refused)?;
    directory.canonicalize().map_err(refused)
}

/// Where the journals are kept if this folder was asked for, or none was.
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
        eprintln!("interlock: no browser can be opened ({error}): go to {url}/");
    }
}
