//! Tests that the states are the same with every search strategy.

use std::num::NonZeroUsize;

use interlock_algorithm::catalogue;
use serde_json::{Value, json};

use super::{SearchOrder, Strategy};
use crate::{Beginning, Daemon, Environment, Exploration, Explored, Progress, Property, TimerPolicy, Verdict};
use interlock_model::specification::Draft;

fn explored(document: Value, environment: &Environment, properties: &[Property], strategy: Strategy) -> Explored {
    let draft: Draft = serde_json::from_value(document).expect("a draft");
    let specification = draft.complete_simulated().expect("a specification");
    let exploration =
        Exploration { specification, environment: environment.clone(), properties: properties.to_vec(), strategy };
    exploration.run(|progress| progress.states < 30_000).expect("a configuration that can be")
}

fn threads(threads: usize) -> Strategy {
    Strategy { threads: NonZeroUsize::new(threads).expect("a thread"), ..Strategy::default() }
}

const DEPTH_FIRST: Strategy = Strategy { search: SearchOrder::DepthFirst, threads: NonZeroUsize::MIN };

/// Compares the verdict, the exact schedule, and the numbers of states and transitions.
#[test]
fn the_same_comes_of_it_with_one_thread_and_with_two() {
    let faultless = Environment::faultless(true, 2);
    let any = Environment { beginning: Beginning::Arbitrary { contents: 0 }, ..Environment::faultless(true, 0) };
    let crashing = Environment { crash: 1, restart: true, timers: TimerPolicy::AnyTime(1), ..faultless.clone() };
    let lossy = Environment { lose: 1, duplicate: 1, room: Some(2), ..faultless.clone() };
    let waiting = [Property::MutualExclusion, Property::NobodyStuck, Property::WayOut, Property::StarvationFree];
    let bypass = [Property::BoundedBypass];
    for (algorithm, variant, nodes, locks, environment, properties) in [
        ("lamport", "any-later-message", 2, 1, &faultless, &Property::ALL[..]),
        ("lamport", "no-ack", 3, 1, &faultless, &Property::ALL),
        ("maekawa", "version-1", 3, 1, &faultless, &Property::ALL),
        ("suzuki-kasami", "fifo-queue", 2, 1, &lossy, &Property::ALL),
        ("bully", "original", 3, 1, &crashing, &Property::ALL),
        ("ricart-agrawala", "no-timestamps", 3, 1, &faultless, &bypass),
        ("ricart-agrawala", "sequence-numbers", 3, 1, &Environment::unlimited(false), &waiting),
        ("raymond", "no-further-request", 4, 1, &Environment::unlimited(true), &waiting),
        (
            "dijkstra-ring",
            "composite",
            4,
            1,
            &Environment { daemon: Daemon::Distributed, ..any.clone() },
            &Property::STABILISATION,
        ),
        (
            "dijkstra-ring",
            "composite",
            4,
            1,
            &Environment { daemon: Daemon::Synchronous, ..any },
            &Property::STABILISATION,
        ),
    ] {
        let variants = catalogue::find(algorithm).expect("an entry").variants;
        assert!(variants.iter().any(|other| other.name == variant), "{algorithm} has no {variant}");
        let document = json!({ "algorithm": algorithm, "variant": variant, "nodes": nodes, "locks": locks, "seed": 1 });
        let run = |strategy| explored(document.clone(), environment, properties, strategy);
        let alone = run(Strategy::default());
        let both = run(threads(2));
        let progress = |explored: &Explored| Progress { memory: 0, ..explored.progress };
        let what = format!("{algorithm}/{variant} {environment:?}: {alone:?} {both:?}");
        assert_ne!(alone.verdict, Verdict::Unfinished, "{what}");
        assert_eq!((&alone.verdict, progress(&alone)), (&both.verdict, progress(&both)), "{what}");
        let known = |explored: &Explored| (explored.measured, explored.is_shortest, explored.is_fewest);
        assert_eq!(known(&alone), known(&both), "{what}");
        let in_depth = run(DEPTH_FIRST);
        assert!(!in_depth.is_shortest && !in_depth.is_fewest, "{algorithm}/{variant}");
        if alone.verdict == Verdict::Holds {
            assert_eq!(in_depth.verdict, Verdict::Holds, "{algorithm}/{variant}");
            assert_eq!(in_depth.measured, alone.measured, "{algorithm}/{variant}");
            let counts = |explored: &Explored| (explored.progress.states, explored.progress.transitions);
            assert_eq!(counts(&in_depth), counts(&alone), "{algorithm}/{variant}");
        }
    }
}

/// A depth-first search finds a distant violation after fewer states, with a schedule that is longer than necessary.
#[test]
fn what_is_found_depth_first_breaks_the_same_rule_with_fewer_states_and_more_choices() {
    let document = json!({ "algorithm": "ricart-agrawala", "variant": "no-timestamps", "nodes": 3, "seed": 1 });
    let run = |strategy| {
        let environment = Environment::faultless(false, 2);
        explored(document.clone(), &environment, &[Property::MutualExclusion], strategy)
    };
    let (breadth, depth) = (run(Strategy::default()), run(DEPTH_FIRST));
    let length = |explored: &Explored| match &explored.verdict {
        Verdict::Violated { property: Property::MutualExclusion, schedule } => schedule.choices.len(),
        other => panic!("{other:?}"),
    };
    assert!(breadth.is_shortest && !depth.is_shortest);
    assert!(length(&depth) > length(&breadth), "{} {}", length(&depth), length(&breadth));
    assert!(depth.progress.states < breadth.progress.states, "{:?} {:?}", depth.progress, breadth.progress);
}
