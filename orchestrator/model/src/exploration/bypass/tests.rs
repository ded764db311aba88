//! The most that others enter first, and a schedule on which it is too often, held against the metric of every run.

use serde_json::json;

use super::Bypass;
use crate::exploration::{Environment, Exploration, Explored, Manner, Property, Verdict};
use crate::schedule::Schedule;
use crate::simulation::Simulation;
use crate::specification::{Draft, Specification};

fn specification(named: &str, nodes: u32) -> Specification {
    let (algorithm, variant) = named.split_once('/').expect("ALGORITHM/VARIANT");
    let document = json!({ "algorithm": algorithm, "variant": variant, "nodes": nodes, "seed": 1 });
    let draft: Draft = serde_json::from_value(document).expect("a draft");
    draft.complete_simulated().expect("a specification")
}

fn explored(named: &str, fifo: bool, requests: &[u8]) -> Explored {
    let nodes = u32::try_from(requests.len()).expect("few");
    let environment = Environment { requests: requests.to_vec(), ..Environment::faultless(fifo, 0) };
    let exploration = Exploration {
        specification: specification(named, nodes),
        environment,
        properties: vec![Property::BoundedBypass],
        manner: Manner::default(),
    };
    exploration.run(|_| true).expect("a configuration that can be")
}

/// The most over all schedules, since a request has arrived and since it was made.
#[test]
fn what_comes_first_is_bounded_by_who_else_there_is() {
    for (named, fifo, requests, since_arrival, since_request) in [
        ("ricart-agrawala/sequence-numbers", false, &[3, 3][..], 1, 2),
        ("ricart-agrawala/sequence-numbers", false, &[1, 3, 3], 2, 4),
        ("centralised/arrival-order", false, &[2, 2, 2], 2, 4),
        ("suzuki-kasami/fifo-queue", false, &[2, 2, 2], 2, 4),
        ("lamport/explicit-ack", true, &[3, 3], 1, 1),
        ("dijkstra-ring/composite", false, &[1, 3, 3], 2, 2),
        ("bakery/pull", false, &[1, 4], 1, 2),
        ("bakery/pull", false, &[4, 1], 1, 2),
        // However often the other asks: it may enter all that time before one is through the doorway.
        ("bakery/push", false, &[1, 3], 1, 3),
        ("bakery/push", false, &[1, 4], 1, 4),
    ] {
        let explored = explored(named, fifo, requests);
        let bypass = Some(Bypass { since_arrival, since_request });
        assert_eq!((explored.verdict, explored.measured.bypass), (Verdict::Holds, bypass), "{named} {requests:?}");
    }
}

/// How often somebody was passed over in a run, since its request had arrived.
fn passed_over(schedule: &Schedule) -> u64 {
    let played = Simulation::of_schedule(schedule).replay(schedule).expect("a configuration that can be");
    played.expect("it happens").metrics.expect("they are measured").bypass_max
}

#[test]
fn who_is_passed_over_too_often_is_found_and_the_metric_counts_the_same() {
    for (named, length) in [
        ("ricart-agrawala/no-timestamps", 19),
        ("suzuki-kasami/lifo-queue", 14),
        ("raymond/original", 9),
        ("naimi-trehel/original", 11),
    ] {
        let explored = explored(named, false, &[2, 2, 2]);
        let Verdict::Violated { property: Property::BoundedBypass, schedule } = explored.verdict else {
            panic!("{named}: {explored:?}")
        };
        assert_eq!((schedule.choices.len(), passed_over(&schedule)), (length, 3), "{named}");
        let mut shorter = *schedule;
        shorter.choices.pop();
        assert_eq!(passed_over(&shorter), 2, "{named}: one choice before");
        assert_eq!(explored.measured.bypass, None);
    }
}

#[test]
fn it_is_counted_only_where_every_message_arrives_once_and_nothing_is_said_before_the_end() {
    let usual = Environment::faultless(false, 2);
    let exploration = |environment| Exploration {
        specification: specification("ricart-agrawala/no-timestamps", 3),
        environment,
        properties: vec![Property::BoundedBypass],
        manner: Manner::default(),
    };
    for environment in [
        Environment { lose: 1, ..usual.clone() },
        Environment { duplicate: 1, ..usual.clone() },
        Environment { crash: 1, ..usual.clone() },
        Environment { room: Some(1), ..usual.clone() },
        Environment { unlimited: true, ..usual.clone() },
    ] {
        let refusal = exploration(environment).run(|_| true).expect_err("nobody knows");
        assert!(refusal.to_string().contains("how often others enter first"), "{refusal}");
    }
    let (mut looks, mut judged) = (0, 0);
    let whole = exploration(usual.clone()).run(|progress| {
        looks += 1;
        judged += u32::from(progress.judging);
        true
    });
    assert!(matches!(whole, Ok(Explored { verdict: Verdict::Violated { .. }, .. })) && judged > 1, "{judged}");
    for most in [1, looks - judged, looks - 1] {
        let mut left = most;
        let cut = exploration(usual.clone()).run(|_| {
            left -= 1;
            left > 0
        });
        let cut = cut.expect("a configuration that can be");
        assert_eq!((cut.verdict, cut.measured.bypass), (Verdict::Unfinished, None), "{most} of {looks}");
    }
}
