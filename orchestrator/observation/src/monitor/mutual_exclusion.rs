//! Monitor of mutual exclusion by happened-before: at most one process is in the critical section.
//!
//! Two sections overlap if neither section's exit happened before the other section's entry. Happened-before is
//! Lamport's relation (Lamport 1978, "Time, Clocks, and the Ordering of Events in a Distributed System").
//! Differences between clocks, and delays of reports in batches or outboxes, do not affect whether sections
//! overlap. The monitor decides this with vector clocks (Fidge 1988, Mattern 1989) that tick only at exits.
//!
//! The order of events in the stream is consistent with happened-before. When a process enters, its exit from this
//! section has not happened yet, and so cannot have happened before an entry that is already known. So the monitor
//! only checks whether the exits of the other processes happened before this entry. A crash ends a section. From
//! then on, the monitor ignores the section, since no message can report the crash to other processes.
//!
//! Other processes infer a crash from silence. Suppose that a process has sent a message, and that the receiver
//! crashed before it handled the message. When a timer of the sender then fires, the sender knows that the receiver
//! has left its section. This adds an edge to happened-before: all exits of the receiver until its crash happened
//! before the step in which the timer fires. If a failure detector reports the crash, the edge leads from the crash
//! to the suspicion. A suspicion of a process that never crashed adds no edge.
//!
//! When a process takes back an expired lease (Gray and Cheriton 1989, "Leases"), the section ends at that event for
//! all processes except its holder. A process that enters after it has learnt of the expiry violates nothing. If the
//! holder enters for this request without knowing of the expiry, the holder is late. The fencing token protects
//! against a late holder, and this monitor does not judge its entry. A later request of the same holder is judged like
//! any other request. Only reports of expired leases that [count](crate::state::Leases) reach this monitor.
//!
//! In a run with services, this monitor judges only fencing tokens. There, a process can learn from a service that the
//! lock is free although no message of the run tells so: a lease expires by the clock of the service. The monitor of
//! [real time](super::real_time) judges the sections of such a run.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::fencing::{self, Fence};
use super::finding::{Finding, Monitor, Property, findings};
use super::interventions::Interventions;
use super::overtaking::{Overtaking, Overtakings};
use crate::state::Capacities;
use interlock_algorithm::{FlatMap, FlatSet, LockId, NodeId, Outcome, RequestId};
use interlock_machine::channel::CHANNEL_ACK;
use interlock_machine::message_id::MessageId;
use interlock_machine::wire::TimerName;
use interlock_model::event::{Event, Violation, What};
use interlock_model::specification::Specification;
use rustc_hash::FxBuildHasher;

/// The name of this monitor.
pub const NAME: &str = "mutual-exclusion";

findings! {
    /// Neither of two sections ended before the other began, by happened-before. Arguments: `lock`, `first` (the node
    /// whose entry was known first), `second`. If the first node left before the second entered, `apart_us` is the
    /// time between. If a message overtook another one, and one of the nodes therefore entered, `overtaking` names both.
    pub const CONCURRENT_SECTIONS = "concurrent-sections";
    ConcurrentSections {
        lock: LockId,
        first: NodeId,
        second: NodeId,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        apart_us: Option<u64>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        overtaking: Option<Overtaking>,
    } => {
        let cause = overtaking.as_ref().map(|overtaking| format!(" {overtaking}.")).unwrap_or_default();
        if apart_us.is_some() {
            return format!(
                "{first} and {second} were in the critical section of lock {lock} one after the other, but neither \
                 knew that the other had left: neither's exit happened before the other's entry.{cause}"
            );
        }
        format!(
            "{first} and {second} were in the critical section of lock {lock} at the same time: neither's exit \
             happened before the other's entry.{cause}"
        )
    }
}

