//! Sentences about why nodes wait. They only repeat what the playground reports.

use std::collections::BTreeMap;

use interlock_algorithm::{LockId, NodeId};
use interlock_model::event::Event;
use interlock_observation::trace::Story;
use interlock_observation::trace::words::{and, on_one_line, view};

use super::document::{Instance, Lock, Message, Node, State, Violation, Waiting};
use crate::playground::RunSummary;

/// Maximum number of held messages that are listed, and maximum number of events that are listed for each violation.
const MOST_TOLD: usize = 20;

/// Everything about a run that the explanation needs.
#[derive(Clone, Debug)]
pub struct Read {
    /// Summary of the run.
    pub run: RunSummary,
    /// State of the run.
    pub state: State,
    /// Held messages, which wait for a manual action.
    pub held: Vec<Message>,
    /// Violations of properties.
    pub violations: Vec<Violation>,
    /// Events that the violations refer to, by sequence number.
    pub events: BTreeMap<u64, Event>,
}

/// Indentation in columns, and a sentence.
pub type Line = (usize, String);

impl Read {
    /// Returns all sentences of the explanation.
    pub fn told(&self) -> Vec<Line> {
        let mut lines = self.verdict();
        lines.extend(self.state.locks.iter().flat_map(|lock| self.lock(lock)));
        lines.extend(self.others());
        if !self.somebody_waits() {
            lines.push((0, "No node waits for a lock or a message.".to_owned()));
        }
        lines.extend(self.state.agreement.iter().filter_map(undecided));
        lines.extend(self.not_running());
        lines.extend(self.network());
        lines.extend(self.violations());
        lines.into_iter().map(|(indent, sentence)| (indent, on_one_line(&sentence))).collect()
    }

    fn verdict(&self) -> Vec<Line> {
        let Self { run, state, .. } = self;
        let (id, what) = (run.id, run.specification.in_a_word());
        let so_far = format!("{} events in {}", state.seq, seconds(state.at_us));
        let nodes = count(run.specification.nodes as usize, "node");
        let status = &run.status;
        let mut lines = vec![(0, format!("{} ({id}): {what}, {nodes}, {status}, {so_far}", run.name))];
        let because = state.verdict.because.as_ref().map(|because| format!(": {}", because.sentence));
        lines.push((0, format!("Verdict: {}{}", state.verdict.status, because.unwrap_or_default())));
        lines.extend(state.verdict.phenomenon.as_ref().map(|shown| {
            let of = if shown.nodes.is_empty() { String::new() } else { format!(" of {}", names(&shown.nodes)) };
            (0, format!("Phenomenon: {}{of}", shown.name))
        }));
        lines.extend(state.verdict.warnings.iter().map(|warning| (0, format!("Warning: {}", warning.sentence))));
        if status != "running" {
            lines.push((0, "The run is over. The following is its final state.".to_owned()));
        }
        lines
    }

    /// Returns the sentences about a lock: its holders, the nodes that wait for it, and the known reasons for the
    /// waits.
    fn lock(&self, lock: &Lock) -> Vec<Line> {
        let Lock { number, holders, late, waiting } = lock;
        if holders.is_empty() && late.is_empty() && waiting.is_empty() {
            return Vec::new();
        }
        let waiters: Vec<NodeId> = waiting.iter().map(|waiting| waiting.node).collect();
        let late = match late.as_slice() {
            [] => String::new(),
            late => {
                let (late, are) = (names(late), is(late.len()));
                format!(" {late} {are} still in the critical section, though the lease has expired.")
            }
        };
        let inside = format!("{} {} in its critical section", names(holders), is(holders.len().max(1)));
        let waits = if waiters.len() > 1 { "wait" } else { "waits" };
        let mut lines = vec![(0, format!("Lock {number}: {inside}, {} {waits} for it.{late}", names(&waiters)))];
        lines.extend(waiting.iter().flat_map(|waiting| self.waiting(lock, waiting)));
        lines
    }

    fn waiting(&self, lock: &Lock, waiting: &Waiting) -> Vec<Line> {
        let Waiting { node, request, since_us, keeps } = waiting;
        let lasted = seconds(self.state.at_us.saturating_sub(*since_us));
        let keeps = match keeps.as_slice() {
            [] => String::new(),
            [one] => format!(", and holds lock {one} meanwhile"),
            several => {
                let several: Vec<String> = several.iter().map(ToString::to_string).collect();
                format!(", and holds locks {} meanwhile", and(&several))
            }
        };
        let mut lines = vec![(2, format!("{node} has waited for {lasted}, request {request}{keeps}."))];
        let Some(known) = self.node(*node) else { return lines };
        let waits_for = known.waits_for(Some(lock.number));
        lines.push((4, in_words(known, Some(lock.number))));
        let mut concerned = waits_for.unwrap_or_default();
        concerned.extend(&lock.holders);
        lines.extend(self.conditions(*node, concerned));
        lines
    }

