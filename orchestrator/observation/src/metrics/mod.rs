//! Metrics: the cost and the delays of a run, computed from its events alone.
//!
//! A message counts when it is sent. Duplicates made by the network do not count. All times are the timestamps that
//! the nodes set.

mod bypass;
mod channel;
#[cfg(test)]
mod channel_tests;
#[cfg(test)]
mod count_tests;
mod delays;
mod detector;
#[cfg(test)]
mod detector_tests;
mod gaps;
mod inversions;
mod operations;
#[cfg(test)]
mod order_tests;
mod sections;
#[cfg(test)]
mod tests;
mod trips;

use std::collections::BTreeMap;

use interlock_algorithm::{NodeId, Outcome, catalogue};
use serde::Serialize;
use utoipa::ToSchema;

pub use channel::ChannelDocument;
pub use delays::{DelayBuckets, DelayDocument};
pub use detector::DetectorDocument;
pub use operations::OperationsDocument;
pub use trips::TripsDocument;

use crate::above_channels::AboveChannels;
use crate::monitor::precedence::Precedence;
use crate::monitor::stuck;
use crate::monitor::waits::Passed;
use crate::state::Locks;
use bypass::Bypass;
use channel::ChannelCost;
use delays::{Delays, real};
use detector::DetectorQuality;
use gaps::Gaps;
use interlock_model::event::{Event, MessageKind, TELL, What};
use interlock_model::specification::Specification;
use inversions::Inversions;
use operations::Operations;
use sections::Sections;
use trips::Trips;

/// The metrics of a run so far.
#[derive(Clone, Debug)]
pub struct Metrics {
    /// The metrics that are plain counts. [`Metrics::document`] computes the others.
    counted: MetricsDocument,
    /// Message counts by kind. There are few kinds, so a list is faster than a map.
    kinds: Counts,
    /// Counts of repair messages by kind: messages with which the algorithm repairs the damage of failures.
    repairs: Counts,
    sections: Sections,
    bypass: Bypass,
    gaps: Gaps,
    operations: Operations,
    above_channels: Option<AboveChannels>,
    /// `None` in runs without channels.
    channel: Option<ChannelCost>,
    detector: DetectorQuality,
    order: Option<Precedence>,
    order_inversions: u64,
    inversions: Inversions,
    trips: Trips,
    nodes: Vec<Work>,
}

/// Counts for one node: whether it has ever made a request, its entries, and the messages that it has received.
#[derive(Clone, Copy, Debug, Default)]
struct Work {
    asked: bool,
    entries: u64,
    handled: u64,
}

