//! The process of a program. This module writes lines to it, and reads lines from it with a time limit.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use interlock_machine::Wake;
use interlock_machine::visible::on_one_line;
use interlock_machine::wire::ForeignProgram;
use rustix::process::Pid;

use crate::tree::end_below;

/// Maximum length of a line to a program, in bytes. A line of this length fits into a pipe, so writing does not
/// block.
pub const LONGEST_TOLD: usize = 60_000;
/// Maximum length of a line from a program, in bytes.
const LONGEST_SAID: u64 = 1 << 20;
/// Number of lines of the program's standard error that are stored. The next constant is their maximum length in
/// bytes.
const LINES_KEPT: usize = 5;
const LONGEST_KEPT: usize = 300;
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
    errors: Arc<Mutex<VecDeque<String>>>,
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
        let mut words = starter.iter().cloned().chain(program.command.iter().map(OsString::from));
        let first = words.next().ok_or_else(|| io::Error::other("the command is empty"))?;
        let folder = program.own_folder.as_ref().map(|folder| &folder.path);
        let mut child = Command::new(first)
            .args(words)
            .env_clear()
            .env("PATH", &program.path)
            .envs(folder.into_iter().flat_map(|folder| ["HOME", "TMPDIR"].map(|name| (name, folder))))
            .current_dir(&program.folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let gone = || io::Error::other("it has no standard streams");
        let input = Some(child.stdin.take().ok_or_else(gone)?);
        let (output, error) = (child.stdout.take().ok_or_else(gone)?, child.stderr.take().ok_or_else(gone)?);
        let (said, lines) = sync_channel(most_waiting);
        let (ended, errors_ended) = sync_channel(1);
        let errors = Arc::new(Mutex::new(VecDeque::new()));
        let kept = Arc::clone(&errors);
        let thread = || thread::Builder::new().stack_size(STACK);
        thread()
            .name("program-output".into())
            .spawn(move || read_lines(BufReader::new(output), said, wake.as_ref()))?;
        thread().name("program-errors".into()).spawn(move || {
            keep_errors(BufReader::new(error), &kept, &name);
            // Sending fails if the receiver is already dropped. This error is ignored.
            let _ = ended.send(());
        })?;
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
        self.errors.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
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

fn in_words(status: ExitStatus) -> String {
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

/// Passes the lines on to this process's standard error, which may be a terminal. Stores the last lines.
fn keep_errors(mut error: impl BufRead, kept: &Mutex<VecDeque<String>>, name: &str) {
    loop {
        let mut bytes = Vec::new();
        match error.by_ref().take(LONGEST_KEPT as u64).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let line = String::from_utf8_lossy(&bytes).trim_end().to_owned();
        // If standard error is closed, the line cannot be passed on. This error is ignored.
        let _ = writeln!(io::stderr(), "{}", on_one_line(&format!("{name}: {line}")));
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() == LINES_KEPT {
            kept.pop_front();
        }
        kept.push_back(line);
    }
}
