//! The Hirschberg–Sinclair algorithm: candidates send probes in both directions of a ring, each time over a longer
//! distance.

use super::super::simulated::{run, simulation};
use super::chang_roberts::elects;
use super::measured::all_start;
use super::{Claim, CouldNotRun, Experiment, Finding, How, Measurement, Showing};
use interlock_simulation::simulation::{Simulation, Watch};

pub(super) const CLAIMS: &[Claim] = &[Claim {
    id: "HIR-1",
    showings: &[
        Showing::of(How::Simulation, || descending(probes)).beside(Experiment::Alone(|| descending(elects))),
        Showing::of(How::Property, || bounded(probes)).beside(Experiment::Alone(|| bounded(elects))),
    ],
}];

/// A function that counts the messages of an election that all nodes call at the start, in a ring. The arguments are
/// the size and the arrangement of the ring. The function does not count the N messages of the final round.
type Count = fn(u32, &str) -> Result<u64, CouldNotRun>;

/// Returns the number of PROBE and REPLY messages.
fn probes(nodes: u32, ring: &str) -> Result<u64, CouldNotRun> {
    let document = all_start("hirschberg-sinclair", nodes, ring);
    let messages = run(&Simulation { watch: Watch::Nothing, ..simulation(document, 0)? })?.messages;
    messages.checked_sub(nodes.into()).ok_or_else(|| CouldNotRun::because("there were fewer than N messages"))
}

/// Returns the bound from the paper: 8N(1 + log2 N), with the logarithm rounded up.
fn bound(nodes: u32) -> u64 {
    8 * u64::from(nodes) * u64::from(1 + nodes.next_power_of_two().ilog2())
}

/// Measures rings of all sizes with descending ids, which are the worst arrangement for Chang–Roberts.
fn descending(count: Count) -> Measurement {
    let sizes = [8, 32, 128, 512, 1_024];
    let counts = sizes.iter().map(|&nodes| count(nodes, "descending")).collect::<Result<Vec<_>, _>>()?;
    let bounds = sizes.map(bound);
    let beyond: Vec<u32> = sizes
        .into_iter()
        .zip(counts.iter().zip(bounds))
        .filter(|(_, (count, bound))| *count > bound)
        .map(|(n, _)| n)
        .collect();
    Ok(Finding {
        expected: format!("N = {sizes:?}, ids descending: at most 8N(1 + log2 N) = {bounds:?}"),
        measured: format!("{counts:?}; beyond the bound for N = {beyond:?}"),
        holds: beyond.is_empty(),
    })
}

/// Measures large rings with ascending, descending and random ids.
fn bounded(count: Count) -> Measurement {
    let sizes = [512, 700, 1_024];
    let rings: Vec<String> = ["ascending".to_owned(), "descending".to_owned()]
        .into_iter()
        .chain((1..=4).map(|seed| format!("random:{seed}")))
        .collect();
    let (mut beyond, mut dearest) = (Vec::new(), 0);
    for nodes in sizes {
        for ring in &rings {
            let share = 100 * count(nodes, ring)? / bound(nodes);
            dearest = dearest.max(share);
            if share >= 100 {
                beyond.push(format!("{ring} with N = {nodes}"));
            }
        }
    }
    let listed = if beyond.is_empty() { "none".to_owned() } else { beyond.join(", ") };
    Ok(Finding {
        expected: format!("N = {sizes:?}, {} rings each: fewer than 8N(1 + log2 N)", rings.len()),
        measured: format!("beyond the bound: {listed}; the dearest takes {dearest} % of it"),
        holds: beyond.is_empty(),
    })
}
