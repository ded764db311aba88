//! Derives the consequences of each event: its number, the state after the event, the violations that the event
//! shows, and the event that follows from it. Live and simulated runs use the same code.

use interlock_model::event::{Event, Violation, What};
use interlock_model::specification::Specification;

use crate::monitor::Monitors;
use crate::state::State;

/// Maximum number of violations that are stored. The earliest violations are stored, since later violations often
/// result from them.
const MOST_VIOLATIONS: usize = 1_000;

/// A function that receives each event of the run, in order, with the state after that event.
type Each<'a> = &'a mut dyn FnMut(Event, &State);

/// The fold over the events of a run, together with the violations that the monitors find.
#[derive(Debug)]
pub struct Observation {
    seq: u64,
    state: State,
    monitors: Monitors,
    /// Violations that the monitors have found, but for which no event has been recorded yet.
    found: Vec<Violation>,
    violations: Vec<(u64, Violation)>,
}

impl Observation {
    /// Returns the observation of a run before its first event.
    #[must_use]
    pub fn new(specification: &Specification) -> Self {
        let monitors = Monitors::new(specification);
        Self { seq: 0, state: State::new(specification), monitors, found: Vec::new(), violations: Vec::new() }
    }

    /// Returns the observation with one change: it does not store the messages of the run, which saves time and
    /// memory.
    #[must_use]
    pub fn without_messages(self) -> Self {
        Self { state: self.state.without_messages(), ..self }
    }

    /// Returns the state after all events so far.
    #[must_use]
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// Returns the `seq` of the latest event, 0 before the first one.
    #[must_use]
    pub const fn latest(&self) -> u64 {
        self.seq
    }

    /// Returns the first thousand violations, each with the `seq` of its event.
    #[must_use]
    pub fn violations(&self) -> &[(u64, Violation)] {
        &self.violations
    }

    /// Records an event, then an event for each violation that it shows, then the event that follows from it.
    /// Passes each recorded event to `each`. Returns the `seq` of the first recorded event.
    pub fn record(&mut self, at_us: u64, what: What, each: Each<'_>) -> u64 {
        self.seq += 1;
        let seq = self.seq;
        let event = Event { seq, at_us, what };
        self.state.apply(&event);
        self.monitors.observe(&event, &mut self.found);
        let follows = self.state.resources().follows();
        each(event, &self.state);
        if !self.found.is_empty() {
            self.record_violations(at_us, each);
        }
        if let Some(what) = follows {
            self.record(at_us, what, each);
        }
        seq
    }

    /// Makes the monitors judge the run between two steps. `pending` is the number of inputs that nodes have not yet
    /// processed, including planned inputs of a script.
    pub fn settle(&mut self, at_us: u64, pending: usize, each: Each<'_>) {
        self.monitors.settle(&self.state, pending, &mut self.found);
        self.record_violations(at_us, each);
    }

    /// Records an event for each violation found, in order. Monitors may find further violations in the recorded
    /// events. Each further violation is recorded after the violation from which it results.
    fn record_violations(&mut self, at_us: u64, each: Each<'_>) {
        while !self.found.is_empty() {
            let violation = self.found.remove(0);
            if self.violations.len() < MOST_VIOLATIONS {
                self.violations.push((self.seq + 1, violation.clone()));
            }
            self.record(at_us, What::Violated { violation }, each);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::state::test_stream::TestStream;

    /// Returns a run in which both processes are in the critical section together, `times` times.
    fn broken(times: usize) -> Observation {
        let mut stream = TestStream::new(2);
        for _ in 0..times {
            for node in [0, 1] {
                stream.request(node);
                stream.enter(node);
            }
            stream.exit(0);
            stream.exit(1);
        }
        let mut observation = Observation::new(&stream.specification);
        let mut seen = Vec::new();
        for event in stream.events {
            observation.record(event.at_us, event.what, &mut |event, state| {
                assert_eq!(event.seq, seen.len() as u64 + 1);
                seen.push((event.seq, state.seq()));
            });
        }
        assert!(seen.iter().all(|(seq, after)| seq == after), "each event is seen with the state after it");
        assert_eq!(observation.latest(), seen.len() as u64);
        observation
    }

    #[test]
    fn a_violation_is_the_event_after_the_one_that_shows_it() {
        let observation = broken(1);
        let [(seq, violation)] = observation.violations() else { panic!("{:?}", observation.violations()) };
        assert_eq!((&*violation.monitor, violation.events.last().copied()), ("mutual-exclusion", Some(seq - 1)));
    }

    #[test]
    fn the_first_thousand_violations_are_kept() {
        let (few, many) = (broken(10), broken(1_001));
        assert_eq!(many.violations().len(), 1_000);
        assert_eq!(many.violations()[..few.violations().len()], *few.violations());
    }

    /// P1 is in the section with fencing token 2. Then a write with token `fence` is made for `node`. Returns the
    /// kinds of the following events: the write itself, and the events that result from it.
    fn kinds_after_a_write(node: u32, fence: u64) -> Vec<&'static str> {
        let mut stream = TestStream::new(2);
        let account = json!({ "balance": 1, "fencing": true });
        let workload = json!({ "idle": "0", "hold": "0", "nodes": "all", "account": account });
        stream.specification.workload = Some(serde_json::from_value(workload).expect("a workload"));
        stream.request(1);
        stream.enter_fenced(1, 2);
        let before = stream.events.len();
        let write = json!({ "resource": "account", "value": 5, "node": node, "fence": fence });
        stream.push(What::Put { write: serde_json::from_value(write).expect("a write") });
        let mut observation = Observation::new(&stream.specification);
        let mut kinds = Vec::new();
        for event in stream.events {
            observation.record(event.at_us, event.what, &mut |event, _| kinds.push(event.kind()));
        }
        kinds.split_off(before)
    }

    #[test]
    fn a_violation_precedes_the_event_that_follows_from_the_same_event() {
        assert_eq!(kinds_after_a_write(1, 2), ["put"], "its writer is in the section");
        assert_eq!(kinds_after_a_write(1, 1), ["put", "rejected"], "its token is old");
        assert_eq!(kinds_after_a_write(0, 2), ["put", "violated"], "its writer is outside");
        assert_eq!(kinds_after_a_write(0, 1), ["put", "violated", "rejected"]);
    }
}
