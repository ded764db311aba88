//! Wait-die and wound-wait.

use serde_json::{Value, json};

use super::super::explored::{Scene, Scenes, differ, hold};
use super::super::finding::CouldNotRun;
use super::conditions::station;
use super::measured::{Tally, drawn};
use super::{Claim, Experiment, Finding, How, Measurement, Showing};
use interlock_exploration::Property;

pub(super) const CLAIMS: &[Claim] = &[Claim {
    id: "DLK-6",
    showings: &[
        Showing::explored(no_circle).beside(Experiment::Schedules(no_circle_of_stale_ages)),
        Showing::of(How::Simulation, as_in_the_paper).beside(Experiment::Alone(one_at_a_time)),
    ],
}];

/// Both schemes.
const SCHEMES: [&str; 2] = ["wait-die", "wound-wait"];

/// All schedules of three processes that want two locks. Two processes take the locks in one order, the third in the
/// opposite order. Two further nodes only manage the locks. A process whose request is aborted does not request
/// again.
fn circle(variant: &'static str) -> Scene {
    Scene::new(variant, 5, &[0, 0, 1]).of_neighbours(2).again(0)
}

/// In the original schemes, no schedule may end in a cycle of waits. In the variants that do not compare ages
/// again, each scheme must have a schedule that ends in a cycle of waits.
fn no_circle() -> Scenes {
    differ(&[
        (circle("wait-die/original"), None),
        (circle("wound-wait/original"), None),
        (circle("wait-die/ages-not-compared-again"), Some(Property::NobodyStuck)),
        (circle("wound-wait/ages-not-compared-again"), Some(Property::NobodyStuck)),
    ])
}

/// Negative control: expects no cycle of waits although ages are not compared again.
fn no_circle_of_stale_ages() -> Scenes {
    hold(&[circle("wait-die/ages-not-compared-again"), circle("wound-wait/ages-not-compared-again")])
}

/// Results of both schemes. In the equal runs every process wants two locks. In the unequal runs one process wants
/// more locks than the others, or holds its locks for longer.
struct Both {
    equal: [Tally; 2],
    unequal: [Tally; 2],
}

impl Both {
    fn of(variant: &str) -> Result<Self, CouldNotRun> {
        let equal = |scheme| Tally::of(&drawn(scheme, variant, 6), 20, 100);
        let [die, wound] = SCHEMES;
        let unequal = [Tally::of(&station(variant), 1, 600)?, Tally::of(&contended(variant), 1, 2_000)?];
        Ok(Self { equal: [equal(die)?, equal(wound)?], unequal })
    }

    fn all(&self) -> impl Iterator<Item = &Tally> {
        self.equal.iter().chain(&self.unequal)
    }

    fn in_words(&self) -> String {
        let rows = SCHEMES.iter().zip(self.equal.iter().zip(&self.unequal));
        let row =
            |(scheme, (equal, unequal)): (&&str, (&Tally, &Tally))| format!("{scheme}: {equal}; unequal: {unequal}");
        rows.map(row).collect::<Vec<_>>().join("; ")
    }
}

fn as_in_the_paper() -> Measurement {
    let both = Both::of("original")?;
    Ok(Finding {
        expected: "no deadlock, no starvation, all transactions finished; both abort some".into(),
        measured: both.in_words(),
        holds: both.all().all(|tally| tally.went_well()) && both.equal.iter().all(|tally| tally.aborts > 0),
    })
}

/// Negative control. Expects at least one good result of faulty schemes: no deadlock although ages are not compared
/// again, or no starvation although timestamps are renewed.
fn one_at_a_time() -> Measurement {
    let (stale, renewed) = (Both::of("ages-not-compared-again")?, Both::of("timestamp-renewed")?);
    let deadlocks = stale.equal.iter().all(|tally| tally.deadlocks + tally.unfinished > 0);
    let starves = renewed.unequal.iter().all(|tally| tally.starved > 0);
    Ok(Finding {
        expected: "with one of the two schemes no deadlock although ages are not compared again, or nobody starved \
                   although timestamps are renewed"
            .into(),
        measured: format!("not compared again: {}; renewed: {}", stale.in_words(), renewed.in_words()),
        holds: !(deadlocks && starves),
    })
}

/// A run in which every process holds a lock of its own, and then wants the lock of the first process. Whenever
/// the first process tries again, the attempts of some other processes are older.
fn contended(variant: &str) -> Value {
    let others: Vec<Value> = (1..8).map(|node| json!({ "node": node, "locks": format!("{node},0") })).collect();
    json!({
        "algorithm": "wound-wait", "variant": variant, "nodes": 8, "locks": 9, "seed": 1, "network": { "delay": "const:1" },
        "workload": {
            "idle": "0", "hold": "const:1", "locks": "0,8", "between": "uniform:5..100", "again": "uniform:1..5",
            "overrides": others,
        },
    })
}