/// The monitor of the critical sections of all locks.
#[derive(Debug)]
pub struct MutualExclusion {
    capacities: Capacities,
    nodes: usize,
    is_causal: bool,
    /// Whether a service may decide who enters, so that sections are judged by the clock.
    is_by_clock: bool,
    known: Vec<Arc<Knowledge>>,
    /// For each receiver and each sender, the latest version of the sender's knowledge that the receiver has merged.
    heard: Vec<u64>,
    /// For each message in the network, the knowledge that it carries.
    told: HashMap<MessageId, Arc<Knowledge>, FxBuildHasher>,
    /// The message that was added to `told` last, and the knowledge that it carries. After losing this message, the
    /// network may still duplicate it.
    latest: Option<(MessageId, Arc<Knowledge>)>,
    locks: FlatMap<LockId, Sections>,
    /// Crashed nodes.
    dead: FlatSet<NodeId>,
    /// For each process, its knowledge at its last crash. This knowledge includes the process's own exits.
    last_known: FlatMap<NodeId, Arc<Knowledge>>,
    /// For each sender, and each crashed receiver at which a message of this sender was lost, the exits of the receiver
    /// until the loss. The sender learns of these exits when one of its timers fires.
    unanswered: BTreeMap<(NodeId, NodeId), Vec<(usize, u64)>>,
    /// The overtakings that may explain a violation; `None` if none can.
    overtakings: Option<Overtakings>,
}

/// A node's knowledge: the exits in its causal past.
#[derive(Clone, Debug, Default)]
struct Knowledge {
    /// Version of this knowledge. The version increases whenever an exit is added.
    version: u64,
    /// Number of exits for each lock and each node. Locks are in the order in which they were first used.
    exits: Vec<u64>,
}

/// The sections of one lock.
#[derive(Debug)]
struct Sections {
    /// Index in [`Knowledge::exits`] at which the numbers of this lock begin.
    place: usize,
    of: Vec<Latest>,
}

/// The latest sections of one node, identified by the events of their entry and exit. A section that a crash ended is
/// removed.
#[derive(Clone, Debug, Default)]
struct Latest {
    inside: Option<(u64, RequestId)>,
    last: Option<Left>,
    /// Number of sections of the node that have ended. If a lease is taken back before its holder enters, the section
    /// never begins, but counts as ended.
    exits: u64,
    /// The request to which the section that ended last belongs.
    ended: Option<RequestId>,
    /// The fencing token of the latest entry that had one.
    fence: Option<Fence>,
}

/// A section, identified by the events of its entry and exit.
struct Section {
    entered: u64,
    exited: Option<u64>,
    /// Time at which the process left the section, if it has left.
    gone_us: Option<u64>,
}

/// A section that has ended.
#[derive(Clone, Copy, Debug)]
struct Left {
    entered: u64,
    exited: u64,
    /// Number of the node's exits up to and including the exit from this section.
    exits: u64,
    /// Time at which the process left the section. `None` if the lease was taken back and the process is still inside.
    gone_us: Option<u64>,
}

impl Knowledge {
    fn exits(&self, place: usize) -> u64 {
        self.exits.get(place).copied().unwrap_or(0)
    }

    fn note(&mut self, place: usize, exits: u64) {
        if self.exits.len() <= place {
            self.exits.resize(place + 1, 0);
        }
        self.exits[place] = self.exits[place].max(exits);
        self.version += 1;
    }

    fn tells_more_than(&self, other: &Self) -> bool {
        self.exits.iter().enumerate().any(|(place, &exits)| exits > other.exits(place))
    }

    fn learn(&mut self, other: &Self) {
        let length = self.exits.len().max(other.exits.len());
        self.exits.resize(length, 0);
        for (mine, theirs) in self.exits.iter_mut().zip(&other.exits) {
            *mine = (*mine).max(*theirs);
        }
        self.version += 1;
    }
}

