//! Named documents that are part of the program: examples and lessons.

use interlock_model::field_error::FieldError;
use interlock_model::nearest::did_you_mean;
use serde_json::Value;

use crate::scenario::{Scenario, Written};

/// Documents of one kind, each a scenario with explanations.
pub struct Library<T: 'static> {
    /// Singular noun for a document of this library, such as `example`.
    pub kind: &'static str,
    /// Name and text of each document, in display order.
    pub documents: &'static [(&'static str, &'static str)],
    /// Function that reads the document with this name from its text.
    pub read: fn(&str, &'static str) -> Result<T, FieldError>,
}

/// Reason why a document cannot be returned.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LibraryError {
    /// No document has this name.
    #[error("there is no {kind} `{name}`{meant}; possible: {}", known.join(", "))]
    Unknown {
        /// The noun for a document of the library.
        kind: &'static str,
        /// The requested name.
        name: String,
        /// Text for the error message that suggests a similar name; empty if no name is similar.
        meant: String,
        /// The names of all documents.
        known: Vec<&'static str>,
    },
    /// The document is invalid.
    #[error("cannot read the {kind} `{name}`: {}", cause.detail)]
    Wrong {
        /// The noun for a document of the library.
        kind: &'static str,
        /// The name of the document.
        name: String,
        /// The first error in the document.
        cause: FieldError,
    },
}

impl LibraryError {
    /// Returns the error for a name that no document has.
    pub fn unknown(kind: &'static str, name: &str, known: impl Iterator<Item = &'static str>) -> Self {
        let known: Vec<_> = known.collect();
        let meant = did_you_mean(name, known.iter().copied());
        Self::Unknown { kind, name: name.to_owned(), meant, known }
    }
}

impl<T> Library<T> {
    /// Returns all documents.
    ///
    /// # Errors
    /// Returns the error of the first invalid document.
    pub fn all(&self) -> Result<Vec<T>, LibraryError> {
        self.documents.iter().map(|(name, text)| self.read(name, text)).collect()
    }

    /// Returns the document of this name.
    ///
    /// # Errors
    /// Returns an error if no document has this name, or if the document is invalid.
    pub fn find(&self, name: &str) -> Result<T, LibraryError> {
        if let Some((name, text)) = self.documents.iter().find(|(other, _)| *other == name) {
            return self.read(name, text);
        }
        Err(LibraryError::unknown(self.kind, name, self.documents.iter().map(|(name, _)| *name)))
    }

    /// Reads a document.
    ///
    /// # Errors
    /// Returns an error if the document is invalid.
    pub fn read(&self, name: &str, text: &'static str) -> Result<T, LibraryError> {
        (self.read)(name, text).map_err(|cause| LibraryError::Wrong { kind: self.kind, name: name.to_owned(), cause })
    }
}

/// Parses the text of a document into a JSON value.
///
/// # Errors
/// Returns an error if the text is malformed.
pub fn value(text: &str) -> Result<Value, FieldError> {
    Written::read(text).map(|written| written.value).map_err(|malformed| FieldError::new("", malformed.detail))
}

/// Reads the scenario of a document.
///
/// # Errors
/// Returns the first error of the scenario.
pub fn scenario(document: &Value) -> Result<Scenario, FieldError> {
    let read = Scenario::read(document.clone());
    read.map_err(|errors| errors.into_iter().next().unwrap_or_else(|| FieldError::new("", "")))
}

/// Returns the text of a field of a document.
///
/// # Errors
/// Returns an error if the field is missing or is not a text.
pub fn word(document: &Value, field: &str) -> Result<String, FieldError> {
    let word = document[field].as_str().map(ToOwned::to_owned);
    word.ok_or_else(|| FieldError::new(format!("/{field}"), format!("`{field}` is missing or is not a text")))
}
