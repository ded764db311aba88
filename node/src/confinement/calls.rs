//! Refused system calls: a seccomp filter for operations that Landlock does not cover.
//!
//! A refused call fails with EPERM, and the process continues. The filter sees the arguments of a call, but neither
//! paths nor data behind a pointer. It therefore cannot distinguish files, and must allow changes of the mode and
//! the times of a file, which Python's `shutil.copy2` needs. Read-only mounts limit these changes to the folder of
//! the program (`mounts.rs`).

use std::env::consts::ARCH;
use std::io;

use libc::{c_int, c_long};
use seccompiler::{
    BackendError, BpfProgram, Error, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, apply_filter, sock_filter,
};

use super::Confined;

/// A test of one argument of a call. The first field is the position of the argument.
#[derive(Clone, Copy)]
enum Test {
    Is(u8, c_int),
    Not(u8, c_int),
    /// The bits of the argument under a mask are equal to a value. The fields are position, mask and value.
    Masked(u8, c_int, c_int),
    /// The argument is a non-null pointer.
    Given(u8),
}

use Test::{Given, Is, Masked, Not};

impl Test {
    fn condition(self) -> Result<SeccompCondition, BackendError> {
        let bits = |number: c_int| u64::from(number.cast_unsigned());
        let (place, length, operator, value) = match self {
            Is(place, value) => (place, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, bits(value)),
            Not(place, value) => (place, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, bits(value)),
            Masked(place, mask, value) => {
                (place, SeccompCmpArgLen::Dword, SeccompCmpOp::MaskedEq(bits(mask)), bits(value))
            }
            Given(place) => (place, SeccompCmpArgLen::Qword, SeccompCmpOp::Ne, 0),
        };
        SeccompCondition::new(place, length, operator, value)
    }
}

/// A system call, and the lists of tests under which it is refused. The call is refused if all tests of at least
/// one list pass.
type Refused = (c_long, &'static [&'static [Test]]);

/// A list without tests: the call is always refused.
const ALWAYS: &[&[Test]] = &[];
/// Error of a refused call.
const REFUSED: u32 = libc::EPERM.cast_unsigned();
/// Error of a call that the kernel does not have. A library that gets this error uses an older call instead.
const ABSENT: u32 = libc::ENOSYS.cast_unsigned();
/// Error of a socket whose address family the kernel does not have.
const NO_FAMILY: u32 = libc::EAFNOSUPPORT.cast_unsigned();

// `libc` does not define the numbers of these calls on all platforms. All calls added since Linux 5.1 have the
// same number on all processors.
const SYS_FCHMODAT2: c_long = 452;
const SYS_SETXATTRAT: c_long = 463;
const SYS_REMOVEXATTRAT: c_long = 466;
const SYS_FILE_SETATTR: c_long = 469;
const FS_IOC_SETFLAGS: c_int = 0x4008_6602;
const FS_IOC_FSSETXATTR: c_int = 0x401c_5820;
const TCP_FASTOPEN_CONNECT: c_int = 30;
const IOPRIO_WHO_PROCESS: c_int = 1;
/// Bits of a socket type that are not flags.
const SOCKET_TYPE: c_int = 0xf;

/// Calls that change owner, extended attributes or flags of a file. Landlock has no rule for them.
const ATTRIBUTES: &[Refused] = &[
    (libc::SYS_fchown, ALWAYS),
    (libc::SYS_fchownat, ALWAYS),
    (libc::SYS_setxattr, ALWAYS),
    (libc::SYS_lsetxattr, ALWAYS),
    (libc::SYS_fsetxattr, ALWAYS),
    (SYS_SETXATTRAT, ALWAYS),
    (libc::SYS_removexattr, ALWAYS),
    (libc::SYS_lremovexattr, ALWAYS),
    (libc::SYS_fremovexattr, ALWAYS),
    (SYS_REMOVEXATTRAT, ALWAYS),
    (SYS_FILE_SETATTR, ALWAYS),
    (libc::SYS_ioctl, &[&[Is(1, FS_IOC_SETFLAGS)], &[Is(1, FS_IOC_FSSETXATTR)]]),
];

/// Calls that change the attributes of [`ATTRIBUTES`] and exist only on x86-64.
#[cfg(target_arch = "x86_64")]
const OLD_ATTRIBUTES: &[Refused] = &[(libc::SYS_chown, ALWAYS), (libc::SYS_lchown, ALWAYS)];
#[cfg(not(target_arch = "x86_64"))]
const OLD_ATTRIBUTES: &[Refused] = &[];