/// The metrics of a run: `GET /runs/{run}/metrics`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, ToSchema)]
pub struct MetricsDocument {
    /// Number of entries to critical sections.
    pub entries: u64,
    /// Number of messages sent. Copies made by the network do not count.
    pub messages: u64,
    /// Number of messages sent, divided by the number of entries. Null before the first entry.
    pub messages_per_entry: Option<f64>,
    /// Number of messages sent, by kind.
    pub messages_by_kind: BTreeMap<String, u64>,
    /// Number of messages with which the algorithm repairs the damage of failures, by kind. These messages are
    /// included neither in `messages` nor in `messages_by_kind`.
    pub repair_messages: BTreeMap<String, u64>,
    /// Time from `acquire` to entry. A request counts only if, until its entry, a unit of the lock is free and no
    /// other process waits for the lock. Most locks have one unit.
    pub client_delay: DelayDocument,
    /// Time from an exit to the next entry. An exit counts only if all units of the lock were taken before it and a
    /// process was waiting.
    pub synchronisation_delay: DelayDocument,
    /// Time from `acquire` to exit.
    pub response_time: DelayDocument,
    /// Entries per second, between the first request and the last exit. Null before the first exit.
    pub throughput: Option<f64>,
    /// Jain's fairness index over the entries of the nodes that ever made a request. Between 1 / (number of these
    /// nodes) and 1; null before the first entry.
    pub fairness: Option<f64>,
    /// The largest number of entries by other processes while one request waited, counted from the arrival of the
    /// request. If the request still waits, the entries until now count. Depending on the algorithm, a request must
    /// reach every node, the coordinator, or the last node to which it is passed on. In the bakery algorithm, a
    /// request has arrived when its process has passed the doorway.
    pub bypass_max: u64,
    /// The same as `bypass_max`, but counted from the moment of the request. Most algorithms guarantee a bound only
    /// for `bypass_max`, since a message may be in transit for any length of time.
    pub bypass_from_request_max: u64,
    /// Number of pairs of requests that were granted out of order. In such a pair, one request happened before the
    /// other request, but still waited when the other request was granted. Null if there are more than 2,048 nodes.
    pub order_inversions: Option<u64>,
    /// Number of pairs of requests that were granted in another order than that of their timestamps. In such a pair,
    /// the request with the smaller timestamp still waited when the other request was granted. Null if the requests of
    /// the algorithm have no timestamps, or if there are more than 2,048 nodes.
    pub timestamp_inversions: Option<u64>,
    /// Number of pairs of requests that were granted in another order than that of real time. In such a pair, one
    /// request was made earlier than the other request, but still waited when the other request was granted. Null if
    /// there are more than 2,048 nodes.
    pub real_time_inversions: Option<u64>,
    /// Bounded waiting: entries of other processes between two consecutive entries of one process to one lock, whether
    /// or not the process waits.
    pub entries_between: TripsDocument,
    /// The longest time for which a lock had a free unit although a process waited for it, in ms. Null if that never
    /// happened.
    pub longest_gap: Option<f64>,
    /// Number of requests that were aborted, either to break a deadlock or to avoid one.
    pub aborts: u64,
    /// Number of elections that processes called.
    pub elections: u64,
    /// Number of times that a node has learnt the value chosen in an instance of agreement.
    pub decisions: u64,
    /// The operations that clients invoked at a service.
    pub operations: OperationsDocument,
    /// The messages that channels sent in addition to those of the algorithm, if there are channels.
    pub channel: ChannelDocument,
    /// The quality of failure detectors, if there are any.
    pub detector: DetectorDocument,
    /// Number of messages that each node has received, including duplicates, ordered by node.
    pub handled_per_node: Vec<u64>,
    /// Number of violations found. Each time that the run got stuck counts as a violation.
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
            counted: MetricsDocument::default(),
            kinds,
            repairs,
            sections: Sections::new(specification),
            bypass: Bypass::new(specification),
            gaps: Gaps::new(specification),
            operations: Operations::default(),
            above_channels: AboveChannels::new(specification),
            channel: (!specification.channel.is_raw()).then(ChannelCost::default),
            detector: DetectorQuality::default(),
            order: Precedence::new(specification.nodes),
            order_inversions: 0,
            inversions: Inversions::new(specification),
            trips: Trips::default(),
            nodes: vec![Work::default(); nodes],
        }
    }

    /// Processes the next event. `locks` is the state of the locks after this event.
    #[inline]
    pub fn observe(&mut self, event: &Event, locks: &Locks) {
        self.detector.observe(event);
        if self.above_channels.is_none() {
            return self.count(event, locks);
        }
        if let Some(mut above_channels) = self.above_channels.take() {
            self.channel.iter_mut().for_each(|channel| channel.observe(event));
            above_channels.follow(event, |event| self.count(event, locks));
            self.above_channels = Some(above_channels);
        }
    }

    /// Counts an event that the algorithm sees.
    fn count(&mut self, event: &Event, locks: &Locks) {
        // Most events are exchanges of messages. The measures below ignore exchanges, so skipping them here
        // saves time.
        if !event.what.is_exchange() {
            self.sections.observe(event, locks);
            self.gaps.observe(event, locks);
            self.operations.observe(event);
            self.inversions.observe(event);
            self.trips.observe(event);
        }
        self.bypass.observe(event);
        if let Some(order) = &mut self.order {
            order.observe(event, |_| self.order_inversions += 1);
        }
        match &event.what {
            // Messages of the application are not part of the cost of the algorithm.
            What::Sent { message_kind, .. } if **message_kind != *TELL => self.sent(message_kind),
            What::Delivered { at, .. } => self.work(at.node, |work| work.handled += 1),
            What::Outcome { at, outcome } => match outcome {
                Outcome::Requested { .. } => self.work(at.node, |work| work.asked = true),
                Outcome::Entered { .. } => {
                    self.counted.entries += 1;
                    self.work(at.node, |work| work.entries += 1);
                }
                Outcome::Aborted { .. } => self.counted.aborts += 1,
                Outcome::Called { .. } => self.counted.elections += 1,
                Outcome::Decided { .. } => self.counted.decisions += 1,
                _ => {}
            },
            What::Violated { violation } => {
                self.counted.violations += 1;
                self.counted.stuck += u64::from(*violation.monitor == *stuck::NAME);
            }
            _ => {}
        }
    }

    /// Adds the counts of aborts, elections and decisions from `before`, the metrics of the warm-up. At the end of a
    /// warm-up all metrics restart except these counts.
    #[must_use]
    pub fn with_counts_of(mut self, before: &Self) -> Self {
        self.counted.aborts += before.counted.aborts;
        self.counted.elections += before.counted.elections;
        self.counted.decisions += before.counted.decisions;
        self
    }

    /// Returns the metrics as the API shows them.
    #[must_use]
    pub fn document(&self) -> MetricsDocument {
        let Passed { since_request, since_arrival } = self.bypass.most();
        MetricsDocument {
            messages_per_entry: ratio(self.counted.messages, self.counted.entries),
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
            timestamp_inversions: self.inversions.by_timestamp(),
            real_time_inversions: self.inversions.in_real_time(),
            entries_between: self.trips.document(),
            longest_gap: self.gaps.longest_us.and_then(|gap_us| ratio(gap_us, 1_000)),
            operations: self.operations.document(),
            channel: self.channel.as_ref().map(ChannelCost::document).unwrap_or_default(),
            detector: self.detector.document(),
            handled_per_node: self.nodes.iter().map(|work| work.handled).collect(),
            ..self.counted.clone()
        }
    }

    /// Returns the distributions of client delays, synchronisation delays and response times.
    #[must_use]
    pub fn delay_buckets(&self) -> [DelayBuckets; 3] {
        let Sections { client, synchronisation, response, .. } = &self.sections;
        [client, synchronisation, response].map(Delays::buckets)
    }

    /// Returns the kinds of repair messages that were sent, each with the number of messages.
    fn repaired(&self) -> impl Iterator<Item = (String, u64)> {
        let sent = self.repairs.iter().filter(|(_, count)| *count > 0);
        sent.map(|(kind, count)| (kind.to_string(), *count))
    }

    fn sent(&mut self, kind: &MessageKind) {
        if let Some((_, count)) = self.repairs.iter_mut().find(|(known, _)| known == kind) {
            *count += 1;
            return;
        }
        self.counted.messages += 1;
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
        ratio(self.counted.entries, lasted_us).map(|per_us| per_us * 1_000_000.0)
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

/// The kinds of messages, each with the number of messages.
type Counts = Vec<(MessageKind, u64)>;

/// Returns the counts of repair messages and of all other messages, with every kind at 0.
fn counted_kinds(specification: &Specification) -> (Counts, Counts) {
    let repairs = catalogue::find(&specification.algorithm).map_or(&[][..], |entry| entry.repair_kinds);
    let kinds = specification.known_kinds().unwrap_or_default().into_iter();
    kinds.map(|kind| (MessageKind::named(kind), 0)).partition(|(kind, _)| repairs.contains(&&**kind))
}

fn ratio(count: u64, of: u64) -> Option<f64> {
    (of > 0).then(|| real(u128::from(count)) / real(u128::from(of)))
}
