//! What a program is still to be told: it may be busy speaking itself, so nobody waits until it listens.

use std::io::{self, Write};
use std::process::ChildStdin;
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::thread;

use crate::foreign::breach::{Breach, MOST_UNREAD};

/// The stack of the thread that writes.
const STACK: usize = 128 << 10;

/// The lines on their way to a program.
pub struct Outbox(SyncSender<Vec<u8>>);

impl Outbox {
    /// One to the standard input of a program, which is closed with it.
    pub fn to(input: Option<ChildStdin>) -> io::Result<Self> {
        let mut input = input.ok_or_else(|| io::Error::other("it has no standard input"))?;
        let (sender, lines) = sync_channel::<Vec<u8>>(MOST_UNREAD);
        let write = move || {
            // A program that has ended is found to have when it is read from.
            while lines.recv().is_ok_and(|line| input.write_all(&line).is_ok()) {}
        };
        thread::Builder::new().name("program-input".into()).stack_size(STACK).spawn(write)?;
        Ok(Self(sender))
    }

    /// Tells a line, which has its end.
    ///
    /// # Errors
    /// When the program has not read for so long that no more lines can wait.
    pub fn tell(&self, line: Vec<u8>) -> Result<(), Breach> {
        match self.0.try_send(line) {
            Ok(()) | Err(TrySendError::Disconnected(_)) => Ok(()),
            Err(TrySendError::Full(_)) => Err(Breach::Deaf),
        }
    }
}