/// Calls that open a file by a handle; root can do this without a path. Through the mount of the program's folder,
/// a handle reaches any file on the same disk, so it bypasses the read-only mounts.
const HANDLES: &[Refused] = &[(libc::SYS_open_by_handle_at, ALWAYS)];

/// Calls that change the mode or the times of a file.
const MODE_AND_TIMES: &[Refused] =
    &[(libc::SYS_fchmod, ALWAYS), (libc::SYS_fchmodat, ALWAYS), (SYS_FCHMODAT2, ALWAYS), (libc::SYS_utimensat, ALWAYS)];

/// Calls that change the mode or the times of a file and exist only on x86-64.
#[cfg(target_arch = "x86_64")]
const OLD_MODE_AND_TIMES: &[Refused] =
    &[(libc::SYS_chmod, ALWAYS), (libc::SYS_utime, ALWAYS), (libc::SYS_utimes, ALWAYS), (libc::SYS_futimesat, ALWAYS)];
#[cfg(not(target_arch = "x86_64"))]
const OLD_MODE_AND_TIMES: &[Refused] = &[];

/// Calls that change limits, priority or processors of another process. Process number 0 means the calling
/// process, so calls with this number are allowed.
const OTHER_PROCESSES: &[Refused] = &[
    (libc::SYS_prlimit64, &[&[Not(0, 0)]]),
    (libc::SYS_setpriority, &[&[Not(0, libc::PRIO_PROCESS.cast_signed())], &[Not(1, 0)]]),
    (libc::SYS_ioprio_set, &[&[Not(0, IOPRIO_WHO_PROCESS)], &[Not(1, 0)]]),
    (libc::SYS_sched_setaffinity, &[&[Not(0, 0)]]),
    (libc::SYS_sched_setscheduler, &[&[Not(0, 0)]]),
    (libc::SYS_sched_setparam, &[&[Not(0, 0)]]),
    (libc::SYS_sched_setattr, &[&[Not(0, 0)]]),
    (libc::SYS_pidfd_getfd, ALWAYS),
];

/// Expands to one test list for each flag that creates a namespace.
macro_rules! namespaces {
    ($($more:expr),*) => {
        &[
            $(&[Masked(0, $more, $more)],)*
            &[Masked(0, libc::CLONE_NEWCGROUP, libc::CLONE_NEWCGROUP)],
            &[Masked(0, libc::CLONE_NEWIPC, libc::CLONE_NEWIPC)],
            &[Masked(0, libc::CLONE_NEWNET, libc::CLONE_NEWNET)],
            &[Masked(0, libc::CLONE_NEWNS, libc::CLONE_NEWNS)],
            &[Masked(0, libc::CLONE_NEWPID, libc::CLONE_NEWPID)],
            &[Masked(0, libc::CLONE_NEWUSER, libc::CLONE_NEWUSER)],
            &[Masked(0, libc::CLONE_NEWUTS, libc::CLONE_NEWUTS)],
        ]
    };
}

/// Calls that create or enter namespaces. The flag of a time namespace is tested only for `unshare`: in `clone`,
/// this bit belongs to the signal number.
const NAMESPACES: &[Refused] = &[
    (libc::SYS_unshare, namespaces!(libc::CLONE_NEWTIME)),
    (libc::SYS_clone, namespaces!()),
    (libc::SYS_setns, ALWAYS),
];

/// Test for a mapping that grows like a stack. The memory limit does not count such a mapping.
const GROWS: &[Test] = &[Masked(3, libc::MAP_GROWSDOWN, libc::MAP_GROWSDOWN)];

/// Calls that allocate memory which processes share without a file. The memory limit does not count such memory.
const SHARED: &[Refused] = &[(
    libc::SYS_mmap,
    &[&[Masked(3, libc::MAP_SHARED | libc::MAP_ANONYMOUS, libc::MAP_SHARED | libc::MAP_ANONYMOUS)], GROWS],
)];

/// The calls that remain of [`SHARED`] for a service. Servers of several processes, such as `postgres`, keep their
/// buffers in memory that these processes share. The user configures the size of the buffers.
const SHARED_BY_SERVICES: &[Refused] = &[(libc::SYS_mmap, &[GROWS])];

/// Calls for shared memory with a number. `postgres` needs it to recognize a server that already uses its folder.
const NUMBERED_MEMORY: &[Refused] =
    &[(libc::SYS_shmget, ALWAYS), (libc::SYS_shmat, ALWAYS), (libc::SYS_shmctl, ALWAYS)];

