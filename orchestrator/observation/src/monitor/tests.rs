use std::collections::BTreeSet;

use interlock_machine::channel::{CHANNEL_ACK, Channel};
use interlock_machine::detector::HEARTBEAT;
use interlock_machine::wire::TimerName;
use proptest::prelude::*;
use serde_json::json;

use super::stuck::Stuck;
use super::{NAMES, mutual_exclusion, real_time, sentence};
use crate::state::test_stream::{IDLE, TestStream, play};
use interlock_model::event::{DropReason, Json, RestartState, TimerLabel, Violation, What};
use interlock_model::specification::{Detector, Heartbeats};

fn of<'a>(found: &'a [Violation], monitor: &str) -> Vec<&'a Violation> {
    found.iter().filter(|violation| *violation.monitor == *monitor).collect()
}

/// Returns the number of violations by happened-before and the number of violations in real time.
fn counts(stream: &TestStream) -> (usize, usize) {
    let found = stream.violations();
    (of(&found, mutual_exclusion::NAME).len(), of(&found, real_time::NAME).len())
}

/// A node requests the lock and enters at the time `from`, and leaves at the time `until`.
fn section(stream: &mut TestStream, node: u32, from: u64, until: u64) -> (u64, u64) {
    stream.at(from).request(node);
    let entered = stream.enter(node);
    (entered, stream.at(until).exit(node))
}

#[test]
fn two_at_the_same_time_break_both_rules() {
    let mut stream = TestStream::new(4);
    stream.at(100).request(1);
    let first = stream.enter(1);
    stream.at(150).request(3);
    let second = stream.enter(3);
    let left = stream.at(200).exit(1);
    stream.at(250).exit(3);
    let found = stream.violations();
    let [concurrent, overlapping] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!((&*concurrent.monitor, &*concurrent.code), ("mutual-exclusion", "concurrent-sections"));
    assert_eq!(concurrent.arguments, json!({ "lock": 0, "first": 1, "second": 3 }));
    assert_eq!(concurrent.events, [first, second]);
    assert_eq!((&*overlapping.monitor, &*overlapping.code), ("real-time", "overlapping-sections"));
    assert_eq!(overlapping.arguments, json!({ "lock": 0, "first": 1, "second": 3, "from_us": 150 }));
    assert_eq!(overlapping.events, [first, second, left], "the step of P3 that leaves shows that it was still inside");
    let sentences = [sentence(concurrent), sentence(overlapping)];
    assert!(sentences[0].starts_with("P1 and P3 were in the critical section of lock 0 at the same time: neither's"));
    assert!(sentences[1].ends_with("by the machine's clock, P3 entered before P1 had left."));
}

#[test]
fn one_after_the_other_with_word_of_it_is_right() {
    let mut stream = TestStream::new(2);
    section(&mut stream, 0, 100, 200);
    let word = stream.send(0, 1, "REPLY");
    stream.at(300).request(1);
    stream.at(400).deliver(word);
    stream.enter(1);
    stream.at(500).exit(1);
    assert_eq!(counts(&stream), (0, 0));
}

#[test]
fn word_goes_round_by_others_and_is_not_lost_by_overtaking() {
    let mut stream = TestStream::new(3);
    let early = stream.at(50).send(0, 2, "EARLY");
    section(&mut stream, 0, 100, 200);
    let by_way_of_1 = stream.send(0, 1, "RELEASE");
    stream.at(300).deliver(by_way_of_1);
    let on = stream.send(1, 2, "RELEASE");
    stream.at(400).deliver(on);
    stream.deliver(early);
    section(&mut stream, 2, 500, 600);
    assert_eq!(counts(&stream), (0, 0));
}

