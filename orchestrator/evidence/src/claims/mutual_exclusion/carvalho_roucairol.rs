//! Carvalho and Roucairol 1983.

use serde_json::json;

use super::super::explored::{Scene, Scenes, differ, hold};
use super::super::live::Playground;
use super::super::simulated::{
    Rules, acquire, heavy, idle, is_about, is_always, jittery, light, loaded, mean_cost, metrics, only, run, scripted,
    simulate, simulation, spread, variant,
};
use super::{Claim, CouldNotRun, Experiment, Finding, How, Measurement, Showing};
use interlock_exploration::Property;
use interlock_simulation::simulation::{Simulation, Watch};

pub(super) const CLAIMS: &[Claim] = &[
    Claim { id: "CAR-1", showings: &[Showing::live(messages), Showing::of(How::Simulation, cost)] },
    Claim {
        id: "CAR-2",
        showings: &[
            Showing::explored(all_schedules).beside(Experiment::Schedules(all_schedules_where_both_hold)),
            Showing::of(How::Simulation, rules_and_mean).beside(Experiment::Alone(both_hold)),
        ],
    },
    Claim {
        id: "CAR-3",
        showings: &[Showing::explored(permissions).beside(Experiment::Schedules(original_permissions))],
    },
    Claim { id: "CAR-4", showings: &[Showing::of(How::Simulation, delays)] },
];

/// All schedules of three processes that request once each, and of two processes that request twice each. Messages
/// overtake each other.
fn all_schedules() -> Scenes {
    let original = "carvalho-roucairol/original";
    hold(&[Scene::new(original, 3, &[1]).overtaking(), Scene::new(original, 2, &[2]).overtaking()])
}

fn all_schedules_where_both_hold() -> Scenes {
    hold(&[Scene::new("carvalho-roucairol/both-hold", 2, &[1]).overtaking()])
}

/// All schedules of two faulty variants. In the first variant, both processes of a pair have the permission at the
/// start. In the second variant, a process that gives its permission away does not request it again.
fn permissions() -> Scenes {
    differ(&[
        (Scene::new("carvalho-roucairol/both-hold", 2, &[1]), Some(Property::MutualExclusion)),
        (Scene::new("carvalho-roucairol/no-second-request", 3, &[1]), Some(Property::NobodyStuck)),
    ])
}

fn original_permissions() -> Scenes {
    differ(&[
        (Scene::new("carvalho-roucairol/original", 2, &[1]), Some(Property::MutualExclusion)),
        (Scene::new("carvalho-roucairol/original", 3, &[1]), Some(Property::NobodyStuck)),
    ])
}

/// Measures the cost of entries if processes enter one after the other. Then all processes enter 20 times each, at
/// the same time.
fn messages(playground: &Playground) -> Measurement {
    let stage = playground.stage(json!({ "algorithm": "carvalho-roucairol", "nodes": 5 }))?;
    let prices = stage.prices(&[0, 0, 1, 2, 3, 4, 0, 0])?;
    let run = playground.drained("carvalho-roucairol", 5, 20)?;
    Ok(Finding {
        expected: "N = 5, P0 twice, P1 … P4, P0 twice: 0 for asking again, 2(N−1) = 8 once all others have asked, \
                   never more"
            .into(),
        measured: format!("{prices:?}; {} messages for {} entries under load", run.messages, run.entries),
        holds: (prices[1], prices[6], prices[7]) == (0, 8, 0)
            && prices.iter().all(|&price| price <= 8)
            && run.entries == 100
            && run.messages <= 8 * run.entries,
    })
}

/// Measures the cost in three cases: processes enter one after the other, one process enters alone again and again,
/// and all processes request at the same time.
fn cost() -> Measurement {
    let prices = prices(&[0, 0, 1, 2, 3, 4, 0, 0])?;
    let alone = Simulation { warm_up: 1, ..simulation(only(light("carvalho-roucairol", 5), &[4]), 1_001)? };
    let alone = metrics(&run(&alone)?)?.messages;
    let all = simulate(heavy("carvalho-roucairol", 5), 1_000)?.messages;
    Ok(Finding {
        expected: "N = 5, P0 twice, P1 … P4, P0 twice: 0 for asking again, 2(N−1) = 8 once all others have asked; P4 \
                   alone 1000 times after the first 0; all asking, 1000 entries, 2(N−1) each, but for the N(N−1)/2 \
                   permissions there at the start: 8000 − 20 = 7980"
            .into(),
        measured: format!("{prices:?}; {alone}; {all}"),
        holds: prices.len() == 8
            && (prices[1], prices[6], prices[7]) == (0, 8, 0)
            && prices.iter().all(|&price| price <= 8)
            && alone == 0
            && all == 7_980,
    })
}