    /// Returns the sentences about nodes that do not wait for a lock, but wait for a message, for example in an
    /// election.
    fn others(&self) -> Vec<Line> {
        let waits = |node: NodeId| self.waiters().any(|waiter| waiter == node);
        let others = self.state.nodes.iter().filter(|node| !waits(node.id));
        others
            .filter_map(|node| Some((node, node.waits_for(None).filter(|waits_for| !waits_for.is_empty())?)))
            .flat_map(|(node, waits_for)| {
                let conditions = self.conditions(node.id, waits_for);
                std::iter::once((0, in_words(node, None))).chain(conditions)
            })
            .collect()
    }

    /// Returns one sentence for each node among `concerned` and `waiting` that cannot act now. A node cannot act
    /// while it is in a critical section or its process takes no steps.
    fn conditions(&self, waiting: NodeId, mut concerned: Vec<NodeId>) -> Vec<Line> {
        concerned.push(waiting);
        concerned.sort_unstable();
        concerned.dedup();
        concerned.into_iter().filter_map(|node| self.condition(node, waiting)).map(|told| (4, told)).collect()
    }

    fn condition(&self, node: NodeId, waiting: NodeId) -> Option<String> {
        let known = self.node(node)?;
        let inside = self.state.locks.iter().filter(|lock| node != waiting && lock.holders.contains(&node));
        let mut is: Vec<String> =
            inside.map(|lock| format!("in the critical section of lock {}", lock.number)).collect();
        if !known.goes_on() {
            is.push(known.process.clone());
        }
        (!is.is_empty()).then(|| format!("{node} is {}.", and(&is)))
    }

    fn not_running(&self) -> Option<Line> {
        let others = self.state.nodes.iter().filter(|node| !node.goes_on());
        let others: Vec<String> = others.map(|node| format!("{} ({})", node.id, node.process)).collect();
        (!others.is_empty()).then(|| (0, format!("Not running: {}.", others.join(", "))))
    }

    fn network(&self) -> Vec<Line> {
        let counts = self.state.messages;
        if counts.in_flight == 0 {
            return vec![(0, "No message is in transit.".to_owned())];
        }
        let all = count(counts.in_flight, "message");
        let held = if counts.held > 0 { format!(", {} held", counts.held) } else { String::new() };
        let named = self.held.iter().take(MOST_TOLD).map(|held| {
            let Message { name, from, to, kind } = held;
            (2, format!("{kind} {name} from {from} to {to} is held."))
        });
        let further = self.held.len().saturating_sub(MOST_TOLD);
        let further = (further > 0).then(|| (2, format!("{further} more are held.")));
        std::iter::once((0, format!("In transit: {all}{held}."))).chain(named).chain(further).collect()
    }

    fn violations(&self) -> Vec<Line> {
        let found = self.state.verdict.violations.max(self.violations.len());
        if found == 0 {
            return vec![(0, "No violation was found.".to_owned())];
        }
        let older = found - self.violations.len();
        let older = if older > 0 { format!("; the first {older} are not listed") } else { String::new() };
        let mut lines = vec![(0, format!("Found: {}{older}.", count(found, "violation")))];
        lines.extend(self.violations.iter().flat_map(|violation| self.violation(violation)));
        lines
    }

    fn violation(&self, Violation { seq, monitor, events, sentence }: &Violation) -> Vec<Line> {
        let told = named(events).map(|seq| (4, self.event(seq)));
        let further = events.len().saturating_sub(MOST_TOLD);
        let further = (further > 0).then(|| (4, format!("and {further} more")));
        std::iter::once((2, format!("event {seq}, {monitor}: {sentence}"))).chain(told).chain(further).collect()
    }

    fn event(&self, seq: u64) -> String {
        let Some(event) = self.events.get(&seq) else { return format!("event {seq}") };
        let told = Story::default().tell(std::slice::from_ref(event)).into_iter().next();
        let told = told.map_or_else(|| event.kind().to_owned(), |told| told.sentence);
        format!("event {seq}, at {}: {told}", seconds(event.at_us))
    }

    fn node(&self, node: NodeId) -> Option<&Node> {
        self.state.nodes.iter().find(|known| known.id == node)
    }

    fn waiters(&self) -> impl Iterator<Item = NodeId> {
        self.state.locks.iter().flat_map(|lock| &lock.waiting).map(|waiting| waiting.node)
    }

    fn somebody_waits(&self) -> bool {
        let for_a_message = |node: &Node| node.waits_for(None).is_some_and(|waits_for| !waits_for.is_empty());
        self.waiters().next().is_some() || self.state.nodes.iter().any(for_a_message)
    }
}

