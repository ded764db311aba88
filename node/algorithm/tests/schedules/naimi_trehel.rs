//! Naimi and Tréhel's algorithm, which requests a token by path reversal.

use interlock_algorithm::Value;
use interlock_algorithm::mutual_exclusion::naimi_trehel::NaimiTrehel;

use crate::driver::Scene;
use crate::driver::clients::lockers;
use crate::driver::costs::{costs, count};
use crate::driver::exhaustive::{Broken, breaks, holds};
use crate::driver::faults::{FIFO, Faults, OVERTAKING};
use crate::driver::forged::survives;
use crate::driver::random::exclusion;
use crate::driver::script::Script;

type Stage = Script<NaimiTrehel>;

#[test]
fn every_schedule_of_a_small_run_is_right() {
    for channel in [FIFO, OVERTAKING] {
        holds::<NaimiTrehel>("original", 1, 2, channel);
        holds::<NaimiTrehel>("original", 2, 3, channel);
        holds::<NaimiTrehel>("original", 3, 2, channel);
        holds::<NaimiTrehel>("original holder=2", 4, 1, channel);
    }
}

/// For each request of a process without the token, one TOKEN is sent. The number of its REQUESTs is between 1 and
/// N − 1.
#[test]
fn schedules_drawn_at_random_are_right_and_keep_the_price() {
    for channel in [FIFO, OVERTAKING] {
        costs::<NaimiTrehel>("original", 1..=7, channel, &exclusion(), |sent, nodes, entries| {
            let (requests, tokens) = (count(sent, "REQUEST"), count(sent, "TOKEN"));
            tokens <= requests && requests <= (nodes - 1) * tokens && tokens <= nodes * entries
        });
    }
}

#[test]
fn the_path_is_reversed() {
    let mut stage = Stage::begin("original", 4);
    assert_eq!([stage.enter_alone(0), stage.enter_alone(1), stage.enter_alone(1)], [0, 2, 0]);
    assert_eq!(stage.variable(0, "father"), Value::Number(1));
    assert_eq!(stage.enter_alone(2), 3);
    for (node, father) in [(0, 2), (1, 2), (3, 0)] {
        assert_eq!(stage.variable(node, "father"), Value::Number(father));
    }
    assert_eq!(stage.variable(2, "father"), Value::Text("nil".into()));
}

#[test]
fn those_who_wait_know_who_is_next() {
    let mut stage = Stage::begin("original", 3);
    stage.acquire(0);
    for node in [2, 1] {
        stage.acquire(node);
        stage.deliver_all();
    }
    assert_eq!([0, 2].map(|node| stage.variable(node, "next")), [Value::Number(2), Value::Number(1)]);
    for next in [2, 1] {
        let inside = stage.inside()[0];
        stage.release(inside);
        stage.deliver_all();
        assert_eq!(stage.inside(), [next]);
    }
}

/// Processes request one at a time, all equally often. The mean number of messages for an entry is then the
/// harmonic number of N − 1.
#[test]
fn the_mean_price_of_an_entry_alone_is_a_harmonic_number() {
    for nodes in [2_u32, 5, 10, 30] {
        let mut stage = Stage::begin("original", nodes);
        let mut seed = 1_u64;
        let mut draw = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            u32::try_from((seed >> 33) % u64::from(nodes)).expect("a node")
        };
        for _ in 0..1_000 {
            stage.enter_alone(draw());
        }
        let entries = 10_000;
        let sent: u32 = (0..entries).map(|_| stage.enter_alone(draw())).sum();
        let mean = f64::from(sent) / f64::from(entries);
        let harmonic: f64 = (1..nodes).map(|k| 1.0 / f64::from(k)).sum();
        println!("{nodes} nodes: {mean} messages an entry, H = {harmonic}");
        assert!((mean / harmonic - 1.0).abs() < 0.02, "{nodes} nodes: {mean}, not {harmonic}");
    }
}

#[test]
fn a_lost_message_is_missed_and_a_copy_is_one_too_many() {
    breaks::<NaimiTrehel>("original", 2, 1, Faults { losses: 1, ..FIFO }, Broken::Progress);
    breaks::<NaimiTrehel>("original", 2, 2, Faults { copies: 1, ..OVERTAKING }, Broken::Exclusion);
}

#[test]
fn forged_messages_are_survived() {
    survives(&Scene::<NaimiTrehel>::new("original", 3, OVERTAKING, lockers(20)));
}
