//! Decoder of RESP, the protocol of Redis, versions 2 and 3. Values can be nested, so the decoder counts the values that
//! are still to come instead of calling itself.

use super::{ERROR, LEFT_OUT, LONGEST_WORD, MOST_WORDS, Message, REPLY, Unreadable, word};

/// Maximum length of a line, in bytes. Longer texts are sent with their length.
const LONGEST_LINE: usize = 1_024;
/// Commands whose arguments can contain passwords.
const SECRET: [&str; 5] = ["AUTH", "HELLO", "CONFIG", "ACL", "MIGRATE"];

/// Decoder of one direction.
#[derive(Debug)]
pub struct Redis {
    of_requests: bool,
    /// Beginning of a line whose end has not arrived.
    line: Vec<u8>,
    /// A text with a stated length whose end has not arrived.
    bulk: Option<Bulk>,
    /// Number of values that are still to come of the present message.
    pending: u64,
    /// Whether the first value of the present message has arrived.
    has_begun: bool,
    is_error: bool,
    words: Vec<String>,
}

/// A text with a stated length.
#[derive(Debug)]
struct Bulk {
    /// Number of bytes of the text.
    length: u64,
    /// Number of bytes that are still to come, including the end of the line.
    left: u64,
    /// The first bytes of the text.
    kept: Vec<u8>,
}

impl Redis {
    pub(super) const fn new(of_requests: bool) -> Self {
        Self {
            of_requests,
            line: Vec::new(),
            bulk: None,
            pending: 0,
            has_begun: false,
            is_error: false,
            words: Vec::new(),
        }
    }

    pub(super) fn read(&mut self, mut bytes: &[u8], messages: &mut Vec<Message>) -> Result<(), Unreadable> {
        while !bytes.is_empty() {
            bytes = if self.bulk.is_some() { self.read_bulk(bytes) } else { self.read_line(bytes)? };
            let is_complete = self.has_begun && self.pending == 0 && self.bulk.is_none();
            if is_complete && let Some(message) = self.message() {
                messages.push(message);
            }
        }
        Ok(())
    }

    /// Reads bytes of a text with a stated length. Returns the remaining bytes.
    fn read_bulk<'a>(&mut self, bytes: &'a [u8]) -> &'a [u8] {
        let Some(bulk) = &mut self.bulk else { return bytes };
        let count = usize::try_from(bulk.left).unwrap_or(usize::MAX).min(bytes.len());
        let (read, rest) = bytes.split_at(count);
        // One byte more than is shown, so that a longer text can be told apart.
        let room = (LONGEST_WORD + 1).min(usize::try_from(bulk.length).unwrap_or(usize::MAX)) - bulk.kept.len();
        bulk.kept.extend(read.iter().take(room));
        bulk.left -= count as u64;
        if bulk.left == 0 {
            let kept = std::mem::take(&mut bulk.kept);
            self.bulk = None;
            let shown =
                if self.is_error { String::from_utf8_lossy(&kept).into_owned() } else { word(&kept).to_owned() };
            self.value(shown);
        }
        rest
    }

    /// Reads bytes of a line. Returns the remaining bytes.
    fn read_line<'a>(&mut self, bytes: &'a [u8]) -> Result<&'a [u8], Unreadable> {
        let end = bytes.iter().position(|&byte| byte == b'\n');
        let (read, rest) = bytes.split_at(end.map_or(bytes.len(), |end| end + 1));
        if self.line.len() + read.len() > LONGEST_LINE {
            return Err(Unreadable);
        }
        self.line.extend_from_slice(read);
        if end.is_some() {
            let line = std::mem::take(&mut self.line);
            self.take_line(line.trim_ascii_end())?;
        }
        Ok(rest)
    }

    fn take_line(&mut self, line: &[u8]) -> Result<(), Unreadable> {
        let Some((&sign, rest)) = line.split_first() else {
            // Redis ignores empty lines between commands.
            return if self.has_begun { Err(Unreadable) } else { Ok(()) };
        };
        if !self.has_begun {
            self.pending = 1;
        }
        match sign {
            b'*' | b'~' | b'>' => self.values(rest, 1)?,
            b'%' => self.values(rest, 2)?,
            b'|' => {
                // Attributes precede the value that they describe.
                self.pending = self.pending.checked_add(1).ok_or(Unreadable)?;
                self.values(rest, 2)?;
            }
            b'$' | b'=' | b'!' => {
                self.is_error |= sign == b'!' && !self.has_begun;
                self.text(rest)?;
            }
            b'-' => {
                self.is_error |= !self.has_begun;
                self.value(String::from_utf8_lossy(rest).into_owned());
            }
            b'+' | b':' | b'#' | b',' | b'(' => self.value(word(rest).to_owned()),
            b'_' => self.value("nil".to_owned()),
            // A command can also be a line of words.
            _ if self.of_requests && !self.has_begun => {
                for part in line.split(u8::is_ascii_whitespace).filter(|part| !part.is_empty()) {
                    self.show(word(part).to_owned());
                }
                self.pending = 0;
            }
            _ => return Err(Unreadable),
        }
        self.has_begun = true;
        Ok(())
    }

    /// Begins a value that consists of `each` times as many values as the line states.
    fn values(&mut self, stated: &[u8], each: u64) -> Result<(), Unreadable> {
        match length(stated)? {
            None => self.value("nil".to_owned()),
            Some(count) => {
                let more = count.checked_mul(each).ok_or(Unreadable)?;
                self.pending = (self.pending - 1).checked_add(more).ok_or(Unreadable)?;
            }
        }
        Ok(())
    }

    /// Begins a text of the length that the line states.
    fn text(&mut self, stated: &[u8]) -> Result<(), Unreadable> {
        match length(stated)? {
            None => self.value("nil".to_owned()),
            Some(length) => {
                let left = length.checked_add(2).ok_or(Unreadable)?;
                self.bulk = Some(Bulk { length, left, kept: Vec::new() });
            }
        }
        Ok(())
    }

    /// Ends a value that is not composed of others.
    fn value(&mut self, shown: String) {
        self.show(shown);
        self.pending = self.pending.saturating_sub(1);
    }

    fn show(&mut self, shown: String) {
        if self.words.len() < MOST_WORDS {
            self.words.push(shown);
        } else if self.words.len() == MOST_WORDS {
            self.words.push(LEFT_OUT.to_owned());
        }
    }

    /// Takes the message that has ended. Returns none for an empty command.
    fn message(&mut self) -> Option<Message> {
        (self.has_begun, self.pending) = (false, 0);
        let is_error = std::mem::take(&mut self.is_error);
        let mut words = std::mem::take(&mut self.words);
        if !self.of_requests {
            let kind = if is_error { ERROR } else { REPLY }.to_owned();
            let text = if words.is_empty() { "empty".to_owned() } else { words.join(" ") };
            return Some(Message { kind, text });
        }
        let kind = words.first()?.to_ascii_uppercase();
        kind.clone_into(words.first_mut()?);
        if SECRET.contains(&&*kind) {
            words.truncate(1);
            words.push(LEFT_OUT.to_owned());
        }
        Some(Message { kind, text: words.join(" ") })
    }
}

/// Reads a length; none stands for a value that does not exist.
fn length(stated: &[u8]) -> Result<Option<u64>, Unreadable> {
    let stated = str::from_utf8(stated).map_err(|_| Unreadable)?;
    if stated == "-1" {
        return Ok(None);
    }
    stated.parse().map(Some).map_err(|_| Unreadable)
}
