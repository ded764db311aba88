//! Cost of a link to a service: Redis directly, through a link of a run, and through tokio's `copy_bidirectional`.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::net::TcpListener;

use super::stage::{PATIENCE, Stage};

/// Number of rounds. Each figure is the median of its rounds.
const ROUNDS: usize = 5;
/// Number of `PING`s in a round, and with a delay.
const PINGS: usize = 5_000;
const DELAYED_PINGS: usize = 200;
/// Number of requests of `redis-benchmark` in a round.
const REQUESTS: &str = "50000";

/// Prints p50 and p99 of a `PING`, and the throughput of `redis-benchmark`. Each figure of the link stands beside
/// those of the same round without a link.
pub async fn measure() {
    let Some(redis) = Redis::start() else {
        return println!("link: left out, because redis-server is missing");
    };
    let plain = copying(redis.address).await;
    let command = ["redis-server", "--port", "{port}", "--save", "", "--dir", "{dir}"];
    let ready = json!({ "bytes": { "send": "PING\r\n", "answer": "PONG" } });
    let service = json!([{ "name": "lock", "command": command, "ready": ready }]);
    let stage = Stage::at_first("", &json!({ "services": service }));
    let ways = [("direct", redis.address), ("copied", plain), ("link", stage.link)];
    let (mut pings, mut rates) = (vec![Vec::new(); 3], vec![Vec::new(); 3]);
    for _ in 0..ROUNDS {
        for (way, (_, address)) in ways.iter().enumerate() {
            pings[way].push(pinged(*address, PINGS).await);
            rates[way].push(throughput(*address).await);
        }
    }
    for (way, (name, _)) in ways.iter().enumerate() {
        let [p50, p99] = [0, 1].map(|share| median(pings[way].iter().map(|times| times[share]).collect()));
        println!("PING {name}: p50 {p50} µs, p99 {p99} µs; {} requests/s", median(rates[way].clone()));
    }
    let delayed = Stage::at_first("", &json!({ "services": service, "network": { "delay": "5ms" } }));
    let [p50, p99] = pinged(delayed.link, DELAYED_PINGS).await;
    println!("PING with 5 ms each way: p50 {p50} µs, p99 {p99} µs");
}

fn median(mut all: Vec<u64>) -> u64 {
    all.sort_unstable();
    all[all.len() / 2]
}

/// A Redis server outside any run.
struct Redis {
    process: Child,
    address: SocketAddr,
}

impl Redis {
    fn start() -> Option<Self> {
        let free = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        let address = free.local_addr().expect("an address");
        drop(free);
        let mut command = Command::new("redis-server");
        command.args(["--save", "", "--port", &address.port().to_string()]).stdout(Stdio::null());
        Some(Self { process: command.spawn().ok()?, address })
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Copies between connections to the returned address and connections to `to`, on one thread as a run does.
async fn copying(to: SocketAddr) -> SocketAddr {
    let (sender, receiver) = tokio::sync::oneshot::channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
            let _ = sender.send(listener.local_addr().expect("an address"));
            while let Ok((mut near, _)) = listener.accept().await {
                tokio::spawn(async move {
                    let mut far = tokio::net::TcpStream::connect(to).await.expect("connected");
                    for socket in [&near, &far] {
                        socket.set_nodelay(true).expect("set");
                    }
                    let _ = tokio::io::copy_bidirectional(&mut near, &mut far).await;
                });
            }
        });
    });
    receiver.await.expect("an address")
}

/// Sends `PING` again and again over one connection. Returns p50 and p99 in µs.
async fn pinged(address: SocketAddr, count: usize) -> [u64; 2] {
    let measured = tokio::task::spawn_blocking(move || {
        let mut socket = answering(address);
        let mut times: Vec<u64> = (0..count).map(|_| ping(&mut socket).expect("an answer")).collect();
        times.sort_unstable();
        [times[count / 2], times[count * 99 / 100]]
    });
    measured.await.expect("measured")
}

/// Returns a connection whose server answers.
fn answering(address: SocketAddr) -> TcpStream {
    let begin = Instant::now();
    loop {
        let socket = TcpStream::connect(address).ok().and_then(|mut socket| {
            socket.set_nodelay(true).ok()?;
            ping(&mut socket).map(|_| socket)
        });
        if let Some(socket) = socket {
            return socket;
        }
        assert!(begin.elapsed() < PATIENCE, "{address} does not answer");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Returns the time until the answer, in µs.
fn ping(socket: &mut TcpStream) -> Option<u64> {
    let begin = Instant::now();
    socket.write_all(b"PING\r\n").ok()?;
    let mut answer = [0; 7];
    socket.read_exact(&mut answer).ok()?;
    u64::try_from(begin.elapsed().as_micros()).ok()
}

/// Returns the number of `SET`s in a second, with 50 connections.
async fn throughput(address: SocketAddr) -> u64 {
    let mut command = Command::new("redis-benchmark");
    command.args(["-p", &address.port().to_string(), "-t", "set", "-n", REQUESTS, "--csv"]);
    let output = tokio::task::spawn_blocking(move || command.output().expect("redis-benchmark runs"));
    let text = String::from_utf8_lossy(&output.await.expect("an answer").stdout).into_owned();
    let rate = text.lines().find_map(|line| line.strip_prefix("\"SET\",\"")?.split('"').next()?.parse::<f64>().ok());
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a rate is far below 2^53")]
    let rate = rate.expect("a rate") as u64;
    rate
}
