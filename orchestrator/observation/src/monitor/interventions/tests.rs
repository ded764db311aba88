use interlock_machine::wire::TimerName;
use serde_json::{Value, json};

use super::*;
use crate::state::test_stream::{DELAY_US, TestStream};
use interlock_model::event::Change;

fn interventions(stream: &TestStream) -> Interventions {
    let mut interventions = Interventions::new(&stream.specification);
    stream.events.iter().for_each(|event| interventions.observe(event));
    interventions
}

/// After all events of the stream, returns whether a condition that began at 0 has outlasted a patience of 100 µs at
/// `now_us`.
fn outlasts(stream: &TestStream, now_us: u64) -> bool {
    interventions(stream).outlasts(0, now_us, 100)
}

fn configure(stream: &mut TestStream, subject: &str, id: &str, value: Option<Value>) {
    stream.push(What::Configured { change: Change { subject: subject.into(), id: Some(id.into()), value } });
}

fn partition(stream: &mut TestStream, groups: &Value, direction: &str) {
    configure(stream, "partition", "1", Some(json!({ "id": 1, "groups": groups, "direction": direction })));
}

fn rule(stream: &mut TestStream, fields: &Value) {
    let mut rule = json!({ "id": 1, "match": {}, "skip": 0, "count": null });
    rule.as_object_mut().expect("an object").extend(fields.as_object().expect("fields").clone());
    configure(stream, "rule", "1", Some(rule));
}

fn loss(stream: &mut TestStream, loss: f64) {
    let setting = interlock_model::network::LinkSetting { loss, ..interlock_model::network::LinkSetting::default() };
    configure(stream, "default", "", serde_json::to_value(setting).ok());
}

/// P0 sends P1 a message, and a partition drops the message.
fn keep_away(stream: &mut TestStream) {
    let message = stream.sent(0, 1, "ANY", None);
    stream.push(What::dropped(message, "ANY".into(), DropReason::Partition));
}

#[test]
fn a_retransmission_of_a_channel_makes_messages_last_longer() {
    let mut stream = TestStream::new(2);
    stream.send(0, 1, "REQUEST");
    let longest = |stream: &TestStream| {
        let interventions = interventions(stream);
        (interventions.longest_us(), interventions.longest_time_out_us())
    };
    let (once, _) = longest(&stream);
    stream.arm(0, TimerName::Channel(NodeId(1)), 700);
    assert_eq!(longest(&stream), (once + 2_100, 0));
}

/// Each of these interventions begins at 50 µs and ends at 70 µs.
#[test]
fn while_an_intervention_stands_nothing_outlasts_patience() {
    type Act = fn(&mut TestStream);
    let table: [(&str, Act, Act); 8] = [
        ("pause", |stream| stream.pause(1), |stream| stream.resume(1)),
        ("paused process crashes", |stream| stream.pause(1), |stream| _ = stream.crash(1)),
        (
            "partition",
            |stream| partition(stream, &json!([[0], [1]]), "both"),
            |stream| configure(stream, "partition", "1", None),
        ),
        (
            "one-way partition",
            |stream| partition(stream, &json!([[0], [1]]), "forward"),
            |stream| configure(stream, "partition", "1", None),
        ),
        (
            "rule that drops",
            |stream| rule(stream, &json!({ "action": "drop" })),
            |stream| configure(stream, "rule", "1", None),
        ),
        (
            "rule that holds",
            |stream| rule(stream, &json!({ "action": "hold", "match": { "from": 1 } })),
            |stream| configure(stream, "rule", "1", None),
        ),
        ("total loss", |stream| loss(stream, 1.0), |stream| loss(stream, 0.0)),
        (
            "total loss on a link",
            |stream| configure(stream, "link", "0-1", Some(json!({ "from": 0, "to": 1, "loss": 1.0 }))),
            |stream| configure(stream, "link", "0-1", None),
        ),
    ];
    for (name, begin, end) in table {
        let mut stream = TestStream::new(2);
        assert_eq!([100, 101].map(|now_us| outlasts(&stream, now_us)), [false, true], "{name}");
        begin(stream.at(50));
        keep_away(&mut stream);
        assert!(!outlasts(&stream, 1_000_000), "{name}");
        end(stream.at(70));
        assert_eq!([170, 171].map(|now_us| outlasts(&stream, now_us)), [false, true], "{name}: the count begins anew");
    }
}

