//! Violations and verdicts in plain words: made where people read, from codes and arguments.

use interlock_algorithm::{LockId, NodeId};
use serde::Deserialize;

use super::phrases::{arguments, names};
use super::{
    agreement_sentence, deadlock_sentence, deserted, fencing, leaders, mutual_exclusion, order, progress, real_time,
    resource, service_sentence, stuck, tokens,
};
use crate::state::{Hands, Inside, SlowWait, Standstill};
use interlock_model::event::Violation;

#[derive(Deserialize)]
struct TwoSections {
    lock: LockId,
    first: NodeId,
    second: NodeId,
}

#[derive(Deserialize)]
struct Fences {
    lock: LockId,
    first: NodeId,
    second: NodeId,
    earlier: u64,
    later: u64,
}

#[derive(Deserialize)]
struct PassedOver {
    lock: LockId,
    node: NodeId,
    passed: u64,
}

#[derive(Deserialize)]
struct Deserted {
    waiting: Vec<NodeId>,
    lasted_ms: u64,
    died: Option<NodeId>,
}

/// The lock, where there are several of what a rule is about.
#[derive(Deserialize)]
struct OfLock {
    lock: Option<LockId>,
}

#[derive(Deserialize)]
struct Sender {
    node: NodeId,
}

#[derive(Deserialize)]
struct LostWrite {
    resource: String,
    node: Option<NodeId>,
    value: i64,
    expected: i64,
    missing: i64,
    #[serde(default)]
    blind: bool,
}

#[derive(Deserialize)]
struct UnguardedWrite {
    resource: String,
    node: NodeId,
    lock: LockId,
}

#[derive(Deserialize)]
struct Way {
    from: NodeId,
    to: NodeId,
}

#[derive(Deserialize)]
struct TwoCoordinators {
    first: NodeId,
    second: NodeId,
    term: u64,
}

#[derive(Deserialize)]
struct OlderTerm {
    node: NodeId,
    leader: NodeId,
    term: u64,
    after: u64,
}

#[derive(Deserialize)]
struct Disagreement {
    node: NodeId,
    takes: Option<NodeId>,
    leader: NodeId,
    term: u64,
}

#[derive(Deserialize)]
struct TwoBeliefs {
    node: NodeId,
    leader: NodeId,
    other: NodeId,
    other_leader: NodeId,
    term: u64,
}

#[derive(Deserialize)]
struct DeadCoordinator {
    node: NodeId,
    leader: NodeId,
    term: u64,
    suspects: bool,
}

#[derive(Deserialize)]
struct ResultUnknown {
    node: NodeId,
    term: u64,
}

#[derive(Deserialize)]
struct Election {
    term: u64,
}

#[derive(Deserialize)]
struct Quiescent {
    waiting: Vec<Waiting>,
    dead: Vec<NodeId>,
    #[serde(default)]
    inside: Vec<Inside>,
}

#[derive(Deserialize)]
struct Waiting {
    node: NodeId,
}

