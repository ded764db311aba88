//! Values in the one-line form of YAML. Error messages show the correct form of a value in this notation.

use serde_json::Value;

/// Returns a value on one line, such as `{ node: 2, hold: 5ms }`.
pub fn flow(value: &Value) -> String {
    match value {
        Value::Object(map) if map.is_empty() => "{}".to_owned(),
        Value::Object(map) => {
            let fields: Vec<String> = map.iter().map(|(key, value)| format!("{key}: {}", flow(value))).collect();
            format!("{{ {} }}", fields.join(", "))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(flow).collect::<Vec<_>>().join(", ")),
        Value::String(text) => flow_text(text),
        other => other.to_string(),
    }
}

/// Returns a text, quoted if YAML would otherwise read it as another value.
pub fn flow_text(text: &str) -> String {
    let is_plain = |sign: char| sign.is_alphanumeric() || "_-.%/".contains(sign);
    let is_text = text.parse::<f64>().is_err() && !["true", "false", "null"].contains(&text);
    if text.starts_with(char::is_alphanumeric) && text.chars().all(is_plain) && is_text {
        text.to_owned()
    } else {
        Value::from(text).to_string()
    }
}

/// Returns the items of a list, or the words of a text such as `0,1`. Returns none for an empty list and for all
/// other values.
#[must_use]
pub fn several(value: &Value) -> Option<Vec<Value>> {
    match value {
        Value::Array(items) if !items.is_empty() => Some(items.clone()),
        Value::String(text) if text.contains(',') => {
            let word = |word: &str| word.parse::<u32>().map_or_else(|_| Value::from(word), Value::from);
            Some(text.split(',').map(|part| word(part.trim())).collect())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_value_is_written_in_the_flow_style_of_yaml() {
        for (value, text) in [
            (json!({ "node": 2, "hold": "5ms" }), "{ hold: 5ms, node: 2 }"),
            (json!({}), "{}"),
            (json!(["0,1", "left", "5", "true", ""]), r#"["0,1", left, "5", "true", ""]"#),
        ] {
            assert_eq!(flow(&value), text);
        }
    }

    #[test]
    fn several_items_stand_in_a_list_or_its_text() {
        assert_eq!(several(&json!("0, holder")), Some(vec![json!(0), json!("holder")]));
        assert_eq!(several(&json!([0, "1"])), Some(vec![json!(0), json!("1")]));
        assert_eq!([several(&json!("0")), several(&json!(0)), several(&json!([]))], [None, None, None]);
    }
}
