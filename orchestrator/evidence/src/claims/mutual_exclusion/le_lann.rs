//! Le Lann's token ring, 1977.

use serde_json::json;

use super::super::explored::{Scene, Scenes, differ, hold};
use super::super::simulated::{
    Rules, acquire, heavy, idle, is_about, is_always, jittery, loaded, metrics, only, run, scripted, simulate, spread,
};
use super::{Claim, Experiment, Finding, How, Measurement, Showing, le_lann_fenced, le_lann_lost as lost};
use interlock_exploration::Property;
use interlock_simulation::simulation::{Simulation, Watch};

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "LEL-1",
        showings: &[
            Showing::explored(all_schedules).beside(Experiment::Schedules(all_schedules_with_a_copy)),
            Showing::of(How::Simulation, rules).beside(Experiment::Alone(faults)),
        ],
    },
    Claim { id: "LEL-2", showings: &[Showing::of(How::Simulation, cost)] },
    Claim { id: "LEL-3", showings: &[Showing::of(How::Simulation, delays)] },
    Claim {
        id: "LEL-4",
        showings: &[
            Showing::live(le_lann_fenced::live).beside(Experiment::Live(le_lann_fenced::live_otherwise)),
            Showing::of(How::Simulation, lost::made_anew).beside(Experiment::Alone(lost::made_otherwise)),
            Showing::explored(one_lost_or_late).beside(Experiment::Schedules(one_lost_undetected)),
        ],
    },
    Claim {
        id: "LEL-5",
        showings: &[
            Showing::live(lost::live_cut_out).beside(Experiment::Live(lost::live_not_cut_out)),
            Showing::of(How::Simulation, lost::cut_out).beside(Experiment::Alone(lost::not_cut_out)),
        ],
    },
];

/// All schedules of four processes that request twice each.
fn all_schedules() -> Scenes {
    hold(&[Scene::new("le-lann/original", 4, &[2])])
}

/// All schedules of three processes that request once each. In the first scene, the token is lost. In the other
/// scenes, a process assumes up to twice that the token is lost, although the token is only late. Without
/// generation numbers, mutual exclusion is then violated.
fn one_lost_or_late() -> Scenes {
    let [time_out, without] = ["le-lann/time-out", "le-lann/no-generation"].map(|named| Scene::new(named, 3, &[1]));
    differ(&[
        (time_out.clone().lossy(), None),
        (time_out.impatient(2).of_exclusion(), None),
        (without.impatient(2).of_exclusion(), Some(Property::MutualExclusion)),
    ])
}

/// Negative control: the token is lost, and no process detects the loss.
fn one_lost_undetected() -> Scenes {
    hold(&[Scene::new("le-lann/original", 3, &[1]).lossy()])
}

/// Negative control: the token may be duplicated, which the algorithm assumes not to happen.
fn all_schedules_with_a_copy() -> Scenes {
    hold(&[Scene::new("le-lann/original", 3, &[2]).copied()])
}

/// Checks the properties if only some processes request, and if all processes request.
fn rules() -> Measurement {
    let some = Rules::of(&jittery("le-lann", 5), 20, 100)?;
    let all = Rules::of(&heavy("le-lann", 5), 1, 1_000)?;
    Ok(Finding {
        expected: "N = 5: all requests granted, no property violated; overtaken at most N−1 = 4 times since it asked, \
                   and just so often if all ask"
            .into(),
        measured: format!("{some}, overtaken {} times; {all}, overtaken {} times", some.bypass_max, all.bypass_max),
        holds: some.kept() && all.kept() && some.bypass_max <= 4 && all.bypass_max == 4,
    })
}

/// Negative control: runs with a lost token and with a duplicated token.
fn faults() -> Measurement {
    let with = |fault: &str| {
        let mut document = jittery("le-lann", 5);
        document["network"][fault] = json!(0.01);
        Rules::of(&document, 20, 100)
    };
    let (lost, doubled) = (with("loss")?, with("duplicate")?);
    Ok(Finding {
        expected: "a token lost, stuck; a token duplicated, ME1 broken".into(),
        measured: format!("{lost}; {doubled}"),
        holds: lost.kept() || doubled.overlapping == 0,
    })
}

/// Counts the messages if all processes request, and if no process requests.
fn cost() -> Measurement {
    let heavy = simulate(heavy("le-lann", 5), 3_000)?;
    let unwanted = |units: u64| {
        let simulation = scripted(idle("le-lann", 5), vec![acquire(units, 1, Some(0))])?;
        run(&Simulation { watch: Watch::Nothing, ..simulation }).map(|report| (report.messages, report.entries))
    };
    let idle = [unwanted(1_000)?, unwanted(10_000)?, unwanted(100_000)?];
    Ok(Finding {
        expected: "N = 5, all asking: a message before each of 3000 entries and one after the last; no process asking \
                   for 1000, 10000, 100000 T: as many messages, and at most N = 5 more for the one entry after that"
            .into(),
        measured: format!("{} for {} entries; {idle:?}", heavy.messages, heavy.entries),
        holds: (heavy.messages, heavy.entries) == (3_001, 3_000)
            && idle
                .iter()
                .zip([1_000, 10_000, 100_000])
                .all(|(&(messages, entries), units)| entries == 1 && (units..=units + 5).contains(&messages)),
    })
}

/// Measures delays in three cases. In the first case, one process requests while the token is anywhere in the
/// ring. In the second case, all processes request. In the third case, a process and its successor request.
fn delays() -> Measurement {
    let alone = simulate(only(loaded("le-lann", 5, "uniform:0..50"), &[0]), 3_000)?;
    let client = metrics(&alone)?.client_delay;
    let all = metrics(&simulate(heavy("le-lann", 5), 3_000)?)?.synchronisation_delay;
    let two = metrics(&simulate(only(heavy("le-lann", 5), &[0, 4]), 3_000)?)?.synchronisation_delay;
    Ok(Finding {
        expected: "N = 5, T = 1: client delay N/2 = 2.5 on average, 5 at most; synchronisation delay always 1 if all \
                   ask; if P4 and P0 ask, 1 and N−1 = 4 in turn, so 2.5 on average"
            .into(),
        measured: format!("{}; {}; {}", spread(&client), spread(&all), spread(&two)),
        holds: client.mean.is_some_and(|mean| is_about(mean, 2.5))
            && client.max.is_some_and(|longest| longest <= 5.0)
            && is_always(&all, 1.0)
            && two.mean.is_some_and(|mean| is_about(mean, 2.5))
            && two.max == Some(4.0),
    })
}
