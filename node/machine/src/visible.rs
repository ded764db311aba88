//! Text from outside, such as names and output of programs, in a form that is safe to display.

/// Escapes the characters by which a text from outside could end a line, control a terminal, or reorder displayed
/// text.
#[must_use]
pub fn on_one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for character in text.chars() {
        if is_untrusted(character) {
            line.extend(character.escape_default());
        } else {
            line.push(character);
        }
    }
    line
}

/// Escapes the same characters as [`on_one_line`], in the notation of JSON. These characters occur only in the
/// strings of a JSON document, so the value of the document does not change.
#[must_use]
pub fn json_on_one_line(json: &str) -> String {
    let mut line = String::with_capacity(json.len());
    for character in json.chars() {
        if is_untrusted(character) {
            let mut units = [0; 2];
            let escapes = character.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}"));
            line.extend(escapes);
        } else {
            line.push(character);
        }
    }
    line
}

fn is_untrusted(character: char) -> bool {
    character.is_control() || is_separator(character) || is_directional(character)
}

const fn is_separator(character: char) -> bool {
    matches!(character, '\u{2028}' | '\u{2029}')
}

/// Whether a character is a mark, an embedding, an override or an isolate of the Unicode bidirectional algorithm
/// (UAX 9, section 2).
const fn is_directional(character: char) -> bool {
    matches!(character, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_from_outside_commands_no_terminal_and_reorders_nothing() {
        assert_eq!(on_one_line("a\u{1b}[31m\u{7}\nb"), r"a\u{1b}[31m\u{7}\nb");
        for mark in ['\u{61c}', '\u{200e}', '\u{200f}', '\u{202a}', '\u{202e}', '\u{2066}', '\u{2069}', '\u{2028}'] {
            assert_eq!(on_one_line(&format!("a{mark}b")), format!("a{}b", mark.escape_default()));
        }
        for text in ["Příliš žluťoučký kůň", "„Zwei Läufe“ – ≤ 5 µs", "\u{202f}\u{2065}"] {
            assert_eq!(on_one_line(text), text);
        }
    }

    #[test]
    fn a_json_document_stays_the_same_when_it_is_escaped() {
        let document = serde_json::json!({ "name": "a\u{202e}b\u{7f}\u{2028}c", "ž": "d" });
        let escaped = json_on_one_line(&document.to_string());
        assert_eq!(escaped, r#"{"name":"a\u202eb\u007f\u2028c","ž":"d"}"#);
        assert_eq!(serde_json::from_str::<serde_json::Value>(&escaped).expect("JSON"), document);
    }
}
