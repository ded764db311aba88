//! A schedule, and the events that it has in the model.

use serde_json::Value;

use crate::run::RunError;
use interlock_model::event::{Event, value_of};
use interlock_model::field_error::FieldError;
use interlock_simulation::schedule::Schedule;
use interlock_simulation::simulation::{Report, Simulation};

/// Maximum number of steps of a schedule for live processes. Each step requires memory for its events, and a
/// request to a process.
const MOST_STEPS: u64 = 100_000;

/// A schedule for live processes, together with its simulation in the model.
#[derive(Clone, Debug)]
pub struct Played {
    /// The schedule.
    pub schedule: Schedule,
    /// The simulation of the schedule.
    pub simulation: Simulation,
    /// The report of the simulation, which contains all events.
    pub report: Report,
}

impl Played {
    /// Simulates a schedule in the model, to its end.
    ///
    /// # Errors
    /// The fields of the specification that live processes do not support, or the first action that is impossible
    /// when the schedule reaches it.
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

    /// Returns the number of events that the model has after `position` actions.
    #[must_use]
    pub fn told_by(&self, position: usize) -> u64 {
        self.report.marks.get(position).copied().unwrap_or(self.report.events.len() as u64)
    }

    /// Returns event `seq` of the model.
    #[must_use]
    pub fn event(&self, seq: u64) -> Option<&Event> {
        let place = usize::try_from(seq.checked_sub(1)?).ok()?;
        self.report.events.get(place)
    }
}

/// Whether two events are equal. The id of an operating system process is ignored, since it differs from run to
/// run.
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