/// Calls that allocate other memory which no limit counts, and calls that create objects which other processes can
/// open by a name instead of a path.
const OBJECTS: &[Refused] = &[
    (libc::SYS_memfd_create, ALWAYS),
    (libc::SYS_memfd_secret, ALWAYS),
    (libc::SYS_msgget, ALWAYS),
    (libc::SYS_msgsnd, ALWAYS),
    (libc::SYS_msgrcv, ALWAYS),
    (libc::SYS_msgctl, ALWAYS),
    (libc::SYS_semget, ALWAYS),
    (libc::SYS_semop, ALWAYS),
    (libc::SYS_semtimedop, ALWAYS),
    (libc::SYS_semctl, ALWAYS),
    (libc::SYS_mq_open, ALWAYS),
    (libc::SYS_mq_unlink, ALWAYS),
    (libc::SYS_add_key, ALWAYS),
    (libc::SYS_request_key, ALWAYS),
    (libc::SYS_keyctl, ALWAYS),
];

/// Calls of `io_uring`: its operations do not use system calls, so the filter could not see them.
const RINGS: &[Refused] =
    &[(libc::SYS_io_uring_setup, ALWAYS), (libc::SYS_io_uring_enter, ALWAYS), (libc::SYS_io_uring_register, ALWAYS)];

/// Calls that create pairs of sockets that can later be connected to other sockets. Such a socket could send to
/// any other socket by the path of that socket.
const PAIRS: &[Refused] = &[(
    libc::SYS_socketpair,
    &[
        &[Not(0, libc::AF_UNIX)],
        &[Masked(1, SOCKET_TYPE, libc::SOCK_DGRAM)],
        // For `AF_UNIX`, `SOCK_RAW` means the same as `SOCK_DGRAM`.
        &[Masked(1, SOCKET_TYPE, libc::SOCK_RAW)],
    ],
)];

/// Calls that create a socket, except TCP sockets over IPv4, whose ports Landlock restricts. The list also
/// contains operations that reach a port without a call of `connect`.
const ALL_BUT_TCP: &[Refused] = &[
    (
        libc::SYS_socket,
        &[
            &[Not(0, libc::AF_INET)],
            // `SOCK_STREAM` is 1. Every other type of socket lacks this bit, or has an additional bit.
            &[Masked(1, libc::SOCK_STREAM, 0)],
            &[Masked(1, 2, 2)],
            &[Masked(1, 4, 4)],
            &[Masked(1, 8, 8)],
            // MPTCP and SCTP also have the type `SOCK_STREAM`.
            &[Not(2, 0), Not(2, libc::IPPROTO_TCP)],
        ],
    ),
    (
        libc::SYS_setsockopt,
        &[
            &[Is(1, libc::IPPROTO_TCP), Is(2, TCP_FASTOPEN_CONNECT)],
            // The option `TCP_ULP` changes the protocol of the connection.
            &[Is(1, libc::IPPROTO_TCP), Is(2, libc::TCP_ULP)],
        ],
    ),
    (libc::SYS_sendto, &[&[Masked(3, libc::MSG_FASTOPEN, libc::MSG_FASTOPEN)]]),
    (libc::SYS_sendmsg, &[&[Masked(2, libc::MSG_FASTOPEN, libc::MSG_FASTOPEN)]]),
    (libc::SYS_sendmmsg, &[&[Masked(3, libc::MSG_FASTOPEN, libc::MSG_FASTOPEN)]]),
];

/// Calls that create a socket for IPv6.
const IPV6: &[Refused] = &[(libc::SYS_socket, &[&[Is(0, libc::AF_INET6)]])];

/// Calls that create a socket, except pairs of sockets that stay connected.
const ALL_SOCKETS: &[Refused] = &[
    (libc::SYS_socket, ALWAYS),
    (libc::SYS_bind, ALWAYS),
    (libc::SYS_listen, ALWAYS),
    (libc::SYS_accept, ALWAYS),
    (libc::SYS_accept4, ALWAYS),
    (libc::SYS_connect, ALWAYS),
    (libc::SYS_sendto, &[&[Given(4)]]),
];

/// Returns the system calls that are refused for `who`. Each call is in only one of the chosen lists.
fn refused(who: Confined<'_>, has_own_objects: bool) -> impl Iterator<Item = &'static Refused> {
    let of_all = [ATTRIBUTES, OLD_ATTRIBUTES, HANDLES, OTHER_PROCESSES, NAMESPACES, OBJECTS, RINGS, PAIRS];
    let more = match who {
        Confined::Node { .. } => [ALL_BUT_TCP, MODE_AND_TIMES, OLD_MODE_AND_TIMES],
        Confined::Program { ports, .. } if ports.is_empty() => [ALL_SOCKETS, &[], &[]],
        Confined::Speaker { .. } | Confined::Program { .. } => [ALL_BUT_TCP, &[], &[]],
    };
    let memory = if who.serves() { SHARED_BY_SERVICES } else { SHARED };
    // The speaker of a service has separated the objects, and its filter also applies to the program. The program
    // cannot separate them again.
    let is_separate = who.serves() && (has_own_objects || matches!(who, Confined::Program { .. }));
    let numbered = if is_separate { &[] } else { NUMBERED_MEMORY };
    of_all.into_iter().chain(more).chain([memory, numbered]).flatten()
}

/// Whether the kernel supports filters of system calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filtered {
    /// The filter is active.
    Yes,
    /// The kernel has no filters.
    No,
}