#[test]
fn word_sent_before_the_exit_is_no_word_of_it() {
    let mut stream = TestStream::new(2);
    stream.at(100).request(0);
    let entered = stream.enter(0);
    let too_early = stream.send(0, 1, "REPLY");
    let exited = stream.at(200).exit(0);
    stream.at(300).deliver(too_early);
    let second = stream.enter(1);
    let found = stream.violations();
    let [concurrent] = of(&found, mutual_exclusion::NAME)[..] else { panic!("{found:?}") };
    assert_eq!(concurrent.events, [entered, exited, second]);
    assert_eq!(counts(&stream), (1, 0), "they did not overlap in real time");
    assert_eq!(concurrent.arguments["apart_us"], 100);
    assert_eq!(
        sentence(concurrent),
        "P0 and P1 were in the critical section of lock 0 one after the other, but neither knew that the other had \
         left: neither's exit happened before the other's entry."
    );
}

/// The order in which nodes report their events may differ from the order of the timestamps.
#[test]
fn sections_that_overlap_by_their_stamps_are_at_the_same_time() {
    let mut stream = TestStream::new(2);
    section(&mut stream, 0, 100, 300);
    section(&mut stream, 1, 200, 400);
    let found = stream.violations();
    let [concurrent] = of(&found, mutual_exclusion::NAME)[..] else { panic!("{found:?}") };
    assert!(sentence(concurrent).contains("at the same time"), "{}", sentence(concurrent));
}

#[test]
fn sections_without_length_in_one_batch_are_judged_by_happened_before() {
    let mut wrong = TestStream::new(2);
    section(&mut wrong, 0, 100, 100);
    section(&mut wrong, 1, 100, 100);
    assert_eq!(counts(&wrong), (1, 0), "no time of positive length");

    let mut right = TestStream::new(2);
    section(&mut right, 0, 100, 100);
    let word = right.send(0, 1, "REPLY");
    right.deliver(word);
    section(&mut right, 1, 100, 100);
    section(&mut right, 1, 100, 100);
    assert_eq!(counts(&right), (0, 0));
}

#[test]
fn a_section_learnt_of_late_is_judged_by_its_stamps() {
    let mut stream = TestStream::new(2);
    stream.at(100).request(0);
    stream.enter(0);
    stream.at(300).request(1);
    stream.enter(1);
    stream.at(200).exit(0);
    stream.at(400).exit(1);
    assert_eq!(counts(&stream), (1, 0), "P0 had left at 200, though that was learnt of after P1's entry");
}

#[test]
fn a_section_inside_a_longer_one_is_found_once() {
    let mut stream = TestStream::new(2);
    stream.at(100).request(0);
    stream.enter(0);
    section(&mut stream, 1, 200, 300);
    assert_eq!(counts(&stream), (1, 0), "whether P0 was still inside is not certain yet");
    let word = stream.send(1, 0, "REQUEST");
    stream.at(350).deliver(word);
    assert_eq!(counts(&stream), (1, 1), "it was: it took a step");
    stream.at(400).exit(0);
    assert_eq!(counts(&stream), (1, 1));
}

#[test]
fn three_at_the_same_time_are_three_pairs() {
    let mut stream = TestStream::new(3);
    for node in 0..3 {
        stream.at(100 + u64::from(node)).request(node);
        stream.enter(node);
    }
    for node in 0..3 {
        stream.at(200 + u64::from(node)).exit(node);
    }
    assert_eq!(counts(&stream), (3, 3));
}

#[test]
fn who_enters_after_a_crash_is_judged_in_real_time_only() {
    let crashed = |entry_us| {
        let mut stream = TestStream::new(2);
        stream.at(100).request(0);
        stream.enter(0);
        stream.at(200).crash(0);
        section(&mut stream, 1, entry_us, 400);
        counts(&stream)
    };
    assert_eq!(crashed(300), (0, 0), "disjoint");
    assert_eq!(crashed(200), (0, 0), "at the very moment");
    assert_eq!(crashed(150), (0, 1), "overlapping, learnt of late");
}

