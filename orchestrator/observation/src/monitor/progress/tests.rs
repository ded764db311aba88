use interlock_machine::wire::TimerName;
use serde_json::json;

use super::*;
use crate::state::test_stream::TestStream;
use interlock_model::event::{Json, What};

/// Returns how often starvation is reported in the following run. The request of P0 arrives at P1, and then P1 enters
/// `entries` times. Before each entry, the callback `hand` is called with the number of the entry, from 1. It may add
/// events to the stream.
fn said(entries: u64, hand: impl Fn(u64, &mut TestStream)) -> usize {
    let mut stream = TestStream::new(2);
    stream.request(0);
    let request = stream.send(0, 1, "REQUEST");
    stream.at(1_000).deliver(request);
    for entry in 1..=entries {
        stream.at(10_000 + 100 * entry);
        hand(entry, &mut stream);
        stream.request(1);
        stream.enter(1);
        stream.exit(1);
    }
    stream.violations().iter().filter(|violation| *violation.code == *STARVATION).count()
}

#[test]
fn a_wait_that_is_passed_over_too_often_is_reported_once() {
    let nobody = |_, _: &mut TestStream| {};
    // The count of bypasses begins with the first entry, which is not itself counted.
    assert_eq!(said(1 + 2 * PATIENCE, nobody), 0);
    assert_eq!(said(2 + 2 * PATIENCE, nobody), 1);
    assert_eq!(said(600, nobody), 1);
}

#[test]
fn the_count_begins_anew_after_an_intervention() {
    let pause = |entry, stream: &mut TestStream| match entry {
        50 => stream.pause(0),
        60 => stream.resume(0),
        _ => {}
    };
    // P0 is resumed at 16 ms. Two hops later, at 18 ms, a process enters. The count of bypasses begins with the entry
    // after that entry.
    assert_eq!(said(81 + 2 * PATIENCE, pause), 0);
    assert_eq!(said(82 + 2 * PATIENCE, pause), 1);
    let for_good = |entry, stream: &mut TestStream| {
        if entry == 50 {
            stream.pause(0);
        }
    };
    assert_eq!(said(600, for_good), 0);
}

#[test]
fn the_count_begins_anew_after_an_intervention_without_an_entry() {
    let pause = |entry, stream: &mut TestStream| {
        if entry == 50 {
            stream.pause(0);
            stream.resume(0);
        }
    };
    // P0 is resumed at 15 ms. The count begins two hops later.
    assert_eq!(said(71 + 2 * PATIENCE, pause), 0);
    assert_eq!(said(72 + 2 * PATIENCE, pause), 1);
}

/// The requests of P0 and P2 have arrived. If `is_paused`, P0 is paused until 20 ms. Then P0 enters, and within 2 ms P1
/// enters 200 times.
#[test]
fn the_count_of_a_request_behind_another_one_begins_after_the_last_intervention() {
    let said = |is_paused: bool| {
        let mut stream = TestStream::new(3);
        for node in [0, 2] {
            stream.request(node);
            for request in stream.multicast(node, "REQUEST") {
                stream.at(1_000).deliver(request);
            }
        }
        if is_paused {
            stream.at(10_000).pause(0);
            stream.at(20_000).resume(0);
        }
        stream.at(20_000).enter(0);
        stream.exit(0);
        for entry in 1..=200 {
            stream.at(20_000 + 10 * entry);
            pass(&mut stream);
        }
        stream.violations().iter().filter(|violation| *violation.code == *STARVATION).count()
    };
    assert_eq!((said(false), said(true)), (1, 0));
}

