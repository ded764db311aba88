//! Ricart and Agrawala 1981.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use interlock_algorithm::{NodeId, Outcome};
use serde_json::Value;

use super::super::explored::{Scene, Scenes, differ, hold};
use super::super::live::Playground;
use super::super::simulated::{
    Rules, acquire, entered, heavy, idle, inversions, is_always, jittery, light, metrics, recorded, run, scripted,
    simulate, spread, tell, variant,
};
use super::{Claim, CouldNotRun, Experiment, Finding, How, Measurement, Showing, ricart_agrawala_removal as removal};
use interlock_exploration::Property;
use interlock_model::event::{Event, What};
use interlock_simulation::simulation::{Simulation, Watch};

pub(super) const CLAIMS: &[Claim] = &[
    Claim { id: "RIC-1", showings: &[Showing::live(messages), Showing::of(How::Simulation, cost)] },
    Claim { id: "RIC-2", showings: &[Showing::of(How::Simulation, delays)] },
    Claim {
        id: "RIC-3",
        showings: &[
            Showing::explored(ordered).beside(Experiment::Schedules(ordered_by_numbers)),
            Showing::of(How::Simulation, rules).beside(Experiment::Alone(replies_at_ties)),
        ],
    },
    Claim { id: "RIC-4", showings: &[Showing::of(How::Simulation, six).beside(Experiment::Alone(six_exchanged))] },
    Claim { id: "RIC-5", showings: &[Showing::explored(ties).beside(Experiment::Schedules(ties_by_number))] },
    Claim {
        id: "RIC-6",
        showings: &[
            Showing::of(How::Simulation, bypass).beside(Experiment::Alone(bypass_without_timestamps)),
            Showing::explored(in_turn).beside(Experiment::Schedules(out_of_turn)),
        ],
    },
    Claim {
        id: "RIC-7",
        showings: &[
            Showing::explored(modulo).beside(Experiment::Schedules(modulo_or_not)),
            Showing::of(How::Simulation, numbers).beside(Experiment::Alone(too_few_numbers)),
        ],
    },
    Claim {
        id: "RIC-8",
        showings: &[
            Showing::live(removal::live).beside(Experiment::Live(removal::live_without_removal)),
            Showing::of(How::Simulation, removal::simulated)
                .beside(Experiment::Alone(removal::simulated_without_removal)),
        ],
    },
    Claim {
        id: "RIC-9",
        showings: &[
            Showing::explored(deaf_in_some_schedule).beside(Experiment::Schedules(deaf_in_none)),
            Showing::of(How::Simulation, deaf).beside(Experiment::Alone(hearing)),
        ],
    },
];

/// All schedules of three processes, in which P0 requests twice and P2 once. With sequence numbers, P2's request may
/// happen before P0's second request although P0 has not received it. For example, P1 receives P2's request and then
/// sends P0 a REPLY, which contains no number. P0 may then request with the same number as P2. The smaller id has
/// priority, so P0 enters first, which violates the order of requests.
fn ordered() -> Scenes {
    let clock = "ricart-agrawala/lamport-clock";
    let numbers = "ricart-agrawala/sequence-numbers";
    differ(&[
        (Scene::new(clock, 3, &[1]).in_order().overtaking(), None),
        (Scene::new(clock, 3, &[2, 0, 1]).in_order().overtaking(), None),
        (Scene::new(numbers, 3, &[2, 0, 1]).of_exclusion().overtaking(), None),
        (Scene::new(numbers, 3, &[2, 0, 1]).of_order().overtaking(), Some(Property::Order)),
    ])
}

fn ordered_by_numbers() -> Scenes {
    hold(&[Scene::new("ricart-agrawala/sequence-numbers", 3, &[2, 0, 1]).of_order().overtaking()])
}

/// All schedules of faulty variants for requests with equal numbers. In the variant `reply-at-tie`, both processes
/// reply at once. In the variant `defer-at-tie`, both defer their replies. Two processes request once each.
fn ties() -> Scenes {
    differ(&[
        (Scene::new("ricart-agrawala/reply-at-tie", 2, &[1]), Some(Property::MutualExclusion)),
        (Scene::new("ricart-agrawala/defer-at-tie", 2, &[1]), Some(Property::NobodyStuck)),
    ])
}

