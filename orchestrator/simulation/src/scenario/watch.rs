//! The progress towards a condition, observed from some moment on.

use std::collections::BTreeSet;

use interlock_algorithm::{FlatSet, NodeId, Outcome, Response};

use super::condition::{EntryOrExit, Until};
use interlock_model::event::{Event, What};
use interlock_model::process_status::ProcessStatus;
use interlock_observation::monitor::sentence;
use interlock_observation::state::State;

/// A condition, and the progress towards it since the watch was created.
#[derive(Clone, Debug)]
pub struct Watch {
    kind: Kind,
    met: bool,
}

#[derive(Clone, Debug)]
enum Kind {
    /// A condition that is decided from one event or from the present state.
    One(Until),
    /// A count of events: their kind, the number still missing, and the total number.
    Count(Counted, u64, u64),
    /// The values that every node must return, and the nodes that have returned all of them. The values are those
    /// that have been broadcast when the run is examined for the first time.
    Converged(Option<BTreeSet<u64>>, FlatSet<NodeId>),
    /// The event that must occur at every node, and the nodes at which it has occurred.
    EveryNode(EntryOrExit, FlatSet<NodeId>),
    Any(Vec<Watch>),
    All(Vec<Watch>),
}

impl Watch {
    /// Creates a watch that observes the condition from now on.
    #[must_use]
    pub fn new(until: &Until) -> Self {
        let each = |inner: &[Until]| inner.iter().map(Self::new).collect();
        let kind = match until {
            Until::Entries(count) => Kind::Count(Counted::Entry, *count, *count),
            Until::Operations(count) => Kind::Count(Counted::Operation, *count, *count),
            Until::Converged => Kind::Converged(None, FlatSet::new()),
            Until::EveryNode(what) => Kind::EveryNode(*what, FlatSet::new()),
            Until::Any(inner) => Kind::Any(each(inner)),
            Until::All(inner) => Kind::All(each(inner)),
            other => Kind::One(other.clone()),
        };
        Self { kind, met: false }
    }

    /// Returns whether the condition is met.
    #[must_use]
    pub const fn is_met(&self) -> bool {
        self.met
    }

    /// Processes the next event, and returns whether the condition is met.
    pub fn observe(&mut self, event: &Event) -> bool {
        if self.met {
            return true;
        }
        self.met = match &mut self.kind {
            Kind::One(until) => until.met_by(event),
            Kind::Count(counted, left, _) => {
                *left = left.saturating_sub(u64::from(counted.is_one(&event.what)));
                *left == 0
            }
            Kind::Converged(known, done) => {
                done.extend(event.node().filter(|_| is_all(known.as_ref(), &event.what)));
                false
            }
            Kind::EveryNode(what, done) => {
                let is_it = match what {
                    EntryOrExit::Entered => Counted::Entry.is_one(&event.what),
                    EntryOrExit::Exited => matches!(event.outcome(), Some((_, Outcome::Exited { .. }))),
                    EntryOrExit::Returned => Counted::Operation.is_one(&event.what),
                };
                done.extend(event.node().filter(|_| is_it));
                false
            }
            Kind::Any(inner) => inner.iter_mut().any(|watch| watch.observe(event)),
            Kind::All(inner) => of_all(inner, |watch| watch.observe(event)),
        };
        self.met
    }

    /// Examines the state of the run while no process is executing a step, and returns whether the condition is met.
    /// A condition that a single event can meet is not decided from the state: only later events can meet it.
    pub fn look(&mut self, state: &State, now_us: u64, pending: usize) -> bool {
        self.examine(state, now_us, pending, false)
    }

    /// Examines the state of the run at the start of a wait, and returns whether the condition is met. The
    /// condition also counts as met if an earlier event met it and the present state still shows this.
    pub fn look_first(&mut self, state: &State, now_us: u64, pending: usize) -> bool {
        self.examine(state, now_us, pending, true)
    }

    /// Before the wait begins, checks whether the events so far have met the condition. The state of the run does not
    /// count yet, except that it determines the live nodes.
    pub(super) fn look_ahead(&mut self, state: &State) -> bool {
        self.met = self.met
            || match &mut self.kind {
                Kind::EveryNode(_, done) => !done.is_empty() && missing(done, state).next().is_none(),
                Kind::Any(inner) => inner.iter_mut().any(|watch| watch.look_ahead(state)),
                Kind::All(inner) => of_all(inner, |watch| watch.look_ahead(state)),
                Kind::One(_) | Kind::Count(..) | Kind::Converged(..) => false,
            };
        self.met
    }

    fn examine(&mut self, state: &State, now_us: u64, pending: usize, first: bool) -> bool {
        if self.met {
            return true;
        }
        self.met = match &mut self.kind {
            Kind::One(until) => (first || until.is_of_the_whole()) && until.met_in(state, now_us, pending),
            Kind::Count(..) => false,
            Kind::Converged(known, done) => {
                known.get_or_insert_with(|| state.broadcast().acknowledged().clone());
                !done.is_empty() && missing(done, state).next().is_none()
            }
            Kind::EveryNode(_, done) => !done.is_empty() && missing(done, state).next().is_none(),
            Kind::Any(inner) => inner.iter_mut().any(|watch| watch.examine(state, now_us, pending, first)),
            Kind::All(inner) => of_all(inner, |watch| watch.examine(state, now_us, pending, first)),
        };
        self.met
    }

