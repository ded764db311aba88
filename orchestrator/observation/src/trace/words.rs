//! Events, reasons and states in plain words. Each text is on one line.

use interlock_algorithm::clock::Timestamp;
use interlock_algorithm::{AbortCause, NodeId, Outcome, Queued, Value as Variable, View};
pub use interlock_machine::visible::{json_on_one_line, on_one_line};
use interlock_machine::wire::Order;
use serde_json::Value;

use super::moment::Moment;
use interlock_model::event::{CrashCause, DropReason, Json, RestartState, What, value_of};
use interlock_model::operation_words::{operation_in_words, response_in_words};
use interlock_model::write::{Rejection, Write};

/// Names of the fields of reasons whose value is the id of a process.
const WHO: [&str; 14] = [
    "to",
    "from",
    "by",
    "holder",
    "process",
    "next",
    "victim",
    "dead",
    "candidate",
    "leader",
    "coordinator",
    "father",
    "home",
    "blocked",
];

/// Returns a sentence for an event, without its full stop. Returns `None` if the event only sets up the run.
#[must_use]
pub fn sentence(what: &What) -> Option<String> {
    let said = match what.node() {
        Some(node) => format!("{node} {}", phrase(what)?),
        None => besides(what)?,
    };
    Some(on_one_line(&said))
}

/// Returns a sentence for a whole moment, or `None` if the moment contains nothing worth reporting.
pub(super) fn of_moment(moment: &Moment) -> Option<String> {
    let Some(at) = moment.step() else { return sentence(moment.what) };
    let input = phrase(moment.what).filter(|_| !is_said_by_effects(moment));
    let mut phrases: Vec<String> = input.into_iter().collect();
    phrases.extend(
        moment
            .effects
            .iter()
            .filter(|effect| !matches!(effect, What::Sent { .. }))
            .filter_map(|effect| if effect.node().is_some() { phrase(effect) } else { None }),
    );
    phrases.extend(sendings(moment));
    let fates = moment.effects.iter().filter_map(|effect| besides(effect));
    let told = matches!(moment.what, What::Initialized { .. }) && phrases.len() < 2 && moment.because().is_empty();
    let said = format!("{} {}", at.node, and(&phrases));
    (!told).then(|| on_one_line(&std::iter::once(said).chain(fates).collect::<Vec<_>>().join("; ")))
}

/// Returns whether the input of a step is an order that its effects already describe. The sentence then omits the
/// order.
fn is_said_by_effects(moment: &Moment) -> bool {
    let What::Commanded { command, .. } = moment.what else { return false };
    let does = |kind: &str| moment.effects.iter().any(|effect| effect.kind() == kind);
    match command.order {
        Order::Acquire { .. } | Order::AcquireTogether { .. } => does("requested"),
        Order::Release { .. } => does("exited"),
        Order::Elect {} => does("called"),
        Order::Propose { .. } => does("proposed"),
        Order::Suspect { .. } => does("suspected"),
        Order::Trust { .. } => does("trusted"),
        Order::Tell { .. } | Order::Corrupt { .. } => false,
    }
}

/// The messages of one kind that a step sends: the kind, whether they are retransmissions, the receivers, and the ids.
type Sending<'a> = ((&'a str, bool), Vec<String>, Vec<String>);

/// Returns a phrase for each kind of message that a step sends. Messages that a channel retransmits are called copies.
fn sendings(moment: &Moment) -> Vec<String> {
    let mut kinds: Vec<Sending> = Vec::new();
    for effect in &moment.effects {
        let What::Sent { message, to, message_kind, .. } = effect else { continue };
        let sending = (&**message_kind, message.copy > 0);
        let place = kinds.iter().position(|(kind, ..)| *kind == sending).unwrap_or_else(|| {
            kinds.push((sending, Vec::new(), Vec::new()));
            kinds.len() - 1
        });
        kinds[place].1.push(to.to_string());
        kinds[place].2.push(message.to_string());
    }
    let phrase = |((kind, again), to, names): Sending| {
        let again = if again { " again" } else { "" };
        format!("sends {kind} to {}{again} ({})", and(&to), names.join(", "))
    };
    kinds.into_iter().map(phrase).collect()
}

