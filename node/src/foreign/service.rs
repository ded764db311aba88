//! A service of the run: a server that other programs use over TCP, such as a database. It communicates with its
//! node only by its start and its end. Its requests and answers pass through links of the run.
//!
//! The step of the first input ends when the service is ready. If the service does not become ready, or ends by
//! itself, the process of the node exits: a server that ends has crashed, and is not a program that violates a
//! protocol.

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::{Child, ExitStatus, Stdio};
use std::sync::mpsc::Receiver;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use interlock_algorithm::{NodeId, View};
use interlock_machine::visible::on_one_line;
use interlock_machine::wire::{ForeignProgram, Initialization, ServiceStart};
use rustix::process::getpid;

use super::dialogue::{Asked, Conversation};
use super::log::Log;
use super::program::{in_words, prepared};
use super::ready::{Unready, await_ready};
use super::said::Answer;
use crate::tree::end_below;

/// Exit code of the node if the service has no exit code other than 0.
const GONE: i32 = 3;
/// Maximum time from the end of a service until its last lines have arrived.
const LAST_LINES: Duration = Duration::from_secs(2);
/// Stack size of the thread that waits for the end of the service, in bytes.
const STACK: usize = 128 << 10;

/// Lock of the thread that ends this process. Only the first reason for the end is reported.
static ENDING: Mutex<()> = Mutex::new(());

/// A service, which is started at the first input.
pub struct Server {
    starter: Vec<OsString>,
    program: ForeignProgram,
    start: ServiceStart,
    me: NodeId,
    view: View,
}

