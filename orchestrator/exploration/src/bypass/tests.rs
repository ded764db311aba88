//! Tests of the measured bypass. The maximum over all schedules, and a schedule that exceeds the bound, are compared
//! with the metric of single runs.

use interlock_algorithm::mutual_exclusion::dijkstra_ring::DijkstraRing;
use interlock_algorithm::{Algorithm, LockId, NodeId, catalogue};
use interlock_machine::lock_choice::LockChoice;
use serde_json::{Value, json};

use super::Bypass;
use crate::parts::PartsOf;
use crate::process::Frame;
use crate::search::Search;
use crate::system::System;
use crate::tests::Walk;
use crate::{Environment, Exploration, Explored, Property, Strategy, Verdict};
use interlock_model::specification::{Draft, Specification};
use interlock_observation::metrics::MetricsDocument;
use interlock_simulation::schedule::Schedule;
use interlock_simulation::simulation::Simulation;

fn specification(named: &str, nodes: u32) -> Specification {
    specified(named, nodes, json!({}))
}

/// Returns the specification of a run. `document` contains the fields other than the algorithm, its variant and its
/// nodes.
fn specified(named: &str, nodes: u32, mut document: Value) -> Specification {
    let (algorithm, variant) = named.split_once('/').expect("ALGORITHM/VARIANT");
    for (name, value) in [("algorithm", json!(algorithm)), ("variant", json!(variant)), ("nodes", json!(nodes))] {
        document[name] = value;
    }
    document["seed"] = json!(1);
    let draft: Draft = serde_json::from_value(document).expect("a draft");
    draft.complete_simulated().expect("a specification")
}

fn explored(named: &str, fifo: bool, requests: &[u8]) -> Explored {
    explored_with(named, 1, requests, Environment::faultless(fifo, 0))
}

fn explored_with(named: &str, locks: u32, requests: &[u8], environment: Environment) -> Explored {
    let exploration = exploration(named, json!({ "locks": locks }), requests, environment);
    exploration.run(|_| true).expect("a configuration that can be")
}

fn exploration(named: &str, document: Value, requests: &[u8], environment: Environment) -> Exploration {
    let nodes = u32::try_from(requests.len()).expect("few");
    Exploration {
        specification: specified(named, nodes, document),
        environment: Environment { requests: requests.to_vec(), ..environment },
        properties: vec![Property::BoundedBypass],
        strategy: Strategy::default(),
    }
}

/// The expected maxima over all schedules: entries since the request arrived, and since the request was made.
#[test]
fn what_comes_first_is_bounded_by_who_else_there_is() {
    for (named, fifo, requests, since_arrival, since_request) in [
        ("ricart-agrawala/sequence-numbers", false, &[3, 3][..], 1, 2),
        ("ricart-agrawala/sequence-numbers", false, &[1, 3, 3], 2, 4),
        ("centralised/arrival-order", false, &[2, 2, 2], 2, 4),
        ("suzuki-kasami/fifo-queue", false, &[2, 2, 2], 2, 4),
        ("lamport/explicit-ack", true, &[3, 3], 1, 1),
        ("bakery/pull", false, &[1, 4], 1, 2),
        ("bakery/pull", false, &[4, 1], 1, 2),
        // The maximum, counted from the request, grows with the number of requests of the other process. The other
        // process may enter repeatedly until the waiting process is through the doorway.
        ("bakery/push", false, &[1, 3], 1, 3),
        ("bakery/push", false, &[1, 4], 1, 4),
    ] {
        let explored = explored(named, fifo, requests);
        let bypass = Some(Bypass { since_arrival, since_request });
        assert_eq!((explored.verdict, explored.measured.bypass), (Verdict::Holds, bypass), "{named} {requests:?}");
    }
}

/// If a process waits for one lock and requests a second lock, it is only in the doorway of the second lock.
#[test]
fn of_several_locks_each_has_a_doorway_of_its_own() {
    let usual = Environment::faultless(false, 0);
    for (named, since_request) in [("bakery/pull", 2), ("bakery/push", 2)] {
        let explored = explored_with(named, 2, &[2, 2], usual.clone());
        let bypass = Some(Bypass { since_arrival: 1, since_request });
        assert_eq!((explored.verdict, explored.measured.bypass), (Verdict::Holds, bypass), "{named}");
    }
}

/// P0 requests locks 0 and 1 together, and P1 requests locks 1 and 2 together. While P1 waits for both of its locks,
/// P0 enters lock 1.
#[test]
fn who_asks_for_several_locks_together_waits_for_each() {
    let take = Some(LockChoice::Neighbours);
    let environment = Environment { take, ..Environment::faultless(false, 0) };
    let explored = explored_with("prevention/together", 3, &[3, 1], environment.clone());
    let bypass = Some(Bypass { since_arrival: 1, since_request: 3 });
    assert_eq!((explored.verdict, explored.measured.bypass), (Verdict::Holds, bypass));
}

