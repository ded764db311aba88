//! Comparison of timer names.

use interlock_machine::wire::TimerName;
use interlock_model::event::TimerLabel;

/// Whether two names denote the same timer. White space and the order of fields in their JSON are ignored.
pub(super) fn same_timer(one: &TimerLabel, other: &TimerLabel) -> bool {
    match (one, other) {
        (TimerName::Algorithm(one), TimerName::Algorithm(other)) => one.value() == other.value(),
        _ => one == other,
    }
}
