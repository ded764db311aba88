//! Tests of the declarations in a scenario that describe foreign programs, whose algorithm is not in the catalogue.

use interlock_algorithm::needs::Risk;
use interlock_model::field_error::FieldError;
use interlock_model::specification::{Draft, Specification};
use serde_json::{Value, json};

use super::Scenario;

fn scenario(own: &Value, more: &Value) -> Result<Scenario, Vec<FieldError>> {
    let mut document =
        json!({ "algorithm": "own", "own": own, "nodes": [{ "command": ["a"], "count": 3 }], "seed": 1 });
    for (key, value) in more.as_object().expect("keys") {
        document[key] = value.clone();
    }
    Scenario::read(document)
}

fn specification(own: &Value, more: &Value) -> Specification {
    scenario(own, more).expect("a scenario").specification(None, true).expect("a run")
}

#[test]
fn what_is_declared_is_known_and_what_is_not_is_as_ever() {
    let own = json!({ "title": "Ours", "message_kinds": ["ASK", "TOKEN"], "token_kinds": ["TOKEN"],
        "background_kinds": ["TOKEN"], "assumes": { "fifo": true } });
    let declared = specification(&own, &json!({}));
    let known = declared.known_algorithm().expect("it is known");
    assert_eq!((known.title, known.kinds()), ("Ours", Some(&["ASK", "TOKEN"][..])));
    assert_eq!((known.token_kinds, known.background_kinds), (vec!["TOKEN"], vec!["TOKEN"]));
    assert_eq!((&*declared.name, declared.network.fifo), ("Ours", true));
    let written = serde_json::to_value(&declared).expect("written");
    assert_eq!(written["own"]["token_kinds"], json!(["TOKEN"]));
    assert_eq!(serde_json::from_value::<Specification>(written).expect("read"), declared);
    let silent = specification(&Value::Null, &json!({}));
    let known = silent.known_algorithm().expect("it is known");
    assert!(known.kinds.is_none() && known.token_kinds.is_empty() && known.background_kinds.is_empty());
    assert!(serde_json::to_value(&silent).expect("written").get("own").is_none());
}

#[test]
fn a_time_out_that_is_declared_is_warned_of_like_any_other() {
    let time_outs = json!([{ "parameter": "answer", "messages": 2, "risk": "safety" },
        { "parameter": "round", "messages": 6, "risk": "progress",
          "within": { "parameter": "answer", "times": 2, "messages": 4 } }]);
    let own = json!({ "assumes": { "time_outs": time_outs } });
    let warned = |parameters: Value| {
        let more = json!({ "network": { "delay": "500ms" }, "parameters": parameters });
        specification(&own, &more).warnings()
    };
    assert_eq!(warned(json!({ "answer": "1001ms", "round": 3_003 })), []);
    let short = warned(json!({ "answer": 1_000, "round": "10s" }));
    assert_eq!((&*short[0].parameter, short[0].risk, short.len()), ("answer", Risk::Safety, 1));
    let nested = warned(json!({ "answer": "4s", "round": "9s" }));
    assert!(nested[0].sentence.contains("longer than 9000 ms"), "twice `answer`, and 2 more: {nested:?}");
}

#[test]
fn what_contradicts_itself_is_refused_at_its_place() {
    let time_out = |parameter: &str| json!({ "parameter": parameter, "messages": 2, "risk": "safety" });
    let inner = json!({ "parameter": "answr", "times": 1, "messages": 1 });
    let mut nested = time_out("round");
    nested["within"] = inner;
    for (own, more, pointer, part) in [
        (json!({ "token_kinds": ["TOKEN"] }), json!({}), "/own/token_kinds/0", "not one of the `message_kinds`"),
        (
            json!({ "message_kinds": ["TOKEN"], "background_kinds": ["TOKN"] }),
            json!({}),
            "/own/background_kinds/0",
            "did you mean `TOKEN`?",
        ),
        (json!({ "message_kinds": ["A", "A"] }), json!({}), "/own/message_kinds/1", "twice"),
        (json!({ "message_kinds": [""] }), json!({}), "/own/message_kinds/0", "1 to 64 bytes"),
        (json!({ "assumes": { "no_los": true } }), json!({}), "/own/assumes/no_los", "did you mean `no_loss`?"),
        (
            json!({ "assumes": { "failure_detector": "perfekt" } }),
            json!({}),
            "/own/assumes/failure_detector",
            "did you mean `perfect`?",
        ),
        (json!({ "tokens": [] }), json!({}), "/own/tokens", "unknown field"),
        (json!({ "title": "" }), json!({}), "/own/title", "1 to 200"),
        (json!({ "locks": "one" }), json!({ "locks": 2 }), "/locks", "have one lock"),
        (
            json!({ "assumes": { "time_outs": [time_out("answer")] } }),
            json!({}),
            "/parameters/answer",
            "the length of the time-out",
        ),
        (
            json!({ "assumes": { "time_outs": [time_out("answer"), time_out("answer")] } }),
            json!({ "parameters": { "answer": 5 } }),
            "/own/assumes/time_outs/1",
            "twice",
        ),
        (
            json!({ "assumes": { "time_outs": [time_out("answer"), nested] } }),
            json!({ "parameters": { "answer": 5, "round": 5 } }),
            "/own/assumes/time_outs/1/within/parameter",
            "did you mean `answer`?",
        ),
        (json!({}), json!({ "parameters": { "answer": 5 } }), "/parameters/answer", "declares no time-out"),
        (json!({}), json!({ "algorithm": "lamport" }), "/own", "is in the catalogue"),
        (
            json!({ "message_kinds": ["TOKEN"] }),
            json!({ "steps": [{ "rule": { "match": { "message_kind": "TOKEM" }, "action": "drop" } }] }),
            "/steps/0/rule/match/message_kind",
            "did you mean `TOKEN`?",
        ),
        (
            json!({ "message_kinds": ["TOKEN"] }),
            json!({ "steps": [{ "wait": { "event": { "kind": "sent", "message_kind": "TOKEM" } } }] }),
            "/steps/0/wait/event/message_kind",
            "did you mean `TOKEN`?",
        ),
        (
            json!({ "message_kinds": ["TOKEN"] }),
            json!({ "steps": [{ "crash": "token" }] }),
            "/steps/0/crash/node",
            "`own` has no token",
        ),
    ] {
        let errors = scenario(&own, &more).expect_err("refused");
        assert_eq!(errors[0].pointer, pointer, "{own} {more}: {errors:?}");
        assert!(errors[0].detail.contains(part), "{own} {more}: {errors:?}");
    }
}

/// The API cannot start foreign programs. It therefore rejects declarations, which describe only foreign programs.
#[test]
fn the_api_takes_no_declaration() {
    let error = serde_json::from_value::<Draft>(json!({ "algorithm": "own", "own": {} })).expect_err("refused");
    assert!(error.to_string().contains("unknown field `own`"), "{error}");
}
