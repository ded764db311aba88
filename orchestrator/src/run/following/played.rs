//! A schedule with its simulation in the model.

use serde_json::Value;

use crate::run::RunError;
use interlock_model::event::{Event, value_of};
use interlock_model::field_error::FieldError;
use interlock_simulation::schedule::Schedule;
use interlock_simulation::simulation::{Report, Simulation};

/// Maximum number of steps of a schedule for live processes. Each step needs memory for its events, and a request
/// to a process.
const MOST_STEPS: u64 = 100_000;

/// A schedule for live processes, with its outcome in the model.
#[derive(Clone, Debug)]
pub struct Played {
    /// The schedule.
    pub schedule: Schedule,
    /// The simulation of it.
    pub simulation: Simulation,
    /// The report of the simulation, with all events.
    pub report: Report,
}

impl Played {
    /// Plays a schedule in the model, to its end.
    ///
    /// # Errors
    /// The parts of the specification that live processes cannot run, or the first action that cannot happen at its
    /// place.
    pub fn new(schedule: Schedule) -> Result<Self, RunError> {
        let below = |error: FieldError| FieldError { pointer: format!("/specification{}", error.pointer), ..error };
        let errors = schedule.specification.unfit_to_live();
        if !errors.is_empty() {
            return Err(RunError::Invalid(errors.into_iter().map(below).collect()));
        }
        let simulation = Simulation { most_steps: MOST_STEPS, ..Simulation::of_schedule(&schedule) };
        let played = simulation.replay(&schedule).map_err(|refusal| RunError::Invalid(vec![below(refusal.into())]))?;
        Ok(Self { report: played?, schedule, simulation })
    }

    /// Returns the number of events after `position` actions.
    #[must_use]
    pub fn told_by(&self, position: usize) -> u64 {
        self.report.marks.get(position).copied().unwrap_or(self.report.events.len() as u64)
    }

    /// Returns the event with this number.
    #[must_use]
    pub fn event(&self, seq: u64) -> Option<&Event> {
        let place = usize::try_from(seq.checked_sub(1)?).ok()?;
        self.report.events.get(place)
    }
}

/// Whether two events are equal apart from the id of an operating system process.
pub(super) fn same(one: &Event, other: &Event) -> bool {
    let comparable = |event: &Event| {
        let mut value = value_of(event);
        if event.kind() == "started"
            && let Value::Object(fields) = &mut value
        {
            fields.remove("pid");
        }
        value
    };
    comparable(one) == comparable(other)
}
