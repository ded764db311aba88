//! Ports for programs under test. A port that is no longer used is assigned again, so that a browser finds most of
//! the page in its cache: to a browser, the page on another port is another page.

use std::io::ErrorKind;
use std::net::{Ipv4Addr, Ipv6Addr, TcpListener};
use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::{Mutex, PoisonError};

/// Ports that are no longer used. The port that was returned last is assigned first.
static FREE: Mutex<Vec<u16>> = Mutex::new(Vec::new());

/// Assigns a port, which [`give_back`] returns.
pub fn take() -> u16 {
    let free = FREE.lock().unwrap_or_else(PoisonError::into_inner).pop();
    free.filter(|port| is_free(*port)).unwrap_or_else(unused)
}

/// Returns a port that [`take`] has assigned, after its program has ended.
pub fn give_back(port: u16) {
    FREE.lock().unwrap_or_else(PoisonError::into_inner).push(port);
}

/// Returns a port that this process has not assigned before. The port is below the range from which the system
/// assigns ports, so no other program gets it meanwhile.
pub fn unused() -> u16 {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    let own = u16::try_from(std::process::id() % 100).unwrap_or(0) * 100;
    loop {
        let port = 20_000 + own + NEXT.fetch_add(1, Ordering::Relaxed);
        if is_free(port) {
            return port;
        }
    }
}

/// Whether a port is free in both address families. The driver of the browser uses both, and fails if it finds the
/// port free in one family only.
fn is_free(port: u16) -> bool {
    let is_taken = |bound: std::io::Result<TcpListener>| bound.is_err_and(|error| error.kind() == ErrorKind::AddrInUse);
    !is_taken(TcpListener::bind((Ipv4Addr::LOCALHOST, port)))
        && !is_taken(TcpListener::bind((Ipv6Addr::LOCALHOST, port)))
}