/// If an instance has proposals, but no node has learnt a chosen value, returns the sentence about this instance.
/// Otherwise, returns none.
fn undecided(Instance { number, proposed, promised, accepted, decided }: &Instance) -> Option<Line> {
    if proposed.is_empty() || !decided.is_empty() {
        return None;
    }
    let values: Vec<String> = proposed.iter().map(|value| format!("`{value}`")).collect();
    let [promised, accepted] = [promised, accepted].map(|by| names(&by.keys().copied().collect::<Vec<_>>()));
    let (values, are) = (and(&values), is(proposed.len()));
    let so_far = format!("a ballot is promised by {promised}, a value is accepted by {accepted}");
    Some((0, format!("Instance {number}: {values} {are} proposed, and no node has learnt a chosen value; {so_far}.")))
}

/// Returns those events of a violation that the explanation lists.
pub fn named(events: &[u64]) -> impl Iterator<Item = u64> {
    events.iter().copied().take(MOST_TOLD)
}

/// Returns the sentence about the state of a node: the nodes whose messages it awaits, and the rest of the state.
/// If `lock` is given, the sentence is about the instance of the algorithm for this lock.
fn in_words(node: &Node, lock: Option<LockId>) -> String {
    let who = node.id;
    let waits = match node.waits_for(lock).as_deref() {
        None => format!("The state of {who} is not visible"),
        Some([]) => format!("{who} does not say whose message it waits for"),
        Some(several) => format!("{who} waits for a message from {}", names(several)),
    };
    match node.shown(lock) {
        Some(shown) => format!("{waits}; its state: {}.", view(&shown)),
        None => format!("{waits}."),
    }
}

/// Formats the names of nodes, such as `P1`, `P1 and P2`, or `nobody`.
fn names(nodes: &[NodeId]) -> String {
    match nodes {
        [] => "nobody".to_owned(),
        nodes => and(&nodes.iter().map(ToString::to_string).collect::<Vec<_>>()),
    }
}

const fn is(count: usize) -> &'static str {
    if count == 1 { "is" } else { "are" }
}

fn count(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

#[expect(clippy::cast_precision_loss, reason = "a time for people to read")]
fn seconds(us: u64) -> String {
    format!("{:.3} s", us as f64 / 1_000_000.0)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn told(state: &Value, held: &Value, violations: &Value) -> String {
        let run = json!({ "id": "01890a5d-ac96-774b-bcce-b302099a8057", "name": "a\u{1b}[31m name", "status": "failed",
            "created_at": "2026-11-23T15:40:43Z",
            "specification": { "algorithm": "lease", "variant": "fenced", "nodes": 1 } });
        let read = Read {
            run: serde_json::from_value(run).expect("a run"),
            state: serde_json::from_value(state.clone()).expect("a state"),
            held: serde_json::from_value(held.clone()).expect("messages"),
            violations: serde_json::from_value(violations.clone()).expect("violations"),
            events: BTreeMap::new(),
        };
        let lines = read.told().into_iter().map(|(indent, line)| format!("{:indent$}{line}\n", ""));
        lines.collect::<Vec<_>>().concat()
    }

    #[test]
    fn what_is_rare_is_told_as_well() {
        let waiting = json!([{ "node": 0, "request": 7, "since_us": 500_000, "keeps": [1, 2] }]);
        let state = json!({ "seq": 9, "at_us": 2_000_000,
            "locks": [{ "lock": 0, "holders": [], "late": [2], "waiting": waiting, "entries": 3 }],
            "nodes": [{ "node": 0, "process": "crashed", "view": null }, { "node": 1, "process": "running" }],
            "messages": { "in_flight": 25, "held": 25 },
            "verdict": { "status": "failed", "violations": 3, "because": { "code": "failed", "sentence": "It ended." },
                "warnings": [{ "sentence": "Too short." }] } });
        let held: Vec<Value> = (1..=25)
            .map(|number| json!({ "message": format!("0.1.{number}"), "from": 0, "to": 1, "message_kind": "ASK" }))
            .collect();
        let events: Vec<u64> = (1..=21).collect();
        let violations = json!([{ "seq": 30, "monitor": "tokens", "events": events, "sentence": "Two tokens." }]);
        let told = told(&state, &json!(held), &violations);
        let name = r"a\u{1b}[31m name (01890a5d-ac96-774b-bcce-b302099a8057): lease/fenced, 1 node, failed, ";
        let shown = [
            name,
            "9 events in 2.000 s\nVerdict: failed: It ended.\nWarning: Too short.\nThe run is over",
            "\nLock 0: nobody is in its critical section, P0 waits for it. P2 is still in the critical section, though \
             the lease has expired.\n",
            "\n  P0 has waited for 1.500 s, request 7, and holds locks 1 and 2 meanwhile.\n",
            "\n    The state of P0 is not visible.\n    P0 is crashed.\n",
            "\n  ASK 0.1.20 from P0 to P1 is held.\n  5 more are held.\n",
            "\nFound: 3 violations; the first 2 are not listed.\n  event 30, tokens: Two tokens.\n    event 1\n",
            "\n    event 20\n    and 1 more\n",
        ];
        let missing: Vec<_> = shown.iter().filter(|part| !told.contains(**part)).collect();
        assert!(missing.is_empty(), "{missing:#?} in\n{told}");
    }
}
