//! The log of a program: the lines that it writes for people.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use interlock_machine::visible::on_one_line;

/// Number of lines that are stored. The next constant is their maximum length in bytes.
const LINES_KEPT: usize = 5;
const LONGEST_KEPT: usize = 300;
/// Stack size of the thread that copies lines, in bytes.
const STACK: usize = 128 << 10;

/// The last lines of a program.
#[derive(Clone, Default)]
pub struct Log(Arc<Mutex<VecDeque<String>>>);

impl Log {
    /// Passes each line of `output` on to the standard error of this process, with `name` before it. The returned
    /// channel gets a message at the end of `output`.
    pub fn follow(&self, output: impl Read + Send + 'static, name: String) -> io::Result<Receiver<()>> {
        let (ended, end) = sync_channel(1);
        let log = self.clone();
        thread::Builder::new().name("program-log".into()).stack_size(STACK).spawn(move || {
            log.copy(BufReader::new(output), &name);
            // Sending fails if the receiver is already dropped. This error is ignored.
            let _ = ended.send(());
        })?;
        Ok(end)
    }

    /// Returns the last lines.
    pub fn last_lines(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    /// Passes the lines on to this process's standard error, which may be a terminal. Stores the last lines.
    fn copy(&self, mut output: impl BufRead, name: &str) {
        loop {
            let mut bytes = Vec::new();
            match output.by_ref().take(LONGEST_KEPT as u64).read_until(b'\n', &mut bytes) {
                Ok(0) | Err(_) => return,
                Ok(_) => {}
            }
            let line = String::from_utf8_lossy(&bytes).trim_end().to_owned();
            // If standard error is closed, the line cannot be passed on. This error is ignored.
            let _ = writeln!(io::stderr(), "{}", on_one_line(&format!("{name}: {line}")));
            let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if kept.len() == LINES_KEPT {
                kept.pop_front();
            }
            kept.push_back(line);
        }
    }
}
