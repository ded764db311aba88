//! Tests of documents that the reader accepts, and of documents that it rejects with a pointer.

use serde::Deserialize;
use serde_json::json;

use super::*;

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "lowercase")]
enum Deed {
    Stop,
    Wait { ms: u32 },
    Go(Option<Inner>),
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Inner {
    far: u8,
    #[serde(default)]
    list: Vec<i64>,
}

fn read_deed(value: &Value) -> Result<Deed, FieldError> {
    deserialize(value)
}

#[test]
fn what_is_right_is_read_and_a_whole_number_may_have_a_fraction_of_zero() {
    assert_eq!(read_deed(&json!("stop")), Ok(Deed::Stop));
    assert_eq!(read_deed(&json!({ "wait": { "ms": 5.0 } })), Ok(Deed::Wait { ms: 5 }));
    assert_eq!(read_deed(&json!({ "go": null })), Ok(Deed::Go(None)));
    let inner = Inner { far: 1, list: vec![-3, 4] };
    assert_eq!(read_deed(&json!({ "go": { "far": 1, "list": [-3.0, 4] } })), Ok(Deed::Go(Some(inner))));
}

#[test]
fn lists_in_the_place_of_objects_and_numbers_that_are_none_are_refused() {
    for wrong in [
        json!({ "go": [1] }),
        json!({ "wait": [5] }),
        json!({ "wait": { "ms": 5.5 } }),
        json!({ "wait": { "ms": -1.0 } }),
        json!({ "go": { "far": 256.0 } }),
        json!({ "go": { "far": 1e300 } }),
        json!({ "go": { "far": 1, "list": [-9_223_372_036_854_775_809.0] } }),
        json!({ "go": { "far": 1, "list": {} } }),
        json!({ "go": null, "stop": null }),
        json!(["stop"]),
    ] {
        assert!(read_deed(&wrong).is_err(), "{wrong}");
    }
    // `serde_json` accepts the first two documents, although they have lists in place of objects. This reader
    // rejects them.
    assert!(serde_json::from_value::<Deed>(json!({ "go": [1] })).is_ok());
}

#[test]
fn an_error_names_the_place_where_it_is() {
    for (wrong, place) in [
        (json!({ "wait": { "ms": "soon" } }), "/wait/ms"),
        (json!({ "wait": { "ms": 1, "m/s": 2 } }), "/wait/m~1s"),
        (json!({ "wait": {} }), "/wait/ms"),
        (json!({ "go": { "far": 1, "list": [1, 2, "3"] } }), "/go/list/2"),
        (json!({ "run": {} }), ""),
    ] {
        assert_eq!(read_deed(&wrong).expect_err("refused").pointer, place, "{wrong}");
    }
}

#[test]
fn a_field_that_is_given_twice_is_found_wherever_it_is() {
    let repeated = |text: &str| repeated_field(text.as_bytes()).map(|error| error.pointer);
    assert_eq!(repeated(r#"{"a": [{"b": 1}, {"b": 2, "c": {}, "b": 3}]}"#), Some("/a/1/b".to_owned()));
    assert_eq!(repeated(r#"{"a": [{"b": 1}, {"b": 2, "c": {}, "d": 3}], "b": {"a": 1}}"#), None);
    assert_eq!(repeated(r#"{"a": 1, "b""#), None, "syntax is judged elsewhere");
}

#[test]
fn the_line_is_that_of_the_value_or_of_what_is_around_it() {
    let text = "{\n  \"a\": 1,\n  \"b\": [\n    5,\n    6\n  ]\n}";
    let lines = ["/a", "/b", "/b/1", "/b/2", "/c"].map(|pointer| line_of(text.as_bytes(), pointer));
    assert_eq!(lines, [2, 3, 5, 3, 1]);
}
