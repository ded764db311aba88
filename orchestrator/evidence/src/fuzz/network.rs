//! Random links: how long messages take, what is lost and copied, and which links differ from the others.

use serde_json::{Value, json};

use super::Candidate;
use super::draws::Draws;

/// How long messages take.
#[derive(Clone, Copy, Debug)]
struct Latency {
    delay: &'static str,
    /// What a message takes at most, in units of time; where there is no bound, all but few of them.
    longest: u64,
}

/// Delays of less than half of the time-outs for an answer that there are by default: 50 units.
const BOUNDED: &[Latency] = &[
    Latency { delay: "const:1", longest: 1 },
    Latency { delay: "const:24", longest: 24 },
    Latency { delay: "uniform:0..2", longest: 2 },
    Latency { delay: "uniform:0..24", longest: 24 },
    Latency { delay: "uniform:1..10", longest: 10 },
];
const ANY: &[Latency] = &[
    Latency { delay: "const:1", longest: 1 },
    Latency { delay: "uniform:0..2", longest: 2 },
    Latency { delay: "uniform:1..20", longest: 20 },
    Latency { delay: "exp:5", longest: 40 },
    Latency { delay: "normal:5,3", longest: 15 },
    Latency { delay: "pareto:1,1.5", longest: 100 },
];
/// How many links may differ from the others.
const MOST_OTHERS: u64 = 4;

/// The links of a run.
pub(super) struct Links {
    /// How most behave: `network` of the document.
    pub network: Value,
    /// Those that differ: `links` of the document.
    pub others: Value,
    /// What a message takes at most, in units of time; where there is no bound, all but few of them.
    pub longest: u64,
}

/// The delay of some links, in the words of a document.
pub(super) fn delay(candidate: Candidate, draws: &mut Draws) -> &'static str {
    latency(candidate, draws).delay
}

fn latency(candidate: Candidate, draws: &mut Draws) -> Latency {
    let latencies = if candidate.takes_slow_for_dead() { BOUNDED } else { ANY };
    draws.one(latencies).copied().unwrap_or(BOUNDED[0])
}

/// The links between so many nodes, where messages are lost and copied with one of these probabilities, if the algorithm
/// can do without them and with copies.
pub(super) fn links(candidate: Candidate, nodes: u64, [loss, copies]: [&[&str]; 2], draws: &mut Draws) -> Links {
    let assumes = candidate.assumes();
    let mut probability = |excluded: bool, choices: &[&str]| -> f64 {
        let chosen = draws.of(choices);
        if excluded { 0.0 } else { chosen.parse().unwrap_or_default() }
    };
    let (loss, duplicate) = (probability(assumes.no_loss, loss), probability(assumes.no_duplication, copies));
    let most = latency(candidate, draws);
    let fifo = assumes.fifo || draws.happens(0.2);
    let network = json!({ "delay": most.delay, "fifo": fifo, "loss": loss, "duplicate": duplicate });
    let (mut others, mut longest) = (Vec::new(), most.longest);
    if draws.happens(0.2) {
        for _ in 0..draws.number(1, MOST_OTHERS) {
            let (from, to, own) = (draws.node(nodes), draws.node(nodes), latency(candidate, draws));
            if from != to {
                longest = longest.max(own.longest);
                others.push(json!({ "from": from, "to": to, "delay": own.delay }));
            }
        }
    }
    Links { network, others: json!(others), longest }
}