/// Returns a phrase for an event at a node: a sentence without its subject. Returns `None` if the event is not worth
/// reporting.
fn phrase(what: &What) -> Option<String> {
    Some(match what {
        What::Initialized { .. } => "starts".to_owned(),
        What::Commanded { command, .. } => match &command.order {
            Order::Corrupt { choice } => format!("has its memory overwritten with state {choice}"),
            wanted => format!("is told to {}", order(wanted)),
        },
        What::Fired { timer, .. } => format!("handles the expiry of its timer ({})", json_in_words(timer)),
        What::Delivered { message, message_kind, from, .. } => format!("receives {message_kind} {message} from {from}"),
        What::Taken { message, message_kind, from, .. } => {
            format!("receives {message_kind} {message} from {from} through its channel")
        }
        What::Suspected { whom, .. } => format!("suspects {whom}"),
        What::Trusted { whom, .. } => format!("trusts {whom} again"),
        What::Sent { message, to, message_kind, .. } => format!("sends {message_kind} {message} to {to}"),
        What::Crashed { cause: CrashCause::Ordered, .. } => "crashes".to_owned(),
        What::Crashed { cause: CrashCause::Unexpected(how), .. } => format!("crashes unexpectedly: {how}"),
        What::Paused { .. } => "is paused".to_owned(),
        What::Resumed { .. } => "is resumed".to_owned(),
        What::Restarted { state: RestartState::Stored, .. } => "restarts with its stored state".to_owned(),
        What::Restarted { state: RestartState::None, .. } => "restarts without its stored state".to_owned(),
        What::Put { write: Write { resource, value, .. } } => format!("writes {value} to {resource}"),
        What::Rejected { rejection: Rejection { resource, value, why, .. } } => {
            format!("cannot write {value} to {resource}: {}", why.words())
        }
        What::Refused { message: Some(message), detail, .. } => format!("refuses {message}: {detail}"),
        What::Refused { detail, .. } => format!("refuses the input: {detail}"),
        What::Misbehaved { detail, .. } => format!("violates the protocol: {detail}"),
        What::Outcome { outcome, .. } => of_outcome(outcome),
        _ => return None,
    })
}

fn of_outcome(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Requested { lock, .. } => format!("requests lock {lock}"),
        Outcome::Entered { lock, .. } => format!("enters the section of lock {lock}"),
        Outcome::Exited { lock, .. } => format!("leaves the section of lock {lock}"),
        Outcome::Blocked { lock, on, .. } => format!("waits for lock {lock}, held by {}", and(&names(on))),
        Outcome::Aborted { cause, .. } => format!("gives up its request: {}", abort(*cause)),
        Outcome::Expired { lock, holder, .. } => format!("takes lock {lock} back from {holder}: its lease has expired"),
        Outcome::Reported { cycle, victim } => {
            format!("reports a deadlock of {}, with {victim} as the victim", and(&names(cycle)))
        }
        Outcome::Called { term, .. } => format!("calls an election for term {term}"),
        Outcome::Elected { leader, term, .. } => format!("accepts {leader} as the coordinator of term {term}"),
        Outcome::Proposed { value, instance } => format!("proposes {value} in instance {instance}"),
        Outcome::Promised { ballot, instance } => format!("promises ballot {ballot} in instance {instance}"),
        Outcome::Accepted { value, ballot, instance } => {
            format!("accepts {value} in ballot {ballot} of instance {instance}")
        }
        Outcome::Decided { value, instance } => format!("learns that {value} is chosen in instance {instance}"),
        Outcome::Invoked { operation, .. } => format!("asks to {}", operation_in_words(operation)),
        Outcome::Returned { response, .. } => format!("is told {}", response_in_words(response)),
    }
}

/// Returns a sentence for an event that happens to a message or in the network, and not at a node.
fn besides(what: &What) -> Option<String> {
    Some(match what {
        What::Duplicated { message, copy, .. } => format!("message {message} is duplicated as {copy}"),
        What::Held { message, .. } => format!("message {message} is held"),
        What::Forwarded { message, .. } => format!("message {message} is released"),
        What::Dropped { message, why, .. } => format!("message {message} is lost: {}", lost(*why)),
        What::Configured { change } => {
            let which = change.id.as_deref().map(|id| format!(" {id}")).unwrap_or_default();
            let now = change.value.as_ref().map_or_else(|| "removed".to_owned(), ToString::to_string);
            format!("the network configuration changes, {}{which}: {now}", change.subject)
        }
        What::Put { write: Write { resource, value, node: None, .. } } => {
            format!("an external writer writes {value} to {resource}")
        }
        What::Rejected { rejection: Rejection { resource, value, node: None, why } } => {
            format!("a write of {value} to {resource} is rejected: {}", why.words())
        }
        What::Noted { detail } => format!("noted: {detail}"),
        _ => return None,
    })
}

const fn lost(why: DropReason) -> &'static str {
    match why {
        DropReason::Loss => "random loss",
        DropReason::Partition => "its link is partitioned",
        DropReason::Rule => "dropped by a rule",
        DropReason::Hand => "dropped manually",
        DropReason::Crashed => "its receiver has crashed",
        DropReason::Unanswered => "its receiver did not accept it",
        DropReason::Full => "its link is full",
        DropReason::Closed => "its connection is closed",
        DropReason::Ended => "the run ended",
    }
}

const fn abort(cause: AbortCause) -> &'static str {
    match cause {
        AbortCause::Victim => "it was chosen to break a deadlock",
        AbortCause::Died => "it is younger than the holder of a lock that it requests",
        AbortCause::Wounded => "it is younger than a process that requests a lock it holds",
        AbortCause::GaveWay => "a lock that it requested was not free",
    }
}

