//! Events as journals of layout 3 store them: the JSON of an event without the fields that have their own columns,
//! in which one byte replaces each frequent text.
//!
//! These bytes are control characters, which a JSON text contains only in escaped form. So expanding the stored text
//! gives exactly the original JSON, byte for byte.

use std::fmt::Write;

/// First byte of a stored event whose JSON has a field `node`, but not directly after the field `kind`.
const APART: u8 = 31;

/// Bytes and the frequent texts that they replace.
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

/// The columns of an event in a journal of layout 3.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shortened<'a> {
    pub seq: u64,
    pub at_us: u64,
    pub kind: &'a str,
    pub node: Option<u32>,
    pub rest: &'a str,
}

impl Shortened<'_> {
    /// Returns the JSON of the event.
    pub fn json(&self) -> String {
        let Self { seq, at_us, kind, node, rest } = *self;
        let apart = rest.strip_prefix(char::from(APART));
        let rest = apart.unwrap_or(rest);
        let mut json = String::with_capacity(80 + 3 * rest.len());
        // Writing to a string does not fail.
        let _ = write!(json, r#"{{"seq":{seq},"at_us":{at_us},"kind":"{kind}""#);
        if let (Some(node), None) = (node, apart) {
            let _ = write!(json, r#","node":{node}"#);
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stored_event_is_expanded_to_its_json() {
        let rest = "\u{1}15\u{4}3.2.3\"\u{b}3\u{5}REQUEST\"\u{e}deferred-younger\"\u{10}23\u{12}3}}]}";
        let event = Shortened { seq: 192, at_us: 430_723, kind: "delivered", node: Some(2), rest };
        assert_eq!(
            event.json(),
            r#"{"seq":192,"at_us":430723,"kind":"delivered","node":2,"incarnation":1,"step":15,"message":"3.2.3","#
                .to_owned()
                + r#""from":3,"message_kind":"REQUEST","because":[{"code":"deferred-younger","#
                + r#""theirs":{"clock":23,"process":3}}]}"#
        );
    }

    #[test]
    fn white_space_and_escapes_stay_as_they_are() {
        let rest = ",\"detail\":\t\"\\u0001 \\n,\\\"step\\\":\"\r\n}";
        let event = Shortened { seq: 1, at_us: 2, kind: "noted", node: None, rest };
        assert_eq!(event.json(), format!("{{\"seq\":1,\"at_us\":2,\"kind\":\"noted\"{rest}"));
    }

    #[test]
    fn a_node_that_is_not_after_the_kind_is_not_repeated() {
        let event = Shortened { seq: 1, at_us: 2, kind: "put", node: Some(12), rest: "\u{1f},\"value\":1\u{1e}12}" };
        assert_eq!(event.json(), r#"{"seq":1,"at_us":2,"kind":"put","value":1,"node":12}"#);
    }

    #[test]
    fn the_words_differ_in_their_bytes_and_no_byte_is_white_space() {
        for (place, (byte, _)) in WORDS.iter().enumerate() {
            assert!(byte.is_ascii_control() && ![0, b'\t', b'\n', b'\r', APART].contains(byte), "{byte}");
            assert!(WORDS[..place].iter().all(|(other, _)| other != byte), "{byte}");
        }
    }
}
