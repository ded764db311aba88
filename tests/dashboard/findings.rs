//! Complaints about a page in the logs of the browser.

use serde_json::Value;

/// Returns the complaints in the browser's console: errors, warnings, and violations of the content security policy.
pub fn complaints(console: &[Value]) -> Vec<String> {
    let grave = |entry: &&Value| matches!(entry["level"].as_str(), Some("SEVERE" | "WARNING"));
    console.iter().filter(grave).map(|entry| format!("{} {}", entry["source"], entry["message"])).collect()
}

/// Schemes of addresses that never leave the browser: its internal pages, such as the blank page, and data inside a
/// page.
const INNER: [&str; 5] = ["about:", "blob:", "chrome:", "chrome-untrusted:", "data:"];

/// Returns the requests that the page sent to hosts other than `origin`.
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

/// Returns the addresses of all requests and `WebSocket` connections.
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
