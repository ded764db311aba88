//! Chromium and its driver. After each test, the browser's data is deleted, and the next test uses the same
//! browser. After the last test, all browsers are closed.

// Each test program uses only some items of this module, so each has unused items.
#![allow(dead_code)]

use std::env;
use std::io::{BufRead, BufReader, ErrorKind};
use std::net::{Ipv4Addr, Ipv6Addr, TcpListener};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use fantoccini::error::CmdError;
use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Map, Value, json};
use tempfile::TempDir;
use tokio::runtime::{Builder, Runtime};

use crate::support::{PATIENCE_MS, leave_out};

/// Names of the browser's program: first the names in Debian and Ubuntu, then the names that its vendor uses.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const DRIVERS: [&str; 2] = ["chromedriver", "chromium-driver"];

const OPTIONS: [&str; 12] = [
    "--headless=new",
    // In containers, the tests run as root, and the sandbox does not work for root. Without the sandbox there is
    // no risk, because the browser opens only pages of this project.
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-breakpad",
    "--disable-component-update",
    "--disable-sync",
    "--lang=en-US",
    // The browser can resolve only names of this machine.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
];

/// Kinds of records that the browser keeps while a page is open.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Notes {
    /// The console, and every request of the page.
    Everything,
    /// Only the console. A record of every request would cost as much time as the requests themselves.
    Console,
}

/// Browsers that no test uses now. Starting a browser takes longer than most tests, so later tests use these
/// browsers again.
static IDLE: Mutex<Vec<Browser>> = Mutex::new(Vec::new());

/// Returns the runtime for all connections to browsers. This runtime is not that of a test, because a connection
/// would end together with the runtime of its test.
fn runtime() -> &'static Runtime {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    RUNTIME.get_or_init(|| Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a runtime"))
}

/// A browser that has no open page and no stored data.
pub struct Browser {
    /// `WebDriver` session of the browser.
    pub client: Client,
    notes: Notes,
    session: String,
    http: reqwest::Client,
    driver: Driver,
}

impl Browser {
    /// Opens a browser. If no browser is installed, reports that the test is left out, and returns none.
    pub async fn open(notes: Notes) -> Option<Self> {
        let waiting = {
            let mut idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner);
            let place = idle.iter().position(|one| one.notes == notes);
            place.map(|place| idle.swap_remove(place))
        };
        match waiting {
            // The open connections of the HTTP client depend on the runtime of the previous test, so this test
            // needs a new client.
            Some(browser) => Some(Self { http: http(), ..browser }),
            None => Self::start(notes).await,
        }
    }

    async fn start(notes: Notes) -> Option<Self> {
        let (browser, driver) = installed()?;
        let driver = Driver::start(&driver);
        let mut builder = ClientBuilder::new(HttpConnector::new());
        builder.capabilities(capabilities(&browser, &driver.profile(), notes));
        let url = driver.url.clone();
        let connected = runtime().spawn(async move { builder.connect(&url).await });
        let client = connected.await.expect("it is not given up").expect("the browser opens");
        let id = client.session_id().await.expect("a session").expect("its id");
        let session = format!("{}/session/{id}", driver.url);
        Some(Self { client, notes, session, http: http(), driver })
    }

    /// Returns the records that the browser has made since the last call: those of the console, and those of the
    /// requests. If the browser records only the console, the second list is empty.
    pub async fn take_notes(&self) -> (Vec<Value>, Vec<Value>) {
        let console = self.log("browser").await;
        let network = if self.notes == Notes::Everything { self.log("performance").await } else { Vec::new() };
        (console, network)
    }

    async fn log(&self, kind: &str) -> Vec<Value> {
        let log = self.command("se/log", json!({ "type": kind })).await;
        log.as_array().unwrap_or_else(|| panic!("no log but {log}")).clone()
    }

    /// Sends a command of Chromium's own protocol, and returns its result.
    pub async fn develop(&self, command: &str, parameters: Value) -> Value {
        self.command("goog/cdp/execute", json!({ "cmd": command, "params": parameters })).await
    }

    async fn command(&self, path: &str, body: Value) -> Value {
        let request = self.http.post(format!("{}/{path}", self.session)).json(&body);
        let mut answer: Value = request.send().await.expect("an answer").json().await.expect("JSON");
        answer["value"].take()
    }

    /// Empties the browser, and keeps it for the next test.
    pub async fn close(self) {
        self.empty().await.expect("the browser is emptied");
        IDLE.lock().unwrap_or_else(PoisonError::into_inner).push(self);
    }

    /// Closes all windows, and deletes all stored data. The browser then has one empty page without history.
    pub async fn empty(&self) -> Result<(), CmdError> {
        self.develop("Storage.clearDataForOrigin", json!({ "origin": "*", "storageTypes": "all" })).await;
        let new = self.client.new_window(true).await?.handle;
        for old in self.client.windows().await? {
            if old != new {
                self.client.switch_to_window(old).await?;
                self.client.close_window().await?;
            }
        }
        self.client.switch_to_window(new).await?;
        self.take_notes().await;
        Ok(())
    }

    /// Returns the process group of the driver and the browser.
    pub fn group(&self) -> u32 {
        self.driver.group
    }

    /// Returns the folder with all files of the browser.
    pub fn folder(&self) -> &Path {
        &self.driver.folder
    }
}

