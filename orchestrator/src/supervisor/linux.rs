//! Functions of Linux: signals to processes, changes of their status, and limits on file descriptors.

use std::{fs, io};

use interlock_node::KEEPER;
use rustix::process::{
    Pid, Resource, Rlimit, Signal, WaitId, WaitIdOptions, getpid, getrlimit, kill_process_group, set_child_subreaper,
    setrlimit, waitid,
};

/// Number of file descriptors that the orchestrator needs for each node: its standard input, its process, and two
/// connections.
const DESCRIPTORS_PER_NODE: u64 = 4;
/// Number of file descriptors that are reserved for everything else: clients, journals, and the async runtimes.
const DESCRIPTORS_BESIDES: u64 = 256;

/// Option of `waitid` for the children that this thread has started (`__WNOTHREAD`).
const OF_THIS_THREAD: u32 = 0x2000_0000;

/// Flag of a process that has begun to exit. The kernel sets the flag before it closes the open files of the
/// process.
const EXITING: u32 = 0x4;

/// The process group of a child that has not been reaped, so that neither its process id nor its group id can be
/// reused.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group(Pid);

impl Group {
    /// Returns the process group that the child with the process id `pid` leads.
    pub(super) fn led_by(pid: u32) -> Option<Self> {
        i32::try_from(pid).ok().and_then(Pid::from_raw).map(Self)
    }

    /// Kills all processes of the group, even if they are stopped.
    pub(super) fn kill(self) -> io::Result<()> {
        Ok(kill_process_group(self.0, Signal::KILL)?)
    }

    /// Sends the stop signal to the group, and returns before the group has stopped: see
    /// [`stopped`](Self::stopped).
    pub(super) fn stop(self) -> io::Result<()> {
        Ok(kill_process_group(self.0, Signal::STOP)?)
    }

    /// Continues the group.
    pub(super) fn go_on(self) -> io::Result<()> {
        Ok(kill_process_group(self.0, Signal::CONT)?)
    }

    /// Returns true if the child has been stopped since the last call, and false if it has been continued. Returns
    /// none if neither has happened, or if the child has ended.
    pub(super) fn turned(self) -> Option<bool> {
        let options = WaitIdOptions::STOPPED | WaitIdOptions::CONTINUED | WaitIdOptions::NOHANG;
        let status = rustix::io::retry_on_intr(|| waitid(WaitId::Pid(self.0), options)).ok()??;
        match (status.stopped(), status.continued()) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        }
    }

    /// Whether the child has ended or is ending. Always true after the end of the child has closed one of its
    /// connections.
    pub(super) fn is_ending(self) -> bool {
        // The order of the two checks matters, because the child may be reaped between them.
        if flags_of(self.0).is_some_and(|flags| flags & EXITING != 0) {
            return true;
        }
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let status = rustix::io::retry_on_intr(|| waitid(WaitId::Pid(self.0), options));
        // After a process has been reaped, `waitid` returns an error, which also means that the process has ended.
        !matches!(status, Ok(None))
    }

    /// Blocks the thread until the child has stopped (true) or ended (false). Does not reap the child.
    pub(super) fn stopped(self) -> io::Result<bool> {
        let options = WaitIdOptions::STOPPED | WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        let status = rustix::io::retry_on_intr(|| waitid(WaitId::Pid(self.0), options))?;
        Ok(status.is_some_and(|status| status.stopped()))
    }
}

/// Returns whether some child of this thread has been stopped or continued, and [`Group::turned`] has not reported that
/// yet.
pub(super) fn has_any_turned() -> bool {
    let options = WaitIdOptions::STOPPED | WaitIdOptions::CONTINUED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    let options = options | WaitIdOptions::from_bits_retain(OF_THIS_THREAD);
    let status = rustix::io::retry_on_intr(|| waitid(WaitId::All, options));
    matches!(status, Ok(Some(_)))
}

/// Makes this process the parent of all orphaned descendants.
pub(super) fn adopt_orphans() -> io::Result<()> {
    Ok(set_child_subreaper(Some(getpid()))?)
}

