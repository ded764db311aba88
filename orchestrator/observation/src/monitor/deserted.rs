//! Monitor of deserted critical sections: processes wait and time-outs expire, but no process enters.
//!
//! A system that sets time-outs without end is never quiescent, so no observer can prove that the system is stuck. But
//! suppose that no process is in the critical section, a process waits, and time-outs have expired again and again. In
//! this situation, the next time-out will not help either. This happens, for example, if a holder crashes and no
//! process notices the crash.
//!
//! To replace a crashed process, a correct algorithm needs a few time-outs. None of them is longer than the longest
//! time-out that the algorithm has set. A message that circulates makes one hop per node in a round, and each node
//! that handles it may send it on one more round. The monitor therefore reports a violation when two conditions
//! hold:
//!
//! - Timers have fired [`PATIENCE`] times per node, on average over all nodes.
//! - Enough time has passed for all these hops and time-outs.
//!
//! Message loss increases both limits. The monitor reports nothing while an intervention is in force. It also
//! reports nothing while a script or scenario still plans to undo an intervention: see [`super::interventions`].
//!
//! If each lock has its own instance of the algorithm, each lock is judged separately. Entries to one lock, and the
//! timers of its instance, do not show whether another lock is deserted.

use std::collections::BTreeMap;

use super::activity::is_by_lock;
use super::finding::{Finding, Monitor, Property, findings, of_lock, wait};
use super::interventions::Interventions;
use super::progress::{NAME, PATIENCE};
use interlock_algorithm::{FlatMap, LockId, NodeId, Outcome, RequestId};
use interlock_machine::wire::TimerName;
use interlock_model::event::{Event, Json, TimerLabel, Violation, What};
use interlock_model::specification::Specification;

findings! {
    /// No process enters, although processes wait and time-outs expire. Arguments: `waiting` (nodes), `lasted_ms`
    /// (duration), `died` (the process that crashed in the section since the latest entry, if any). If each lock is
    /// judged separately, there is also `lock`.
    pub const NOBODY_ENTERS = "nobody-enters";
    NobodyEnters {
        waiting: Vec<NodeId>,
        lasted_ms: u64,
        died: Option<NodeId>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lock: Option<LockId>,
    } => {
        let waiting = wait(waiting);
        let died = died.map(|died| format!(" {died} crashed in a critical section.")).unwrap_or_default();
        let sentence = format!(
            "{waiting}, and no process has been in a critical section for {lasted_ms} ms, although timers expire again \
             and again.{died}"
        );
        of_lock(*lock, sentence)
    }
}

/// The monitor of deserted sections.
#[derive(Debug)]
pub struct Deserted {
    nodes: u64,
    /// Whether each lock is judged separately.
    is_by_lock: bool,
    /// If each lock is judged separately, this map contains the section of each lock that was ever requested. If not,
    /// it has a single entry for all locks together.
    sections: FlatMap<LockId, Section>,
    /// False in a run with services: there, a wait may end when a lease expires at a service, and no event tells when.
    is_judged: bool,
    /// The longest delay with which the algorithm has set a timer so far, in microseconds.
    longest_us: u64,
    /// The value of [`Interventions::since_us`] at the latest check.
    calm_since_us: u64,
}

/// A critical section, or all critical sections if they are judged as one.
#[derive(Debug, Default)]
struct Section {
    /// The pending requests, each with the `seq` of its event.
    waiting: BTreeMap<(NodeId, LockId, RequestId), u64>,
    inside: Vec<(NodeId, LockId, RequestId)>,
    /// The process that crashed in the section, if no process has entered since.
    died: Option<NodeId>,
    /// Start of the current period in which a process waits and no process is inside, in microseconds since the run
    /// began.
    since_us: u64,
    /// Number of timers of the algorithm that have fired since `since_us`.
    run_out: u64,
    told: bool,
}

impl Monitor for Deserted {
    const PROPERTIES: &'static [Property] = &[PROPERTY];
    const READS_EXCHANGES: bool = false;

