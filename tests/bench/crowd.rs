//! Benchmark of a lecture in which a thousand idle connections to the server are open. Five hundred clients do not
//! read the answer, and five hundred do not finish their request. Measures the time of an answer and of a frame of
//! the page, without and with these connections.

use std::time::{Duration, Instant};

use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::browser::Browser;
use crate::page::{frames, open};
use crate::support::{Playground, Run};
use crate::{quantile, quantiles};

/// Number of connections of each kind.
const CROWD: usize = 500;
/// Duration of a measurement, in ms.
const MEASURED_MS: u64 = 8_000;
/// Interval between two requests for the state of the run.
const ASKED: Duration = Duration::from_millis(10);

/// Measures the times of answers and frames: first without the idle connections, and then with them.
pub async fn measure() {
    let playground = Playground::open();
    let load = json!({ "idle": "exp:100", "hold": "const:10" });
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 5, "workload": load })).await;
    // The run must have many events, so that an answer with all events is long.
    run.wait(json!({ "entries": 200 })).await;
    let page = open(&run).await;
    let alone = lecture(&run, page.as_ref()).await;
    let memory = memory_mib(&playground);
    let crowd = gather(&playground, &run).await;
    let coming = lecture(&run, page.as_ref()).await;
    for stream in &crowd[..CROWD] {
        stream.readable().await.expect("an answer");
    }
    let standing = lecture(&run, page.as_ref()).await;
    println!("memory: {memory} MiB alone at most, {} MiB in the crowd", memory_mib(&playground));
    let how = ["while it asks", "while it stands"];
    for (when, crowded) in how.into_iter().zip([coming, standing]) {
        for (what, alone, crowded) in [("answer", &alone.0, &crowded.0), ("frame", &alone.1, &crowded.1)] {
            if alone.is_empty() {
                println!("{what}: not measured, for want of a browser");
                continue;
            }
            let ratio = |share: usize| quantile(crowded, share).div_duration_f64(quantile(alone, share));
            println!(
                "{what} alone: {}; in a crowd of {}, {when}: {}",
                quantiles(alone),
                crowd.len(),
                quantiles(crowded)
            );
            println!("{what}, {when}: p50 takes {:.2} times as long, p99 {:.2} times", ratio(500), ratio(990));
        }
    }
    drop(crowd);
    if let Some(page) = page {
        page.close().await;
    }
}

/// Returns the peak memory of the orchestrator so far, in MiB.
fn memory_mib(playground: &Playground) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", playground.pid())).expect("its status");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok());
    line.unwrap_or(0_u64) / 1024
}

/// Measures for `MEASURED_MS`. Returns two sorted lists of times, in µs: those of the answers, and those of the
/// frames.
async fn lecture(run: &Run<'_>, page: Option<&Browser>) -> (Vec<u64>, Vec<u64>) {
    let answers = async {
        let (begin, mut taken) = (Instant::now(), Vec::new());
        while begin.elapsed() < Duration::from_millis(MEASURED_MS) {
            let asked = Instant::now();
            run.state().await;
            taken.push(u64::try_from(asked.elapsed().as_micros()).unwrap_or(u64::MAX));
            tokio::time::sleep(ASKED).await;
        }
        taken.sort_unstable();
        taken
    };
    let drawn = async {
        let Some(page) = page else { return Vec::new() };
        frames(page, MEASURED_MS).await
    };
    tokio::join!(answers, drawn)
}

/// Opens the idle connections. Half of them request all events of the run and read nothing. The others begin a
/// request to create a run and do not finish it.
async fn gather(playground: &Playground, run: &Run<'_>) -> Vec<TcpStream> {
    let address = playground.url.trim_start_matches("http://");
    let events = format!("GET /api/v1{} HTTP/1.1\r\nHost: {address}\r\n\r\n", run.path("/events?limit=10000"));
    let silent = format!(
        "POST /api/v1/runs HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{{"
    );
    let mut crowd = Vec::new();
    for said in [events, silent] {
        for _ in 0..CROWD {
            let mut stream = TcpStream::connect(address).await.expect("a connection");
            stream.write_all(said.as_bytes()).await.expect("it is said");
            crowd.push(stream);
        }
    }
    crowd
}