fn ties_by_number() -> Scenes {
    let right = "ricart-agrawala/lamport-clock";
    differ(&[
        (Scene::new(right, 2, &[1]), Some(Property::MutualExclusion)),
        (Scene::new(right, 2, &[1]), Some(Property::NobodyStuck)),
    ])
}

/// All schedules of two processes that request twice each, with numbers modulo a limit.
fn modulo() -> Scenes {
    differ(&[
        (Scene::new("ricart-agrawala/modulo", 2, &[2]), None),
        (Scene::new("ricart-agrawala/modulo-too-small", 2, &[2]), Some(Property::MutualExclusion)),
        (Scene::new("ricart-agrawala/lamport-clock-modulo", 2, &[2]), Some(Property::MutualExclusion)),
    ])
}

fn modulo_or_not() -> Scenes {
    let right = ["ricart-agrawala/modulo", "ricart-agrawala/lamport-clock"];
    differ(&right.map(|variant| (Scene::new(variant, 2, &[2]), Some(Property::MutualExclusion))))
}

/// All schedules of two processes that request once each. The clock does not advance when a message is received.
fn deaf_in_some_schedule() -> Scenes {
    differ(&[(Scene::new("ricart-agrawala/no-clock-update", 2, &[1]), Some(Property::MutualExclusion))])
}

fn deaf_in_none() -> Scenes {
    differ(&[(Scene::new("ricart-agrawala/sequence-numbers", 2, &[1]), Some(Property::MutualExclusion))])
}

/// Counts the messages if every process enters 20 times.
fn messages(playground: &Playground) -> Measurement {
    let run = playground.drained("ricart-agrawala", 5, 20)?;
    let kinds = ["REQUEST", "REPLY"].map(|kind| run.messages_by_kind.get(kind).copied().unwrap_or_default());
    Ok(Finding {
        expected: "2(N−1) = 8 messages per entry for N = 5, as many of each kind".into(),
        measured: format!("{} messages ({kinds:?}) for {} entries", run.messages, run.entries),
        holds: run.entries == 100 && kinds == [400; 2] && run.messages == 800,
    })
}

/// Returns the number of REPLY messages at heavy load: all of them, and those that a process sends when it leaves the
/// critical section. The latter are the replies to waiting requests, so they are not additional.
fn replies(nodes: u32) -> Result<[usize; 2], CouldNotRun> {
    let report = recorded(heavy("ricart-agrawala", nodes), 1_000)?;
    let exit = |event: &Event| match event.outcome() {
        Some((at, Outcome::Exited { .. })) => Some((at.node, at.step)),
        _ => None,
    };
    let exits: BTreeSet<_> = report.events.iter().filter_map(exit).collect();
    let reply = |event: &Event| match &event.what {
        What::Sent { at, message_kind, .. } if &**message_kind == "REPLY" => Some((at.node, at.step)),
        _ => None,
    };
    let replies: Vec<_> = report.events.iter().filter_map(reply).collect();
    Ok([replies.len(), replies.iter().filter(|step| exits.contains(step)).count()])
}

/// Measures the cost at light and at heavy load, with five and with twelve processes. A source counts 2(N−1) messages
/// for an entry, and N−1 more for an exit. That counts the replies at an exit twice.
fn cost() -> Measurement {
    let price =
        |document| simulate(document, 1_000).map(|report| (report.entries, report.messages, report.transmissions));
    let five = [price(light("ricart-agrawala", 5))?, price(heavy("ricart-agrawala", 5))?];
    let twelve = [price(light("ricart-agrawala", 12))?, price(heavy("ricart-agrawala", 12))?];
    let [replies, at_exits] = replies(5)?;
    Ok(Finding {
        expected: "1000 entries at light and heavy load, 2(N−1) messages and N with multicasts each: N = 5 8000 and \
                   5000, N = 12 22000 and 12000. N−1 = 4 REPLY per entry, of which more than 3.9 are sent at exits, not \
                   in addition"
            .into(),
        measured: format!(
            "(entries, messages, with multicasts) N = 5 {five:?}, N = 12 {twelve:?}; {replies} REPLY for N = 5, \
             {at_exits} of them at exits"
        ),
        holds: five == [(1_000, 8_000, 5_000); 2]
            && twelve == [(1_000, 22_000, 12_000); 2]
            && replies == 4_000
            && at_exits > 3_900,
    })
}