impl Latest {
    /// Returns the latest section of the process, unless it is among the first `exits` sections of the process.
    fn section_after(&self, exits: u64) -> Option<Section> {
        match (self.inside, self.last) {
            (Some((entered, _)), _) => Some(Section { entered, exited: None, gone_us: None }),
            (None, Some(Left { entered, exited, exits: last, gone_us })) if last > exits => {
                Some(Section { entered, exited: Some(exited), gone_us })
            }
            _ => None,
        }
    }

    /// Records that the process leaves a section which already ended when its lease was taken back.
    fn leave_late(&mut self, at_us: u64) {
        if let Some(left) = &mut self.last {
            left.gone_us.get_or_insert(at_us);
        }
    }

    /// If there is a current section, ends it with the event `exited`. If `of` is given, the section ends only if
    /// it belongs to the request `of`. Returns whether a section has ended.
    fn end(&mut self, of: Option<RequestId>, exited: u64, gone_us: Option<u64>) -> bool {
        let Some((entered, request)) = self.inside.take_if(|(_, request)| of.is_none_or(|of| of == *request)) else {
            return false;
        };
        self.exits += 1;
        self.ended = Some(request);
        self.last = Some(Left { entered, exited, exits: self.exits, gone_us });
        true
    }
}

impl Monitor for MutualExclusion {
    const PROPERTIES: &'static [Property] = &[PROPERTY, fencing::PROPERTY];

    fn new(specification: &Specification) -> Self {
        let nodes = NodeId::all(specification.nodes).len();
        Self {
            capacities: Capacities::of(specification),
            nodes,
            is_causal: true,
            is_by_clock: specification.has_services(),
            known: vec![Arc::default(); nodes],
            heard: vec![0; nodes * nodes],
            told: HashMap::default(),
            latest: None,
            locks: FlatMap::new(),
            dead: FlatSet::new(),
            last_known: FlatMap::new(),
            unanswered: BTreeMap::new(),
            overtakings: Overtakings::new(specification),
        }
    }

    fn observe(&mut self, event: &Event, _: &Interventions, found: &mut Vec<Violation>) {
        if let Some(overtakings) = &mut self.overtakings {
            overtakings.observe(event);
        }
        match &event.what {
            What::Sent { at, message, .. } => self.sent(at.node, *message),
            What::Duplicated { message, copy, .. } => self.duplicated(*message, *copy),
            What::Delivered { at, message, .. } => self.delivered(at.node, *message),
            What::Dropped { message, .. } | What::Refused { message: Some(message), .. } => {
                self.told.remove(message);
                self.misses(message.from, message.to);
            }
            What::Fired { at, timer: TimerName::Algorithm(_), .. } => self.waits_no_longer(at.node),
            What::Started { node, .. } => {
                self.dead.remove(node);
            }
            What::Outcome { at, outcome: Outcome::Entered { lock, request, fence } }
                if self.capacities.is_exclusive(*lock) =>
            {
                let fence = fence.map(|token| Fence { node: at.node, token, entered: event.seq });
                self.entered(at.node, *lock, (*request, fence), event, found);
            }
            What::Outcome { at, outcome: Outcome::Exited { lock, .. } } if self.capacities.is_exclusive(*lock) => {
                self.exited(at.node, *lock, event);
            }
            What::Outcome { at, outcome: Outcome::Expired { lock, holder, request } } => {
                self.expired(at.node, *lock, (*holder, *request), event.seq);
            }
            What::Crashed { node, .. } => self.crashed(*node, event.at_us),
            What::Suspected { at, whom } => self.suspected(at.node, *whom),
            _ => {}
        }
    }
}

impl MutualExclusion {
    /// Sets whether the event stream contains the messages of the run. Without messages, happened-before is unknown.
    /// The monitor then reports only sections that were open at the same time.
    pub(super) fn set_causal(&mut self, is_causal: bool) {
        self.is_causal = is_causal;
    }

