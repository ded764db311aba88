//! Connections of a node: how many are open at a time.
//!
//! Every process of this machine can connect to a node, and a silent connection keeps a descriptor. The node therefore keeps
//! few connections: if it has as many as it may, a new one displaces the oldest that has not shown the secret.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::{Extension, Router};
use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio::time::sleep;

/// The most connections at a time. The hub needs one, and a second while it gives up the first.
pub const MOST: usize = 64;
/// The time between two attempts to accept a connection while no descriptor is free.
const PAUSE: Duration = Duration::from_millis(50);

/// Whether a request of a connection has shown the secret.
#[derive(Clone, Debug, Default)]
pub struct Trust(Arc<AtomicBool>);

impl Trust {
    /// Notes that a request has shown the secret.
    pub fn earn(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn is_earned(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Serves connections until it is dropped, and closes them with itself.
pub async fn serve(listener: TcpListener, router: Router) -> Infallible {
    let mut open = Open::default();
    loop {
        let stream = accepted(&listener).await;
        if open.has_room() {
            let trust = Trust::default();
            let task = tokio::spawn(answer(stream, router.clone().layer(Extension(trust.clone()))));
            open.0.push_back(Connection { trust, task });
        }
    }
}

/// The open connections, the oldest first.
#[derive(Default)]
struct Open(VecDeque<Connection>);

struct Connection {
    trust: Trust,
    task: JoinHandle<()>,
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Open {
    /// Makes room for one more connection if it can: closed ones go first, then the oldest without the secret.
    fn has_room(&mut self) -> bool {
        if self.0.len() < MOST {
            return true;
        }
        self.0.retain(|connection| !connection.task.is_finished());
        if self.0.len() >= MOST {
            let oldest = self.0.iter().position(|connection| !connection.trust.is_earned());
            oldest.and_then(|place| self.0.remove(place));
        }
        self.0.len() < MOST
    }
}

async fn accepted(listener: &TcpListener) -> TcpStream {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    loop {
        match listener.accept().await {
            Ok((stream, _)) => return stream,
            // The peer has given up this one connection.
            Err(error) if matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset) => {}
            Err(_) => sleep(PAUSE).await,
        }
    }
}

async fn answer(stream: TcpStream, router: Router) {
    // A broken stream reports its error when it is used.
    let _ = stream.set_nodelay(true);
    // The peer knows that it has broken off.
    let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), TowerToHyperService::new(router)).await;
}
