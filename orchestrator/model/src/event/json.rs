//! A piece of JSON that is stored and passed on without being parsed.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};
use serde_json::value::{RawValue, to_raw_value};

/// A JSON text. Clones share the text, comparison compares the text, and the text is written exactly as it was
/// read.
#[derive(Clone)]
pub struct Json(Option<Arc<RawValue>>);

impl Json {
    /// `null`, without an allocation.
    pub const NULL: Self = Self(None);

    /// Returns the JSON of a value.
    ///
    /// # Errors
    /// If the value cannot be written as JSON: for example, a map whose keys are not strings.
    pub fn of<T: Serialize + ?Sized>(value: &T) -> serde_json::Result<Self> {
        to_raw_value(value).map(|raw| Self(Some(raw.into())))
    }

    /// Returns the parsed value. If two texts differ only in white space or in the order of fields, their parsed
    /// values are equal.
    #[must_use]
    pub fn value(&self) -> serde_json::Value {
        serde_json::from_str(self.as_str()).unwrap_or_default()
    }

    /// Returns the JSON text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_ref().map_or("null", |raw| raw.get())
    }
}

/// Converts a document to a JSON value by way of its JSON text. Each type of document is then compiled for one
/// serialiser only, the one for text.
///
/// If the document cannot be written as JSON, such as a map whose keys are not strings, returns null.
#[must_use]
pub fn value_of<T: Serialize>(document: &T) -> serde_json::Value {
    Json::of(document).map_or(serde_json::Value::Null, |json| json.value())
}

impl From<&RawValue> for Json {
    fn from(raw: &RawValue) -> Self {
        Self(Some(raw.to_owned().into()))
    }
}

impl PartialEq for Json {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Json {}

impl fmt::Debug for Json {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer).map_err(ser::Error::custom)
    }
}

impl<'de> Deserialize<'de> for Json {
    // Tagged enums buffer their content, and a `RawValue` cannot be read from such a buffer. So the value is parsed
    // and written again.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = serde_json::Value::deserialize(deserializer)?;
        Self::of(&value).map_err(de::Error::custom)
    }
}