    /// Processes an event below the channels. The network may drop a copy of an algorithm's message at a crashed
    /// receiver. No event above the channels shows such a loss, since the channel sends the message again. Messages
    /// of channels and detectors are ignored, because no process awaits an answer to such a message.
    pub fn came_too_late(&mut self, event: &Event) {
        match &event.what {
            What::Dropped { message, message_kind, .. }
                if !event.what.is_heartbeat() && **message_kind != *CHANNEL_ACK =>
            {
                self.misses(message.from, message.to);
            }
            _ => {}
        }
    }

    fn sent(&mut self, from: NodeId, message: MessageId) {
        let heard = self.heard.get(message.to.index() * self.nodes + from.index());
        if let Some(known) = self.known.get(from.index())
            // If the receiver already has this knowledge, no record is needed.
            && heard.is_some_and(|heard| known.version > *heard)
        {
            self.told.insert(message, Arc::clone(known));
            self.latest = Some((message, Arc::clone(known)));
        }
    }

    fn duplicated(&mut self, original: MessageId, copy: MessageId) {
        let latest = || self.latest.as_ref().filter(|(id, _)| *id == original).map(|(_, told)| told);
        if let Some(told) = self.told.get(&original).or_else(latest).cloned() {
            self.told.insert(copy, told);
        }
    }

    fn delivered(&mut self, to: NodeId, message: MessageId) {
        let Some(told) = self.told.remove(&message) else { return };
        let (from, to) = (message.from.index(), to.index());
        let Some(heard) = self.heard.get_mut(to * self.nodes + from) else { return };
        // The receiver has merged later knowledge of this sender, which contains the earlier knowledge.
        if told.version <= *heard {
            return;
        }
        *heard = told.version;
        if let Some(known) = self.known.get_mut(to)
            && told.tells_more_than(known)
        {
            Arc::make_mut(known).learn(&told);
        }
    }

    fn sections(&mut self, lock: LockId) -> &mut Sections {
        sections_of(&mut self.locks, self.nodes, lock)
    }

    fn entered(
        &mut self,
        node: NodeId,
        lock: LockId,
        (request, fence): (RequestId, Option<Fence>),
        event: &Event,
        found: &mut Vec<Violation>,
    ) {
        let Some(known) = self.known.get(node.index()).cloned() else { return };
        let (is_causal, is_by_clock, overtakings) = (self.is_causal, self.is_by_clock, &self.overtakings);
        let sections = sections_of(&mut self.locks, self.nodes, lock);
        let exits = |of: NodeId| known.exits(sections.place + of.index());
        let is_late = |latest: &Latest| latest.exits > exits(node) && latest.ended == Some(request);
        if sections.of.get(node.index()).is_some_and(is_late) {
            // The lease of this request was taken back, and the holder does not know that its lease has expired. The
            // monitor does not judge such a late holder.
            return;
        }
        let mut earlier = Vec::new();
        for (first, latest) in (0..).map(NodeId).zip(&sections.of) {
            if first != node
                && let Some(section) = latest.section_after(exits(first))
            {
                // If this entry has an earlier timestamp than the exit from the other section, both processes were
                // inside at the same time. In this case, `apart_us` is absent.
                let apart_us = section.gone_us.and_then(|gone_us| event.at_us.checked_sub(gone_us));
                if !is_by_clock && (is_causal || apart_us.is_none()) {
                    let events = std::iter::once(section.entered).chain(section.exited).chain([event.seq]);
                    let overtaking = overtakings.as_ref().and_then(|overtakings| overtakings.between(first, node));
                    let finding = ConcurrentSections { lock, first, second: node, apart_us, overtaking };
                    found.push(finding.violation(events.collect::<Vec<_>>()));
                }
            } else if fence.is_some() {
                earlier.extend(latest.fence);
            }
        }
        found.extend(fence.and_then(|fence| fencing::judge(lock, earlier.into_iter(), fence)));
        if let Some(latest) = sections.of.get_mut(node.index()) {
            latest.inside.get_or_insert((event.seq, request));
            latest.fence = fence.or(latest.fence);
        }
    }

