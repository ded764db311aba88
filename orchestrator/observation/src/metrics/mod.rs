//! Metrics: the cost and the delays of a run, from the stream of events alone.
//!
//! A message counts when it is sent; duplicates made by the network do not count. Times are taken from the nodes' own
//! timestamps.

mod bypass;
mod channel;
mod delays;
mod detector;
mod happenings;
mod operations;
mod sections;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use interlock_algorithm::{NodeId, catalogue};
use serde::Serialize;
use utoipa::ToSchema;

pub use channel::ChannelDocument;
pub use delays::{DelayBuckets, DelayDocument};
pub use detector::DetectorDocument;
pub use operations::OperationsDocument;

use crate::above_channels::AboveChannels;
use crate::monitor::precedence::Precedence;
use crate::monitor::stuck;
use crate::monitor::waits::Passed;
use crate::state::Locks;
use bypass::Bypass;
use channel::ChannelCost;
use delays::{Delays, real};
use detector::DetectorQuality;
use happenings::Happenings;
use interlock_model::event::{Event, MessageKind, TELL, What};
use interlock_model::specification::Specification;
use operations::Operations;
use sections::Sections;

/// The measures of a run so far.
#[derive(Clone, Debug)]
pub struct Metrics {
    entries: u64,
    messages: u64,
    /// Message counts by kind. There are few kinds, so a list is faster than a map.
    kinds: Counts,
    /// Counts of messages that repair the damage of failures.
    repairs: Counts,
    sections: Sections,
    bypass: Bypass,
    happenings: Happenings,
    operations: Operations,
    above_channels: Option<AboveChannels>,
    /// `None` in runs without channels.
    channel: Option<ChannelCost>,
    detector: DetectorQuality,
    order: Option<Precedence>,
    order_inversions: u64,
    nodes: Vec<Work>,
    violations: u64,
    stuck: u64,
}

/// The requests, entries and received messages of one node.
#[derive(Clone, Copy, Debug, Default)]
struct Work {
    asked: bool,
    entries: u64,
    handled: u64,
}

/// The metrics of a run: `GET /runs/{run}/metrics`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, ToSchema)]
pub struct MetricsDocument {
    /// Entries to the critical section.
    pub entries: u64,
    /// Messages sent; copies made by the network do not count.
    pub messages: u64,
    /// Messages sent / entries; null before the first entry.
    pub messages_per_entry: Option<f64>,
    /// Messages sent, by kind.
    pub messages_by_kind: BTreeMap<String, u64>,
    /// Messages with which the algorithm repairs the damage of failures, by kind. They are not part of `messages` or
    /// `messages_by_kind`.
    pub repair_messages: BTreeMap<String, u64>,
    /// Time from `acquire` to entry. It is measured only if a unit of the lock is free and no other process wants one
    /// in that time. Most locks have one unit.
    pub client_delay: DelayDocument,
    /// Time from an exit to the next entry. It is measured only if all units were taken and a process was waiting at
    /// the exit.
    pub synchronisation_delay: DelayDocument,
    /// Time from `acquire` to exit.
    pub response_time: DelayDocument,
    /// Entries per second, from the first request to the last exit; null before that.
    pub throughput: Option<f64>,
    /// Jain's index over the entries of the nodes that ever made a request, 1 / their number … 1; null before the
    /// first entry.
    pub fairness: Option<f64>,
    /// The largest number of entries of others between the arrival of a request and its entry, or until now if the
    /// request still waits. A request has arrived when it is at every node, at the coordinator, or at the last node
    /// to which it is passed on. In the bakery algorithm it has arrived when it has passed the doorway.
    pub bypass_max: u64,
    /// Same as `bypass_max`, but counted from the moment of the request. Most algorithms bound only `bypass_max`,
    /// since a message may be in transit forever.
    pub bypass_from_request_max: u64,
    /// Pairs of requests granted out of order: one request happened before the other and still waited when the other
    /// was granted. Null if there are more than 2,048 nodes.
    pub order_inversions: Option<u64>,
    /// The longest time for which a process wanted a lock that had a free unit, in ms; null if there was none.
    pub longest_gap: Option<f64>,
    /// Requests that were aborted, either to break a deadlock or to avoid one.
    pub aborts: u64,
    /// Elections called.
    pub elections: u64,
    /// Number of times that a node has learnt which value is chosen.
    pub decisions: u64,
    /// Operations that clients invoked at a service.
    pub operations: OperationsDocument,
    /// Messages that channels sent in addition to those of the algorithm, if there are channels.
    pub channel: ChannelDocument,
    /// The quality of failure detectors, if there are any.
    pub detector: DetectorDocument,
    /// Messages that each node has received, duplicated copies included, by node.
    pub handled_per_node: Vec<u64>,
    /// Violations found, including those of getting stuck.
    pub violations: u64,
    /// Number of times the run got stuck.
    pub stuck: u64,
}

