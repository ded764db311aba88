//! What serde says is wrong with a document, with the place where it is.

use serde_path_to_error::{Path as Place, Segment};

use super::FieldError;

impl FieldError {
    /// What is wrong with a document that could not be read.
    #[must_use]
    pub fn reading(error: &serde_path_to_error::Error<serde_json::Error>) -> Self {
        let mut found = Self::said(error.inner());
        found.pointer = pointer(error.path()) + &found.pointer;
        found
    }

    /// What serde says, without a place unless its sentence names a field that is missing or given twice.
    #[must_use]
    pub fn said(error: &serde_json::Error) -> Self {
        let said = error.to_string();
        // The place is told by the pointer, for programs; line and column are for people with an editor.
        let detail = said.rfind(" at line ").map_or(&*said, |end| &said[..end]);
        let pointer = missing_or_repeated(detail).map(token).unwrap_or_default();
        Self { pointer, detail: detail.to_owned(), allowed: expected(detail) }
    }
}

/// A place as a JSON pointer (RFC 6901).
fn pointer(place: &Place) -> String {
    let segment = |segment: &Segment| match segment {
        Segment::Seq { index } => format!("/{index}"),
        Segment::Map { key } => token(key),
        Segment::Enum { variant } => token(variant),
        Segment::Unknown => String::new(),
    };
    place.iter().map(segment).collect()
}

/// A name as a part of a JSON pointer.
#[must_use]
pub fn token(name: &str) -> String {
    format!("/{}", name.replace('~', "~0").replace('/', "~1"))
}

/// The field that is missing or given twice: serde names it only in its sentence.
fn missing_or_repeated(detail: &str) -> Option<&str> {
    let named = detail.strip_prefix("missing field `").or_else(|| detail.strip_prefix("duplicate field `"));
    named?.strip_suffix('`')
}

/// The names that serde lists after "expected", if it lists names.
fn expected(detail: &str) -> Vec<String> {
    let unknown = detail.starts_with("unknown field") || detail.starts_with("unknown variant");
    let listed = detail.rsplit_once(", expected ").filter(|_| unknown).map_or("", |(_, listed)| listed);
    listed.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}