/// In no random schedule does the metric exceed the maximum of the exploration. In some configurations, a random
/// schedule reaches the maximum.
#[test]
fn the_metric_counts_no_more_than_is_found() {
    let mut reached = 0;
    let usual = Environment::faultless(false, 0);
    let together = Environment { take: Some(LockChoice::Neighbours), ..usual.clone() };
    let bank = json!({ "existing": "2", "claims": "0;2;2" });
    for (named, parameters, locks, requests, environment, expected) in [
        ("ricart-agrawala/sequence-numbers", json!({}), 1, &[2, 2][..], &usual, (1, 2)),
        ("bakery/pull", json!({}), 2, &[2, 2], &usual, (1, 2)),
        ("bakery/push", json!({}), 2, &[2, 2], &usual, (1, 2)),
        ("prevention/together", json!({}), 3, &[3, 1], &together, (1, 3)),
        ("banker/original", bank, 1, &[0, 2, 1], &usual, (2, 2)),
    ] {
        let document = json!({ "parameters": parameters, "locks": locks });
        let exploration = exploration(named, document, requests, environment.clone());
        let bypass = exploration.run(|_| true).expect("a configuration that can be").measured.bypass;
        let configuration = exploration.specification.configuration();
        let mut most = Bypass::default();
        for seed in 0..400 {
            let walk = Walk { exploration: &exploration, seed };
            let (schedule, ..) =
                catalogue::instantiate_erased(&configuration, walk).expect("a configuration that can be");
            let metrics = played(&schedule);
            most = most.max(Bypass {
                since_arrival: metrics.bypass_max.try_into().expect("few"),
                since_request: metrics.bypass_from_request_max.try_into().expect("few"),
            });
        }
        let (since_arrival, since_request) = expected;
        assert_eq!(bypass, Some(Bypass { since_arrival, since_request }), "{named}");
        assert_eq!(bypass.map(|bypass| bypass.max(most)), bypass, "{named}: {most:?}");
        reached += u32::from(Some(most) == bypass);
    }
    assert!(reached > 1, "{reached}");
}

/// Explores a ring in which messages are received in the instant in which they are sent. Returns whether P2 enters
/// in some transition in which P1 leaves, and asserts that this entry is counted.
fn hands_over(specification: &Specification) -> bool {
    const LOCK: LockId = LockId(0);
    let setting = DijkstraRing::configure(&specification.configuration()).expect("a ring");
    let environment = Environment::faultless(false, 1);
    let frame = Frame {
        setting: &setting,
        environment: &environment,
        order: false,
        bypass: true,
        promises: false,
        nodes: 3,
        locks: 1,
        seed: 1,
    };
    let parts = Box::new(PartsOf::<DijkstraRing>::new(frame, None));
    let mut system = System::new(&environment, 3, parts).expect("an environment that can be");
    let mut search = Search::new(&mut system, &[], Strategy::default());
    search.run(&mut |_| true);
    let (mut edges, mut handed) = (Vec::new(), 0);
    for from in (0_u32..).take(search.count()) {
        search.follow(from, |_, _, to| edges.extend(to.map(|to| (from, to))));
    }
    for (from, to) in edges {
        let is_inside = |number, node| search.has(number, NodeId(node), LOCK) > 0;
        if is_inside(from, 1) && is_inside(to, 2) && !is_inside(from, 2) {
            assert_eq!(search.entries(from, to, NodeId(0), LOCK), 1);
            handed += 1;
        }
    }
    handed > 0
}

#[test]
fn who_enters_on_the_way_on_which_another_leaves_is_counted() {
    assert!(hands_over(&specification("dijkstra-ring/composite", 3)));
}

/// A process requests again after its request is aborted. If the process may request again without limit, other
/// processes may also enter without limit before this process.
#[test]
fn it_is_counted_only_where_who_is_aborted_asks_again_so_many_times() {
    let environment = |again| Environment { take: Some(LockChoice::All), again, ..Environment::faultless(false, 1) };
    let exploration = |environment| Exploration {
        specification: Specification { locks: 2, ..specification("wait-die/original", 2) },
        environment,
        properties: vec![Property::BoundedBypass],
        strategy: Strategy::default(),
    };
    let refusal = exploration(environment(None)).run(|_| true).expect_err("there may be no end of it");
    assert!(refusal.to_string().contains("--again"), "{refusal}");
    let explored = exploration(environment(Some(1))).run(|_| true).expect("a configuration that can be");
    assert_ne!(explored.verdict, Verdict::Unfinished);
}

/// Replays a schedule, and returns the metrics of the run.
fn played(schedule: &Schedule) -> MetricsDocument {
    let played = Simulation::of_schedule(schedule).replay(schedule).expect("a configuration that can be");
    played.expect("it happens").metrics.expect("they are measured")
}

/// Replays a schedule. Returns the maximum number of entries of other processes between the arrival of a request and
/// its entry.
fn passed_over(schedule: &Schedule) -> u64 {
    played(schedule).bypass_max
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
        strategy: Strategy::default(),
    };
    for environment in [
        Environment { lose: 1, ..usual.clone() },
        Environment { duplicate: 1, ..usual.clone() },
        Environment { crash: 1, ..usual.clone() },
        Environment { room: Some(1), ..usual.clone() },
        Environment { unlimited: true, ..usual.clone() },
    ] {
        let refusal = exploration(environment).run(|_| true).expect_err("nobody knows");
        assert!(refusal.to_string().contains("the bypass is counted"), "{refusal}");
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
