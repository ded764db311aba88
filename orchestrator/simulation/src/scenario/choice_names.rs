//! Names in an action whose validity depends on the run: resources, timers, and locks that one request may acquire
//! together.

use interlock_algorithm::catalogue::{self, OWN, Visitor};
use interlock_algorithm::{Algorithm, Discipline, LockId, LockUse};
use interlock_machine::channel::Channel;
use interlock_machine::client::ClientContext;
use interlock_machine::wire::{ClientTimer, TimerName};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use serde_json::value::to_raw_value;

use interlock_model::choice::{Choice, forms};
use interlock_model::event::{TimerLabel, value_of};
use interlock_model::field_error::{FieldError, unknown_lock, unknown_node};
use interlock_model::specification::Specification;
use interlock_observation::resource::Resources;

/// Returns an error for each name in an action at `pointer` that does not exist in the run.
#[must_use]
pub fn unknown_names(choice: &Choice, pointer: &str, run: &Specification) -> Vec<FieldError> {
    let error = match choice {
        Choice::Put(write) => {
            Resources::check(write, run).err().map(|error| FieldError::new(format!("{pointer}/put"), error.to_string()))
        }
        Choice::Fire { timer, .. } => {
            unknown_timer(timer, run).map(|error| error.below(&format!("{pointer}/fire/timer")))
        }
        Choice::AcquireTogether { .. } if takes_together(run) == Some(false) => {
            let value = value_of(choice);
            let mistaken = forms::mistaken("acquire_together", &value["acquire_together"], Some(false));
            mistaken.map(|(below, detail)| FieldError::new(format!("{pointer}/acquire_together{below}"), detail))
        }
        _ => None,
    };
    error.into_iter().collect()
}

/// Returns whether one request may acquire several locks with the algorithm of this run, or none if the configuration
/// is invalid.
#[must_use]
pub fn takes_together(run: &Specification) -> Option<bool> {
    struct Asks(u32);
    impl Visitor for Asks {
        type Output = bool;
        fn visit<A: Algorithm>(self, setting: A::Setting) -> bool {
            let context = ClientContext::of::<A>(&setting, self.0);
            context.discipline == Discipline::Together || context.shares
        }
    }
    catalogue::instantiate_erased(&run.configuration(), Asks(run.locks)).ok()
}

/// Returns an error if no node of this run can have the timer.
fn unknown_timer(timer: &TimerLabel, run: &Specification) -> Option<FieldError> {
    match timer {
        TimerName::Client(ClientTimer::HoldLock(lock)) => unknown_lock("/client/hold_lock", *lock, run.locks),
        TimerName::Algorithm(name) => {
            unknown_timer_of_algorithm(&name.value(), run).map(|error| error.below("/algorithm"))
        }
        TimerName::Channel(_) if run.channel.kind != Channel::Reliable => {
            let detail = "only reliable channels have timers; write `channel: reliable` in the run";
            Some(FieldError::new("/channel", detail))
        }
        TimerName::Channel(to) => unknown_node("/channel", *to, run.nodes),
        TimerName::Detector(_) if !run.detector.beats() => {
            let detail = "only heartbeats have timers; write `detector: heartbeat` in the run";
            Some(FieldError::new("/detector", detail))
        }
        TimerName::Client(_) | TimerName::Detector(_) => None,
    }
}

/// Returns an error if the algorithm of this run does not have the timer. The timers of foreign programs may have any
/// name. In a run with several locks, the name of a timer consists of the lock and the name within that lock.
fn unknown_timer_of_algorithm(name: &Value, run: &Specification) -> Option<FieldError> {
    struct Reads<'a>(&'a Value);
    impl Visitor for Reads<'_> {
        type Output = Option<FieldError>;
        fn visit<A: Algorithm>(self, setting: A::Setting) -> Self::Output {
            let read = to_raw_value(self.0).and_then(|name| A::read_timer(&setting, &name));
            read.err().map(|error| FieldError::said(&error))
        }
    }
    if run.algorithm == OWN.name || !run.programs.is_empty() {
        return None;
    }
    if let Some(error) = catalogue::instantiate_erased(&run.configuration(), Reads(name)).ok()? {
        return Some(FieldError { detail: format!("the algorithm has no timer {name}: {}", error.detail), ..error });
    }
    let is_pair = run.locks > 1 && catalogue::find(&run.algorithm).is_ok_and(|entry| entry.locks != LockUse::Many);
    let lock = is_pair.then(|| <(LockId, IgnoredAny)>::deserialize(name).ok())?;
    lock.and_then(|(lock, _)| unknown_lock("/0", lock, run.locks))
}
