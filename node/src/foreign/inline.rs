//! Short texts that are `Copy`: names of timers, and reasons.

use std::fmt;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A text of at most `N` bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Inline<const N: usize> {
    bytes: [u8; N],
    length: usize,
}

impl<const N: usize> Inline<N> {
    /// Returns as much of the beginning of a text as fits.
    pub fn beginning_of(text: &str) -> Self {
        let length = text.floor_char_boundary(N);
        let mut bytes = [0; N];
        bytes[..length].copy_from_slice(&text.as_bytes()[..length]);
        Self { bytes, length }
    }

    /// Returns the text.
    pub fn text(&self) -> &str {
        // The text was truncated between two characters, so it is valid UTF-8.
        str::from_utf8(&self.bytes[..self.length]).unwrap_or_default()
    }
}

impl<const N: usize> fmt::Debug for Inline<N> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.text(), formatter)
    }
}

impl<const N: usize> Serialize for Inline<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.text())
    }
}

impl<'de, const N: usize> Deserialize<'de> for Inline<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        if text.len() > N {
            return Err(D::Error::custom(format_args!("the text is longer than {N} bytes")));
        }
        Ok(Self::beginning_of(&text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_where_a_character_ends_and_is_read_as_it_was_written() {
        assert_eq!(Inline::<4>::beginning_of("retry").text(), "retr");
        assert_eq!(Inline::<5>::beginning_of("zurück").text(), "zurü");
        assert_eq!(Inline::<4>::beginning_of("zurück").text(), "zur");
        let name = Inline::<8>::beginning_of("zurück");
        let written = serde_json::to_string(&name).expect("written");
        assert_eq!((written.as_str(), serde_json::from_str(&written).ok()), ("\"zurück\"", Some(name)));
        assert!(serde_json::from_str::<Inline<4>>("\"retry\"").is_err(), "another name would be read");
    }
}
