//! A process that waits is not passed over without end: starvation, which is not a deadlock, since others go on.
//!
//! No finite stream proves that somebody will never enter. A wait is said to starve when others have entered more than
//! [`PATIENCE`] times as often as there are nodes since its request arrived where it must (see [`super::waits`]): right
//! algorithms let each of the others in a few times at most. A request that is passed on depends on messages of others
//! that may still be under way, each as long as any, or on time-outs after which somebody is asked at all, over a hop for
//! each node: so long nothing is counted. Nor is anything counted while an intervention stands (see
//! [`super::interventions`]); loss stretches both the time and the count. A process that enters again and again while a
//! message about the same lock is on its way to it, nobody else being in between, counts once: that message may be what
//! tells it of the wait, as in Raymond's tree the REQUEST that follows the PRIVILEGE.

use std::collections::{BTreeMap, VecDeque};

use interlock_algorithm::{LockId, NodeId};
use serde_json::json;

use super::interventions::Interventions;
use super::waits::{News, Wait, Waits};
use crate::event::{Event, StepId, Violation, What};
use crate::specification::Specification;

/// The name of this monitor.
pub const NAME: &str = "progress";
/// A wait is passed over again and again. Arguments: `lock`, `node`, `passed` (how often).
pub const STARVATION: &str = "starvation";

/// How often each of the nodes may enter on average before one whose request has arrived.
pub const PATIENCE: u64 = 50;

/// Watches those who wait.
#[derive(Debug)]
pub struct Progress {
    most: u64,
    waits: Waits,
    /// For each lock those whose requests have arrived, in that order. Some wait no more, or had not arrived after all.
    arrived: BTreeMap<LockId, VecDeque<Arrived>>,
    /// Who entered last, for each lock.
    last: BTreeMap<LockId, NodeId>,
    /// How many entries did not count, for each lock, since they may have been those of one who did not know yet.
    unknowing: BTreeMap<LockId, u64>,
    nodes: u64,
    /// The waits that have been told of, by node and lock.
    told: BTreeMap<(NodeId, LockId), StepId>,
}

/// A request that has arrived.
#[derive(Clone, Copy, Debug)]
struct Arrived {
    step: StepId,
    /// The count of entries then.
    entries: u64,
    since_us: u64,
    /// How often it had been passed over when all that it depended on had arrived, too, and how many entries had not counted.
    before: Option<Passed>,
}

/// How many entries there had been at a time.
#[derive(Clone, Copy, Debug)]
struct Passed {
    all: u64,
    unknowing: u64,
}

impl Progress {
    /// The monitor of a run, before the first event.
    #[must_use]
    pub fn new(specification: &Specification) -> Self {
        Self {
            most: PATIENCE * u64::from(specification.nodes),
            waits: Waits::new(specification),
            arrived: BTreeMap::new(),
            last: BTreeMap::new(),
            unknowing: BTreeMap::new(),
            nodes: u64::from(specification.nodes),
            told: BTreeMap::new(),
        }
    }

    /// Takes the next event.
    pub fn observe(&mut self, event: &Event, interventions: &Interventions, found: &mut Vec<Violation>) {
        let mut arrived = Vec::new();
        self.waits.observe(event, |news| {
            if let News::Arrived(step) = news {
                arrived.push(step);
            }
        });
        for step in arrived {
            for (wait, entries) in self.waits.of(step).filter_map(|wait| Some((wait, wait.arrived_after()?))) {
                let arrived = Arrived { step, entries, since_us: event.at_us, before: None };
                self.arrived.entry(wait.lock).or_default().push_back(arrived);
            }
        }
        if let What::Entered { at, lock, .. } = &event.what {
            let is_again = self.last.insert(*lock, at.node) == Some(at.node);
            if is_again && interventions.is_one_coming_to(at.node, *lock) {
                *self.unknowing.entry(*lock).or_default() += 1;
            }
            self.entered(*lock, event, interventions, found);
        }
    }

