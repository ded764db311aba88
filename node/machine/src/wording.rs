//! Conversion of serde's errors about an invalid document into words for users who do not know this program.

use std::fmt;

/// An error in a document, with data that help to correct the error.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Complaint {
    /// The error, as a lower-case phrase.
    pub detail: String,
    /// The missing or duplicate field, if the error is about such a field.
    pub field: Option<String>,
    /// The unknown name, if the error is about such a name.
    pub unknown: Option<String>,
    /// The valid names, if they can be listed.
    pub allowed: Vec<String>,
}

impl fmt::Display for Complaint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.detail)?;
        if self.allowed.is_empty() { Ok(()) } else { write!(formatter, "; possible: {}", self.allowed.join(", ")) }
    }
}

/// Converts an error of serde into plain words. The position of the error is omitted.
#[must_use]
pub fn complaint(said: &(impl fmt::Display + ?Sized)) -> Complaint {
    let said = said.to_string();
    // The position is removed here. Programs receive the position as a JSON pointer; users see line and column in
    // another message.
    let said = said.rfind(" at line ").map_or(&*said, |end| &said[..end]);
    let head = said.rsplit_once(", expected ").map_or(said, |(head, _)| head);
    if let Some(name) = quoted(said, "missing field ").or_else(|| quoted(said, "duplicate field ")) {
        return Complaint { detail: said.to_owned(), field: Some(name.to_owned()), ..Complaint::default() };
    }
    if let Some(name) = quoted(head, "unknown field ").or_else(|| quoted(said, "unknown field ")) {
        return unknown(format!("unknown field `{name}`"), name, said);
    }
    if let Some(name) = quoted(head, "unknown variant ").or_else(|| quoted(said, "unknown variant ")) {
        return unknown(format!("`{name}` is not one of the possible values"), name, said);
    }
    let wrong = ["invalid type: ", "invalid value: ", "invalid length "];
    let wrong = wrong.iter().find_map(|start| said.strip_prefix(start)?.rsplit_once(", expected "));
    let detail = match wrong {
        Some((given, wanted)) => mismatch(given, wanted),
        None if said.starts_with("data did not match any") => "the value has an unknown form".into(),
        // If the value is a number, a boolean or a list instead of a word, serde's error has no other details.
        None if said == "expected value" => "the value is not one of the possible values".into(),
        None => said.to_owned(),
    };
    Complaint { detail, ..Complaint::default() }
}

fn quoted<'a>(said: &'a str, start: &str) -> Option<&'a str> {
    said.strip_prefix(start)?.strip_prefix('`')?.split_once('`').map(|(name, _)| name)
}

/// Returns the complaint about an unknown name. In the text of serde's error, the known names follow the word
/// "expected".
fn unknown(detail: String, name: &str, said: &str) -> Complaint {
    let listed = said.rsplit_once(", expected ").map_or("", |(_, listed)| listed);
    // The unknown name may itself contain text that looks like serde's list of known names. In serde's list, all
    // names are quoted.
    let is_list = listed.starts_with('`') || listed.starts_with("one of `");
    let names = if is_list { listed } else { "" };
    let allowed = names.split('`').skip(1).step_by(2).map(str::to_owned).collect();
    Complaint { detail, unknown: Some(name.to_owned()), allowed, field: None }
}

fn mismatch(given: &str, wanted: &str) -> String {
    if wanted == "map with a single key" {
        return "it needs exactly one field".to_owned();
    }
    let (given, wanted) = (what_stands_there(given), what_is_wanted(wanted));
    let meant = meant(&given, &wanted).map(|meant| format!("; did you mean `{meant}`?")).unwrap_or_default();
    format!("{given} is not {}{meant}", with_article(&wanted))
}

/// Returns the expected kind of value, with an article if it needs one.
fn with_article(wanted: &str) -> String {
    match wanted.chars().next() {
        None | Some('`') => wanted.to_owned(),
        Some('a' | 'e' | 'i' | 'o' | 'u') => format!("an {wanted}"),
        Some(_) => format!("a {wanted}"),
    }
}

/// Returns the value that serde found, in the form in which the document contains it.
fn what_stands_there(given: &str) -> String {
    if let Some(text) = given.strip_prefix("string ") {
        return text.to_owned();
    }
    let plain = ["integer ", "floating point ", "boolean ", "character "];
    if let Some(value) = plain.iter().find_map(|kind| given.strip_prefix(kind)) {
        return value.to_owned();
    }
    match given {
        "null" | "unit value" | "Option value" => "`null`".to_owned(),
        "sequence" => "a list".to_owned(),
        "map" => "an object".to_owned(),
        length if length.chars().all(|digit| digit.is_ascii_digit()) => format!("a list of {length}"),
        _ => "the value".to_owned(),
    }
}

/// Returns the kind of value that serde expected, in words without the names of Rust types.
fn what_is_wanted(wanted: &str) -> String {
    let largest = match wanted {
        "u8" => Some(u64::from(u8::MAX)),
        "u16" => Some(u64::from(u16::MAX)),
        "u32" => Some(u64::from(u32::MAX)),
        "u64" | "usize" => Some(u64::MAX),
        _ => None,
    };
    if let Some(largest) = largest {
        return format!("whole number in 0 … {largest}");
    }
    if wanted.starts_with("a nonzero ") {
        return "whole number from 1".to_owned();
    }
    let starts = |starts: &[&str]| starts.iter().any(|start| wanted.starts_with(start));
    if starts(&["i8", "i16", "i32", "i64", "isize"]) {
        return "whole number".to_owned();
    }
    if starts(&["enum ", "string or map", "variant identifier", "unit variant"]) {
        return "word or an object with one possible field".to_owned();
    }
    if starts(&["struct", "a map", "map", "internally tagged", "adjacently tagged", "newtype struct"]) {
        return "object".to_owned();
    }
    if starts(&["a sequence", "sequence", "a tuple", "tuple", "an array"]) {
        return "list".to_owned();
    }
    match wanted {
        "a string" | "a borrowed string" | "str" | "string" | "field identifier" => "text".to_owned(),
        "f64" | "f32" => "number".to_owned(),
        "a boolean" => "truth value: `true` or `false`".to_owned(),
        "unit" | "null" => "`null`".to_owned(),
        own => own.strip_prefix("a ").or_else(|| own.strip_prefix("an ")).unwrap_or(own).to_owned(),
    }
}

