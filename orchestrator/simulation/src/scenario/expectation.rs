//! The expectations of a run.

use serde_json::{Map, Value, json};

use super::bound::Bound;
use super::condition::Until;
use super::condition_form::FORMS;
use super::step::{only, span};
use interlock_model::field_error::FieldError;
use interlock_model::span::Span;
use interlock_model::specification::Specification;

/// The keys of an expectation besides the conditions.
pub(super) const WORDS: [&str; 3] = ["never", "eventually", "metric"];
/// One expectation of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Expectation {
    /// The expectation in the form in which the document contains it.
    pub written: Value,
    /// The location in the document as a JSON pointer. It is empty for the implicit expectation.
    pub place: String,
    /// The mark from which the expectation applies. If absent, the expectation applies from the beginning of the run.
    pub after: Option<String>,
    /// The duration for which the expectation applies. If absent, the expectation applies to the end of the run.
    pub within: Option<Span>,
    /// The expected condition or bound.
    pub expected: Expected,
}

/// The condition or bound of an expectation.
#[derive(Clone, Debug, PartialEq)]
pub enum Expected {
    /// This condition must not be met.
    Never(Until),
    /// This condition must be met.
    Eventually(Until),
    /// A metric must satisfy this bound at the end of the run.
    Metric(Bound),
}

impl Expectation {
    /// Returns the implicit expectation that no property is violated. It is added if the document contains no
    /// expectation about violations.
    #[must_use]
    pub fn understood() -> Self {
        Self {
            written: json!({ "never": "violation" }),
            place: String::new(),
            after: None,
            within: None,
            expected: Expected::Never(Until::ANY_VIOLATION),
        }
    }

    /// Returns whether the expectation refers to violations or to a stuck run.
    #[must_use]
    pub fn is_of_a_rule(&self) -> bool {
        match &self.expected {
            Expected::Never(until) | Expected::Eventually(until) => until.is_of_a_rule(),
            Expected::Metric(_) => false,
        }
    }

    /// Returns the errors of the parts of the expectation that this run does not support.
    pub(super) fn errors(&self, run: &Specification) -> Vec<FieldError> {
        match &self.expected {
            Expected::Never(until) => until.errors(&format!("{}/never", self.place), run),
            Expected::Eventually(until) if self.written.get("eventually").is_some() => {
                until.errors_if_awaited(&format!("{}/eventually", self.place), run)
            }
            Expected::Eventually(until) => until.errors_if_awaited(&self.place, run),
            Expected::Metric(bound) => bound.errors(&format!("{}/metric", self.place), run),
        }
    }

    /// Returns whether the expectation refers to broadcast values but applies from the beginning of the run. At the
    /// beginning nothing has been broadcast, so the condition would be met at once. Such an expectation needs a mark.
    fn is_said_too_early(&self) -> bool {
        let (Expected::Never(until) | Expected::Eventually(until)) = &self.expected else { return false };
        self.after.is_none() && until.is_of_what_was_broadcast()
    }
}

/// Reads the expectations at the location `place` of the document.
pub(super) fn read(expected: Value, place: &str, errors: &mut Vec<FieldError>) -> Vec<Expectation> {
    let items = match expected {
        Value::Array(items) => {
            items.into_iter().enumerate().map(|(number, item)| (format!("{place}/{number}"), item)).collect()
        }
        one @ Value::Object(_) => vec![(place.to_owned(), one)],
        _ => {
            errors.push(FieldError::new(place, "expected a list of expectations, such as `- never: violation`"));
            return Vec::new();
        }
    };
    let mut read = Vec::new();
    for (place, item) in items {
        match one(item, &place) {
            Ok(expectation) => read.push(expectation),
            Err(error) => errors.push(error),
        }
    }
    read
}

fn one(item: Value, place: &str) -> Result<Expectation, FieldError> {
    let written = item.clone();
    let Value::Object(mut map) = item else {
        return Err(FieldError::new(place, "not an expectation; write one such as `never: violation`"));
    };
    let after = match map.remove("after") {
        None => None,
        Some(Value::String(mark)) => Some(mark),
        Some(_) => return Err(FieldError::new(format!("{place}/after"), "expected the name of a mark")),
    };
    let within = map.remove("within").map(|value| span(value, &format!("{place}/within"))).transpose()?;
    let (word, value) = only(map, place)?;
    let at = format!("{place}/{word}");
    let read = |value: Value| Until::read(value).map_err(|error| error.below(&at));
    let expected = match word.as_str() {
        "never" => Expected::Never(read(value)?),
        "eventually" => Expected::Eventually(read(value)?),
        "metric" => Expected::Metric(Bound::read(&value, &at)?),
        condition if conditions().any(|known| known == condition) => {
            let whole = Value::Object(Map::from_iter([(word.clone(), value)]));
            Expected::Eventually(Until::read(whole).map_err(|error| error.below(place))?)
        }
        _ => {
            let mut error = FieldError::new(&at, format!("`{word}` is not an expectation"));
            error.allowed = WORDS.into_iter().chain(conditions()).map(ToOwned::to_owned).collect();
            return Err(error.meant_by(&word));
        }
    };
    if let (Expected::Metric(_), Some(field)) =
        (&expected, after.as_ref().map(|_| "after").or_else(|| within.map(|_| "within")))
    {
        return Err(FieldError::new(format!("{place}/{field}"), "a metric is about the whole run; remove this field"));
    }
    let expectation = Expectation { written, place: place.to_owned(), after, within, expected };
    if expectation.is_said_too_early() {
        let detail = "this is true at the beginning, when nothing has been broadcast; name a mark, `{ after: MARK, \
                      eventually: converged }`";
        return Err(FieldError::new(place, detail));
    }
    Ok(expectation)
}

/// Returns the conditions that can be keys of an expectation: all of them.
fn conditions() -> impl Iterator<Item = &'static str> {
    FORMS.into_iter().map(|(word, _)| word)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_condition_can_stand_by_itself() {
        // If a variant is unknown, the error from Serde lists all variants.
        let error = serde_json::from_str::<Until>(r#"{"unheard_of":1}"#).expect_err("no such condition").to_string();
        let listed: BTreeSet<&str> = error.split('`').skip(3).step_by(2).collect();
        assert_eq!(listed, conditions().collect());
    }

    #[test]
    fn that_all_is_everywhere_is_expected_from_a_mark_on() {
        let read = |document: Value| one(document, "/expect/0").map_err(|error| error.detail);
        for early in [
            json!({ "eventually": "converged" }),
            json!({ "converged": null }),
            json!({ "within": "5s", "any": ["stuck", "converged"] }),
        ] {
            let refused = read(early.clone()).expect_err("refused");
            assert!(refused.contains("name a mark"), "{early}: {refused}");
        }
        assert!(read(json!({ "after": "sent", "eventually": "converged" })).is_ok());
        assert!(read(json!({ "eventually": { "operations": 3 } })).is_ok());
    }
}