    fn new(specification: &Specification) -> Self {
        Self {
            nodes: specification.nodes.into(),
            is_by_lock: is_by_lock(specification),
            sections: FlatMap::new(),
            is_judged: !specification.has_services(),
            longest_us: 0,
            calm_since_us: 0,
        }
    }

    fn observe(&mut self, event: &Event, interventions: &Interventions, found: &mut Vec<Violation>) {
        let at_us = event.at_us;
        match &event.what {
            What::Outcome { at, outcome } => match outcome {
                Outcome::Requested { lock, request, .. } => {
                    let section = self.section(*lock);
                    if section.waiting.is_empty() {
                        section.begin(at_us);
                    }
                    section.waiting.insert((at.node, *lock, *request), event.seq);
                }
                Outcome::Entered { lock, request, .. } => self.section(*lock).enter((at.node, *lock, *request)),
                Outcome::Exited { lock, request } => self.section(*lock).leave((at.node, *lock, *request), at_us),
                Outcome::Expired { lock, holder, request } => {
                    self.section(*lock).leave((*holder, *lock, *request), at_us);
                }
                Outcome::Aborted { request, .. } => {
                    self.sections.values_mut().for_each(|section| section.abort(at.node, *request, at_us));
                }
                _ => {}
            },
            What::Crashed { node, .. } => self.sections.values_mut().for_each(|section| section.crash(*node, at_us)),
            What::Started { .. } => self.sections.values_mut().for_each(|section| section.begin(at_us)),
            What::Armed { timer: TimerName::Algorithm(_), delay_us, .. } => {
                self.longest_us = self.longest_us.max(*delay_us);
            }
            What::Fired { timer: timer @ TimerName::Algorithm(_), .. } if self.is_judged => {
                self.runs_out(timer, event, interventions, found);
            }
            _ => {}
        }
    }
}

impl Deserted {
    fn section(&mut self, lock: LockId) -> &mut Section {
        self.sections.entry(if self.is_by_lock { lock } else { LockId(0) }).or_default()
    }

    fn runs_out(
        &mut self,
        timer: &TimerLabel,
        event: &Event,
        interventions: &Interventions,
        found: &mut Vec<Violation>,
    ) {
        let hops = self.nodes.saturating_mul(self.nodes + 2).saturating_add(PATIENCE);
        let patience = Patience {
            times: interventions.stretched(PATIENCE.saturating_mul(self.nodes)),
            us: hops.saturating_mul(interventions.longest_us().saturating_add(self.longest_us)),
        };
        // If an intervention has ended or the message loss has changed since the last check, earlier time-outs no
        // longer count.
        if self.calm_since_us != interventions.since_us() {
            self.calm_since_us = interventions.since_us();
            self.sections.values_mut().for_each(|section| section.run_out = 0);
        }
        let of_lock = if self.is_by_lock { lock_of(timer) } else { None };
        for (lock, section) in &mut self.sections {
            if of_lock.is_none_or(|of| of == *lock) {
                let lock = self.is_by_lock.then_some(*lock);
                found.extend(section.runs_out(lock, &patience, event, interventions));
            }
        }
    }
}

/// Limits for a deserted section: the number of time-outs, and the time without a process inside. Both must be
/// exceeded.
struct Patience {
    times: u64,
    us: u64,
}

/// Returns the lock whose instance of the algorithm set this timer. Call this function only if each lock has its own
/// instance.
fn lock_of(timer: &TimerLabel) -> Option<LockId> {
    let TimerName::Algorithm(name) = timer else { return None };
    serde_json::from_str::<(LockId, serde::de::IgnoredAny)>(Json::as_str(name)).ok().map(|(lock, _)| lock)
}

impl Section {
    /// Restarts the time and the count of time-outs. Call this function for an event after which a process may be able
    /// to enter.
    const fn begin(&mut self, at_us: u64) {
        (self.since_us, self.run_out) = (at_us, 0);
    }

    fn enter(&mut self, request: (NodeId, LockId, RequestId)) {
        self.waiting.remove(&request);
        self.inside.push(request);
        (self.died, self.told) = (None, false);
    }

