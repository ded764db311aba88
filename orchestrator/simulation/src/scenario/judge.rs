//! Decides whether a run meets its expectations.

use super::expectation::{Expectation, Expected};
use super::findings::Judgement;
use super::watch::Watch;
use interlock_model::event::{Event, What};
use interlock_observation::metrics::MetricsDocument;
use interlock_observation::monitor::sentence;
use interlock_observation::state::State;

/// The phrase for an expectation that never applied because the run did not reach its mark.
pub(crate) const UNREACHED: &str = "was never reached";

/// All expectations, each with its result so far.
#[derive(Debug)]
pub(super) struct Judge {
    all: Vec<Case>,
}

/// One expectation with its result so far.
#[derive(Debug)]
struct Case {
    expectation: Expectation,
    /// Time from which the expectation applies, in microseconds since the start of the run. Absent until the run
    /// reaches the mark of the expectation.
    since_us: Option<u64>,
    watch: Option<Watch>,
    decision: Option<Decision>,
}

/// The final result of an expectation.
#[derive(Clone, Debug)]
struct Decision {
    met: bool,
    because: String,
    events: Vec<u64>,
}

impl Judge {
    pub fn new(expectations: &[Expectation]) -> Self {
        let case = |expectation: &Expectation| {
            let watch = match &expectation.expected {
                Expected::Never(until) | Expected::Eventually(until) => Some(Watch::new(until)),
                Expected::Metric(_) => None,
            };
            let since_us = expectation.after.is_none().then_some(0);
            Case { expectation: expectation.clone(), since_us, watch, decision: None }
        };
        Self { all: expectations.iter().map(case).collect() }
    }

    /// Sets the start of the run to `now_us`. Expectations without a mark apply from this time.
    pub fn begin(&mut self, now_us: u64) {
        self.all.iter_mut().filter_map(|case| case.since_us.as_mut()).for_each(|since_us| *since_us = now_us);
    }

    /// Processes the next event.
    pub fn observe(&mut self, event: &Event) {
        for case in self.under_way() {
            if case.watch.as_mut().is_some_and(|watch| watch.observe(event)) {
                case.comes_about(event.seq, told(event));
            }
        }
    }

    /// Examines the state of the run, while no process is executing a step.
    pub fn look(&mut self, state: &State, now_us: u64, pending: usize) {
        for case in self.under_way() {
            if case.watch.as_mut().is_some_and(|watch| watch.look(state, now_us, pending)) {
                case.comes_about(state.seq(), None);
            }
        }
    }

    /// Processes a mark: the expectations that refer to this mark apply from now on.
    pub fn mark(&mut self, name: &str, now_us: u64) {
        let of_it = self.all.iter_mut().filter(|case| case.expectation.after.as_deref() == Some(name));
        of_it.for_each(|case| {
            case.since_us.get_or_insert(now_us);
        });
    }

    /// Decides the expectations whose time limit is over. Returns whether any expectation is decided as not met.
    pub fn judge_time(&mut self, state: &State, now_us: u64) -> bool {
        for case in self.under_way() {
            let Some(end_us) = case.end_us().filter(|end_us| *end_us <= now_us) else { continue };
            let met = matches!(case.expectation.expected, Expected::Never(_));
            let because = match (&case.watch, met) {
                (Some(watch), false) => format!("{} by {}", watch.missing(state), at(end_us)),
                _ => format!("it had not happened by {}", at(end_us)),
            };
            case.decision = Some(Decision { met, because, events: Vec::new() });
        }
        self.all.iter().any(|case| case.decision.as_ref().is_some_and(|decision| !decision.met))
    }

    /// Returns whether all conditions that must be met are met, and all expectations with a time limit are decided.
    pub fn is_decided(&self) -> bool {
        let open =
            |case: &Case| matches!(case.expectation.expected, Expected::Eventually(_)) && case.decision.is_none();
        let waits = |case: &Case| case.expectation.within.is_some() && case.decision.is_none();
        !self.all.iter().any(|case| open(case) || waits(case))
    }

    /// Returns the next time at which an expectation is decided without an event, in microseconds since the start
    /// of the run.
    pub fn next_time(&self, state: &State) -> Option<u64> {
        let open = self.all.iter().filter(|case| case.decision.is_none() && case.since_us.is_some());
        let times = |case: &Case| {
            let look = case.watch.as_ref().and_then(|watch| watch.next_look(state));
            look.into_iter().chain(case.end_us()).min()
        };
        open.filter_map(times).min()
    }

    /// Returns the next time at which a condition of an expectation will be met without an event, in microseconds
    /// since the start of the run.
    pub fn next_look(&self, state: &State) -> Option<u64> {
        let open = self.all.iter().filter(|case| case.decision.is_none() && case.since_us.is_some());
        let look = |case: &Case| {
            let look = case.watch.as_ref().and_then(|watch| watch.next_look(state))?;
            case.end_us().is_none_or(|end_us| look < end_us).then_some(look)
        };
        open.filter_map(look).min()
    }

    /// Returns the results of all expectations at the end of the run.
    pub fn at_the_end(&self, state: &State, metrics: &MetricsDocument) -> Vec<Judgement> {
        self.all.iter().map(|case| case.at_the_end(state, metrics)).collect()
    }

    fn under_way(&mut self) -> impl Iterator<Item = &mut Case> {
        self.all.iter_mut().filter(|case| case.decision.is_none() && case.since_us.is_some())
    }
}

impl Case {
    fn end_us(&self) -> Option<u64> {
        Some(self.since_us?.saturating_add(self.expectation.within?.0))
    }

    fn comes_about(&mut self, seq: u64, told: Option<String>) {
        let met = matches!(self.expectation.expected, Expected::Eventually(_));
        let because = told.unwrap_or_else(|| format!("it happened with event {seq}"));
        self.decision = Some(Decision { met, because, events: vec![seq] });
    }

    fn at_the_end(&self, state: &State, metrics: &MetricsDocument) -> Judgement {
        let decision = match (&self.decision, &self.expectation) {
            (Some(decision), _) => decision.clone(),
            (None, Expectation { after: Some(mark), .. }) if self.since_us.is_none() => {
                Decision { met: false, because: format!("the mark `{mark}` {UNREACHED}"), events: Vec::new() }
            }
            (None, Expectation { expected: Expected::Metric(bound), .. }) => {
                let (met, because) = bound.judge(metrics);
                Decision { met, because, events: Vec::new() }
            }
            (None, Expectation { expected: Expected::Never(_), .. }) => {
                Decision { met: true, because: "it did not happen".to_owned(), events: Vec::new() }
            }
            (None, _) => {
                let missing = self.watch.as_ref().map(|watch| watch.missing(state)).unwrap_or_default();
                Decision { met: false, because: format!("{missing} before the run ended"), events: Vec::new() }
            }
        };
        let Expectation { written, place, .. } = self.expectation.clone();
        let Decision { met, because, events } = decision;
        Judgement { expect: written, place, met, because, events }
    }
}

/// If the event reports a violation, returns a sentence about it, followed by the condition for the violated property
/// in parentheses, such as `violation: mutual-exclusion`. Otherwise, returns none.
fn told(event: &Event) -> Option<String> {
    match &event.what {
        What::Violated { violation } => {
            Some(format!("{} (`violation: {}`)", sentence::of_violation(violation), violation.monitor))
        }
        _ => None,
    }
}

/// Returns a time as text, in milliseconds.
fn at(time_us: u64) -> String {
    format!("{} ms", time_us / 1_000)
}