fn http() -> reqwest::Client {
    reqwest::Client::builder().no_proxy().build().expect("a client")
}

fn capabilities(browser: &Path, profile: &Path, notes: Notes) -> Map<String, Value> {
    let mut options: Vec<String> = OPTIONS.map(str::to_owned).into();
    options.push(format!("--user-data-dir={}", profile.display()));
    let mut wanted = json!({
        "goog:chromeOptions": { "binary": browser, "args": options },
        "goog:loggingPrefs": { "browser": "ALL" },
        // A waiting script must give up before this limit, so that the script can report what it has observed.
        "timeouts": { "script": 2 * PATIENCE_MS },
    });
    if notes == Notes::Everything {
        wanted["goog:loggingPrefs"]["performance"] = json!("ALL");
        wanted["goog:chromeOptions"]["perfLoggingPrefs"] = json!({ "enableNetwork": true, "enablePage": false });
    }
    match wanted {
        Value::Object(wanted) => wanted,
        _ => Map::new(),
    }
}

/// Shell script of the watchdog. The script starts the driver, and prints the id of the driver's process group.
/// The script then waits until its own input is closed, which happens in any case when the tests end. Finally, it
/// kills the process group of the driver and the browser, and removes their folder.
const WATCH: &str = r#"set -m
"$@" < /dev/null &
echo $!
read -r
exec 2> /dev/null
kill -KILL -- -$!
wait
rm -rf "$TMPDIR""#;

/// The driver, and the watchdog that started it.
struct Driver {
    url: String,
    group: u32,
    watch: Child,
    folder: PathBuf,
}

impl Driver {
    fn start(program: &Path) -> Self {
        let folder = TempDir::new().expect("a folder").keep();
        let mut command = Command::new("bash");
        command.args(["-c", WATCH, "watch"]).arg(program).arg(format!("--port={}", free_port())).env("TMPDIR", &folder);
        // The watchdog has a separate process group, so that Ctrl-C reaches only the tests. When the tests end, its
        // input is closed, and this ends the watchdog.
        let mut watch =
            command.process_group(0).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the driver starts");
        let mut lines = BufReader::new(watch.stdout.take().expect("its output")).lines().map_while(Result::ok);
        let group = lines.next().and_then(|line| line.parse().ok()).expect("the group of the driver");
        let port = lines.find_map(|line| port_in(&line)).expect("the port of the driver");
        Self { url: format!("http://127.0.0.1:{port}"), group, watch, folder }
    }

    fn profile(&self) -> PathBuf {
        self.folder.join("profile")
    }
}

/// Returns a port that is free in both address families, because the driver uses both. If the driver itself chose
/// a port, that port would only be free in one family. The driver would then fail if the port is in use in the
/// other family. The returned port is below the range from which the system assigns ports.
fn free_port() -> u16 {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    let own = u16::try_from(std::process::id() % 100).unwrap_or(0) * 100;
    let is_taken = |bound: std::io::Result<TcpListener>| bound.is_err_and(|error| error.kind() == ErrorKind::AddrInUse);
    loop {
        let port = 20_000 + own + NEXT.fetch_add(1, Ordering::Relaxed);
        let four = is_taken(TcpListener::bind((Ipv4Addr::LOCALHOST, port)));
        let six = is_taken(TcpListener::bind((Ipv6Addr::LOCALHOST, port)));
        if !four && !six {
            return port;
        }
    }
}

fn port_in(line: &str) -> Option<u16> {
    line.split_once("started successfully on port ")?.1.trim_end_matches('.').parse().ok()
}

impl Drop for Driver {
    fn drop(&mut self) {
        // `wait` first closes the input of the watchdog, and this ends the watchdog.
        let _ = self.watch.wait();
    }
}

/// Returns the programs of the browser and of its driver; none if they are not installed.
fn installed() -> Option<(PathBuf, PathBuf)> {
    let found = (on_the_path(&BROWSERS), on_the_path(&DRIVERS));
    if let (Some(browser), Some(driver)) = found {
        return Some((browser, driver));
    }
    leave_out("browser", "chromium and chromedriver, which are not installed");
    None
}

fn on_the_path(names: &[&str]) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let folders: Vec<PathBuf> = env::split_paths(&path).collect();
    let mut places = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    places.find(|place| place.is_file())
}
