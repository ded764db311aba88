//! Connections between nodes and the network of their run, with a limit of open connections.
//!
//! Every process of this machine can connect to a node and to the network. A connection occupies a descriptor,
//! even if it stays silent. So each server limits the number of connections that have not sent the secret. If the
//! limit is reached, a new connection displaces the oldest such connection.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::error::Error;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use hyper::body::{Body, Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::Service;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, yield_now};
use tokio::time::sleep;

/// Pause before the next attempt to accept a connection, if no descriptor is free.
const PAUSE: Duration = Duration::from_millis(50);

/// Whether a connection is trusted: at least one of its requests contained the secret.
#[derive(Clone, Debug, Default)]
pub struct Trust(Arc<AtomicBool>);

impl Trust {
    /// Records that a request of the connection contained the secret.
    pub fn earn(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn is_earned(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Serves connections until the future is dropped, which closes all connections. `service` creates the service of a
/// connection from its [`Trust`]. At most `strangers` connections may have sent no secret.
pub async fn serve<S, B>(listener: TcpListener, service: impl Fn(Trust) -> S, strangers: usize) -> Infallible
where
    S: Service<Request<Incoming>, Response = Response<B>, Error = Infallible, Future: Send> + Send + 'static,
    B: Body<Data = Bytes, Error: Error + Send + Sync> + Send + 'static,
{
    let mut open = Open::default();
    loop {
        let stream = accepted(&listener).await;
        open.make_room(strangers);
        let trust = Trust::default();
        let task = tokio::spawn(answer(stream, service(trust.clone())));
        open.0.push_back(Connection { trust, task });
        // Many connections may arrive at the same time. Because this loop yields, a request that arrived with its
        // connection is read before the next connection is accepted.
        yield_now().await;
    }
}

/// The open connections, from the oldest to the newest.
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
    /// Makes room for one more connection. Closed connections are removed first. If that is not enough, the oldest
    /// connection that has sent no secret is removed.
    fn make_room(&mut self, most: usize) {
        if self.0.len() < most {
            return;
        }
        self.0.retain(|connection| !connection.task.is_finished());
        let strangers = || self.0.iter().enumerate().filter(|(_, connection)| !connection.trust.is_earned());
        if strangers().count() >= most
            && let Some((oldest, _)) = strangers().next()
        {
            self.0.remove(oldest);
        }
    }
}

async fn accepted(listener: &TcpListener) -> TcpStream {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    loop {
        match listener.accept().await {
            Ok((stream, _)) => return stream,
            // The peer has closed this connection before it was accepted.
            Err(error) if matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset) => {}
            Err(_) => sleep(PAUSE).await,
        }
    }
}

async fn answer<S, B>(stream: TcpStream, service: S)
where
    S: Service<Request<Incoming>, Response = Response<B>, Error = Infallible>,
    B: Body<Data = Bytes, Error: Error + Send + Sync> + 'static,
{
    // If the connection is broken, its first use reports the error.
    let _ = stream.set_nodelay(true);
    // If serving fails, the peer has closed the connection, so there is no need to report the error.
    let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
}
