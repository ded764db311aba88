//! Dijkstra's self-stabilising ring, 1974.

use std::fmt;

use interlock_algorithm::{NodeId, Value};
use serde_json::json;

use super::super::live::Playground;
use super::super::simulated::{acquire, heavy, idle, loaded, recorded, run, scripted, variant, view};
use super::{Claim, CouldNotRun, Experiment, Finding, How, Measurement, Showing};
use super::{dijkstra_recovers as recovers, dijkstra_relinked as relinked, dijkstra_stabilises as stabilises};
use interlock_model::event::Event;
use interlock_simulation::scenario::{EventPattern, Until};
use interlock_simulation::simulation::{Simulation, Watch};

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "DIJ-1",
        showings: &[
            Showing::of(How::Exploration, stabilises::one_privilege)
                .beside(Experiment::Alone(stabilises::two_privileges)),
            Showing::of(How::Simulation, one_privilege).beside(Experiment::Alone(old_flags)),
        ],
    },
    Claim {
        id: "DIJ-2",
        showings: &[Showing::of(How::Exploration, stabilises::smallest_numbers)
            .beside(Experiment::Alone(stabilises::one_too_few))],
    },
    Claim {
        id: "DIJ-3",
        showings: &[
            Showing::of(How::Exploration, stabilises::eight_rows).beside(Experiment::Alone(stabilises::no_eight_rows))
        ],
    },
    Claim {
        id: "DIJ-4",
        showings: &[
            Showing::of(How::Exploration, stabilises::most_moves).beside(Experiment::Alone(stabilises::no_bound))
        ],
    },
    Claim {
        id: "DIJ-5",
        showings: &[
            Showing::live(flow).beside(Experiment::Live(rest)),
            Showing::of(How::Simulation, unwanted).beside(Experiment::Alone(unwanted_token)),
        ],
    },
    Claim {
        id: "DIJ-6",
        showings: &[
            Showing::live(relinked::live).beside(Experiment::Live(relinked::live_untold)),
            Showing::of(How::Simulation, relinked::simulated).beside(Experiment::Alone(relinked::simulated_otherwise)),
        ],
    },
    Claim {
        id: "DIJ-7",
        showings: &[
            Showing::of(How::Exploration, stabilises::told_enough).beside(Experiment::Alone(stabilises::told_too_few)),
            Showing::of(How::Simulation, recovers::simulated)
                .beside(Experiment::Alone(recovers::simulated_without_order)),
            Showing::live(recovers::live_once).beside(Experiment::Live(recovers::live_twice)),
        ],
    },
];

/// Observes the privilege at heavy and at light load, with composite steps and with FIFO messages.
fn one_privilege() -> Measurement {
    let mut jittery = loaded("dijkstra-ring", 5, "exp:20");
    jittery["network"]["delay"] = json!("uniform:0..9");
    let rings = [
        ring(variant(heavy("dijkstra-ring", 5), "composite"))?,
        ring(variant(loaded("dijkstra-ring", 5, "exp:20"), "composite"))?,
        ring(heavy("dijkstra-ring", 5))?,
        ring(jittery)?,
    ];
    Ok(Finding {
        expected: "N = 5, 500 entries, composite / by messages of 1 and of 0 … 9 T, in order: 1 … 1 privileged by the \
                   flags at all times, each followed by the next of the ring"
            .into(),
        measured: rings.each_ref().map(Ring::to_string).join("; "),
        holds: rings.iter().all(Ring::is_right),
    })
}

/// Negative control: observes the privilege while messages overtake each other.
fn old_flags() -> Measurement {
    let mut document = loaded("dijkstra-ring", 5, "exp:20");
    document["network"] = json!({ "delay": "uniform:0..150", "fifo": false });
    let ring = ring(document)?;
    Ok(Finding {
        expected: "by messages that overtake each other, more".into(),
        measured: ring.to_string(),
        holds: ring.is_right(),
    })
}

/// Observations of the privilege in one run.
struct Ring {
    entries: u64,
    /// Minimum number of privileged processes at any time. `most` is the maximum.
    fewest: usize,
    most: usize,
    /// Number of moves of the privilege. `astray` counts the moves to a process other than the next in the ring.
    moves: u64,
    astray: u64,
}

impl Ring {
    const fn is_right(&self) -> bool {
        self.entries == 500 && self.fewest == 1 && self.most == 1 && self.moves >= 500 && self.astray == 0
    }
}

impl fmt::Display for Ring {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { fewest, most, moves, astray, .. } = self;
        write!(formatter, "{fewest} … {most} privileged, {moves} moves, {astray} astray")
    }
}

