//! Lamport 1978.

use std::fmt;

use serde_json::{Value, json};

use super::super::explored::{Scene, Scenes, differ, hold};
use super::super::live::Move::{self, Acquire, Deliver, Release};
use super::super::live::Playground;
use super::super::simulated::{
    Rules, heavy, inversions, is_always, jittery, light, metrics, simulate, spread, variant,
};
use super::{Claim, CouldNotRun, Experiment, Finding, How, Measurement, Showing};
use interlock_exploration::Property;
use interlock_simulation::scenario::Until;

pub(super) const CLAIMS: &[Claim] = &[
    Claim { id: "LAM-1", showings: &[Showing::live(messages), Showing::of(How::Simulation, cost)] },
    Claim { id: "LAM-2", showings: &[Showing::of(How::Simulation, delays)] },
    Claim {
        id: "LAM-3",
        showings: &[
            Showing::explored(all_schedules).beside(Experiment::Schedules(all_schedules_without_fifo)),
            Showing::of(How::Simulation, rules).beside(Experiment::Alone(rules_without_fifo)),
        ],
    },
    Claim {
        id: "LAM-4",
        showings: &[
            Showing::explored(overtaken).beside(Experiment::Schedules(never_overtaken)),
            Showing::live(without_fifo).beside(Experiment::Live(in_order)),
        ],
    },
    Claim {
        id: "LAM-5",
        showings: &[
            Showing::live(lossy_live).beside(Experiment::Live(lossy_live_without_channel)),
            Showing::of(How::Simulation, lossy).beside(Experiment::Alone(lossy_without_channel)),
            Showing::explored(one_lost).beside(Experiment::Schedules(none_lost)),
        ],
    },
    Claim { id: "LAM-6", showings: &[Showing::explored(unacknowledged).beside(Experiment::Schedules(acknowledged))] },
    Claim { id: "LAM-7", showings: &[Showing::of(How::Simulation, postponed)] },
    Claim { id: "LAM-8", showings: &[Showing::explored(slow_clocks).beside(Experiment::Schedules(advancing_clocks))] },
];

/// All schedules of three processes that request once each. In a second scene, two processes request twice each,
/// and one of the two sends a manual message.
fn all_schedules() -> Scenes {
    let right = "lamport/any-later-message";
    hold(&[Scene::new(right, 3, &[1]).in_order(), Scene::new(right, 2, &[2]).in_order().telling()])
}

/// Negative control: two processes whose messages overtake each other. Only the order of requests is checked.
fn all_schedules_without_fifo() -> Scenes {
    hold(&[Scene::new("lamport/any-later-message", 2, &[2]).of_order().telling().overtaking()])
}

/// Schedules of two processes that request so often that an overtaking message can violate mutual exclusion. If
/// each RELEASE names the request that it ends, mutual exclusion must hold nevertheless.
fn overtaken() -> Scenes {
    let broken = Some(Property::MutualExclusion);
    differ(&[
        (Scene::new("lamport/any-later-message", 2, &[1]).overtaking(), broken),
        (Scene::new("lamport/explicit-ack", 2, &[1]).overtaking(), broken),
        (Scene::new("lamport/postponed-ack release=sender", 2, &[2]).overtaking(), broken),
        (Scene::new("lamport/postponed-ack release=request", 2, &[2]).overtaking(), None),
    ])
}

/// Negative control: expects violations although all links are FIFO.
fn never_overtaken() -> Scenes {
    let broken = Some(Property::MutualExclusion);
    differ(&[
        (Scene::new("lamport/any-later-message", 2, &[1]), broken),
        (Scene::new("lamport/explicit-ack", 2, &[1]), broken),
        (Scene::new("lamport/postponed-ack release=sender", 2, &[2]), broken),
    ])
}

/// All schedules in which two processes request once each, and one message is lost.
fn one_lost() -> Scenes {
    differ(&[
        (Scene::new("lamport/explicit-ack", 2, &[1]).lossy(), Some(Property::NobodyStuck)),
        (Scene::new("lamport/postponed-ack", 2, &[1]).lossy(), Some(Property::NobodyStuck)),
        (Scene::new("lamport/any-later-message", 2, &[1]).lossy().of_exclusion(), Some(Property::MutualExclusion)),
    ])
}

/// Result of one variant, which determines how requests are acknowledged, over a channel. The links of the channel
/// lose every fifth message and duplicate every tenth message, on average.
struct Lossy {
    acknowledgement: &'static str,
    rules: Rules,
    /// Number of messages that the channel adds, per hundred messages of the algorithm.
    besides: u64,
}

impl fmt::Display for Lossy {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}, {} % more messages", self.acknowledgement, self.rules, self.besides)
    }
}