/// Returns the number or boolean that the author probably meant by a text such as `"5"`, `"P1"` or `"true"`.
fn meant(given: &str, wanted: &str) -> Option<String> {
    let text = given.strip_prefix('"')?.strip_suffix('"')?;
    if wanted.starts_with("whole number") {
        return number_meant(text).map(|number| number.to_string());
    }
    let truth = wanted.starts_with("truth value") && ["true", "false"].contains(&text);
    (truth || wanted == "number" && text.parse::<f64>().is_ok()).then(|| text.to_owned())
}

/// Returns the whole number that the author probably meant by a text such as `P1`, `node 1` or `#1`: its digits
/// without the prefix.
#[must_use]
pub fn number_meant(text: &str) -> Option<u32> {
    let digits = text.trim_start_matches(|sign: char| sign.is_alphabetic() || " #_-".contains(sign));
    let is_short = text.len() - digits.len() <= "process ".len() && !text.starts_with('-');
    if is_short { digits.parse().ok() } else { None }
}

/// Returns the words for the `count` nodes or locks of a run: `lock 0`, `locks 0 … 3`, `no locks`.
#[must_use]
pub fn numbered(noun: &str, count: u32) -> String {
    match count {
        0 => format!("no {noun}s"),
        1 => format!("{noun} 0"),
        several => format!("{noun}s 0 … {}", several - 1),
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "it is only read")]
    struct Document {
        number: u32,
        #[serde(default)]
        text: String,
        #[serde(default)]
        flag: bool,
        #[serde(default)]
        list: Vec<f64>,
        choice: Option<Choice>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "snake_case")]
    #[expect(dead_code, reason = "it is only read")]
    enum Choice {
        Left,
        Right { far: i64 },
    }

    fn said(document: &str) -> String {
        let error = serde_json::from_str::<Document>(document).expect_err("nothing that can be read");
        complaint(&error).to_string()
    }

    #[test]
    fn what_is_wrong_is_said_in_plain_words() {
        let table = [
            ("{}", "missing field `number`".to_owned()),
            (r#"{"number":1,"number":2}"#, "duplicate field `number`".to_owned()),
            (r#"{"number":-1}"#, "`-1` is not a whole number in 0 … 4294967295".to_owned()),
            (r#"{"number":1.5}"#, "`1.5` is not a whole number in 0 … 4294967295".to_owned()),
            (r#"{"number":[]}"#, "a list is not a whole number in 0 … 4294967295".to_owned()),
            (r#"{"number":null}"#, "`null` is not a whole number in 0 … 4294967295".to_owned()),
            (r#"{"number":"P1"}"#, r#""P1" is not a whole number in 0 … 4294967295; did you mean `1`?"#.to_owned()),
            (r#"{"number":1,"text":5}"#, "`5` is not a text".to_owned()),
            (
                r#"{"number":1,"flag":"true"}"#,
                r#""true" is not a truth value: `true` or `false`; did you mean `true`?"#.to_owned(),
            ),
            (r#"{"number":1,"list":{}}"#, "an object is not a list".to_owned()),
            (r#"{"number":1,"list":["a"]}"#, r#""a" is not a number"#.to_owned()),
            (r#"{"number":1,"list":["2"]}"#, r#""2" is not a number; did you mean `2`?"#.to_owned()),
            (r#"{"number":1,"choice":5}"#, "the value is not one of the possible values".to_owned()),
            (r#"{"number":1,"choice":{"right":5}}"#, "`5` is not an object".to_owned()),
            (r#"{"number":1,"choice":{"right":{"far":true}}}"#, "`true` is not a whole number".to_owned()),
            (
                r#"{"number":1,"choice":"up"}"#,
                "`up` is not one of the possible values; possible: left, right".to_owned(),
            ),
            (r#"{"numb":1}"#, "unknown field `numb`; possible: number, text, flag, list, choice".to_owned()),
            ("5", "`5` is not an object".to_owned()),
        ];
        for (document, expected) in table {
            assert_eq!(said(document), expected, "{document}");
        }
    }

    #[test]
    fn a_number_that_must_not_be_zero_is_wanted_without_the_name_of_its_type() {
        let nonzero = complaint("invalid value: integer `0`, expected a nonzero usize");
        assert_eq!(nonzero.detail, "`0` is not a whole number from 1");
    }

    #[test]
    fn texts_cannot_pretend_to_be_more_than_they_are() {
        assert_eq!(said(r#"{"number":", expected u8"}"#), "\", expected u8\" is not a whole number in 0 … 4294967295");
        let complaint = complaint("unknown field `a, expected b`, there are no fields");
        assert_eq!((complaint.detail.as_str(), complaint.allowed), ("unknown field `a, expected b`", vec![]));
    }

    #[test]
    fn a_name_of_a_node_means_its_number() {
        for (text, number) in [("P1", Some(1)), ("node 12", Some(12)), ("7", Some(7)), ("-1", None), ("P", None)] {
            assert_eq!(number_meant(text), number, "{text}");
        }
        assert_eq!(number_meant("some very long name 1"), None);
    }
}