    fn leave(&mut self, request: (NodeId, LockId, RequestId), at_us: u64) {
        self.inside.retain(|inside| *inside != request);
        self.begin(at_us);
    }

    fn abort(&mut self, node: NodeId, request: RequestId, at_us: u64) {
        self.waiting.retain(|(waits, _, aborted), _| (*waits, *aborted) != (node, request));
        self.begin(at_us);
    }

    fn crash(&mut self, node: NodeId, at_us: u64) {
        if self.inside.iter().any(|(inside, ..)| *inside == node) {
            self.died = Some(node);
        }
        self.inside.retain(|(inside, ..)| *inside != node);
        self.waiting.retain(|(waits, ..), _| *waits != node);
        self.begin(at_us);
    }

    fn runs_out(
        &mut self,
        lock: Option<LockId>,
        patience: &Patience,
        event: &Event,
        interventions: &Interventions,
    ) -> Option<Violation> {
        if self.waiting.is_empty() || !self.inside.is_empty() || self.told {
            return None;
        }
        if interventions.stand_at(event.at_us) {
            self.run_out = 0;
            return None;
        }
        self.run_out += 1;
        if self.run_out <= patience.times || !interventions.outlasts(self.since_us, event.at_us, patience.us) {
            return None;
        }
        self.told = true;
        let mut waiting: Vec<NodeId> = self.waiting.keys().map(|(node, ..)| *node).collect();
        waiting.dedup();
        let lasted_ms = event.at_us.saturating_sub(self.since_us) / 1_000;
        let events: Vec<u64> = self.waiting.values().copied().chain([event.seq]).collect();
        Some(NobodyEnters { waiting, lasted_ms, died: self.died, lock }.violation(events))
    }
}

#[cfg(test)]
mod tests {
    use interlock_algorithm::AbortCause;

    use super::super::sentence;
    use super::*;
    use crate::state::test_stream::{LOCK, TestStream};
    use interlock_model::event::{Json, StepId, TimerLabel};

    const SECOND_US: u64 = 1_000_000;

    fn time_out() -> TimerLabel {
        TimerName::Algorithm(Json::of(&"client").expect("JSON"))
    }

    /// From `from_us` on, a time-out of 10 ms fires at `node` every 10 ms, `times` times. Returns the end of this
    /// period.
    fn time_outs(stream: &mut TestStream, node: u32, from_us: u64, times: u64) -> u64 {
        for time in 0..times {
            stream.at(from_us + time * 10_000);
            stream.fire(node, time_out());
            stream.arm(node, time_out(), 10_000);
        }
        from_us + times * 10_000
    }

    fn told(stream: &TestStream) -> Vec<String> {
        let found = stream.violations();
        found.iter().filter(|found| *found.code == *NOBODY_ENTERS).map(sentence).collect()
    }

    /// Returns a stream in which P0 is inside and P1 waits. If `dies`, P0 crashes. Otherwise P0 stays inside.
    fn held(dies: bool) -> TestStream {
        let mut stream = TestStream::new(2);
        stream.request(0);
        stream.enter(0);
        stream.request(1);
        if dies {
            stream.at(5_000).crash(0);
        }
        stream
    }

    #[test]
    fn a_section_whose_holder_died_is_entered_by_nobody() {
        let mut stream = held(true);
        time_outs(&mut stream, 1, 10_000, 100);
        assert_eq!(told(&stream), Vec::<String>::new(), "100 time-outs of two nodes are not enough");
        time_outs(&mut stream, 1, SECOND_US + 10_000, 200);
        let said = "P1 waits, and no process has been in a critical section for 1005 ms, although timers expire again \
                    and again. P0 crashed in a critical section.";
        assert_eq!(told(&stream), [said]);
    }

    #[test]
    fn a_section_that_is_deserted_again_after_an_entry_is_reported_again() {
        let reports = |is_entered: bool| {
            let mut stream = held(true);
            let now_us = time_outs(&mut stream, 1, 10_000, 300);
            if is_entered {
                stream.enter(1);
                stream.exit(1);
                stream.request(1);
            }
            time_outs(&mut stream, 1, now_us, 300);
            told(&stream).len()
        };
        assert_eq!(reports(false), 1, "once as long as nobody enters");
        assert_eq!(reports(true), 2);
    }