impl Metrics {
    /// Returns the metrics before the first event.
    #[must_use]
    pub fn new(specification: &Specification) -> Self {
        let (repairs, kinds) = counted_kinds(specification);
        let nodes = NodeId::all(specification.nodes).len();
        Self {
            entries: 0,
            messages: 0,
            kinds,
            repairs,
            sections: Sections::new(specification),
            bypass: Bypass::new(specification),
            happenings: Happenings::new(specification),
            operations: Operations::default(),
            above_channels: AboveChannels::new(specification),
            channel: (!specification.channel.is_raw()).then(ChannelCost::default),
            detector: DetectorQuality::default(),
            order: Precedence::new(specification.nodes),
            order_inversions: 0,
            nodes: vec![Work::default(); nodes],
            violations: 0,
            stuck: 0,
        }
    }

    /// Processes the next event, which has already been applied to `locks`.
    pub fn observe(&mut self, event: &Event, locks: &Locks) {
        self.detector.observe(event);
        match self.above_channels.take() {
            None => self.count(event, locks),
            Some(mut above_channels) => {
                self.channel.iter_mut().for_each(|channel| channel.observe(event));
                above_channels.follow(event, |event| self.count(event, locks));
                self.above_channels = Some(above_channels);
            }
        }
    }

    /// Counts an event that the algorithm sees.
    fn count(&mut self, event: &Event, locks: &Locks) {
        // These three measures ignore exchanges of messages. Most events are exchanges, so skipping them saves time.
        if !event.what.is_exchange() {
            self.sections.observe(event, locks);
            self.happenings.observe(event, locks);
            self.operations.observe(event);
        }
        self.bypass.observe(event);
        if let Some(order) = &mut self.order {
            order.observe(event, |_| self.order_inversions += 1);
        }
        match &event.what {
            // Messages of the application are not a cost of the algorithm.
            What::Sent { message_kind, .. } if **message_kind != *TELL => self.sent(message_kind),
            What::Delivered { at, .. } => self.work(at.node, |work| work.handled += 1),
            What::Requested { at, .. } => self.work(at.node, |work| work.asked = true),
            What::Entered { at, .. } => {
                self.entries += 1;
                self.work(at.node, |work| work.entries += 1);
            }
            What::Violated { violation } => {
                self.violations += 1;
                self.stuck += u64::from(*violation.monitor == *stuck::NAME);
            }
            _ => {}
        }
    }

    /// Adds the counts of aborts, elections and decisions from `before`, the metrics of the warm-up. A warm-up does
    /// not discard these counts.
    #[must_use]
    pub fn with_counts_of(mut self, before: &Self) -> Self {
        let Happenings { aborts, elections, decisions, .. } = before.happenings;
        self.happenings.aborts += aborts;
        self.happenings.elections += elections;
        self.happenings.decisions += decisions;
        self
    }

