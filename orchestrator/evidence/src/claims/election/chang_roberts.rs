//! The Chang–Roberts algorithm: ids travel round a ring, and a process does not forward an id smaller than its own.

use serde_json::json;

use super::super::explored::{Scene, Scenes, hold};
use super::super::simulated::{run, simulation};
use super::measured::{all_start, elect, played, quiet, taken};
use super::{Claim, CouldNotRun, Experiment, Finding, How, Measurement, Showing};
use interlock_simulation::simulation::{Simulation, Watch};

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "RNG-2",
        showings: &[Showing::of(How::Simulation, best_and_worst), Showing::of(How::Property, all_arrangements)],
    },
    Claim {
        id: "RNG-3",
        showings: &[
            Showing::explored(all_schedules).beside(Experiment::Schedules(all_schedules_swallowing)),
            Showing::of(How::Simulation, one_known_to_all).beside(Experiment::Alone(swallowed_always)),
        ],
    },
];

/// All schedules in which each process may call an election, in a ring of three and in a ring of four.
fn all_schedules() -> Scenes {
    let original = "chang-roberts/original initiators=none";
    hold(&[3, 4].map(|nodes| Scene::new(original, nodes, &[1]).of_election()))
}

fn all_schedules_swallowing() -> Scenes {
    hold(&[Scene::new("chang-roberts/swallow-always initiators=none", 3, &[1]).of_election()])
}

/// Returns the number of ELECT messages if all processes call an election at the start, in a ring of the arrangement
/// `ring`. All messages are ELECT except the N messages of the final round.
pub(super) fn elects(nodes: u32, ring: &str) -> Result<u64, CouldNotRun> {
    let quick = Simulation { watch: Watch::Nothing, ..simulation(all_start("chang-roberts", nodes, ring), 0)? };
    let messages = run(&quick)?.messages;
    messages.checked_sub(nodes.into()).ok_or_else(|| CouldNotRun::because("there were fewer than N messages"))
}

fn best_and_worst() -> Measurement {
    let sizes = [2, 4, 8, 16, 32];
    let of = |ring: &str| sizes.iter().map(|&nodes| elects(nodes, ring)).collect::<Result<Vec<_>, _>>();
    let (best, worst) = (of("ascending")?, of("descending")?);
    let expected: (Vec<_>, Vec<_>) =
        sizes.iter().map(|&nodes| u64::from(nodes)).map(|n| (2 * n - 1, n * (n + 1) / 2)).unzip();
    Ok(Finding {
        expected: format!("N = {sizes:?}: 2N−1 = {:?}, N(N+1)/2 = {:?}, and N COORD", expected.0, expected.1),
        measured: format!("ids ascending {best:?}, descending {worst:?}"),
        holds: (best, worst) == expected,
    })
}

/// Returns all arrangements of the ids 0 … N−1 in a ring. Rotated arrangements are equivalent, so each arrangement
/// starts with 0.
fn rings(nodes: u32) -> Vec<Vec<u32>> {
    let mut all = vec![vec![0]];
    for node in 1..nodes {
        let inserted = |ring: &Vec<u32>| -> Vec<Vec<u32>> {
            (1..=ring.len()).map(|place| [&ring[..place], &[node], &ring[place..]].concat()).collect()
        };
        all = all.iter().flat_map(inserted).collect();
    }
    all
}

/// Returns the number of arrangements, and the sum, minimum and maximum of their numbers of ELECT messages.
fn over_all_rings(nodes: u32) -> Result<(u64, u64, u64, u64), CouldNotRun> {
    let mut seen = (0, 0, u64::MAX, 0);
    for ring in rings(nodes) {
        let ring: Vec<String> = ring.iter().map(ToString::to_string).collect();
        let count = elects(nodes, &ring.join(","))?;
        seen = (seen.0 + 1, seen.1 + count, seen.2.min(count), seen.3.max(count));
    }
    Ok(seen)
}

fn all_arrangements() -> Measurement {
    let measured = (2..=8).map(over_all_rings).collect::<Result<Vec<_>, _>>()?;
    let expected = (2..=8_u64).map(|n| {
        let rings: u64 = (1..n).product();
        // (N−1)! · N · H_N equals the sum of N!/i, which is a whole number.
        (rings, (1..=n).map(|i| rings * n / i).sum(), 2 * n - 1, n * (n + 1) / 2)
    });
    let expected: Vec<(u64, u64, u64, u64)> = expected.collect();
    let means: Vec<_> = measured.iter().map(|(rings, sum, ..)| format!("{sum}/{rings}")).collect();
    Ok(Finding {
        expected: "N = 2 … 8, all (N−1)! rings: sum of ELECT = (N−1)!·N·H_N, least 2N−1, most N(N+1)/2".into(),
        measured: format!("means {}; sums, least and most {measured:?}", means.join(", ")),
        holds: measured == expected,
    })
}

/// Runs in which three processes call elections, shortly one after the other, while messages overtake each other.
/// All processes must accept P6 as the coordinator of the same term.
fn known_to_all(variant: &str) -> Measurement {
    let (mut runs, mut right) = (0, 0);
    let rings = [
        ("chang-roberts", variant),
        ("hirschberg-sinclair", "original"),
        ("acknowledged-ring", "original"),
        ("acknowledged-ring", "no-swallowing"),
    ];
    for (algorithm, variant) in rings {
        for seed in 1..=40 {
            let mut document = quiet(algorithm, 7);
            document["seed"] = json!(seed);
            document["network"]["delay"] = json!("uniform:0..20");
            document["parameters"]["ring"] = json!(format!("random:{seed}"));
            document["variant"] = json!(variant);
            let caller = seed % 7;
            let report = played(document, vec![elect(0, caller), elect(3, (caller + 3) % 7), elect(9, 2)])?;
            let taken = taken(&report, 7);
            let agreed = taken.windows(2).all(|pair| pair[0] == pair[1]);
            runs += 1;
            right += u32::from(agreed && matches!(taken[0], Some((6, _))) && report.violations.is_empty());
        }
    }
    Ok(Finding {
        expected: "N = 7, four kinds of rings, 40 seeds, three callers, delays of 0 … 20 T: all know P6, in one term"
            .into(),
        measured: format!("{right} of {runs} runs"),
        holds: right == runs,
    })
}

fn one_known_to_all() -> Measurement {
    known_to_all("original")
}

fn swallowed_always() -> Measurement {
    known_to_all("swallow-always")
}
