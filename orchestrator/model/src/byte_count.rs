//! Numbers of bytes in the form in which people write them.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;
use serde::de::{self, Deserialize, Deserializer, Visitor};
use utoipa::ToSchema;

use crate::schema::Bytes;

/// The units, each with its number of bytes. The units of the sector of networks are decimal.
const UNITS: [(&str, u64); 7] = [
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
    ("kB", 1_000),
    ("MB", 1_000_000),
    ("GB", 1_000_000_000),
    ("B", 1),
];

/// A number of bytes: a number, or a text such as `100kB`, `64KiB` or `1MB`. In JSON output, it is a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
#[schema(value_type = Bytes)]
pub struct ByteCount(pub u64);

/// The error for a text that is not a number of bytes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a {FORM}")]
pub struct ByteCountError(String);

const FORM: &str = "number of bytes; write a whole number, or `100kB`, `64KiB`, `1MB`";

impl FromStr for ByteCount {
    type Err = ByteCountError;

    fn from_str(text: &str) -> Result<Self, ByteCountError> {
        let with_unit = UNITS.iter().find_map(|(unit, bytes)| Some((text.strip_suffix(unit)?, *bytes)));
        let (number, unit) = with_unit.unwrap_or((text, 1));
        let number: Option<u64> = number.trim().parse().ok();
        let bytes = number.and_then(|number| number.checked_mul(unit));
        bytes.map(Self).ok_or_else(|| ByteCountError(text.to_owned()))
    }
}

struct Reader;

impl Visitor<'_> for Reader {
    type Value = ByteCount;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(FORM)
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<ByteCount, E> {
        Ok(ByteCount(number))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<ByteCount, E> {
        text.parse().map_err(E::custom)
    }
}

impl<'de> Deserialize<'de> for ByteCount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_of_bytes_may_have_a_unit() {
        for (written, bytes) in
            [(json!(64), 64), (json!("64"), 64), (json!("64 B"), 64), (json!("100kB"), 100_000), (json!("2KiB"), 2_048)]
        {
            assert_eq!(serde_json::from_value::<ByteCount>(written).expect("bytes"), ByteCount(bytes));
        }
        for written in [json!("kB"), json!("1.5kB"), json!("-1"), json!("99999999999GB"), json!(-1), json!(1.5)] {
            assert!(serde_json::from_value::<ByteCount>(written.clone()).is_err(), "{written}");
        }
    }
}
