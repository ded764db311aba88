//! What the notes of the browser say against a page.

use serde_json::Value;

/// What the console complains of: errors, warnings, and what the content security policy kept from happening.
pub fn complaints(console: &[Value]) -> Vec<String> {
    let grave = |entry: &&Value| matches!(entry["level"].as_str(), Some("SEVERE" | "WARNING"));
    console.iter().filter(grave).map(|entry| format!("{} {}", entry["source"], entry["message"])).collect()
}

/// What never leaves the browser: its own pages, such as the one it opens with, and what is part of a page.
const INNER: [&str; 5] = ["about:", "blob:", "chrome:", "chrome-untrusted:", "data:"];

/// What the page asked of others than `origin`.
pub fn foreign_requests(network: &[Value], origin: &str) -> Vec<String> {
    let socket = origin.replacen("http", "ws", 1);
    let is_ours = |url: &str| [origin, &socket].iter().any(|base| url.strip_prefix(base).is_some_and(is_a_path));
    requests(network)
        .into_iter()
        .filter(|url| !is_ours(url) && !INNER.iter().any(|scheme| url.starts_with(scheme)))
        .collect()
}

fn is_a_path(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with('/')
}

/// Where requests and `WebSocket`s went.
pub fn requests(network: &[Value]) -> Vec<String> {
    network.iter().filter_map(requested).collect()
}

fn requested(entry: &Value) -> Option<String> {
    let entry: Value = serde_json::from_str(entry["message"].as_str()?).ok()?;
    let message = &entry["message"];
    let url = match message["method"].as_str()? {
        "Network.requestWillBeSent" => &message["params"]["request"]["url"],
        "Network.webSocketCreated" => &message["params"]["url"],
        _ => return None,
    };
    url.as_str().map(str::to_owned)
}
