//! The text of a scenario in YAML or JSON. The text is read as a document, with the line and column of each part.

use std::collections::HashMap;

use saphyr_parser::{Event, Marker, Parser, ScalarStyle};
use serde_json::{Map, Value};

use interlock_model::field_error::{FieldError, token};

/// Maximum nesting depth of lists and maps.
const DEEPEST: usize = 64;

/// A document and the locations of its parts.
#[derive(Clone, Debug, Default)]
pub struct Written {
    /// The document.
    pub value: Value,
    /// Line and column of each part, counted from 1. The key is the JSON pointer of the part.
    places: HashMap<String, (usize, usize)>,
}

/// The reason why a text cannot be read as a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// Line and column of the error, counted from 1.
    pub place: (usize, usize),
    /// The description of the error, as a lower-case phrase.
    pub detail: String,
}

/// A list or a map whose end the reader has not reached.
enum Open {
    List(Vec<Value>),
    /// A map. If the reader has read the name of a field but not yet its value, also this name.
    Map(Map<String, Value>, Option<String>),
}

impl Written {
    /// Reads a text.
    ///
    /// # Errors
    /// Returns the first error: a syntax error, or an element that a scenario cannot contain, such as a second
    /// document or an alias.
    pub fn read(text: &str) -> Result<Self, Malformed> {
        let mut reader = Reader::default();
        for event in Parser::new_from_str(text) {
            let (event, span) = event.map_err(|error| Malformed::at(*error.marker(), error.info()).within(text))?;
            reader.take(event, span.start)?;
        }
        let value = reader.value.unwrap_or_default();
        Ok(Self { value, places: reader.places })
    }

    /// Returns the line and column, counted from 1, of the part at a pointer. If there is no such part, returns the
    /// location of its closest existing parent.
    #[must_use]
    pub fn place(&self, pointer: &str) -> (usize, usize) {
        let mut pointer = pointer;
        loop {
            if let Some(place) = self.places.get(pointer) {
                return *place;
            }
            let Some((before, _)) = pointer.rsplit_once('/') else { return (1, 1) };
            pointer = before;
        }
    }

    /// Returns an error in this document in the format that editors read: `file:line:column: …`.
    #[must_use]
    pub fn said(&self, file: &str, error: &FieldError) -> String {
        let (line, column) = self.place(&error.pointer);
        let place = if error.pointer.is_empty() { String::new() } else { format!("{}: ", error.pointer) };
        format!("{file}:{line}:{column}: {place}{}", error.clone().sentence())
    }
}

impl Malformed {
    fn at(place: Marker, detail: impl Into<String>) -> Self {
        Self { place: (place.line(), place.col() + 1), detail: detail.into() }
    }

    /// If the location of the error is after the last line, moves it to the end of the text. For a truncated text,
    /// the parser reports a location after the last line.
    fn within(mut self, text: &str) -> Self {
        let lines = text.lines().count().max(1);
        if self.place.0 > lines {
            let last = text.lines().last().unwrap_or_default();
            self.place = (lines, last.chars().count() + 1);
        }
        self
    }
}

/// Builds a document from the parts of a text.
#[derive(Default)]
struct Reader {
    open: Vec<Open>,
    value: Option<Value>,
    places: HashMap<String, (usize, usize)>,
    documents: usize,
}

impl Reader {
    fn take(&mut self, event: Event<'_>, place: Marker) -> Result<(), Malformed> {
        match event {
            Event::DocumentStart(_) => {
                self.documents += 1;
                if self.documents > 1 {
                    return Err(Malformed::at(place, "a file has only one scenario, but this begins another document"));
                }
            }
            Event::Scalar(text, style, ..) => {
                if let Some(Open::Map(map, name @ None)) = self.open.last_mut() {
                    if map.contains_key(&*text) {
                        return Err(Malformed::at(place, format!("the field `{text}` is given twice")));
                    }
                    *name = Some(text.into_owned());
                    self.note(place);
                } else {
                    self.note(place);
                    let value =
                        if style == ScalarStyle::Plain { plain(&text) } else { Value::String(text.into_owned()) };
                    self.put(value);
                }
            }
            Event::SequenceStart(..) => self.begin(Open::List(Vec::new()), place)?,
            Event::MappingStart(..) => self.begin(Open::Map(Map::new(), None), place)?,
            Event::SequenceEnd | Event::MappingEnd => match self.open.pop() {
                Some(Open::List(items)) => self.put(items.into()),
                Some(Open::Map(map, _)) => self.put(map.into()),
                None => {}
            },
            Event::Alias(_) => {
                return Err(Malformed::at(place, "aliases are not possible here; write the value itself"));
            }
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => {}
        }
        Ok(())
    }

