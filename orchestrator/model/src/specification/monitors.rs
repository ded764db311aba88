//! Monitors that judge a run only if its specification names them.

use interlock_algorithm::catalogue::{self, OWN};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Specification;
use crate::field_error::FieldError;
use crate::listed;

/// A monitor of a property that correct algorithms need not have. It judges a run only if the specification names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OptionalMonitor {
    /// Of two waiting requests, the request with the smaller timestamp is granted first. The requests of the algorithm
    /// must have timestamps.
    TimestampOrder,
    /// Of two requests, the request that was made first is granted first.
    RealTimeOrder,
}

impl OptionalMonitor {
    /// All optional monitors.
    pub const ALL: [Self; 2] = [Self::TimestampOrder, Self::RealTimeOrder];

    /// Returns the name of the monitor, as it appears in violations.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::TimestampOrder => "timestamp-order",
            Self::RealTimeOrder => "real-time-order",
        }
    }
}

impl OptionalMonitor {
    /// Returns the optional monitor whose name is `name`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|monitor| monitor.name() == name)
    }
}

impl listed::Item for OptionalMonitor {
    const NAME: &'static str = "monitors";
    const EXAMPLE: &'static str = "timestamp-order,real-time-order";

    fn of_word(word: &str) -> Result<Self, listed::ItemError> {
        listed::known(word)
    }
}

/// A list of optional monitors, or a text such as `timestamp-order,real-time-order`.
#[derive(Clone, Debug, ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only the OpenAPI document tells of it")]
pub(super) enum OptionalMonitors {
    /// A list.
    List(Vec<OptionalMonitor>),
    /// A text.
    Text(String),
}

impl Specification {
    /// Returns whether the requests of the run have timestamps by which they can be compared. A program of a user may
    /// report timestamps.
    #[must_use]
    pub fn has_timestamps(&self) -> bool {
        self.algorithm == OWN.name || catalogue::has_timestamps(&self.configuration()) == Ok(true)
    }

    /// Returns whether the monitor can judge runs of the algorithm.
    #[must_use]
    pub fn is_applicable(&self, monitor: OptionalMonitor) -> bool {
        match monitor {
            OptionalMonitor::TimestampOrder => self.has_timestamps(),
            OptionalMonitor::RealTimeOrder => true,
        }
    }

    /// Returns an error for each named monitor that is not applicable to the algorithm.
    pub(super) fn inapplicable_monitors(&self) -> Vec<FieldError> {
        let named = self.monitors.iter().enumerate().filter(|(_, monitor)| !self.is_applicable(**monitor));
        let error = |(place, monitor): (usize, &OptionalMonitor)| {
            let detail = format!(
                "the monitor `{}` is not applicable: requests of `{}/{}` have no timestamps; remove it",
                monitor.name(),
                self.algorithm,
                self.variant
            );
            FieldError::new(format!("/monitors/{place}"), detail)
        };
        named.map(error).collect()
    }
}
