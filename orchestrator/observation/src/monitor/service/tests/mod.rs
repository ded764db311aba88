//! Tests of the monitors of services. For each property, one stream of events violates the property. A second stream,
//! as similar as possible, satisfies it.

mod compared;

use interlock_algorithm::{Operation, Response};
use serde_json::json;

use super::linearizability::MOST_KEYS;
use crate::monitor::sentence;
use crate::state::test_stream::TestStream;

const READ: Operation = Operation::Read { key: 0 };

const fn write(value: i64) -> Operation {
    Operation::Write { key: 0, value }
}

/// An event at a node and its time: a client invokes an operation, a client receives a response, or the node crashes.
enum Deed {
    Asks(u32, u64, Operation),
    Told(u32, u64, Response),
    Dies(u32, u64),
}
use Deed::{Asks, Dies, Told};

/// Returns the violations after these events: the sentence of each, and the events that it names. Each client has one
/// open request at a time.
fn said(deeds: Vec<Deed>) -> Vec<(String, Vec<u64>)> {
    let mut stream = TestStream::new(3);
    for deed in deeds {
        match deed {
            Asks(node, at_us, operation) => stream.at(at_us).invoke(node, operation),
            Told(node, at_us, response) => stream.at(at_us).told(node, response),
            Dies(node, at_us) => _ = stream.at(at_us).crash(node),
        }
    }
    stream.violations().iter().map(|violation| (sentence(violation), violation.events.clone())).collect()
}

fn done() -> Response {
    Response::Done {}
}

fn value(value: i64) -> Response {
    Response::Value(Some(value))
}

const NOTHING: Response = Response::Value(None);

/// Returns whether the monitor reports a violation after these events at a store.
fn is_wrong(deeds: Vec<Deed>) -> bool {
    let said = said(deeds);
    assert!(said.len() < 2, "a key is told of once: {said:?}");
    !said.is_empty()
}

#[test]
fn what_is_read_is_what_was_written_last() {
    let read = |found| vec![Asks(0, 1, write(3)), Told(0, 2, done()), Asks(1, 3, READ), Told(1, 4, found)];
    assert!(!is_wrong(read(value(3))));
    let wrong = "Key 0 is not linearizable: there is no order of the operations on it, each between its invocation and \
                 its response, in which P1 asks to read key 0 and is told that nothing is there.";
    assert_eq!(said(read(NOTHING)), [(wrong.to_owned(), vec![4, 5, 6, 7])]);
    assert!(is_wrong(read(value(4))));
}

#[test]
fn what_lasts_at_the_same_time_may_take_effect_in_any_order() {
    let read = |first, second| {
        let second_read = [Asks(1, 5, READ), Told(1, 6, second)];
        let mut deeds = vec![Asks(0, 1, write(3)), Asks(1, 2, READ), Told(1, 3, first)];
        deeds.extend(second_read);
        deeds
    };
    assert!(!is_wrong(read(NOTHING, value(3))));
    assert!(!is_wrong(read(value(3), value(3))));
    assert!(is_wrong(read(value(3), NOTHING)), "what has taken effect stays");
}

#[test]
fn a_comparison_takes_effect_only_where_it_finds_what_it_looks_for() {
    let set = |from| {
        let cas = Operation::CompareAndSet { key: 0, from, to: 5 };
        vec![Asks(0, 1, write(3)), Told(0, 2, done()), Asks(0, 3, cas), Told(0, 4, done())]
    };
    assert!(!is_wrong(set(3)));
    assert!(is_wrong(set(4)));
}

#[test]
fn what_nobody_knows_may_take_effect_later_and_what_is_refused_does_not() {
    let after = |what, found| {
        vec![
            Asks(0, 1, write(3)),
            Told(0, 2, what),
            Asks(1, 3, READ),
            Told(1, 4, NOTHING),
            Asks(1, 5, READ),
            Told(1, 6, found),
        ]
    };
    assert!(!is_wrong(after(Response::Unknown {}, value(3))));
    assert!(!is_wrong(after(Response::Unknown {}, NOTHING)));
    assert!(is_wrong(after(Response::Refused { code: 11 }, value(3))));
    assert!(!is_wrong(after(Response::Refused { code: 11 }, NOTHING)));
}

#[test]
fn what_a_dead_client_had_asked_for_may_take_effect_later() {
    let then = |found| vec![Asks(0, 1, write(3)), Dies(0, 2), Asks(1, 5, READ), Told(1, 6, found)];
    assert!(!is_wrong(then(value(3))));
    assert!(!is_wrong(then(NOTHING)));
    assert!(is_wrong(then(value(4))));
}

#[test]
fn the_death_of_a_client_ends_no_operation_of_another() {
    let told = |found| vec![Asks(1, 1, READ), Asks(0, 2, write(3)), Dies(0, 3), Told(1, 4, found)];
    assert!(!is_wrong(told(value(3))));
    assert!(is_wrong(told(value(4))));
    let echo = |text: &str| {
        let hello = Operation::Echo { text: "hello".into() };
        said(vec![Asks(1, 1, hello), Dies(0, 3), Told(1, 4, Response::Text(text.into()))])
    };
    assert_eq!((echo("hello").len(), echo("hullo").len()), (0, 1));
}

