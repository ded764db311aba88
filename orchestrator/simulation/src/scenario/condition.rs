//! Conditions: steps wait for them, and expectations refer to them.

use interlock_algorithm::{LockId, NodeId};
use interlock_machine::service::Service;
use interlock_machine::wire::TimerName;
use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::ability::{Ability, unable_to_report, unable_to_violate};
use super::condition_form::{mistaken, plain, with_form};
use super::event_pattern::EventPattern;
use interlock_model::event::{Event, What};
use interlock_model::field_error::{FieldError, unknown_lock, unknown_node};
use interlock_model::process_status::ProcessStatus;
use interlock_model::specification::{OptionalMonitor, Specification};
use interlock_model::strict;
use interlock_observation::monitor;
use interlock_observation::state::{Node, PendingTimer, State, Status};

/// A condition to wait for: `{"entered":{"node":2}}`, `"stuck"`, `"violation"`, `{"violation":"mutual-exclusion"}`,
/// `"idle"`, `{"elected":{"leader":6}}`, `{"event":{"kind":"delivered","message_kind":"REPLY"}}`, `{"entries":50}`,
/// `{"every_node":"entered"}`, `{"operations":50}`, `"converged"`, `"waiting-for-you"`,
/// `{"any":["stuck","violation"]}`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Until {
    /// A process is in the critical section, now or later. If `node` is given, only this node counts.
    Entered {
        /// The node; any if absent.
        node: Option<NodeId>,
        /// The lock; any if absent.
        lock: Option<LockId>,
    },
    /// A process leaves the critical section later, or has already left it and requests nothing now. If `node` is
    /// given, only this node counts.
    Exited {
        /// The node; any if absent.
        node: Option<NodeId>,
        /// The lock; any if absent.
        lock: Option<LockId>,
    },
    /// A process requests a lock, and it is proved that no process can ever make progress.
    Stuck,
    /// A process has been waiting for longer than the threshold of the run for slow waits.
    Slow,
    /// A monitor has reported a violation. If `monitor` is given, only this monitor counts.
    Violation {
        /// The monitor, such as `mutual-exclusion`; any if absent.
        monitor: Option<String>,
    },
    /// The run has this verdict.
    Verdict(Status),
    /// No process requests anything, no message is in transit, and no timer is set. Background traffic and heartbeats
    /// do not count.
    Idle,
    /// All live processes accept the same live coordinator. If `leader` names a coordinator, they accept that
    /// coordinator.
    Elected {
        /// The coordinator; any if absent.
        leader: Option<NodeId>,
    },
    /// A process has learnt the chosen value. If `value` is given, the process has learnt this value.
    Decided {
        /// The instance of agreement; 0 if absent.
        #[serde(default)]
        instance: u64,
        /// The value; any if absent.
        value: Option<String>,
    },
    /// From now on, an event with all of these properties occurs.
    Event(EventPattern),
    /// From now on, this many entries into critical sections occur.
    Entries(u64),
    /// From now on, this many operations of a service are completed.
    Operations(u64),
    /// Every live node knows all values that have been broadcast and acknowledged until now. To show this, each
    /// node must answer a read from now on that returns all these values.
    Converged,
    /// From now on, this event occurs at least once at every live node.
    EveryNode(EntryOrExit),
    /// At least one of the conditions is met.
    #[schema(no_recursion)]
    Any(Vec<Until>),
    /// Each of the conditions is met at some time, not necessarily at the same time.
    #[schema(no_recursion)]
    All(Vec<Until>),
}

/// The event that is expected of every node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum EntryOrExit {
    /// The node enters a critical section.
    Entered,
    /// The node leaves a critical section.
    Exited,
    /// A service answers the node's client.
    Returned,
}

impl Until {
    /// The condition that any monitor has reported a violation.
    pub const ANY_VIOLATION: Self = Self::Violation { monitor: None };

    /// Reads a condition. A word alone is accepted as well: `"stuck"`, or `"entered"` for `{"entered": {}}`.
    ///
    /// # Errors
    /// Returns the error of the part that is not a condition. The pointer of the error is relative to the whole
    /// condition.
    pub fn read(value: Value) -> Result<Self, FieldError> {
        if let Some(error) = mistaken(&value) {
            return Err(error);
        }
        strict::read(&plain(value)).map_err(with_form)
    }

