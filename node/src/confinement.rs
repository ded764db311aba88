//! Confinement of the process of a node. On every system, resources are limited, and the privileges of root are
//! dropped. Landlock, a filter of system calls and read-only mounts are added as far as the kernel supports them.
//! The process and its children can never undo the confinement.
//!
//! - A node of the catalogue opens no files. It connects only to the port of its hub, and listens at a port that
//!   the system assigns.
//! - The speaker is the process that exchanges messages with the hub for a user's program. It starts the program,
//!   writes only to the program's folder, and has the same network access as a node of the catalogue.
//! - The program itself reads and executes the files that its user may read and execute, and writes only to its
//!   folder. It has no network access: its messages pass through its standard output. If the run has services, the
//!   program reaches them at ports of its own, and a service listens at its port.
//!
//! None of these processes can read the data of processes that it has not started, or send signals to them. This
//! also holds if root starts the process, because the process then drops the privileges of root that would
//! circumvent these rules. Landlock covers paths, ports and signals. The filter (`calls`) covers other operations,
//! but it cannot see paths. The mounts (`mounts`) cover operations on paths for which Landlock has no rule.

mod calls;
mod mounts;

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::Path;

use interlock_machine::wire::{Confinement, ForeignProgram, Initialization, OwnFolder, Ports};
use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, NetPort, PathBeneath, PathFd, Ruleset, RulesetAttr, RulesetCreated,
    RulesetCreatedAttr, RulesetError, RulesetStatus, Scope,
};
use rustix::process::{Resource, Rlimit, getrlimit, getuid, setrlimit};
use rustix::thread::{CapabilitySet, CapabilitySets, capabilities, set_capabilities};
use serde::{Deserialize, Serialize};

use self::calls::Filtered;
use self::mounts::Separated;
use crate::hub_address::hub_address;

/// Latest version of Landlock whose access rights this program knows and restricts (Linux 6.12). Older kernels
/// restrict fewer access rights.
const KNOWN: ABI = ABI::V6;
/// The only file outside of a process's folder to which the process may write.
const NOWHERE: &str = "/dev/null";
/// Mode of a program's folder: only the owner has access.
const PRIVATE: u32 = 0o700;
/// Port number by which a process requests any free port.
const ANY_PORT: u16 = 0;
/// Maximum number of open files of a process.
const OPEN_FILES: u64 = 1_024;
/// Maximum size of a file that a program may write, in bytes.
const LONGEST_FILE: u64 = 1 << 30;
/// Maximum size of a process's stack, in bytes. No other limit counts the stack.
const LARGEST_STACK: u64 = 64 << 20;
/// Number of processes and threads that the user of a program may start in addition to those that exist when the
/// program starts.
const MORE_TASKS: u64 = 512;

/// Privileges of root that a program keeps; all of them concern files. With these privileges, the program can read
/// and execute every file that root can. In its own folder, the program has the same access as root.
const ABOUT_FILES: CapabilitySet = CapabilitySet::CHOWN
    .union(CapabilitySet::DAC_OVERRIDE)
    .union(CapabilitySet::DAC_READ_SEARCH)
    .union(CapabilitySet::FOWNER)
    .union(CapabilitySet::FSETID);

/// The kind of process to confine, with the port and the folder that it may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confined<'a> {
    /// A node of the catalogue, which connects to the hub at the port `hub`.
    Node {
        /// Port of the node's hub.
        hub: u16,
    },
    /// The speaker: the process that exchanges messages with the hub on behalf of a user's program.
    Speaker {
        /// Port of the node's hub.
        hub: u16,
        /// Folder of the program, if it has one.
        folder: Option<&'a Path>,
        /// Ports of the program. The program starts within the confinement of its speaker.
        ports: &'a Ports,
    },
    /// The user's program itself.
    Program {
        /// The program's own folder, if it has one.
        folder: Option<&'a Path>,
        /// Ports on the loopback interface that the program may use.
        ports: &'a Ports,
    },
}

