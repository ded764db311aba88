//! Compact form of stored events. It is the JSON of an event without the fields that have their own columns, in
//! which one byte replaces each frequent text.
//!
//! These bytes are control characters, which a JSON text contains only in escaped form. So expanding the compact
//! form gives exactly the original JSON, byte for byte. SQL can expand the compact form as well: other programs
//! read the events through [`view`].

use std::fmt::Write;
use std::ops::Range;

use interlock_model::event::{Event, What};

/// First byte of a stored event whose JSON has a field `node`, but not directly after the field `kind`.
const APART: u8 = 31;

/// Bytes and the frequent texts that they replace, ordered by the first letter of the text, which follows `,"`. If a
/// text is a prefix of another text, the longer text comes first. A change of this table needs a new layout version,
/// since stored journals are expanded with the table.
const WORDS: [(u8, &str); 27] = [
    (6, r#","body":{"clock":"#),
    (7, r#","body":{"#),
    (14, r#","because":[{"code":""#),
    (15, r#","because":["#),
    (12, r#","due_us":"#),
    (26, r#","delay_us":"#),
    (11, r#","from":"#),
    (1, r#","incarnation":1,"step":"#),
    (2, r#","incarnation":"#),
    (23, r#","lock":"#),
    (4, r#","message":""#),
    (5, r#","message_kind":""#),
    (30, r#","node":"#),
    (17, r#","ours":{"clock":"#),
    (18, r#","process":"#),
    (29, r#","queue":["#),
    (21, r#","request":{"clock":"#),
    (22, r#","request":"#),
    (3, r#","step":"#),
    (8, r#","to":"#),
    (16, r#","theirs":{"clock":"#),
    (24, r#","timer":{"client":""#),
    (25, r#","timer":{"#),
    (19, r#","view":{"clock":"#),
    (20, r#","view":{"#),
    (27, r#","variables":{"#),
    (28, r#","waits_for":["#),
];

/// For each letter from `a` to `z`, the range of indices in [`WORDS`] whose texts begin with the letter, after `,"`.
const BY_LETTER: [Range<usize>; 26] = by_letter();

const fn by_letter() -> [Range<usize>; 26] {
    let mut ranges = [const { 0..0 }; 26];
    let mut place = 0;
    while place < WORDS.len() {
        let range = &mut ranges[(WORDS[place].1.as_bytes()[2] - b'a') as usize];
        if range.end == 0 {
            range.start = place;
        }
        range.end = place + 1;
        place += 1;
    }
    ranges
}

/// Returns the frequent text with which `text` begins, and the byte that replaces it; none if `text` begins with no
/// frequent text.
fn word_at(text: &str) -> Option<(u8, &'static str)> {
    let letter = text.as_bytes().get(2)?.checked_sub(b'a')?;
    let words = WORDS.get(BY_LETTER.get(usize::from(letter))?.clone())?;
    words.iter().find(|(_, word)| text.starts_with(word)).copied()
}

/// Returns the number that represents the kind of event `kind` in a journal; none if the kind is unknown. Each
/// journal also stores the names and numbers of all kinds.
pub(super) fn kind_number(kind: &str) -> Option<i64> {
    let place = What::KINDS.iter().position(|known| *known == kind)?;
    i64::try_from(place + 1).ok()
}

/// Returns the numbers and names of all kinds of events.
pub(super) fn kinds() -> impl Iterator<Item = (i64, &'static str)> {
    (1..).zip(What::KINDS.iter().copied())
}

/// Writes the compact form of `json`, the JSON of `event`, to `kept`. Returns false if `json` does not have the
/// usual form of events.
pub(super) fn shorten(event: &Event, json: &str, kept: &mut String) -> bool {
    let node = event.node().map(|node| node.0);
    kept.clear();
    head(kept, event.seq, event.at_us, event.kind(), node);
    // After the number of the node, a new field must begin or the object must end. Otherwise, the digits in `kept`
    // are only the beginning of a longer number.
    let whole = json.strip_prefix(&**kept).filter(|rest| rest.starts_with([',', '}']));
    kept.clear();
    let rest = if let Some(rest) = whole {
        rest
    } else {
        head(kept, event.seq, event.at_us, event.kind(), None);
        let rest = json.strip_prefix(&**kept).filter(|_| node.is_some());
        kept.clear();
        kept.push(char::from(APART));
        let Some(rest) = rest else { return false };
        rest
    };
    let (mut copied, mut place) = (0, 0);
    while place < rest.len() {
        let word = if rest.as_bytes()[place] == b',' { word_at(&rest[place..]) } else { None };
        if let Some((byte, word)) = word {
            kept.push_str(&rest[copied..place]);
            kept.push(char::from(byte));
            place += word.len();
            copied = place;
        } else {
            place += 1;
        }
    }
    kept.push_str(&rest[copied..]);
    true
}

/// Appends the beginning of an event's JSON, up to `kind` or `node`, to a text.
fn head(text: &mut String, seq: u64, at_us: u64, kind: &str, node: Option<u32>) {
    // Writing to a string does not fail.
    let _ = write!(text, r#"{{"seq":{seq},"at_us":{at_us},"kind":"{kind}""#);
    if let Some(node) = node {
        let _ = write!(text, r#","node":{node}"#);
    }
}

/// The columns of an event in a journal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kept<'a> {
    pub seq: u64,
    pub at_us: u64,
    pub kind: &'a str,
    pub node: Option<u32>,
    pub rest: &'a str,
}

impl Kept<'_> {
    /// Returns the JSON of the event.
    pub fn json(&self) -> String {
        let Self { seq, at_us, kind, node, rest } = *self;
        let apart = rest.strip_prefix(char::from(APART));
        let rest = apart.unwrap_or(rest);
        let mut json = String::with_capacity(80 + 3 * rest.len());
        head(&mut json, seq, at_us, kind, node.filter(|_| apart.is_none()));
        let mut copied = 0;
        for (place, byte) in rest.bytes().enumerate().filter(|(_, byte)| byte.is_ascii_control()) {
            // If a control character is not in the table, it is white space of a document that another program
            // wrote. It is copied.
            if let Some((_, word)) = WORDS.iter().find(|(short, _)| *short == byte) {
                json.push_str(&rest[copied..place]);
                json.push_str(word);
                copied = place + 1;
            }
        }
        json.push_str(&rest[copied..]);
        json
    }
}

/// Number of texts that one SQL expression replaces. The replacements are nested, and SQL readers from before 2024
/// do not support deeper nesting.
const WITHIN_EACH_OTHER: usize = 7;

/// Returns the SQL query of the view that shows every event as JSON.
pub(super) fn view() -> String {
    let kept = format!(
        "(SELECT seq, at_us, (SELECT name FROM kind WHERE id = kind) AS name, node,
            substr(rest, 1, 1) = char({APART}) AS apart, replace(rest, char({APART}), '') AS rest FROM kept)"
    );
    let said = WORDS.chunks(WITHIN_EACH_OTHER).fold(kept, |from, words| {
        let rest = words
            .iter()
            .fold("rest".to_owned(), |rest, (byte, word)| format!("replace({rest}, char({byte}), '{word}')"));
        format!("(SELECT seq, at_us, name, node, apart, {rest} AS rest FROM {from})")
    });
    format!(
        r#"
    CREATE VIEW event AS
    SELECT seq, at_us, name AS kind, node,
        '{{"seq":' || seq || ',"at_us":' || at_us || ',"kind":"' || name || '"'
        || iif(node IS NULL OR apart, '', ',"node":' || node) || rest AS event
    FROM {said};"#
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(event: &Event) -> (String, String) {
        let mut json = Vec::new();
        event.write_json(&mut json).expect("it can be written");
        let json = String::from_utf8(json).expect("a text");
        let mut kept = String::new();
        assert!(shorten(event, &json, &mut kept), "{json}");
        (json, kept)
    }

    fn again(event: &Event, kept: &str) -> String {
        let node = event.node().map(|node| node.0);
        Kept { seq: event.seq, at_us: event.at_us, kind: event.kind(), node, rest: kept }.json()
    }

    fn read(json: &str) -> Event {
        serde_json::from_str(json).unwrap_or_else(|error| panic!("{error}: {json}"))
    }

    #[test]
    fn what_is_kept_is_shorter_and_says_the_same() {
        let event = read(
            r#"{"seq":192,"at_us":430723,"kind":"delivered","node":2,"incarnation":1,"step":15,"message":"3.2.3","from":3,
                "message_kind":"REQUEST","because":[{"code":"deferred-younger","theirs":{"clock":23,"process":3}}]}"#,
        );
        let (json, kept) = kept(&event);
        assert_eq!(kept, "\u{1}15\u{4}3.2.3\"\u{b}3\u{5}REQUEST\"\u{e}deferred-younger\"\u{10}23\u{12}3}}]}");
        assert_eq!(again(&event, &kept), json);
    }

    #[test]
    fn whatever_somebody_says_is_said_again_letter_by_letter() {
        for detail in
            ["", ",\"step\":", "\u{1}\u{4}\u{1f}", "a,\"node\":7", ",", "\\", "čau, 世界", "\n\t\r\u{7f}\u{85}"]
        {
            for node in [0, 12] {
                let said =
                    serde_json::json!({ "seq": 1, "at_us": 2, "kind": "misbehaved", "node": node, "detail": detail });
                let event = read(&said.to_string());
                let (json, kept) = kept(&event);
                assert_eq!(again(&event, &kept), json, "{kept:?}");
            }
        }
    }

    #[test]
    fn a_node_that_is_not_named_after_the_kind_is_told_apart() {
        let event = read(r#"{"seq":1,"at_us":2,"kind":"misbehaved","node":1,"detail":"x"}"#);
        for json in [
            r#"{"seq":1,"at_us":2,"kind":"misbehaved","detail":"x","node":1}"#,
            r#"{"seq":1,"at_us":2,"kind":"misbehaved","node":12,"detail":"x"}"#,
        ] {
            let mut kept = String::new();
            assert!(shorten(&event, json, &mut kept));
            assert_eq!(again(&event, &kept), json);
        }
        assert!(!shorten(&event, r#"{"at_us":2,"seq":1}"#, &mut String::new()), "what is not an event is not kept");
    }

    #[test]
    fn the_words_are_told_apart_by_their_bytes_and_the_longer_comes_first() {
        for (place, (byte, word)) in WORDS.iter().enumerate() {
            assert!(byte.is_ascii_control() && ![0, b'\t', b'\n', b'\r', APART].contains(byte), "{byte}");
            assert!(word.starts_with(",\"") && !word.contains('\''), "{word}");
            assert_eq!(word_at(word), Some((*byte, *word)), "it is found where those of its letter are");
            let before = &WORDS[..place];
            assert!(before.iter().all(|(other, earlier)| other != byte && !word.starts_with(earlier)), "{word}");
        }
    }
}
