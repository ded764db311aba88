//! Benchmarks of the live playground: `just bench`, or `cargo bench --bench live -- throughput`. Each benchmark
//! measures all its figures again.
//!
//! The throughput is printed together with the throughput of a bare HTTP echo, which is measured in the same run.
//! Figures cannot be compared between machines, nor between different times on the same machine.

#[path = "../support/browser.rs"]
mod browser;
#[path = "../support/mod.rs"]
mod support;

mod crowd;
mod echo;
mod link;
mod page;
#[path = "../services/stage.rs"]
mod stage;

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use support::{Playground, Run, pids};

/// Duration of each measurement of throughput.
const LOAD: Duration = Duration::from_secs(5);

#[tokio::main]
async fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|wanted| name.contains(wanted.as_str()));
    if is_wanted("start") {
        start().await;
    }
    if is_wanted("quiet") {
        quiet_hop().await;
    }
    if is_wanted("delays") {
        delays().await;
    }
    if is_wanted("lateness") {
        lateness().await;
    }
    if is_wanted("throughput") {
        throughput().await;
    }
    if is_wanted("link") {
        link::measure().await;
    }
    if is_wanted("crowd") {
        crowd::measure().await;
    }
    if is_wanted("page") {
        page::measure().await;
    }
}

/// Returns the folder of the nodes and servers that use links of services.
fn folder() -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/services")
}

/// Measures how long it takes to open the playground, to start a hundred nodes, and to remove the nodes. Also
/// measures the memory of the nodes.
async fn start() {
    let begin = Instant::now();
    let mut playground = Playground::open();
    println!("start to the first answer: {:?}", begin.elapsed());
    let begin = Instant::now();
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 100 })).await;
    println!("100 nodes ready: {:?}", begin.elapsed());
    let nodes = pids(&run.state().await);
    let weigh = |field: &str| nodes.iter().map(|&pid| memory(pid, field)).sum::<u64>() / nodes.len() as u64;
    println!("a node's memory: {} kB proportional (PSS), {} kB resident", weigh("Pss:"), weigh("Rss:"));
    let begin = Instant::now();
    playground.end(rustix::process::Signal::INT);
    support::time_until_gone(&nodes);
    println!("gone after Ctrl-C: {:?}", begin.elapsed());
}

/// Returns a memory figure of a process, in kB. `field` is the name of this figure in the status of the process.
fn memory(pid: u32, field: &str) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(field)?.trim().strip_suffix(" kB")?.trim().parse().ok());
    line.unwrap_or(0)
}

/// Returns the sorted transmission times of a run's messages, from sending to delivery, in µs.
async fn hops(run: &Run<'_>) -> Vec<u64> {
    let (mut sent, mut hops, mut since) = (std::collections::HashMap::new(), Vec::new(), 0_u64);
    loop {
        let page = run.get(&format!("/events?kind=sent,delivered&limit=10000&since={since}")).await;
        for event in page["items"].as_array().expect("items") {
            let (message, at_us) = (event["message"].to_string(), event["at_us"].as_u64().expect("a time"));
            if event["kind"] == "sent" {
                sent.insert(message, event["due_us"].as_u64().map_or(at_us, |due_us| due_us.max(at_us)));
            } else if let Some(due_us) = sent.remove(&message) {
                hops.push(at_us.saturating_sub(due_us));
            }
        }
        let next = page["next_since"].as_u64().expect("a seq");
        if next == since {
            hops.sort_unstable();
            return hops;
        }
        since = next;
    }
}

/// Returns the quantile at `share` thousandths of the sorted times, but at least 1 µs.
fn quantile(sorted_us: &[u64], share: usize) -> Duration {
    Duration::from_micros(sorted_us.get((sorted_us.len() - 1) * share / 1000).copied().unwrap_or(0).max(1))
}

fn quantiles(sorted: &[u64]) -> String {
    let at = |share: usize| sorted.get((sorted.len() - 1) * share / 1000).copied().unwrap_or(0);
    format!("p50 {} µs, p99 {} µs, max {} µs of {}", at(500), at(990), at(1000), sorted.len())
}

/// Measures a hop without delay at low load: through the network, into the node, and out of the node.
async fn quiet_hop() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 5 })).await;
    for turn in 0..250 {
        run.enter(turn % 5).await;
        run.release(turn % 5).await;
        run.wait(json!("idle")).await;
    }
    println!("quiet hop: {}", quantiles(&hops(&run).await));
}