    /// P0 is inside, and P1 and P2 wait. Executes `happens`, and then time-outs of P2 expire. Returns the processes
    /// that the monitor reports as waiting.
    fn told_after(happens: impl FnOnce(&mut TestStream)) -> Vec<String> {
        let mut stream = TestStream::new(3);
        stream.request(0);
        stream.enter(0);
        stream.request(1);
        stream.request(2);
        happens(&mut stream);
        time_outs(&mut stream, 2, 10_000, 300);
        let found = stream.violations();
        let of_this = found.iter().find(|found| *found.code == *NOBODY_ENTERS);
        of_this.map(|found| found.arguments["waiting"].to_string()).into_iter().collect()
    }

    #[test]
    fn a_lease_that_is_taken_back_leaves_the_section_empty() {
        assert_eq!(told_after(|_| {}), [""; 0]);
        let expire = |stream: &mut TestStream| {
            stream.specification.algorithm = "replicated-lock".to_owned();
            let at = StepId { node: NodeId(1), incarnation: 1, step: 1 };
            stream.outcome(at, Outcome::Expired { lock: LOCK, holder: NodeId(0), request: RequestId(1) });
        };
        assert_eq!(told_after(expire), ["[1,2]"]);
    }

    #[test]
    fn who_has_given_up_waits_no_more() {
        let abort = |stream: &mut TestStream, node| {
            let at = StepId { node: NodeId(node), incarnation: 1, step: 2 };
            stream.outcome(at, Outcome::Aborted { request: RequestId(1), cause: AbortCause::Victim });
        };
        let one = |stream: &mut TestStream| {
            stream.crash(0);
            abort(stream, 1);
        };
        assert_eq!(told_after(one), ["[2]"]);
        let both = |stream: &mut TestStream| {
            one(stream);
            abort(stream, 2);
        };
        assert_eq!(told_after(both), [""; 0]);
    }

    #[test]
    fn a_crashed_process_waits_no_longer() {
        assert_eq!(told_after(|stream| _ = stream.crash(0)), ["[1,2]"]);
        let both = |stream: &mut TestStream| {
            stream.crash(0);
            stream.crash(1);
        };
        assert_eq!(told_after(both), ["[2]"]);
    }

    /// With three nodes, the time limit is 65 hops. For each hop, the limit allows the longest time-out.
    #[test]
    fn how_long_is_waited_grows_with_the_longest_time_out() {
        let said = |longest_us, last_us| {
            let mut stream = TestStream::new(3);
            stream.request(1);
            stream.arm(1, time_out(), longest_us);
            (0..200).for_each(|_| stream.fire(1, time_out()));
            stream.arm(1, time_out(), 10);
            stream.at(last_us).fire(1, time_out());
            told(&stream).len()
        };
        assert_eq!([said(10_000, 650_000), said(10_000, 650_001)], [0, 1]);
        assert_eq!([said(20_000, 1_300_000), said(20_000, 1_300_001)], [0, 1]);
    }

    #[test]
    fn as_long_as_somebody_is_inside_or_nobody_waits_nothing_is_said() {
        let mut stream = held(false);
        time_outs(&mut stream, 1, 10_000, 1_000);
        assert_eq!(told(&stream), Vec::<String>::new());
        stream.exit(0);
        stream.enter(1);
        stream.exit(1);
        time_outs(&mut stream, 1, 20 * SECOND_US, 1_000);
        assert_eq!(told(&stream), Vec::<String>::new());
    }

