"""Starts a server for a scenario: `server.py KIND PORT [OPTION …]`, in the folder of the service.

The options follow those of this file. KIND is `redis`, `etcd`, `zookeeper` or `postgresql`. With
`postgresql-ready` the program asks whether PostgreSQL answers. If a server is not installed, the error names its
package in Debian.
"""

import os
import pathlib
import shutil
import subprocess
import sys

PACKAGES = {
    "redis": "redis-server",
    "etcd": "etcd-server",
    "zookeeper": "zookeeper libslf4j-java",
    "postgresql": "postgresql",
}


def need(kind, found):
    """Exits if a file of the server is missing."""
    if not found:
        sys.exit(f"the server `{kind}` is missing: apt-get install {PACKAGES[kind]}")
    return found


def redis(port):
    program = need("redis", shutil.which("redis-server"))
    return [program, "--port", port, "--bind", "127.0.0.1", "--save", "", "--loglevel", "warning",
            "--maxclients", "900"]


def etcd(port):
    program = need("etcd", shutil.which("etcd"))
    # A service has one port, and etcd listens at two. The second one has the same number at another address.
    client, peer = f"http://127.0.0.1:{port}", f"http://127.0.0.2:{port}"
    return [program, "--name", "n1", "--data-dir", "data", "--listen-client-urls", client,
            "--advertise-client-urls", client, "--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer,
            "--initial-cluster", f"n1={peer}", "--heartbeat-interval", "10", "--election-timeout", "100",
            "--logger", "zap", "--log-level", "error"]


def zookeeper(port):
    jars = [pathlib.Path("/usr/share/java") / name for name in ("zookeeper.jar", "slf4j-simple.jar")]
    need("zookeeper", all(jar.exists() for jar in jars))
    java = need("zookeeper", shutil.which("java"))
    pathlib.Path("zoo.cfg").write_text(
        f"dataDir=./data\nclientPort={port}\nclientPortAddress=127.0.0.1\ntickTime=500\nmaxSessionTimeout=60000\n"
        "maxClientCnxns=0\nadmin.enableServer=false\n4lw.commands.whitelist=srvr\npreAllocSize=1024\n"
    )
    return [java, "-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData",
            "-Djava.net.preferIPv4Stack=true", "-Dorg.slf4j.simpleLogger.logFile=zookeeper.log",
            "-cp", ":".join(map(str, jars)), "org.apache.zookeeper.server.ZooKeeperServerMain", "./zoo.cfg"]


def postgresql_programs():
    return need("postgresql", sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin")))[-1]


def postgresql(port):
    programs = postgresql_programs()
    if os.getuid() == 0:
        sys.exit("PostgreSQL does not run as root: begin the command with "
                 "`setpriv --reuid=nobody --regid=nogroup --clear-groups`")
    if not pathlib.Path("data").exists():
        subprocess.run([programs / "initdb", "-D", "data", "-A", "trust", "-U", "postgres", "-N", "--no-instructions",
                        "-E", "UTF8", "--locale=C"], check=True, stdout=subprocess.DEVNULL)
    return [programs / "postgres", "-D", "data", "-p", port, "-c", "listen_addresses=127.0.0.1",
            "-c", "unix_socket_directories=", "-c", "dynamic_shared_memory_type=sysv", "-c", "shared_buffers=16MB",
            "-c", "log_min_messages=fatal"]


def postgresql_ready(port):
    """Returns a command that ends with exit code 0 if the server answers a query."""
    return [postgresql_programs() / "psql", "-h", "127.0.0.1", "-p", port, "-U", "postgres", "-c", "SELECT 1"]


if __name__ == "__main__":
    kind, port, *options = sys.argv[1:]
    command = globals()[kind.replace("-", "_")](port) + options
    os.execvp(command[0], command)