/// Measures claim RIC-2 with T = 20 ms. According to the claim, the client delay is 2T if one client requests
/// alone, and the synchronisation delay is T if many clients request.
async fn delays() {
    let playground = Playground::open();
    let specification = |workload: Value| json!({ "algorithm": "ricart-agrawala", "nodes": 5, "network": { "delay": "const:20" }, "workload": workload });
    let run = playground.run(specification(Value::Null)).await;
    for turn in 0..50 {
        run.enter(turn % 5).await;
        run.release(turn % 5).await;
        run.wait(json!("idle")).await;
    }
    println!("client delay in ms, 2T = 40: {}", run.metrics().await["client_delay"]);
    let run = playground.run(specification(json!({ "idle": "0", "hold": "const:5", "entries": 40 }))).await;
    let wait = json!({ "until": "idle", "timeout_ms": 60_000 });
    run.post("/wait", wait).await;
    println!("synchronisation delay in ms, T = 20: {}", run.metrics().await["synchronisation_delay"]);
}

/// Measures how late messages are: the time from the moment at which a message is due until it reaches its
/// receiver, including the hop. Meanwhile, ten thousand other messages are outstanding in another run of the same
/// network. One, four or nineteen messages are due at the same time.
async fn lateness() {
    let playground = Playground::open();
    for delay in [1, 5, 20] {
        let workload = json!({ "idle": "const:40", "hold": "0", "entries": 60, "nodes": [0] });
        let run = playground
            .run(json!({
                "algorithm": "ricart-agrawala", "nodes": 101, "workload": null,
                "network": { "delay": "const:600000" },
            }))
            .await;
        // Each of 101 nodes sends requests to all others. These 10,100 messages stay outstanding.
        for node in 0..101 {
            run.acquire(node, json!({})).await;
        }
        let outstanding = run.state().await["messages"]["in_flight"].clone();
        for nodes in [2, 5, 20] {
            let network = json!({ "delay": format!("const:{delay}") });
            let timed = playground
                .run(
                    json!({ "algorithm": "ricart-agrawala", "nodes": nodes, "network": network, "workload": workload }),
                )
                .await;
            timed.post("/wait", json!({ "until": "idle", "timeout_ms": 60_000 })).await;
            let late = quantiles(&hops(&timed).await);
            println!("delay {delay} ms, {} at an instant, {outstanding} outstanding: late {late}", nodes - 1);
            timed.post("/stop", json!({})).await;
        }
        run.post("/stop", json!({})).await;
    }
}

/// Measures the throughput of a run with journal and monitors. Each client requests again immediately after each
/// exit.
async fn throughput() {
    let echo = echo::measure(LOAD).await;
    println!("bare HTTP echo: {:.0} requests/s, {:.1} µs CPU each", echo.per_second, echo.cpu_us);
    for nodes in [5, 10, 20] {
        let playground = Playground::open();
        let load = json!({ "idle": "0", "hold": "0" });
        let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": nodes, "workload": load })).await;
        let processes: Vec<u32> = pids(&run.state().await).into_iter().chain([playground.pid()]).collect();
        let before = Sample::take(&run, &processes).await;
        tokio::time::sleep(LOAD).await;
        let after = Sample::take(&run, &processes).await;
        let seconds = (after.at - before.at).as_secs_f64();
        let (entries, messages) = (after.entries - before.entries, after.messages - before.messages);
        println!(
            "{nodes} nodes: {:.0} entries/s, {:.0} messages/s, {:.1} µs CPU a message; {:.2} messages for each echo; {}",
            entries / seconds,
            messages / seconds,
            (after.cpu_s - before.cpu_s) * 1e6 / messages,
            messages / seconds / echo.per_second,
            run.verdict().await,
        );
    }
}

/// Progress of a run at one time.
struct Sample {
    at: Instant,
    entries: f64,
    messages: f64,
    cpu_s: f64,
}

impl Sample {
    async fn take(run: &Run<'_>, processes: &[u32]) -> Self {
        let metrics = run.metrics().await;
        let number = |value: &Value| value.as_f64().expect("a number");
        Self {
            at: Instant::now(),
            entries: number(&metrics["entries"]),
            messages: number(&metrics["messages"]),
            cpu_s: processes.iter().map(|&pid| cpu_s(pid)).sum(),
        }
    }
}

/// Returns the processor time of a process, in seconds.
fn cpu_s(pid: u32) -> f64 {
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    // User time and system time are the fourteenth and fifteenth fields. The second field, in parentheses, may
    // contain spaces, so fields are counted from the parenthesis.
    let fields = text.rsplit(')').next().unwrap_or("").split_whitespace().skip(11).take(2);
    let ticks: f64 = fields.filter_map(|field| field.parse::<f64>().ok()).sum();
    #[expect(clippy::cast_precision_loss, reason = "a hundred ticks a second, or a few times that")]
    let per_second = rustix::param::clock_ticks_per_second() as f64;
    ticks / per_second
}
