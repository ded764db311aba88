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
//!
//! A bystander of a wait is a process that has neither waited for the lock nor had it since the wait began. Where a request
//! for a token goes to all others, as in Suzuki and Kasami's algorithm, no bystander can hold it up: the processes that
//! enter have had the token since, and none passes the request on. So there what is kept from bystanders, or by them, does
//! not excuse that others enter again and again, and the request has arrived when only bystanders miss it. Elsewhere a
//! bystander may be the arbiter, the coordinator or the neighbour that the request needs.

use std::collections::{BTreeMap, VecDeque};

use super::activity::Activity;
use super::finding::{Finding, finding};
use super::interventions::Interventions;
use super::waits::{Change, Wait, Waits};
use interlock_algorithm::{FlatMap, LockId, NodeId};
use interlock_model::event::{Event, StepId, Violation, What};
use interlock_model::specification::Specification;

/// The name of this monitor.
pub const NAME: &str = "progress";

finding! {
    /// A wait is passed over again and again. Arguments: `lock`, `node`, `passed` (how often).
    pub const STARVATION = "starvation";
    Starvation { lock: LockId, node: NodeId, passed: u64 } =>
        format!("{node} starves: others entered lock {lock} {passed} times since its request had arrived.")
}

/// How often each of the nodes may enter on average before one whose request has arrived.
pub const PATIENCE: u64 = 50;

/// Watches those who wait.
#[derive(Debug)]
pub struct Progress {
    most: u64,
    waits: Waits,
    activity: Activity,
    /// For each lock those whose requests have arrived, in that order. Some wait no more, or had not arrived after all.
    arrived: FlatMap<LockId, VecDeque<Arrived>>,
    /// For each lock a request that only bystanders miss.
    beside: FlatMap<LockId, Arrived>,
    /// The number of changes of what stands that have been looked at.
    changes: u64,
    /// Who entered last, for each lock.
    last: FlatMap<LockId, NodeId>,
    /// How many entries did not count, for each lock, since they may have been those of one who did not know yet.
    unknowing: FlatMap<LockId, u64>,
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
    /// Whether the interventions since then are followed, and whether one concerned it at the latest look.
    is_followed: bool,
    is_concerned: bool,
    /// How often it had been passed over when all that it depended on had arrived, too, and how many entries had not counted.
    before: Option<Passed>,
}

/// How many entries there had been at a time.
#[derive(Clone, Copy, Debug)]
struct Passed {
    all: u64,
    unknowing: u64,
}

impl Arrived {
    const fn new(step: StepId, entries: u64, since_us: u64) -> Self {
        Self { step, entries, since_us, is_followed: false, is_concerned: false, before: None }
    }

    /// An intervention concerns the request until now: the count begins anew.
    const fn begin(&mut self, now_us: u64) {
        (self.since_us, self.before) = (now_us, None);
    }
}

impl Progress {
    /// The monitor of a run, before the first event.
    #[must_use]
    pub fn new(specification: &Specification) -> Self {
        Self {
            most: PATIENCE * u64::from(specification.nodes),
            waits: Waits::new(specification),
            activity: Activity::new(specification),
            arrived: FlatMap::new(),
            beside: FlatMap::new(),
            changes: 0,
            last: FlatMap::new(),
            unknowing: FlatMap::new(),
            nodes: u64::from(specification.nodes),
            told: BTreeMap::new(),
        }
    }

    /// Takes the next event.
    pub fn observe(&mut self, event: &Event, interventions: &Interventions, found: &mut Vec<Violation>) {
        self.activity.observe(event);
        let mut arrived = Vec::new();
        self.waits.observe(event, |change| {
            if let Change::Arrived(step) = change {
                arrived.push(step);
            }
        });
        for step in arrived {
            for (wait, entries) in self.waits.of(step).filter_map(|wait| Some((wait, wait.arrived_after()?))) {
                let arrived = Arrived::new(step, entries, event.at_us);
                self.arrived.entry(wait.lock).or_default().push_back(arrived);
            }
        }
        if self.changes != interventions.changes() {
            self.follow(event.at_us, interventions);
        }
        if let What::Entered { at, lock, .. } = &event.what {
            let is_again = self.last.insert(*lock, at.node) == Some(at.node);
            if is_again && interventions.is_one_coming_to(at.node, *lock) {
                *self.unknowing.entry(*lock).or_default() += 1;
            }
            self.entered(*lock, event, interventions, found);
            self.entered_beside(*lock, event, interventions, found);
        }
    }