/// Measures the client delay at light load, and the synchronisation delay at heavy load.
fn delays() -> Measurement {
    let client = metrics(&simulate(light("ricart-agrawala", 5), 3_000)?)?.client_delay;
    let synchronisation = metrics(&simulate(heavy("ricart-agrawala", 5), 3_000)?)?.synchronisation_delay;
    Ok(Finding {
        expected: "N = 5, T = 1: each client delay at light load is 2, each synchronisation delay at heavy load 1"
            .into(),
        measured: format!("{}; {}", spread(&client), spread(&synchronisation)),
        holds: is_always(&client, 2.0) && is_always(&synchronisation, 1.0),
    })
}

/// Checks the properties of two variants. In the first, every message carries the clock of its sender. The second uses
/// the sequence numbers of the paper.
fn rules() -> Measurement {
    let document = |of| variant(jittery("ricart-agrawala", 4), of);
    let clock = Rules::of(&document("lamport-clock"), 20, 100)?;
    let numbers = Rules::of(&document("sequence-numbers"), 20, 100)?;
    let with_clock = inversions(&document("lamport-clock"), 20, 50)?;
    let with_numbers = inversions(&document("sequence-numbers"), 20, 50)?;
    Ok(Finding {
        expected:
            "N = 4, delays of 0 … 9 T, no FIFO: all granted, no property violated; 0 requests granted before one \
                   that happened before with lamport-clock, more with sequence-numbers"
                .into(),
        measured: format!("{clock}, {with_clock} inversions; {numbers}, {with_numbers} inversions"),
        holds: clock.kept() && numbers.kept() && with_clock == 0 && with_numbers > 0,
    })
}

/// Negative control: if two requests have the same number, each process replies to the other, so ME1 is violated.
fn replies_at_ties() -> Measurement {
    let rules = Rules::of(&variant(jittery("ricart-agrawala", 4), "reply-at-tie"), 20, 100)?;
    Ok(Finding {
        expected: "replying at a tie, ME1 broken".into(),
        measured: rules.to_string(),
        holds: rules.overlapping == 0,
    })
}

/// Runs the example in which P3 requests with ⟨42,3⟩ and P5 with ⟨49,5⟩.
fn six() -> Measurement {
    six_with(42, 49, "[(42, 3), (49, 5)], entered 1, 3, 5")
}

/// Negative control: the same example, in which P3 requests with ⟨49,3⟩ and P5 with ⟨42,5⟩.
fn six_exchanged() -> Measurement {
    six_with(49, 42, "the timestamps exchanged, 1, 5, 3")
}

/// Runs the example, in which P3 requests with the time `third` and P5 with the time `fifth`. P1's request has
/// advanced all clocks to 3, and P1 enters. P3 and P5 then send manual messages to P0, each of which advances the
/// sender's clock. P3 stops when its clock is `third` − 1, and P5 when its clock is `fifth` − 1. Both request while
/// P1 is in the critical section, before either request has arrived at the other process.
fn six_with(third: u64, fifth: u64, expected: &str) -> Measurement {
    const AFTER_REPLY: u64 = 3;
    let tells = |node, clock: u64| (AFTER_REPLY + 1..clock).map(move |_| tell(5, node, 0, None));
    let mut script = vec![acquire(0, 1, Some(20))];
    script.extend(tells(3, third).chain(tells(5, fifth)));
    script.extend([acquire(10, 3, Some(20)), acquire(10, 5, Some(20))]);
    let simulation = scripted(idle("ricart-agrawala", 6), script)?;
    let report = run(&Simulation { watch: Watch::Events, ..simulation })?;
    let mut asked: Vec<_> = report.events.iter().filter_map(request).filter(|&(_, node)| node != 1).collect();
    asked.dedup();
    let entered = entered(&report);
    Ok(Finding {
        expected: format!("N = 6: {expected}"),
        measured: format!("{asked:?}, entered {entered:?}"),
        holds: asked == [(third, 3), (fifth, 5)] && entered == [1, 3, 5],
    })
}

