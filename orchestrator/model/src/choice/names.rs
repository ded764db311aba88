//! The names in a choice that only the run knows: its resources, and the timers of its algorithm.

use interlock_algorithm::Algorithm;
use interlock_algorithm::catalogue::{self, OWN, Visitor};
use interlock_machine::wire::TimerName;
use serde::Deserialize;
use serde_json::Value;

use super::Choice;
use crate::field_error::FieldError;
use crate::specification::Specification;

impl Choice {
    /// What of it, standing at `pointer`, names something that this run does not have.
    #[must_use]
    pub fn unknown_names(&self, pointer: &str, run: &Specification) -> Vec<FieldError> {
        let error = match self {
            Self::Put(write) => {
                write.fits(run).err().map(|error| FieldError::new(format!("{pointer}/put"), error.to_string()))
            }
            Self::Fire { timer: TimerName::Algorithm(name), .. } => {
                unknown_timer(&name.value(), run).map(|error| error.below(&format!("{pointer}/fire/timer/algorithm")))
            }
            _ => None,
        };
        error.into_iter().collect()
    }
}

/// That the algorithm of a run has no timer of this name. Programs name their timers as they like.
fn unknown_timer(name: &Value, run: &Specification) -> Option<FieldError> {
    struct Reads<'a>(&'a Value);
    impl Visitor for Reads<'_> {
        type Output = Option<FieldError>;
        fn visit<A: Algorithm>(self, _: A::Setting) -> Self::Output {
            A::Timer::deserialize(self.0).err().map(|error| FieldError::said(&error))
        }
    }
    if run.algorithm == OWN.name || !run.programs.is_empty() {
        return None;
    }
    let error = catalogue::instantiate(&run.configuration(), Reads(name)).ok()??;
    Some(FieldError { detail: format!("the algorithm has no timer {name}: {}", error.detail), ..error })
}