    /// What stands has changed: the requests that are watched are counted anew if it concerns them.
    fn follow(&mut self, now_us: u64, interventions: &Interventions) {
        let is_disturbed = interventions.was_disturbed_since(self.changes);
        self.changes = interventions.changes();
        let mut watched: Vec<(LockId, Arrived)> =
            self.arrived.iter().filter_map(|(lock, arrived)| Some((*lock, *arrived.front()?))).collect();
        let fronts = watched.len();
        watched.extend(self.beside.iter().map(|(lock, beside)| (*lock, *beside)));
        for (place, (lock, mut one)) in watched.into_iter().enumerate() {
            let wait = self.waits.of(one.step).find(|wait| wait.lock == lock);
            let is_concerned = wait.is_some_and(|wait| self.concern(wait, now_us, interventions));
            if is_disturbed || is_concerned || one.is_concerned {
                one.begin(now_us);
            }
            one.is_concerned = is_concerned;
            let slot = if place < fronts {
                self.arrived.get_mut(&lock).and_then(VecDeque::front_mut)
            } else {
                self.beside.get_mut(&lock)
            };
            if let Some(slot) = slot {
                *slot = one;
            }
        }
    }

    /// Whether an intervention stands that may keep a request waiting.
    fn concern(&self, wait: &Wait, now_us: u64, interventions: &Interventions) -> bool {
        interventions.stand_at(now_us)
            && (!self.waits.asks_all_for_a_token(wait)
                || interventions.stand_among(now_us, &|node| self.takes_part(wait, node)))
    }

    /// Whether a process is not a bystander of a wait.
    fn takes_part(&self, wait: &Wait, node: NodeId) -> bool {
        !self.activity.is_idle_since(wait.requested, wait.lock, node)
    }

    /// Looks at the one whose request arrived first, and at the next if that is over.
    fn entered(&mut self, lock: LockId, event: &Event, interventions: &Interventions, found: &mut Vec<Violation>) {
        while let Some(mut first) = self.arrived.get(&lock).and_then(|arrived| arrived.front().copied()) {
            let wait = self.awaited(&first, lock).filter(|wait| wait.arrived_after() == Some(first.entries));
            let starves = wait.map(|wait| self.count(&mut first, wait, event, interventions));
            let Some(arrived) = self.arrived.get_mut(&lock) else { return };
            match starves {
                Some(None) => {
                    arrived[0] = first;
                    return;
                }
                Some(Some(violation)) => {
                    self.told.insert((first.step.node, lock), first.step);
                    found.push(violation);
                }
                None => {}
            }
            arrived.pop_front();
        }
    }

    /// Looks at a request that has arrived but for bystanders, while something is kept from them.
    fn entered_beside(
        &mut self,
        lock: LockId,
        event: &Event,
        interventions: &Interventions,
        found: &mut Vec<Violation>,
    ) {
        if !interventions.stand_at(event.at_us) {
            self.beside.remove(&lock);
            return;
        }
        let known = self.beside.remove(&lock);
        let known = known.and_then(|one| Some((one, self.awaited(&one, lock).filter(|wait| self.is_beside(wait))?)));
        let Some((mut one, wait)) = known.or_else(|| {
            let wait = self.waits.iter().find(|wait| wait.lock == lock && self.is_beside(wait))?;
            Some((Arrived::new(wait.step, 0, event.at_us), wait))
        }) else {
            return;
        };
        match self.count(&mut one, wait, event, interventions) {
            None => _ = self.beside.insert(lock, one),
            Some(violation) => {
                self.told.insert((one.step.node, lock), one.step);
                found.push(violation);
            }
        }
    }