    fn exited(&mut self, node: NodeId, lock: LockId, event: &Event) {
        let sections = self.sections(lock);
        let place = sections.place + node.index();
        let Some(latest) = sections.of.get_mut(node.index()) else { return };
        if latest.end(None, event.seq, Some(event.at_us)) {
            let exits = latest.exits;
            self.learn(node, place, exits);
        } else {
            latest.leave_late(event.at_us);
        }
    }

    fn expired(&mut self, at: NodeId, lock: LockId, (holder, request): (NodeId, RequestId), seq: u64) {
        let sections = self.sections(lock);
        let place = sections.place + holder.index();
        let Some(latest) = sections.of.get_mut(holder.index()) else { return };
        if latest.ended > Some(request) {
            // The report is late: a section of a later request of the holder has already ended. The report does not
            // concern that section.
            return;
        }
        if !latest.end(Some(request), seq, None) && latest.ended != Some(request) {
            // The lease was taken back before the holder entered, so the section counts as ended before it begins.
            latest.exits += 1;
            latest.ended = Some(request);
        }
        let exits = latest.exits;
        self.learn(at, place, exits);
    }

    fn learn(&mut self, node: NodeId, place: usize, exits: u64) {
        if let Some(known) = self.known.get_mut(node.index()) {
            Arc::make_mut(known).note(place, exits);
        }
    }

    /// Records that the network has lost a message. If the receiver has crashed, it will never answer the message.
    fn misses(&mut self, from: NodeId, to: NodeId) {
        if self.dead.contains(&to) {
            let of = |sections: &Sections| Some((sections.place + to.index(), sections.of.get(to.index())?.exits));
            let exits = self.locks.values().filter_map(of).collect();
            self.unanswered.insert((from, to), exits);
        }
    }

    /// Handles a timer that fired: the node learns the exits of each crashed receiver that never answered its message.
    fn waits_no_longer(&mut self, node: NodeId) {
        let of_node = (node, NodeId(0))..=(node, NodeId(u32::MAX));
        let silent: Vec<(NodeId, NodeId)> = self.unanswered.range(of_node).map(|(pair, _)| *pair).collect();
        for pair in silent {
            for (place, exits) in self.unanswered.remove(&pair).unwrap_or_default() {
                self.learn(node, place, exits);
            }
        }
    }

    /// Handles a suspicion: the suspecting node learns what the suspected node knew at its last crash.
    fn suspected(&mut self, node: NodeId, whom: NodeId) {
        if let (Some(last), Some(known)) = (self.last_known.get(&whom), self.known.get_mut(node.index()))
            && last.tells_more_than(known)
        {
            Arc::make_mut(known).learn(last);
        }
    }

    // All incarnations of a node are one process. Its knowledge before a crash stays in its causal past.
    fn crashed(&mut self, node: NodeId, at_us: u64) {
        self.dead.insert(node);
        if let Some(known) = self.known.get(node.index()) {
            self.last_known.insert(node, Arc::clone(known));
        }
        for latest in self.locks.values_mut().filter_map(|lock| lock.of.get_mut(node.index())) {
            if latest.inside.take().is_some() {
                latest.fence = None;
            }
            latest.leave_late(at_us);
        }
    }
}