    /// Returns the errors of the parts of this condition that the run does not support. `pointer` leads to the
    /// condition.
    #[must_use]
    pub fn errors(&self, pointer: &str, run: &Specification) -> Vec<FieldError> {
        let named = match self {
            Self::Entered { node, .. } => vec![("entered/node", node)],
            Self::Exited { node, .. } => vec![("exited/node", node)],
            Self::Event(pattern) => return pattern.errors(&format!("{pointer}/event"), run),
            Self::Elected { leader } => vec![("elected/leader", leader)],
            Self::Any(inner) => return of_each(inner, &format!("{pointer}/any"), run),
            Self::All(inner) => return of_each(inner, &format!("{pointer}/all"), run),
            _ => Vec::new(),
        };
        let named = named.into_iter().filter_map(|(place, node)| Some((place, (*node)?)));
        let mut errors: Vec<_> =
            named.filter_map(|(place, node)| unknown_node(&format!("{pointer}/{place}"), node, run.nodes)).collect();
        if let Self::Entered { lock: Some(lock), .. } | Self::Exited { lock: Some(lock), .. } = self {
            let word = if matches!(self, Self::Entered { .. }) { "entered" } else { "exited" };
            errors.extend(unknown_lock(&format!("{pointer}/{word}/lock"), *lock, run.locks));
        }
        if let Self::Violation { monitor: Some(name) } = self {
            errors.extend(unknown_monitor(&format!("{pointer}/violation"), name));
            // An optional monitor that cannot judge the run never finds a violation. The condition would be meaningless.
            if OptionalMonitor::named(name).is_some() {
                errors.extend(unable_to_violate(&format!("{pointer}/violation"), name, run));
            }
        }
        errors.extend(self.impossible(run).map(|(place, detail)| FieldError::new(format!("{pointer}{place}"), detail)));
        errors
    }

    /// Returns the errors of [`errors`](Self::errors), and an error for each part of the condition that no process of
    /// the run can cause. A wait for such a part would last until the run ends.
    #[must_use]
    pub fn errors_if_awaited(&self, pointer: &str, run: &Specification) -> Vec<FieldError> {
        let errors = self.errors(pointer, run);
        if errors.is_empty() { self.never_observed(pointer, run) } else { errors }
    }

