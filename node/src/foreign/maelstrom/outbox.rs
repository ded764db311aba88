//! Queue of lines to a program. The program may be busy writing its own lines, so this process does not wait until
//! the program reads.

use std::io::{self, Write};
use std::process::ChildStdin;
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::thread;

use crate::foreign::breach::{Breach, MOST_UNREAD};

/// Stack of the thread that writes.
const STACK: usize = 128 << 10;

/// The queue of lines to a program.
pub struct Outbox(SyncSender<Vec<u8>>);

impl Outbox {
    /// Creates the queue to the standard input of a program, which is closed with the queue.
    pub fn to(input: Option<ChildStdin>) -> io::Result<Self> {
        let mut input = input.ok_or_else(|| io::Error::other("it has no standard input"))?;
        let (sender, lines) = sync_channel::<Vec<u8>>(MOST_UNREAD);
        let write = move || {
            // If the program has ended, the reader of its output notices it.
            while lines.recv().is_ok_and(|line| input.write_all(&line).is_ok()) {}
        };
        thread::Builder::new().name("program-input".into()).stack_size(STACK).spawn(write)?;
        Ok(Self(sender))
    }

    /// Queues a line, which has its line end.
    ///
    /// # Errors
    /// If the program has not read for so long that the queue is full.
    pub fn tell(&self, line: Vec<u8>) -> Result<(), Breach> {
        match self.0.try_send(line) {
            Ok(()) | Err(TrySendError::Disconnected(_)) => Ok(()),
            Err(TrySendError::Full(_)) => Err(Breach::Deaf),
        }
    }
}
