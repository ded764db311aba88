//! Checks of the operating system: the limit of open files, loopback connections and the date.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::time::Duration;

use interlock_model::specification::MOST_NODES;
use interlock_node::check_date;
use interlock_orchestrator::supervisor::{DescriptorLimit, raise_descriptor_limit};

use super::Finding;

/// Number of nodes of the demonstration, the smallest useful run.
const LEAST_NODES: u64 = 5;
/// Maximum time for a byte to travel over the loopback connection.
const PATIENCE: Duration = Duration::from_secs(10);

/// Raises the limit of open files as far as a playground does, and reports how many nodes the raised limit allows.
pub fn descriptors() -> Finding {
    match raise_descriptor_limit() {
        Ok(limit) => allowed(limit),
        Err(why) => Finding::missing("open files", format!("cannot raise their limit: {why}")),
    }
}

fn allowed(limit: DescriptorLimit) -> Finding {
    let subject = "open files";
    let (Some(most), Some(nodes)) = (limit.most, limit.nodes()) else {
        return Finding::ok(subject, "no limit, so any number of nodes");
    };
    let so_many = format!("at most {most}, for {nodes} nodes in all runs together");
    if nodes < LEAST_NODES {
        let detail = format!("{so_many}, but the demonstration has {LEAST_NODES}; raise the limit (`ulimit -n`)");
        Finding::missing(subject, detail)
    } else if nodes < u64::from(MOST_NODES) {
        Finding::ok(subject, format!("{so_many}; with a higher limit (`ulimit -n`), a run may have {MOST_NODES}"))
    } else {
        Finding::ok(subject, so_many)
    }
}

/// Tries a loopback connection.
pub fn sockets() -> Finding {
    match from_here_to_here() {
        Ok(()) => Finding::ok("loopback", "127.0.0.1 accepts connections"),
        Err(why) => Finding::missing(
            "loopback",
            format!("cannot connect to 127.0.0.1: {why}; bring the interface up (`ip link set lo up`)"),
        ),
    }
}

/// Checks the date, since each response of the playground and of its nodes has a `Date` header.
pub fn clock() -> Finding {
    match check_date() {
        Ok(()) => Finding::ok("clock", "HTTP can write its date"),
        Err(why) => Finding::missing("clock", why.to_string()),
    }
}

fn from_here_to_here() -> io::Result<()> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let mut there = TcpStream::connect_timeout(&listener.local_addr()?, PATIENCE)?;
    let (mut here, _) = listener.accept()?;
    here.set_read_timeout(Some(PATIENCE))?;
    there.write_all(b"?")?;
    here.read_exact(&mut [0])
}

#[cfg(test)]
mod tests {
    use super::super::Verdict;
    use super::*;

    #[test]
    fn a_limit_is_too_low_where_the_demonstration_has_no_room() {
        for (most, verdict, told) in [
            (Some(100), Verdict::Missing, "at most 100, for 0 nodes in all runs together, but the demonstration has 5"),
            (Some(1024), Verdict::Ok, "192 nodes in all runs together; with a higher limit (`ulimit -n`), a run may"),
            (Some(4096), Verdict::Ok, "at most 4096, for 960 nodes in all runs together"),
            (None, Verdict::Ok, "no limit"),
        ] {
            let finding = allowed(DescriptorLimit { most });
            assert!(finding.verdict == verdict && finding.detail.contains(told), "{finding}");
        }
    }
}
