//! Ricart and Agrawala 1983, with a token.

use interlock_algorithm::Value;
use serde_json::json;

use super::super::explored::{Scene, Scenes, hold};
use super::super::live::Playground;
use super::super::simulated::{
    Rules, acquire, heavy, idle, is_about, is_always, jittery, light, metrics, only, run, scripted, simulate,
    simulation, spread, variant,
};
use super::handed_over::HandedOver;
use super::{Claim, CouldNotRun, Experiment, Finding, How, Measurement, Showing};

pub(super) const CLAIMS: &[Claim] = &[
    Claim { id: "RAT-1", showings: &[Showing::live(messages), Showing::of(How::Simulation, cost)] },
    Claim {
        id: "RAT-2",
        showings: &[
            Showing::explored(all_schedules).beside(Experiment::Schedules(all_schedules_with_a_copy)),
            Showing::of(How::Simulation, both_orders).beside(Experiment::Alone(copied_messages)),
        ],
    },
    Claim { id: "RAT-3", showings: &[Showing::of(How::Simulation, delays)] },
];

/// All schedules of three processes that request: one process requests twice, and the others once. Messages
/// overtake each other.
fn all_schedules() -> Scenes {
    let orders = ["ricart-agrawala-token/ring-order", "ricart-agrawala-token/longest-waiting"];
    hold(&orders.map(|order| Scene::new(order, 3, &[2, 1]).overtaking()))
}

/// Negative control: the token may be duplicated, which the algorithm assumes not to happen.
fn all_schedules_with_a_copy() -> Scenes {
    hold(&[Scene::new("ricart-agrawala-token/ring-order", 3, &[2, 1]).overtaking().copied()])
}

/// Measures the cost of entries if processes enter one after the other, beginning with P0, which has the token. Then
/// all processes enter 20 times each, at the same time.
fn messages(playground: &Playground) -> Measurement {
    let stage = playground.stage(json!({ "algorithm": "ricart-agrawala-token", "nodes": 5 }))?;
    let prices = stage.prices(&[0, 3, 3, 1, 0])?;
    let token = stage.views()?.into_iter().find_map(|mut view| view.variables.remove("token"));
    let Some(Value::Numbers(visits)) = token else { return Err(CouldNotRun::because("nobody shows the token")) };
    let in_turn = matches!(visits[..], [p0, p1, 0, p3, 0] if 0 < p3 && p3 < p1 && p1 < p0);
    let run = playground.drained("ricart-agrawala-token", 5, 20)?;
    let [requests, tokens] =
        ["REQUEST", "TOKEN"].map(|kind| run.messages_by_kind.get(kind).copied().unwrap_or_default());
    Ok(Finding {
        expected: "N = 5, P0, P3, P3, P1, P0 in turn: 0, 5, 0, 5, 5; the token was last at P3, P1, P0 in turn, \
                   never at P2, P4; under load N−1 = 4 REQUEST for each TOKEN"
            .into(),
        measured: format!(
            "{prices:?}, last visits {visits:?}; {requests} REQUEST, {tokens} TOKEN for {} entries",
            run.entries
        ),
        holds: prices == [0, 5, 0, 5, 5]
            && in_turn
            && run.entries == 100
            && requests == 4 * tokens
            && tokens <= run.entries,
    })
}

/// Measures the cost at light load, at heavy load, and if one process enters alone and therefore keeps the token.
fn cost() -> Measurement {
    let light_load = HandedOver::of(&simulation(light("ricart-agrawala-token", 10), 3_000)?)?;
    let heavy_load = HandedOver::of(&simulation(heavy("ricart-agrawala-token", 10), 3_000)?)?;
    let alone = simulate(only(light("ricart-agrawala-token", 10), &[0]), 1_000)?.messages;
    Ok(Finding {
        expected:
            "N = 10, light and heavy load: N−1 = 9 REQUEST and 1 TOKEN for each of 3000 entries but those of who \
                   has the token; P0, who has it, alone: 0 for 1000"
                .into(),
        measured: format!("{light_load}; {heavy_load}; {alone}"),
        holds: [&light_load, &heavy_load].iter().all(|run| run.costs(9) && run.entries == 3_000) && alone == 0,
    })
}

/// Runs ten processes: P0 is in the critical section, and P9 requests. Then P1, P2, … P8 request, each while
/// another process is in the section. Returns the maximum number of times that a waiting process is bypassed.
fn one_by_one(order: &str) -> Result<u64, CouldNotRun> {
    let mut script = vec![acquire(0, 0, Some(10)), acquire(1, 9, Some(10))];
    script.extend((1..=8).map(|node| acquire(u64::from(11 * node - 6), node, Some(10))));
    let report = run(&scripted(variant(idle("ricart-agrawala-token", 10), order), script)?)?;
    Ok(metrics(&report)?.bypass_max)
}

/// Checks the properties while messages overtake each other, and measures how often a waiting process is bypassed.
fn both_orders() -> Measurement {
    let orders = ["ring-order", "longest-waiting"];
    let rules = |order| Rules::of(&variant(jittery("ricart-agrawala-token", 5), order), 20, 100);
    let rules = [rules(orders[0])?, rules(orders[1])?];
    let passed = [one_by_one(orders[0])?, one_by_one(orders[1])?];
    Ok(Finding {
        expected:
            "ring-order, longest-waiting, N = 5, delays of 0 … 9 T: all requests granted, no property violated; N = \
             10, P0 inside, P9 asks, then P1 … P8, each while another is inside: some process is overtaken 8 times, \
             once"
                .into(),
        measured: format!("{}; {}; overtaken {}, {}", rules[0], rules[1], passed[0], passed[1]),
        holds: rules.iter().all(|rules| rules.kept()) && passed == [8, 1],
    })
}

/// Negative control: random duplication of messages creates a second token. The control holds if no property is
/// violated.
fn copied_messages() -> Measurement {
    let mut document = jittery("ricart-agrawala-token", 5);
    document["network"]["duplicate"] = json!(0.2);
    let rules = Rules::of(&document, 20, 100)?;
    Ok(Finding {
        expected: "every fifth message twice: properties are violated".into(),
        measured: rules.to_string(),
        holds: rules.broken == 0,
    })
}

/// Measures the delays at light and at heavy load. For comparison, also measures the messages per entry of Maekawa's
/// algorithm whose voting sets are the lines of a projective plane.
fn delays() -> Measurement {
    let rare = HandedOver::of(&simulation(light("ricart-agrawala-token", 5), 3_000)?)?;
    let [here, elsewhere] = rare.delays_us.each_ref().map(|delays| delays.iter().copied().collect::<Vec<_>>());
    let busy = simulate(heavy("ricart-agrawala-token", 5), 3_000)?;
    let synchronisation = metrics(&busy)?.synchronisation_delay;
    let mut plane = light("maekawa", 31);
    plane["parameters"] = json!({ "coterie": "plane" });
    let cheaper = metrics(&simulate(plane, 500)?)?.messages_per_entry.unwrap_or_default();
    Ok(Finding {
        expected:
            "N = 5, T = 1000 µs: at light load 3000 client delays, [0] with the token and [2000] without; at heavy \
                   load every synchronisation delay 1 T. N is not the least of a symmetric algorithm: Maekawa, N = 31, \
                   3(K−1) = 15"
                .into(),
        measured: format!(
            "{here:?} with, {elsewhere:?} without; {}; Maekawa, N = 31, {cheaper:.2} messages per entry",
            spread(&synchronisation)
        ),
        holds: here == [0] && elsewhere == [2_000] && is_always(&synchronisation, 1.0) && is_about(cheaper, 15.0),
    })
}
