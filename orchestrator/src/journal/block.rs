//! Blocks: rows of a journal that store many events together.
//!
//! The text of a block is a JSON text sequence (RFC 7464): each event is a record separator, the JSON of the event,
//! and a line feed. JSON never contains a record separator, so the events come back byte for byte. The text of a
//! packed block is compressed (zlib, RFC 1950), independently of all other blocks.

use std::io::Read;
use std::str;

use flate2::bufread::ZlibDecoder;
use interlock_model::event::Event;
use rusqlite::types::ValueRef;
use serde::Deserialize;

use super::Cause;
use super::damage::Damage;

/// Byte before each event.
const SEPARATOR: u8 = 0x1E;
/// Maximum number of bytes of an event. All larger inputs are rejected before they become events.
const LARGEST_EVENT: usize = 64 << 20;
/// Maximum number of bytes of the events in a block before its last event.
pub(super) const ENOUGH_BYTES: usize = 1 << 18;
/// Maximum number of bytes of a block's text.
const LARGEST_TEXT: usize = ENOUGH_BYTES + LARGEST_EVENT + 2;

/// Consecutive events that are being collected.
#[derive(Debug, Default)]
pub(super) struct Block {
    /// The events as a JSON text sequence.
    pub text: Vec<u8>,
    /// Number of events.
    pub events: u64,
    /// Kinds of the events, each once.
    pub kinds: Vec<&'static str>,
}

impl Block {
    /// Appends an event.
    pub fn push(&mut self, event: &Event) -> Result<(), Cause> {
        let seq = event.seq;
        self.text.push(SEPARATOR);
        let start = self.text.len();
        event.write_json(&mut self.text).map_err(|cause| Cause::Event { seq, cause })?;
        let bytes = self.text.len() - start;
        if bytes > LARGEST_EVENT {
            return Err(Cause::LargeEvent { seq, bytes, most: LARGEST_EVENT });
        }
        self.text.push(b'\n');
        self.add(1, &[event.kind()]);
        Ok(())
    }

    /// Moves the events of `later` to the end of this block.
    pub fn append(&mut self, later: &mut Self) {
        self.text.append(&mut later.text);
        self.add(later.events, &later.kinds);
        later.clear();
    }

    fn add(&mut self, events: u64, kinds: &[&'static str]) {
        self.events += events;
        for kind in kinds {
            if !self.kinds.contains(kind) {
                self.kinds.push(kind);
            }
        }
    }

    /// Removes all events.
    pub fn clear(&mut self) {
        self.text.clear();
        // A single large event must not occupy memory until the end of the run.
        self.text.shrink_to(2 * ENOUGH_BYTES);
        self.events = 0;
        self.kinds.clear();
    }
}

/// Numbers of the events of a stored block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    /// Number of the last event.
    pub last: u64,
    /// Number of events.
    pub events: u64,
}

impl Extent {
    /// Returns the number of the first event.
    pub fn first(self) -> Result<u64, Damage> {
        let before = self.last.checked_sub(self.events).filter(|_| self.events > 0);
        before.map(|before| before + 1).ok_or(Damage::Columns)
    }
}

/// Writes the text of a stored block to `text`. The size of the text is limited, whatever the journal contains.
/// `bytes` is the stored length of the text.
pub(super) fn unpack(bytes: u64, stored: ValueRef<'_>, text: &mut String) -> Result<(), Damage> {
    let length = usize::try_from(bytes).ok().filter(|&length| length <= LARGEST_TEXT);
    let length = length.ok_or(Damage::Large(bytes))?;
    text.clear();
    match stored {
        ValueRef::Text(loose) => text.push_str(str::from_utf8(loose).map_err(|_| Damage::Columns)?),
        ValueRef::Blob(packed) => {
            // One more byte than expected is requested. Otherwise, a longer text would not be noticed, and the
            // checksum after the text would not be checked.
            let unpacked = ZlibDecoder::new(packed).take(bytes + 1).read_to_string(text);
            unpacked.map_err(Damage::Compression)?;
        }
        _ => return Err(Damage::Columns),
    }
    if text.len() == length { Ok(()) } else { Err(Damage::Length) }
}