/// The reason why the process of the node ends. The text completes a sentence that begins with the service.
#[derive(Debug, thiserror::Error)]
enum Lost {
    #[error("cannot be started: {0}")]
    Start(#[from] io::Error),
    #[error("was not ready within {0} ms: {1}")]
    Unready(u64, #[source] Unready),
    #[error("{}", in_words(*.0))]
    Ended(ExitStatus),
}

impl Lost {
    fn exit_code(&self) -> i32 {
        match self {
            Self::Ended(status) => status.code().filter(|code| *code != 0).unwrap_or(GONE),
            Self::Start(_) | Self::Unready(..) => GONE,
        }
    }
}

impl Server {
    /// Creates the service that an initialization names; `None` if the initialization names no service. `starter`
    /// is put before the command of the service.
    pub fn of(initialization: &Initialization, starter: &[OsString]) -> Option<Self> {
        let program = initialization.program.clone()?;
        let start = program.service.clone()?;
        Some(Self { starter: starter.to_vec(), program, start, me: initialization.node, view: View::default() })
    }

    /// Starts the service, and waits until it is ready. If that fails, ends this process.
    fn begin(&self) {
        let log = Log::default();
        if let Err(lost) = self.try_begin(&log) {
            self.named().end(&log, &lost);
        }
    }

    fn try_begin(&self, log: &Log) -> Result<(), Lost> {
        let name = self.named();
        // One pipe for both streams keeps the order of their lines.
        let (output, written) = io::pipe()?;
        let mut command = prepared(&self.program, &self.starter)?;
        command.stdin(Stdio::null()).stdout(written.try_clone()?).stderr(written);
        let child = command.spawn()?;
        // The log ends when the last writer of the pipe is closed, and the command still has two.
        drop(command);
        let end = log.follow(output, name.node.clone())?;
        let log = log.clone();
        let wait = move || name.await_end(child, &log, &end);
        thread::Builder::new().name("end-of-the-service".to_owned()).stack_size(STACK).spawn(wait)?;
        let starting = |words: &[String]| {
            let program = ForeignProgram { command: words.to_vec(), ..self.program.clone() };
            prepared(&program, &self.starter)
        };
        await_ready(&self.start, starting).map_err(|why| Lost::Unready(self.start.within_ms, why))
    }

    fn named(&self) -> Named {
        Named { node: format!("P{}", self.me.0), command: self.program.command.join(" ") }
    }
}

/// The names of a service in sentences.
struct Named {
    node: String,
    command: String,
}

impl Named {
    /// Waits until the service ends, and then ends this process. A server may close its output while it runs, so its
    /// process is awaited.
    fn await_end(&self, mut child: Child, log: &Log, end_of_log: &Receiver<()>) {
        let lost = child.wait().map_or_else(Lost::Start, Lost::Ended);
        let _ = end_of_log.recv_timeout(LAST_LINES);
        self.end(log, &lost);
    }

    /// Reports why the service is lost, and ends this process with all processes below it.
    fn end(&self, log: &Log, lost: &Lost) -> ! {
        let _ending = ENDING.lock().unwrap_or_else(PoisonError::into_inner);
        let Self { node, command } = self;
        let lines = log.last_lines();
        let lines = if lines.is_empty() { String::new() } else { format!("; last lines: {}", lines.join(" ⏎ ")) };
        let told = format!("interlock node: {node}, `{command}`, {lost}{lines}");
        // If standard error is closed, the reason cannot be reported anywhere.
        let _ = writeln!(io::stderr(), "{}", on_one_line(&told));
        end_below(getpid());
        std::process::exit(lost.exit_code());
    }
}

impl Conversation for Server {
    fn ask(&mut self, asked: &Asked) -> Answer {
        if matches!(asked, Asked::Start {} | Asked::Restart { .. }) {
            self.begin();
        }
        Answer::default()
    }

    /// A service that fails ends the process of the node, and thus never the run.
    fn failure(&self) -> Option<&str> {
        None
    }

    fn view(&self) -> &View {
        &self.view
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::{BufRead, BufReader};
    use std::path::Path;
    use std::process::{Command, Output};

    use interlock_machine::Steps;
    use interlock_machine::test_support::initialization;
    use interlock_machine::wire::{OwnFolder, Ready};
    use tempfile::TempDir;

    use super::*;
    use crate::foreign::foreign_node;

    /// File that the services of the tests have in their folder while they are ready.
    const OPEN: &str = "open";
    /// End of a script: it waits until the test deletes the file.
    const WAIT: &str = "while test -e open; do sleep 0.01; done";

    /// This is not a test. The tests below start this function as the process of a node.
    #[test]
    #[ignore = "it is started by other tests"]
    fn node_of_a_service() {
        let mut line = String::new();
        io::stdin().read_line(&mut line).expect("a line");
        let initialization: Initialization = serde_json::from_str(&line).expect("an initialization");
        let mut node = foreign_node(&initialization, Vec::new()).expect("a node");
        let mut steps = Steps::default();
        for input in [r#"{"start":{}}"#, r#"{"command":{"id":1,"acquire":{"lock":0,"hold_us":null}}}"#] {
            node.take(input, 0, &mut steps);
        }
        assert_eq!(node.failure(), None);
        println!("\nready {}", String::from_utf8_lossy(&steps.report(1, 1, &*node)));
        io::copy(&mut io::stdin().lock(), &mut io::sink()).expect("the end of the input");
        // The end of the service would otherwise end this process first, with another exit code.
        let _ending = ENDING.lock();
        end_below(getpid());
    }

    /// A process that plays the node of a service.
    struct Node {
        folder: TempDir,
        child: Child,
    }

    impl Node {
        /// Starts the node of a service that a shell executes in its own folder. The service is ready when it has
        /// created a file there.
        fn of(script: &str, within_ms: u64) -> Self {
            let folder = TempDir::new().expect("a folder");
            let ready = Ready::Command(["test", "-e", OPEN].map(ToOwned::to_owned).to_vec());
            let program = ForeignProgram {
                command: ["sh", "-c", script].map(ToOwned::to_owned).to_vec(),
                folder: "/".into(),
                path: std::env::var("PATH").expect("a path"),
                own_folder: Some(OwnFolder { path: folder.path().to_owned(), keeps: true }),
                service: Some(ServiceStart { ready, within_ms }),
                ..ForeignProgram::default()
            };
            let initialization = Initialization { program: Some(program), ..initialization("own", 3) };
            let mut child = Command::new(std::env::current_exe().expect("this program"))
                .args(["--exact", "foreign::service::tests::node_of_a_service", "--ignored", "--nocapture"])
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .expect("a process");
            let line = serde_json::to_string(&initialization).expect("JSON");
            writeln!(child.stdin.as_mut().expect("an input"), "{line}").expect("written");
            Self { folder, child }
        }

        /// Waits until the node reports its steps, and returns the report.
        fn report(&mut self) -> String {
            let said = BufReader::new(self.child.stdout.as_mut().expect("an output"));
            let mut lines = said.lines().map_while(Result::ok);
            lines.find_map(|line| line.strip_prefix("ready ").map(ToOwned::to_owned)).expect("a report")
        }

        fn close(&self) {
            fs::remove_file(self.folder.path().join(OPEN)).expect("it was there");
        }

        /// Waits until the node ends by itself. Returns its exit code and its standard error.
        fn end(mut self) -> (Option<i32>, String) {
            let lifeline = self.child.stdin.take();
            let Output { status, stderr, .. } = self.child.wait_with_output().expect("it ends");
            drop(lifeline);
            (status.code(), String::from_utf8_lossy(&stderr).into_owned())
        }
    }

    #[test]
    fn the_first_step_ends_when_the_service_is_ready_and_later_inputs_have_no_effects() {
        let mut node = Node::of(&format!("sleep 0.1; echo listening; touch {OPEN}; {WAIT}"), 60_000);
        let report = node.report();
        assert!(Path::exists(&node.folder.path().join(OPEN)), "the service has been ready since");
        let report: serde_json::Value = serde_json::from_str(&report).expect("a report");
        let steps = report["steps"].as_array().expect("steps");
        let is_without_effects = |step: &serde_json::Value| step.get("effects").is_none();
        assert!(steps.len() == 2 && steps.iter().all(is_without_effects), "{report}");
        let mut errors = BufReader::new(node.child.stderr.take().expect("an error stream"));
        let mut line = String::new();
        errors.read_line(&mut line).expect("a line");
        assert_eq!(line, "P1: listening\n");
        let Output { status, .. } = node.child.wait_with_output().expect("it ends with its input");
        assert!(status.success(), "{status}");
    }

    #[test]
    fn a_service_that_is_not_ready_in_time_ends_its_node() {
        let (code, told) = Node::of("echo almost; exec sleep 60", 300).end();
        let expected = "interlock node: P1, `sh -c echo almost; exec sleep 60`, was not ready within 300 ms: `test -e \
                        open` ended with exit code 1; last lines: almost\n";
        assert_eq!((code, told.contains(expected)), (Some(GONE), true), "{told}");
    }

    #[test]
    fn a_service_that_ends_before_it_is_ready_ends_its_node() {
        let (code, told) = Node::of("echo 'no memory' >&2; exit 7", 60_000).end();
        assert_eq!(code, Some(7), "{told}");
        assert!(told.contains("ended with exit code 7; last lines: no memory\n"), "{told}");
        assert_eq!(told.matches("interlock node:").count(), 1, "{told}");
    }

    #[test]
    fn a_service_that_ends_later_ends_its_node_even_without_an_error() {
        let mut node = Node::of(&format!("touch {OPEN}; {WAIT}; echo bye"), 60_000);
        node.report();
        node.close();
        let (code, told) = node.end();
        assert_eq!(code, Some(GONE), "{told}");
        assert!(told.contains("ended with exit code 0; last lines: bye\n"), "{told}");
    }

    #[test]
    fn a_service_that_closes_its_output_has_not_ended() {
        let mut node = Node::of(&format!("exec >&- 2>&-; touch {OPEN}; {WAIT}; exit 5"), 60_000);
        node.report();
        node.close();
        assert_eq!(node.end().0, Some(5));
    }

    #[test]
    fn a_service_that_cannot_be_started_ends_its_node() {
        let (code, told) = Node::of("no-such-server", 60_000).end();
        assert_eq!((code, told.contains("no-such-server")), (Some(127), true), "{told}");
    }
}