impl<'a> Confined<'a> {
    /// Returns the folder to which the process may write, if there is one.
    const fn folder(self) -> Option<&'a Path> {
        match self {
            Self::Node { .. } => None,
            Self::Speaker { folder, .. } | Self::Program { folder, .. } => folder,
        }
    }

    /// Returns the port to which the process may connect, if there is one.
    const fn hub(self) -> Option<u16> {
        match self {
            Self::Node { hub } | Self::Speaker { hub, .. } => Some(hub),
            Self::Program { .. } => None,
        }
    }

    /// Returns the ports of the program; `None` if the process belongs to no program.
    const fn ports(self) -> Option<&'a Ports> {
        match self {
            Self::Node { .. } => None,
            Self::Speaker { ports, .. } | Self::Program { ports, .. } => Some(ports),
        }
    }

    /// Whether the program is a server. Only services listen.
    fn serves(self) -> bool {
        self.ports().is_some_and(|ports| !ports.listen.is_empty())
    }

    /// Returns the privileges that the process keeps. A privilege that the process does not have is not added.
    const fn privileges(self) -> CapabilitySet {
        match self {
            Self::Node { .. } => CapabilitySet::empty(),
            Self::Speaker { .. } | Self::Program { .. } => ABOUT_FILES,
        }
    }
}

/// Extent to which Landlock is in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Landlock {
    /// Landlock covers files, network and signals.
    All,
    /// Landlock covers only some of files, network and signals, because the kernel is older than Linux 6.12.
    Part,
    /// Landlock is not in force: the kernel does not support Landlock, or Landlock is disabled.
    Nothing,
}

impl From<RulesetStatus> for Landlock {
    fn from(status: RulesetStatus) -> Self {
        match status {
            RulesetStatus::FullyEnforced => Self::All,
            RulesetStatus::PartiallyEnforced => Self::Part,
            RulesetStatus::NotEnforced => Self::Nothing,
        }
    }
}

/// The confinement that the kernel has put into force for a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extent {
    /// Extent of Landlock.
    pub landlock: Landlock,
    /// Whether a filter refuses system calls.
    pub filtered: bool,
    /// Whether all mounts are read-only, except the program's own folder. The mounts are made read-only only for
    /// users' programs and their speakers.
    pub read_only: bool,
}

impl Extent {
    /// Returns a sentence for each mechanism that the kernel lacks. The sentence describes what a program can do
    /// if this mechanism is missing.
    pub fn gaps(self) -> impl Iterator<Item = &'static str> {
        let landlock = match self.landlock {
            Landlock::All => None,
            Landlock::Part => {
                Some("an older Landlock than that of Linux 6.12: programs can signal other processes, for example")
            }
            Landlock::Nothing => {
                Some("no Landlock, or it is off: programs can write wherever you can, and services can use all ports")
            }
        };
        let filter = (!self.filtered).then_some(
            "no filter of system calls: programs can use Unix sockets and shared memory, and change limits \
                        of processes",
        );
        let mounts = (!self.read_only)
            .then_some("no private mounts: programs can change the mode and the times of all your files");
        [landlock, filter, mounts].into_iter().flatten()
    }
}

