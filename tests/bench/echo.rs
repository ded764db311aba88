//! Baseline of the benchmarks: clients send requests of a few hundred bytes to a server that sends the same bytes
//! back. Each client has one persistent connection.

use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::routing::post;
use axum::serve::ListenerExt;
use reqwest::Client;
use tokio::net::TcpListener;

/// Number of concurrent clients.
const CLIENTS: usize = 10;

/// Result of the measurement.
pub struct Echo {
    /// Number of answered requests per second.
    pub per_second: f64,
    /// Processor time per request, of client and server together, in µs.
    pub cpu_us: f64,
}

/// Makes the clients send requests for a time of `span`, and measures.
pub async fn measure(span: Duration) -> Echo {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}/", listener.local_addr().expect("an address"));
    let router = Router::new().route("/", post(async |body: Bytes| body));
    let listener = listener.tap_io(|stream| drop(stream.set_nodelay(true)));
    let server = tokio::spawn(async move { drop(axum::serve(listener, router).await) });
    let own = std::process::id();
    let (begin, cpu) = (Instant::now(), super::cpu_s(own));
    let clients: Vec<_> = (0..CLIENTS).map(|_| tokio::spawn(ask(url.clone(), begin + span))).collect();
    let mut answered = 0.0;
    for client in clients {
        answered += client.await.expect("a client");
    }
    server.abort();
    let per_second = answered / begin.elapsed().as_secs_f64();
    Echo { per_second, cpu_us: (super::cpu_s(own) - cpu) * 1e6 / answered }
}

/// Sends requests until the time `until`, and returns their number.
async fn ask(url: String, until: Instant) -> f64 {
    let client = Client::builder().no_proxy().tcp_nodelay(true).build().expect("a client");
    let body = Bytes::from(vec![b'x'; 300]);
    let mut answered = 0.0;
    while Instant::now() < until {
        let answer = client.post(&url).body(body.clone()).send().await.expect("an answer");
        assert_eq!(answer.bytes().await.expect("the whole answer").len(), body.len());
        answered += 1.0;
    }
    answered
}
