//! Candidates look ever further on both sides of a ring.

use super::super::simulated::{run, simulation};
use super::chang_roberts::elects;
use super::measured::all_start;
use super::{Claim, CouldNotRun, Finding, How, Outcome, Showing};
use crate::simulation::{Simulation, Watch};

pub(super) const CLAIMS: &[Claim] = &[Claim {
    id: "HIR-1",
    says: "O(N log N) messages at worst, beside Chang–Roberts on its worst arrangement",
    showings: &[Showing::of(How::Simulation, beside_chang_roberts), Showing::of(How::Property, bounded)],
}];

/// The PROBEs and REPLYs when all start: all messages but the N of the round.
fn probes(nodes: u32, ring: &str) -> Result<u64, CouldNotRun> {
    let document = all_start("hirschberg-sinclair", nodes, ring);
    let messages = run(&Simulation { watch: Watch::Nothing, ..simulation(document, 0)? })?.messages;
    messages.checked_sub(nodes.into()).ok_or_else(|| CouldNotRun::because("there were fewer than N messages"))
}

/// 8N(1 + log2 N), the logarithm rounded up: the paper's bound.
fn bound(nodes: u32) -> u64 {
    8 * u64::from(nodes) * u64::from(1 + nodes.next_power_of_two().ilog2())
}

fn beside_chang_roberts() -> Outcome {
    let sizes = [8, 32, 128, 512, 1_024];
    let of = |count: fn(u32, &str) -> Result<u64, CouldNotRun>| {
        sizes.iter().map(|&nodes| count(nodes, "descending")).collect::<Result<Vec<_>, _>>()
    };
    let (ours, theirs) = (of(probes)?, of(elects)?);
    let bounds = sizes.map(bound);
    let crossed = sizes.iter().zip(ours.iter().zip(&theirs)).find(|(_, (ours, theirs))| ours < theirs);
    Ok(Finding {
        expected: format!(
            "N = {sizes:?}, ids descending: at most 8N(1 + log2 N) = {bounds:?}; fewer than N(N+1)/2 from \
                           some N on"
        ),
        measured: format!(
            "{ours:?}; Chang–Roberts {theirs:?}; fewer from N = {:?} on",
            crossed.map(|(nodes, _)| nodes)
        ),
        holds: ours.iter().zip(bounds).all(|(count, bound)| *count <= bound) && ours.last() < theirs.last(),
    })
}

/// Rings drawn at random, of every size.
fn bounded() -> Outcome {
    let (mut tried, mut beyond, mut dearest) = (0, 0, 0);
    for nodes in 2..=64 {
        for ring in 0..20 {
            let count = probes(nodes, &format!("random:{ring}"))?;
            tried += 1;
            beyond += u32::from(count > bound(nodes));
            dearest = dearest.max(100 * count / bound(nodes));
        }
    }
    Ok(Finding {
        expected: "N = 2 … 64, 20 rings each: at most 8N(1 + log2 N)".into(),
        measured: format!("{beyond} of {tried} beyond; the dearest takes {dearest} % of the bound"),
        holds: tried == 1_260 && beyond == 0,
    })
}
