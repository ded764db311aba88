"""A node that tries each act that is forbidden according to the guide, and some allowed acts. Its view has the result
of each act: `done`, or the name of the error. Arguments: a TCP port, the path of a Unix socket for connections, the
path of a Unix socket for datagrams, and the path of a file that the node owns outside of its folder.
"""

import ctypes
import errno
import json
import mmap
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading

LIBC = ctypes.CDLL(None, use_errno=True)
X86 = os.uname().machine == "x86_64"
MEBIBYTE = 1 << 20
PAST_THE_BOUND = 300 * MEBIBYTE
PORT, STREAM, DATAGRAM, OUTSIDE = int(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4]
HOME = os.environ["HOME"]


def parent_of(pid):
    with open(f"/proc/{pid}/stat") as file:
        return int(file.read().rsplit(")", 1)[1].split()[1])


KEEPER = os.getppid()
ORCHESTRATOR = parent_of(parent_of(KEEPER))


def call(result):
    """Returns the result of a function of libc, or raises its error."""
    if result == -1:
        raise OSError(ctypes.get_errno(), "refused")
    return result


def system_call(number, *arguments):
    return call(LIBC.syscall(ctypes.c_long(number), *[ctypes.c_long(argument) for argument in arguments]))


def number(on_x86, elsewhere):
    return on_x86 if X86 else elsewhere


def write(path):
    with open(path, "w") as file:
        file.write("x")


def read(path):
    with open(path, "rb") as file:
        file.read()


def rename():
    os.rename(OUTSIDE, OUTSIDE + "~")
    os.rename(OUTSIDE + "~", OUTSIDE)


def with_socket(act, *kind):
    with socket.socket(*kind) as one:
        return act(one)


def set_flags():
    # Reads the flags of the file and sets the same flags again.
    import fcntl

    with open(OUTSIDE) as file:
        flags = fcntl.ioctl(file, 0x8008_6601, bytes(8))
        fcntl.ioctl(file, 0x4008_6602, flags)


class Handle(ctypes.Structure):
    _fields_ = [("bytes", ctypes.c_uint), ("kind", ctypes.c_int), ("handle", ctypes.c_ubyte * 128)]


def by_handle():
    # Opens the file through the mount of the node's folder, since that mount is not read-only.
    handle, mount = Handle(128), ctypes.c_int()
    call(LIBC.name_to_handle_at(-100, OUTSIDE.encode(), ctypes.byref(handle), ctypes.byref(mount), 0))
    return call(LIBC.open_by_handle_at(os.open(HOME, os.O_RDONLY), ctypes.byref(handle), os.O_RDONLY))


def send_from_pair():
    one, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    with one, other:
        one.sendmsg([b"x"], [], 0, DATAGRAM)


def listen(one):
    # A socket without an address listens at all addresses.
    one.listen()


def fast_open(one):
    one.sendto(b"x", 0x2000_0000, ("127.0.0.1", PORT))


def fast_connect(one):
    one.setsockopt(socket.IPPROTO_TCP, 30, 1)
    one.connect(("127.0.0.1", PORT))
    one.send(b"x")


def priority():
    os.setpriority(os.PRIO_PROCESS, ORCHESTRATOR, os.getpriority(os.PRIO_PROCESS, ORCHESTRATOR))


def bounds():
    import resource

    present = resource.getrlimit(resource.RLIMIT_CPU)
    resource.prlimit(ORCHESTRATOR, resource.RLIMIT_CPU, present)


def scheduling():
    os.sched_setscheduler(ORCHESTRATOR, os.SCHED_OTHER, os.sched_param(0))


def namespace_by_clone():
    pid = system_call(number(56, 220), 0x1000_0000 | signal.SIGCHLD, 0, 0, 0, 0)
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)


def namespace_by_unshare():
    pid = os.fork()
    if pid == 0:
        os._exit(0 if LIBC.unshare(0x1000_0000) == 0 else ctypes.get_errno())
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if code:
        raise OSError(code, "refused")


def clone3():
    # Called without arguments. A kernel that has this system call and allows it returns EINVAL.
    try:
        system_call(435, 0, 0)
    except OSError as error:
        if error.errno != errno.EINVAL:
            raise


