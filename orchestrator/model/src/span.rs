//! Lengths of time in the form in which people write them.

use interlock_algorithm::Ticks;
use interlock_machine::quantity::Duration;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::schema::Time;

/// Maximum length of a span, in units of time. A unit is a millisecond in a live run, so this is one hour.
const LONGEST_SPAN: f64 = 3_600_000.0;

/// A length of time. In JSON, a span is a number of units of time; a unit is a millisecond in a live run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[schema(value_type = Time)]
#[serde(into = "f64", try_from = "Duration")]
pub struct Span(pub Ticks);

/// Error for a length of time that is outside the range of a span. The number is in units of time.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{0} is outside 0 … {LONGEST_SPAN}")]
pub struct OutOfRange(f64);

impl From<Span> for f64 {
    #[expect(clippy::cast_precision_loss, reason = "an hour in ticks has far fewer than 53 bits")]
    fn from(Span(ticks): Span) -> Self {
        ticks as Self / 1_000.0
    }
}

impl TryFrom<Duration> for Span {
    type Error = OutOfRange;

    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range has been checked")]
    fn try_from(Duration(units): Duration) -> Result<Self, OutOfRange> {
        if (0.0..=LONGEST_SPAN).contains(&units) {
            Ok(Self((units * 1_000.0).round() as Ticks))
        } else {
            Err(OutOfRange(units))
        }
    }
}
