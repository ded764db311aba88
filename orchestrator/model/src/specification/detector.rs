//! Failure detectors of a run.

use std::fmt;

use interlock_algorithm::{Algorithm, NodeId, Participant, Visitor, catalogue};
use interlock_machine::detector::{Beating, DetectorSetting};
use serde::de::value::{MapAccessDeserializer, StrDeserializer};
use serde::de::{self, Deserializer};
use serde::{Deserialize, Serialize, Serializer};

use super::{Delays, Specification};
use crate::field_error::FieldError;
use crate::schema::Time;
use crate::span::Span;

/// Default interval between two heartbeats.
const INTERVAL: Span = Span(100_000);
/// Number of intervals in the default time-out. The time-out is this many intervals plus the longest delay.
const PATIENCE: u64 = 3;
/// Minimum interval. With a shorter interval, processes would have no time for anything else.
const SHORTEST_INTERVAL: Span = Span(1_000);

/// A failure detector (Chandra and Toueg 1996): `none`, `perfect`, `heartbeat`, or `{"heartbeat": {…}}`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detector {
    /// No process suspects another.
    #[default]
    None,
    /// All processes suspect each crashed process, and they suspect no other process.
    Perfect,
    /// A process that is silent for too long is suspected.
    Heartbeat(Heartbeats),
}

/// Settings of a heartbeat detector. Absent fields get their defaults when the specification is completed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Heartbeats {
    /// Interval between two heartbeats of a process, in ms, from 1 [default: 100].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Time>)]
    pub interval: Option<Span>,
    /// Time after which a silent process is suspected, in ms [default: three intervals plus the longest delay]. The
    /// time is at least one interval, and is rounded up to whole intervals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Time>)]
    pub timeout: Option<Span>,
    /// Whether the time-out for a process grows by one interval after each wrong suspicion of this process
    /// [default: false].
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub adaptive: bool,
}

/// Names of detectors.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Word {
    None,
    Perfect,
    Heartbeat,
}

/// The written form of a heartbeat detector with settings.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Beats {
    heartbeat: Heartbeats,
}

impl Serialize for Detector {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Self::None => Word::None.serialize(serializer),
            Self::Perfect => Word::Perfect.serialize(serializer),
            Self::Heartbeat(heartbeat) => Beats { heartbeat }.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Detector {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Written)
    }
}

/// Visitor that reads a word or the settings of the heartbeats. Its errors point to the place within the settings.
struct Written;

impl<'de> de::Visitor<'de> for Written {
    type Value = Detector;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("`none`, `perfect`, `heartbeat` or `{\"heartbeat\": {…}}`")
    }

    fn visit_str<E: de::Error>(self, word: &str) -> Result<Detector, E> {
        Ok(match Word::deserialize(StrDeserializer::new(word))? {
            Word::None => Detector::None,
            Word::Perfect => Detector::Perfect,
            Word::Heartbeat => Detector::Heartbeat(Heartbeats::default()),
        })
    }

    fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<Detector, A::Error> {
        let Beats { heartbeat } = Beats::deserialize(MapAccessDeserializer::new(map))?;
        Ok(Detector::Heartbeat(heartbeat))
    }
}

impl Detector {
    /// Returns whether the run has no detector.
    #[must_use]
    pub const fn is_none(&self) -> bool {
        matches!(self, Self::None)
    }

    /// Returns whether processes send heartbeats.
    #[must_use]
    pub const fn beats(&self) -> bool {
        matches!(self, Self::Heartbeat(_))
    }

    /// If the detector is invalid, returns the error.
    pub(super) fn errors(&self) -> Option<FieldError> {
        let Self::Heartbeat(Heartbeats { interval, timeout, .. }) = *self else { return None };
        let interval = interval.unwrap_or(INTERVAL);
        if interval < SHORTEST_INTERVAL {
            let detail = format!("{} ms are too short; heartbeats are at least 1 ms apart", f64::from(interval));
            return Some(FieldError::new("/detector/heartbeat/interval", detail));
        }
        let timeout = timeout.filter(|timeout| *timeout < interval)?;
        let (timeout, interval) = (f64::from(timeout), f64::from(interval));
        let detail = format!(
            "{timeout} ms are shorter than the {interval} ms between two heartbeats, so all processes would be \
                     suspected"
        );
        Some(FieldError::new("/detector/heartbeat/timeout", detail))
    }

