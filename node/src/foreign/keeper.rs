//! The keeper of a program: a process between the program and its node. It adopts all processes that the program
//! starts, even if they form separate groups or sessions. When the program or the node ends, the keeper ends all
//! these processes, even if the node is killed. The keeper also pauses and resumes these processes together with the
//! program.

use std::ffi::{CString, OsString};
use std::fs::File;
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::thread;

use interlock_machine::wire::{Confinement, Ports};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{
    Pid, PidfdFlags, Resource, Rlimit, Signal, WaitOptions, WaitStatus, getpgrp, getpid, getppid, kill_process,
    pidfd_open, set_child_subreaper, setpgid, setrlimit, wait,
};
use rustix::thread::set_name;

use super::exec::words;
use crate::KEEPER;
use crate::tree::{end_below, signal_below};

/// Stack size of the thread that waits for the end of the node, in bytes.
const STACK: usize = 64 << 10;
/// Exit code if the program cannot be started.
const CANNOT_START: u8 = 126;
/// Number that a shell adds to a signal number to get the exit code of a process that the signal ended.
const BY_SIGNAL: i32 = 128;

/// Starts the program of `command`, confined as `confinement` says. The parent of this process must be `parent`.
/// When no process of the program is left, this process ends in the same way as the program did.
#[must_use]
pub fn keep(
    parent: u32,
    confinement: Option<Confinement>,
    folder: Option<&Path>,
    ports: &Ports,
    command: &[OsString],
) -> ExitCode {
    match kept(parent, confinement, folder, ports, command) {
        Ok(status) => end_like(status),
        Err(why) => {
            // If standard error is closed, the error cannot be reported anywhere.
            let _ = writeln!(io::stderr(), "cannot start the program: {why}");
            ExitCode::from(CANNOT_START)
        }
    }
}

fn kept(
    parent: u32,
    confinement: Option<Confinement>,
    folder: Option<&Path>,
    ports: &Ports,
    command: &[OsString],
) -> io::Result<WaitStatus> {
    let this = getpid();
    // If the node ends first, another process adopts the keeper. The other process recognizes the keeper by this
    // name, even if the keeper has already ended but is not reaped yet.
    set_name(&CString::new(format!("{KEEPER} {parent}"))?)?;
    set_child_subreaper(Some(this))?;
    // The keeper leaves the group of the node, and the program stays in that group. A signal to this group then
    // reaches the program, but not its keeper.
    let group = getpgrp();
    setpgid(None, None)?;
    end_with(parent, this)?;
    let words = words("exec", std::process::id(), confinement, folder, ports)?;
    let child =
        Command::new(&words[0]).args(&words[1..]).args(command).process_group(group.as_raw_nonzero().get()).spawn()?;
    leave_streams()?;
    let status = awaited(Pid::from_child(&child), group)?;
    end_below(this);
    Ok(status)
}

/// Makes this process end when its parent ends. Before this process ends, it ends all its descendants.
fn end_with(parent: u32, this: Pid) -> io::Result<()> {
    let gone = || io::Error::other("its parent is gone");
    let pid = i32::try_from(parent).ok().and_then(Pid::from_raw).ok_or_else(gone)?;
    let handle = pidfd_open(pid, PidfdFlags::empty())?;
    // If the parent has already ended, its process number may have been reused. The handle refers to the parent
    // only if this process still has the same parent.
    if getppid() != Some(pid) {
        return Err(gone());
    }
    let wait = move || {
        while poll(&mut [PollFd::new(&handle, PollFlags::IN)], None) == Err(rustix::io::Errno::INTR) {}
        end_below(this);
        std::process::exit(0);
    };
    thread::Builder::new().name("end-of-the-node".to_owned()).stack_size(STACK).spawn(wait)?;
    Ok(())
}

/// Closes the standard streams of the keeper. Otherwise these streams would stay open even after the program has
/// closed its own standard streams.
fn leave_streams() -> io::Result<()> {
    let nowhere = File::options().read(true).write(true).open("/dev/null")?;
    rustix::stdio::dup2_stdin(&nowhere)?;
    rustix::stdio::dup2_stdout(&nowhere)?;
    rustix::stdio::dup2_stderr(&nowhere)?;
    Ok(())
}

/// Waits for the end of the program, and returns its status. It reaps all child processes that end before the
/// program. When the program is stopped or continued, it also stops or continues the processes that are not in the
/// program's group.
fn awaited(program: Pid, group: Pid) -> io::Result<WaitStatus> {
    loop {
        let changed = rustix::io::retry_on_intr(|| wait(WaitOptions::UNTRACED | WaitOptions::CONTINUED))?;
        let Some((_, status)) = changed.filter(|(pid, _)| *pid == program) else { continue };
        if status.stopped() {
            signal_below(getpid(), Signal::STOP, group);
        } else if status.continued() {
            signal_below(getpid(), Signal::CONT, group);
        } else {
            return Ok(status);
        }
    }
}

/// Ends this process in the same way as the program, so that the node gets the same status.
fn end_like(status: WaitStatus) -> ExitCode {
    let Some(signal) = status.terminating_signal() else {
        return status.exit_status().and_then(|code| u8::try_from(code).ok()).map_or(ExitCode::FAILURE, ExitCode::from);
    };
    // A core dump of this process would be useless.
    let _ = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) });
    if let Some(named) = Signal::from_named_raw(signal) {
        // The runtime's handler for stack overflows may catch the first signal, so the signal is sent twice.
        for _ in 0..2 {
            let _ = kill_process(getpid(), named);
        }
    }
    std::process::exit(BY_SIGNAL + signal)
}
