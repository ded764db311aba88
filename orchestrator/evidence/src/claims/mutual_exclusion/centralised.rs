//! A coordinator grants the critical section.

use interlock_exploration::Property;
use serde_json::json;

use super::super::explored::{Scene, Scenes, differ, hold};
use super::super::live::Playground;
use super::super::simulated::{
    Rules, acquire, entered, heavy, idle, inverted, is_about, is_always, jittery, light, loaded, mean_cost, metrics,
    only, run, scripted, simulate, simulation, spread, tell, variant,
};
use super::{Claim, CouldNotRun, Experiment, Finding, How, Measurement, Showing, centralised_lease, failover};
use interlock_simulation::simulation::{Simulation, Watch};

pub(super) const CLAIMS: &[Claim] = &[
    Claim { id: "CEN-1", showings: &[Showing::live(messages), Showing::of(How::Simulation, cost)] },
    Claim { id: "CEN-2", showings: &[Showing::of(How::Simulation, delays)] },
    Claim {
        id: "CEN-3",
        showings: &[
            Showing::explored(all_schedules).beside(Experiment::Schedules(all_schedules_without_exclusion)),
            Showing::of(How::Simulation, rules).beside(Experiment::Alone(faults)),
        ],
    },
    Claim {
        id: "CEN-4",
        showings: &[
            Showing::of(How::Simulation, slow_link).beside(Experiment::Alone(equal_links)),
            Showing::explored(told_in_some_schedule).beside(Experiment::Schedules(told_in_none)),
        ],
    },
    Claim {
        id: "CEN-5",
        showings: &[
            Showing::live(failover::live),
            Showing::of(How::Simulation, failover::goes_on).beside(Experiment::Alone(failover::stands_still)),
        ],
    },
    Claim {
        id: "CEN-6",
        showings: &[Showing::live(centralised_lease::live).beside(Experiment::Live(centralised_lease::live_otherwise))],
    },
];

/// All schedules of three processes that request twice each. Messages overtake each other.
fn all_schedules() -> Scenes {
    let orders = ["centralised/arrival-order", "centralised/timestamp-order", "centralised/priority-order"];
    hold(&orders.map(|order| Scene::new(order, 3, &[2]).overtaking()))
}

fn all_schedules_without_exclusion() -> Scenes {
    hold(&[Scene::new("centralised/no-exclusion", 3, &[2]).overtaking()])
}

/// All schedules of two processes that request once each. After its request, a process may send the other process a
/// manual message, and the other process may then request. The first request may arrive after the second request has
/// been granted. In this case, no order of the queue avoids the inversion.
fn told_in_some_schedule() -> Scenes {
    let scene = |order| (Scene::new(order, 3, &[0, 1, 1]).of_order().telling(), Some(Property::Order));
    differ(&["centralised/arrival-order", "centralised/timestamp-order"].map(scene))
}

/// Negative control: expects inversions without manual messages. Without manual messages, a request is known only to
/// its sender and the coordinator until it is granted.
fn told_in_none() -> Scenes {
    let scene = |order| (Scene::new(order, 3, &[0, 1, 1]).of_order(), Some(Property::Order));
    differ(&["centralised/arrival-order", "centralised/timestamp-order"].map(scene))
}

/// Counts the messages if every process, including the coordinator P0, enters 20 times. Then measures the cost of
/// single entries of P0, P1 and P0.
fn messages(playground: &Playground) -> Measurement {
    let run = playground.drained("centralised", 5, 20)?;
    let kinds = ["REQUEST", "GRANT", "RELEASE"].map(|kind| run.messages_by_kind.get(kind).copied().unwrap_or_default());
    let alone = playground.stage(json!({ "algorithm": "centralised", "nodes": 5 }))?.prices(&[0, 1, 0])?;
    Ok(Finding {
        expected: "N = 5: 3(N−1)/N = 2.4 messages per entry, as many of each kind; for P0, P1, P0 in turn 0, 3, 0"
            .into(),
        measured: format!("{} messages ({kinds:?}) for {} entries; {alone:?}", run.messages, run.entries),
        holds: run.entries == 100 && kinds == [80; 3] && run.messages == 240 && alone == [0, 3, 0],
    })
}

