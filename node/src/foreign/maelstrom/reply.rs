//! Which question of its client a message answers, or why nobody can tell.

use serde_json::Value;

use crate::foreign::dialogue::quoted;

/// The messages of a client that a message to it may answer.
#[derive(Clone, Copy, Debug)]
pub struct Sent<'a> {
    /// The number and the type of the message that waits for its answer.
    pub open: Option<(u64, &'a str)>,
    /// The number of the last message.
    pub last: u64,
}

/// Returns whether a message to the client answers its open question. An answer to an earlier question is late or a copy, and
/// a message without `in_reply_to` that is of another type answers nothing: both are allowed.
///
/// # Errors
/// Why no question can be found, as the end of a sentence about the program.
pub fn answers(body: &Value, sent: Sent<'_>) -> Result<bool, String> {
    let kind = kind(body)?;
    let shown = || quoted(&body.to_string());
    match (number(body)?, sent.open) {
        (Some(number), _) if number > sent.last => {
            let last = sent.last;
            Err(format!(
                "says `{}`, whose `in_reply_to` is {number}, but its client has sent nothing after {last}",
                shown()
            ))
        }
        (Some(number), open) => Ok(open.is_some_and(|(asked, _)| asked == number)),
        (None, Some((asked, name))) if kind == "error" || kind.strip_suffix("_ok") == Some(name) => Err(format!(
            "answered `{name}` with `{}`, which has no `in_reply_to`; write the `msg_id` of the question, the number {asked}",
            shown()
        )),
        (None, _) => Ok(false),
    }
}

/// The number of the message that a body answers, if it says one.
///
/// # Errors
/// When it is not a whole number, as the end of a sentence about the program.
pub fn number(body: &Value) -> Result<Option<u64>, String> {
    match body.get("in_reply_to") {
        None | Some(Value::Null) => Ok(None),
        Some(reply) => reply.as_u64().map(Some).ok_or_else(|| {
            let right = meant(reply).map_or_else(|| "a number".to_owned(), |number| format!("the number {number}"));
            let shown = quoted(&body.to_string());
            format!("says `{shown}`, whose `in_reply_to` is {} and not {right}", described(reply))
        }),
    }
}

/// The type of a message.
///
/// # Errors
/// When it has none, as the end of a sentence about the program.
pub fn kind(body: &Value) -> Result<&str, String> {
    text(body, "type", || quoted(&body.to_string()))
}

/// The text under a key; `shown` quotes the whole of it.
///
/// # Errors
/// When there is none, as the end of a sentence about the program.
pub fn text<'a>(value: &'a Value, key: &str, shown: impl Fn() -> String) -> Result<&'a str, String> {
    match value.get(key) {
        Some(Value::String(text)) => Ok(text),
        None => Err(format!("says `{}`, which has no `{key}`", shown())),
        Some(other) => Err(format!("says `{}`, whose `{key}` is {} and not a text", shown(), described(other))),
    }
}

/// What stands in the place of something else.
pub fn described(value: &Value) -> String {
    match value {
        Value::Null => "`null`".to_owned(),
        Value::Bool(truth) => format!("`{truth}`"),
        Value::Number(number) => format!("the number {number}"),
        Value::String(text) => format!("the text \"{}\"", quoted(text)),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}

/// The number that something else was meant to be.
fn meant(value: &Value) -> Option<u64> {
    match value {
        Value::String(text) => text.trim().parse().ok(),
        Value::Array(items) if items.len() == 1 => items[0].as_u64(),
        Value::Number(number) => number.as_f64().and_then(|number| format!("{number}").parse().ok()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const SENT: Sent<'_> = Sent { open: Some((3, "echo")), last: 3 };

    #[test]
    fn an_answer_names_its_question() {
        for (body, is_it) in [
            (json!({ "type": "echo_ok", "in_reply_to": 3 }), true),
            (json!({ "type": "error", "in_reply_to": 3, "code": 11 }), true),
            (json!({ "type": "echo_ok", "in_reply_to": 2 }), false),
            (json!({ "type": "gossip" }), false),
            (json!({ "type": "gossip", "in_reply_to": null }), false),
        ] {
            assert_eq!(answers(&body, SENT), Ok(is_it), "{body}");
        }
    }

    #[test]
    fn what_nobody_can_place_is_said_with_its_cause() {
        for (body, part) in [
            (json!({ "type": "echo_ok", "in_reply_to": "3" }), "is the text \"3\" and not the number 3"),
            (json!({ "type": "echo_ok", "in_reply_to": 3.0 }), "is the number 3.0 and not the number 3"),
            (json!({ "type": "echo_ok", "in_reply_to": [3] }), "is a list and not the number 3"),
            (json!({ "type": "echo_ok", "in_reply_to": {} }), "is an object and not a number"),
            (json!({ "type": "echo_ok", "in_reply_to": true }), "is `true` and not a number"),
            (json!({ "type": "echo_ok", "in_reply_to": 4 }), "is 4, but its client has sent nothing after 3"),
            (
                json!({ "type": "echo_ok" }),
                "which has no `in_reply_to`; write the `msg_id` of the question, the number 3",
            ),
            (json!({ "type": "error" }), "answered `echo` with"),
            (json!({ "in_reply_to": 3 }), "which has no `type`"),
            (json!({ "type": 5, "in_reply_to": 3 }), "whose `type` is the number 5 and not a text"),
        ] {
            let found = answers(&body, SENT).expect_err("a fault");
            assert!(found.contains(part), "{body}: {found}");
        }
    }
}
