//! Sanders 1987: information structures, which consist of inform sets and request sets.

use interlock_algorithm::NodeId;
use interlock_algorithm::structure::coterie::Coterie;
use interlock_machine::draw::draw;
use serde_json::{Value, json};

use super::super::explored::{Scene, alike};
use super::super::simulated::{
    Rules, acquire, heavy, idle, is_about, jittery, metrics, run, scripted, simulate, simulation, variant,
};
use super::{Claim, CouldNotRun, Experiment, Finding, How, Measurement, Showing};

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "SAN-1",
        showings: &[
            Showing::of(How::Simulation, same_price).beside(Experiment::Alone(a_member_less)),
            Showing::of(How::Exploration, same_schedules).beside(Experiment::Alone(other_schedules)),
        ],
    },
    Claim {
        id: "SAN-2",
        showings: &[
            Showing::of(How::Property, conditions).beside(Experiment::Alone(a_condition_less)),
            Showing::of(How::Exploration, necessary_and_sufficient).beside(Experiment::Alone(members_do_not_matter)),
        ],
    },
];

/// Number of processes.
const NODES: u32 = 13;

/// Returns the number of messages if every process enters once, one after the other.
fn in_turn(document: Value) -> Result<u64, CouldNotRun> {
    let script = (0..NODES).map(|node| acquire(u64::from(20 * node), node, Some(1))).collect();
    let report = run(&scripted(document, script)?)?;
    if report.entries == u64::from(NODES) { Ok(report.messages) } else { Err(CouldNotRun::because("not all entered")) }
}

/// The three algorithms whose sets Sanders' algorithm uses. Maekawa's algorithm uses a projective plane.
const THREE: [&str; 3] = ["ricart-agrawala", "maekawa", "centralised"];

/// Returns the cost of entries made one after the other: first in the three algorithms, then in Sanders' algorithm
/// with the sets of each of the three algorithms.
fn prices() -> Result<[[u64; 3]; 2], CouldNotRun> {
    let mut prices = [[0; 3]; 2];
    for (place, own) in THREE.into_iter().enumerate() {
        let documents = [idle(own, NODES), variant(idle("sanders", NODES), own)];
        for (prices, mut document) in prices.iter_mut().zip(documents) {
            if own == "maekawa" {
                document["parameters"] = json!({ "coterie": "plane" });
            }
            prices[place] = in_turn(document)?;
        }
    }
    Ok(prices)
}

/// Share of a request's messages that Sanders' algorithm adds at heavy load. An arbiter that has granted another
/// request sends FAIL. Of the three algorithms, only Maekawa's sends such a message as well. So FAIL is one more to two
/// messages with the sets of Ricart and Agrawala, and one more to three with those of a coordinator.
const ADDED: [f64; 3] = [1.0 / 2.0, 0.0, 1.0 / 3.0];

/// Checks that, at light load, Sanders' algorithm has the same cost as each algorithm whose sets it uses. Under
/// contention, checks that Sanders' algorithm satisfies the properties, and adds FAIL and nothing else.
fn same_price() -> Measurement {
    let [own, sanders] = prices()?;
    let mut kept = true;
    let mut contended = Vec::new();
    for (preset, added) in THREE.into_iter().zip(ADDED) {
        let rules = Rules::of(&variant(jittery("sanders", 7), preset), 20, 60)?;
        let busy = [simulate(heavy(preset, 7), 1_000)?, simulate(variant(heavy("sanders", 7), preset), 1_000)?];
        let [own, sanders] = busy.each_ref().map(|report| metrics(report).map(|metrics| metrics.messages_per_entry));
        let (own, sanders) = (own?.unwrap_or_default(), sanders?.unwrap_or_default());
        kept &= rules.kept() && is_about(sanders, own * (1.0 + added));
        contended.push(format!("{preset} {own:.2}, {sanders:.2} ({rules})"));
    }
    Ok(Finding {
        expected: format!(
            "N = 13, each once in turn, {THREE:?} and with their sets: 2·12·13 = 312, 3·3·13 = 117, 3·12 = 36, to the \
             message; N = 7 at heavy load one half, nothing and one third more for FAIL, within 2 %; with delays of 0 \
             … 9 T no property violated"
        ),
        measured: format!("{own:?}, {sanders:?}; {}", contended.join("; ")),
        holds: own == [312, 117, 36] && own == sanders && kept,
    })
}