/// The reason why a process cannot confine itself.
#[derive(Debug, thiserror::Error)]
pub enum ConfinementError {
    /// A limit cannot be set, or a folder cannot be created.
    #[error("operating system error: {0}")]
    System(#[from] io::Error),
    /// The kernel refuses the Landlock rules.
    #[error("the kernel rejects the Landlock rules: {0}")]
    Kernel(#[from] RulesetError),
    /// The kernel refuses the filter of system calls.
    #[error("the kernel rejects the filter of system calls: {0}")]
    Filter(#[from] seccompiler::Error),
}

/// Confines the calling process and all its future children. The process must have only one thread. Returns the
/// confinement that the kernel put into force.
///
/// # Errors
/// If the kernel supports a mechanism, but refuses to put it into force.
pub fn confine(who: Confined<'_>, Confinement { memory_bytes }: Confinement) -> Result<Extent, ConfinementError> {
    lower(Resource::Data, memory_bytes)?;
    lower(Resource::Stack, memory_bytes.map(|_| LARGEST_STACK))?;
    lower(Resource::Nofile, Some(OPEN_FILES))?;
    if matches!(who, Confined::Program { .. }) {
        lower(Resource::Fsize, Some(LONGEST_FILE))?;
        lower(Resource::Nproc, Some(tasks_of_this_user()? + MORE_TASKS))?;
    }
    // When a process enters a new mount namespace, the kernel grants it all privileges there. The process must
    // keep only the privileges that it had before.
    let kept = capabilities(None).map_err(io::Error::from)?.permitted & who.privileges();
    // The speaker has already made the mounts read-only for itself and the program. The system would refuse a
    // second attempt by the program.
    let separated = if matches!(who, Confined::Node { .. }) {
        Separated::default()
    } else {
        mounts::separate(who.folder(), who.serves())?
    };
    let landlock = rules(who)?.restrict_self()?.ruleset.into();
    keep(kept)?;
    let filtered = calls::refuse(who, separated.has_own_objects)? == Filtered::Yes;
    Ok(Extent { landlock, filtered, read_only: separated.read_only })
}

/// Creates the folder of a node's program, and then confines the process of the node according to its
/// initialization. The process must still have only one thread.
///
/// # Errors
/// If the folder cannot be created, or if the kernel supports a mechanism but refuses to put it into force.
pub fn confine_node(initialization: &Initialization) -> Result<(), ConfinementError> {
    if let Some(folder) = initialization.program.as_ref().and_then(|program| program.own_folder.as_ref()) {
        make(folder)?;
    }
    let Some(confinement) = initialization.confinement else { return Ok(()) };
    let hub = hub_address(&initialization.hub).map_or(0, |(address, _)| address.port());
    let who = match &initialization.program {
        None => Confined::Node { hub },
        Some(ForeignProgram { own_folder, ports, .. }) => {
            Confined::Speaker { hub, folder: own_folder.as_ref().map(|folder| &*folder.path), ports }
        }
    };
    confine(who, confinement).map(drop)
}

/// Creates the folder of a program. An existing folder is emptied if its content must not be kept.
fn make(folder: &OwnFolder) -> io::Result<()> {
    if !folder.keeps {
        match fs::remove_dir_all(&folder.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    DirBuilder::new().recursive(true).mode(PRIVATE).create(&folder.path)
}

/// Limits a resource. If the resource already has a lower limit, the function keeps the lower limit.
fn lower(resource: Resource, most: Option<u64>) -> io::Result<()> {
    let Some(most) = most else { return Ok(()) };
    let Rlimit { current, maximum } = getrlimit(resource);
    let least = |present: Option<u64>| Some(present.map_or(most, |present| present.min(most)));
    Ok(setrlimit(resource, Rlimit { current: least(current), maximum: least(maximum) })?)
}

/// Drops all privileges except `kept`. The Landlock rules forbid new privileges, so the process cannot get them
/// back by executing another program.
fn keep(kept: CapabilitySet) -> io::Result<()> {
    let CapabilitySets { effective, permitted, .. } = capabilities(None)?;
    let left = CapabilitySets {
        effective: effective & kept,
        permitted: permitted & kept,
        inheritable: CapabilitySet::empty(),
    };
    Ok(set_capabilities(None, left)?)
}

/// Returns the number of processes and threads of this process's user.
fn tasks_of_this_user() -> io::Result<u64> {
    let user = getuid().as_raw();
    let mut tasks = 0;
    for process in fs::read_dir("/proc")?.flatten() {
        // A process may end during the count. The status of such a process cannot be read.
        if process.metadata().is_ok_and(|metadata| metadata.uid() == user)
            && let Ok(of_process) = fs::read_dir(process.path().join("task"))
        {
            tasks += of_process.count() as u64;
        }
    }
    Ok(tasks)
}

fn rules(who: Confined<'_>) -> Result<RulesetCreated, ConfinementError> {
    let files: BitFlags<AccessFs> = match who {
        Confined::Node { .. } => AccessFs::from_all(KNOWN),
        Confined::Speaker { .. } | Confined::Program { .. } => AccessFs::from_write(KNOWN),
    };
    let ruleset = Ruleset::default().handle_access(files)?.handle_access(AccessNet::from_all(KNOWN))?;
    let mut ruleset = ruleset.scope(Scope::from_all(KNOWN))?.create()?;
    if let Some(hub) = who.hub() {
        let listens = NetPort::new(ANY_PORT, AccessNet::BindTcp);
        ruleset = ruleset.add_rule(listens)?.add_rule(NetPort::new(hub, AccessNet::ConnectTcp))?;
    }
    if let Some(Ports { listen, connect }) = who.ports() {
        // Processes of a server connect to one another, and the tests whether it is ready connect to it.
        let listened = listen.iter().map(|port| NetPort::new(*port, AccessNet::BindTcp | AccessNet::ConnectTcp));
        let connected = connect.iter().map(|port| NetPort::new(*port, AccessNet::ConnectTcp));
        ruleset = ruleset.add_rules(listened.chain(connected).map(Ok::<_, RulesetError>))?;
    }
    if !matches!(who, Confined::Node { .. }) {
        ruleset = ruleset.add_rule(PathBeneath::new(opened(Path::new(NOWHERE))?, AccessFs::WriteFile))?;
    }
    if let Some(folder) = who.folder() {
        ruleset = ruleset.add_rule(PathBeneath::new(opened(folder)?, files))?;
    }
    Ok(ruleset)
}

fn opened(path: &Path) -> io::Result<PathFd> {
    PathFd::new(path).map_err(|error| io::Error::other(error.to_string()))
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::io::ErrorKind;
    use std::net::{Ipv4Addr, TcpListener, TcpStream};
    use std::os::unix::fs::PermissionsExt;

    use tempfile::TempDir;

    use super::*;

    /// Executes an attempt in a confined thread; other threads are not affected. Returns `None` if the kernel
    /// cannot confine the thread completely.
    fn confined<T: Send>(who: Confined<'_>, attempt: impl FnOnce() -> T + Send) -> Option<T> {
        let within = || {
            let extent = rules(who).expect("rules").restrict_self().expect("confined").ruleset;
            (extent == RulesetStatus::FullyEnforced).then(attempt)
        };
        let done = std::thread::scope(|scope| scope.spawn(within).join().expect("it does not panic"));
        let required =
            std::env::var("INTERLOCK_REQUIRE").is_ok_and(|list| list.split(',').any(|one| one == "landlock"));
        assert!(done.is_some() || !required, "INTERLOCK_REQUIRE asks for landlock: this needs Linux 6.12");
        done
    }

    /// Tries to read a system file, to write to two folders, to listen, and to connect to two ports. Returns the
    /// error of each attempt, or `None` if it succeeds.
    fn attempts(own: &Path, other: &Path, [hub, stranger]: [u16; 2]) -> [Option<ErrorKind>; 6] {
        let error = |done: io::Result<()>| done.err().map(|error| error.kind());
        let connects = |port| TcpStream::connect((Ipv4Addr::LOCALHOST, port)).map(drop);
        [
            error(File::open("/proc/version").map(drop)),
            error(fs::write(own.join("a"), "b")),
            error(fs::write(other.join("a"), "b")),
            error(TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map(drop)),
            error(connects(hub)),
            error(connects(stranger)),
        ]
    }

    #[test]
    fn each_can_do_what_it_is_there_for_and_nothing_else() {
        let [own, other] = [(); 2].map(|()| TempDir::new().expect("a folder"));
        let listeners = [(); 2].map(|()| TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port"));
        let ports = listeners.each_ref().map(|listener| listener.local_addr().expect("an address").port());
        let [hub, _] = ports;
        let try_all = || attempts(own.path(), other.path(), ports);
        assert_eq!(try_all(), [None; 6], "nobody is confined yet");
        let no = Some(ErrorKind::PermissionDenied);
        let (folder, ports) = (Some(own.path()), &Ports::default());
        for (who, expected) in [
            (Confined::Node { hub }, [no, no, no, None, None, no]),
            (Confined::Speaker { hub, folder, ports }, [None, None, no, None, None, no]),
            (Confined::Program { folder, ports }, [None, None, no, no, no, no]),
            (Confined::Program { folder: None, ports }, [None, no, no, no, no, no]),
        ] {
            let Some(found) = confined(who, try_all) else { return };
            assert_eq!(found, expected, "{who:?}");
        }
        assert_eq!(try_all(), [None; 6], "only the others were");
    }

    /// Tries to listen at a port and at another one, and to connect to each of three ports. Returns the error of each
    /// attempt, or `None` if it succeeds.
    fn attempts_at([listens, other]: [u16; 2], connects: [u16; 3]) -> [Option<ErrorKind>; 5] {
        let error = |done: io::Result<()>| done.err().map(|error| error.kind());
        let bound = |port| error(TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map(drop));
        let [first, second, third] =
            connects.map(|port| error(TcpStream::connect((Ipv4Addr::LOCALHOST, port)).map(drop)));
        [bound(listens), bound(other), first, second, third]
    }

    #[test]
    fn a_program_uses_exactly_its_ports() {
        let at = || TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        let port_of = |listener: &TcpListener| listener.local_addr().expect("an address").port();
        let [free, other] = [at(), at()].each_ref().map(port_of);
        let listeners = [at(), at(), at()];
        let [hub, service, stranger] = listeners.each_ref().map(port_of);
        let try_all = || attempts_at([free, other], [hub, service, stranger]);
        assert_eq!(try_all(), [None; 5], "nobody is confined yet");
        let no = Some(ErrorKind::PermissionDenied);
        let ports = |listen: &[u16], connect: &[u16]| Ports { listen: listen.to_vec(), connect: connect.to_vec() };
        let [none, client, server] = [ports(&[], &[]), ports(&[], &[service]), ports(&[free], &[service])];
        // The tests whether a service is ready connect to the port at which it listens.
        let tested = ports(&[service], &[]);
        let folder = None;
        for (who, expected) in [
            (Confined::Program { folder, ports: &none }, [no, no, no, no, no]),
            (Confined::Program { folder, ports: &client }, [no, no, no, None, no]),
            (Confined::Program { folder, ports: &server }, [None, no, no, None, no]),
            (Confined::Program { folder, ports: &tested }, [no, no, no, None, no]),
            (Confined::Speaker { hub, folder, ports: &client }, [no, no, None, None, no]),
            (Confined::Speaker { hub, folder, ports: &server }, [None, no, None, None, no]),
            (Confined::Speaker { hub, folder, ports: &tested }, [no, no, None, None, no]),
        ] {
            let Some(found) = confined(who, try_all) else { return };
            assert_eq!(found, expected, "{who:?}");
        }
        assert_eq!(try_all(), [None; 5], "only the others were");
    }

    #[test]
    fn a_folder_is_empty_at_first_and_then_kept_only_by_who_keeps_what_it_has_stored() {
        let above = TempDir::new().expect("a folder");
        let path = above.path().join("run").join("0");
        let made = |keeps| make(&OwnFolder { path: path.clone(), keeps }).expect("made");
        made(false);
        assert_eq!(fs::metadata(&path).expect("it is there").permissions().mode() & 0o777, PRIVATE);
        fs::write(path.join("state"), "1").expect("written");
        made(true);
        assert!(path.join("state").exists());
        made(false);
        assert!(path.exists() && !path.join("state").exists());
    }

    #[test]
    fn each_wall_that_is_missing_is_named() {
        let all = Extent { landlock: Landlock::All, filtered: true, read_only: true };
        for (extent, gaps) in [
            (all, 0),
            (Extent { landlock: Landlock::Part, ..all }, 1),
            (Extent { filtered: false, read_only: false, ..all }, 2),
            (Extent { landlock: Landlock::Nothing, filtered: false, read_only: false }, 3),
        ] {
            assert_eq!(extent.gaps().count(), gaps, "{extent:?}");
        }
    }

    #[test]
    fn this_process_is_counted_among_those_of_its_user() {
        let before = tasks_of_this_user().expect("counted");
        assert!(before >= 2, "this thread, and that of the tests");
    }
}