fn order(order: &Order) -> String {
    match order {
        Order::Acquire { lock, .. } => format!("request lock {lock}"),
        Order::AcquireTogether { locks, .. } => {
            format!("request locks {}", and(&locks.iter().map(ToString::to_string).collect::<Vec<_>>()))
        }
        Order::Release { lock } => format!("release lock {lock}"),
        Order::Elect {} => "call an election".to_owned(),
        Order::Suspect { whom } => format!("suspect {whom}"),
        Order::Trust { whom } => format!("trust {whom} again"),
        Order::Corrupt { choice } => format!("switch to state {choice}"),
        Order::Propose { instance, value } => format!("propose {value} in instance {instance}"),
        Order::Tell { to, asks, .. } => {
            format!("send an application message to {to}{}", if *asks { ", which then requests a lock" } else { "" })
        }
    }
}

/// Returns a reason in words: its code, and the values of its other fields.
pub(super) fn reason(reason: &Json) -> String {
    let Value::Object(fields) = reason.value() else { return on_one_line(reason.as_str()) };
    let code = fields.get("code").and_then(Value::as_str).unwrap_or_default().replace('-', " ");
    let figures = fields.iter().filter(|(name, _)| *name != "code").map(|(name, value)| match value.as_u64() {
        Some(node) if WHO.contains(&name.as_str()) => format!("{name} P{node}"),
        _ => format!("{name} {}", value_in_words(value)),
    });
    let figures = figures.collect::<Vec<_>>().join(", ");
    on_one_line(&if figures.is_empty() { code } else { format!("{code} ({figures})") })
}

/// Returns the state of a process in words: the fields of its view. If the JSON is not a view, returns the JSON.
#[must_use]
pub fn view(view: &Json) -> String {
    let said =
        serde_json::from_str::<View>(view.as_str()).map_or_else(|_| view.as_str().to_owned(), |view| of_view(&view));
    on_one_line(if said.is_empty() { "no state to show" } else { &said })
}

fn of_view(view: &View) -> String {
    let timestamp = |Timestamp { clock, process }: &Timestamp| format!("{clock}@{process}");
    let queued = |Queued { node, clock }: &Queued| match clock {
        Some(clock) => format!("{clock}@{node}"),
        None => node.to_string(),
    };
    let mut parts: Vec<String> = Vec::new();
    parts.extend(view.clock.map(|clock| format!("clock {clock}")));
    parts.extend(view.request.as_ref().map(|request| format!("request {}", timestamp(request))));
    if !view.queue.is_empty() {
        parts.push(format!("queue {}", view.queue.iter().map(queued).collect::<Vec<_>>().join(" ")));
    }
    if !view.waits_for.is_empty() {
        parts.push(format!("waits for {}", and(&names(&view.waits_for))));
    }
    parts.extend(view.variables.iter().map(|(name, value)| format!("{name} {}", variable(value))));
    parts.extend(view.locks.iter().enumerate().map(|(lock, view)| format!("lock {lock} [{}]", of_view(view))));
    parts.join(", ")
}

fn variable(value: &Variable) -> String {
    match value {
        Variable::Flag(flag) => flag.to_string(),
        Variable::Number(number) => number.to_string(),
        Variable::Numbers(numbers) => {
            format!("[{}]", numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
        }
        Variable::Text(text) => text.clone(),
    }
}

/// Converts a name that is written as JSON, such as the name of a timer, to words.
fn json_in_words(name: &impl serde::Serialize) -> String {
    value_in_words(&value_of(name))
}

fn value_in_words(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Object(fields)
            if fields.len() == 2
                && fields.contains_key("clock")
                && fields.get("process").is_some_and(Value::is_u64) =>
        {
            format!("{}@P{}", fields["clock"], fields["process"])
        }
        Value::Object(fields) => {
            let fields = fields.iter().map(|(name, value)| format!("{name} {}", value_in_words(value)));
            fields.collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    }
}

fn names(nodes: &[NodeId]) -> Vec<String> {
    nodes.iter().map(ToString::to_string).collect()
}

/// Joins phrases as in "one, two and three".
#[must_use]
pub fn and(phrases: &[String]) -> String {
    match phrases {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Returns text for a cell of CSV, on one line. A spreadsheet interprets a cell as a formula if the cell begins
/// with a character such as `=`. An apostrophe before this character turns the formula into text (OWASP, "CSV
/// injection").
#[must_use]
pub fn in_a_cell(text: &str) -> String {
    let text = on_one_line(text);
    let is_formula = text.starts_with(['=', '+', '-', '@']);
    if is_formula { format!("'{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_never_a_formula() {
        for (text, cell) in [("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@a", "'@a"), ("\t=1", r"\t=1")] {
            assert_eq!(in_a_cell(text), cell);
        }
        for text in ["", "REQUEST", "1-1", "{\"a\":1}"] {
            assert_eq!(in_a_cell(text), text);
        }
    }
}
