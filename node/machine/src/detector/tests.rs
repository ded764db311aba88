use interlock_algorithm::NodeId;

use super::{Beating, Belief, Detector, Heartbeat};

const ME: NodeId = NodeId(0);
const OTHER: NodeId = NodeId(1);
const BEATING: Beating = Beating { interval_us: 1_000, patience: 2, adaptive: false };
const FIRST: Heartbeat = Heartbeat { life: 1 };

fn beats(detector: &mut Detector, beating: Beating, times: u32) -> Vec<Belief> {
    (0..times).flat_map(|_| detector.beat(beating, ME)).collect()
}

#[test]
fn who_is_silent_for_longer_than_the_patience_is_suspected_once() {
    let mut detector = Detector::new(2);
    assert_eq!(beats(&mut detector, BEATING, 2), []);
    assert_eq!(beats(&mut detector, BEATING, 1), [Belief::Suspected(OTHER)]);
    assert_eq!(beats(&mut detector, BEATING, 9), []);
    assert!(detector.suspects(OTHER) && !detector.suspects(ME));
}

#[test]
fn who_is_heard_in_time_is_never_suspected_and_who_is_heard_late_is_trusted_again() {
    let mut detector = Detector::new(2);
    for _ in 0..9 {
        assert_eq!(beats(&mut detector, BEATING, 2), []);
        assert_eq!(detector.hear(BEATING, OTHER, FIRST), []);
    }
    beats(&mut detector, BEATING, 3);
    assert_eq!(detector.hear(BEATING, OTHER, FIRST), [Belief::Trusted(OTHER)]);
    assert_eq!(beats(&mut detector, BEATING, 3), [Belief::Suspected(OTHER)], "it has learnt nothing");
}

#[test]
fn an_adaptive_one_waits_longer_each_time_that_it_was_wrong() {
    let adaptive = Beating { adaptive: true, ..BEATING };
    let mut detector = Detector::new(2);
    for patience in 2..6 {
        assert_eq!(beats(&mut detector, adaptive, patience), []);
        assert_eq!(beats(&mut detector, adaptive, 1), [Belief::Suspected(OTHER)]);
        assert_eq!(detector.hear(adaptive, OTHER, FIRST), [Belief::Trusted(OTHER)]);
    }
    beats(&mut detector, adaptive, 9);
    assert_eq!(detector.hear(adaptive, OTHER, Heartbeat { life: 2 }), [Belief::Trusted(OTHER)]);
    assert_eq!(beats(&mut detector, adaptive, 7), [Belief::Suspected(OTHER)], "who had died was suspected rightly");
}

#[test]
fn who_comes_back_before_it_is_missed_has_died_all_the_same() {
    let mut detector = Detector::new(2);
    detector.hear(BEATING, OTHER, FIRST);
    let both = [Belief::Suspected(OTHER), Belief::Trusted(OTHER)];
    assert_eq!(detector.hear(BEATING, OTHER, Heartbeat { life: 2 }), both);
    assert_eq!(detector.hear(BEATING, OTHER, Heartbeat { life: 2 }), []);
    beats(&mut detector, BEATING, 3);
    assert_eq!(detector.hear(BEATING, OTHER, FIRST), [], "what an earlier life said is no sign of life");
    assert!(detector.suspects(OTHER));
}

#[test]
fn what_it_is_told_is_news_once() {
    let mut detector = Detector::new(2);
    assert!(detector.believe(Belief::Suspected(OTHER)) && !detector.believe(Belief::Suspected(OTHER)));
    assert!(detector.believe(Belief::Trusted(OTHER)) && !detector.believe(Belief::Trusted(OTHER)));
    assert!(!detector.believe(Belief::Suspected(NodeId(9))), "there is no such process");
}
