//! Tests whether a service is ready: whether it answers. An open port alone is too early for many servers.
//!
//! A test is repeated until the service passes it. The pauses between the attempts grow, because the system reports
//! no event when another program opens a port or begins to answer.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use hyper::StatusCode;
use hyper::http::uri::InvalidUri;
use interlock_machine::wire::{Ready, ServiceStart};
use rustix::process::Pid;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};

use super::breach::quoted;
use super::program::in_words;
use crate::process::{HttpError, get};
use crate::tree::end_below;

/// Pause after the first attempt. The pause doubles with each further attempt.
const SHORTEST_PAUSE: Duration = Duration::from_millis(2);
/// Maximum pause between two attempts.
const LONGEST_PAUSE: Duration = Duration::from_millis(50);
/// Maximum time of an attempt over a connection.
const PATIENCE: Duration = Duration::from_secs(1);
/// Maximum time of an attempt with a command. Some commands start a virtual machine first.
const PATIENCE_WITH_COMMANDS: Duration = Duration::from_secs(10);
/// Maximum length of an answer, in bytes.
const LONGEST_ANSWER: usize = 64 << 10;
/// Stack size of the thread that tests a service, in bytes.
const STACK: usize = 512 << 10;

/// The reason why a service did not pass its test. The text continues a sentence.
#[derive(Debug, thiserror::Error)]
pub enum Unready {
    #[error("port {0}: {1}")]
    Connect(u16, #[source] io::Error),
    #[error("port {0} is closed")]
    Closed(u16),
    #[error("no answer within {0} ms")]
    TooSlow(u128),
    #[error("the answer lacks `{expected}`: `{answer}`")]
    Answer { expected: String, answer: String },
    #[error("the answer has the status {0}")]
    Status(StatusCode),
    #[error(transparent)]
    Http(#[from] HttpError),
    #[error("cannot request `{0}`: {1}")]
    Path(String, #[source] InvalidUri),
    #[error("`{0}` {1}")]
    Command(String, String),
    #[error("`{0}` cannot be started: {1}")]
    Start(String, #[source] io::Error),
    #[error("operating system error: {0}")]
    System(#[from] io::Error),
}

/// Waits until a service is ready. `starting` returns the command that starts the words of a test.
///
/// # Errors
/// The reason why the service did not pass the last attempt, if it is not ready in time.
pub fn await_ready(
    start: &ServiceStart,
    starting: impl Fn(&[String]) -> io::Result<Command> + Sync,
) -> Result<(), Unready> {
    // The runtime of the node does not allow another one on its thread.
    let wait = || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(repeat(start, &starting))
    };
    thread::scope(|scope| {
        let test = thread::Builder::new().name("ready".to_owned()).stack_size(STACK).spawn_scoped(scope, wait)?;
        test.join().unwrap_or_else(|_| Err(io::Error::other("the test panicked").into()))
    })
}

async fn repeat(
    ServiceStart { ready, within_ms }: &ServiceStart,
    starting: &impl Fn(&[String]) -> io::Result<Command>,
) -> Result<(), Unready> {
    let most = if matches!(ready, Ready::Command(_)) { PATIENCE_WITH_COMMANDS } else { PATIENCE };
    let (mut left, mut pause) = (Duration::from_millis(*within_ms), SHORTEST_PAUSE);
    let mut earlier = None;
    loop {
        let (began, patience) = (Instant::now(), most.min(left));
        let why = match (attempt(ready, starting, patience).await, earlier.take()) {
            (Ok(()), _) => return Ok(()),
            // The time that is left may be too short for an attempt. Then an earlier attempt gives the reason.
            (Err(Unready::TooSlow(_)), Some(earlier)) if patience < most => earlier,
            (Err(why), _) => why,
        };
        sleep(pause.min(left)).await;
        // If this process is paused, the service loses at most the time of one attempt.
        left = left.saturating_sub(began.elapsed().min(patience + pause));
        if left.is_zero() {
            return Err(why);
        }
        earlier = Some(why);
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

async fn attempt(
    ready: &Ready,
    starting: &impl Fn(&[String]) -> io::Result<Command>,
    patience: Duration,
) -> Result<(), Unready> {
    let connected = async {
        match ready {
            Ready::Tcp(port) => connect(*port).await.map(drop),
            Ready::Http { port, path, answer } => http(*port, path, answer).await,
            Ready::Bytes { port, send, answer } => bytes(*port, send, answer).await,
            Ready::Command(words) => return command(words, starting, patience).await,
        }
    };
    // A command has its own time limit, because it must be ended.
    let most = if matches!(ready, Ready::Command(_)) { Duration::MAX } else { patience };
    timeout(most, connected).await.unwrap_or(Err(Unready::TooSlow(patience.as_millis())))
}

async fn connect(port: u16) -> Result<TcpStream, Unready> {
    let stream = TcpStream::connect(address(port)).await.map_err(|error| Unready::Connect(port, error))?;
    // While nobody listens at a port, the system may choose this port as the client's own. Such a connection leads
    // to itself.
    if stream.local_addr()? == address(port) {
        return Err(Unready::Closed(port));
    }
    Ok(stream)
}

async fn http(port: u16, path: &str, expected: &str) -> Result<(), Unready> {
    let uri = path.parse().map_err(|error| Unready::Path(path.to_owned(), error))?;
    let (status, body) = get(address(port), uri, LONGEST_ANSWER).await?;
    if status != StatusCode::OK {
        return Err(Unready::Status(status));
    }
    check(&body, expected)
}

async fn bytes(port: u16, send: &str, expected: &str) -> Result<(), Unready> {
    let mut stream = connect(port).await?;
    stream.write_all(send.as_bytes()).await?;
    let mut answer = Vec::new();
    loop {
        let checked = check(&answer, expected);
        let is_over = checked.is_ok() || answer.len() >= LONGEST_ANSWER || stream.read_buf(&mut answer).await? == 0;
        if is_over {
            return checked;
        }
    }
}

fn check(answer: &[u8], expected: &str) -> Result<(), Unready> {
    let answer = String::from_utf8_lossy(answer);
    if answer.contains(expected) {
        return Ok(());
    }
    Err(Unready::Answer { expected: expected.to_owned(), answer: quoted(&answer) })
}

/// Starts a command, and waits until it ends with exit code 0. If it does not end in time, all its processes are
/// ended.
async fn command(
    words: &[String],
    starting: &impl Fn(&[String]) -> io::Result<Command>,
    patience: Duration,
) -> Result<(), Unready> {
    let named = || words.join(" ");
    let start = || {
        let mut command = starting(words)?;
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        tokio::process::Command::from(command).kill_on_drop(true).spawn()
    };
    let mut child = start().map_err(|error| Unready::Start(named(), error))?;
    let Ok(status) = timeout(patience, child.wait()).await else {
        let pid = child.id().and_then(|pid| i32::try_from(pid).ok()).and_then(Pid::from_raw);
        pid.into_iter().for_each(end_below);
        child.kill().await?;
        return Err(Unready::TooSlow(patience.as_millis()));
    };
    let status = status?;
    if status.success() { Ok(()) } else { Err(Unready::Command(named(), in_words(status))) }
}

fn address(port: u16) -> SocketAddr {
    (Ipv4Addr::LOCALHOST, port).into()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::{Read, Write};
    use std::net::TcpListener;
    use std::path::Path;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use tempfile::TempDir;

    use super::*;

    /// Maximum time for a service that becomes ready.
    const LONG_MS: u64 = 60_000;
    /// Time for a service that does not become ready.
    const SHORT_MS: u64 = 200;

    fn started(words: &[String]) -> Command {
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]);
        command
    }

    fn wait(ready: Ready, within_ms: u64) -> Result<(), String> {
        await_ready(&ServiceStart { ready, within_ms }, |words| Ok(started(words))).map_err(|why| why.to_string())
    }

    /// Starts a server that answers connection number `n`, from 0, with `answer(n)`. Returns its port, and the number
    /// of connections.
    fn server(answer: impl Fn(usize) -> Vec<u8> + Send + 'static) -> (u16, Arc<AtomicUsize>) {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let count = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&count);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let answer = answer(counted.fetch_add(1, Ordering::Relaxed));
                thread::spawn(move || {
                    let mut stream = stream;
                    // A client that only connects sends nothing, and may close the connection at any time.
                    let _ = stream.read(&mut [0; 1024]).and_then(|_| stream.write_all(&answer));
                    let _ = stream.read(&mut [0]);
                });
            }
        });
        (port, count)
    }

    fn closed() -> u16 {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        listener.local_addr().expect("an address").port()
    }

    fn assert_unready(ready: &Ready, part: &str) {
        let told = wait(ready.clone(), SHORT_MS).expect_err("it is not ready");
        assert!(told.contains(part), "{ready:?}: {told}");
    }

    #[test]
    fn an_open_port_is_ready_and_a_closed_one_is_not() {
        assert_eq!(wait(Ready::Tcp(server(|_| Vec::new()).0), LONG_MS), Ok(()));
        assert_unready(&Ready::Tcp(closed()), "refused");
    }

    #[test]
    fn an_answer_over_http_has_the_right_status_and_text() {
        let ready = |answer: &'static str| {
            let (port, _) = server(|_| answer.as_bytes().to_vec());
            Ready::Http { port, path: "/health".to_owned(), answer: "true".to_owned() }
        };
        assert_eq!(wait(ready("HTTP/1.1 200 OK\r\ncontent-length: 15\r\n\r\n{\"health\":true}"), LONG_MS), Ok(()));
        for (answer, part) in [
            ("HTTP/1.1 200 OK\r\ncontent-length: 16\r\n\r\n{\"health\":false}", "the answer lacks `true`: `{\"hea"),
            ("HTTP/1.1 503 Service Unavailable\r\ncontent-length: 4\r\n\r\ntrue", "status 503"),
            ("HTTP/1.1 200 OK\r\ncontent-length: 70000\r\n\r\ntrue", "larger than 65536 bytes"),
            ("true\r\n", "cannot read the answer"),
        ] {
            assert_unready(&ready(answer), part);
        }
        let Ready::Http { port, answer, .. } = ready("") else { return };
        assert_unready(&Ready::Http { port, answer, path: "no path".to_owned() }, "cannot request `no path`");
    }

