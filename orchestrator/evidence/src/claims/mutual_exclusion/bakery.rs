//! Lamport's bakery, 1974.

use std::fmt;

use serde_json::{Value, json};

use super::super::explored::{Scene, Scenes, break_rules};
use super::super::live::Move::{self, Acquire, Deliver};
use super::super::live::Playground;
use super::super::simulated::{Rules, heavy, light, loaded, metrics, only, reasons, recorded, simulate, variant};
use super::{Claim, CouldNotRun, Experiment, Finding, How, Measurement, Showing, bakery_crash};
use interlock_exploration::{Bypass, Property};
use interlock_model::event::Event;

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "BAK-1",
        showings: &[
            Showing::explored(no_choosing).beside(Experiment::Schedules(choosing)),
            Showing::live(without_choosing).beside(Experiment::Live(with_choosing)),
        ],
    },
    Claim {
        id: "BAK-2",
        showings: &[
            Showing::of(How::Exploration, in_turn).beside(Experiment::Alone(in_turn_with_push)),
            Showing::of(How::Simulation, rules).beside(Experiment::Alone(rules_without_choosing)),
        ],
    },
    Claim { id: "BAK-3", showings: &[Showing::of(How::Simulation, cost)] },
    Claim {
        id: "BAK-4",
        showings: &[
            Showing::explored(bakery_crash::told).beside(Experiment::Schedules(bakery_crash::untold)),
            Showing::live(bakery_crash::live).beside(Experiment::Live(bakery_crash::live_untold)),
        ],
    },
    Claim { id: "BAK-5", showings: &[Showing::of(How::Simulation, never_idle).beside(Experiment::Alone(often_idle))] },
];

/// All schedules of two processes that request once each, without `choosing`.
fn no_choosing() -> Scenes {
    break_rules(&[(Scene::new("bakery/no-choosing", 2, &[1]), Property::MutualExclusion)])
}

fn choosing() -> Scenes {
    break_rules(&[(Scene::new("bakery/pull", 2, &[1]), Property::MutualExclusion)])
}

/// Executes the schedule of the late draw without `choosing`. Two processes enter.
fn without_choosing(playground: &Playground) -> Measurement {
    late_draw(playground, "no-choosing", "no-choosing: P1 inside after 7 steps, and P0 too after 3 more")
}

/// Executes the schedule of the late draw with `choosing`. At most one process enters.
fn with_choosing(playground: &Playground) -> Measurement {
    late_draw(playground, "pull", "pull, the same and 60 messages more: at most one")
}

/// Schedule of the late draw. Both processes read 0. The answer to P1 arrives, P1 draws 1, and P1 reads the
/// variables of P0, which has not drawn yet.
const LATE_DRAW: [Move; 7] = [
    Acquire(0),
    Acquire(1),
    Deliver("READ", 0, 1),
    Deliver("READ", 1, 0),
    Deliver("VALUE", 0, 1),
    Deliver("READ", 1, 0),
    Deliver("VALUE", 0, 1),
];

/// Executes the schedule of the late draw, and then delivers messages until two processes are in the critical
/// section. The measurement holds if this takes three deliveries and a monitor reports the violation.
fn late_draw(playground: &Playground, variant: &str, expected: &str) -> Measurement {
    let stage = playground.stage(json!({
        "algorithm": "bakery", "variant": variant, "nodes": 2, "network": { "hold": true },
    }))?;
    stage.play(&LATE_DRAW)?;
    let first = stage.inside();
    // In the bakery, a waiting process sends READ messages without end, so the number of deliveries needs a limit.
    let mut more = 0;
    while stage.inside().len() < 2 && more < 60 && stage.deliver_at_most(1)? == 1 {
        more += 1;
    }
    let (inside, violations) = (stage.inside(), stage.violations());
    Ok(Finding {
        expected: expected.into(),
        measured: format!("{first:?} inside, {more} steps later {inside:?}"),
        holds: first == [1] && inside == [1, 0] && more == 3 && violations == 1,
    })
}

/// Measures the maximum number of bypasses over all schedules, with two and with three processes.
fn in_turn() -> Measurement {
    let expected = "pull: the properties hold; others enter first N−1 times at most, 2(N−1) times from the request on";
    passed_over("pull", &[(2, &[1, 4]), (3, &[1, 3])], expected)
}

/// Negative control: the same measurement of the variant in which processes push their numbers.
fn in_turn_with_push() -> Measurement {
    passed_over("push", &[(2, &[1, 4])], "push: more than 2(N−1) times from the request on")
}