    /// Whether only bystanders miss the request of a wait that has not been reported.
    fn is_beside(&self, wait: &Wait) -> bool {
        wait.arrived_after().is_none()
            && self.told.get(&(wait.step.node, wait.lock)) != Some(&wait.step)
            && self.waits.not_reached(wait).is_some_and(|nodes| !nodes.iter().any(|node| self.takes_part(wait, *node)))
    }

    /// The wait of a request that has not been reported.
    fn awaited(&self, one: &Arrived, lock: LockId) -> Option<&Wait> {
        let is_told = self.told.get(&(one.step.node, lock)) == Some(&one.step);
        self.waits.of(one.step).find(|wait| wait.lock == lock && !is_told)
    }

    /// Counts one more entry beside a request; returns whether it starves.
    fn count(&self, one: &mut Arrived, wait: &Wait, event: &Event, interventions: &Interventions) -> Option<Violation> {
        if !one.is_followed {
            one.is_followed = true;
            one.since_us = one.since_us.max(interventions.since_us());
        }
        one.is_concerned = self.concern(wait, event.at_us, interventions);
        if one.is_concerned {
            one.begin(event.at_us);
            return None;
        }
        let hop_us = interventions.longest_us().saturating_add(interventions.longest_time_out_us());
        let all_hops_us = self.stretched(hop_us.saturating_mul(self.nodes), wait, interventions);
        if event.at_us <= one.since_us.saturating_add(all_hops_us) {
            one.before = None;
            return None;
        }
        let passed = self.waits.passed(wait);
        let unknowing = self.unknowing.get(&wait.lock).copied().unwrap_or_default();
        let before = one.before.get_or_insert(Passed { all: passed.since_request, unknowing });
        // An own entry to another unit of the lock passes nobody over, and may not have counted, either.
        let counted = (passed.since_request - before.all).saturating_sub(unknowing - before.unknowing);
        let most = self.stretched(self.most, wait, interventions);
        let passed = wait.arrived_after().map_or(counted, |_| passed.since_arrival);
        (counted > most).then(|| starvation(wait, passed, event.seq))
    }

    /// A time or a number of entries, stretched by the loss that concerns a wait.
    fn stretched(&self, without_loss: u64, wait: &Wait, interventions: &Interventions) -> u64 {
        if self.waits.asks_all_for_a_token(wait) {
            interventions.stretched_among(without_loss, &|node| self.takes_part(wait, node))
        } else {
            interventions.stretched(without_loss)
        }
    }
}

fn starvation(wait: &Wait, passed: u64, seq: u64) -> Violation {
    Starvation { lock: wait.lock, node: wait.step.node, passed }.violation([wait.requested, seq])
}

#[cfg(test)]
mod tests {
    use interlock_machine::wire::TimerName;

    use serde_json::json;

    use super::*;
    use crate::state::test_stream::TestStream;
    use interlock_model::event::Json;

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

    /// P0 waits for two units of a lock that P1 has entered; then it enters others, while a message is on its way to it.
    #[test]
    fn own_entries_to_other_units_pass_nobody_over() {
        let mut stream = TestStream::new(2);
        stream.at(1_000).request(0);
        let request = stream.send(0, 1, "REQUEST");
        stream.deliver(request);
        let enter = |stream: &mut TestStream, node, request| {
            let at = StepId { node: NodeId(node), incarnation: 1, step: 1_000 + request };
            let what =
                What::Entered { at, lock: LockId(0), request: interlock_algorithm::RequestId(request), fence: None };
            stream.push(what);
        };
        stream.at(50_000);
        enter(&mut stream, 1, 10);
        stream.send(1, 0, "TOKEN");
        (20..23).for_each(|request| enter(&mut stream, 0, request));
        assert_eq!(stream.violations().iter().filter(|violation| *violation.code == *STARVATION).count(), 0);
    }