    /// Returns the metrics as the API shows them.
    #[must_use]
    pub fn document(&self) -> MetricsDocument {
        let Passed { since_request, since_arrival } = self.bypass.most();
        MetricsDocument {
            entries: self.entries,
            messages: self.messages,
            messages_per_entry: ratio(self.messages, self.entries),
            messages_by_kind: self.kinds.iter().map(|(kind, count)| (kind.to_string(), *count)).collect(),
            repair_messages: self.repaired().collect(),
            client_delay: self.sections.client.document(),
            synchronisation_delay: self.sections.synchronisation.document(),
            response_time: self.sections.response.document(),
            throughput: self.throughput(),
            fairness: self.fairness(),
            bypass_max: since_arrival,
            bypass_from_request_max: since_request,
            order_inversions: self.order.as_ref().map(|_| self.order_inversions),
            longest_gap: self.happenings.longest_gap_us.and_then(|gap_us| ratio(gap_us, 1_000)),
            aborts: self.happenings.aborts,
            elections: self.happenings.elections,
            decisions: self.happenings.decisions,
            operations: self.operations.document(),
            channel: self.channel.as_ref().map(ChannelCost::document).unwrap_or_default(),
            detector: self.detector.document(),
            handled_per_node: self.nodes.iter().map(|work| work.handled).collect(),
            violations: self.violations,
            stuck: self.stuck,
        }
    }

    /// Returns the distributions of client delays, synchronisation delays and response times.
    #[must_use]
    pub fn delay_buckets(&self) -> [DelayBuckets; 3] {
        let Sections { client, synchronisation, response, .. } = &self.sections;
        [client, synchronisation, response].map(Delays::buckets)
    }

    /// Returns the number of repair messages, by kind.
    fn repaired(&self) -> impl Iterator<Item = (String, u64)> {
        let sent = self.repairs.iter().filter(|(_, count)| *count > 0);
        sent.map(|(kind, count)| (kind.to_string(), *count))
    }

    fn sent(&mut self, kind: &MessageKind) {
        if let Some((_, count)) = self.repairs.iter_mut().find(|(known, _)| known == kind) {
            *count += 1;
            return;
        }
        self.messages += 1;
        match self.kinds.iter_mut().find(|(known, _)| known == kind) {
            Some((_, count)) => *count += 1,
            None => self.kinds.push((kind.clone(), 1)),
        }
    }

    fn work(&mut self, node: NodeId, done: impl FnOnce(&mut Work)) {
        if let Some(work) = self.nodes.get_mut(node.index()) {
            done(work);
        }
    }

    fn throughput(&self) -> Option<f64> {
        let lasted_us = self.sections.last_exit_us?.checked_sub(self.sections.first_request_us?)?;
        ratio(self.entries, lasted_us).map(|per_us| per_us * 1_000_000.0)
    }

    /// Returns Jain's fairness index, (Σx)² / (n Σx²): Jain, Chiu, Hawe 1984, "A Quantitative Measure of Fairness
    /// and Discrimination".
    fn fairness(&self) -> Option<f64> {
        let entries = || self.nodes.iter().filter(|work| work.asked).map(|work| u128::from(work.entries));
        let (asked, sum) = (entries().count() as u128, entries().sum::<u128>());
        let squares: u128 = entries().map(|entries| entries * entries).sum();
        (squares > 0).then(|| real(sum * sum) / real(asked * squares))
    }
}

/// Number of messages of each kind.
type Counts = Vec<(MessageKind, u64)>;

/// Returns the kinds of repair messages and the other kinds, each counted from 0.
fn counted_kinds(specification: &Specification) -> (Counts, Counts) {
    let repairs = catalogue::find(&specification.algorithm).map_or(&[][..], |entry| entry.repair_kinds);
    let kinds = specification.known_kinds().unwrap_or_default().into_iter();
    kinds.map(|kind| (MessageKind::named(kind), 0)).partition(|(kind, _)| repairs.contains(&&**kind))
}

fn ratio(count: u64, of: u64) -> Option<f64> {
    (of > 0).then(|| real(u128::from(count)) / real(u128::from(of)))
}