def ring():
    parameters = ctypes.create_string_buffer(256)
    os.close(call(LIBC.syscall(425, 1, parameters)))


def segment():
    identifier = call(LIBC.shmget(0, ctypes.c_size_t(PAST_THE_BOUND), 0o1600))
    call(LIBC.shmctl(identifier, 0, None))


def queue():
    call(LIBC.msgctl(call(LIBC.msgget(0, 0o1600)), 0, None))


def semaphores():
    call(LIBC.semctl(call(LIBC.semget(0, 1, 0o1600)), 0, 0))


def named_queue():
    name = f"/interlock-{os.getpid()}".encode()
    library = ctypes.CDLL("librt.so.1", use_errno=True)
    call(library.mq_open(name, os.O_CREAT | os.O_RDWR, 0o600, None))
    call(library.mq_unlink(name))


def touched(memory):
    for place in range(0, PAST_THE_BOUND, mmap.PAGESIZE):
        memory[place] = 1
    memory.close()


def shared():
    touched(mmap.mmap(-1, PAST_THE_BOUND))


def stack():
    touched(mmap.mmap(-1, PAST_THE_BOUND, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x100))


def anonymous_file():
    os.close(os.memfd_create("x"))


def copies():
    source = os.path.join(HOME, "source")
    write(source)
    os.chmod(source, 0o751)
    os.utime(source, (1, 1))
    copy = shutil.copy2(source, os.path.join(HOME, "copy"))
    status = os.stat(copy)
    assert (status.st_mode & 0o777, status.st_mtime) == (0o751, 1), status


def copies_from_elsewhere():
    shutil.copy2(sys.argv[0], os.path.join(HOME, "probe.py"))


def starts():
    assert subprocess.run(["sh", "-c", "echo out"], capture_output=True, start_new_session=True).stdout == b"out\n"


def node():
    code = "require('fs').writeFileSync(process.env.HOME + '/js', 'x');" \
        "console.log(require('child_process').execSync('echo out').toString())"
    assert subprocess.run(["node", "-e", code], capture_output=True).stdout == b"out\n\n"


def java():
    code = 'class Probe { public static void main(String[] words) throws Exception {' \
        'new Thread(() -> System.out.println("out")).start(); ' \
        'java.nio.file.Files.writeString(java.nio.file.Path.of(System.getenv("HOME"), "java"), "x"); } }'
    source = os.path.join(HOME, "Probe.java")
    with open(source, "w") as file:
        file.write(code)
    done = subprocess.run(["java", "-Xmx64m", source], capture_output=True)
    assert done.stdout == b"out\n", done


def threads():
    thread = threading.Thread(target=lambda: os.getpid())
    thread.start()
    thread.join()


def pair():
    one, other = socket.socketpair()
    with one, other:
        one.sendall(b"x")
        assert other.recv(1) == b"x"


def own_bounds():
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    os.setpriority(os.PRIO_PROCESS, 0, os.getpriority(os.PRIO_PROCESS, 0))


