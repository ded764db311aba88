//! Tracks which processes use a lock: they wait for the lock or hold it.

use std::collections::BTreeMap;

use interlock_algorithm::{LockId, LockUse, NodeId, Outcome, RequestId, catalogue};

use interlock_model::event::{Event, What};
use interlock_model::specification::Specification;

/// Returns whether each lock has its own instance of the algorithm. In that case monitors judge each lock separately.
pub(super) fn is_by_lock(specification: &Specification) -> bool {
    let has_instances = catalogue::find(&specification.algorithm).is_ok_and(|entry| entry.locks == LockUse::Instances);
    has_instances && specification.locks > 1
}

/// The open requests of all processes. An open request waits, or it was granted and its lock is not released yet.
#[derive(Debug)]
pub(super) struct Activity {
    /// Whether each lock is judged separately. If not, all locks together are judged as one.
    is_by_lock: bool,
    of: BTreeMap<(LockId, NodeId), Use>,
}

/// A process's use of a lock.
#[derive(Debug, Default)]
struct Use {
    /// The open requests of the process.
    open: Vec<(LockId, RequestId)>,
    /// The `seq` of the event that closed the latest request.
    idle_since: u64,
}

impl Activity {
    /// Returns the activity before the first event of a run.
    pub fn new(specification: &Specification) -> Self {
        Self { is_by_lock: is_by_lock(specification), of: BTreeMap::new() }
    }

    const fn judged(&self, lock: LockId) -> LockId {
        if self.is_by_lock { lock } else { LockId(0) }
    }

    /// Processes the next event.
    pub fn observe(&mut self, event: &Event) {
        match &event.what {
            What::Outcome { at, outcome: Outcome::Requested { lock, request, .. } } => {
                self.of.entry((self.judged(*lock), at.node)).or_default().open.push((*lock, *request));
            }
            What::Outcome { at, outcome: Outcome::Exited { lock, request } } => {
                if let Some(of) = self.of.get_mut(&(self.judged(*lock), at.node)) {
                    of.close(event.seq, |open| open == (*lock, *request));
                }
            }
            What::Outcome { at, outcome: Outcome::Aborted { request, .. } } => {
                for (_, of) in self.of.iter_mut().filter(|((_, node), _)| *node == at.node) {
                    of.close(event.seq, |(_, open)| open == *request);
                }
            }
            What::Crashed { node, .. } => {
                for (_, of) in self.of.iter_mut().filter(|((_, of), _)| of == node) {
                    of.close(event.seq, |_| true);
                }
            }
            _ => {}
        }
    }

    /// Returns whether a process has neither waited for this lock nor held it at any time since the event `seq`.
    pub fn is_idle_since(&self, seq: u64, lock: LockId, node: NodeId) -> bool {
        let of = self.of.get(&(self.judged(lock), node));
        of.is_none_or(|of| of.open.is_empty() && of.idle_since < seq)
    }
}

impl Use {
    fn close(&mut self, seq: u64, is_over: impl Fn((LockId, RequestId)) -> bool) {
        let open = self.open.len();
        self.open.retain(|request| !is_over(*request));
        if self.open.len() < open {
            self.idle_since = seq;
        }
    }
}

#[cfg(test)]
mod tests {
    use interlock_algorithm::AbortCause;

    use super::*;
    use crate::state::test_stream::TestStream;
    use interlock_model::event::StepId;

    /// `happens` adds events to a stream of two processes. Returns whether P0 is idle after these events, and whether
    /// P0 has been idle since event 3.
    fn idle(happens: impl FnOnce(&mut TestStream)) -> [bool; 2] {
        let mut stream = TestStream::new(2);
        happens(&mut stream);
        let mut activity = Activity::new(&stream.specification);
        stream.events.iter().for_each(|event| activity.observe(event));
        [u64::MAX, 3].map(|seq| activity.is_idle_since(seq, LockId(0), NodeId(0)))
    }

    #[test]
    fn a_process_is_idle_unless_it_waits_or_is_inside() {
        assert_eq!(idle(|_| ()), [true; 2]);
        assert_eq!(idle(|stream| _ = stream.request(1)), [true; 2]);
        assert_eq!(idle(|stream| _ = stream.request(0)), [false; 2]);
        let enters = |stream: &mut TestStream| {
            stream.request(0);
            stream.enter(0);
        };
        assert_eq!(idle(enters), [false; 2]);
        let ends: [fn(&mut TestStream); 3] = [
            |stream| _ = stream.exit(0),
            |stream| _ = stream.crash(0),
            |stream| {
                let at = StepId { node: NodeId(0), incarnation: 1, step: 9 };
                stream.outcome(at, Outcome::Aborted { request: RequestId(1), cause: AbortCause::Victim });
            },
        ];
        for end in ends {
            let ended = idle(|stream| {
                enters(stream);
                end(stream);
            });
            assert_eq!(ended, [true, false]);
        }
    }

    #[test]
    fn what_ends_nothing_does_not_end_the_idle_time() {
        let abort = |stream: &mut TestStream| {
            let at = StepId { node: NodeId(0), incarnation: 1, step: 9 };
            stream.outcome(at, Outcome::Aborted { request: RequestId(9), cause: AbortCause::Victim });
        };
        let idle_since_the_exit = |happens: &dyn Fn(&mut TestStream)| {
            let mut stream = TestStream::new(2);
            stream.request(0);
            stream.enter(0);
            let left = stream.exit(0);
            happens(&mut stream);
            let mut activity = Activity::new(&stream.specification);
            stream.events.iter().for_each(|event| activity.observe(event));
            [left, left + 1].map(|seq| activity.is_idle_since(seq, LockId(0), NodeId(0)))
        };
        assert_eq!(idle_since_the_exit(&|_| ()), [false, true]);
        assert_eq!(idle_since_the_exit(&abort), [false, true]);
        assert_eq!(idle_since_the_exit(&|stream| _ = stream.crash(0)), [false, true]);
    }

    #[test]
    fn where_each_lock_has_an_instance_the_use_of_another_does_not_count() {
        for (algorithm, is_idle) in [("ricart-agrawala", true), ("banker", false)] {
            let mut stream = TestStream::new(2);
            (stream.specification.algorithm, stream.specification.locks) = (algorithm.to_owned(), 2);
            stream.request(0);
            let mut activity = Activity::new(&stream.specification);
            stream.events.iter().for_each(|event| activity.observe(event));
            assert_eq!(activity.is_idle_since(u64::MAX, LockId(1), NodeId(0)), is_idle, "{algorithm}");
        }
    }
}
