//! A bound of a metric: `response_time.p99 < 200ms`.

use interlock_machine::quantity::Duration;
use interlock_model::event::value_of;
use serde_json::Value;

use super::ability::unable_to_measure;
use interlock_model::field_error::FieldError;
use interlock_model::nearest::did_you_mean;
use interlock_model::specification::Specification;
use interlock_observation::metrics::{Metrics, MetricsDocument};

/// The relation between a metric and a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Relation {
    Less,
    AtMost,
    More,
    AtLeast,
    Equal,
}

impl Relation {
    /// The text of each relation. A text that begins with another text of the list, such as `<=`, comes before that
    /// text.
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

/// A condition that the value of a metric must satisfy.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    /// The path to the metric in the document of `GET /runs/{run}/metrics`.
    path: Vec<String>,
    relation: Relation,
    limit: f64,
}

impl Bound {
    /// The syntax of a bound as a regular expression: a metric, a sign, a number.
    pub(super) const PATTERN: &str = "^[^<>=]+(<|<=|=|==|>=|>)[^<>=]+$";

    /// Reads the bound at the location `place` of the document.
    pub(super) fn read(value: &Value, place: &str) -> Result<Self, FieldError> {
        let text = value.as_str().unwrap_or_default();
        let refused = |detail: String| FieldError::new(place, detail);
        let sign = Relation::SIGNS.iter().find_map(|(sign, relation)| Some((text.split_once(sign)?, *relation)));
        let Some(((path, bound), relation)) = sign else {
            return Err(refused("expected a bound, such as `response_time.p99 < 200ms` or `entries >= 50`".to_owned()));
        };
        let path: Vec<String> = path.trim().split('.').map(ToOwned::to_owned).collect();
        let bound = bound.trim().parse().map(|Duration(bound)| bound).map_err(|error| refused(error.to_string()))?;
        Ok(Self { path, relation, limit: bound })
    }

    /// Returns the errors of the bound in this run, at the location `place`. An error is an unknown metric, or a
    /// metric that can never satisfy the bound.
    pub(super) fn errors(&self, place: &str, run: &Specification) -> Vec<FieldError> {
        let misfit = self.misfit(run).or_else(|| Some((self.never_kept(run)?, Vec::new())));
        let error = |(detail, allowed)| FieldError { allowed, ..FieldError::new(place, detail) };
        misfit.map(error).into_iter().collect()
    }

    /// Returns the reason why no run satisfies the bound: no event changes the metric, and its initial value does
    /// not satisfy the bound. Returns none if a run may satisfy the bound.
    fn never_kept(&self, run: &Specification) -> Option<String> {
        let why = unable_to_measure(&self.path[0], run)?;
        let (is_kept, _) = self.judge(&Metrics::new(run).document());
        (!is_kept).then_some(why)
    }

    /// Returns whether the metric is the number of messages of one kind.
    fn is_of_a_kind(&self) -> bool {
        self.path.len() == 2 && ["messages_by_kind", "repair_messages"].contains(&&*self.path[0])
    }

    /// If the path does not lead to a metric of this run, returns the explanation and the names that exist instead.
    fn misfit(&self, run: &Specification) -> Option<(String, Vec<String>)> {
        // If the message kinds of a run are not known in advance, every kind is accepted: the metrics count the kinds
        // that they observe.
        if self.is_of_a_kind() && run.known_kinds().is_none() {
            return None;
        }
        let mut at = value_of(&Metrics::new(run).document());
        for name in &self.path {
            let Some(inner) = part(&at, name) else {
                if self.is_of_a_kind() {
                    let kinds: Vec<String> =
                        at.as_object().map(|map| map.keys().cloned().collect()).unwrap_or_default();
                    let meant = did_you_mean(name, kinds.iter().map(String::as_str));
                    return Some((format!("`{}` does not count `{name}`{meant}", self.path[0]), kinds));
                }
                let names = names_in(&at);
                let meant = did_you_mean(name, names.iter().map(String::as_str));
                let detail = if names.is_empty() {
                    format!("`{}` has no parts, so there is no `{name}`", self.path[0])
                } else {
                    format!("there is no metric `{name}`{meant}")
                };
                return Some((detail, names));
            };
            at = inner.clone();
        }
        let is_whole = !at.is_object() && !at.is_array();
        (!is_whole).then(|| (format!("`{}` has several parts; name one", self.path.join(".")), names_in(&at)))
    }

    /// Returns whether the metric satisfies the bound, and the value of the metric.
    pub(super) fn judge(&self, metrics: &MetricsDocument) -> (bool, String) {
        let document = value_of(metrics);
        let found = self.path.iter().try_fold(&document, part).and_then(Value::as_f64);
        let found = found.or_else(|| self.is_of_a_kind().then_some(0.0));
        let name = self.path.join(".");
        match found {
            None => (false, format!("{name} was never measured")),
            Some(found) => (self.relation.holds(found, self.limit), format!("{name} was {found}")),
        }
    }
}

/// Returns the field of a document with this name, or the item of a list with this index.
fn part<'a>(at: &'a Value, name: &String) -> Option<&'a Value> {
    if at.is_array() { at.get(name.parse::<usize>().ok()?) } else { at.get(name) }
}

/// Returns the names of the fields of a document, or the indices of the items of a list.
fn names_in(at: &Value) -> Vec<String> {
    match at {
        Value::Object(map) => map.keys().cloned().collect(),
        Value::Array(items) if !items.is_empty() => vec![format!("0 … {}", items.len() - 1)],
        _ => Vec::new(),
    }
}
