//! The process of a program. This module writes lines to it, and reads lines from it with a time limit.

use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::thread;
use std::time::Duration;

use interlock_machine::Wake;
use interlock_machine::wire::ForeignProgram;
use rustix::process::Pid;

use super::log::Log;
use crate::tree::end_below;

/// Maximum length of a line to a program, in bytes. A line of this length fits into a pipe, so writing does not
/// block.
pub const LONGEST_TOLD: usize = 60_000;
/// Maximum length of a line from a program, in bytes.
const LONGEST_SAID: u64 = 1 << 20;
/// Environment variable with the addresses of the services that the program may use, as JSON.
const SERVICES: &str = "INTERLOCK_SERVICES";
/// Length of the intervals into which a wait for the program is divided. If this process is paused while it waits,
/// the program loses at most one interval of its time limit.
const SLICE: Duration = Duration::from_millis(100);
/// Maximum time to wait for the end of a program and for its last lines, in slices. On a busy machine, the end of a
/// program can take a second.
const LAST_WORDS: u32 = 20;
/// Stack size of a thread that copies lines, in bytes.
const STACK: usize = 128 << 10;

/// The process of a program, which communicates in lines.
pub struct Program {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Line>,
    errors: Log,
    /// Channel that gets a message when the program has closed its standard error.
    errors_ended: Receiver<()>,
}

/// A line from the program.
enum Line {
    Whole(String),
    TooLong,
    NoText,
}

impl Line {
    fn text(self) -> Result<String, NoLine> {
        match self {
            Self::Whole(line) => Ok(line),
            Self::TooLong => Err(NoLine::TooLong),
            Self::NoText => Err(NoLine::NoText),
        }
    }
}

/// The reason why there is no line.
#[derive(Debug, PartialEq, Eq)]
pub enum NoLine {
    /// No line has arrived within the time limit.
    TooSlow,
    /// The program has ended, or has closed its output.
    Ended(String),
    /// The line is longer than the maximum.
    TooLong,
    /// The line is not valid UTF-8.
    NoText,
}

impl Program {
    /// Starts the program; `starter` is put before the program's command. Each line of its standard error is passed
    /// on to the standard error of this process, with `name` before it. At most `most_waiting` lines of the program
    /// wait to be read. `wake` is called after each line.
    pub fn start(
        program: &ForeignProgram,
        starter: &[OsString],
        name: String,
        most_waiting: usize,
        wake: Option<Wake>,
    ) -> io::Result<Self> {
        let mut child =
            prepared(program, starter)?.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let gone = || io::Error::other("it has no standard streams");
        let input = Some(child.stdin.take().ok_or_else(gone)?);
        let (output, error) = (child.stdout.take().ok_or_else(gone)?, child.stderr.take().ok_or_else(gone)?);
        let (said, lines) = sync_channel(most_waiting);
        thread::Builder::new()
            .name("program-output".into())
            .stack_size(STACK)
            .spawn(move || read_lines(BufReader::new(output), said, wake.as_ref()))?;
        let errors = Log::default();
        let errors_ended = errors.follow(error, name)?;
        Ok(Self { child, input, lines, errors, errors_ended })
    }

    /// Writes a line to the program. `line` must not include its line end.
    pub fn tell(&mut self, mut line: Vec<u8>) -> io::Result<()> {
        line.push(b'\n');
        self.input.as_mut().ok_or_else(|| io::Error::other("its standard input is closed"))?.write_all(&line)
    }

    /// Returns the program's standard input, which the caller must close. Afterwards, [`tell`](Self::tell) can no
    /// longer write lines.
    pub const fn take_input(&mut self) -> Option<ChildStdin> {
        self.input.take()
    }

    /// Returns the next line, or the reason why no further line will arrive. Returns `None` if there is no line
    /// yet.
    pub fn next_line(&mut self) -> Option<Result<String, NoLine>> {
        match self.lines.try_recv() {
            Ok(line) => Some(line.text()),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(Err(NoLine::Ended(self.end()))),
        }
    }

    /// Returns a line that the program has sent on its own, if there is one.
    pub fn unasked(&self) -> Option<String> {
        match self.lines.try_recv() {
            Ok(Line::Whole(line)) => Some(line),
            Ok(Line::TooLong | Line::NoText) => Some("…".to_owned()),
            Err(TryRecvError::Empty | TryRecvError::Disconnected) => None,
        }
    }

    /// Returns the next line. If no line arrives within `patience`, returns the reason.
    pub fn line(&mut self, patience: Duration) -> Result<String, NoLine> {
        for _ in 0..=patience.as_millis() / SLICE.as_millis() {
            match self.lines.recv_timeout(SLICE) {
                Ok(line) => return line.text(),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(NoLine::Ended(self.end())),
            }
        }
        Err(NoLine::TooSlow)
    }

    /// Closes the input of the program. Returns how the program ended; `None` if it did not end within `patience`.
    pub fn close(mut self, patience: Duration) -> Option<String> {
        drop(self.input);
        for _ in 0..=patience.as_millis() / SLICE.as_millis() {
            match self.lines.recv_timeout(SLICE) {
                Err(RecvTimeoutError::Disconnected) => return ended(&mut self.child, LAST_WORDS).map(in_words),
                Ok(_) | Err(RecvTimeoutError::Timeout) => {}
            }
        }
        // The program is killed here, and the caller reports that it did not end. The child is the keeper of the
        // program, and ends after the program. Without a keeper, the child is the program itself.
        end_below(Pid::from_child(&self.child));
        let _ = self.child.kill();
        let _ = self.child.wait();
        None
    }

