//! Decoders: they tell in words what passes on a connection to a service whose protocol is known. A decoder reads
//! untrusted bytes as they arrive, in any division, and stores only the beginning of each word.

mod http;
mod redis;

use self::http::Http;
use self::redis::Redis;
use interlock_model::specification::ServiceProtocol;

/// Kind of a message with an answer of a service.
pub const REPLY: &str = "REPLY";
/// Kind of a message with an error that a service answers.
pub const ERROR: &str = "ERROR";
/// Sign in place of a part of a message that is secret, long or unprintable.
const LEFT_OUT: &str = "…";
/// Maximum length of a word that is shown, in bytes.
const LONGEST_WORD: usize = 24;
/// Maximum number of words of a message that are shown.
const MOST_WORDS: usize = 12;
/// Maximum number of messages that are shown of the bytes that arrive together.
const MOST_MESSAGES: usize = 4;

/// The messages that ended in the bytes of one piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// Kind of the first message: the name of a command, [`REPLY`] or [`ERROR`].
    pub kind: String,
    /// The messages in words.
    pub text: String,
}

/// One message: its kind and its words.
#[derive(Debug, PartialEq, Eq)]
struct Message {
    kind: String,
    text: String,
}

/// The bytes do not follow the protocol.
#[derive(Debug, PartialEq, Eq)]
struct Unreadable;

/// Decoder of one direction of a connection.
#[derive(Debug)]
pub enum Decoder {
    /// Protocol of Redis.
    Redis(Redis),
    /// HTTP.
    Http(Http),
    /// The bytes did not follow the protocol, so nothing more can be told.
    Lost,
}

impl Decoder {
    /// Creates a decoder of the requests to a service, or of its replies.
    pub fn new(protocol: ServiceProtocol, of_requests: bool) -> Self {
        match protocol {
            ServiceProtocol::Redis => Self::Redis(Redis::new(of_requests)),
            ServiceProtocol::Http => Self::Http(Http::new(of_requests)),
        }
    }

    /// Reads the next bytes of the direction. Returns the messages that end in them; none if no message ends.
    pub fn read(&mut self, bytes: &[u8]) -> Option<Decoded> {
        let mut messages = Vec::new();
        let read = match self {
            Self::Redis(redis) => redis.read(bytes, &mut messages),
            Self::Http(http) => http.read(bytes, &mut messages),
            Self::Lost => return None,
        };
        if read.is_err() {
            *self = Self::Lost;
        }
        let more = messages.len().saturating_sub(MOST_MESSAGES);
        let shown = messages.iter().take(MOST_MESSAGES).map(|message| &*message.text);
        let mut text = shown.collect::<Vec<_>>().join("; ");
        if more > 0 {
            text = format!("{text}; and {more} more");
        }
        let kind = messages.into_iter().next()?.kind;
        Some(Decoded { kind, text })
    }
}