    /// P0 has crashed while it held lock 0, and P1 waits for lock 0. P1 enters lock 1 again and again. Timers of the
    /// instance for lock `timers_of` fire. Returns the sentences of the violations.
    fn told_of_two_locks(algorithm: &str, timers_of: u32) -> Vec<String> {
        let mut stream = TestStream::new(2);
        (stream.specification.algorithm, stream.specification.locks) = (algorithm.to_owned(), 2);
        stream.request(0);
        stream.enter(0);
        stream.request(1);
        stream.at(5_000).crash(0);
        let timer = || TimerName::Algorithm(Json::of(&(timers_of, "client")).expect("JSON"));
        for time in 1..=300 {
            let at = StepId { node: NodeId(1), incarnation: 1, step: 1_000 + time };
            let (lock, request) = (LockId(1), RequestId(1_000 + time));
            stream.at(time * 10_000).outcome(at, Outcome::requested(lock, request));
            stream.outcome(at, Outcome::Entered { lock, request, fence: None });
            stream.outcome(at, Outcome::Exited { lock, request });
            stream.fire(1, timer());
            stream.arm(1, timer(), 10_000);
        }
        told(&stream)
    }

    #[test]
    fn entries_to_one_lock_do_not_hide_that_nobody_enters_another() {
        let said = "Lock 0: P1 waits, and no process has been in a critical section for 1005 ms, although timers \
                    expire again and again. P0 crashed in a critical section.";
        assert_eq!(told_of_two_locks("ricart-agrawala", 0), [said]);
        assert_eq!(told_of_two_locks("ricart-agrawala", 1), [""; 0], "only the other instance looks");
        assert_eq!(told_of_two_locks("banker", 0), [""; 0], "it keeps a lock back on purpose");
    }

    #[test]
    fn time_outs_alone_or_time_alone_prove_nothing() {
        let mut stream = held(true);
        // All these timers fire at the same moment, so the time limit is not exceeded.
        for _ in 0..1_000 {
            stream.fire(1, time_out());
        }
        stream.arm(1, time_out(), 10_000);
        assert_eq!(told(&stream), Vec::<String>::new());
        let mut stream = held(true);
        stream.arm(1, time_out(), 10_000);
        stream.at(1_000 * SECOND_US).fire(1, time_out());
        assert_eq!(told(&stream), Vec::<String>::new());
    }

    #[test]
    fn a_hand_in_the_run_an_entry_and_a_new_process_are_reasons_to_wait_on() {
        let disturb: [fn(&mut TestStream); 3] = [
            |stream| stream.pause(1),
            |stream| {
                stream.enter(1);
                stream.exit(1);
                stream.request(1);
            },
            |stream| {
                stream.restart(0, interlock_model::event::RestartState::Stored);
                stream.start(0);
            },
        ];
        for disturb in disturb {
            let mut stream = held(true);
            let now_us = time_outs(&mut stream, 1, 10_000, 90);
            disturb(&mut stream);
            let now_us = time_outs(&mut stream, 1, now_us, 90);
            assert_eq!(told(&stream), Vec::<String>::new());
            stream.resume(1);
            time_outs(&mut stream, 1, now_us, 300);
            assert_eq!(told(&stream).len(), 1);
        }
    }

    /// Time-outs fire while messages are lost with the probability `loss`. The loss ends, and then `after` more
    /// time-outs fire.
    #[test]
    fn time_outs_before_another_loss_do_not_count() {
        let said = |loss: f64, after: u64| {
            let configure = |stream: &mut TestStream, loss: f64| {
                let setting =
                    interlock_model::network::LinkSetting { loss, ..interlock_model::network::LinkSetting::default() };
                let value = serde_json::to_value(setting).ok();
                let change = interlock_model::event::Change { subject: "default".into(), id: None, value };
                stream.push(What::Configured { change });
            };
            let mut stream = held(true);
            configure(&mut stream, loss);
            let now_us = time_outs(&mut stream, 1, 10_000, 99);
            configure(&mut stream, 0.0);
            // These time-outs fire long after the end of the loss, so the time limit is exceeded. Only their number
            // matters.
            time_outs(&mut stream, 1, now_us + 100 * SECOND_US, after);
            told(&stream).len()
        };
        assert_eq!([said(0.0, 10), said(0.5, 10), said(0.5, 101)], [1, 0, 1]);
    }
}
