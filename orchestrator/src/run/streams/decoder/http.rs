//! Decoder of HTTP/1.1. It reads the heads of requests and replies, and skips their bodies.

use httparse::{EMPTY_HEADER, Header, Request, Response, Status};

use super::{ERROR, LEFT_OUT, Message, REPLY, Unreadable};

/// Maximum length of a head, in bytes.
const LONGEST_HEAD: usize = 16 * 1024;
/// Maximum number of header fields.
const MOST_HEADERS: usize = 64;
/// Maximum length of a path that is shown, in bytes.
const LONGEST_PATH: usize = 60;

/// Decoder of one direction.
#[derive(Debug)]
pub struct Http {
    of_requests: bool,
    /// Beginning of a head, or of a line between chunks, whose end has not arrived.
    begun: Vec<u8>,
    body: Body,
}

/// The part of a message that comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Body {
    /// A head.
    Head,
    /// This many bytes of a body.
    Bytes(u64),
    /// The line with the length of a chunk.
    Chunk,
    /// This many bytes of a chunk, including the end of its line.
    ChunkBytes(u64),
    /// The lines after the last chunk, up to an empty line.
    Trailer,
    /// A body that lasts until the connection ends.
    Endless,
}

impl Http {
    pub(super) const fn new(of_requests: bool) -> Self {
        Self { of_requests, begun: Vec::new(), body: Body::Head }
    }

    pub(super) fn read(&mut self, mut bytes: &[u8], messages: &mut Vec<Message>) -> Result<(), Unreadable> {
        while !bytes.is_empty() {
            bytes = match self.body {
                Body::Head => self.read_head(bytes, messages)?,
                Body::Bytes(left) => self.skip(bytes, left, Body::Bytes, Body::Head),
                Body::ChunkBytes(left) => self.skip(bytes, left, Body::ChunkBytes, Body::Chunk),
                Body::Chunk | Body::Trailer => self.read_line(bytes)?,
                Body::Endless => return Ok(()),
            };
        }
        Ok(())
    }

    fn skip<'a>(&mut self, bytes: &'a [u8], left: u64, more: fn(u64) -> Body, then: Body) -> &'a [u8] {
        let count = usize::try_from(left).unwrap_or(usize::MAX).min(bytes.len());
        let left = left - count as u64;
        self.body = if left == 0 { then } else { more(left) };
        &bytes[count..]
    }

    /// Reads a line between chunks, or after them.
    fn read_line<'a>(&mut self, bytes: &'a [u8]) -> Result<&'a [u8], Unreadable> {
        let (has_ended, rest) = self.begin(bytes)?;
        if !has_ended {
            return Ok(rest);
        }
        let line = std::mem::take(&mut self.begun);
        self.body = match self.body {
            Body::Trailer if line.trim_ascii().is_empty() => Body::Head,
            Body::Trailer => Body::Trailer,
            _ => match httparse::parse_chunk_size(&line) {
                Ok(Status::Complete((_, 0))) => Body::Trailer,
                Ok(Status::Complete((_, length))) => Body::ChunkBytes(length.checked_add(2).ok_or(Unreadable)?),
                _ => return Err(Unreadable),
            },
        };
        Ok(rest)
    }

    /// Reads a line of a head, and the head if it ends there.
    fn read_head<'a>(&mut self, bytes: &'a [u8], messages: &mut Vec<Message>) -> Result<&'a [u8], Unreadable> {
        let (has_ended, rest) = self.begin(bytes)?;
        if has_ended && (self.begun.ends_with(b"\n\r\n") || self.begun.ends_with(b"\n\n")) {
            let head = std::mem::take(&mut self.begun);
            let (message, body) = if self.of_requests { request(&head)? } else { reply(&head)? };
            self.body = body;
            messages.extend(message);
        }
        Ok(rest)
    }

    /// Reads up to the end of a line. Returns whether the line has ended, and the remaining bytes.
    fn begin<'a>(&mut self, bytes: &'a [u8]) -> Result<(bool, &'a [u8]), Unreadable> {
        let end = bytes.iter().position(|&byte| byte == b'\n');
        let (read, rest) = bytes.split_at(end.map_or(bytes.len(), |end| end + 1));
        if self.begun.len() + read.len() > LONGEST_HEAD {
            return Err(Unreadable);
        }
        self.begun.extend_from_slice(read);
        Ok((end.is_some(), rest))
    }
}

fn request(head: &[u8]) -> Result<(Option<Message>, Body), Unreadable> {
    let mut headers = [EMPTY_HEADER; MOST_HEADERS];
    let mut request = Request::new(&mut headers);
    let Ok(Status::Complete(_)) = request.parse(head) else { return Err(Unreadable) };
    let method = request.method.ok_or(Unreadable)?;
    // A query can contain secrets.
    let path = request.path.and_then(|path| path.split('?').next()).unwrap_or_default();
    let path = if path.len() > LONGEST_PATH { LEFT_OUT } else { path };
    let message = Message { kind: method.to_owned(), text: format!("{method} {path}") };
    Ok((Some(message), body(request.headers)?.unwrap_or(Body::Head)))
}

fn reply(head: &[u8]) -> Result<(Option<Message>, Body), Unreadable> {
    let mut headers = [EMPTY_HEADER; MOST_HEADERS];
    let mut response = Response::new(&mut headers);
    let Ok(Status::Complete(_)) = response.parse(head) else { return Err(Unreadable) };
    let status = response.code.ok_or(Unreadable)?;
    let kind = if status < 400 { REPLY } else { ERROR }.to_owned();
    let text = format!("{status} {}", response.reason.unwrap_or_default()).trim_end().to_owned();
    let has_none = matches!(status, 100..200 | 204 | 304);
    let body = if has_none { Body::Head } else { body(response.headers)?.unwrap_or(Body::Endless) };
    // An interim reply announces the reply.
    let message = (status >= 200).then_some(Message { kind, text });
    Ok((message, body))
}

/// Returns the body that the header fields announce; none if they announce none.
fn body(headers: &[Header<'_>]) -> Result<Option<Body>, Unreadable> {
    let of = |name: &str| headers.iter().find(|header| header.name.eq_ignore_ascii_case(name));
    if of("transfer-encoding").is_some() {
        return Ok(Some(Body::Chunk));
    }
    let Some(stated) = of("content-length") else { return Ok(None) };
    let stated = str::from_utf8(stated.value).map_err(|_| Unreadable)?;
    let length = stated.trim().parse().map_err(|_| Unreadable)?;
    Ok(Some(if length == 0 { Body::Head } else { Body::Bytes(length) }))
}