    /// Returns how the program ended. The program must have closed its output.
    fn end(&mut self) -> String {
        // Even if the program is still running, it is useless: it has closed its output.
        let status = ended(&mut self.child, LAST_WORDS);
        let _ = self.errors_ended.recv_timeout(SLICE * LAST_WORDS);
        status.map_or_else(|| "closed its standard output".to_owned(), in_words)
    }

    /// Returns the last lines of the program's standard error.
    pub fn last_errors(&self) -> Vec<String> {
        self.errors.last_lines()
    }
}

/// Returns the command that starts a program in the environment of all programs; `starter` is put before the
/// program's command.
pub fn prepared(program: &ForeignProgram, starter: &[OsString]) -> io::Result<Command> {
    let mut words = starter.iter().cloned().chain(program.command.iter().map(OsString::from));
    let first = words.next().ok_or_else(|| io::Error::other("the command is empty"))?;
    let own = program.own_folder.as_ref().map(|folder| &folder.path);
    let mut command = Command::new(first);
    command
        .args(words)
        .env_clear()
        .env("PATH", &program.path)
        .envs(own.into_iter().flat_map(|folder| ["HOME", "TMPDIR"].map(|name| (name, folder))))
        // A server often writes to its working directory, which must then be its own folder.
        .current_dir(own.filter(|_| program.service.is_some()).unwrap_or(&program.folder));
    if !program.services.is_empty() {
        command.env(SERVICES, serde_json::to_string(&program.services)?);
    }
    Ok(command)
}

/// Returns how the child ended; `None` if the child does not end within `slices` slices.
fn ended(child: &mut Child, slices: u32) -> Option<ExitStatus> {
    for _ in 0..slices {
        if let Ok(Some(status)) = child.try_wait() {
            return Some(status);
        }
        // The system offers no way to wait for a child with a time limit, so this loop polls.
        thread::sleep(SLICE);
    }
    child.try_wait().ok().flatten()
}

/// Returns the end of a process as the end of a sentence.
pub fn in_words(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("ended with exit code {code}"),
        (None, Some(signal)) => format!("was ended by signal {signal}"),
        (None, None) => "ended".to_owned(),
    }
}

/// Reads lines until the end of the output. Calls `wake` after each line, and once more at the end of the output.
fn read_lines(output: impl BufRead, said: SyncSender<Line>, wake: Option<&Wake>) {
    let wake = || {
        if let Some(wake) = wake {
            wake();
        }
    };
    read_each_line(output, &said, wake);
    drop(said);
    wake();
}

fn read_each_line(mut output: impl BufRead, said: &SyncSender<Line>, wake: impl Fn()) {
    loop {
        let mut bytes = Vec::new();
        let read = output.by_ref().take(LONGEST_SAID).read_until(b'\n', &mut bytes);
        let line = match read {
            Ok(0) | Err(_) => return,
            Ok(_) if bytes.last() != Some(&b'\n') && bytes.len() as u64 == LONGEST_SAID => Line::TooLong,
            Ok(_) => String::from_utf8(bytes).map_or(Line::NoText, |text| Line::Whole(text.trim_end().to_owned())),
        };
        let is_last = !matches!(line, Line::Whole(_));
        if said.send(line).is_err() || is_last {
            return;
        }
        wake();
    }
}

#[cfg(test)]
mod tests {
    use interlock_machine::wire::{OwnFolder, Ready, ServiceStart};

    use super::*;

    fn program() -> ForeignProgram {
        let own_folder = Some(OwnFolder { path: "/own".into(), keeps: false });
        ForeignProgram { command: vec!["server".into()], folder: "/scenario".into(), own_folder, ..Default::default() }
    }

    #[test]
    fn only_a_service_starts_in_its_own_folder() {
        let folder_of = |program| prepared(&program, &[]).expect("a command").get_current_dir().map(ToOwned::to_owned);
        let service = Some(ServiceStart { ready: Ready::Tcp(1), within_ms: 1 });
        assert_eq!(folder_of(program()), Some("/scenario".into()));
        assert_eq!(folder_of(ForeignProgram { service: service.clone(), ..program() }), Some("/own".into()));
        let without = ForeignProgram { service, own_folder: None, ..program() };
        assert_eq!(folder_of(without), Some("/scenario".into()));
    }

    #[test]
    fn the_environment_names_the_services_if_there_are_any() {
        let named = |services| {
            let command = prepared(&ForeignProgram { services, ..program() }, &["keeper".into()]).expect("a command");
            assert_eq!(command.get_program(), "keeper");
            let named = command.get_envs().find(|(name, _)| *name == SERVICES);
            named.and_then(|(_, value)| value?.to_str().map(ToOwned::to_owned))
        };
        let addresses = |ports: [u16; 2]| ports.map(|port| format!("127.0.0.1:{port}")).to_vec();
        let services = [("redis".to_owned(), addresses([40_001, 40_002]))].into_iter().collect();
        assert_eq!(named(services).as_deref(), Some(r#"{"redis":["127.0.0.1:40001","127.0.0.1:40002"]}"#));
        assert_eq!(named([].into()), None);
    }
}