#[test]
fn a_crash_does_not_excuse_an_earlier_section() {
    let mut stream = TestStream::new(2);
    let (entered, exited) = section(&mut stream, 0, 100, 200);
    stream.at(300).request(0);
    stream.enter(0);
    stream.at(400).crash(0);
    stream.at(500).request(1);
    let second = stream.enter(1);
    let found = stream.violations();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].events, [entered, exited, second]);
}

/// P1 has left the section, and later crashes if `dies`. If `asks`, P2 sends P1 a message, which is lost. If
/// `time_out` is given, this timer of P2 fires. Then P2 enters. Returns the number of violations.
fn entry_after_a_death(channel: Channel, asks: bool, time_out: Option<TimerLabel>, dies: bool) -> usize {
    let mut stream = TestStream::new(3);
    stream.specification.channel = channel.into();
    section(&mut stream, 1, 100, 200);
    if dies {
        stream.at(300).crash(1);
    }
    if asks {
        let lost = stream.send(2, 1, "REQUEST");
        stream.at(400);
        if dies {
            stream.push(What::dropped(lost, "ANY".into(), DropReason::Crashed));
        } else {
            stream.lose(lost);
        }
    }
    stream.at(500);
    if let Some(timer) = time_out {
        stream.fire(2, timer);
    }
    section(&mut stream, 2, 600, 700);
    counts(&stream).0
}

#[test]
fn who_is_silent_beyond_a_time_out_has_left_for_those_who_miss_its_answer() {
    let time_out = || Some(TimerName::Algorithm(Json::of(&"answer").expect("JSON")));
    // With channels, the result is the same, even though a channel sends the message again.
    for channel in [Channel::Raw, Channel::Fifo, Channel::Reliable] {
        let entry = |asks, time_out, dies| entry_after_a_death(channel, asks, time_out, dies);
        assert_eq!(entry(true, time_out(), true), 0, "{channel:?}");
        assert_eq!(entry(true, time_out(), false), 1, "{channel:?}: it lives: its silence says nothing");
        assert_eq!(entry(true, None, true), 1, "{channel:?}: nobody has missed it yet");
        assert_eq!(entry(true, Some(IDLE), true), 1, "{channel:?}: that is no time-out");
        assert_eq!(entry(false, time_out(), true), 1, "{channel:?}: it was not asked");
    }
}

/// When a process crashes, messages that channels and detectors have sent to it are also lost. No process awaits an
/// answer to such a message.
#[test]
fn who_says_only_that_it_is_alive_misses_no_answer() {
    let entries_after = |kind: &'static str| {
        let mut stream = TestStream::new(3);
        stream.specification.channel = Channel::Reliable.into();
        stream.specification.detector = Detector::Heartbeat(Heartbeats::default());
        section(&mut stream, 1, 100, 200);
        stream.at(300).crash(1);
        let lost = stream.send(2, 1, kind);
        stream.push(What::dropped(lost, kind.into(), DropReason::Crashed));
        stream.at(500).fire(2, TimerName::Algorithm(Json::of(&"answer").expect("JSON")));
        section(&mut stream, 2, 600, 700);
        counts(&stream).0
    };
    assert_eq!(entries_after("REQUEST"), 0);
    assert_eq!(entries_after(HEARTBEAT), 1);
    assert_eq!(entries_after(CHANNEL_ACK), 1);
}

#[test]
fn silence_tells_of_nothing_that_a_new_life_does_and_nobody_else_learns_by_it() {
    let time_out = || TimerName::Algorithm(Json::of(&"answer").expect("JSON"));
    let lives_again = |enters: bool, other: u32| {
        let mut stream = TestStream::new(3);
        section(&mut stream, 0, 100, 200);
        stream.at(300).crash(0);
        let lost = stream.send(1, 0, "REQUEST");
        stream.push(What::dropped(lost, "ANY".into(), DropReason::Crashed));
        stream.restart(0, RestartState::Stored);
        stream.start(0);
        if enters {
            section(&mut stream, 0, 400, 500);
        }
        stream.at(550).fire(1, time_out());
        section(&mut stream, other, 600, 700);
        counts(&stream).0
    };
    assert_eq!(lives_again(false, 1), 0);
    assert_eq!(lives_again(true, 1), 1);
    assert_eq!(lives_again(false, 2), 1);
}

