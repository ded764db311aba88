//! Tests of bystanders. An intervention counts only if it has an effect, and only for the processes that it affects.

use interlock_machine::wire::TimerName;
use serde_json::{Value, json};

use super::*;
use crate::state::test_stream::TestStream;
use interlock_model::event::{Change, Json, StepId};
use interlock_model::specification::Planned;

fn interventions(stream: &TestStream) -> Interventions {
    let mut interventions = Interventions::new(&stream.specification);
    stream.events.iter().for_each(|event| interventions.observe(event));
    interventions
}

fn stand(stream: &TestStream) -> bool {
    interventions(stream).stand_at(1_000)
}

fn configure(stream: &mut TestStream, subject: &str, id: &str, value: Value) {
    let value = Some(value).filter(|value| !value.is_null());
    stream.push(What::Configured { change: Change { subject: subject.into(), id: Some(id.into()), value } });
}

fn partition(stream: &mut TestStream, groups: &Value) {
    configure(stream, "partition", "1", json!({ "id": 1, "groups": groups, "direction": "both" }));
}

fn drop_by(stream: &mut TestStream, why: DropReason) {
    let message = stream.sent(0, 2, "ANY", None);
    stream.push(What::dropped(message, "ANY".into(), why));
}

/// Returns a stream of three processes that have taken their first step and have nothing else to do.
fn begun() -> TestStream {
    let mut stream = TestStream::new(3);
    for node in 0..3 {
        let at = StepId { node: NodeId(node), incarnation: 1, step: 0 };
        stream.push(What::Initialized { at, stored: None, because: Vec::new(), view: None });
    }
    stream
}

#[test]
fn a_fault_that_has_kept_nothing_away_is_not_an_intervention() {
    for why in [DropReason::Partition, DropReason::Rule, DropReason::Loss, DropReason::Crashed, DropReason::Full] {
        let mut stream = TestStream::new(3);
        partition(&mut stream, &json!([[0, 1], [2]]));
        assert!(!stand(&stream));
        drop_by(&mut stream, why);
        let is_kept = !matches!(why, DropReason::Crashed | DropReason::Full);
        assert_eq!(stand(&stream), is_kept, "{why:?}");
        configure(&mut stream, "partition", "1", Value::Null);
        assert!(!stand(&stream));
        partition(&mut stream, &json!([[0, 1], [2]]));
        assert!(!stand(&stream), "the next one has kept nothing away");
    }
}

#[test]
fn a_pause_keeps_what_the_process_would_take_up() {
    let paused = |before: fn(&mut TestStream), after: fn(&mut TestStream)| {
        let mut stream = begun();
        before(&mut stream);
        stream.pause(2);
        after(&mut stream);
        stand(&stream)
    };
    let nothing: fn(&mut TestStream) = |_| ();
    let sends: fn(&mut TestStream) = |stream| _ = stream.send(0, 2, "ANY");
    assert!(!paused(nothing, nothing));
    assert!(paused(sends, nothing), "a message is on its way to it");
    assert!(paused(nothing, sends));
    assert!(!paused(nothing, |stream| _ = stream.send(0, 1, "ANY")), "it is for another one");
    let taken: fn(&mut TestStream) = |stream| {
        let message = stream.send(0, 2, "ANY");
        stream.deliver(message);
    };
    assert!(!paused(taken, nothing));
    let lost: fn(&mut TestStream) = |stream| {
        let message = stream.send(0, 2, "ANY");
        stream.lose(message);
    };
    assert!(!paused(nothing, lost));
    assert!(paused(|stream| _ = stream.request(2), nothing), "it has asked for a lock");
    let timer: fn(&mut TestStream) = |stream| {
        stream.arm(2, TimerName::Algorithm(Json::of(&"ping").expect("JSON")), 5);
    };
    assert!(paused(timer, nothing), "it has set a timer");
    let mut stream = TestStream::new(3);
    stream.pause(2);
    assert!(stand(&stream), "it has not begun");
}

/// Returns two values: whether an intervention is in force for any process, and whether one is in force for P0 and P1.
fn among(stream: &TestStream) -> [bool; 2] {
    let interventions = interventions(stream);
    [interventions.stand_among(1_000, &|_| true), interventions.stand_among(1_000, &|node| node != NodeId(2))]
}

