//! Abilities of the processes of a run. A condition may need an ability that the processes of a run lack. A wait for
//! such a condition would last until the run ends.

use interlock_algorithm::catalogue::OWN;
use interlock_algorithm::conduct::Detection;
use interlock_machine::service::Service;

use interlock_model::event::What;
use interlock_model::field_error::FieldError;
use interlock_model::specification::{KnownAlgorithm, OptionalMonitor, Specification};
use interlock_observation::monitor::{
    self, agreement, capacity, deadlocks, fencing, leaders, livelock, mutual_exclusion, order, progress, real_time,
    real_time_order, service, timestamp_order, tokens,
};
use interlock_observation::state::Leases;

/// An ability that the processes of a run have or lack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ability {
    /// The processes request critical sections.
    Request,
    /// The processes elect a leader.
    Elect,
    /// The processes agree on values.
    Agree,
    /// The processes abort requests.
    Abort,
    /// The processes report cycles of waits.
    Detect,
    /// The processes revoke locks whose lease has expired.
    Lease,
    /// The processes pass a token.
    PassToken,
    /// The processes grant requests in the order of happened-before.
    KeepOrder,
    /// The requests have timestamps.
    HaveTimestamps,
    /// The processes offer some service to clients.
    Serve,
    /// The processes offer this service to clients.
    Offer(Service),
}

/// Returns an error at `pointer` if no process of the run has the ability to report events of this kind.
pub(super) fn unable_to_report(pointer: &str, kind: &str, run: &Specification) -> Option<FieldError> {
    let detail = of_event(kind)?.missing(run)?;
    let is_possible = |kind: &&&str| of_event(kind).is_none_or(|ability| ability.missing(run).is_none());
    Some(refused(pointer, detail, What::KINDS.iter().filter(is_possible)))
}

/// Returns an error at `pointer` if the processes of the run lack the ability to violate the property of this
/// monitor.
pub(super) fn unable_to_violate(pointer: &str, monitor: &str, run: &Specification) -> Option<FieldError> {
    let detail = of_monitor(monitor)?.missing(run).or_else(|| not_asked(monitor, run))?;
    let is_possible = |name: &&&str| {
        of_monitor(name).is_none_or(|ability| ability.missing(run).is_none()) && not_asked(name, run).is_none()
    };
    Some(refused(pointer, detail, monitor::NAMES.iter().filter(is_possible)))
}

/// Returns the reason why this monitor does not judge the run, if the specification must name it and does not.
fn not_asked(monitor: &str, run: &Specification) -> Option<String> {
    let is_asked = run.monitors.contains(&OptionalMonitor::named(monitor)?);
    (!is_asked)
        .then(|| format!("this run is not judged by `{monitor}`; write `monitors: {monitor}` when you create it"))
}

/// Returns the reason why no event of the run changes this metric, or none if some event may change it.
pub(super) fn unable_to_measure(metric: &str, run: &Specification) -> Option<String> {
    of_metric(metric)?.missing(run)
}

fn refused<'a>(pointer: &str, detail: String, possible: impl Iterator<Item = &'a &'a str>) -> FieldError {
    FieldError { allowed: possible.map(ToString::to_string).collect(), ..FieldError::new(pointer, detail) }
}

/// Returns the ability that processes need to report events of this kind, or none if they need no ability.
fn of_event(kind: &str) -> Option<Ability> {
    match kind {
        "requested" | "entered" | "exited" | "blocked" => Some(Ability::Request),
        "called" | "elected" => Some(Ability::Elect),
        "proposed" | "promised" | "accepted" | "decided" => Some(Ability::Agree),
        "aborted" => Some(Ability::Abort),
        "reported" => Some(Ability::Detect),
        "expired" => Some(Ability::Lease),
        "invoked" | "returned" => Some(Ability::Serve),
        _ => None,
    }
}