fn over(channel: &str) -> Result<[Lossy; 3], CouldNotRun> {
    let fared = |acknowledgement| {
        let mut document = variant(jittery("lamport", 4), acknowledgement);
        document["channel"] = json!(channel);
        document["network"] = json!({ "delay": "uniform:0..9", "fifo": true, "loss": 0.2, "duplicate": 0.1 });
        let rules = Rules::of(&document, 10, 100)?;
        let report = simulate(document, 100)?;
        let metrics = metrics(&report)?;
        let besides = metrics.channel.retransmissions + metrics.channel.acknowledgements;
        Ok(Lossy { acknowledgement, rules, besides: besides * 100 / metrics.messages.max(1) })
    };
    Ok([fared("any-later-message")?, fared("explicit-ack")?, fared("postponed-ack")?])
}

fn lossy() -> Measurement {
    let fared = over("reliable")?;
    Ok(Finding {
        expected:
            "N = 4, 20 % loss, 10 % copies, over the reliable channel: all granted, no property violated, however it \
             is acknowledged"
                .into(),
        measured: fared.each_ref().map(Lossy::to_string).join("; "),
        holds: fared.iter().all(|fared| fared.rules.kept()),
    })
}

/// Negative control: the same links, which lose and duplicate messages but keep their order, and no channel.
fn lossy_without_channel() -> Measurement {
    let fared = over("raw")?;
    Ok(Finding {
        expected: "without it, some process blocked or ME1 broken, however it is acknowledged".into(),
        measured: fared.each_ref().map(Lossy::to_string).join("; "),
        holds: fared.iter().any(|fared| fared.rules.kept()),
    })
}

/// Runs three live processes that enter five times each, over links that lose every fifth message on average.
fn entered_over(channel: &str, playground: &Playground) -> Measurement {
    let stage = playground.stage(json!({
        "algorithm": "lamport", "variant": "explicit-ack", "channel": channel, "nodes": 3,
        "network": { "delay": "uniform:0..2", "fifo": true, "loss": 0.2 },
        "workload": { "idle": "exp:2", "hold": "1ms", "entries": 5 },
    }))?;
    stage.wait(&Until::Any(vec![Until::Idle, Until::Violation { monitor: None }]))?;
    let metrics = stage.metrics();
    let cost = &metrics.channel;
    Ok(Finding {
        expected:
            "N = 3, 20 % loss: all 15 entries over the reliable channel, no property violated; without it somebody \
             waits forever"
                .into(),
        measured: format!(
            "{channel}: {} entries, {} violations, {} messages, {} sent again, {} acknowledgements",
            metrics.entries, metrics.violations, metrics.messages, cost.retransmissions, cost.acknowledgements
        ),
        holds: metrics.entries == 15 && metrics.violations == 0,
    })
}

fn lossy_live(playground: &Playground) -> Measurement {
    entered_over("reliable", playground)
}

fn lossy_live_without_channel(playground: &Playground) -> Measurement {
    entered_over("raw", playground)
}

fn none_lost() -> Scenes {
    differ(&[
        (Scene::new("lamport/explicit-ack", 2, &[1]), Some(Property::NobodyStuck)),
        (Scene::new("lamport/postponed-ack", 2, &[1]), Some(Property::NobodyStuck)),
        (Scene::new("lamport/any-later-message", 2, &[1]).of_exclusion(), Some(Property::MutualExclusion)),
    ])
}

/// All schedules of two processes that request once each, without acknowledgements.
fn unacknowledged() -> Scenes {
    differ(&[
        (Scene::new("lamport/no-ack", 2, &[1]), Some(Property::MutualExclusion)),
        (Scene::new("lamport/no-ack-waiting", 2, &[1]), Some(Property::NobodyStuck)),
    ])
}

fn acknowledged() -> Scenes {
    differ(&[
        (Scene::new("lamport/any-later-message", 2, &[1]), Some(Property::MutualExclusion)),
        (Scene::new("lamport/explicit-ack", 2, &[1]), Some(Property::NobodyStuck)),
    ])
}

/// All schedules of processes whose clocks do not advance when they receive a message. An acknowledgement need not be
/// later than the request. A request can be older than one that its process has received.
fn slow_clocks() -> Scenes {
    differ(&[
        (Scene::new("lamport/no-clock-update", 2, &[1]), Some(Property::NobodyStuck)),
        (Scene::new("lamport/no-clock-update", 3, &[1]).of_order(), Some(Property::Order)),
    ])
}

/// Negative control: expects the same violations of clocks that advance.
fn advancing_clocks() -> Scenes {
    differ(&[
        (Scene::new("lamport/any-later-message", 2, &[1]), Some(Property::NobodyStuck)),
        (Scene::new("lamport/any-later-message", 3, &[1]).of_order(), Some(Property::Order)),
    ])
}