    /// Looks at the one whose request arrived first, and at the next if that is over.
    fn entered(&mut self, lock: LockId, event: &Event, interventions: &Interventions, found: &mut Vec<Violation>) {
        let Some(arrived) = self.arrived.get_mut(&lock) else { return };
        let unknowing = self.unknowing.get(&lock).copied().unwrap_or_default();
        let hop_us = interventions.longest_us().saturating_add(interventions.longest_time_out_us());
        let all_hops_us = hop_us.saturating_mul(self.nodes);
        while let Some(first) = arrived.front_mut() {
            let node = first.step.node;
            if let Some(wait) = self.waits.of(first.step).find(|wait| wait.lock == lock)
                && wait.arrived_after() == Some(first.entries)
                && self.told.get(&(node, lock)) != Some(&first.step)
            {
                if !interventions.outlasts(first.since_us, event.at_us, all_hops_us) {
                    first.before = None;
                    return;
                }
                let passed = self.waits.passed(wait).since_arrival;
                let before = first.before.get_or_insert(Passed { all: passed, unknowing });
                let most = interventions.stretched(self.most);
                if passed - before.all - (unknowing - before.unknowing) <= most {
                    return;
                }
                self.told.insert((node, lock), first.step);
                found.push(starvation(wait, passed, event.seq));
            }
            arrived.pop_front();
        }
    }
}

fn starvation(wait: &Wait, passed: u64, seq: u64) -> Violation {
    Violation {
        monitor: NAME.into(),
        code: STARVATION.into(),
        arguments: json!({ "lock": wait.lock, "node": wait.step.node, "passed": passed }),
        events: vec![wait.requested, seq],
    }
}

#[cfg(test)]
mod tests {
    use interlock_machine::wire::TimerName;

    use super::*;
    use crate::event::Json;
    use crate::state::test_stream::TestStream;

    /// How often it is said that P0 starves, whose request has arrived, when P1 has entered so often; before each entry
    /// somebody may have a hand in it.
    fn said(entries: u64, hand: impl Fn(u64, &mut TestStream)) -> usize {
        let mut stream = TestStream::new(2);
        stream.request(0);
        let request = stream.send(0, 1, "REQUEST");
        stream.at(1_000).deliver(request);
        for entry in 1..=entries {
            stream.at(10_000 + 100 * entry);
            hand(entry, &mut stream);
            stream.request(1);
            stream.enter(1);
            stream.exit(1);
        }
        stream.violations().iter().filter(|violation| *violation.code == *STARVATION).count()
    }

    #[test]
    fn who_is_passed_over_more_often_than_patience_allows_is_told_of_once() {
        let nobody = |_, _: &mut TestStream| {};
        // The first is where counting begins.
        assert_eq!(said(1 + 2 * PATIENCE, nobody), 0);
        assert_eq!(said(2 + 2 * PATIENCE, nobody), 1);
        assert_eq!(said(600, nobody), 1);
    }

    #[test]
    fn counting_begins_anew_when_nobody_has_a_hand_in_it_any_more() {
        let pause = |entry, stream: &mut TestStream| match entry {
            50 => stream.pause(0),
            60 => stream.resume(0),
            _ => {}
        };
        // Resumed at 16 ms; two hops later, after the entry of 18 ms, counting begins.
        assert_eq!(said(81 + 2 * PATIENCE, pause), 0);
        assert_eq!(said(82 + 2 * PATIENCE, pause), 1);
        let for_ever = |entry, stream: &mut TestStream| {
            if entry == 50 {
                stream.pause(0);
            }
        };
        assert_eq!(said(600, for_ever), 0);
    }

    #[test]
    fn who_has_not_waited_longer_than_the_messages_of_all_take_does_not_starve() {
        let slow = |entry, stream: &mut TestStream| {
            if entry == 1 {
                stream.sent(1, 0, "ANY", Some(1_000_000));
            }
        };
        assert_eq!(said(600, slow), 0);
    }

    #[test]
    fn who_enters_again_and_again_counts_once_while_a_message_is_on_its_way_to_it() {
        let under_way = |to| {
            move |entry, stream: &mut TestStream| {
                if entry == 20 {
                    stream.send(1 - to, to, "REQUEST");
                }
            }
        };
        assert_eq!(said(600, under_way(1)), 0);
        assert_eq!(said(600, under_way(0)), 1, "it is on its way to the one who waits");
        let arrives = |entry, stream: &mut TestStream| {
            if entry == 20 {
                let request = stream.send(0, 1, "REQUEST");
                stream.deliver(request);
            }
        };
        assert_eq!(said(600, arrives), 1);
    }

    /// As in the failover, where who comes back asks nobody until it has missed the coordinator.
    #[test]
    fn who_may_have_to_wait_for_a_time_out_does_not_starve_before_it_is_over() {
        let time_out = |entry, stream: &mut TestStream| {
            if entry == 1 {
                stream.arm(1, TimerName::Algorithm(Json::of(&"office").expect("JSON")), 5_000);
            }
        };
        // The request arrived at 1 ms, and counting begins two time-outs later: after ten entries or so.
        assert_eq!(said(2 + 2 * PATIENCE, time_out), 0);
        assert_eq!(said(100 + 2 * PATIENCE, time_out), 1);
    }
}