#[test]
fn a_rule_that_lets_messages_arrive_is_not_an_intervention() {
    for fields in [
        json!({ "action": "delay:50" }),
        json!({ "action": "duplicate" }),
        json!({ "action": "drop", "match": { "message_kind": "TELL" } }),
    ] {
        let mut stream = TestStream::new(2);
        rule(stream.at(50), &fields);
        assert!(outlasts(&stream, 101), "{fields}");
    }
}

/// A fault between a crashed process and a live one does not excuse a wait.
#[test]
fn faults_of_a_crashed_process_are_no_intervention() {
    type Act = fn(&mut TestStream);
    let faults: [Act; 3] = [
        |stream| rule(stream, &json!({ "action": "drop", "match": { "to": 2 } })),
        |stream| rule(stream, &json!({ "action": "hold", "match": { "from": 2 } })),
        |stream| partition(stream, &json!([[2], [0, 1]]), "both"),
    ];
    for fault in faults {
        let mut stream = TestStream::new(3);
        fault(stream.at(50));
        keep_away(&mut stream);
        assert!(!outlasts(&stream, 1_000_000), "P2 lives");
        stream.at(60).crash(2);
        assert_eq!([160, 161].map(|now_us| outlasts(&stream, now_us)), [false, true]);
    }
    let mut stream = TestStream::new(3);
    stream.at(60).crash(2);
    partition(&mut stream, &json!([[0], [1]]), "both");
    keep_away(&mut stream);
    assert!(!outlasts(&stream, 1_000_000), "it separates live processes");
}

#[test]
fn a_rule_is_over_when_it_has_used_up_its_count() {
    let mut stream = TestStream::new(2);
    rule(&mut stream, &json!({ "action": "drop", "count": 2 }));
    for time in [10, 20] {
        let message = stream.at(time).send(0, 1, "ANY");
        if let Some(What::Sent { rule, .. }) = stream.events.last_mut().map(|event| &mut event.what) {
            *rule = Some(1);
        }
        stream.push(What::dropped(message, "ANY".into(), DropReason::Rule));
        assert_eq!(outlasts(&stream, 1_000_000), time == 20);
    }
    assert_eq!([120, 121].map(|now_us| outlasts(&stream, now_us)), [false, true]);
}

#[test]
fn a_message_is_held_until_it_is_taken_sent_on_or_dropped() {
    let ends: [fn(&mut TestStream, MessageId); 3] = [
        |stream, message| _ = stream.deliver(message),
        |stream, message| _ = stream.push(What::forwarded(message, "ANY".into())),
        |stream, message| _ = stream.push(What::dropped(message, "ANY".into(), DropReason::Hand)),
    ];
    for end in ends {
        let mut stream = TestStream::new(2);
        let held = [1, 2].map(|_| stream.sent(0, 1, "ANY", None));
        for message in held {
            stream.hold(message);
        }
        stream.at(10);
        end(&mut stream, held[0]);
        assert!(!outlasts(&stream, 1_000), "one is still held");
        end(&mut stream, held[1]);
        assert!(outlasts(&stream, 111));
        assert!(!outlasts(&stream, 110));
    }
}