/// Before the count begins, P1 enters `before` times while a message is in transit to it. Then P1 enters `entries`
/// times.
#[test]
fn entries_that_did_not_count_before_the_count_began_do_not_reduce_it() {
    let said = |before: u64, entries: u64| {
        let mut stream = TestStream::new(2);
        stream.request(0);
        let request = stream.send(0, 1, "REQUEST");
        stream.at(1_000).deliver(request);
        let message = stream.send(0, 1, "REQUEST");
        for entry in 1..=before {
            stream.at(1_000 + 10 * entry);
            pass(&mut stream);
        }
        stream.at(2_000).deliver(message);
        for entry in 1..=entries {
            stream.at(10_000 + 100 * entry);
            pass(&mut stream);
        }
        stream.violations().iter().filter(|violation| *violation.code == *STARVATION).count()
    };
    for before in [0, 90] {
        assert_eq!([1, 2].map(|more| said(before, more + 2 * PATIENCE)), [0, 1], "{before}");
    }
}

#[test]
fn a_wait_that_is_shorter_than_the_messages_of_all_is_not_starvation() {
    let slow = |entry, stream: &mut TestStream| {
        if entry == 1 {
            stream.sent(1, 0, "ANY", Some(1_000_000));
        }
    };
    assert_eq!(said(600, slow), 0);
}

#[test]
fn entries_in_a_row_count_once_while_a_message_is_on_its_way_to_their_process() {
    let under_way = |to| {
        move |entry, stream: &mut TestStream| {
            if entry == 20 {
                stream.send(1 - to, to, "REQUEST");
            }
        }
    };
    assert_eq!(said(600, under_way(1)), 0);
    assert_eq!(said(600, under_way(0)), 1, "it is on its way to the process that waits");
    let arrives = |entry, stream: &mut TestStream| {
        if entry == 20 {
            let request = stream.send(0, 1, "REQUEST");
            stream.deliver(request);
        }
    };
    assert_eq!(said(600, arrives), 1);
}

/// The request of P0 has arrived at P1 and P2. P2 sends P1 a message. If `arrives`, P1 receives this message; otherwise
/// the message stays in transit. P1 enters again and again; if `others_enter`, P2 enters after each entry of P1.
/// Returns how often starvation is reported.
fn reports_beside_a_message(arrives: bool, others_enter: bool) -> usize {
    let mut stream = TestStream::new(3);
    stream.request(0);
    let requests = [1, 2].map(|to| stream.send(0, to, "REQUEST"));
    for request in requests {
        stream.at(1_000).deliver(request);
    }
    stream.request(2);
    let message = stream.at(10_000).send(2, 1, "REQUEST");
    stream.enter(2);
    stream.exit(2);
    if arrives {
        stream.at(11_000).deliver(message);
    }
    for entry in 1..=600 {
        stream.at(20_000 + 100 * entry);
        pass(&mut stream);
        if others_enter {
            stream.request(2);
            stream.enter(2);
            stream.exit(2);
        }
    }
    stream.violations().iter().filter(|violation| *violation.code == *STARVATION).count()
}

#[test]
fn entries_do_not_count_while_a_message_about_the_request_may_be_on_its_way() {
    assert_eq!(reports_beside_a_message(false, false), 0, "P1 may not know of the request yet");
    assert_eq!(reports_beside_a_message(true, false), 1, "P1 has received all messages");
    assert_eq!(reports_beside_a_message(false, true), 1, "P1 does not enter twice in a row");
}

/// P0 waits for lock `waited`, and a message about `lock` stays in transit to P1. P1 enters both locks again and
/// again. Returns how often starvation is reported.
fn reports_beside_a_message_about(lock: u32, waited: u32) -> usize {
    let of_lock = |lock: u32| json!({ "lock": lock });
    let mut stream = TestStream::new(3);
    stream.specification.locks = 2;
    let (at, request) = (StepId { node: NodeId(0), incarnation: 1, step: 0 }, interlock_algorithm::RequestId(1));
    stream.outcome(at, Outcome::requested(LockId(waited), request));
    let requests = [1, 2].map(|to| stream.send_saying(0, to, "REQUEST", &of_lock(waited)));
    for request in requests {
        stream.at(1_000).deliver(request);
    }
    stream.request(2);
    stream.at(10_000).send_saying(2, 1, "REQUEST", &of_lock(lock));
    stream.enter(2);
    stream.exit(2);
    for entry in 1..=600 {
        stream.at(20_000 + 100 * entry);
        pass(&mut stream);
        let at = StepId { node: NodeId(1), incarnation: 1, step: 10_000 + entry };
        let (lock, request) = (LockId(1), interlock_algorithm::RequestId(10_000 + entry));
        stream.outcome(at, Outcome::Entered { lock, request, fence: None });
        stream.outcome(at, Outcome::Exited { lock, request });
    }
    stream.violations().iter().filter(|violation| *violation.code == *STARVATION).count()
}