/// Installs the filters for `who` in the calling thread. They also apply to all its future children.
/// `has_own_objects` means that no other process has the System V objects of the caller.
///
/// # Errors
/// If the kernel supports filters, but refuses one of these filters.
pub fn refuse(who: Confined<'_>, has_own_objects: bool) -> Result<Filtered, Error> {
    let mut filters = vec![filter(refused(who, has_own_objects), REFUSED)?, absences()];
    if who.ports().is_some_and(|ports| !ports.is_empty()) {
        // If several filters refuse a call, the error of the last one counts. Redis, for example, does not start if
        // IPv6 is forbidden, but starts if it is absent.
        filters.push(filter(IPV6, NO_FAMILY)?);
    }
    for filter in filters {
        match apply_filter(&filter) {
            Err(Error::Seccomp(error)) if is_lack(&error) => return Ok(Filtered::No),
            applied => applied?,
        }
    }
    Ok(Filtered::Yes)
}

/// Whether `error` means that the kernel was built without filters.
fn is_lack(error: &io::Error) -> bool {
    [libc::ENOSYS, libc::EINVAL].map(Some).contains(&error.raw_os_error())
}

/// Returns the filter that makes the calls of `refused` fail with `error`.
fn filter(refused: impl IntoIterator<Item = &'static Refused>, error: u32) -> Result<BpfProgram, BackendError> {
    let rule = |tests: &&[Test]| SeccompRule::new(tests.iter().map(|test| test.condition()).collect::<Result<_, _>>()?);
    let rules = refused.into_iter().map(|(call, lists)| Ok((*call, lists.iter().map(rule).collect::<Result<_, _>>()?)));
    let rules = rules.collect::<Result<_, BackendError>>()?;
    let (pass, fail) = (SeccompAction::Allow, SeccompAction::Errno(error));
    let mut filter: BpfProgram = SeccompFilter::new(rules, pass, fail, ARCH.try_into()?)?.try_into()?;
    // Calls of another processor architecture fail as if the kernel did not have these calls. Otherwise the filter
    // would end the process.
    let (ends, fails) = (u32::from(SeccompAction::KillProcess), u32::from(SeccompAction::Errno(ABSENT)));
    filter.iter_mut().filter(|step| step.code == RETURN && step.k == ends).for_each(|step| step.k = fails);
    Ok(filter)
}

/// Filter instruction that loads the number of the system call.
const LOAD_NUMBER: sock_filter = sock_filter { code: 0x20, jt: 0, jf: 0, k: 0 };
/// Operation code of the filter instruction that returns its operand.
const RETURN: u16 = 0x06;
const JUMP_IF_EQUAL: u16 = 0x15;
const JUMP_IF_AT_LEAST: u16 = 0x35;
/// Lowest call number of the x32 ABI: a second set of call numbers on x86-64, for 32-bit pointers.
const SECOND_NUMBERS: u32 = 0x4000_0000;

