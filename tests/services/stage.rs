//! A run with one service, whose link the test uses itself: it connects to the port that the node of the run has got.

// The benchmarks use only some items of this module.
#![allow(dead_code)]

use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::folder;
use crate::support::children;

/// Maximum wait for an event that must happen, even on a busy machine.
pub const PATIENCE: Duration = Duration::from_mins(1);

/// A run whose node 0 has a link to the server `lock`. It ends with the test.
pub struct Stage {
    run: Child,
    /// The address of the link.
    pub link: SocketAddr,
    folder: TempDir,
}

/// How a connection has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The other end has closed it.
    Closed,
    /// It was reset.
    Reset,
    /// It was open when the wait ended.
    Open,
}

impl Stage {
    /// Starts a run, and waits until its server is ready. `answers` is what the server answers, and `more` contains
    /// additional keys of the scenario.
    pub fn new(answers: &str, more: &Value) -> Self {
        let stage = Self::at_first(answers, more);
        stage.server_is_ready();
        stage
    }

    /// Waits until the server accepts connections at its own port.
    pub fn server_is_ready(&self) {
        let own = self.seek(|pid| {
            let words = fs::read_to_string(format!("/proc/{pid}/cmdline")).ok()?;
            words.split_once("tcp_server.py\0")?.1.split('\0').next()?.parse::<u16>().ok()
        });
        self.seek(|_| TcpStream::connect((Ipv4Addr::LOCALHOST, own)).ok());
    }

    /// Starts a run, and returns as soon as its link is known.
    pub fn at_first(answers: &str, more: &Value) -> Self {
        let own = TempDir::new().expect("a folder");
        let mut scenario = json!({
            "algorithm": "own",
            "services": [{ "name": "lock", "command": ["python3", folder().join("tcp_server.py"), "{port}", answers] }],
            "nodes": [{ "command": ["python3", folder().join("lock_node.py")], "count": 1 }],
            // Without a step, the run would end when nothing happens.
            "steps": [{ "sleep": "5m" }],
        });
        for (key, value) in more.as_object().expect("keys") {
            scenario[key] = value.clone();
        }
        let file = own.path().join("scenario.json");
        fs::write(&file, scenario.to_string()).expect("written");
        let output = fs::File::create(own.path().join("output")).expect("a file");
        let run = Command::new(env!("CARGO_BIN_EXE_interlock"))
            .arg("run")
            .arg(&file)
            .stdin(Stdio::null())
            .stdout(output.try_clone().expect("a second handle"))
            .stderr(output)
            .spawn()
            .expect("the program starts");
        let mut stage = Self { run, link: (Ipv4Addr::LOCALHOST, 0).into(), folder: own };
        stage.link = stage.seek(|pid| {
            let words = fs::read_to_string(format!("/proc/{pid}/environ")).ok()?;
            let services = words.split('\0').find_map(|word| word.strip_prefix("INTERLOCK_SERVICES="))?;
            let services: Value = serde_json::from_str(services).ok()?;
            services["lock"][0].as_str()?.parse().ok()
        });
        stage
    }

    /// Waits until `find` finds something about a process of the run. The processes are not children of this process,
    /// so it must poll the process table.
    fn seek<T>(&self, find: impl Fn(u32) -> Option<T>) -> T {
        let begin = Instant::now();
        loop {
            let mut processes = vec![self.run.id()];
            while let Some(pid) = processes.pop() {
                if let Some(found) = find(pid) {
                    return found;
                }
                processes.extend(children(pid));
            }
            let told = fs::read_to_string(self.folder.path().join("output")).unwrap_or_default();
            assert!(begin.elapsed() < PATIENCE, "not found in {PATIENCE:?}: {told}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Opens a connection through the link.
    pub fn connect(&self) -> Line {
        // The connection may be accepted before this thread runs again, so its age begins earlier.
        let opened = Instant::now();
        Line { opened, ..Line::new(TcpStream::connect(self.link).expect("connected")) }
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        // The test may have failed because the run has ended, so errors are ignored.
        let pid = i32::try_from(self.run.id()).ok().and_then(Pid::from_raw);
        let _ = pid.map(|pid| kill_process(pid, Signal::INT));
        let _ = self.run.wait();
    }
}

/// An open connection.
pub struct Line {
    socket: TcpStream,
    opened: Instant,
    /// Whether sending has reported a reset. The operating system reports it only once.
    is_reset: bool,
}

impl Line {
    pub fn new(socket: TcpStream) -> Self {
        socket.set_nodelay(true).expect("set");
        socket.set_read_timeout(Some(PATIENCE)).expect("set");
        Self { socket, opened: Instant::now(), is_reset: false }
    }

    /// Sends bytes. A broken connection is noticed by the next receipt.
    pub fn send(&mut self, bytes: &[u8]) {
        let sent = self.socket.write_all(bytes);
        self.is_reset |= sent.is_err_and(|error| error.kind() == ErrorKind::ConnectionReset);
    }

    /// Closes the direction to the server.
    pub fn finish(&self) {
        self.socket.shutdown(Shutdown::Write).expect("closed");
    }

    /// Time since the connection was opened.
    pub fn age(&self) -> Duration {
        self.opened.elapsed()
    }

    /// Receives until the connection ends, or until `most` bytes are there. Returns the bytes.
    pub fn receive(&mut self, most: usize) -> (Vec<u8>, End) {
        self.receive_within(most, PATIENCE)
    }

    /// Receives as [`Line::receive`] does, and ends the wait if nothing arrives for the time `patience`.
    pub fn receive_within(&mut self, most: usize, patience: Duration) -> (Vec<u8>, End) {
        self.socket.set_read_timeout(Some(patience)).expect("set");
        let (mut all, mut buffer) = (Vec::new(), [0; 16_384]);
        while all.len() < most {
            match self.socket.read(&mut buffer) {
                Ok(0) => return (all, if self.is_reset { End::Reset } else { End::Closed }),
                Ok(bytes) => all.extend_from_slice(&buffer[..bytes]),
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => break,
                Err(_) => return (all, End::Reset),
            }
        }
        (all, End::Open)
    }

    /// Sends as much as the connection accepts, at most `most` bytes, and ends when it accepts nothing for the time
    /// `patience`. Returns the number of bytes.
    pub fn fill(&mut self, most: usize, patience: Duration) -> usize {
        self.socket.set_write_timeout(Some(patience)).expect("set");
        let (mut sent, buffer) = (0, [0; 16_384]);
        while sent < most {
            match self.socket.write(&buffer) {
                Ok(bytes) => sent += bytes,
                Err(_) => break,
            }
        }
        sent
    }
}