#[test]
fn what_is_kept_from_a_process_concerns_only_sets_with_it() {
    type Act = fn(&mut TestStream, bool);
    let table: [(&str, Act); 6] = [
        ("pause", |stream, is_of_p2| stream.pause(1 + u32::from(is_of_p2))),
        ("hold", |stream, is_of_p2| {
            let message = stream.sent(0, 1 + u32::from(is_of_p2), "ANY", None);
            stream.hold(message);
        }),
        ("partition", |stream, is_of_p2| {
            partition(stream, &if is_of_p2 { json!([[0, 1], [2]]) } else { json!([[0, 2], [1]]) });
        }),
        ("rule", |stream, is_of_p2| {
            let matches = json!({ "from": 0, "to": 1 + u32::from(is_of_p2) });
            configure(
                stream,
                "rule",
                "1",
                json!({ "id": 1, "match": matches, "action": "drop", "skip": 0, "count": null }),
            );
        }),
        ("loss on a link", |stream, is_of_p2| {
            let to = 1 + u32::from(is_of_p2);
            configure(stream, "link", &format!("0-{to}"), json!({ "from": 0, "to": to, "loss": 1.0 }));
        }),
        ("restart", |stream, is_of_p2| {
            let node = 1 + u32::from(is_of_p2);
            let acts = json!({ "acts": [{ "kind": "restart", "node": node, "from_us": 0 }] });
            stream.specification.planned = serde_json::from_value::<Planned>(acts).expect("a plan");
            stream.crash(node);
        }),
    ];
    for (name, act) in table {
        for is_of_p2 in [false, true] {
            let mut stream = TestStream::new(3);
            act(&mut stream, is_of_p2);
            drop_by(&mut stream, DropReason::Partition);
            assert_eq!(among(&stream), [true, !is_of_p2], "{name} of P{}", 1 + u32::from(is_of_p2));
        }
    }
    let mut stream = TestStream::new(3);
    let all = interlock_model::network::LinkSetting { loss: 1.0, ..interlock_model::network::LinkSetting::default() };
    configure(&mut stream, "default", "", serde_json::to_value(all).expect("JSON"));
    drop_by(&mut stream, DropReason::Loss);
    assert_eq!(among(&stream), [true; 2], "loss on all links");
}

#[test]
fn loss_on_a_link_of_a_process_stretches_patience_only_for_sets_with_it() {
    let mut stream = TestStream::new(3);
    configure(&mut stream, "link", "0-2", json!({ "from": 0, "to": 2, "loss": 0.5 }));
    let interventions = interventions(&stream);
    assert_eq!(interventions.stretched(10), 640);
    assert_eq!(interventions.stretched_among(10, &|node| node != NodeId(2)), 10);
    assert_eq!(interventions.stretched_among(10, &|node| node != NodeId(1)), 640);
}

#[test]
fn only_a_change_of_the_links_that_are_cut_separates_anew() {
    let mut stream = TestStream::new(3);
    partition(&mut stream, &json!([[0, 1], [2]]));
    let cut = stream.events.len() as u64;
    configure(&mut stream, "link", "0-1", json!({ "from": 0, "to": 1, "delay": "const:5" }));
    configure(
        &mut stream,
        "rule",
        "7",
        json!({ "id": 7, "match": {}, "action": "duplicate", "skip": 0, "count": null }),
    );
    assert_eq!(interventions(&stream).separated(), cut);
    configure(&mut stream, "link", "0-1", json!({ "from": 0, "to": 1, "loss": 1.0 }));
    assert_eq!(interventions(&stream).separated(), cut + 3);
    configure(&mut stream, "partition", "1", Value::Null);
    assert_eq!(interventions(&stream).separated(), cut + 4);
}

#[test]
fn a_rule_that_holds_by_chance_stands_and_one_that_drops_by_chance_does_not() {
    for (action, stands) in [("hold", true), ("drop", false)] {
        let mut stream = TestStream::new(3);
        let rule = json!({ "id": 1, "match": {}, "action": action, "probability": 0.5, "skip": 0, "count": null });
        configure(&mut stream, "rule", "1", rule);
        drop_by(&mut stream, DropReason::Rule);
        assert_eq!(stand(&stream), stands, "{action}");
    }
}