/// Returns the number and the sender of a REQUEST if `event` reports that it was sent. Otherwise, returns none.
fn request(event: &Event) -> Option<(u64, u32)> {
    match &event.what {
        What::Sent { at, message_kind, body, .. } if **message_kind == *"REQUEST" => {
            let body: Value = serde_json::from_str(body.as_str()).ok()?;
            Some((body["clock"].as_u64()?, at.node.0))
        }
        _ => None,
    }
}

/// Measures the maximum number of bypasses while all processes request again and again.
fn bypass() -> Measurement {
    passed_over(
        &["lamport-clock", "sequence-numbers", "modulo"],
        "lamport-clock, sequence-numbers, modulo; N = 5, 10 runs of 500 entries, delays of 0 … 9 T: overtaken at most \
         N−1 = 4 times, and some process exactly that often",
    )
}

/// All schedules of three processes: one process requests once, and the others three times each. With clocks instead
/// of sequence numbers, so many requests would lead to too many states. In the scene with clocks, one process
/// therefore requests twice, and the others once each.
fn in_turn() -> Scenes {
    let scene = |variant, requests| Scene::new(format!("ricart-agrawala/{variant}"), 3, requests).in_turn();
    hold(&[scene("lamport-clock", &[2, 1]), scene("sequence-numbers", &[1, 3]), scene("modulo", &[1, 3])])
}

/// Negative control: requests have no time, so the process with the smaller id always has priority.
fn out_of_turn() -> Scenes {
    let scene = Scene::new("ricart-agrawala/no-timestamps", 3, &[2]).of_bypass();
    hold(&[scene])
}

/// Negative control: measures bypasses if requests have no time. P0 then always has priority.
fn bypass_without_timestamps() -> Measurement {
    passed_over(&["no-timestamps"], "without timestamps, more")
}

fn passed_over(variants: &[&str], expected: &str) -> Measurement {
    let mut measured = Vec::new();
    let mut holds = true;
    for of in variants {
        let mut document = variant(heavy("ricart-agrawala", 5), of);
        document["network"]["delay"] = "uniform:0..9".into();
        let rules = Rules::of(&document, 10, 500)?;
        measured.push(format!("{of}: {} times in {} entries", rules.bypass_max, rules.entries));
        holds &= rules.bypass_max == 4 && rules.entries == rules.requests;
    }
    Ok(Finding { expected: expected.into(), measured: measured.join("; "), holds })
}

/// Number of processes in the runs that compare kinds of numbers. It is small, so that two requests with very
/// different numbers soon wait at the same time.
const NUMBERED_NODES: u32 = 3;

/// Document of a run in which all processes request again and again, and messages overtake each other.
fn numbered(of: &str, seed: u64) -> Value {
    let mut document = variant(heavy("ricart-agrawala", NUMBERED_NODES), of);
    document["network"]["delay"] = "uniform:0..9".into();
    document["seed"] = seed.into();
    document
}

/// Number of runs with each kind of number, and number of entries in each run.
const NUMBERED: (u64, u64) = (5, 400);

/// Runs the same workload with each kind of number, and compares the events.
fn numbers() -> Measurement {
    let (seeds, entries) = NUMBERED;
    let (nodes, each) = (u64::from(NUMBERED_NODES), entries / u64::from(NUMBERED_NODES));
    let mut same = 0;
    let [mut whole, mut kept, mut clock] = [Numbers::default(); 3];
    for seed in 1..=seeds {
        let [sequence, modulo, lamport] = ["sequence-numbers", "modulo", "lamport-clock"]
            .map(|of| recorded(numbered(of, seed), entries).map(|report| report.events));
        let (sequence, modulo, lamport) = (sequence?, modulo?, lamport?);
        let pairs = || sequence.iter().zip(&modulo);
        same += u64::from(sequence.len() == modulo.len() && pairs().all(|(one, other)| alike(one, other)));
        for (numbers, events) in [(&mut whole, &sequence), (&mut kept, &modulo), (&mut clock, &lamport)] {
            numbers.add(events);
        }
    }
    Ok(Finding {
        expected: format!(
            "N = {nodes}, {seeds} runs of {entries} entries, delays of 0 … 9 T: the same events with sequence-numbers \
             and modulo, where no number is above 2N−2 = {}; else numbers grow, to {entries}/N = {each} and beyond; \
             those that wait at a time are less than N apart with sequence numbers, and not with Lamport clocks",
            2 * nodes - 2
        ),
        measured: format!("the same in {same}; sequence {whole}; modulo {kept}; clock {clock}"),
        holds: same == seeds
            && kept.greatest == 2 * nodes - 2
            && whole.greatest >= each
            && clock.greatest >= each
            && whole.apart < nodes
            && clock.apart >= nodes,
    })
}