INET, UNIX, TCP, UDP = socket.AF_INET, socket.AF_UNIX, socket.SOCK_STREAM, socket.SOCK_DGRAM
ADDRESS = ("127.0.0.1", PORT)
FORBIDDEN = {
    "write beside": lambda: write("beside.txt"),
    "write over": lambda: write(OUTSIDE),
    "rename": rename,
    "chmod": lambda: os.chmod(OUTSIDE, 0o640),
    "fchmod": lambda: os.fchmod(os.open(OUTSIDE, os.O_RDONLY), 0o640),
    "utime": lambda: os.utime(OUTSIDE, (1, 1)),
    "chown": lambda: os.chown(OUTSIDE, os.getuid(), os.getgid()),
    "fchown": lambda: os.fchown(os.open(OUTSIDE, os.O_RDONLY), os.getuid(), os.getgid()),
    "lchown": lambda: os.lchown(OUTSIDE, os.getuid(), os.getgid()),
    "setxattr": lambda: os.setxattr(OUTSIDE, "user.probe", b"x"),
    "removexattr": lambda: os.removexattr(OUTSIDE, "user.present"),
    "flags": set_flags,
    "connect": lambda: with_socket(lambda one: one.connect(ADDRESS), INET, TCP),
    "connect by MPTCP": lambda: with_socket(lambda one: one.connect(ADDRESS), INET, TCP, 262),
    "connect by TCP Fast Open": lambda: with_socket(fast_open, INET, TCP),
    "connect by TCP_FASTOPEN_CONNECT": lambda: with_socket(fast_connect, INET, TCP),
    "UDP": lambda: with_socket(lambda one: one.sendto(b"x", ADDRESS), INET, UDP),
    "Unix socket": lambda: with_socket(lambda one: one.connect(STREAM), UNIX, TCP),
    "Unix datagram": lambda: with_socket(lambda one: one.sendto(b"x", DATAGRAM), UNIX, UDP),
    "Unix datagram from a pair": send_from_pair,
    "listen": lambda: with_socket(listen, INET, TCP),
    "vsock": lambda: with_socket(lambda one: None, 40, TCP),
    "netlink": lambda: with_socket(lambda one: None, 16, socket.SOCK_RAW),
    "io_uring": ring,
    "bounds of the orchestrator": bounds,
    "priority of the orchestrator": priority,
    "scheduling of the orchestrator": scheduling,
    "processors of the orchestrator": lambda: os.sched_setaffinity(ORCHESTRATOR, os.sched_getaffinity(ORCHESTRATOR)),
    "signal to the orchestrator": lambda: os.kill(ORCHESTRATOR, 0),
    "signal to the keeper": lambda: os.kill(KEEPER, 0),
    "environment of the orchestrator": lambda: read(f"/proc/{ORCHESTRATOR}/environ"),
    "memory of the orchestrator": lambda: read(f"/proc/{ORCHESTRATOR}/auxv"),
    "namespace by unshare": namespace_by_unshare,
    "namespace by clone": namespace_by_clone,
    "clone3": clone3,
    "shared memory segment": segment,
    "message queue": queue,
    "semaphores": semaphores,
    "named message queue": named_queue,
    "key": lambda: call(LIBC.syscall(number(248, 217), b"user", b"probe", b"x", ctypes.c_size_t(1), -2)),
    "shared memory": shared,
    "memory as a stack": stack,
    "file in memory": anonymous_file,
    "memory": lambda: bytearray(PAST_THE_BOUND),
    "link": lambda: os.link(OUTSIDE, os.path.join(HOME, "link")),
    "write to the system": lambda: write("/proc/self/comm"),
}
# Even without confinement, only root may open files by their handles.
if os.getuid() == 0:
    FORBIDDEN["chmod by a handle"] = lambda: os.fchmod(by_handle(), 0o640)
    FORBIDDEN["utime by a handle"] = lambda: os.utime(by_handle(), (1, 1))
ALLOWED = {
    "write into the folder": lambda: write(os.path.join(HOME, "a")),
    "temporary file": lambda: tempfile.TemporaryFile().close(),
    "shutil.copy2": copies,
    "shutil.copy2 from elsewhere": copies_from_elsewhere,
    "subprocess": starts,
    "threads": threads,
    "socketpair": pair,
    "own bounds": own_bounds,
    "signal to itself": lambda: os.kill(os.getpid(), 0),
    "null": lambda: write("/dev/null"),
    "mapped file": lambda: mmap.mmap(os.open(os.path.join(HOME, "a"), os.O_RDWR), 1).close(),
    **{name: act for name, act in (("node", node), ("java", java)) if shutil.which(name)},
}


def tried(act):
    try:
        act()
        return "done"
    except OSError as error:
        return errno.errorcode.get(error.errno, str(error.errno))
    except (MemoryError, AssertionError) as error:
        return f"{type(error).__name__}: {error}"


found = {f"{kind}: {name}": tried(act) for kind, acts in (("can", ALLOWED), ("cannot", FORBIDDEN))
         for name, act in acts.items()}
for line in sys.stdin:
    document = json.loads(line)
    if "init" in document:
        answer = {"hello": {"protocol": 1}}
    else:
        answer = {"step": document["step"], "effects": [], "view": {"variables": found}}
    print(json.dumps(answer), flush=True)