#[test]
fn a_read_whose_result_is_unknown_is_never_wrong() {
    let unknown = |found| {
        let mut deeds = vec![Asks(0, 1, READ), Told(0, 2, Response::Unknown {})];
        deeds.extend([Asks(1, 3, READ), Told(1, 4, found)]);
        deeds
    };
    assert!(!is_wrong(unknown(NOTHING)));
    assert!(is_wrong(unknown(value(4))));
}

#[test]
fn only_the_key_that_is_forgotten_is_not_judged() {
    let mut stream = TestStream::new(2);
    let write = |stream: &mut TestStream, key| {
        stream.at(1).invoke(0, Operation::Write { key, value: 1 });
        stream.at(2).told(0, done());
    };
    (0..MOST_KEYS as u64).for_each(|key| write(&mut stream, key));
    write(&mut stream, 1);
    for key in [0, 1] {
        stream.at(3).invoke(1, Operation::Read { key });
        stream.at(4).told(1, NOTHING);
    }
    let keys: Vec<_> = stream.violations().iter().map(|found| found.arguments["key"].clone()).collect();
    assert_eq!(keys, [0, 1], "no key is forgotten yet");
    write(&mut stream, MOST_KEYS as u64);
    stream.at(5).invoke(1, Operation::Read { key: 0 });
    stream.at(6).told(1, value(9));
    stream.at(7).invoke(1, Operation::Read { key: 2 });
    stream.at(8).told(1, NOTHING);
    let keys: Vec<_> = stream.violations().iter().map(|found| found.arguments["key"].clone()).collect();
    assert_eq!(keys, [0, 1, 2], "key 0 is forgotten, and key 2 is not");
}

/// The second write is reported after the end of the first write. If the second write began before this end, it may
/// have taken effect before the first write.
#[test]
fn what_is_told_late_counts_by_the_clock() {
    let told = |began_us| {
        vec![
            Asks(0, 1, write(1)),
            Told(0, 100, done()),
            Asks(1, began_us, write(2)),
            Told(1, 200, done()),
            Asks(2, 300, READ),
            Told(2, 301, value(1)),
        ]
    };
    assert!(!is_wrong(told(90)));
    assert!(is_wrong(told(110)));
}

#[test]
fn keys_have_nothing_to_do_with_each_other() {
    let other = Operation::Write { key: 1, value: 3 };
    assert!(!is_wrong(vec![Asks(0, 1, other), Told(0, 2, done()), Asks(1, 3, READ), Told(1, 4, NOTHING)]));
}

#[test]
fn a_key_that_is_forgotten_is_not_judged() {
    let mut stream = TestStream::new(3);
    for key in 0..=MOST_KEYS as u64 {
        stream.at(1).invoke(0, Operation::Write { key, value: 1 });
        stream.at(2).told(0, done());
    }
    for key in [0, MOST_KEYS as u64] {
        stream.at(3).invoke(1, Operation::Read { key });
        stream.at(4).told(1, NOTHING);
    }
    let found = stream.violations();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].arguments["key"], json!(MOST_KEYS));
}

#[test]
fn an_echo_is_what_was_said() {
    let heard = |text: &str| {
        said(vec![Asks(2, 1, Operation::Echo { text: "hello".into() }), Told(2, 2, Response::Text(text.into()))])
    };
    assert_eq!(heard("hello"), []);
    assert_eq!(heard("hullo"), [("P2 asked for the echo of `hello` and received `hullo`.".to_owned(), vec![4, 5])]);
}

#[test]
fn a_name_is_given_once() {
    let given = |second: &str| {
        let name = |name: &str| Response::Text(name.into());
        let deeds = [(0, "7"), (1, second)]
            .map(|(node, given)| [Asks(node, 1, Operation::Generate {}), Told(node, 2, name(given))]);
        said(deeds.into_iter().flatten().collect())
    };
    assert_eq!(given("8"), []);
    assert_eq!(given("7"), [("P1 received the ID 7, which had already been assigned.".to_owned(), vec![5, 7])]);
}

#[test]
fn what_a_node_has_was_broadcast_and_stays() {
    let read =
        |node, values: &[u64]| [Asks(node, 3, Operation::ReadAll {}), Told(node, 4, Response::Values(values.into()))];
    let after = |then: Vec<Deed>| {
        let mut deeds =
            vec![Asks(0, 1, Operation::Broadcast { value: 7 }), Asks(1, 1, Operation::Broadcast { value: 8 })];
        deeds.extend(then);
        said(deeds)
    };
    assert_eq!(after([read(2, &[]), read(2, &[8]), read(2, &[7, 8])].into_iter().flatten().collect()), []);
    let unheard = "P2 has the value 9, which was never broadcast.".to_owned();
    assert_eq!(after(read(2, &[9]).into()), [(unheard, vec![6, 7])]);
    let forgotten = "P2 no longer has the value 7, although it has not crashed in the meantime.".to_owned();
    let both = || [read(2, &[7]), read(2, &[8])].into_iter().flatten();
    assert_eq!(after(both().collect()), [(forgotten, vec![7, 9])]);
    let [asks, told] = read(2, &[7]);
    let again = read(2, &[8]);
    assert_eq!(after([asks, told, Dies(2, 5)].into_iter().chain(again).collect()), [], "who dies may forget");
}
