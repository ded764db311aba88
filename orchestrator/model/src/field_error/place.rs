//! Conversion of serde's errors into errors with a pointer and a suggestion.

use interlock_machine::wording::{complaint, number_meant};

use super::FieldError;
use crate::nearest::did_you_mean;

impl FieldError {
    /// Converts an error of serde. The result has a pointer only if the text of serde's error names a missing or
    /// repeated field.
    #[must_use]
    pub fn said(error: &serde_json::Error) -> Self {
        let complaint = complaint(error);
        let pointer = complaint.field.as_deref().map(token).unwrap_or_default();
        let found = Self { pointer, detail: complaint.detail, allowed: complaint.allowed };
        match complaint.unknown {
            Some(given) => found.meant_by(&given),
            None => found,
        }
    }

    /// Adds a suggestion if `given` is similar to a valid value.
    #[must_use]
    pub fn meant_by(mut self, given: &str) -> Self {
        let names = || self.allowed.iter().map(String::as_str).filter(|name| !name.contains('…'));
        let number = number_meant(given).map(|number| number.to_string()).filter(|number| number != given);
        let meant = match number.filter(|_| names().next().is_none()) {
            Some(number) if !self.allowed.is_empty() => format!("; did you mean `{number}`?"),
            _ => did_you_mean(given, names()),
        };
        self.detail += &meant;
        self
    }
}

/// Returns the name of a field as a segment of a JSON pointer.
#[must_use]
pub fn token(name: &str) -> String {
    format!("/{}", name.replace('~', "~0").replace('/', "~1"))
}
