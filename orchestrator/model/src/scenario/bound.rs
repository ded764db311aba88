//! A bound that a metric keeps: `response_time.p99 < 200ms`.

use interlock_machine::quantity::Duration;
use serde_json::Value;

use crate::field_error::FieldError;
use crate::metrics::MetricsDocument;
use crate::nearest::did_you_mean;

/// How a metric stands to a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Relation {
    Less,
    AtMost,
    More,
    AtLeast,
    Equal,
}

impl Relation {
    /// Longer signs first, since they begin with the shorter ones.
    const SIGNS: [(&'static str, Self); 6] = [
        ("<=", Self::AtMost),
        (">=", Self::AtLeast),
        ("==", Self::Equal),
        ("<", Self::Less),
        (">", Self::More),
        ("=", Self::Equal),
    ];

    #[expect(clippy::float_cmp, reason = "numbers that are counted are equal or not")]
    fn holds(self, value: f64, bound: f64) -> bool {
        match self {
            Self::Less => value < bound,
            Self::AtMost => value <= bound,
            Self::More => value > bound,
            Self::AtLeast => value >= bound,
            Self::Equal => value == bound,
        }
    }
}

/// A bound that a metric keeps.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    /// The way to the metric in the document of `GET /runs/{run}/metrics`.
    path: Vec<String>,
    relation: Relation,
    limit: f64,
}

impl Bound {
    /// How one is written, as a regular expression: a metric, a sign, a number.
    pub(super) const PATTERN: &str = "^[^<>=]+(<|<=|=|==|>=|>)[^<>=]+$";

    /// Reads one that stands at a place.
    pub(super) fn read(value: &Value, place: &str) -> Result<Self, FieldError> {
        let text = value.as_str().unwrap_or_default();
        let refused = |detail: String| FieldError::new(place, detail);
        let sign = Relation::SIGNS.iter().find_map(|(sign, relation)| Some((text.split_once(sign)?, *relation)));
        let Some(((path, bound), relation)) = sign else {
            return Err(refused(
                "a bound is expected, such as `response_time.p99 < 200ms` or `entries >= 50`".to_owned(),
            ));
        };
        let path: Vec<String> = path.trim().split('.').map(ToOwned::to_owned).collect();
        let bound = bound.trim().parse().map(|Duration(bound)| bound).map_err(|error| refused(error.to_string()))?;
        let read = Self { path, relation, limit: bound };
        match read.misfit() {
            Some((detail, allowed)) => Err(FieldError { allowed, ..refused(detail) }),
            None => Ok(read),
        }
    }

    /// What of the way leads nowhere, and what would lead somewhere.
    fn misfit(&self) -> Option<(String, Vec<String>)> {
        // The kinds are those of the algorithm, and none is counted yet.
        if self.path.len() == 2 && self.path[0] == "messages_by_kind" {
            return None;
        }
        let mut at = serde_json::to_value(MetricsDocument::default()).ok()?;
        for name in &self.path {
            let Some(inner) = at.get(name) else {
                let names: Vec<String> = at.as_object().map(|map| map.keys().cloned().collect()).unwrap_or_default();
                let meant = did_you_mean(name, names.iter().map(String::as_str));
                let detail = if names.is_empty() {
                    format!("`{}` has no parts, so no `{name}`", self.path[0])
                } else {
                    format!("no metric is called `{name}`{meant}")
                };
                return Some((detail, names));
            };
            at = inner.clone();
        }
        let parts: Vec<String> = at.as_object()?.keys().cloned().collect();
        Some((format!("`{}` has several parts: name one", self.path.join(".")), parts))
    }

    /// Whether it is kept; if not, what the metric is instead.
    pub(super) fn judge(&self, metrics: &MetricsDocument) -> Result<String, String> {
        let document = serde_json::to_value(metrics).unwrap_or_default();
        let found = self.path.iter().try_fold(&document, |at, name| at.get(name)).and_then(Value::as_f64);
        let name = self.path.join(".");
        match found {
            None => Err(format!("{name} was never measured")),
            Some(found) if self.relation.holds(found, self.limit) => Ok(format!("{name} was {found}")),
            Some(found) => Err(format!("{name} was {found}")),
        }
    }
}