#[test]
fn who_is_up_again_is_silent_no_more() {
    let mut stream = TestStream::new(2);
    section(&mut stream, 0, 100, 200);
    stream.at(250).crash(0);
    stream.restart(0, RestartState::Stored);
    stream.start(0);
    let lost = stream.send(1, 0, "REQUEST");
    stream.lose(lost);
    stream.at(300).fire(1, TimerName::Algorithm(Json::of(&"answer").expect("JSON")));
    section(&mut stream, 1, 400, 500);
    assert_eq!(counts(&stream).0, 1);
}

#[test]
fn a_new_life_counts_on() {
    let life = |tell: bool| {
        let mut stream = TestStream::new(2);
        stream.at(100).request(0);
        stream.enter(0);
        stream.at(200).crash(0);
        stream.restart(0, RestartState::None);
        stream.start(0);
        section(&mut stream, 0, 300, 400);
        if tell {
            let word = stream.send(0, 1, "REPLY");
            stream.at(450).deliver(word);
        }
        section(&mut stream, 1, 500, 600);
        counts(&stream)
    };
    assert_eq!(life(true), (0, 0));
    assert_eq!(life(false), (1, 0));
}

#[test]
fn a_message_of_an_earlier_life_tells_what_was_true_when_it_was_sent() {
    let mut stream = TestStream::new(2);
    section(&mut stream, 0, 100, 200);
    let word = stream.send(0, 1, "REPLY");
    stream.at(250).crash(0);
    stream.restart(0, RestartState::Stored);
    stream.start(0);
    stream.at(300).deliver(word);
    section(&mut stream, 1, 400, 500);
    assert_eq!(counts(&stream), (0, 0));
    section(&mut stream, 0, 600, 700);
    assert_eq!(counts(&stream), (1, 0), "and P0 has not heard of P1's exit");
}

#[test]
fn a_copy_tells_what_its_original_tells() {
    for lose_the_original_first in [true, false] {
        let mut stream = TestStream::new(2);
        section(&mut stream, 0, 100, 200);
        let word = stream.send(0, 1, "REPLY");
        if lose_the_original_first {
            stream.lose(word);
        }
        let copy = stream.duplicate(word);
        if !lose_the_original_first {
            stream.lose(word);
        }
        stream.at(300).deliver(copy);
        section(&mut stream, 1, 400, 500);
        assert_eq!(counts(&stream), (0, 0));
    }
}

#[test]
fn a_lost_message_tells_nothing() {
    let mut stream = TestStream::new(2);
    section(&mut stream, 0, 100, 200);
    let word = stream.send(0, 1, "REPLY");
    stream.lose(word);
    stream.deliver(word);
    section(&mut stream, 1, 400, 500);
    assert_eq!(counts(&stream), (1, 0));
}

#[test]
fn being_stuck_is_told_once_each_time() {
    let mut stream = TestStream::new(2);
    let mut monitor = Stuck::default();
    let request = stream.at(10).request(1);
    let lost = stream.sent(1, 0, "REQUEST", None);
    assert_eq!(monitor.judge(&stream.state(), 0), None, "the message is on its way");
    stream.lose(lost);
    assert_eq!(monitor.judge(&stream.state(), 1), None, "a command is under way");
    let violation = monitor.judge(&stream.state(), 0).expect("stuck");
    assert_eq!((&*violation.monitor, &*violation.code, &violation.events), ("stuck", "quiescent", &vec![request]));
    assert!(sentence(&violation).starts_with("P1 waits forever"));
    assert_eq!(monitor.judge(&stream.state(), 0), None, "told already");
    stream.request(0);
    let again = stream.send(0, 1, "REQUEST");
    assert_eq!(monitor.judge(&stream.state(), 0), None, "something moves");
    stream.deliver(again);
    assert!(monitor.judge(&stream.state(), 0).is_some(), "stuck again");
}