    fn begin(&mut self, what: Open, place: Marker) -> Result<(), Malformed> {
        if self.open.len() >= DEEPEST {
            return Err(Malformed::at(place, format!("more than {DEEPEST} lists and fields are nested")));
        }
        if let Some(Open::Map(_, None)) = self.open.last() {
            return Err(Malformed::at(place, "expected the name of a field, not a list or fields"));
        }
        self.note(place);
        self.open.push(what);
        Ok(())
    }

    /// Stores the location of a part. The location of a field is the location of its name.
    fn note(&mut self, place: Marker) {
        let mut pointer = String::new();
        for open in &self.open {
            match open {
                Open::List(items) => pointer += &token(&items.len().to_string()),
                Open::Map(_, Some(name)) => pointer += &token(name),
                Open::Map(_, None) => {}
            }
        }
        self.places.entry(pointer).or_insert((place.line(), place.col() + 1));
    }

    fn put(&mut self, value: Value) {
        match self.open.last_mut() {
            Some(Open::List(items)) => items.push(value),
            Some(Open::Map(map, name)) => {
                if let Some(name) = name.take() {
                    map.insert(name, value);
                }
            }
            None => self.value = Some(value),
        }
    }
}

/// Returns the value of text without quotes: null, a boolean, a number in JSON syntax, or else the text itself.
fn plain(text: &str) -> Value {
    match text {
        "" | "~" | "null" => Value::Null,
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        _ => serde_json::from_str(text).ok().filter(Value::is_number).unwrap_or_else(|| Value::String(text.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use interlock_model::choice::forms::{self, FORMS};
    use interlock_model::flow::flow;
    use serde_json::json;

    use super::*;

    #[test]
    fn yaml_and_json_are_the_same_document() {
        let yaml = "algorithm: lamport\nnetwork: { delay: uniform:1ms..5ms, loss: 1% }\nsteps:\n  - wait: { entries: 50 }\n  \
                    - heal: all\nname: \"50\"\n";
        let json = r#"{"algorithm":"lamport","network":{"delay":"uniform:1ms..5ms","loss":"1%"},
            "steps":[{"wait":{"entries":50}},{"heal":"all"}],"name":"50"}"#;
        let expected = json!({ "algorithm": "lamport", "network": { "delay": "uniform:1ms..5ms", "loss": "1%" },
            "steps": [{ "wait": { "entries": 50 } }, { "heal": "all" }], "name": "50" });
        for text in [yaml, json] {
            assert_eq!(Written::read(text).expect("a document").value, expected, "{text}");
        }
    }

    #[test]
    fn the_flow_style_of_a_value_reads_as_that_value() {
        for value in [json!({ "node": 2, "hold": "5ms" }), json!({}), json!(["0,1", "left", "5", "true", ""])] {
            assert_eq!(Written::read(&flow(&value)).expect("YAML").value, value);
        }
    }

    #[test]
    fn each_form_of_a_choice_can_be_read() {
        for (verb, form) in FORMS {
            let written = Written::read(form).unwrap_or_else(|error| panic!("{form}: {error:?}"));
            assert!(written.value.get(verb).is_some(), "{form}");
            forms::read(&written.value, None).unwrap_or_else(|error| panic!("{form}: {error:?}"));
        }
    }

    #[test]
    fn each_part_knows_its_line_and_column() {
        let text = "algorithm: lamport\nsteps:\n  - wait: { entries: 50 }\n  - crash: { node: 7 }\n";
        let written = Written::read(text).expect("a document");
        for (pointer, place) in [
            ("/algorithm", (1, 1)),
            ("/steps", (2, 1)),
            ("/steps/0", (3, 5)),
            ("/steps/0/wait/entries", (3, 13)),
            ("/steps/1/crash/node", (4, 14)),
            ("/steps/1/crash/node/below", (4, 14)),
            ("/nowhere", (1, 1)),
        ] {
            assert_eq!(written.place(pointer), place, "{pointer}");
        }
    }

    #[test]
    fn what_is_no_document_is_told_with_its_place() {
        let deep = "[".repeat(70);
        for (text, place, part) in [
            ("a: [1, 2", (1, 9), ""),
            ("a: 1\na: 2\n", (2, 1), "given twice"),
            ("a: &x 1\nb: *x\n", (2, 4), "alias"),
            ("a: 1\n---\nb: 2\n", (2, 1), "another document"),
            ("? [1]\n: 2\n", (1, 3), "name of a field"),
            (&deep, (1, 65), "are nested"),
        ] {
            let malformed = Written::read(text).expect_err(text);
            assert!(malformed.detail.contains(part), "{text}: {malformed:?}");
            assert_eq!(malformed.place, place, "{text}: {malformed:?}");
        }
        assert_eq!(Written::read("").expect("nothing").value, Value::Null);
    }
}
