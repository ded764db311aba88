//! Assignment of replies to requests of a client.

use serde_json::Value;

use crate::foreign::breach::{Breach, quoted};

/// The numbers of a client's messages, to which a reply may refer.
#[derive(Clone, Copy, Debug)]
pub struct Sent<'a> {
    /// Number and type of the client's message that is not answered yet.
    pub open: Option<(u64, &'a str)>,
    /// Number of the client's last message.
    pub last: u64,
}

/// Returns whether a message to the client answers its open request. Returns false for a late or duplicated answer
/// to an earlier request. Also returns false for a message without `in_reply_to` whose type is not an answer to the
/// open request.
///
/// # Errors
/// If the message is a reply, but refers to no request of the client.
pub fn answers(body: &Value, sent: Sent<'_>) -> Result<bool, Breach> {
    let kind = kind(body)?;
    let said = || quoted(&body.to_string());
    match (number(body)?, sent.open) {
        (Some(number), _) if number > sent.last => Err(Breach::EarlyReply { said: said(), number, last: sent.last }),
        (Some(number), open) => Ok(open.is_some_and(|(asked, _)| asked == number)),
        (None, Some((number, name))) if kind == "error" || kind.strip_suffix("_ok") == Some(name) => {
            Err(Breach::NoReply { question: name.to_owned(), said: said(), number })
        }
        (None, _) => Ok(false),
    }
}

/// Returns the number of the message to which a body replies, if the body contains this number.
///
/// # Errors
/// If the number is not a whole number.
pub fn number(body: &Value) -> Result<Option<u64>, Breach> {
    match body.get("in_reply_to") {
        None | Some(Value::Null) => Ok(None),
        Some(reply) => reply.as_u64().map(Some).ok_or_else(|| {
            let right = meant(reply).map_or_else(|| "a number".to_owned(), |number| format!("the number {number}"));
            Breach::Field { said: quoted(&body.to_string()), key: "in_reply_to", what: described(reply), right }
        }),
    }
}

/// Returns the type of a message.
///
/// # Errors
/// If the message has no type.
pub fn kind(body: &Value) -> Result<&str, Breach> {
    text(body, "type", || quoted(&body.to_string()))
}

/// Returns the text under a key. `shown` returns the quotation of the whole value, for the error.
///
/// # Errors
/// If there is no text under the key.
pub fn text<'a>(value: &'a Value, key: &'static str, shown: impl Fn() -> String) -> Result<&'a str, Breach> {
    match value.get(key) {
        Some(Value::String(text)) => Ok(text),
        None => Err(Breach::NoField { said: shown(), key }),
        Some(other) => Err(Breach::Field { said: shown(), key, what: described(other), right: "a text".to_owned() }),
    }
}

/// Returns a description of a value that has the wrong type.
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

/// Returns the number that the author of the value probably meant.
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
            assert_eq!(answers(&body, SENT).ok(), Some(is_it), "{body}");
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
            let found = answers(&body, SENT).expect_err("a fault").to_string();
            assert!(found.contains(part), "{body}: {found}");
        }
    }
}