#[test]
fn waiting_for_a_hand_is_not_stuck() {
    let mut stream = TestStream::new(2);
    stream.at(10).request(1);
    stream.pause(0);
    assert_eq!(Stuck::default().judge(&stream.state(), 0), None);
    stream.resume(0);
    assert!(Stuck::default().judge(&stream.state(), 0).is_some());
}

#[test]
fn the_page_has_a_title_for_each_property() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/strings/because.js");
    let page = std::fs::read_to_string(path).expect("the strings");
    let (_, titles) = page.split_once("export const monitors = {").expect("the titles");
    let lines = titles.lines().skip(1).map_while(|line| line.split_once(": say("));
    let names: BTreeSet<&str> = lines.map(|(name, _)| name.trim().trim_matches('"')).collect();
    assert_eq!(names, NAMES.iter().copied().collect());
}

proptest! {
    #[test]
    fn a_right_algorithm_is_left_in_peace(nodes in 1..6_u32, choices in prop::collection::vec(any::<u32>(), 0..400)) {
        let stream = play(nodes, choices);
        prop_assert_eq!(stream.violations(), []);
    }

    /// The monitor finds exactly the pairs of concurrent sections. In such a pair, neither section's exit is in the
    /// causal past of the other section's entry.
    #[test]
    fn concurrent_sections_are_those_of_the_definition(
        actions in prop::collection::vec((0..4_u32, 0..3_u32, any::<u16>()), 0..60),
    ) {
        let (stream, expected) = reckless(&actions);
        let found = stream.violations();
        let mut pairs: Vec<(u64, u64)> = of(&found, mutual_exclusion::NAME)
            .iter()
            .map(|violation| (violation.events[0], violation.events[violation.events.len() - 1]))
            .collect();
        pairs.sort_unstable();
        prop_assert_eq!(pairs, expected);
    }
}

/// A process in [`reckless`]: the events in its causal past, and its sections.
#[derive(Clone, Default)]
struct Process {
    past: BTreeSet<u64>,
    inside: Option<u64>,
    last: Option<(u64, Option<u64>)>,
}

/// Processes enter and leave in an arbitrary way. Returns the stream, and the pairs of concurrent sections in the
/// stream. For each entry, only the latest section of each other process is considered. To find the pairs, the function
/// stores the whole causal past of each process.
fn reckless(actions: &[(u32, u32, u16)]) -> (TestStream, Vec<(u64, u64)>) {
    let mut stream = TestStream::new(3);
    let mut processes = vec![Process::default(); 3];
    let (mut under_way, mut expected) = (Vec::new(), Vec::new());
    for &(action, node, choice) in actions {
        let me = node as usize;
        match (action, processes[me].inside) {
            (0, None) => {
                stream.request(node);
                let entered = stream.enter(node);
                for (_, process) in processes.iter().enumerate().filter(|(other, _)| *other != me) {
                    if let Some((first, exited)) = process.last
                        && exited.is_none_or(|exited| !processes[me].past.contains(&exited))
                    {
                        expected.push((first, entered));
                    }
                }
                processes[me].inside = Some(entered);
                processes[me].last = Some((entered, None));
            }
            (1, Some(entered)) => {
                let exited = stream.exit(node);
                processes[me].past.insert(exited);
                processes[me].inside = None;
                processes[me].last = Some((entered, Some(exited)));
            }
            (2, _) => {
                let to = (node + 1 + u32::from(choice) % 2) % 3;
                under_way.push((stream.send(node, to, "ANY"), processes[me].past.clone()));
            }
            (3, _) if !under_way.is_empty() => {
                let (message, past) = under_way.swap_remove(usize::from(choice) % under_way.len());
                stream.deliver(message);
                processes[message.to.index()].past.extend(past);
            }
            _ => {}
        }
    }
    expected.sort_unstable();
    (stream, expected)
}
