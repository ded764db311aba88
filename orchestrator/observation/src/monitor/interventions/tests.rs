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

#[test]
fn cut_links_are_remembered_until_they_have_changed_too_often() {
    let apart = json!([[0, 1, 2], [3]]);
    let changed = |times: u64| {
        let mut stream = TestStream::new(4);
        let begun = stream.events.len() as u64;
        for _ in 0..times {
            partition(&mut stream, &apart, "both");
            configure(&mut stream, "partition", "1", None);
        }
        let separated = |seq| interventions(&stream).were_separated_since(seq, NodeId(0), NodeId(1));
        (separated(begun), separated(begun + 2))
    };
    assert_eq!(changed(64), (false, false), "P0 and P1 were always in one group");
    assert_eq!(changed(65), (true, false), "the first change is forgotten");
    assert_eq!(changed(66), (true, true), "so is the second");
}

#[test]
fn links_were_cut_since_an_event_if_a_cut_has_ended_after_it() {
    let mut stream = TestStream::new(2);
    let were_cut = |stream: &TestStream, seq| interventions(stream).were_links_cut_since(seq);
    partition(&mut stream, &json!([[0], [1]]), "both");
    assert!(!were_cut(&stream, 0), "no link was cut before the partition");
    assert_eq!(interventions(&stream).separated(), 3);
    configure(&mut stream, "partition", "1", None);
    assert_eq!([0, 3, 4, 5].map(|seq| were_cut(&stream, seq)), [true, true, false, false]);
    assert_eq!(interventions(&stream).separated(), 4);
}

#[test]
fn total_loss_is_not_partial_loss() {
    let mut stream = TestStream::new(2);
    loss(&mut stream, 0.5);
    for (fault, fields) in [
        ("link", json!({ "from": 0, "to": 1, "loss": 1.0 })),
        ("rule", json!({ "id": 0, "match": { "message_kind": "OK" }, "skip": 0, "count": null, "action": "drop" })),
        ("rule", json!({ "id": 0, "match": {}, "skip": 0, "count": null, "action": "hold", "probability": 0.5 })),
    ] {
        configure(&mut stream, fault, "0-1", Some(fields));
        assert_eq!(interventions(&stream).stretched(100), 1_600, "{fault}");
    }
}

#[test]
fn a_process_reaches_itself_and_all_from_which_it_is_not_separated() {
    let mut stream = TestStream::new(3);
    let in_reach = |stream: &TestStream| interventions(stream).groups().in_reach(NodeId(0), &[0, 1, 2].map(NodeId));
    assert_eq!(in_reach(&stream), 3);
    partition(&mut stream, &json!([[0], [1]]), "both");
    assert_eq!(in_reach(&stream), 2);
    loss(&mut stream, 1.0);
    assert_eq!(in_reach(&stream), 1);
}

#[test]
fn too_many_nodes_are_in_no_group_once_a_link_is_cut() {
    let mut stream = TestStream::new(2);
    stream.specification.nodes = 2_049;
    let are_one = |stream: &TestStream| interventions(stream).groups().are_one(NodeId(0), NodeId(1));
    assert!(are_one(&stream));
    partition(&mut stream, &json!([[2], [3]]), "both");
    assert!(!are_one(&stream));
}

#[test]
fn each_event_of_an_intervention_counts_as_a_change_and_no_other_event_does() {
    type Act = fn(&mut TestStream, MessageId);
    let changes: [(&str, Act); 9] = [
        ("held", |stream, message| stream.hold(message)),
        ("forwarded", |stream, message| _ = stream.push(What::forwarded(message, "ANY".into()))),
        ("paused", |stream, _| stream.pause(1)),
        ("resumed", |stream, _| stream.resume(1)),
        ("crashed", |stream, _| _ = stream.crash(1)),
        ("started", |stream, _| stream.start(1)),
        ("configured", |stream, _| partition(stream, &json!([[0], [1]]), "both")),
        ("healed", |stream, _| configure(stream, "partition", "1", None)),
        ("dropped by hand", |stream, message| _ = stream.push(What::dropped(message, "ANY".into(), DropReason::Hand))),
    ];
    let mut stream = TestStream::new(2);
    let message = stream.sent(0, 1, "ANY", None);
    let mut before = interventions(&stream).changes();
    for (name, act) in changes {
        act(&mut stream, message);
        let after = interventions(&stream).changes();
        assert!(after > before, "{name}");
        before = after;
    }
    let other = stream.send(0, 1, "ANY");
    stream.deliver(other);
    stream.request(0);
    assert_eq!(interventions(&stream).changes(), before);
}

#[test]
fn a_run_is_disturbed_by_a_message_that_is_dropped_by_hand_and_not_by_a_pause() {
    let mut stream = TestStream::new(2);
    let begun = interventions(&stream).changes();
    let disturbed = |stream: &TestStream, changes| interventions(stream).was_disturbed_since(changes);
    assert!(!disturbed(&stream, begun));
    stream.pause(1);
    stream.resume(1);
    assert!(!disturbed(&stream, begun));
    let message = stream.send(0, 1, "ANY");
    stream.push(What::dropped(message, "ANY".into(), DropReason::Hand));
    let now = interventions(&stream).changes();
    assert_eq!([begun, now - 1, now].map(|changes| disturbed(&stream, changes)), [true, true, false]);
}

#[test]
fn the_start_of_a_process_disturbs_only_if_it_changes_the_faults_between_live_processes() {
    let since_us = |faulty: bool| {
        let mut stream = TestStream::new(3);
        if faulty {
            rule(stream.at(10), &json!({ "action": "drop", "probability": 0.5, "match": { "to": 2 } }));
        }
        stream.at(20).crash(2);
        stream.at(30).restart(2, interlock_model::event::RestartState::Stored);
        stream.at(40).start(2);
        interventions(&stream).since_us()
    };
    assert_eq!((since_us(false), since_us(true)), (0, 40));
}

#[test]
fn a_process_that_has_started_and_has_not_begun_is_missed_while_it_is_paused() {
    let stands = |restarts: bool| {
        let mut stream = TestStream::new(2);
        let at = |incarnation| interlock_model::event::StepId { node: NodeId(1), incarnation, step: 0 };
        stream.push(What::Initialized { at: at(1), stored: None, because: Vec::new(), view: None });
        if restarts {
            stream.crash(1);
            stream.restart(1, interlock_model::event::RestartState::Stored);
            stream.start(1);
        }
        stream.pause(1);
        interventions(&stream).stand_at(0)
    };
    assert_eq!((stands(false), stands(true)), (false, true));
}

#[test]
fn a_lost_message_is_no_longer_coming() {
    let mut stream = TestStream::new(2);
    let message = stream.send(0, 1, "ANY");
    let is_coming = |stream: &TestStream| interventions(stream).is_one_coming_to(NodeId(1), LockId(0));
    assert!(is_coming(&stream));
    stream.lose(message);
    assert!(!is_coming(&stream));
}