/// Measures the cost in three cases: every process enters equally often, entries are random, and the coordinator or
/// another process enters alone.
fn cost() -> Measurement {
    let mut document = loaded("centralised", 5, "exp:2");
    document["workload"]["entries"] = json!(600);
    let equal = run(&Simulation { entries: None, ..simulation(document, 0)? })?;
    let mean = mean_cost(light("centralised", 5), 20_000)?;
    let alone = |node| simulate(only(loaded("centralised", 5, "exp:2"), &[node]), 1_000).map(|report| report.messages);
    let (coordinator, other) = (alone(0)?, alone(1)?);
    Ok(Finding {
        expected:
            "N = 5: 600 entries each, 3·4·600 = 7200 messages; 20000 entries at light load, 3(N−1)/N = 2.4 in the \
                   mean; 1000 entries of P0 alone 0, of P1 alone 3000"
                .into(),
        measured: format!(
            "{} messages for {} entries; {mean:.3} on average; {coordinator}, {other}",
            equal.messages, equal.entries
        ),
        holds: (equal.messages, equal.entries) == (7_200, 3_000)
            && is_about(mean, 2.4)
            && (coordinator, other) == (0, 3_000),
    })
}

/// Measures the delays of all processes except the coordinator. The coordinator's messages to itself take no time.
fn delays() -> Measurement {
    let light = simulate(only(light("centralised", 5), &[1, 2, 3, 4]), 3_000)?;
    let heavy = simulate(only(heavy("centralised", 5), &[1, 2, 3, 4]), 3_000)?;
    let (client, synchronisation) = (metrics(&light)?.client_delay, metrics(&heavy)?.synchronisation_delay);
    Ok(Finding {
        expected: "N = 5, P1 … P4 ask, T = 1: each of the client delays at light load and of the synchronisation \
                   delays at heavy load is 2"
            .into(),
        measured: format!("{}; {}", spread(&client), spread(&synchronisation)),
        holds: is_always(&client, 2.0) && is_always(&synchronisation, 2.0),
    })
}

/// Checks the properties with messages that overtake each other.
fn rules() -> Measurement {
    let two = Rules::of(&jittery("centralised", 2), 20, 100)?;
    let five = Rules::of(&jittery("centralised", 5), 20, 100)?;
    Ok(Finding {
        expected: "N = 2 and 5, delays of 0 … 9 T: all requests granted, no property violated".into(),
        measured: format!("{two}; {five}"),
        holds: two.kept() && five.kept(),
    })
}

/// Negative control: the same runs, but messages are lost or clients do not wait for the coordinator.
fn faults() -> Measurement {
    let mut document = jittery("centralised", 5);
    document["network"]["loss"] = json!(0.01);
    let lossy = Rules::of(&document, 20, 100)?;
    let impatient = Rules::of(&variant(jittery("centralised", 5), "no-exclusion"), 20, 100)?;
    Ok(Finding {
        expected: "with 1 % lost, stuck; who does not wait for the coordinator breaks ME1".into(),
        measured: format!("{lossy}; {impatient}"),
        holds: lossy.kept() || impatient.overlapping == 0,
    })
}

/// Runs in which the REQUEST of P1 takes 9 units, and all other messages take one unit.
fn slow_link() -> Measurement {
    told("9")
}

/// Negative control: the REQUEST of P1 takes one unit, like all other messages.
fn equal_links() -> Measurement {
    told("1")
}

/// Runs in which P1 requests and then sends a manual message to P2. P2 requests when this message arrives. `delay`
/// is the delay of the link from P1 to the coordinator. In one run, the critical section is free. In the other
/// run, the coordinator is in the critical section until both requests have arrived.
fn told(delay: &str) -> Measurement {
    let orders = |order: &str, occupied: bool| -> Result<(u64, Vec<u32>), CouldNotRun> {
        let mut document = variant(idle("centralised", 3), order);
        document["links"] = json!([{ "from": 1, "to": 0, "delay": delay }]);
        let mut script = vec![acquire(1, 1, Some(5)), tell(1, 1, 2, Some(5))];
        if occupied {
            script.insert(0, acquire(0, 0, Some(20)));
        }
        let report = run(&Simulation { watch: Watch::Events, ..scripted(document, script)? })?;
        Ok((inverted(&report)?, entered(&report)))
    };
    let arrival = [orders("arrival-order", false)?, orders("arrival-order", true)?];
    let timestamp = [orders("timestamp-order", false)?, orders("timestamp-order", true)?];
    Ok(Finding {
        expected: format!(
            "P1 asks and tells P2, who asks; P1's REQUEST takes {delay} T. Section free / taken by P0: by arrival P2 \
             first, twice; by timestamp P2 first / P1 first"
        ),
        measured: format!(
            "(pairs the wrong way round, who entered) by arrival {arrival:?}; by timestamp {timestamp:?}"
        ),
        holds: arrival == [(1, vec![2, 1]), (1, vec![0, 2, 1])] && timestamp == [(1, vec![2, 1]), (0, vec![0, 1, 2])],
    })
}