    #[test]
    fn bytes_are_answered_with_the_right_text() {
        let ready = |answer: Vec<u8>| {
            let (port, _) = server(move |_| answer.clone());
            Ready::Bytes { port, send: "PING\r\n".to_owned(), answer: "+PONG".to_owned() }
        };
        assert_eq!(wait(ready(b"+PONG\r\n".to_vec()), LONG_MS), Ok(()));
        let late = [vec![b'x'; 2 * LONGEST_ANSWER], b"+PONG\r\n".to_vec()].concat();
        for (answer, part) in [(Vec::new(), "no answer within"), (late, "lacks `+PONG`: `xxx")] {
            assert_unready(&ready(answer), part);
        }
        // The server answers, and leaves the connection open.
        assert_unready(&ready(b"-LOADING\r\n".to_vec()), "no answer within");
    }

    #[test]
    fn a_test_is_repeated_until_it_is_passed() {
        let (port, count) = server(|number| {
            if number < 3 {
                b"HTTP/1.1 503 No\r\n\r\n".to_vec()
            } else {
                b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n".to_vec()
            }
        });
        let ready = Ready::Http { port, path: "/".to_owned(), answer: String::new() };
        assert_eq!(wait(ready, LONG_MS), Ok(()));
        assert_eq!(count.load(Ordering::Relaxed), 4);
    }

    #[test]
    fn a_command_ends_with_exit_code_0() {
        let ready = |words: &[&str]| Ready::Command(words.iter().map(ToString::to_string).collect());
        assert_eq!(wait(ready(&["true"]), LONG_MS), Ok(()));
        assert_unready(&ready(&["sh", "-c", "exit 4"]), "`sh -c exit 4` ended with exit code 4");
        assert_unready(&ready(&["no-such-program"]), "`no-such-program` cannot be started");
    }

    #[test]
    fn a_command_that_does_not_end_is_ended_with_its_processes() {
        let folder = TempDir::new().expect("a folder");
        let pids = folder.path().join("pids");
        let script = format!("sleep 60 & echo $$ $! > {}; wait", pids.display());
        let ready = Ready::Command(["sh", "-c", &script].map(ToOwned::to_owned).to_vec());
        let told = wait(ready, 1_000).expect_err("it is not ready");
        assert!(told.contains("no answer within"), "{told}");
        let pids = fs::read_to_string(pids).expect("written");
        let is_live =
            |pid: &str| fs::read(Path::new("/proc").join(pid).join("cmdline")).is_ok_and(|line| !line.is_empty());
        assert!(!pids.split_whitespace().any(is_live), "{pids}");
    }
}