    /// Adds the progress of an earlier watch for the same condition. No event may have been observed by both watches.
    /// Returns whether the condition is met.
    pub fn absorb(&mut self, earlier: &Self) -> bool {
        self.met |= earlier.met;
        match (&mut self.kind, &earlier.kind) {
            (Kind::Count(_, left, of), Kind::Count(_, missing, _)) => {
                *left = left.saturating_sub(of.saturating_sub(*missing));
                self.met |= *left == 0;
            }
            (Kind::EveryNode(_, done), Kind::EveryNode(_, before)) => done.extend(before),
            (Kind::Any(inner), Kind::Any(before)) => {
                for (watch, before) in inner.iter_mut().zip(before) {
                    self.met |= watch.absorb(before);
                }
            }
            (Kind::All(inner), Kind::All(before)) => {
                let missed =
                    inner.iter_mut().zip(before).filter_map(|(watch, before)| (!watch.absorb(before)).then_some(()));
                self.met |= missed.count() == 0;
            }
            _ => {}
        }
        self.met
    }

    /// Returns the time at which the condition must be examined again even if no event occurs, in microseconds since
    /// the start of the run. At this time a waiting process becomes slow.
    #[must_use]
    pub fn next_look(&self, state: &State) -> Option<u64> {
        match &self.kind {
            Kind::One(until) => until.next_look(state),
            Kind::Any(inner) | Kind::All(inner) => inner.iter().filter_map(|watch| watch.next_look(state)).min(),
            _ => None,
        }
    }

    /// Returns a description of what the condition still needs, as the end of a sentence.
    #[must_use]
    pub fn missing(&self, state: &State) -> String {
        match &self.kind {
            Kind::One(Until::Stuck) => format!("it did not happen{}", how_it_stands(state)),
            Kind::One(_) => "it did not happen".to_owned(),
            Kind::Count(counted, 1, _) => format!("one more {} was missing", counted.names().0),
            Kind::Count(counted, left, _) => format!("{left} more {} were missing", counted.names().1),
            Kind::Converged(_, done) => {
                let nodes: Vec<String> = missing(done, state).map(|node| node.to_string()).collect();
                format!("{} did not read all that had been broadcast", nodes.join(", "))
            }
            Kind::EveryNode(what, done) => {
                let deed = match what {
                    EntryOrExit::Entered => "enter",
                    EntryOrExit::Exited => "leave",
                    EntryOrExit::Returned => "get an answer",
                };
                let nodes: Vec<String> = missing(done, state).map(|node| node.to_string()).collect();
                format!("{} did not {deed}", if nodes.is_empty() { "any node".to_owned() } else { nodes.join(", ") })
            }
            Kind::Any(_) => "none of it happened".to_owned(),
            Kind::All(inner) => {
                let missing: BTreeSet<_> =
                    inner.iter().filter(|watch| !watch.met).map(|watch| watch.missing(state)).collect();
                Vec::from_iter(missing).join("; ")
            }
        }
    }
}

/// A kind of event that is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Counted {
    Entry,
    Operation,
}

impl Counted {
    /// Returns whether an event is of this kind.
    const fn is_one(self, what: &What) -> bool {
        match (self, what) {
            (Self::Entry, What::Outcome { outcome: Outcome::Entered { .. }, .. }) => true,
            (Self::Operation, What::Outcome { outcome: Outcome::Returned { response, .. }, .. }) => response.is_done(),
            _ => false,
        }
    }

    /// Returns the noun for such an event, in the singular and the plural.
    const fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Entry => ("entry", "entries"),
            Self::Operation => ("operation", "operations"),
        }
    }
}

/// Returns whether an event returns all these values to a node. Returns false if the values are not determined yet.
fn is_all(known: Option<&BTreeSet<u64>>, what: &What) -> bool {
    match (known, what) {
        (Some(known), What::Outcome { outcome: Outcome::Returned { response: Response::Values(values), .. }, .. }) => {
            let values: BTreeSet<u64> = values.iter().copied().collect();
            known.is_subset(&values)
        }
        _ => false,
    }
}

/// Applies `is_met` to each watch, and returns whether `is_met` is true for all watches. It is called for every
/// watch, because each call updates the watch.
fn of_all(inner: &mut [Watch], mut is_met: impl FnMut(&mut Watch) -> bool) -> bool {
    inner.iter_mut().filter_map(|watch| (!is_met(watch)).then_some(())).count() == 0
}

/// Returns the reason why a run without progress is not stuck, as a part of a sentence. The text contains the
/// possible manual actions and, if there is one, the cycle of waits.
fn how_it_stands(state: &State) -> String {
    let standstill = state.standstill(0);
    standstill
        .map(|standstill| format!(": {}", sentence::of_standstill(&standstill).trim_end_matches('.')))
        .unwrap_or_default()
}

/// Returns the live nodes that are not in `done`.
fn missing<'a>(done: &'a FlatSet<NodeId>, state: &'a State) -> impl Iterator<Item = NodeId> + 'a {
    let lives = |(_, node): &(NodeId, &interlock_observation::state::Node)| node.process != ProcessStatus::Crashed;
    (0..).map(NodeId).zip(state.nodes()).filter(lives).map(|(id, _)| id).filter(|id| !done.contains(id))
}