#[test]
fn a_message_about_another_lock_is_no_excuse() {
    for lock in [0, 1] {
        assert_eq!(reports_beside_a_message_about(lock, lock), 0);
        assert_eq!(reports_beside_a_message_about(1 - lock, lock), 1);
    }
}

/// In the failover algorithm, a wait may depend on a time-out. A restarted process sends no request to another process
/// until its time-out for the coordinator has passed.
#[test]
fn a_wait_that_may_depend_on_a_time_out_does_not_starve_before_its_end() {
    let time_out = |entry, stream: &mut TestStream| {
        if entry == 1 {
            stream.arm(1, TimerName::Algorithm(Json::of(&"office").expect("JSON")), 5_000);
        }
    };
    // The request arrives at 1 ms. The count of bypasses begins two time-outs later, after about ten entries.
    assert_eq!(said(2 + 2 * PATIENCE, time_out), 0);
    assert_eq!(said(100 + 2 * PATIENCE, time_out), 1);
}

/// P0 waits for a unit of a lock of which P1 has entered another unit. A message is in transit to P0. Then P0 enters
/// further units of the lock.
#[test]
fn own_entries_to_other_units_pass_nobody_over() {
    let mut stream = TestStream::new(2);
    stream.at(1_000).request(0);
    let request = stream.send(0, 1, "REQUEST");
    stream.deliver(request);
    let enter = |stream: &mut TestStream, node, request| {
        let at = StepId { node: NodeId(node), incarnation: 1, step: 1_000 + request };
        let request = interlock_algorithm::RequestId(request);
        stream.outcome(at, Outcome::Entered { lock: LockId(0), request, fence: None });
    };
    stream.at(50_000);
    enter(&mut stream, 1, 10);
    stream.send(1, 0, "TOKEN");
    (20..23).for_each(|request| enter(&mut stream, 0, request));
    assert_eq!(stream.violations().iter().filter(|violation| *violation.code == *STARVATION).count(), 0);
}

/// P0 waits for a unit of a lock, and enters `own_entries` other units. Then P1 enters `entries` times. Returns how
/// often starvation is reported.
#[test]
fn a_process_that_enters_another_unit_can_still_starve() {
    let reports = |own_entries: u64, entries: u64| {
        let mut stream = TestStream::new(2);
        stream.request(0);
        let request = stream.send(0, 1, "REQUEST");
        stream.at(1_000).deliver(request);
        for own in 0..own_entries {
            let at = StepId { node: NodeId(0), incarnation: 1, step: 1_000 + own };
            let request = interlock_algorithm::RequestId(20 + own);
            stream.at(10_000).outcome(at, Outcome::Entered { lock: LockId(0), request, fence: None });
        }
        for entry in 1..=entries {
            stream.at(20_000 + 100 * entry);
            pass(&mut stream);
        }
        stream.violations().iter().filter(|violation| *violation.code == *STARVATION).count()
    };
    assert_eq!(reports(0, 600), 1);
    assert_eq!(reports(3, 600), 1);
    assert_eq!(reports(2 * PATIENCE, 2 * PATIENCE), 0, "own entries do not count");
}