/// Compares Sanders' algorithm with the three algorithms, in all schedules of five processes in which one process
/// requests.
fn same_schedules() -> Measurement {
    let alone = |named| Scene::new(named, 5, &[0, 1, 0]);
    alike(&[
        [alone("ricart-agrawala/lamport-clock"), alone("sanders/ricart-agrawala")],
        [alone("maekawa/corrected"), alone("sanders/maekawa")],
        [alone("centralised/arrival-order"), alone("sanders/centralised")],
    ])
}

/// Negative control: compares two algorithms that have different sets.
fn other_schedules() -> Measurement {
    let alone = |named| Scene::new(named, 5, &[0, 1, 0]);
    alike(&[[alone("ricart-agrawala/lamport-clock"), alone("sanders/maekawa")]])
}

/// Returns the inform sets and request sets of one of the three algorithms for seven processes.
fn sets_of(preset: &str) -> Result<[Vec<Vec<u32>>; 2], CouldNotRun> {
    let plane = Coterie::parse("plane", 7).map_err(CouldNotRun::because)?;
    let each = |set: &dyn Fn(u32) -> Vec<u32>| (0..7).map(set).collect::<Vec<_>>();
    Ok(match preset {
        "ricart-agrawala" => [each(&|node| vec![node]), each(&|_| (0..7).collect())],
        "maekawa" => {
            let votes = each(&|node| plane.set(NodeId(node)).iter().map(|member| member.0).collect());
            [votes.clone(), votes]
        }
        _ => {
            let two = each(&|node| if node == 0 { vec![0] } else { vec![0, node] });
            [two.clone(), two]
        }
    })
}

/// Negative control: the sets of the three algorithms, but the sets of P1 lack one other process. The control
/// holds if all properties are satisfied with the sets of at least one algorithm.
fn a_member_less() -> Measurement {
    let mut measured = Vec::new();
    let mut holds = false;
    for preset in THREE {
        let mut sets = sets_of(preset)?;
        let whole = Rules::of(&document(&sets, "no"), 20, 60)?;
        let left_out = sets[1][1].iter().copied().find(|&member| member != 1);
        for sets in &mut sets {
            sets[1].retain(|&member| Some(member) != left_out);
        }
        let less = Rules::of(&document(&sets, "no"), 20, 60)?;
        holds |= !whole.kept() || less.overlapping == 0;
        measured.push(format!("{preset}: whole {whole}; less {less}"));
    }
    Ok(Finding {
        expected:
            "the same sets given, whole: no property violated; of P1's sets one other member left out: ME1 broken"
                .into(),
        measured: measured.join("; "),
        holds,
    })
}

/// Draws inform sets and request sets of four processes. The seed determines the probability, in eighths, with which
/// a set contains each process other than its owner.
fn drawn(seed: u64) -> [Vec<Vec<u32>>; 2] {
    [(0, 1 + seed % 3), (1, 5 + seed % 4)].map(|(which, chances)| {
        let is_in =
            |node: u32, other: u32| node == other || draw(&[seed, which, node.into(), other.into()]) % 8 < chances;
        (0..4).map(|node| (0..4).filter(|&other| is_in(node, other)).collect()).collect()
    })
}