/// Returns the sections of a lock, and adds it if it is used for the first time.
fn sections_of(locks: &mut FlatMap<LockId, Sections>, nodes: usize, lock: LockId) -> &mut Sections {
    let place = locks.len() * nodes;
    locks.entry(lock).or_insert_with(|| Sections { place, of: vec![Latest::default(); nodes] })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::state::test_stream::TestStream;
    use interlock_model::event::StepId;

    fn after(stream: &TestStream) -> MutualExclusion {
        let mut monitor = MutualExclusion::new(&stream.specification);
        stream.events.iter().for_each(|event| monitor.observe(event, &Interventions::default(), &mut Vec::new()));
        monitor
    }

    fn section(stream: &mut TestStream, node: u32) {
        stream.request(node);
        stream.enter(node);
        stream.exit(node);
    }

    #[test]
    fn only_what_tells_something_new_is_remembered() {
        let mut stream = TestStream::new(3);
        stream.send(0, 1, "EARLY");
        assert!(after(&stream).told.is_empty(), "there is nothing to tell");
        section(&mut stream, 0);
        for to in [1, 2] {
            let word = stream.send(0, to, "RELEASE");
            assert_eq!(after(&stream).told.len(), 1);
            stream.deliver(word);
            assert!(after(&stream).told.is_empty());
        }
        stream.send(0, 1, "AGAIN");
        assert!(after(&stream).told.is_empty(), "it has heard that");
        let versions = |stream: &TestStream| after(stream).known.iter().map(|known| known.version).collect::<Vec<_>>();
        let before = versions(&stream);
        let old_news = stream.send(1, 2, "OLD");
        stream.deliver(old_news);
        assert_eq!(versions(&stream), before, "P2 knew it from P0");
    }

    #[test]
    fn what_is_known_is_what_either_knew() {
        let knowledge = |exits: &[u64]| Knowledge { version: 0, exits: exits.to_vec() };
        let (one, other) = (knowledge(&[1, 2]), knowledge(&[2, 1, 3]));
        assert!(one.tells_more_than(&other) && other.tells_more_than(&one));
        let mut both = one.clone();
        both.learn(&other);
        assert_eq!((both.exits.as_slice(), both.version), (&[2, 2, 3][..], 1));
        assert!(!one.tells_more_than(&both) && !both.tells_more_than(&both));
        both.note(0, 1);
        assert_eq!((both.exits.as_slice(), both.version), (&[2, 2, 3][..], 2), "nothing is forgotten");
        both.note(4, 5);
        assert_eq!(both.exits, [2, 2, 3, 0, 5]);
        assert_eq!((both.exits(4), both.exits(5)), (5, 0));
    }

    #[test]
    fn what_has_ended_in_the_network_is_forgotten() {
        for end in [
            |stream: &mut TestStream, word| stream.lose(word),
            |stream: &mut TestStream, word| _ = stream.deliver(word),
        ] {
            let mut stream = TestStream::new(2);
            section(&mut stream, 0);
            let word = stream.send(0, 1, "RELEASE");
            end(&mut stream, word);
            assert!(after(&stream).told.is_empty());
        }
    }

    #[test]
    fn what_is_known_of_one_lock_is_nothing_of_another() {
        let mut stream = TestStream::new(3);
        let section = |stream: &mut TestStream, node: u32, lock: u32| {
            let at = StepId { node: NodeId(node), incarnation: 1, step: stream.events.len() as u64 };
            let (lock, request) = (LockId(lock), RequestId(1));
            stream.outcome(at, Outcome::Entered { lock, request, fence: None });
            stream.outcome(at, Outcome::Exited { lock, request });
        };
        section(&mut stream, 0, 0);
        section(&mut stream, 1, 1);
        let word = stream.send(1, 2, "RELEASE");
        stream.deliver(word);
        section(&mut stream, 0, 2);
        section(&mut stream, 1, 2);
        section(&mut stream, 2, 1);
        section(&mut stream, 2, 2);
        let (mut monitor, mut found) = (MutualExclusion::new(&stream.specification), Vec::new());
        stream.events.iter().for_each(|event| monitor.observe(event, &Interventions::default(), &mut found));
        let two = |violation: &Violation| ["lock", "first", "second"].map(|name| violation.arguments[name].clone());
        let arguments: Vec<_> = found.iter().map(two).collect();
        let of_lock_2 = |first, second| [json!(2), json!(first), json!(second)];
        assert_eq!(arguments, [of_lock_2(0, 1), of_lock_2(0, 2), of_lock_2(1, 2)], "P2 has heard of lock 1 only");
    }
}