#[test]
fn a_message_is_on_its_way_until_it_is_taken() {
    let longest = |meanwhile: fn(&mut TestStream)| {
        let mut stream = TestStream::new(3);
        let message = stream.at(5).sent(0, 1, "ANY", Some(5));
        meanwhile(&mut stream);
        stream.at(705).deliver(message);
        let interventions = interventions(&stream);
        (interventions.longest_us(), interventions.is_one_coming_to(NodeId(1), LockId(0)))
    };
    assert_eq!(longest(|_| ()), (700, false), "it waited for its receiver's turn");
    let paused = longest(|stream| {
        stream.at(300).pause(2);
        stream.at(400).resume(2);
    });
    assert_eq!(paused, (0, false), "an intervention held it up");
}

#[test]
fn the_longest_delay_is_that_of_any_message_or_copy() {
    let mut stream = TestStream::new(2);
    let first = stream.at(5).sent(0, 1, "ANY", Some(25));
    stream.sent(0, 1, "ANY", Some(15));
    assert_eq!(interventions(&stream).longest_us(), 20);
    stream.duplicate(first);
    assert_eq!(interventions(&stream).longest_us(), DELAY_US);
}

/// A round of requests and replies between two processes needs at most four messages. So the patience is divided by
/// the probability that all four messages arrive.
#[test]
fn partial_loss_stretches_patience() {
    let mut stream = TestStream::new(2);
    loss(&mut stream, 0.5);
    assert_eq!(interventions(&stream).stretched(100), 1_600);
    assert_eq!([1_600, 1_601].map(|now_us| outlasts(&stream, now_us)), [false, true]);
    rule(&mut stream, &json!({ "action": "drop", "probability": 0.5 }));
    assert_eq!(interventions(&stream).stretched(100), 25_600);
    configure(&mut stream, "link", "0-1", Some(json!({ "from": 0, "to": 1, "loss": 0.75 })));
    assert_eq!(interventions(&stream).stretched(1), 4_096);
}

fn groups(stream: &TestStream) -> Vec<Option<Vec<u32>>> {
    let interventions = interventions(stream);
    let group = |node| Some(interventions.groups().of(node)?.iter().map(|node| node.0).collect());
    NodeId::all(stream.specification.nodes).map(group).collect()
}

#[test]
fn a_group_is_those_who_hear_each_other_and_nobody_else() {
    let mut stream = TestStream::new(4);
    let all = || Some(vec![0, 1, 2, 3]);
    assert_eq!(groups(&stream), vec![all(); 4]);
    let (low, high) = (Some(vec![0, 1]), Some(vec![2, 3]));
    for direction in ["both", "forward"] {
        partition(&mut stream, &json!([[0, 1], [2, 3]]), direction);
        assert_eq!(groups(&stream), [low.clone(), low.clone(), high.clone(), high.clone()]);
        assert!(!interventions(&stream).groups().is_whole());
    }
    partition(&mut stream, &json!([[0, 1], [3]]), "both");
    assert_eq!(groups(&stream), vec![None; 4], "P2 hears two who do not hear each other");
    stream.crash(2);
    assert_eq!(groups(&stream)[..2], [low.clone(), low]);
    stream.crash(3);
    assert!(interventions(&stream).groups().is_whole(), "nobody is left on the other side");
}

#[test]
fn a_separation_is_remembered_after_it_is_healed() {
    let separated = |stream: &TestStream, seq| interventions(stream).were_separated_since(seq, NodeId(0), NodeId(1));
    let mut stream = TestStream::new(2);
    assert!(!separated(&stream, 0));
    rule(&mut stream, &json!({ "action": "drop", "match": { "from": 0, "to": 1 } }));
    assert!(separated(&stream, 1_000), "a rule that drops all separates, too");
    configure(&mut stream, "rule", "1", None);
    let healed = stream.events.len() as u64;
    assert_eq!([healed - 1, healed].map(|seq| separated(&stream, seq)), [true, false]);
    rule(&mut stream, &json!({ "action": "drop", "match": { "message_kind": "OK" } }));
    assert!(!separated(&stream, healed), "other kinds arrive");
}
