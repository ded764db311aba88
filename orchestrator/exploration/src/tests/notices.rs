//! Tests of crashes that are reported at any moment. Algorithms that need the notices must make progress, and
//! incorrect reactions must be found.

use super::{SAFE, broken, choices, explored, replayed, specification};
use crate::{Environment, Exploration, Property, Strategy, Verdict};
use interlock_model::specification::{Detector, Heartbeats};
use interlock_simulation::simulation::Report;

/// Returns an environment with one crash and FIFO links. The crashed process restarts without stored state, or not
/// at all. A perfect failure detector reports crashes, or no detector does.
fn mortal(restart: bool, requests: &[u8], detector: Detector) -> Environment {
    let requests = requests.to_vec();
    Environment { crash: 1, restart, forget: true, detector, requests, ..Environment::faultless(true, 0) }
}

/// Algorithms that need notices make progress whenever the notices arrive, and get stuck without them. If no process
/// crashes, there are no notices.
#[test]
fn who_is_told_of_deaths_goes_on_without_the_dead() {
    for (algorithm, variant, restart) in
        [("bakery", "pull", false), ("bakery", "pull", true), ("ricart-agrawala", "remove-dead", false)]
    {
        let run = |crash, detector| {
            let environment = Environment { crash, ..mortal(restart, &[1], detector) };
            explored(specification(algorithm, variant, 2), environment, &SAFE)
        };
        let [told, untold] = [Detector::Perfect, Detector::None].map(|detector| run(1, detector));
        assert_eq!(told.verdict, Verdict::Holds, "{algorithm}/{variant}");
        broken(&untold, Property::NobodyStuck);
        let [watched, unwatched] = [Detector::Perfect, Detector::None].map(|detector| run(0, detector).progress);
        assert_eq!((watched.states, watched.transitions), (unwatched.states, unwatched.transitions), "{algorithm}");
    }
}

/// Explores variants that react incorrectly to a crash or a restart. The schedule that is found contains the time of
/// each notice, and can be played in the world.
#[test]
fn who_makes_the_wrong_thing_of_a_death_is_found_by_a_schedule_that_says_when_it_is_told() {
    for (algorithm, wrong, right, restart, requests) in [
        ("ricart-agrawala", "asks-at-once", "remove-dead", true, [1, 1, 0]),
        ("maekawa", "forgetful-succession", "succession", true, [0, 1, 1]),
        ("raymond", "hasty-recovery", "recovery", true, [1, 1, 1]),
        ("raymond", "hasty-bridging", "bridging", false, [0, 1, 1]),
        ("dijkstra-ring", "no-heir", "message-passing", false, [0, 1, 1]),
    ] {
        let run = |variant| {
            let environment = mortal(restart, &requests, Detector::Perfect);
            explored(specification(algorithm, variant, 3), environment, &[Property::MutualExclusion])
        };
        assert_eq!(run(right).verdict, Verdict::Holds, "{algorithm}/{right}");
        let found = run(wrong);
        let schedule = broken(&found, Property::MutualExclusion);
        assert_eq!(schedule.specification.detector, Detector::Perfect);
        let steps = choices(schedule);
        assert!(steps.iter().any(|step| step.starts_with("{suspect:")), "{steps:?}");
        let told = |report: &Report| report.events.iter().filter(|event| event.kind() == "suspected").count();
        let tells = steps.iter().filter(|step| step.starts_with("{suspect:")).count();
        assert_eq!(told(&replayed(schedule)), tells, "{steps:?}");
    }
}

/// An answer may be in transit when its sender crashes. If messages may overtake each other, the receiver may mistake
/// this answer for the answer to a later question.
#[test]
fn where_messages_overtake_the_bakery_takes_an_answer_of_before_a_death_for_a_new_one() {
    let run = |fifo| {
        let environment = Environment { fifo, ..mortal(true, &[1, 2], Detector::Perfect) };
        explored(specification("bakery", "pull", 2), environment, &SAFE)
    };
    assert_eq!(run(true).verdict, Verdict::Holds);
    broken(&run(false), Property::MutualExclusion);
}

/// An exploration refuses two kinds of notices. If messages are received in the instant in which they are sent, no
/// crash is reported. Heartbeats depend on time, which explorations do not model.
#[test]
fn deaths_are_not_told_where_all_is_known_at_once_or_by_time() {
    let refused = |algorithm, variant, detector| {
        let (specification, environment) = (specification(algorithm, variant, 3), mortal(false, &[1], detector));
        let properties = SAFE.to_vec();
        let exploration = Exploration { specification, environment, properties, strategy: Strategy::default() };
        exploration.run(|_| true).expect_err("it cannot be").to_string()
    };
    let heartbeat = refused("bakery", "pull", Detector::Heartbeat(Heartbeats::default()));
    assert!(heartbeat.contains("heartbeats depend on time"), "{heartbeat}");
    let at_once = refused("dijkstra-ring", "composite", Detector::Perfect);
    assert!(at_once.contains("there is no failure detector"), "{at_once}");
}