/// What a violation means.
#[must_use]
pub fn of_violation(violation: &Violation) -> String {
    let sentence = match &*violation.code {
        mutual_exclusion::CONCURRENT_SECTIONS => {
            arguments(violation).map(|sections| concurrent(&sections, violation.arguments.get("apart_us").is_some()))
        }
        real_time::OVERLAPPING_SECTIONS => arguments(violation).map(|sections| overlapping(&sections)),
        fencing::NOT_GREATER => arguments(violation).map(|Fences { lock, first, second, earlier, later }| {
            format!(
                "The fencing token of {second} for lock {lock} is {later}, which is not greater than {earlier}, \
                 the token of {first} in an earlier entry."
            )
        }),
        order::GRANTED_OUT_OF_ORDER => arguments(violation).map(|requests| out_of_order(&requests)),
        progress::STARVATION => arguments(violation).map(|PassedOver { lock, node, passed }| {
            format!("{node} starves: others entered lock {lock} {passed} times since its request had arrived.")
        }),
        deserted::NOBODY_ENTERS => arguments(violation).map(|deserted| nobody_enters(&deserted)),
        resource::LOST_WRITE => arguments(violation).map(|lost| lost_write(&lost)),
        resource::UNGUARDED_WRITE => arguments(violation).map(|UnguardedWrite { resource, node, lock }| {
            format!("{node} wrote to {resource} without being in the section of lock {lock}.")
        }),
        tokens::SECOND_TOKEN => arguments(violation)
            .map(|Sender { node }| format!("{node} sent a token that it did not have: there are two.")),
        tokens::COPIED_TOKEN => arguments(violation)
            .map(|Way { from, to }| format!("The token on its way from {from} to {to} was copied: there are two.")),
        tokens::LOST_TOKEN => {
            arguments(violation).map(|Way { from, to }| format!("The token was lost on its way from {from} to {to}."))
        }
        leaders::TWO_COORDINATORS => arguments(violation).map(|TwoCoordinators { first, second, term }| {
            format!("{first} and {second} both take themselves for the coordinator of term {term}.")
        }),
        leaders::TWO_BELIEFS => arguments(violation).map(|TwoBeliefs { node, leader, other, other_leader, term }| {
            format!("In term {term}, {other} takes {other_leader} for the coordinator and {node} takes {leader}.")
        }),
        leaders::OLDER_TERM => arguments(violation).map(|OlderTerm { node, leader, term, after }| {
            format!("{node} took {leader} for the coordinator of term {term}, after it had had one of term {after}.")
        }),
        leaders::DISAGREEMENT => arguments(violation).map(|disagreement| disagree(&disagreement)),
        leaders::NOBODY_ELECTED => arguments(violation).map(|Election { term }| {
            format!("The election of term {term} has died: nothing moves any more, and nobody was elected.")
        }),
        leaders::DEAD_COORDINATOR => arguments(violation).map(|DeadCoordinator { node, leader, term, suspects }| {
            let noticed = if suspects { "suspects it" } else { "has called an election since" };
            format!(
                "{leader} is dead, and {node} keeps it as the coordinator of term {term} although it {noticed}: nothing \
                 moves any more."
            )
        }),
        leaders::RESULT_UNKNOWN => arguments(violation).map(|ResultUnknown { node, term }| {
            format!("{node} has called the election of term {term} and knows no coordinator: nothing moves any more.")
        }),
        stuck::QUIESCENT => arguments(violation).map(|Quiescent { waiting, dead, inside }| {
            quiescent(&waiting.iter().map(|waiting| waiting.node).collect::<Vec<_>>(), &dead, &inside)
        }),
        _ => deadlock_sentence::of(violation)
            .or_else(|| agreement_sentence::of(violation))
            .or_else(|| service_sentence::of(violation)),
    };
    let sentence = sentence.unwrap_or_else(|| {
        let Violation { monitor, code, arguments, .. } = violation;
        format!("The rule `{monitor}` was broken: {code} {arguments}.")
    });
    let of_each_lock =
        [tokens::NAME, leaders::NAME].contains(&&*violation.monitor) || *violation.code == *deserted::NOBODY_ENTERS;
    match arguments(violation) {
        Some(OfLock { lock: Some(lock) }) if of_each_lock => format!("Lock {lock}: {sentence}"),
        _ => sentence,
    }
}

/// What it means that nothing moves by itself.
#[must_use]
pub fn of_standstill(standstill: &Standstill) -> String {
    let waiting: Vec<NodeId> = standstill.waiting.iter().map(|waiting| waiting.node).collect();
    if standstill.hands.are_tied() {
        return quiescent(&waiting, &standstill.dead, &standstill.inside);
    }
    let hands = possibilities(&standstill.hands).join(", or ");
    let Standstill { electing, undecided, .. } = standstill;
    let open = if !waiting.is_empty() {
        wait(&waiting)
    } else if !electing.is_empty() {
        format!("{} for the end of an election", wait(electing))
    } else {
        let instances: Vec<String> = undecided.iter().map(ToString::to_string).collect();
        format!("Nothing is chosen yet in instance {}", instances.join(", "))
    };
    let cycle = if standstill.cycle.is_empty() {
        String::new()
    } else {
        format!(" They wait in a cycle: {}.", deadlock_sentence::waits(&standstill.cycle))
    };
    format!("{open} and nothing moves by itself: {hands}.{cycle}")
}

