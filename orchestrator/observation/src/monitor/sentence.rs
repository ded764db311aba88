//! Sentences for violations and verdicts. A sentence is built from the code and the arguments whenever a violation or
//! a verdict is displayed.

use interlock_algorithm::NodeId;
use interlock_model::event::Violation;

use super::finding::{Finding, names, wait};
use super::{All, deadlocks, stuck};
use crate::state::{Hands, SlowWait, Standstill};

/// Returns a sentence that explains a violation.
#[must_use]
pub fn of_violation(violation: &Violation) -> String {
    let mut sentences = All::PROPERTIES.iter().copied().flatten().flat_map(|(_, sentences)| *sentences);
    sentences.find_map(|(_, sentence)| sentence(violation)).unwrap_or_else(|| {
        let Violation { monitor, code, arguments, .. } = violation;
        format!("The property `{monitor}` was violated: {code} {arguments}.")
    })
}

/// Returns a sentence that explains a standstill.
#[must_use]
pub fn of_standstill(standstill: &Standstill) -> String {
    let waiting: Vec<NodeId> = standstill.waiting.iter().map(|waiting| waiting.node).collect();
    if standstill.hands.are_tied() {
        return stuck::Quiescent::from(standstill).sentence();
    }
    let hands = possibilities(&standstill.hands).join(", or ");
    let Standstill { electing, undecided, .. } = standstill;
    let open = if !waiting.is_empty() {
        wait(&waiting)
    } else if !electing.is_empty() {
        format!("{} for the end of an election", wait(electing))
    } else {
        let instances: Vec<String> = undecided.iter().map(ToString::to_string).collect();
        format!("No value has been chosen yet in instance {}", instances.join(", "))
    };
    let cycle = if standstill.cycle.is_empty() {
        String::new()
    } else {
        format!(" They wait in a cycle: {}.", deadlocks::waits(&standstill.cycle))
    };
    format!("{open}, and nothing happens until you {hands}.{cycle}")
}

/// Returns a sentence that explains why a run ended early.
#[must_use]
pub fn of_failure(why: &str) -> String {
    format!("The run ended early, and its outcome is unknown: {why}.")
}

/// Returns a sentence that explains a slow wait.
#[must_use]
pub fn of_slow_wait(slow: &SlowWait) -> String {
    let SlowWait { node, lock, waited_ms, .. } = slow;
    format!("{node} has been waiting for lock {lock} for {waited_ms} ms, but the run is still active.")
}

fn possibilities(hands: &Hands) -> Vec<String> {
    let Hands { held, paused, in_section, timers, cut_off } = hands;
    let messages = match held {
        0 => None,
        1 => Some("deliver the held message".to_owned()),
        several => Some(format!("deliver one of the {several} held messages")),
    };
    let to = |verb: &str, nodes: &[NodeId]| (!nodes.is_empty()).then(|| format!("{verb} {}", names(nodes)));
    let all = [
        messages,
        to("resume", paused),
        to("release the lock of", in_section),
        to("let a timer expire at", timers),
        to("heal the partition that isolates", cut_off),
    ];
    all.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::tokens;
    use super::*;

    fn violation(code: &str, arguments: Value) -> Violation {
        Violation { monitor: "a-monitor".into(), code: code.into(), arguments, events: vec![1] }
    }

    #[test]
    fn arguments_of_older_journals_are_understood() {
        let quiescent = violation(stuck::QUIESCENT, json!({ "waiting": [], "dead": [1] }));
        assert!(of_violation(&quiescent).ends_with("no process is in the critical section. P1 has crashed."));
        let phantom = violation(deadlocks::PHANTOM, json!({ "node": 0, "cycle": [1, 2], "victim": 2 }));
        assert!(of_violation(&phantom).ends_with("P2 must give up needlessly."));
    }

    #[test]
    fn an_unknown_violation_is_shown_as_it_is() {
        for unknown in [violation("unknown", json!({})), violation(tokens::SECOND_TOKEN, json!({}))] {
            let shown = format!("The property `a-monitor` was violated: {} {{}}.", unknown.code);
            assert_eq!(of_violation(&unknown), shown);
        }
    }

    #[test]
    fn the_lock_is_named_where_each_is_judged_by_itself() {
        let sentence = |arguments| of_violation(&violation(tokens::SECOND_TOKEN, arguments));
        let one = sentence(json!({ "node": 1 }));
        assert_eq!(sentence(json!({ "node": 1, "lock": 2 })), format!("Lock 2: {one}"));
    }
}
