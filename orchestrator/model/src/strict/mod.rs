//! Reads documents strictly according to their schemas: a list is not accepted as an object. A whole number may be
//! written as 1.0.

mod place;
mod reader;
#[cfg(test)]
mod tests;
mod unique;

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::field_error::FieldError;
use crate::flow::flow;

pub use unique::{line_of, repeated_field};

use place::{Place, Track};
use reader::Reader;

/// Reads a document.
///
/// # Errors
/// The first error of the document, with a pointer to its place.
pub fn deserialize<T: DeserializeOwned>(document: &Value) -> Result<T, FieldError> {
    let track = Track::default();
    let root = Place::root(&track);
    T::deserialize(Reader { value: document, place: &root }).map_err(|error| track.located(&error))
}

/// Reads a document that a person wrote. If the document contains an object where a list is needed, the error shows
/// the list with this object as its only item.
///
/// # Errors
/// The first error of the document, with a pointer to its place.
pub fn read<T: DeserializeOwned>(document: &Value) -> Result<T, FieldError> {
    deserialize(document).map_err(|error| with_list(error, document))
}

fn with_list(error: FieldError, document: &Value) -> FieldError {
    let item = document.pointer(&error.pointer).filter(|item| item.is_object());
    let is_one = error.detail.starts_with("an object is not a list");
    let Some(item) = item.filter(|_| is_one && !error.detail.contains("write `")) else { return error };
    let field = error.pointer.rsplit('/').find(|name| name.parse::<usize>().is_err()).unwrap_or_default();
    FieldError { detail: format!("{}; write `{field}: [{}]`", error.detail, flow(item)), ..error }
}