/// Runs a ring of five whose flags are all zero at the start. Determines the privileged processes from the flags.
fn ring(document: serde_json::Value) -> Result<Ring, CouldNotRun> {
    let report = recorded(document, 500)?;
    let mut flags = [0; 5];
    let mut ring = Ring { entries: report.entries, fewest: 1, most: 1, moves: 0, astray: 0 };
    let mut last = 0;
    for event in &report.events {
        let (Some(node), Some(flag)) = (event.node(), flag(event)) else { continue };
        flags[node.index()] = flag;
        let privileged = privileged(&flags);
        ring.fewest = ring.fewest.min(privileged.len());
        ring.most = ring.most.max(privileged.len());
        if let Some(&next) = privileged.first().filter(|&&next| next != last) {
            ring.moves += 1;
            ring.astray += u64::from(next != (last + 1) % flags.len());
            last = next;
        }
    }
    Ok(ring)
}

fn flag(event: &Event) -> Option<i64> {
    match view(event)?.variables.get("flag") {
        Some(&Value::Number(flag)) => Some(flag),
        _ => None,
    }
}

/// Returns the privileged processes. Process 0 is privileged if its flag equals the flag of the last process. Any
/// other process is privileged if its flag differs from the flag of its predecessor.
fn privileged(flags: &[i64]) -> Vec<usize> {
    let before = flags.iter().cycle().skip(flags.len().saturating_sub(1));
    let differs = flags.iter().zip(before).map(|(flag, before)| flag != before);
    differs.enumerate().filter(|&(node, differs)| differs == (node != 0)).map(|(node, _)| node).collect()
}

/// Checks that messages are sent continuously although no process requests the lock.
fn flow(playground: &Playground) -> Measurement {
    let delivered = EventPattern { kind: Some("delivered".into()), node: Some(NodeId(0)), ..EventPattern::default() };
    let waits = vec![Until::Event(delivered); 20];
    unasked("dijkstra-ring", waits, "N = 3, no process asks: messages come to P0 20 times, no entry", playground)
}

/// Negative control: measures an algorithm whose token is sent only if a process requests it.
fn rest(playground: &Playground) -> Measurement {
    unasked("suzuki-kasami", vec![Until::Idle], "a token that rests: none", playground)
}

/// Waits for the conditions `waits`, one after the other, while no process requests. Checks that at least 20 messages
/// were sent and no process entered.
fn unasked(algorithm: &str, waits: Vec<Until>, expected: &str, playground: &Playground) -> Measurement {
    let stage = playground.stage(json!({ "algorithm": algorithm, "nodes": 3 }))?;
    waits.into_iter().try_for_each(|until| stage.wait(&until))?;
    let metrics = stage.metrics();
    Ok(Finding {
        expected: expected.into(),
        measured: format!("{} messages, {} entries", metrics.messages, metrics.entries),
        holds: metrics.messages >= 20 && metrics.entries == 0,
    })
}

/// Counts the messages that are sent while no process requests, in 100 units and in 1,000 units.
fn unwanted() -> Measurement {
    let counts = [
        messages_until_asked("dijkstra-ring", "message-passing", 100)?,
        messages_until_asked("dijkstra-ring", "message-passing", 1_000)?,
        messages_until_asked("dijkstra-ring", "composite", 100)?,
        messages_until_asked("dijkstra-ring", "composite", 1_000)?,
    ];
    Ok(Finding {
        expected: "N = 5, no process asks for 100 / 1000 T: at least one message for each T, by messages and in \
                   composite steps a unit apart"
            .into(),
        measured: format!("{} / {}, {} / {}", counts[0], counts[1], counts[2], counts[3]),
        holds: counts.iter().zip([100, 1_000, 100, 1_000]).all(|(&count, units)| count >= units),
    })
}

/// Negative control: counts the messages of an algorithm whose token is sent only if a process requests it.
fn unwanted_token() -> Measurement {
    let count = |units| messages_until_asked("suzuki-kasami", "fifo-queue", units);
    let (short, long) = (count(100)?, count(1_000)?);
    Ok(Finding {
        expected: "a token that rests: none".into(),
        measured: format!("{short} / {long}"),
        holds: short >= 100 && long >= 1_000,
    })
}

/// Returns the number of messages sent before the first request. The request is made after `units` units.
fn messages_until_asked(algorithm: &str, of: &str, units: u64) -> Result<usize, CouldNotRun> {
    let script = vec![acquire(units, 1, Some(0))];
    let simulation = scripted(variant(idle(algorithm, 5), of), script)?;
    let events = run(&Simulation { watch: Watch::Events, ..simulation })?.events;
    let before = events.iter().take_while(|event| event.kind() != "requested");
    Ok(before.filter(|event| event.kind() == "sent").count())
}