    /// The loss ends before an entry that is the next after a long time: what was counted with loss does not count.
    #[test]
    fn counting_begins_anew_when_the_loss_changes() {
        let configure = |stream: &mut TestStream, loss: f64| {
            let setting =
                interlock_model::network::LinkSetting { loss, ..interlock_model::network::LinkSetting::default() };
            let change = interlock_model::event::Change {
                subject: "default".into(),
                id: None,
                value: serde_json::to_value(setting).ok(),
            };
            stream.push(What::Configured { change });
        };
        let said = |changes: bool| {
            let mut stream = TestStream::new(2);
            configure(&mut stream, if changes { 0.5 } else { 0.0 });
            stream.request(0);
            let request = stream.send(0, 1, "REQUEST");
            stream.at(1_000).deliver(request);
            for entry in 1..=1 + 2 * PATIENCE {
                stream.at(1_000_000 + 100 * entry);
                pass(&mut stream);
            }
            configure(&mut stream, 0.0);
            pass(stream.at(9_000_000));
            stream.violations().iter().filter(|violation| *violation.code == *STARVATION).count()
        };
        assert_eq!((said(false), said(true)), (1, 0));
    }

    fn pass(stream: &mut TestStream) {
        stream.request(1);
        stream.enter(1);
        stream.exit(1);
    }

    /// How often it is said that P0 of four starves, which asks for a token, when P1 enters 600 times. P2 is away meanwhile
    /// and has taken part before, or not.
    fn said_beside(algorithm: &str, to: &[u32], takes_part: bool, away: fn(&mut TestStream)) -> usize {
        let mut stream = TestStream::new(4);
        stream.specification.algorithm = algorithm.to_owned();
        stream.request(0);
        if takes_part {
            stream.request(2);
        }
        let messages: Vec<_> = to.iter().map(|&to| stream.send(0, to, "REQUEST")).collect();
        away(&mut stream);
        for message in messages {
            if message.to == NodeId(2) {
                stream.push(What::dropped(message, "REQUEST".into(), interlock_model::event::DropReason::Partition));
            } else {
                stream.at(1_000).deliver(message);
            }
        }
        for entry in 1..=600 {
            stream.at(100_000 + 100 * entry);
            pass(&mut stream);
        }
        stream.violations().iter().filter(|violation| *violation.code == *STARVATION).count()
    }

    #[test]
    fn a_bystander_excuses_nobody_where_a_request_for_a_token_goes_to_all() {
        let cut: fn(&mut TestStream) = |stream| {
            let value = Some(json!({ "id": 1, "groups": [[2], [0, 1, 3]], "direction": "both" }));
            let change = interlock_model::event::Change { subject: "partition".into(), id: Some("1".into()), value };
            stream.push(What::Configured { change });
        };
        let paused: fn(&mut TestStream) = |stream| stream.pause(2);
        for away in [cut, paused] {
            assert_eq!(said_beside("suzuki-kasami", &[1, 2, 3], false, away), 1);
            assert_eq!(said_beside("suzuki-kasami", &[1, 2, 3], true, away), 0, "P2 waits, too");
            assert_eq!(said_beside("ricart-agrawala", &[1, 2, 3], false, away), 0, "P2 must reply");
        }
        assert_eq!(said_beside("suzuki-kasami", &[1, 2, 3], false, |_| ()), 0, "the request is lost");
        let both: fn(&mut TestStream) = |stream| {
            stream.pause(2);
            stream.pause(0);
        };
        assert_eq!(said_beside("suzuki-kasami", &[1, 2, 3], false, both), 0, "P0 is paused itself");
    }

    /// P1 enters again and again and has lost the request of P0, which P2 has not taken since it is paused.
    #[test]
    fn a_request_that_a_process_beside_a_bystander_has_lost_has_not_arrived() {
        let said = |is_lost: bool| {
            let mut stream = TestStream::new(4);
            stream.specification.algorithm = "suzuki-kasami".to_owned();
            stream.request(0);
            let [to_p1, _, to_p3] = [1, 2, 3].map(|to| stream.send(0, to, "REQUEST"));
            stream.pause(2);
            stream.at(1_000).deliver(to_p3);
            if is_lost {
                stream.lose(to_p1);
            } else {
                stream.deliver(to_p1);
            }
            for entry in 1..=600 {
                stream.at(100_000 + 100 * entry);
                pass(&mut stream);
            }
            stream.violations().iter().filter(|violation| *violation.code == *STARVATION).count()
        };
        assert_eq!((said(false), said(true)), (1, 0));
    }
}