    /// Returns the detector with its absent fields filled in, for a run with these delays.
    #[must_use]
    pub fn filled(self, delays: Delays) -> Self {
        let Self::Heartbeat(Heartbeats { interval, timeout, adaptive }) = self else { return self };
        let interval = interval.unwrap_or(INTERVAL);
        let usual = || Span(interval.0.saturating_mul(PATIENCE).saturating_add(delays.longest()));
        let timeout = timeout.unwrap_or_else(usual);
        Self::Heartbeat(Heartbeats { interval: Some(interval), timeout: Some(timeout), adaptive })
    }
}

impl Specification {
    /// Returns the detector setting of the nodes.
    #[must_use]
    pub fn detector_setting(&self) -> DetectorSetting {
        match self.detector.filled(Delays::of(self, &[])) {
            Detector::None => DetectorSetting::None,
            Detector::Perfect => DetectorSetting::Perfect,
            Detector::Heartbeat(Heartbeats { interval, timeout, adaptive }) => {
                let interval_us = interval.unwrap_or(INTERVAL).0.max(1);
                let patience = timeout.unwrap_or_default().0.div_ceil(interval_us).max(1);
                let patience = u32::try_from(patience).unwrap_or(u32::MAX);
                DetectorSetting::Heartbeat(Beating { interval_us, patience, adaptive })
            }
        }
    }
}

impl Specification {
    /// Returns whether a node takes part in the algorithm in `incarnation`, a later incarnation that has lost all
    /// earlier state. If the node does not take part, it counts as crashed. A user's program is assumed to take
    /// part.
    #[must_use]
    pub fn takes_part(&self, node: NodeId, incarnation: u32) -> bool {
        struct TakesPart(NodeId, u32);
        impl Visitor for TakesPart {
            type Output = bool;
            fn visit<A: Algorithm>(self, setting: A::Setting) -> bool {
                Participant::<A>::new(&setting, self.0, self.1).state().is_some()
            }
        }
        let mut programs = self.programs.iter().flat_map(|group| std::iter::repeat_n(group, group.count as usize));
        let is_a_program = programs.nth(node.index()).is_some_and(|group| group.command.is_some());
        is_a_program
            || catalogue::instantiate_erased(&self.configuration(), TakesPart(node, incarnation)).unwrap_or(true)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::specification::Draft;

    fn detector(written: &serde_json::Value) -> Result<DetectorSetting, String> {
        let draft = json!({ "algorithm": "bully", "network": { "delay": 20 }, "detector": written });
        let draft: Draft = serde_json::from_value(draft).map_err(|error| error.to_string())?;
        let specification = draft.complete().map_err(|errors| format!("{errors:?}"))?;
        let again = serde_json::to_value(&specification).and_then(serde_json::from_value::<Specification>);
        assert_eq!(again.map_err(|error| error.to_string()), Ok(specification.clone()), "it is read as it is written");
        Ok(specification.detector_setting())
    }

    #[test]
    fn a_detector_is_a_word_or_what_its_heartbeats_are() {
        let beating = |interval_us, patience, adaptive| {
            Ok(DetectorSetting::Heartbeat(Beating { interval_us, patience, adaptive }))
        };
        assert_eq!(detector(&json!("none")), Ok(DetectorSetting::None));
        assert_eq!(detector(&json!("perfect")), Ok(DetectorSetting::Perfect));
        assert_eq!(
            detector(&json!("heartbeat")),
            beating(100_000, 4, false),
            "three intervals and the delay, in whole ones"
        );
        let own = json!({ "heartbeat": { "interval": "50ms", "timeout": 120, "adaptive": true } });
        assert_eq!(detector(&own), beating(50_000, 3, true));
    }

    #[test]
    fn what_suspects_everybody_is_refused() {
        for (wrong, named) in [
            (json!({ "heartbeat": { "interval": 50, "timeout": 49 } }), "/detector/heartbeat/timeout"),
            (json!({ "heartbeat": { "interval": 0 } }), "/detector/heartbeat/interval"),
            (json!("phi"), "unknown variant `phi`"),
            (json!({ "heartbeat": { "every": 50 } }), "unknown field `every`"),
            (json!({ "heartbeat": {}, "every": 50 }), "unknown field `every`"),
            (json!(["heartbeat"]), "expected `none`, `perfect`"),
        ] {
            let refused = detector(&wrong).expect_err("it cannot be");
            assert!(refused.contains(named), "{refused}");
        }
    }
}