/// Counts the messages if every process enters 20 times.
fn messages(playground: &Playground) -> Measurement {
    let run = playground.drained("lamport", 5, 20)?;
    let kinds = ["REQUEST", "ACK", "RELEASE"].map(|kind| run.messages_by_kind.get(kind).copied().unwrap_or_default());
    Ok(Finding {
        expected: "3(N−1) = 12 messages per entry for N = 5, as many of each kind".into(),
        measured: format!("{} messages ({kinds:?}) for {} entries", run.messages, run.entries),
        holds: run.entries == 100 && kinds == [400; 3] && run.messages == 1_200,
    })
}

/// Schedule in which P1's REQUEST reaches P0, whose own request is older. P0 now has a later message from each
/// process, and enters. P0's ACK overtakes P0's REQUEST. P1 therefore believes that P0 has no older request.
const LATER_MESSAGE: [Move; 4] = [Acquire(0), Acquire(1), Deliver("REQUEST", 1, 0), Deliver("ACK", 0, 1)];
/// Schedule that starts in the same way, for a variant in which P0 also needs the acknowledgement of P1. P1 sends
/// this acknowledgement while P1 is in the critical section.
const EXPLICIT: [Move; 6] = [
    Acquire(0),
    Acquire(1),
    Deliver("REQUEST", 1, 0),
    Deliver("ACK", 0, 1),
    Deliver("REQUEST", 0, 1),
    Deliver("ACK", 1, 0),
];
/// Schedule in which P0's next REQUEST overtakes P0's RELEASE. When the RELEASE arrives, P1 removes the new
/// REQUEST from its queue instead of the old one.
const POSTPONED: [Move; 11] = [
    Acquire(0),
    Deliver("REQUEST", 0, 1),
    Deliver("ACK", 1, 0),
    Release(0),
    Acquire(0),
    Deliver("REQUEST", 0, 1),
    Acquire(1),
    Deliver("RELEASE", 0, 1),
    Deliver("REQUEST", 1, 0),
    Deliver("ACK", 0, 1),
    Deliver("ACK", 1, 0),
];

/// Executes the shortest schedules in which a property is violated on links that are not FIFO.
fn without_fifo(playground: &Playground) -> Measurement {
    let broken = [
        two("any-later-message", "sender", &LATER_MESSAGE, playground)?,
        two("explicit-ack", "sender", &EXPLICIT, playground)?,
        two("postponed-ack", "sender", &POSTPONED, playground)?,
    ];
    let named = two("postponed-ack", "request", &POSTPONED, playground)?;
    Ok(Finding {
        expected: "both inside with any later message after 4 steps and not before, with explicit ACK after 6, with \
                   postponed ACK after 11; never if RELEASE names its request"
            .into(),
        measured: format!("{}, {named}", broken.each_ref().map(Two::to_string).join(", ")),
        holds: broken.each_ref().map(|two| two.both_after) == [Some(4), Some(6), Some(11)]
            && broken.iter().all(Two::break_the_rule)
            && named.both_after.is_none(),
    })
}

/// Negative control: the same schedules, but each link delivers its messages in the order of sending.
fn in_order(playground: &Playground) -> Measurement {
    let (mut later, mut explicit, mut postponed) = (LATER_MESSAGE.to_vec(), EXPLICIT, POSTPONED);
    later.insert(3, Deliver("REQUEST", 0, 1));
    explicit.swap(3, 4);
    postponed.swap(5, 7);
    let kept = [
        two("any-later-message", "sender", &later, playground)?,
        two("explicit-ack", "sender", &explicit, playground)?,
        two("postponed-ack", "sender", &postponed, playground)?,
    ];
    Ok(Finding {
        expected: "in the order of sending, never".into(),
        measured: kept.each_ref().map(Two::to_string).join(", "),
        holds: kept.iter().any(Two::break_the_rule),
    })
}

/// Result of a schedule with two processes.
struct Two {
    inside: Vec<u32>,
    /// Number of steps after which both were in the critical section.
    both_after: Option<usize>,
    violations: u64,
}

impl Two {
    /// Returns whether both processes are in the critical section and a monitor reports the violation. The monitor of
    /// request order may report another violation.
    fn break_the_rule(&self) -> bool {
        self.inside.len() == 2 && self.violations > 0
    }
}

impl fmt::Display for Two {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:?} inside", self.inside)?;
        self.both_after.map_or(Ok(()), |steps| write!(formatter, " after {steps} steps"))
    }
}

fn two(variant: &str, release: &str, schedule: &[Move], playground: &Playground) -> Result<Two, CouldNotRun> {
    let stage = playground.stage(json!({
        "algorithm": "lamport", "variant": variant, "parameters": { "release": release }, "nodes": 2,
        "network": { "hold": true },
    }))?;
    let mut both_after = None;
    for (step, count) in schedule.iter().zip(1..) {
        stage.play(&[*step])?;
        both_after = both_after.or_else(|| (stage.inside().len() == 2).then_some(count));
    }
    Ok(Two { inside: stage.inside(), both_after, violations: stage.violations() })
}