/// Returns the events of a block's text as JSON; an error for each place where an event is expected but the text has
/// another form.
pub(super) fn split(text: &str) -> impl Iterator<Item = Option<&str>> {
    let mut parts = text.split(char::from(SEPARATOR));
    let before = parts.next().filter(|before| !before.is_empty()).map(|_| None);
    before.into_iter().chain(parts.map(|event| event.strip_suffix('\n')))
}

/// An event with the fields at the beginning of its JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Beginning<'a> {
    pub seq: u64,
    pub at_us: u64,
    pub kind: &'a str,
    /// The JSON after the kind.
    rest: &'a str,
}

impl<'a> Beginning<'a> {
    /// Returns the beginning of an event's JSON; none if `json` does not have the form of an event.
    pub fn of(json: &'a str) -> Option<Self> {
        let (seq, rest) = number(json.strip_prefix(r#"{"seq":"#)?)?;
        let (at_us, rest) = number(rest.strip_prefix(r#","at_us":"#)?)?;
        let (kind, rest) = rest.strip_prefix(r#","kind":""#)?.split_once('"')?;
        Some(Self { seq, at_us, kind, rest })
    }

    /// Returns the node at which the event with this JSON happened, if it happened at a node.
    pub fn node(&self, json: &str) -> serde_json::Result<Option<u32>> {
        #[derive(Deserialize)]
        struct Node {
            node: Option<u32>,
        }
        match self.rest.strip_prefix(r#","node":"#).and_then(number) {
            Some((node, _)) if u32::try_from(node).is_ok() => Ok(u32::try_from(node).ok()),
            // The node is not the first field after the kind, or the event has no node.
            _ => serde_json::from_str::<Node>(json).map(|found| found.node),
        }
    }
}

/// Returns the number at the beginning of a text, and the rest of the text.
fn number(text: &str) -> Option<(u64, &str)> {
    let digits = text.bytes().position(|byte| !byte.is_ascii_digit())?;
    Some((text[..digits].parse().ok()?, &text[digits..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_of_an_event_is_read_without_its_rest() {
        let json = r#"{"seq":12,"at_us":345,"kind":"sent","node":7,"step":1}"#;
        let beginning = Beginning::of(json).expect("an event");
        assert_eq!((beginning.seq, beginning.at_us, beginning.kind), (12, 345, "sent"));
        assert_eq!(beginning.node(json).expect("a node"), Some(7));
        for (rest, node) in [
            (r#""put","resource":"r","value":1,"node":3}"#, Some(3)),
            (r#""put","value":{"node":4}}"#, None),
            (r#""ended","why":",\"node\":5"}"#, None),
            (r#""crashed","node":6}"#, Some(6)),
        ] {
            let json = format!(r#"{{"seq":1,"at_us":2,"kind":{rest}"#);
            let beginning = Beginning::of(&json).expect("an event");
            assert_eq!(beginning.node(&json).expect("an event"), node, "{json}");
        }
        for rest in [r#""put","node":-1}"#, r#""put","node":4294967296}"#, r#""put","node":7"#, r#""put""#] {
            let json = format!(r#"{{"seq":1,"at_us":2,"kind":{rest}"#);
            assert!(Beginning::of(&json).is_none_or(|beginning| beginning.node(&json).is_err()), "{json}");
        }
    }

    #[test]
    fn what_is_not_an_event_has_no_beginning() {
        for json in [
            "",
            "{}",
            r#"{"seq":1"#,
            r#"{"seq":,"at_us":2,"kind":"sent"}"#,
            r#"{"seq":-1,"at_us":2,"kind":"sent"}"#,
            r#"{"seq":99999999999999999999,"at_us":2,"kind":"sent"}"#,
            r#"{"at_us":2,"seq":1,"kind":"sent"}"#,
            r#"{"seq":1,"at_us":2,"kind":"sent"#,
        ] {
            assert_eq!(Beginning::of(json), None, "{json}");
        }
    }

    #[test]
    fn an_event_that_is_too_large_is_refused() {
        let what = interlock_model::event::What::Noted { detail: "x".repeat(LARGEST_EVENT).into() };
        let refused = Block::default().push(&Event { seq: 7, at_us: 0, what }).expect_err("it is too large");
        assert!(matches!(refused, Cause::LargeEvent { seq: 7, bytes, .. } if bytes > LARGEST_EVENT), "{refused}");
    }
}
