//! State and events of a run as lines of text for people.

use serde_json::Value;

/// Number of events that an error shows.
pub const LAST: usize = 12;
/// Kinds of events that an error leaves out, because they rarely help.
const DETAILS: &str = "created,initialized,fired,taken,suspected,trusted,armed,cancelled,stored,blocked,reported,promised,\
    accepted";

/// Returns the holder of a lock; `None` if no lock is held. If several locks are held, returns the holder of the
/// lock with the smallest number.
pub fn holder(state: &Value) -> Option<u32> {
    items(&state["locks"]).find_map(|lock| number(&lock["holders"][0]))
}

/// Returns the coordinator; `None` if no live node knows one. If live nodes know coordinators of several terms,
/// returns the coordinator of the latest term.
pub fn leader(state: &Value) -> Option<u32> {
    let lives = |node: &&Value| node["process"] == "running" || node["process"] == "paused";
    let known = items(&state["nodes"]).filter(lives).map(|node| &node["leader"]).filter(|leader| leader.is_object());
    known.max_by_key(|leader| leader["term"].as_u64()).and_then(|leader| number(&leader["leader"]))
}

/// Returns the state of a run as text: the verdict, each waiting process with the processes for which it waits, and
/// the last of `events`.
pub fn standing(state: &Value, events: &[Value]) -> String {
    let because = state["verdict"]["because"]["sentence"].as_str().map(|sentence| format!(": {sentence}"));
    let verdict = format!("verdict: {}{}", text(&state["verdict"]["status"]), because.unwrap_or_default());
    let locks = items(&state["locks"]).flat_map(|lock| of_lock(lock, state));
    let is_detail = |event: &&Value| DETAILS.split(',').any(|kind| event["kind"] == kind);
    let shown: Vec<&Value> = events.iter().filter(|event| !is_detail(event)).collect();
    let last = shown[shown.len().saturating_sub(LAST)..].iter().map(|event| line(event));
    let lines = [verdict].into_iter().chain(locks).chain(others(state));
    let lines = lines.chain([format!("the last of {} events:", state["seq"])]).chain(last);
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns the sentence of a violation, followed by a line for each event in `events` whose number is in `seqs`.
pub fn violation(sentence: &str, seqs: &[u64], events: &[Value]) -> String {
    let of_it = |event: &&Value| event["seq"].as_u64().is_some_and(|seq| seqs.contains(&seq));
    let lines = events.iter().filter(of_it).map(line);
    [sentence.to_owned()].into_iter().chain(lines).collect::<Vec<_>>().join("\n")
}

fn of_lock(lock: &Value, state: &Value) -> Vec<String> {
    let holders = names(&lock["holders"]);
    let holders = if holders.is_empty() { "nobody" } else { &holders };
    let head = format!("lock {}: {holders} in the section; entries so far: {}", lock["lock"], lock["entries"]);
    [head].into_iter().chain(items(&lock["waiting"]).map(|waiting| of_wait(waiting, state))).collect()
}

fn of_wait(waiting: &Value, state: &Value) -> String {
    let us = |value: &Value| value.as_f64().unwrap_or_default();
    let seconds = (us(&state["at_us"]) - us(&waiting["since_us"])) / 1e6;
    let node = items(&state["nodes"]).find(|node| node["node"] == waiting["node"]);
    let whom = node.map(|node| names(&node["view"]["waits_for"])).filter(|whom| !whom.is_empty());
    let whom = whom.map(|whom| format!(", for {whom}")).unwrap_or_default();
    format!("  P{} has waited for {seconds:.3} s{whom}", waiting["node"])
}

/// Returns one line that lists the nodes that are not running; none if all nodes are running.
fn others(state: &Value) -> Option<String> {
    let others = items(&state["nodes"]).filter(|node| node["process"] != "running");
    let others: Vec<String> = others.map(|node| format!("P{} {}", node["node"], text(&node["process"]))).collect();
    (!others.is_empty()).then(|| format!("processes: {}", others.join(", ")))
}

/// Returns an event as a line: `0.167 s  P1 sent REQUEST to P0 (1.0.1)`.
fn line(event: &Value) -> String {
    let kind = text(&event["kind"]);
    let word = |name: &str, before: &str, after: &str| match &event[name] {
        Value::Null => None,
        Value::String(text) => Some(format!("{before}{text}{after}")),
        other => Some(format!("{before}{other}{after}")),
    };
    let words = [
        word("node", "P", " "),
        Some(kind.to_owned()),
        word("message_kind", " ", ""),
        word("from", " from P", ""),
        word("to", " to P", ""),
        word("lock", " lock ", ""),
        word("message", " (", ")"),
        event["violation"]["monitor"].as_str().map(|monitor| format!(" {monitor}")),
        word("why", ": ", ""),
    ];
    let seconds = event["at_us"].as_f64().unwrap_or_default() / 1e6;
    format!("{seconds:9.3} s  {}", words.into_iter().flatten().collect::<String>())
}

fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn names(nodes: &Value) -> String {
    items(nodes).map(|node| format!("P{node}")).collect::<Vec<_>>().join(", ")
}

fn number(value: &Value) -> Option<u32> {
    value.as_u64().and_then(|number| u32::try_from(number).ok())
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_run_is_told_with_its_verdict_who_waits_for_whom_and_what_happened_last() {
        let state = json!({
            "seq": 20, "at_us": 3_500_000,
            "verdict": { "status": "stuck", "because": { "sentence": "P1 waits forever." } },
            "locks": [{ "lock": 0, "holders": [], "waiting": [{ "node": 1, "since_us": 1_000_000 }], "entries": 4 }],
            "nodes": [{ "node": 0, "process": "crashed", "view": null },
                { "node": 1, "process": "running", "view": { "waits_for": [0, 2] } }],
        });
        let mut events = vec![json!({ "at_us": 1, "kind": "started", "node": 0 }); LAST];
        let (name, kind) = ("1.0.1", "REQUEST");
        events
            .push(json!({ "at_us": 2_000, "kind": "sent", "node": 1, "message_kind": kind, "to": 0, "message": name }));
        events.push(json!({ "at_us": 3_000, "kind": "dropped", "message": name, "message_kind": kind,
            "from": 1, "to": 0, "why": "crashed" }));
        events.push(json!({ "at_us": 3_100, "kind": "armed", "node": 1 }));
        let told = standing(&state, &events);
        let lines: Vec<_> = told.lines().collect();
        assert_eq!(
            lines[..6],
            [
                "verdict: stuck: P1 waits forever.",
                "lock 0: nobody in the section; entries so far: 4",
                "  P1 has waited for 2.500 s, for P0, P2",
                "processes: P0 crashed",
                "the last of 20 events:",
                "    0.000 s  P0 started",
            ]
        );
        assert_eq!(lines.len(), 5 + LAST, "{told}");
        let last = [
            "    0.002 s  P1 sent REQUEST to P0 (1.0.1)",
            "    0.003 s  dropped REQUEST from P1 to P0 (1.0.1): crashed",
        ];
        assert_eq!(lines[lines.len() - 2..], last);
    }

    #[test]
    fn a_state_without_anything_in_it_is_told_as_well() {
        assert_eq!(standing(&json!({}), &[]), "verdict: \nthe last of null events:");
        assert_eq!((holder(&json!({})), leader(&json!({}))), (None, None));
    }

    #[test]
    fn the_leader_is_that_of_the_latest_term_that_the_living_know() {
        let knows = |leader: u32, term: u32| json!({ "leader": leader, "term": term });
        let node = |process: &str, leader, term| json!({ "process": process, "leader": knows(leader, term) });
        let knows_none = json!({ "process": "running" });
        let nodes =
            [node("running", 1, 1), node("paused", 2, 3), node("running", 3, 2), node("crashed", 0, 9), knows_none];
        let state = json!({ "nodes": nodes });
        assert_eq!(leader(&state), Some(2));
    }
}