/// What it means that a run ended before its time.
#[must_use]
pub fn of_failure(why: &str) -> String {
    format!("The run ended before its time, and nobody knows how it would have gone on: {why}.")
}

/// What it means that a wait is slow.
#[must_use]
pub fn of_slow_wait(slow: &SlowWait) -> String {
    let SlowWait { node, lock, waited_ms, .. } = slow;
    format!("{node} has been waiting for lock {lock} for {waited_ms} ms, though something still moves.")
}

/// `apart` if the clock of the machine has one section end before the other begins.
fn concurrent(TwoSections { lock, first, second }: &TwoSections, apart: bool) -> String {
    if apart {
        return format!(
            "{first} and {second} were in the section of lock {lock} one after the other, but neither knew that the \
             other had left: neither's exit happened before the other's entry."
        );
    }
    format!(
        "{first} and {second} were in the section of lock {lock} at the same time: \
         neither's exit happened before the other's entry."
    )
}

fn overlapping(TwoSections { lock, first, second }: &TwoSections) -> String {
    format!(
        "{first} and {second} were in the section of lock {lock} at the same time: \
         by the machine's clock {second} entered before {first} had left."
    )
}

fn out_of_order(TwoSections { lock, first, second }: &TwoSections) -> String {
    format!(
        "{second} entered the section of lock {lock} before {first}: \
         the request of {first} happened before that of {second}."
    )
}

fn nobody_enters(Deserted { waiting, lasted_ms, died }: &Deserted) -> String {
    let waiting = wait(waiting);
    let died = died.map(|died| format!(" {died} died in one.")).unwrap_or_default();
    format!(
        "{waiting}, and nobody has been in any section for {lasted_ms} ms, though time-outs pass again and again.{died}"
    )
}

fn lost_write(LostWrite { resource, node, value, expected, missing, blind }: &LostWrite) -> String {
    let writer = node.map_or_else(|| "somebody".to_owned(), |node| node.to_string());
    if *blind {
        return format!(
            "A write to {resource} is lost for good: {missing} were missing when {writer} wrote {value} without reading it."
        );
    }
    format!(
        "A write to {resource} is lost: when {writer} had written, {value} were in it, and not {expected}: {missing} are \
         missing."
    )
}

fn disagree(Disagreement { node, takes, leader, term }: &Disagreement) -> String {
    let takes = takes.map_or_else(|| "knows no coordinator".to_owned(), |takes| format!("takes {takes} for it"));
    format!("{leader} is the coordinator of term {term}, but {node} {takes}, and nothing moves any more.")
}

fn quiescent(waiting: &[NodeId], dead: &[NodeId], inside: &[Inside]) -> String {
    let dead = match dead {
        [] => String::new(),
        [one] => format!(" {one} is dead."),
        several => format!(" {} are dead.", names(several)),
    };
    let waiting = wait(waiting);
    if inside.is_empty() {
        return format!(
            "{waiting} for ever: no message is under way, no timer is set, and nobody is in the section.{dead}"
        );
    }
    let inside: Vec<String> =
        inside.iter().map(|Inside { node, lock }| format!("{node} in that of lock {lock}")).collect();
    let inside = inside.join(", ");
    format!("{waiting} for ever: no message is under way, and no timer is set. In a section: {inside}.{dead}")
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
        to("let a timer run out at", timers),
        to("heal the partition that cuts off", cut_off),
    ];
    all.into_iter().flatten().collect()
}

fn wait(nodes: &[NodeId]) -> String {
    format!("{} {}", names(nodes), if nodes.len() == 1 { "waits" } else { "wait" })
}