    /// Returns an error for each part of this condition that waits for an event or a violation which cannot occur
    /// in the run. `pointer` leads to the condition.
    fn never_observed(&self, pointer: &str, run: &Specification) -> Vec<FieldError> {
        let inside = |inner: &[Self], word: &str| {
            let errors =
                |(place, until): (usize, &Self)| until.never_observed(&format!("{pointer}/{word}/{place}"), run);
            inner.iter().enumerate().flat_map(errors).collect()
        };
        match self {
            Self::Any(inner) => inside(inner, "any"),
            Self::All(inner) => inside(inner, "all"),
            Self::Event(EventPattern { kind: Some(kind), .. }) => {
                unable_to_report(&format!("{pointer}/event/kind"), kind, run).into_iter().collect()
            }
            Self::Violation { monitor: Some(name) } => {
                unable_to_violate(&format!("{pointer}/violation"), name, run).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the reason why this run cannot wait for the condition: the condition is never met, or it is met from
    /// the beginning. The result is a location relative to the condition, and the explanation.
    fn impossible(&self, run: &Specification) -> Option<(&'static str, String)> {
        let nothing = |what: &str| format!("cannot wait for 0 {what}; write 1 or more");
        let no_service = || "clients use no service in this run; its `workload` has no `service`".to_owned();
        let service = run.workload.as_ref().and_then(|workload| workload.client_loop.service);
        match self {
            Self::Entries(0) => Some(("/entries", nothing("entries"))),
            Self::Operations(0) => Some(("/operations", nothing("operations"))),
            Self::Operations(_) if service.is_none() => Some(("/operations", no_service())),
            Self::EveryNode(EntryOrExit::Returned) if service.is_none() => Some(("/every_node", no_service())),
            Self::Converged if service != Some(Service::Broadcast) => Some((
                "",
                "nothing is broadcast in this run; `converged` needs `workload: { service: broadcast }`".to_owned(),
            )),
            _ => self.never_reported(run),
        }
    }

    /// Returns the reason why no process of the run can cause the condition: a location relative to the condition,
    /// and the explanation.
    fn never_reported(&self, run: &Specification) -> Option<(&'static str, String)> {
        let (place, ability) = match self {
            Self::Entered { .. } => ("/entered", Ability::Request),
            Self::Exited { .. } => ("/exited", Ability::Request),
            Self::Entries(_) => ("/entries", Ability::Request),
            Self::EveryNode(EntryOrExit::Entered | EntryOrExit::Exited) => ("/every_node", Ability::Request),
            Self::Elected { .. } => ("/elected", Ability::Elect),
            Self::Decided { .. } => ("/decided", Ability::Agree),
            _ => return None,
        };
        Some((place, ability.missing(run)?))
    }

    /// Returns whether the condition refers to violations or to a stuck run.
    #[must_use]
    pub fn is_of_a_rule(&self) -> bool {
        match self {
            Self::Violation { .. } | Self::Stuck | Self::Verdict(Status::Violated | Status::Stuck) => true,
            Self::Any(inner) | Self::All(inner) => inner.iter().any(Self::is_of_a_rule),
            _ => false,
        }
    }

    /// Returns whether the condition refers to the values that have been broadcast until now.
    pub(super) fn is_of_what_was_broadcast(&self) -> bool {
        match self {
            Self::Converged => true,
            Self::Any(inner) | Self::All(inner) => inner.iter().any(Self::is_of_what_was_broadcast),
            _ => false,
        }
    }

    /// Returns whether the present state of a run is enough to decide the condition. If not, each event from a
    /// certain moment on must be examined.
    #[must_use]
    pub const fn is_of_the_run(&self) -> bool {
        !matches!(
            self,
            Self::Event(_)
                | Self::Entries(_)
                | Self::Operations(_)
                | Self::Converged
                | Self::EveryNode(_)
                | Self::Any(_)
                | Self::All(_)
        )
    }

    /// Returns whether this event alone meets the condition.
    #[must_use]
    pub fn met_by(&self, event: &Event) -> bool {
        let at = |node: &Option<NodeId>| node.is_none_or(|node| Some(node) == event.node());
        let of = |lock: &Option<LockId>| lock.is_none_or(|lock| Some(lock) == event.lock());
        match self {
            Self::Entered { node, lock } => event.kind() == "entered" && at(node) && of(lock),
            Self::Exited { node, lock } => event.kind() == "exited" && at(node) && of(lock),
            Self::Violation { monitor } => match &event.what {
                What::Violated { violation } => monitor.as_deref().is_none_or(|name| *violation.monitor == *name),
                _ => false,
            },
            Self::Event(pattern) => pattern.matches(event),
            _ => false,
        }
    }

    /// Returns whether the condition is decided from the state of the whole run or from a count, and not from a
    /// single event.
    #[must_use]
    pub const fn is_of_the_whole(&self) -> bool {
        !matches!(self, Self::Entered { .. } | Self::Exited { .. } | Self::Violation { .. } | Self::Event(_))
    }

    /// Returns whether one event may meet both of these conditions.
    pub(super) fn may_share_an_event_with(&self, other: &Self) -> bool {
        let agree = |one: Option<u32>, other: Option<u32>| one.zip(other).is_none_or(|(one, other)| one == other);
        match (self, other) {
            (Self::Any(inner) | Self::All(inner), _) => inner.iter().any(|one| one.may_share_an_event_with(other)),
            (_, Self::Any(inner) | Self::All(inner)) => inner.iter().any(|other| self.may_share_an_event_with(other)),
            _ => match (self.shown_by(), other.shown_by()) {
                (Some((kind, node, lock)), Some((other, of, locked))) => {
                    kind == other && agree(node, of) && agree(lock, locked)
                }
                _ => match (self, other) {
                    (Self::Violation { monitor: one }, Self::Violation { monitor: other }) => {
                        one.as_ref().zip(other.as_ref()).is_none_or(|(one, other)| one == other)
                    }
                    _ => false,
                },
            },
        }
    }

    /// Returns the kind of event that meets the condition, if the condition is about entries or exits. If the
    /// condition requires a node or a lock, the result contains it.
    fn shown_by(&self) -> Option<(EntryOrExit, Option<u32>, Option<u32>)> {
        let of = |kind, node: Option<NodeId>, lock: Option<LockId>| {
            Some((kind, node.map(|node| node.0), lock.map(|lock| lock.0)))
        };
        match self {
            Self::Entered { node, lock } => of(EntryOrExit::Entered, *node, *lock),
            Self::Exited { node, lock } => of(EntryOrExit::Exited, *node, *lock),
            Self::Entries(_) => of(EntryOrExit::Entered, None, None),
            Self::EveryNode(kind) => of(*kind, None, None),
            Self::Event(pattern) => match pattern.kind.as_deref() {
                Some("entered") => of(EntryOrExit::Entered, pattern.node, pattern.lock),
                Some("exited") => of(EntryOrExit::Exited, pattern.node, pattern.lock),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the time at which the condition will be met without an event, in microseconds since the start of the
    /// run. Only one condition has such a time: that a process waits for longer than the threshold for slow waits.
    pub(super) fn next_look(&self, state: &State) -> Option<u64> {
        matches!(self, Self::Slow | Self::Verdict(Status::Slow)).then(|| state.slow_from_us()).flatten()
    }

    /// Returns whether the condition is met in the present state. [`State::verdict`] explains the arguments.
    #[must_use]
    pub fn met_in(&self, state: &State, now_us: u64, pending: usize) -> bool {
        let any = |wanted: &Option<NodeId>, is: &dyn Fn(&Node) -> bool| match wanted {
            Some(node) => state.node(*node).is_some_and(is),
            None => state.nodes().iter().any(is),
        };
        match self {
            Self::Entered { node, lock } => any(node, &|node| node.is_inside_of(*lock)),
            Self::Exited { node, lock } => any(node, &|node| node.has_left(*lock)),
            Self::Stuck => state.standstill(pending).is_some_and(|standstill| standstill.hands.are_tied()),
            Self::Slow => state.is_slow(now_us),
            Self::Verdict(status) => state.verdict(now_us, pending).status == *status,
            Self::Idle => is_idle(state, pending),
            Self::Violation { monitor: None } => state.verdict(0, pending).violations > 0,
            Self::Violation { monitor: Some(name) } => state.has_violated(name),
            Self::Elected { leader } => is_elected(*leader, state),
            Self::Decided { instance, value } => state.agreement().is_decided(*instance, value.as_deref()),
            // No other condition can be decided from the present state: see `is_of_the_run`.
            _ => false,
        }
    }
}

fn of_each(inner: &[Until], pointer: &str, run: &Specification) -> Vec<FieldError> {
    if inner.is_empty() {
        return vec![FieldError::new(pointer, "expected at least one condition")];
    }
    let errors = |(place, until): (usize, &Until)| until.errors(&format!("{pointer}/{place}"), run);
    inner.iter().enumerate().flat_map(errors).collect()
}

/// Returns an error if there is no monitor with this name. A wait for its violations would never end.
fn unknown_monitor(pointer: &str, name: &str) -> Option<FieldError> {
    if monitor::NAMES.contains(&name) {
        return None;
    }
    let mut error = FieldError::new(pointer, format!("there is no monitor `{name}`"));
    error.allowed = monitor::NAMES.iter().map(|&name| name.to_owned()).collect();
    Some(error.meant_by(name))
}

/// Returns whether all live processes accept the same live coordinator. If `leader` names a coordinator, they must
/// accept that coordinator.
fn is_elected(leader: Option<NodeId>, state: &State) -> bool {
    let lives = |node: &&Node| matches!(node.process, ProcessStatus::Running | ProcessStatus::Paused);
    let mut taken = state.nodes().iter().filter(lives).map(|node| node.leader.map(|leader| leader.leader));
    let Some(Some(first)) = taken.next() else { return false };
    let is_alive = state.node(first).is_some_and(|node| lives(&node));
    is_alive && leader.is_none_or(|leader| leader == first) && taken.all(|other| other == Some(first))
}

/// Returns whether the run is idle. In an idle run, no process requests anything or is starting, the network contains
/// only background traffic, and no timer is set. Timers of failure detectors do not count: they are always set.
fn is_idle(state: &State, pending: usize) -> bool {
    let runs_anyway = |timer: &PendingTimer| match timer.timer {
        TimerName::Algorithm(_) => state.network().flows_anyway(),
        TimerName::Detector(_) => true,
        TimerName::Client(_) | TimerName::Channel(_) => false,
    };
    let rests = |node: &Node| match node.process {
        ProcessStatus::Starting => false,
        ProcessStatus::Running | ProcessStatus::Paused => node.is_idle() && node.timers.iter().all(runs_anyway),
        ProcessStatus::Crashed | ProcessStatus::Stopped => true,
    };
    pending == 0 && state.network().foreground() == 0 && state.nodes().iter().all(rests)
}