/// Returns a word for display: bytes that are unprintable or too long are left out.
fn word(bytes: &[u8]) -> &str {
    let is_shown = !bytes.is_empty() && bytes.len() <= LONGEST_WORD && bytes.iter().all(u8::is_ascii_graphic);
    // Graphic ASCII characters are text.
    if is_shown { str::from_utf8(bytes).unwrap_or(LEFT_OUT) } else { LEFT_OUT }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns what a decoder tells of some bytes, read at once and byte by byte.
    fn told(protocol: ServiceProtocol, of_requests: bool, bytes: &str) -> Vec<String> {
        let mut at_once = Decoder::new(protocol, of_requests);
        let together: Vec<_> = at_once.read(bytes.as_bytes()).into_iter().collect();
        let mut piecemeal = Decoder::new(protocol, of_requests);
        let each: Vec<_> = bytes.as_bytes().chunks(1).filter_map(|byte| piecemeal.read(byte)).collect();
        let texts = |decoded: &[Decoded]| decoded.iter().map(|one| one.text.clone()).collect::<Vec<_>>().join("; ");
        assert_eq!(texts(&together), texts(&each), "the division of the bytes does not matter");
        each.into_iter().map(|Decoded { kind, text }| format!("{kind}: {text}")).collect()
    }

    #[test]
    fn commands_of_redis_are_told_in_words() {
        let told = |bytes| told(ServiceProtocol::Redis, true, bytes);
        let set = "*6\r\n$3\r\nset\r\n$4\r\nlock\r\n$32\r\n0123456789abcdef0123456789abcdef\r\n$2\r\nNX\r\n$2\r\nPX\r\n$3\r\n500\r\n";
        assert_eq!(told(set), ["SET: SET lock … NX PX 500"]);
        assert_eq!(told("PING\r\n*1\r\n$4\r\nPING\r\n"), ["PING: PING", "PING: PING"]);
        assert_eq!(told("*2\r\n$3\r\nGET\r\n$2\r\n\u{e4}\r\n"), ["GET: GET …"], "unprintable");
        assert_eq!(told("*2\r\n$3\r\nGET\r\n$0\r\n\r\n"), ["GET: GET …"], "empty");
        assert_eq!(told("*0\r\n*1\r\n$4\r\nPING\r\n"), ["PING: PING"], "an empty command is none");
        assert_eq!(told("*3\r\n$3\r\nGET\r\n"), [] as [&str; 0], "incomplete");
    }

    #[test]
    fn secrets_of_redis_are_left_out() {
        let told = |bytes: &str| told(ServiceProtocol::Redis, true, bytes);
        for command in ["AUTH", "HELLO", "CONFIG", "ACL", "MIGRATE"] {
            let secret = format!("*2\r\n${}\r\n{command}\r\n$6\r\nsesame\r\n", command.len());
            assert_eq!(told(&secret), [format!("{command}: {command} …")]);
            assert_eq!(told(&format!("{} sesame\r\n", command.to_lowercase())), [format!("{command}: {command} …")]);
        }
        assert_eq!(told("*2\r\n$3\r\nGET\r\n$6\r\nsesame\r\n"), ["GET: GET sesame"], "a key is not secret");
    }

    #[test]
    fn replies_of_redis_are_told_in_words() {
        let told = |bytes| told(ServiceProtocol::Redis, false, bytes);
        for (bytes, expected) in [
            ("+OK\r\n", "REPLY: OK"),
            ("-ERR no such key\r\n", "ERROR: ERR no such key"),
            ("!9\r\nERR no go\r\n", "ERROR: ERR no go"),
            (":12\r\n", "REPLY: 12"),
            ("$-1\r\n", "REPLY: nil"),
            ("*-1\r\n", "REPLY: nil"),
            ("_\r\n", "REPLY: nil"),
            ("#t\r\n", "REPLY: t"),
            ("$3\r\nabc\r\n", "REPLY: abc"),
            ("*2\r\n$1\r\na\r\n*1\r\n:1\r\n", "REPLY: a 1"),
            ("%1\r\n+proto\r\n:3\r\n", "REPLY: proto 3"),
            ("|1\r\n+ttl\r\n:3\r\n+OK\r\n", "REPLY: ttl 3 OK"),
            ("*0\r\n", "REPLY: empty"),
        ] {
            assert_eq!(told(bytes), [expected], "{bytes:?}");
        }
    }

    #[test]
    fn nothing_is_told_after_bytes_that_do_not_follow_the_protocol() {
        for bytes in ["?\r\n+OK\r\n", "$x\r\n+OK\r\n", "*99999999999999999999\r\n+OK\r\n", "$-7\r\n+OK\r\n"] {
            assert_eq!(told(ServiceProtocol::Redis, false, bytes), [] as [&str; 0], "{bytes:?}");
        }
        let endless = format!("+{}\r\n+OK\r\n", "a".repeat(2_000));
        assert_eq!(told(ServiceProtocol::Redis, false, &endless), [] as [&str; 0]);
        assert_eq!(told(ServiceProtocol::Http, true, "GET\r\n\r\nGET / HTTP/1.1\r\n\r\n"), [] as [&str; 0]);
        let endless = format!("GET /{} HTTP/1.1\r\n\r\n", "a".repeat(20_000));
        assert_eq!(told(ServiceProtocol::Http, true, &endless), [] as [&str; 0]);
    }

    /// A recursive decoder would overflow its stack.
    #[test]
    fn nested_and_huge_values_take_no_room() {
        let mut decoder = Decoder::new(ServiceProtocol::Redis, false);
        for _ in 0..50 {
            assert_eq!(decoder.read("*1\r\n".repeat(4_000).as_bytes()), None);
        }
        assert_eq!(decoder.read(b":1\r\n").map(|decoded| decoded.text).as_deref(), Some("1"));
        assert_eq!(decoder.read(b"$4294967296\r\n"), None);
        for _ in 0..50 {
            assert_eq!(decoder.read(&[b'a'; 16_384]), None);
        }
        let mut many = Decoder::new(ServiceProtocol::Redis, false);
        assert_eq!(many.read(b"*1000000000\r\n"), None);
        assert_eq!(many.read(":1\r\n".repeat(10_000).as_bytes()), None);
        let messages = Decoder::new(ServiceProtocol::Redis, false).read("+OK\r\n".repeat(6).as_bytes());
        assert_eq!(messages.map(|decoded| decoded.text).as_deref(), Some("OK; OK; OK; OK; and 2 more"));
    }

    #[test]
    fn requests_and_replies_of_http_are_told_without_their_bodies() {
        let post = "POST /v3/lease/grant?token=sesame HTTP/1.1\r\nContent-Length: 5\r\n\r\n{\"a\"}";
        let get = "GET /health HTTP/1.1\r\nHost: a\r\n\r\n";
        let chunked = "PUT /v3 HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n10;x=1\r\n0123456789abcdef\r\n0\r\nA: b\r\n\r\n";
        let expected = ["POST: POST /v3/lease/grant", "GET: GET /health", "PUT: PUT /v3", "GET: GET /health"];
        assert_eq!(told(ServiceProtocol::Http, true, &[post, get, chunked, get].concat()), expected);
        let ok = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
        let missing = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n";
        let none = "HTTP/1.1 204 No Content\r\n\r\n";
        let to_the_end = "HTTP/1.0 500 Oh\r\n\r\nHTTP/1.1 200 OK\r\n\r\n";
        let expected = ["REPLY: 200 OK", "ERROR: 404 Not Found", "REPLY: 204 No Content", "ERROR: 500 Oh"];
        assert_eq!(told(ServiceProtocol::Http, false, &[ok, missing, none, to_the_end].concat()), expected);
    }
}
