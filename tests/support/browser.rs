//! Chromium and its driver: started for one test, and gone after it.

// Every program uses its own part of this.
#![allow(dead_code)]

use std::env;
use std::io::{BufRead, BufReader, ErrorKind};
use std::net::{Ipv4Addr, Ipv6Addr, TcpListener};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU16, Ordering};

use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::{Map, Value, json};
use tempfile::TempDir;

use crate::support::{PATIENCE_MS, leave_out};

/// What Debian, Ubuntu and the maker call it.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const DRIVERS: [&str; 2] = ["chromedriver", "chromium-driver"];

const OPTIONS: [&str; 14] = [
    "--headless=new",
    // Tests run as root in containers, where the sandbox cannot be had; the only pages opened are our own.
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
    "--force-prefers-reduced-motion=0",
    "--hide-scrollbars=0",
    // No name but this machine's leads anywhere.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
];

/// What the browser writes down while the page is open.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Notes {
    /// The console and every request.
    Everything,
    /// The console alone: a list of all requests costs as much as the requests.
    Console,
}

/// A browser with an empty profile.
pub struct Browser {
    /// Its `WebDriver` session.
    pub client: Client,
    notes: Notes,
    session: String,
    http: reqwest::Client,
    driver: Driver,
}

impl Browser {
    /// Opens one; none where it is not installed, which is then said.
    pub async fn open(notes: Notes) -> Option<Self> {
        let (browser, driver) = installed()?;
        let driver = Driver::start(&driver);
        let mut builder = ClientBuilder::new(HttpConnector::new());
        builder.capabilities(capabilities(&browser, driver.profile.path(), notes));
        let client = builder.connect(&driver.url).await.expect("the browser opens");
        let id = client.session_id().await.expect("a session").expect("its id");
        let session = format!("{}/session/{id}", driver.url);
        let http = reqwest::Client::builder().no_proxy().build().expect("a client");
        Some(Self { client, notes, session, http, driver })
    }

    /// What it has noted since the last time.
    pub async fn take_notes(&self) -> (Vec<Value>, Vec<Value>) {
        let console = self.log("browser").await;
        let network = if self.notes == Notes::Everything { self.log("performance").await } else { Vec::new() };
        (console, network)
    }

    async fn log(&self, kind: &str) -> Vec<Value> {
        let log = self.command("se/log", json!({ "type": kind })).await;
        log.as_array().unwrap_or_else(|| panic!("no log but {log}")).clone()
    }

    /// A command of Chromium's own protocol.
    pub async fn develop(&self, command: &str, parameters: Value) -> Value {
        self.command("goog/cdp/execute", json!({ "cmd": command, "params": parameters })).await
    }

    async fn command(&self, path: &str, body: Value) -> Value {
        let request = self.http.post(format!("{}/{path}", self.session)).json(&body);
        let mut answer: Value = request.send().await.expect("an answer").json().await.expect("JSON");
        answer["value"].take()
    }

    /// Ends it in good order.
    pub async fn close(self) {
        let Self { client, driver, .. } = self;
        client.close().await.expect("the browser closes");
        drop(driver);
    }

    /// The process group of everything that belongs to it.
    pub fn group(&self) -> u32 {
        self.driver.process.id()
    }
}

fn capabilities(browser: &Path, profile: &Path, notes: Notes) -> Map<String, Value> {
    let mut options: Vec<String> = OPTIONS.map(str::to_owned).into();
    options.push(format!("--user-data-dir={}", profile.display()));
    let mut wanted = json!({
        "goog:chromeOptions": { "binary": browser, "args": options },
        "goog:loggingPrefs": { "browser": "ALL" },
        // A script that waits gives up by itself, and says what was to be seen then.
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

/// The driver, and in its process group the browser, so that one signal ends both whatever became of the test.
struct Driver {
    url: String,
    process: Child,
    profile: TempDir,
}

impl Driver {
    fn start(program: &Path) -> Self {
        let profile = TempDir::new().expect("a folder");
        let mut command = Command::new(program);
        command.arg(format!("--port={}", free_port())).process_group(0).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut process = command.spawn().expect("the driver starts");
        let stdout = BufReader::new(process.stdout.take().expect("its output"));
        let port =
            stdout.lines().map_while(Result::ok).find_map(|line| port_in(&line)).expect("the port of the driver");
        Self { url: format!("http://127.0.0.1:{port}"), process, profile }
    }
}

/// A port that is free for both families of addresses, of which the driver takes both. Left to itself it takes any that
/// is free for one of them and fails where somebody has it in the other; from these ports nobody is given one by chance.
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
        // All may be gone already.
        if let Some(group) = i32::try_from(self.process.id()).ok().and_then(Pid::from_raw) {
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = self.process.wait();
    }
}

/// The browser and its driver, or none.
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
