//! Errors that a playground reports, printed with its own texts.

use std::fmt;

use interlock_model::field_error::FieldError;
use interlock_observation::trace::words::on_one_line;
use serde::Deserialize;

/// Problem details (RFC 9457) of a response.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Problem {
    /// HTTP status code.
    pub status: u16,
    /// Description of the error: the invalid value, and advice.
    detail: String,
    /// Errors in the document of the request, each with a pointer to the invalid value.
    #[serde(default)]
    errors: Vec<FieldError>,
}

impl Problem {
    /// Returns whether the request is invalid or its resource does not exist. Repeating such a request later would
    /// not help.
    pub const fn is_nonsense(&self) -> bool {
        matches!(self.status, 400 | 404 | 405 | 413 | 415 | 422)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = match self.errors.as_slice() {
            [] => vec![on_one_line(&self.detail)],
            errors => errors.iter().map(|error| on_one_line(&with_place(error))).collect(),
        };
        formatter.write_str(&lines.join("\n"))
    }
}

fn with_place(error: &FieldError) -> String {
    let place = if error.pointer.is_empty() { String::new() } else { format!("{}: ", error.pointer) };
    place + &error.clone().sentence()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_thing_that_is_wrong_has_a_line_with_its_place_and_what_is_possible() {
        let told = |document| serde_json::from_value::<Problem>(document).map(|problem| problem.to_string());
        let simple = json!({ "type": "/problems/not-found", "status": 404, "detail": "there is no\u{1b} run" });
        assert_eq!(told(simple).expect("a problem"), "there is no\\u{1b} run");
        let errors = json!([{ "pointer": "/state", "detail": "no `some`", "allowed": ["stored", "none"] },
            { "pointer": "", "detail": "expected an object" }]);
        let several = json!({ "status": 422, "detail": "all of it", "errors": errors });
        assert_eq!(told(several).expect("a problem"), "/state: no `some`; possible: stored, none\nexpected an object");
    }
}