/// Negative control: runs with too few different numbers, and runs with the numbers of a Lamport clock modulo the
/// limit. The control holds if all properties are satisfied in the runs of at least one of the two kinds.
fn too_few_numbers() -> Measurement {
    let fared = |of| Rules::of(&numbered(of, 1), 40, NUMBERED.1);
    let fared =
        [("modulo-too-small", fared("modulo-too-small")?), ("lamport-clock-modulo", fared("lamport-clock-modulo")?)];
    Ok(Finding {
        expected: "sequence numbers modulo 2N−2, and a Lamport clock modulo 2N−1: ME1 broken".into(),
        measured: fared.iter().map(|(of, rules)| format!("{of}: {rules}")).collect::<Vec<_>>().join("; "),
        holds: fared.iter().any(|(_, rules)| rules.overlapping == 0),
    })
}

/// Returns whether two events are equal, apart from the numbers in their messages. Both must have the same kind,
/// node, time and message.
fn alike(one: &Event, other: &Event) -> bool {
    let bare = |event: &Event| match &event.what {
        What::Created { .. } => None,
        What::Sent { at, message, due_us, .. } => Some((event.at_us, Some(*at), Some(*message), *due_us)),
        What::Delivered { at, message, .. } => Some((event.at_us, Some(*at), Some(*message), None)),
        What::Initialized { at, .. }
        | What::Commanded { at, .. }
        | What::Fired { at, .. }
        | What::Armed { at, .. }
        | What::Outcome { at, .. } => Some((event.at_us, Some(*at), None, None)),
        _ => Some((event.at_us, None, None, None)),
    };
    one.kind() == other.kind() && bare(one) == bare(other)
}

/// The numbers of requests in runs, and their differences.
#[derive(Clone, Copy, Default)]
struct Numbers {
    greatest: u64,
    /// Maximum difference between the numbers of two requests that were waiting or granted at the same time.
    apart: u64,
}

impl fmt::Display for Numbers {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "up to {}, {} apart", self.greatest, self.apart)
    }
}

impl Numbers {
    /// Adds the numbers of the requests in another run.
    fn add(&mut self, events: &[Event]) {
        let mut open: BTreeMap<NodeId, u64> = BTreeMap::new();
        for event in events {
            if let Some((number, node)) = request(event) {
                open.insert(NodeId(node), number);
                let apart = open.values().map(|other| number.abs_diff(*other)).max().unwrap_or_default();
                self.greatest = self.greatest.max(number);
                self.apart = self.apart.max(apart);
            }
            if let Some((at, Outcome::Exited { .. })) = event.outcome() {
                open.remove(&at.node);
            }
        }
    }
}

/// Runs the variant in which the clock does not advance when a message is received.
fn deaf() -> Measurement {
    overlapping("no-clock-update", "N = 4, delays of 0 … 9 T: ME1 broken where receipt does not advance the clock")
}

/// Negative control: runs the variant in which the clock advances when a message is received.
fn hearing() -> Measurement {
    overlapping("sequence-numbers", "where it does, kept")
}

fn overlapping(of: &str, expected: &str) -> Measurement {
    let rules = Rules::of(&variant(jittery("ricart-agrawala", 4), of), 20, 100)?;
    Ok(Finding { expected: expected.into(), measured: rules.to_string(), holds: rules.overlapping > 0 })
}
