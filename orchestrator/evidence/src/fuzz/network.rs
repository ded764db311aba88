//! Random links: their delays, loss and duplication. Some links may differ from the others.

use serde_json::{Value, json};

use super::Candidate;
use super::draws::Draws;

/// A distribution of message delays.
#[derive(Clone, Copy, Debug)]
struct Latency {
    delay: &'static str,
    /// Maximum delay of a message, in units of time. If the distribution is unbounded, almost all messages are faster
    /// than this.
    longest: u64,
}

/// Distributions for algorithms that treat a time-out as a crash. Every delay is less than half of the default
/// time-out for an answer, which is 50 units.
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
/// Maximum number of links that have a delay of their own.
const MOST_OTHERS: u64 = 4;

/// The links of a run.
pub(super) struct Links {
    /// Default behaviour of all links: the field `network` of the document.
    pub network: Value,
    /// The field `links` of the document, which contains the links that have a delay of their own.
    pub others: Value,
    /// Maximum delay of a message on any link, in units of time. If a distribution is unbounded, almost all messages
    /// are faster than this.
    pub longest: u64,
}

/// Returns a random distribution of delays, in the notation of a document.
pub(super) fn delay(candidate: Candidate, draws: &mut Draws) -> &'static str {
    latency(candidate, draws).delay
}

fn latency(candidate: Candidate, draws: &mut Draws) -> Latency {
    let latencies = if candidate.takes_slow_for_dead() { BOUNDED } else { ANY };
    draws.one(latencies).copied().unwrap_or(BOUNDED[0])
}

/// Draws the links between `nodes` nodes. The probability of loss is drawn from `loss`, and the probability of
/// duplication from `copies`. If the algorithm does not tolerate loss, the probability of loss is 0; likewise for
/// duplication.
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