/// The message loss ends, and the next entry happens much later. After the change of the loss, earlier entries no
/// longer count.
#[test]
fn the_count_begins_anew_when_the_loss_changes() {
    let configure = |stream: &mut TestStream, loss: f64| {
        let setting =
            interlock_model::network::LinkSetting { loss, ..interlock_model::network::LinkSetting::default() };
        let change = interlock_model::event::Change {
            subject: "default".into(),
            id: None,
            value: serde_json::to_value(setting).ok(),
        };
        stream.push(What::Configured { change });
    };
    let said = |changes: bool| {
        let mut stream = TestStream::new(2);
        configure(&mut stream, if changes { 0.5 } else { 0.0 });
        stream.request(0);
        let request = stream.send(0, 1, "REQUEST");
        stream.at(1_000).deliver(request);
        for entry in 1..=1 + 2 * PATIENCE {
            stream.at(1_000_000 + 100 * entry);
            pass(&mut stream);
        }
        configure(&mut stream, 0.0);
        pass(stream.at(9_000_000));
        stream.violations().iter().filter(|violation| *violation.code == *STARVATION).count()
    };
    assert_eq!((said(false), said(true)), (1, 0));
}

fn pass(stream: &mut TestStream) {
    stream.request(1);
    stream.enter(1);
    stream.exit(1);
}

/// P0 of four processes requests a token, and if `takes_part`, P2 has also made a request. `away` makes P2
/// unreachable, and P1 then enters 600 times. Returns how often starvation is reported.
fn said_beside(algorithm: &str, to: &[u32], takes_part: bool, away: fn(&mut TestStream)) -> usize {
    let mut stream = TestStream::new(4);
    stream.specification.algorithm = algorithm.to_owned();
    stream.request(0);
    if takes_part {
        stream.request(2);
    }
    let messages: Vec<_> = to.iter().map(|&to| stream.send(0, to, "REQUEST")).collect();
    away(&mut stream);
    for message in messages {
        if message.to == NodeId(2) {
            stream.push(What::dropped(message, "REQUEST".into(), interlock_model::event::DropReason::Partition));
        } else {
            stream.at(1_000).deliver(message);
        }
    }
    for entry in 1..=600 {
        stream.at(100_000 + 100 * entry);
        pass(&mut stream);
    }
    stream.violations().iter().filter(|violation| *violation.code == *STARVATION).count()
}

#[test]
fn a_bystander_is_no_excuse_where_a_request_for_a_token_goes_to_all() {
    let cut: fn(&mut TestStream) = |stream| {
        let value = Some(json!({ "id": 1, "groups": [[2], [0, 1, 3]], "direction": "both" }));
        let change = interlock_model::event::Change { subject: "partition".into(), id: Some("1".into()), value };
        stream.push(What::Configured { change });
    };
    let paused: fn(&mut TestStream) = |stream| stream.pause(2);
    for away in [cut, paused] {
        assert_eq!(said_beside("suzuki-kasami", &[1, 2, 3], false, away), 1);
        assert_eq!(said_beside("suzuki-kasami", &[1, 2, 3], true, away), 0, "P2 waits as well");
        assert_eq!(said_beside("ricart-agrawala", &[1, 2, 3], false, away), 0, "P2 must reply");
    }
    assert_eq!(said_beside("suzuki-kasami", &[1, 2, 3], false, |_| ()), 0, "the request is lost");
    let both: fn(&mut TestStream) = |stream| {
        stream.pause(2);
        stream.pause(0);
    };
    assert_eq!(said_beside("suzuki-kasami", &[1, 2, 3], false, both), 0, "P0 is paused itself");
}

/// P2 is a paused bystander that has not received P0's request. If `is_lost`, P1 has not received the request either.
/// P1 enters again and again.
#[test]
fn a_request_that_a_process_beside_a_bystander_has_lost_has_not_arrived() {
    let said = |is_lost: bool| {
        let mut stream = TestStream::new(4);
        stream.specification.algorithm = "suzuki-kasami".to_owned();
        stream.request(0);
        let [to_p1, _, to_p3] = [1, 2, 3].map(|to| stream.send(0, to, "REQUEST"));
        stream.pause(2);
        stream.at(1_000).deliver(to_p3);
        if is_lost {
            stream.lose(to_p1);
        } else {
            stream.deliver(to_p1);
        }
        for entry in 1..=600 {
            stream.at(100_000 + 100 * entry);
            pass(&mut stream);
        }
        stream.violations().iter().filter(|violation| *violation.code == *STARVATION).count()
    };
    assert_eq!((said(false), said(true)), (1, 0));
}
