//! Queue of lines to a program. A program that is busy writing sometimes does not read its input. Because of the
//! queue, this process does not wait for the program.

use std::io::{self, Write};
use std::process::ChildStdin;
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::thread;

use crate::foreign::breach::{Breach, MOST_UNREAD};

/// Stack size of the thread that writes the lines, in bytes.
const STACK: usize = 128 << 10;

/// The queue of lines to a program.
pub struct Outbox(SyncSender<Vec<u8>>);

impl Outbox {
    /// Creates the queue for the standard input of a program. When the queue is dropped, the input is closed.
    pub fn to(input: Option<ChildStdin>) -> io::Result<Self> {
        let mut input = input.ok_or_else(|| io::Error::other("it has no standard input"))?;
        let (sender, lines) = sync_channel::<Vec<u8>>(MOST_UNREAD);
        let write = move || {
            // If the program has ended, this thread stops without a report. The reader of the program's output
            // reports the end.
            while lines.recv().is_ok_and(|line| input.write_all(&line).is_ok()) {}
        };
        thread::Builder::new().name("program-input".into()).stack_size(STACK).spawn(write)?;
        Ok(Self(sender))
    }

    /// Adds a line to the queue. The line must include its line end.
    ///
    /// # Errors
    /// If the queue is full, because the program has not read its input for a long time.
    pub fn tell(&self, line: Vec<u8>) -> Result<(), Breach> {
        match self.0.try_send(line) {
            Ok(()) | Err(TrySendError::Disconnected(_)) => Ok(()),
            Err(TrySendError::Full(_)) => Err(Breach::Deaf),
        }
    }
}
