//! What happened in a run, as people would tell it.

use interlock_model::event::{DropReason, Event, What};
use interlock_model::monitor;

/// What matters of the events of a run, a line each.
pub fn tell(events: &[Event]) -> Vec<String> {
    events.iter().filter_map(|event| line(&event.what)).collect()
}

/// The same, with what follows for others and what is done by hand.
pub fn tell_all(events: &[Event]) -> Vec<String> {
    events.iter().filter_map(|event| line(&event.what).or_else(|| minor(&event.what))).collect()
}

/// What matters to those who look closely.
fn minor(what: &What) -> Option<String> {
    Some(match what {
        What::Sent { at, message, to, message_kind, .. } => {
            format!("{} sends {message_kind} {message} to {to}", at.node)
        }
        What::Held { message } => format!("message {message} is held"),
        What::Forwarded { message } => format!("message {message} is handed over by hand"),
        What::Paused { node, .. } => format!("{node} stands still"),
        What::Resumed { node, .. } => format!("{node} goes on"),
        What::Refused { at, detail, .. } => format!("{} refuses: {detail}", at.node),
        What::Noted { detail } => format!("noted: {detail}"),
        _ => return None,
    })
}

fn line(what: &What) -> Option<String> {
    Some(match what {
        What::Requested { at, lock, .. } => format!("{} asks for lock {lock}", at.node),
        What::Entered { at, lock, .. } => format!("{} enters the section of lock {lock}", at.node),
        What::Exited { at, lock, .. } => format!("{} leaves the section of lock {lock}", at.node),
        What::Aborted { at, .. } => format!("{} gives its request up", at.node),
        What::Delivered { at, message, message_kind, from, .. } => {
            format!("{message_kind} {message} from {from} reaches {}", at.node)
        }
        What::Fired { at, timer, .. } => {
            let timer = serde_json::to_string(timer).unwrap_or_default();
            format!("a timer of {} runs out: {timer}", at.node)
        }
        What::Dropped { message, why } if *why != DropReason::Ended => format!("message {message} is lost"),
        What::Duplicated { message, copy, .. } => format!("message {message} is copied: {copy}"),
        What::Crashed { node, .. } => format!("{node} crashes"),
        What::Restarted { node, .. } => format!("{node} comes back"),
        What::Called { at, term, .. } => format!("{} calls an election, term {term}", at.node),
        What::Elected { at, leader, term, .. } => {
            format!("{} takes {leader} for the coordinator of term {term}", at.node)
        }
        What::Proposed { at, value, .. } => format!("{} proposes {value}", at.node),
        What::Decided { at, value, .. } => format!("{} learns that {value} is chosen", at.node),
        What::Violated { violation } => monitor::sentence(violation),
        _ => return None,
    })
}
