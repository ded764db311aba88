//! The process of a program: started with a line, written to a line at a time, and read from with patience.

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

/// The longest line that a program is told, in bytes: what fits into a pipe, so that writing it waits for nobody.
pub const LONGEST_TOLD: usize = 60_000;
/// The longest line that is read of a program, in bytes.
const LONGEST_SAID: u64 = 1 << 20;
/// How many lines of its standard error are kept, and how long each may be, in bytes.
const LINES_KEPT: usize = 5;
const LONGEST_KEPT: usize = 300;
/// Time passes in slices of this length: a process that stood still meanwhile has lost one of them at most.
const SLICE: Duration = Duration::from_millis(100);
/// How long the last words of a program that has ended are waited for, in slices.
const LAST_WORDS: u32 = 5;
/// The stack of a thread that copies lines.
const STACK: usize = 128 << 10;

/// A process that is spoken to in lines.
pub struct Program {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Line>,
    errors: Arc<Mutex<VecDeque<String>>>,
    /// Says when there is nothing more to come on its standard error.
    errors_ended: Receiver<()>,
}

/// Something that was read.
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

/// Why there is no line.
#[derive(Debug, PartialEq, Eq)]
pub enum NoLine {
    /// It has not come in time.
    TooSlow,
    /// The program has ended, or has closed its output.
    Ended(String),
    /// What came is longer than may be.
    TooLong,
    /// What came is not UTF-8.
    NoText,
}

impl Program {
    /// Starts it, with `starter` before its command; `name` stands before each line of its standard error, which goes on
    /// to that of this process. At most `most_waiting` of its lines wait to be read, and `wake` is called after each.
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
            // Nobody may wait for it.
            let _ = ended.send(());
        })?;
        Ok(Self { child, input, lines, errors, errors_ended })
    }

    /// Writes a line, of which `line` has no end yet.
    pub fn tell(&mut self, mut line: Vec<u8>) -> io::Result<()> {
        line.push(b'\n');
        self.input.as_mut().ok_or_else(|| io::Error::other("its standard input is closed"))?.write_all(&line)
    }

    /// Hands its standard input over to somebody else, who closes it; nothing can be told any more.
    pub const fn take_input(&mut self) -> Option<ChildStdin> {
        self.input.take()
    }

    /// The next line if one waits, or why there will be none; nothing if it is silent.
    pub fn next_line(&mut self) -> Option<Result<String, NoLine>> {
        match self.lines.try_recv() {
            Ok(line) => Some(line.text()),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(Err(NoLine::Ended(self.end()))),
        }
    }

    /// What it said although nobody had asked.
    pub fn unasked(&self) -> Option<String> {
        match self.lines.try_recv() {
            Ok(Line::Whole(line)) => Some(line),
            Ok(Line::TooLong | Line::NoText) => Some("…".to_owned()),
            Err(TryRecvError::Empty | TryRecvError::Disconnected) => None,
        }
    }

    /// The next line, if it comes within `patience`.
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

    /// Closes its input, and tells whether it ends by itself within `patience`, and how.
    pub fn close(mut self, patience: Duration) -> Option<String> {
        drop(self.input);
        for _ in 0..=patience.as_millis() / SLICE.as_millis() {
            match self.lines.recv_timeout(SLICE) {
                Err(RecvTimeoutError::Disconnected) => return ended(&mut self.child, LAST_WORDS).map(in_words),
                Ok(_) | Err(RecvTimeoutError::Timeout) => {}
            }
        }
        // It is reported as one that does not end. Its keeper ends with it; without one, it is the child.
        end_below(Pid::from_child(&self.child));
        let _ = self.child.kill();
        let _ = self.child.wait();
        None
    }

    /// How it ended, once its output has.
    fn end(&mut self) -> String {
        // A process that lives on without an output is of no use.
        let status = ended(&mut self.child, LAST_WORDS);
        let _ = self.errors_ended.recv_timeout(SLICE * LAST_WORDS);
        status.map_or_else(|| "closed its standard output".to_owned(), in_words)
    }

    /// The last that it wrote to its standard error.
    pub fn last_errors(&self) -> Vec<String> {
        self.errors.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}

/// How the child ended, if it does within so many slices.
fn ended(child: &mut Child, slices: u32) -> Option<ExitStatus> {
    for _ in 0..slices {
        if let Ok(Some(status)) = child.try_wait() {
            return Some(status);
        }
        // A child can be awaited, but not for a time.
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

/// Reads lines until there are no more; `wake` is called after each, and once nobody will say anything any more.
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

/// Passes lines on to standard error, which may be a terminal, and keeps the last of them.
fn keep_errors(mut error: impl BufRead, kept: &Mutex<VecDeque<String>>, name: &str) {
    loop {
        let mut bytes = Vec::new();
        match error.by_ref().take(LONGEST_KEPT as u64).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let line = String::from_utf8_lossy(&bytes).trim_end().to_owned();
        // If nobody listens, nobody can be told.
        let _ = writeln!(io::stderr(), "{}", on_one_line(&format!("{name}: {line}")));
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() == LINES_KEPT {
            kept.pop_front();
        }
        kept.push_back(line);
    }
}