/// Returns a filter under which the kernel seems to lack certain calls. These are `clone3`, whose flags are behind
/// a pointer and so cannot be tested, and all calls of the second set of numbers.
fn absences() -> BpfProgram {
    let returns = |action: SeccompAction| sock_filter { code: RETURN, jt: 0, jf: 0, k: action.into() };
    let clone3 = u32::try_from(libc::SYS_clone3).unwrap_or(u32::MAX);
    vec![
        LOAD_NUMBER,
        sock_filter { code: JUMP_IF_EQUAL, jt: 1, jf: 0, k: clone3 },
        sock_filter { code: JUMP_IF_AT_LEAST, jt: 0, jf: 1, k: SECOND_NUMBERS },
        returns(SeccompAction::Errno(ABSENT)),
        returns(SeccompAction::Allow),
    ]
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, SocketAddrV4, TcpListener};

    use interlock_machine::wire::Ports;
    use rustix::io::Errno;
    use rustix::net::{
        AddressFamily, Protocol, SendFlags, SocketFlags, SocketType, ipproto, listen, sendto, socket, socketpair,
    };

    use super::*;

    /// Tries operations on sockets. Returns the error of each operation, or `None` if it succeeds.
    fn attempts(port: u16) -> [Option<Errno>; 8] {
        const FAST_OPEN: SendFlags = SendFlags::from_bits_retain(libc::MSG_FASTOPEN.cast_unsigned());
        let (inet, stream, datagram) = (AddressFamily::INET, SocketType::STREAM, SocketType::DGRAM);
        let error = |done: Result<(), Errno>| done.err();
        let opened = |family, kind, protocol| error(socket(family, kind, protocol).map(drop));
        let paired = |kind| error(socketpair(AddressFamily::UNIX, kind, SocketFlags::empty(), None).map(drop));
        let mptcp: Option<Protocol> = Some(ipproto::MPTCP);
        let address = SocketAddrV4::new(Ipv4Addr::LOCALHOST, port);
        [
            error(socket(inet, stream, None).and_then(|one| listen(one, 1))),
            paired(stream),
            opened(inet, stream, mptcp),
            opened(inet, datagram, None),
            opened(AddressFamily::UNIX, stream, None),
            opened(AddressFamily::INET6, stream, None),
            paired(datagram),
            error(socket(inet, stream, None).and_then(|one| sendto(one, b"x", FAST_OPEN, &address).map(drop))),
        ]
    }

    /// Tries the operations in a filtered thread; other threads are not affected. Returns `None` if the kernel does
    /// not support filters.
    fn refused(who: Confined<'_>, port: u16) -> Option<[Option<Errno>; 8]> {
        let within = || (refuse(who, true).expect("a filter") == Filtered::Yes).then(|| attempts(port));
        std::thread::scope(|scope| scope.spawn(within).join().expect("it does not panic"))
    }

    #[test]
    fn nodes_have_sockets_of_tcp_alone_and_programs_without_ports_have_none() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        let port = listener.local_addr().expect("an address").port();
        assert_eq!(attempts(port), [None; 8], "nothing is refused yet");
        let (no, absent) = (Some(Errno::PERM), Some(Errno::AFNOSUPPORT));
        let none = Ports::default();
        let client = Ports { connect: vec![port], ..Ports::default() };
        let server = Ports { listen: vec![port], ..Ports::default() };
        for (who, listens, ipv6) in [
            (Confined::Node { hub: port }, None, no),
            (Confined::Speaker { hub: port, folder: None, ports: &none }, None, no),
            (Confined::Program { folder: None, ports: &none }, no, no),
            (Confined::Program { folder: None, ports: &client }, None, absent),
            (Confined::Program { folder: None, ports: &server }, None, absent),
        ] {
            let Some(found) = refused(who, port) else { return };
            assert_eq!(found, [listens, None, no, no, no, ipv6, no, no], "{who:?}");
        }
        assert_eq!(attempts(port), [None; 8], "only other threads were refused anything");
    }

    #[test]
    fn only_services_share_memory_without_a_file() {
        let none = Ports::default();
        let client = Ports { connect: vec![1], ..Ports::default() };
        let server = Ports { listen: vec![1], ..Ports::default() };
        let folder = None;
        for (who, own, [memory, numbered]) in [
            (Confined::Node { hub: 1 }, true, [false, false]),
            (Confined::Program { folder, ports: &none }, true, [false, false]),
            (Confined::Program { folder, ports: &client }, true, [false, false]),
            (Confined::Program { folder, ports: &server }, false, [true, true]),
            (Confined::Speaker { hub: 1, folder, ports: &client }, true, [false, false]),
            (Confined::Speaker { hub: 1, folder, ports: &server }, true, [true, true]),
            (Confined::Speaker { hub: 1, folder, ports: &server }, false, [true, false]),
        ] {
            let lists = |call: c_long| super::refused(who, own).filter(move |(refused, _)| *refused == call);
            let maps: Vec<usize> = lists(libc::SYS_mmap).map(|(_, lists)| lists.len()).collect();
            assert_eq!(maps, [if memory { 1 } else { 2 }], "{who:?}");
            assert_eq!(lists(libc::SYS_shmget).count(), usize::from(!numbered), "{who:?}, {own}");
        }
    }

    #[test]
    fn a_program_for_another_processor_is_not_ended() {
        let who = Confined::Program { folder: None, ports: &Ports::default() };
        let filter = filter(super::refused(who, false), REFUSED).expect("a filter");
        let ends = u32::from(SeccompAction::KillProcess);
        assert!(filter.iter().all(|step| step.code != RETURN || step.k != ends));
        assert!(filter.len() < 4096, "the kernel takes no more steps");
    }
}