/// Blocks the thread until all keepers of an ended node have ended. A keeper ends when no process of the node's
/// program is left. This process has adopted the keepers.
pub(super) fn await_keepers(node: u32) -> io::Result<()> {
    let name = format!("{KEEPER} {node}\n");
    for thread in fs::read_dir("/proc/self/task")? {
        // A thread or process may end while it is being listed, so errors are ignored.
        let children = fs::read_to_string(thread?.path().join("children")).unwrap_or_default();
        let is_keeper = |pid: &&str| fs::read_to_string(format!("/proc/{pid}/comm")).is_ok_and(|comm| comm == name);
        for pid in children.split_whitespace().filter(is_keeper) {
            if let Some(pid) = pid.parse().ok().and_then(Pid::from_raw) {
                rustix::io::retry_on_intr(|| waitid(WaitId::Pid(pid), WaitIdOptions::EXITED))?;
            }
        }
    }
    Ok(())
}

/// Returns the kernel's flags of a process.
fn flags_of(process: Pid) -> Option<u32> {
    let status = fs::read_to_string(format!("/proc/{}/stat", process.as_raw_nonzero())).ok()?;
    // The process name is in parentheses. It is followed by state, parent, group, session, terminal, terminal's
    // group, and flags.
    status.rsplit(')').next()?.split_whitespace().nth(6)?.parse().ok()
}

/// Limit on the number of open file descriptors of this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DescriptorLimit {
    /// Maximum number of open file descriptors; none if there is no limit.
    pub most: Option<u64>,
}

impl DescriptorLimit {
    /// Returns the maximum number of nodes under this limit; none if there is no limit.
    #[must_use]
    pub fn nodes(self) -> Option<u64> {
        self.most.map(|most| most.saturating_sub(DESCRIPTORS_BESIDES) / DESCRIPTORS_PER_NODE)
    }

    /// Returns the lowest limit under which `nodes` nodes can run, as a number of file descriptors.
    #[must_use]
    pub const fn needed_for(nodes: u64) -> u64 {
        DESCRIPTORS_BESIDES + DESCRIPTORS_PER_NODE * nodes
    }
}

/// Raises the limit of open file descriptors of this process as far as permitted, and returns the new limit.
///
/// # Errors
/// If the operating system refuses the change.
pub fn raise_descriptor_limit() -> io::Result<DescriptorLimit> {
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum })?;
    Ok(DescriptorLimit { most: maximum })
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::CommandExt;
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn a_child_that_ends_has_not_turned() {
        let mut child = Command::new("cat").stdin(Stdio::piped()).process_group(0).spawn().expect("a process");
        let group = Group::led_by(child.id()).expect("its group");
        assert!(!has_any_turned());
        group.stop().expect("stopped");
        assert!(group.stopped().expect("a child"));
        assert!(has_any_turned() && has_any_turned(), "the question changes nothing");
        assert_eq!((group.turned(), has_any_turned()), (Some(true), false));
        group.kill().expect("killed");
        assert!(!group.stopped().expect("a child"), "it has ended");
        assert!(!has_any_turned());
        child.wait().expect("reaped");
    }

    #[test]
    fn the_limit_is_raised_as_far_as_it_goes() {
        let limit = raise_descriptor_limit().expect("raised");
        let after = getrlimit(Resource::Nofile);
        assert_eq!((after.current, after.current), (after.maximum, limit.most));
    }

    #[test]
    fn a_low_limit_leaves_room_for_few_nodes() {
        for (most, nodes) in [(Some(1024), Some(192)), (Some(100), Some(0)), (None, None)] {
            assert_eq!(DescriptorLimit { most }.nodes(), nodes);
        }
        for nodes in [1, 200, 1_000] {
            let allowed = |most| DescriptorLimit { most: Some(most) }.nodes();
            let needed = DescriptorLimit::needed_for(nodes);
            assert_eq!((allowed(needed), allowed(needed - 1)), (Some(nodes), Some(nodes - 1)));
        }
    }
}