/// Returns the ability that processes need to violate the property of this monitor, or none if they need no ability.
fn of_monitor(name: &str) -> Option<Ability> {
    match name {
        agreement::NAME => Some(Ability::Agree),
        capacity::NAME
        | deadlocks::NAME
        | fencing::NAME
        | mutual_exclusion::NAME
        | progress::NAME
        | real_time::NAME
        | real_time_order::NAME => Some(Ability::Request),
        leaders::NAME => Some(Ability::Elect),
        livelock::NAME => Some(Ability::Abort),
        order::NAME => Some(Ability::KeepOrder),
        timestamp_order::NAME => Some(Ability::HaveTimestamps),
        service::broadcast::NAME => Some(Ability::Offer(Service::Broadcast)),
        service::echo::NAME => Some(Ability::Offer(Service::Echo)),
        service::linearizability::NAME => Some(Ability::Offer(Service::LinKv)),
        service::unique_ids::NAME => Some(Ability::Offer(Service::UniqueIds)),
        tokens::NAME => Some(Ability::PassToken),
        _ => None,
    }
}

/// Returns the ability that processes need to change this metric, or none if they need no ability.
fn of_metric(name: &str) -> Option<Ability> {
    match name {
        "entries"
        | "messages_per_entry"
        | "client_delay"
        | "synchronisation_delay"
        | "response_time"
        | "throughput"
        | "fairness"
        | "bypass_max"
        | "bypass_from_request_max"
        | "longest_gap"
        | "order_inversions"
        | "real_time_inversions"
        | "entries_between" => Some(Ability::Request),
        "timestamp_inversions" => Some(Ability::HaveTimestamps),
        "aborts" => Some(Ability::Abort),
        "elections" => Some(Ability::Elect),
        "decisions" => Some(Ability::Agree),
        "operations" => Some(Ability::Serve),
        _ => None,
    }
}

impl Ability {
    /// Returns the reason why a condition that needs this ability is never met in the run. Returns none if the
    /// processes of the run have the ability. Foreign programs are assumed to have every ability that the
    /// declarations in the scenario do not exclude.
    pub(super) fn missing(self, run: &Specification) -> Option<String> {
        let known = run.known_algorithm()?;
        let detail = self.reason();
        (!self.is_in(run, &known)).then(|| format!("this never happens in `{}`: {detail}", known.entry.name))
    }

    fn is_in(self, run: &Specification, known: &KnownAlgorithm<'_>) -> bool {
        let entry = known.entry;
        let is_own = entry.name == OWN.name;
        let offered = || run.workload.as_ref().and_then(|workload| workload.client_loop.service);
        match self {
            Self::Request => entry.takes_command("acquire"),
            Self::Elect => entry.takes_command("elect"),
            Self::Agree => entry.agrees(),
            Self::Abort => is_own || entry.family == "deadlock",
            Self::Detect => is_own || entry.conduct.detection != Detection::None,
            Self::Lease => Leases::of(run) != Leases::Nobody,
            Self::PassToken => !known.token_kinds.is_empty(),
            Self::KeepOrder => entry.keeps_order.contains(&&*run.variant),
            Self::HaveTimestamps => run.has_timestamps(),
            Self::Serve => offered().is_some(),
            Self::Offer(service) => offered() == Some(service),
        }
    }

    const fn reason(self) -> &'static str {
        match self {
            Self::Request => "no process requests a lock",
            Self::Elect => "it does not elect a leader",
            Self::Agree => "its processes do not agree on a value",
            Self::Abort => "no process aborts a request",
            Self::Detect => "no process detects deadlocks",
            Self::Lease => "it has no leases",
            Self::PassToken => "it has no token",
            Self::KeepOrder => "it does not guarantee that requests are granted in their order",
            Self::HaveTimestamps => "its requests have no timestamps",
            Self::Serve | Self::Offer(_) => "no client uses this service; write `workload: { service: … }`",
        }
    }
}