/// Returns a pair of processes for which the sets violate the conditions of the source, or none if the sets are
/// sound.
fn unsound(sets @ [inform, request]: &[Vec<Vec<u32>>; 2]) -> Option<(NodeId, NodeId)> {
    let nodes = || (0_u32..).take(inform.len());
    let set = |sets: &[Vec<u32>], node: u32| sets[NodeId(node).index()].clone();
    let informed = nodes().flat_map(|node| set(inform, node).into_iter().map(move |other| (node, other)));
    if let Some((node, other)) = informed.into_iter().find(|&(node, other)| !set(request, node).contains(&other)) {
        return Some((NodeId(node), NodeId(other)));
    }
    strangers(sets)
}

/// Returns a pair of processes whose inform sets have no common member, and which do not both send requests to
/// each other. Returns none if there is no such pair.
fn strangers([inform, request]: &[Vec<Vec<u32>>; 2]) -> Option<(NodeId, NodeId)> {
    let nodes = || (0_u32..).take(inform.len());
    let set = |sets: &[Vec<u32>], node: u32| sets[NodeId(node).index()].clone();
    let pairs = nodes().flat_map(|one| nodes().map(move |other| (one, other))).filter(|(one, other)| one < other);
    let meet = |one, other| set(inform, one).iter().any(|node| set(inform, other).contains(node));
    let ask = |one, other| set(request, one).contains(&other) && set(request, other).contains(&one);
    let mut strangers = pairs.filter(|&(one, other)| !meet(one, other) && !ask(one, other));
    strangers.next().map(|(one, other)| (NodeId(one), NodeId(other)))
}

/// Returns the name of the algorithm, followed by two kinds of parameters: the given sets, and `check=no`, which
/// permits unsound sets.
fn given(sets: &[Vec<Vec<u32>>; 2]) -> String {
    let [inform, request] = sets.each_ref().map(|sets| text(sets));
    format!("sanders/given inform={inform} request={request} check=no")
}

fn text(sets: &[Vec<u32>]) -> String {
    let sets = sets.iter().map(|set| set.iter().map(u32::to_string).collect::<Vec<_>>().join(","));
    format!("sets:{}", sets.collect::<Vec<_>>().join(";"))
}

fn document(sets: &[Vec<Vec<u32>>; 2], check: &str) -> Value {
    let nodes = u32::try_from(sets[0].len()).unwrap_or_default();
    let mut document = variant(jittery("sanders", nodes), "given");
    document["parameters"] = json!({ "inform": text(&sets[0]), "request": text(&sets[1]), "check": check });
    document
}

/// Number of random information structures.
const DRAWN: u64 = 200;

/// Draws information structures of four processes. Checks that the program rejects exactly the structures that
/// violate the conditions of the source. Then runs the sound structures with the program's check switched off.
fn conditions() -> Measurement {
    let (mut unsound_sets, mut misjudged) = (0, 0);
    let mut rules = Rules::default();
    for sets in (0..DRAWN).map(drawn) {
        let refusal = simulation(document(&sets, "yes"), 0).err().map(|reason| reason.to_string());
        let Some((one, other)) = unsound(&sets) else {
            misjudged += u64::from(refusal.is_some());
            rules.add_all(&document(&sets, "no"), 4, 40)?;
            continue;
        };
        unsound_sets += 1;
        let names = |node: NodeId| refusal.as_ref().is_some_and(|reason| reason.contains(&node.0.to_string()));
        misjudged += u64::from(!names(one) || !names(other));
    }
    Ok(Finding {
        expected:
            "200 pairs of sets drawn for four: those that break a condition are refused, the two named; those that \
                   break none, run unchecked, never let two in"
                .into(),
        measured: format!("{unsound_sets} unsound, {misjudged} misjudged; {} sound: {rules}", DRAWN - unsound_sets),
        holds: (1..DRAWN).contains(&unsound_sets) && misjudged == 0 && rules.kept(),
    })
}