/// Returns the cost of 1,000 entries. The first number counts all messages. The second counts each multicast as one
/// message.
fn price(document: Value) -> Result<(u64, u64), CouldNotRun> {
    let report = simulate(document, 1_000)?;
    match report.entries {
        1_000 => Ok((report.messages, report.transmissions)),
        entries => Err(CouldNotRun::because(format!("there were {entries} entries instead of 1000"))),
    }
}

/// Measures the cost at light and at heavy load, with five and with twelve processes.
fn cost() -> Measurement {
    let five = [price(light("lamport", 5))?, price(heavy("lamport", 5))?];
    let twelve = [price(light("lamport", 12))?, price(heavy("lamport", 12))?];
    Ok(Finding {
        expected:
            "1000 entries at light and heavy load, 3(N−1) messages and N+1 with multicasts each: N = 5 12000 and \
                   6000, N = 12 33000 and 13000"
                .into(),
        measured: format!("N = 5 {five:?}, N = 12 {twelve:?}"),
        holds: five == [(12_000, 6_000); 2] && twelve == [(33_000, 13_000); 2],
    })
}

/// Measures the client delay at light load, and the synchronisation delay at heavy load.
fn delays() -> Measurement {
    let client = metrics(&simulate(light("lamport", 5), 3_000)?)?.client_delay;
    let synchronisation = metrics(&simulate(heavy("lamport", 5), 3_000)?)?.synchronisation_delay;
    Ok(Finding {
        expected: "N = 5, T = 1: each client delay at light load is 2, each synchronisation delay at heavy load 1"
            .into(),
        measured: format!("{}; {}", spread(&client), spread(&synchronisation)),
        holds: is_always(&client, 2.0) && is_always(&synchronisation, 1.0),
    })
}

/// Checks the properties on FIFO links with delays of 0 … 9 T.
fn rules() -> Measurement {
    let fared = all_acknowledgements(true)?;
    Ok(Finding {
        expected: "N = 4, delays of 0 … 9 T: all granted, no property violated, no request granted before one that \
                   happened before it"
            .into(),
        measured: fared.each_ref().map(Fared::to_string).join("; "),
        holds: fared.iter().all(|fared| fared.rules.kept() && fared.inversions == 0),
    })
}

/// Negative control: the same runs on links that are not FIFO.
fn rules_without_fifo() -> Measurement {
    let fared = all_acknowledgements(false)?;
    Ok(Finding {
        expected: "without FIFO, ME1 broken, however it is acknowledged".into(),
        measured: fared.each_ref().map(Fared::to_string).join("; "),
        holds: fared.iter().any(|fared| fared.rules.overlapping == 0),
    })
}

/// Result of a variant: whether the properties hold, and the number of pairs of requests that were granted out of
/// order.
struct Fared {
    acknowledgement: &'static str,
    rules: Rules,
    inversions: u64,
}

impl fmt::Display for Fared {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}, {} inversions", self.acknowledgement, self.rules, self.inversions)
    }
}

fn all_acknowledgements(fifo: bool) -> Result<[Fared; 3], CouldNotRun> {
    let fared = |acknowledgement| {
        let mut document = variant(jittery("lamport", 4), acknowledgement);
        document["network"]["fifo"] = json!(fifo);
        let rules = Rules::of(&document, 10, 100)?;
        inversions(&document, 10, 50).map(|inversions| Fared { acknowledgement, rules, inversions })
    };
    Ok([fared("any-later-message")?, fared("explicit-ack")?, fared("postponed-ack")?])
}

/// Compares the variant with postponed ACKs with the original algorithm.
fn postponed() -> Measurement {
    let postponed = |document| variant(document, "postponed-ack");
    let light = [price(light("lamport", 5))?, price(postponed(light("lamport", 5)))?];
    let heavy = [price(heavy("lamport", 5))?, price(postponed(heavy("lamport", 5)))?];
    let late = simulate(postponed(jittery("lamport", 5)), 1_000)?;
    let kinds = metrics(&late)?.messages_by_kind.values().copied().collect::<Vec<_>>();
    Ok(Finding {
        expected:
            "N = 5, 1000 entries: 3·4·1000 = 12000 messages and 6000 with multicasts, postponed or not, at light \
                   and heavy load; with delays of 0 … 9 T as many ACK, RELEASE, REQUEST"
                .into(),
        measured: format!("light {light:?}, heavy {heavy:?}; {kinds:?}"),
        holds: [light, heavy] == [[(12_000, 6_000); 2]; 2] && kinds == [4_000; 3],
    })
}
