//! Violations of the protocol by a program. The text of a violation completes a sentence that begins with the
//! program.

use std::io;
use std::time::Duration;

use interlock_machine::ledger::LedgerError;
use serde_json::Value;

use super::message::KindError;
use super::program::{LONGEST_TOLD, NoLine};
use super::said::PROTOCOL;

/// Maximum time to wait for the hello message of a program, and for each answer.
pub const PATIENCE: Duration = Duration::from_secs(10);
/// Maximum length of the name of a timer, in bytes.
pub const LONGEST_TIMER: usize = 40;
/// Maximum delay of a timer, in ms.
pub const LONGEST_TIMER_MS: u64 = 3_600_000;
/// Maximum number of effects of a step.
pub const MOST_EFFECTS: usize = 10_000;
/// Maximum number of lines of a Maelstrom program that have arrived but have not taken effect.
pub const MOST_UNHEARD: usize = 1_024;
/// Maximum number of lines that are queued for a Maelstrom program.
pub const MOST_UNREAD: usize = 4_096;
/// Maximum length of a quotation of a program's output, in bytes.
const LONGEST_QUOTE: usize = 120;

/// Violation of the protocol, after which a program gets no further input.
#[derive(Debug, thiserror::Error)]
pub enum Breach {
    #[error("has no command")]
    NoCommand,
    #[error("cannot be started: {0}")]
    Start(#[source] io::Error),
    #[error("has no process")]
    NoProcess,
    #[error("speaks version {0} of the protocol, not {PROTOCOL}")]
    Version(u32),
    #[error("said `{0}` without an input; the program must write one line for each input")]
    Unasked(String),
    #[error("cannot take {0}: the input has more than {LONGEST_TOLD} bytes")]
    Question(String),
    #[error("{}", no_answer(why, question))]
    NoAnswer { why: NoLine, question: String },
    #[error("answered {question} with a line that is not JSON: `{line}`")]
    NoJsonAnswer { question: String, line: String },
    #[error("answered {question} with `{line}`: {place}{complaint}")]
    Unreadable { question: String, line: String, place: String, complaint: String },
    #[error("answered step {0} again without an input; the program must write one line for each input")]
    Repeated(u64),
    #[error("answered step {answered} instead of {question}")]
    OtherStep { answered: u64, question: String },
    #[error("{cause} ({question})")]
    Answer {
        question: String,
        #[source]
        cause: Box<Breach>,
    },
    #[error("has more than {MOST_EFFECTS} effects in one step")]
    Effects,
    #[error("sets the timer `{0}` to more than {LONGEST_TIMER_MS} ms")]
    TimerSpan(String),
    #[error("names a timer `{0}`; a name must have 1 to {LONGEST_TIMER} bytes")]
    TimerName(String),
    #[error("reports `{report}` with a number that is too large: {implausible}")]
    Number { report: &'static str, implausible: String },
    #[error("reports an operation of a service, which only programs for Maelstrom offer")]
    Service,
    #[error("reports {what} {number}, which does not exist; there are {what}s 0 to {last}")]
    Missing { what: &'static str, number: u32, last: u32 },
    #[error("reports `{report}`, which the processes of `{algorithm}` never do")]
    Report { report: &'static str, algorithm: &'static str },
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    #[error("sends a {kind} to {to}, {whom}; there are nodes 0 to {last}")]
    Receiver { kind: String, to: u32, whom: &'static str, last: u32 },
    #[error("sends a `{kind}`, which `{algorithm}` does not have; possible: {known}")]
    UnknownKind { kind: String, algorithm: String, known: String },
    #[error(transparent)]
    Kind(#[from] KindError),
    #[error("sends a {kind} without its `lock`; there are locks 0 to {last}")]
    NoLock { kind: String, last: u32 },
    #[error("sends a {kind} of lock {lock}, which does not exist; there are locks 0 to {last}")]
    Lock { kind: String, lock: Value, last: u32 },
    #[error("cannot execute this command, because it is a program for Maelstrom")]
    Order,
    #[error("does not read its standard input: {MOST_UNREAD} messages wait for it")]
    Deaf,
    #[error("writes more than {MOST_UNHEARD} lines before it answers `{0}`")]
    Talkative(String),
    #[error(
        "did not answer `{question}` within {seconds} s; its last line is `{said}`, which is not an \
         answer", seconds = PATIENCE.as_secs()
    )]
    Evasive { question: String, said: String },
    #[error("{}", unheard(why, to))]
    Unheard { why: NoLine, to: String },
    #[error("writes a line that is not JSON: `{0}`")]
    NoJson(String),
    #[error("writes `{said}`, but the only addresses are nodes n0 to n{last} and clients c0 to c{last}")]
    Address { said: String, last: u32 },
    #[error("writes `{said}`: `{name}` is neither a node (n0) nor a client (c0), and there are no services")]
    Place { said: String, name: String },
    #[error("writes `{said}`, which is {what} and not an object")]
    NoObject { said: String, what: String },
    #[error("writes `{said}`, which has no `{key}`")]
    NoField { said: String, key: &'static str },
    #[error("writes `{said}`, whose `{key}` is {what} and not {right}")]
    Field { said: String, key: &'static str, what: String, right: String },
    #[error("writes `{said}`, whose `in_reply_to` is {number}, but its client has sent nothing after {last}")]
    EarlyReply { said: String, number: u64, last: u64 },
    #[error(
        "answered `{question}` with `{said}`, which has no `in_reply_to`; write the `msg_id` of the question, the number {number}"
    )]
    NoReply { question: String, said: String, number: u64 },
    #[error("answered `{question}` with `{said}`{}", instead(question, *is_done))]
    Reply { question: String, said: String, is_done: bool },
}

impl Breach {
    /// Adds to the breach the input to which the program responded.
    pub fn about(self, question: &str) -> Self {
        Self::Answer { question: question.to_owned(), cause: Box::new(self) }
    }

    /// Returns the breach of a program that answered `question` with an invalid `body`.
    pub fn reply(question: &str, body: &Value) -> Self {
        let is_done = body["type"].as_str().is_some_and(|kind| kind.strip_suffix("_ok") == Some(question));
        Self::Reply { question: question.to_owned(), said: quoted(&body.to_string()), is_done }
    }
}

/// Returns a quotation of a program's output, truncated to the maximum length.
pub fn quoted(said: &str) -> String {
    let end = said.floor_char_boundary(LONGEST_QUOTE);
    if end < said.len() { format!("{}…", &said[..end]) } else { said.to_owned() }
}

fn silence(question: &str) -> String {
    format!("said nothing within {} s to {question}; does it flush what it writes?", PATIENCE.as_secs())
}

fn no_answer(why: &NoLine, question: &str) -> String {
    match why {
        NoLine::TooSlow => silence(question),
        NoLine::Ended(how) => format!("{how} instead of an answer to {question}"),
        NoLine::TooLong => format!("answered {question} with a line without an end"),
        NoLine::NoText => format!("answered {question} with something that is not UTF-8"),
    }
}

fn unheard(why: &NoLine, to: &str) -> String {
    match why {
        NoLine::TooSlow => silence(to),
        NoLine::Ended(how) => format!("{how} before its node did"),
        NoLine::TooLong => "writes a line without an end".to_owned(),
        NoLine::NoText => "says something that is not UTF-8".to_owned(),
    }
}

fn instead(question: &str, is_done: bool) -> String {
    if is_done {
        format!(", whose fields are not those of `{question}_ok`")
    } else {
        format!(" instead of `{question}_ok`")
    }
}