/// Explores two processes that request twice each, with all inform sets and request sets that contain their
/// owners. Three processes would have unboundedly many states with some sets, because timestamps grow while votes
/// are given back.
fn necessary_and_sufficient() -> Measurement {
    let (mut sound, mut strange, mut misjudged) = (0, 0, 0);
    let (mut unasked, mut unasked_broken) = (0, 0);
    for sets in all_sets(2) {
        let keeps = keep_one_inside(&sets)?;
        if unsound(&sets).is_none() {
            sound += 1;
            misjudged += u32::from(!keeps);
        } else if strangers(&sets).is_some() {
            strange += 1;
            misjudged += u32::from(keeps);
        } else {
            unasked += 1;
            unasked_broken += u32::from(!keeps);
        }
    }
    Ok(Finding {
        expected:
            "of 16 pairs of sets for two: no schedule of the sound ones lets two in; some schedule does where two \
                   neither meet nor ask each other, and of some where one informs whom it does not ask"
                .into(),
        measured: format!(
            "{sound} sound and {strange} strangers, {misjudged} otherwise; {unasked_broken} of {unasked} unasked"
        ),
        holds: sound > 0 && strange > 0 && misjudged == 0 && unasked_broken > 0,
    })
}

/// Negative control: sets of two processes that violate the condition of [`strangers`]. The control holds if
/// mutual exclusion is never violated with at least one of these sets.
fn members_do_not_matter() -> Measurement {
    let mut keeping = 0;
    for sets in all_sets(2).filter(|sets| strangers(sets).is_some()) {
        keeping += u32::from(keep_one_inside(&sets)?);
    }
    Ok(Finding {
        expected: "some of the sets of strangers keep ME1".into(),
        measured: format!("{keeping} do"),
        holds: keeping > 0,
    })
}

fn keep_one_inside(sets: &[Vec<Vec<u32>>; 2]) -> Result<bool, CouldNotRun> {
    let nodes = u32::try_from(sets[0].len()).unwrap_or_default();
    Scene::new(given(sets), nodes, &[2]).overtaking().of_exclusion().keeps()
}

/// Returns all pairs of inform sets and request sets of `nodes` processes. Each set contains its owner.
fn all_sets(nodes: u32) -> impl Iterator<Item = [Vec<Vec<u32>>; 2]> {
    // A bit of `bits` is set if the corresponding other process is a member of the set of `node`.
    let others = nodes - 1;
    let set = move |bits: u32, node: u32| {
        let is_in = |other: u32| other == node || bits >> (node * others + other - u32::from(other > node)) & 1 == 1;
        (0..nodes).filter(|&other| is_in(other)).collect::<Vec<_>>()
    };
    let sets = move |bits: u32| (0..nodes).map(|node| set(bits, node)).collect::<Vec<_>>();
    let all = nodes * others;
    (0..1 << (2 * all)).map(move |bits: u32| [sets(bits), sets(bits >> all)])
}

/// Negative control: the sound random sets, from each of which one required member is removed. The control holds
/// if mutual exclusion is violated with none of the resulting sets.
fn a_condition_less() -> Measurement {
    let (mut tried, mut overlapping) = (0, 0);
    for sets in (0..DRAWN).map(drawn).filter(|sets| unsound(sets).is_none()) {
        let Some(less) = needed_member_less(&sets) else { continue };
        tried += 1;
        overlapping += u64::from(Rules::of(&document(&less, "no"), 4, 40)?.overlapping > 0);
    }
    Ok(Finding {
        expected: "each of the sound ones without a member that a condition needs: two are let in".into(),
        measured: format!("with {overlapping} of {tried}"),
        holds: overlapping == 0,
    })
}

/// Returns the sets without one required member, so that the sets are no longer sound. Returns none if no member
/// is required. The member is removed from both the inform set and the request set of a node.
fn needed_member_less(sets: &[Vec<Vec<u32>>; 2]) -> Option<[Vec<Vec<u32>>; 2]> {
    let members = (0..4).flat_map(|node| (0..4).map(move |member| (node, member)));
    let less = members.map(|(node, member)| {
        let mut less = sets.clone();
        for sets in &mut less {
            sets[NodeId(node).index()].retain(|&other| other != member || other == node);
        }
        less
    });
    less.filter(|less| less != sets).find(|less| unsound(less).is_some())
}