/// Explores all schedules in which one process requests once, and each other process requests more often than it
/// may enter before the first process.
fn passed_over(variant: &str, scenes: &[(u32, &'static [u8])], expected: &str) -> Measurement {
    let mut measured = Vec::new();
    let mut holds = true;
    for &(nodes, requests) in scenes {
        let found = Scene::new(format!("bakery/{variant}"), nodes, requests).in_turn().bypass()?;
        let bound = Bypass { since_arrival: nodes - 1, since_request: 2 * (nodes - 1) };
        holds &= found == Some(bound);
        measured.push(match found {
            Some(Bypass { since_arrival, since_request }) => {
                format!("N = {nodes}: {since_arrival} times, {since_request} from the request on")
            }
            None => format!("N = {nodes}: a property is violated"),
        });
    }
    Ok(Finding { expected: expected.into(), measured: measured.join("; "), holds })
}

/// Checks the properties of both variants with `choosing`.
fn rules() -> Measurement {
    let (pull, push) = (examined("pull")?, examined("push")?);
    Ok(Finding {
        expected: "N = 3, delays of 1 T and now and then much more: all granted, no property violated; others enter \
                   first N−1 = 2 times at most, and so often, through the doorway, 2(N−1) = 4 from the request on with \
                   pull, more with push"
            .into(),
        measured: format!("pull: {pull}; push: {push}"),
        holds: pull.rules.kept()
            && push.rules.kept()
            && (pull.from_doorway, pull.from_request, push.from_doorway) == (2, 4, 2)
            && push.from_request > 4,
    })
}

/// Negative control: checks the properties without `choosing`.
fn rules_without_choosing() -> Measurement {
    let examined = examined("no-choosing")?;
    Ok(Finding {
        expected: "without `choosing`, ME1 broken".into(),
        measured: examined.to_string(),
        holds: examined.rules.overlapping == 0,
    })
}

/// Results of runs: whether the properties hold, and the maximum number of bypasses.
struct Bypassed {
    rules: Rules,
    from_doorway: u64,
    from_request: u64,
}

impl fmt::Display for Bypassed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rules, from_doorway, from_request } = self;
        write!(formatter, "{rules}, overtaken at most {from_doorway} times from the doorway, {from_request} in all")
    }
}

fn examined(sharing: &str) -> Result<Bypassed, CouldNotRun> {
    let mut document = variant(loaded("bakery", 3, "exp:5"), sharing);
    document["network"]["delay"] = json!("pareto:1,1.2");
    document["workload"]["hold"] = json!("0");
    let mut bypassed = Bypassed { rules: Rules::default(), from_doorway: 0, from_request: 0 };
    for seed in 1..=20 {
        document["seed"] = json!(seed);
        let report = simulate(document.clone(), 60)?;
        bypassed.rules.add(&report, 60)?;
        let metrics = metrics(&report)?;
        bypassed.from_doorway = bypassed.from_doorway.max(metrics.bypass_max);
        bypassed.from_request = bypassed.from_request.max(metrics.bypass_from_request_max);
    }
    Ok(bypassed)
}

/// Returns the number that a node draws in the step that `event` reports, or none if the node draws no number.
fn drawn(event: &Event) -> Option<u64> {
    reasons(event).find(|reason| reason["code"] == "drew").and_then(|reason| reason["number"].as_u64())
}

/// Counts the messages if one process requests alone, and if all processes request at the same time.
fn cost() -> Measurement {
    let messages = |document: Value| simulate(document, 100).map(|report| report.messages);
    let alone = |sharing, nodes| messages(only(variant(light("bakery", nodes), sharing), &[1]));
    let all = |sharing| messages(variant(heavy("bakery", 5), sharing));
    let pull = [alone("pull", 5)?, alone("pull", 10)?, all("pull")?];
    let push = [alone("push", 5)?, alone("push", 10)?, all("push")?];
    Ok(Finding {
        expected: "100 entries, one asking, N = 5 / 10: pull 6(N−1) each, 2400 / 5400; push 8(N−1) each, 3200 / 7200; \
                   all asking, N = 5: pull more than 2400, push 3200"
            .into(),
        measured: format!("pull {} / {}, {}; push {} / {}, {}", pull[0], pull[1], pull[2], push[0], push[1], push[2]),
        holds: pull[..2] == [2_400, 5_400] && pull[2] > 2_400 && push == [3_200, 7_200, 3_200],
    })
}

/// Measures the drawn numbers if all processes request again as soon as they have exited.
fn never_idle() -> Measurement {
    numbers("0", "while some process always waits: after E entries at least E/N, since each draws more than before")
}

/// Negative control: measures the drawn numbers if all processes rest for a long time after each exit.
fn often_idle() -> Measurement {
    numbers("exp:1000000", "when all rest long: 1 again and again")
}

/// Measures the greatest number that a process draws in the first 60, 240 and 960 entries.
fn numbers(idle: &str, expected: &str) -> Measurement {
    const NODES: u64 = 3;
    const ENTRIES: [u64; 3] = [60, 240, 960];
    let greatest = |sharing, entries| {
        let report = recorded(variant(loaded("bakery", 3, idle), sharing), entries)?;
        Ok(report.events.iter().filter_map(drawn).max().unwrap_or_default())
    };
    let greatest =
        |sharing| Ok([greatest(sharing, ENTRIES[0])?, greatest(sharing, ENTRIES[1])?, greatest(sharing, ENTRIES[2])?]);
    let (pull, push) = (greatest("pull")?, greatest("push")?);
    Ok(Finding {
        expected: format!("N = 3, {expected}"),
        measured: format!("pull {pull:?}, push {push:?} after {ENTRIES:?}"),
        holds: [pull, push]
            .iter()
            .flatten()
            .zip(ENTRIES.iter().cycle())
            .all(|(&greatest, entries)| greatest >= entries / NODES),
    })
}
