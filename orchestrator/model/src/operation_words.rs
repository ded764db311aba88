//! Operations of a service and their responses as words, for sentences.

use interlock_algorithm::{Operation, Response};

/// Returns the words for an operation, as the end of a sentence with "asks to".
#[must_use]
pub fn operation_in_words(operation: &Operation) -> String {
    match operation {
        Operation::Read { key } => format!("read key {key}"),
        Operation::Write { key, value } => format!("write {value} under key {key}"),
        Operation::CompareAndSet { key, from, to } => format!("write {to} under key {key} if {from} is there"),
        Operation::Echo { text } => format!("echo `{text}`"),
        Operation::Generate {} => "generate an ID".to_owned(),
        Operation::Broadcast { value } => format!("broadcast {value}"),
        Operation::ReadAll {} => "read all values".to_owned(),
    }
}

/// Returns the words for a response, as the object of a verb such as `receives`.
#[must_use]
pub fn response_in_words(response: &Response) -> String {
    match response {
        Response::Done {} => "that it is done".to_owned(),
        Response::Value(None) => "that nothing is there".to_owned(),
        Response::Value(Some(value)) => value.to_string(),
        Response::Text(text) => format!("`{text}`"),
        Response::Values(values) if values.len() == 1 => "1 value".to_owned(),
        Response::Values(values) => format!("{} values", values.len()),
        Response::Refused { code } => format!("that it is not done, error {code}"),
        Response::Unknown {} => "nothing in time".to_owned(),
    }
}