/// Returns the cost of each entry if `nodes` enter one after the other.
fn prices(nodes: &[u32]) -> Result<Vec<u64>, CouldNotRun> {
    let script = nodes.iter().zip(0..).map(|(&node, place)| acquire(100 * place, node, Some(1))).collect();
    let simulation = scripted(idle("carvalho-roucairol", 5), script)?;
    let events = run(&Simulation { watch: Watch::Events, ..simulation })?.events;
    let mut prices = Vec::new();
    for event in &events {
        match (event.kind(), prices.last_mut()) {
            ("requested", _) => prices.push(0),
            ("sent", Some(price)) => *price += 1,
            _ => {}
        }
    }
    Ok(prices)
}

/// Idle times of clients, from almost no load to heavy load.
const IDLE: [&str; 5] = ["exp:1000000", "exp:100", "exp:30", "exp:10", "0"];

/// Checks the properties on links that are not FIFO. Compares the mean cost with that of Ricart and Agrawala's
/// algorithm under the same workloads.
fn rules_and_mean() -> Measurement {
    let rules = Rules::of(&jittery("carvalho-roucairol", 4), 20, 100)?;
    let mean = |algorithm, idle| mean_cost(loaded(algorithm, 5, idle), 10_000);
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for idle in IDLE {
        ours.push(mean("carvalho-roucairol", idle)?);
        theirs.push(mean("ricart-agrawala", idle)?);
    }
    Ok(Finding {
        expected: "N = 4, delays of 0 … 9 T: all granted, no property violated; N = 5, 10000 entries, idle 1000000, \
                   100, 30, 10, 0 T: rising from N−1 = 4 to 2(N−1) = 8 within 2 %, never above Ricart and Agrawala"
            .into(),
        measured: format!("{rules}; {} beside {}", listed(&ours), listed(&theirs)),
        holds: rules.kept()
            && is_about(ours[0], 4.0)
            && is_about(ours[IDLE.len() - 1], 8.0)
            && ours.is_sorted()
            && ours.iter().zip(&theirs).all(|(ours, theirs)| ours <= theirs),
    })
}

fn listed(means: &[f64]) -> String {
    means.iter().map(|mean| format!("{mean:.3}")).collect::<Vec<_>>().join(", ")
}

/// Negative control: both processes of a pair have the permission at the start, so they can be in the critical
/// section at the same time.
fn both_hold() -> Measurement {
    let rules = Rules::of(&variant(jittery("carvalho-roucairol", 4), "both-hold"), 20, 100)?;
    Ok(Finding {
        expected: "both of a pair with the permission at the start, ME1 broken".into(),
        measured: rules.to_string(),
        holds: rules.overlapping == 0,
    })
}

/// Measures the delays in three cases: one process enters alone, processes enter at light load, and all processes
/// enter at heavy load.
fn delays() -> Measurement {
    let alone = Simulation { warm_up: 1, ..simulation(only(light("carvalho-roucairol", 5), &[4]), 3_001)? };
    let alone = metrics(&run(&alone)?)?.client_delay;
    let client = metrics(&simulate(light("carvalho-roucairol", 5), 5_000)?)?.client_delay;
    let synchronisation = metrics(&simulate(heavy("carvalho-roucairol", 5), 3_000)?)?.synchronisation_delay;
    Ok(Finding {
        expected:
            "N = 5, T = 1: client delay of one alone always 0; of five at light load 2 at most, and less than that \
                   for who was the last one, 2(N−1)/N = 1.6 on average; synchronisation delay always 1"
                .into(),
        measured: format!("{}; {}; {}", spread(&alone), spread(&client), spread(&synchronisation)),
        holds: is_always(&alone, 0.0)
            && client.max == Some(2.0)
            && client.mean.is_some_and(|mean| is_about(mean, 1.6))
            && is_always(&synchronisation, 1.0),
    })
}
